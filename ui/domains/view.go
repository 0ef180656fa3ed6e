package domains

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
)

// domainRows are the domains for people who hear the UI.
type domainRows struct{ *Model }

// Len implements [screen.Rows].
func (m domainRows) Len() int { return m.grid.Len() }

// Choose implements [screen.Rows].
func (m domainRows) Choose(at int) { m.grid.Choose(at) }

// SayRow implements [screen.Rows]: a domain, and what is known of its gateway.
func (m domainRows) SayRow(at int) string {
	row, _ := m.grid.At(at)
	text := screen.If(m.grid.Marked(at), "Marked. ") + hostname.Readable(m.domains[row])
	if m.domains[row] == m.primary {
		text += ", your primary domain"
	}
	switch known := m.gateways[m.addresses[row]]; {
	case m.addresses[row] == "":
		text += ", gateway unknown: " + noAddress
	case known != nil && known.verdict != nil:
		text += ": " + known.words()
	}
	return screen.Labelled("", text)
}

// words says what is known of a gateway that was asked: the columns, and why there are no shares.
func (g *gateway) words() string {
	var clauses []string
	for _, c := range columns {
		if c.said == nil {
			continue
		}
		if clause := c.said(g); clause != "" {
			clauses = append(clauses, clause)
		}
	}
	text := strings.Join(clauses, ", ")
	if g.trouble != nil {
		text += ". " + g.explained()
	}
	return text
}

// inWords says how the gateway does: "gateway reachable in 42 ms".
func (g *gateway) inWords() string {
	if g.verdict.mark == good {
		return g.spoken() + " in " + human.Took(g.latency)
	}
	return g.spoken()
}

// sharesInWords says how many shares there are, and how large: "5 shares, 2.5 TB"; "" if none were
// counted.
func (g *gateway) sharesInWords() string {
	if g.shares == nil {
		return ""
	}
	return g.shares.InWords()
}

// explained says why the gateway gave no shares, and how old the figures are that are shown.
func (g *gateway) explained() string {
	text := g.trouble.Sentence + " " + g.trouble.Hint
	if g.shares != nil {
		text = "The figures are from " + g.at.Local().Format(time.TimeOnly) + ". " + text
	}
	return strings.TrimSpace(text)
}

const (
	// maxList is the width of the pane of the list, if there is room.
	maxList = 90
	// minSession is the height of the screen from which on there is a pane of the session, and
	// minRoomy that from which on the pane has an empty line at each end.
	minSession, minRoomy = 20, 28
)

// Settle implements [screen.Screen].
func (m *Model) Settle(room screen.Room) {
	m.explained = room.Panes
	if brief := room.Width < narrowWidth; brief != m.brief {
		m.brief = brief
		m.grid.SetSource(domainSource{m}, m.shown)
		m.grid.SetMatch(m.filter.Words())
	}
	m.grid.Settle(room.Width, m.body().Rest(room.Width, room.Height))
}

// Frame implements [screen.Screen].
func (m *Model) Frame() screen.Frame { return screen.InPane }

// Beside implements [screen.Screen].
func (m *Model) Beside(width int) int { return width - min(width/2+4, maxList) }

// View implements [screen.Screen]. The border says how many domains there are, and how far their
// gateways have answered.
func (m *Model) View() screen.View {
	at := m.answeredAt.Local().Format(time.TimeOnly)
	refreshed := screen.If(!m.answeredAt.IsZero(), "refreshed "+at)
	border := screen.Pane{
		Title:    m.count().Title(m.env.Theme),
		Note:     cmp.Or(m.progress(), refreshed),
		Foot:     screen.If(len(m.domains) > 0, m.grid.RowPosition()),
		FootRest: m.grid.ColumnsBeyond(),
	}
	v := screen.View{
		Title:  "Domains",
		Timed:  true,
		Typing: m.filter.Typing(),
		Border: border,
		Body:   m.body(),
		Wheel:  m.grid.Wheel,
		Side:   m.side(),
		Lower:  m.lower(),
		Rows:   domainRows{m},
		Filter: m.filter.Filter,
		Marks:  m.grid,
	}
	if len(m.domains) > 0 {
		v.Said = []string{m.count().String(), m.progress()}
	}
	return v
}

// body is the filter and the list, and below the list what the panes beside it do not say.
func (m *Model) body() screen.Fill {
	body := screen.Fill{Above: []screen.Part{screen.Indent{Part: m.filter, Left: 1, Right: 1}}}
	if len(m.domains) == 0 {
		body.Above = append(body.Above, screen.Blank{})
		body.Part = screen.Padded{Part: screen.Indent{Part: m.nothing(), Left: 1, Right: 1}}
		return body
	}
	body.Part, body.Below = tablePart{m}, []screen.Part{belowTable{m}}
	return body
}

// tablePart draws the domains, or says that none matches the filter.
type tablePart struct{ *Model }

// Draw implements [screen.Part].
func (m tablePart) Draw(width, height int) screen.Drawing {
	if m.grid.Len() > 0 {
		return m.grid.Draw(width, height)
	}
	none := screen.Cut("No domains match the filter.", max(width-2, 0))
	return screen.Lines{"", m.env.Theme.Muted.Render(" " + none)}.Draw(width, 2)
}

// Say implements [screen.Part]: the domains are said as rows.
func (tablePart) Say() iter.Seq[string] { return screen.Texts() }

// belowTable draws the notes. If there are no panes beside the list, it also draws what is known of
// the domain under the cursor and of the session, as far as there is room.
type belowTable struct{ *Model }

// Draw implements [screen.Part].
func (m belowTable) Draw(width, height int) screen.Drawing {
	lines := m.lines(width, height)
	if len(lines) > 0 && len(lines) < height-minRows {
		lines = append([]string{""}, lines...)
	}
	return screen.Drawing{Lines: lines}
}

// Say implements [screen.Part].
func (m belowTable) Say() iter.Seq[string] { return m.notes().Say() }

// lines are the lines below the table. From the longest, they are: all that is known, the domain
// without the session, and what is wrong with its gateway.
func (m belowTable) lines(width, height int) []string {
	notes := m.drawn(m.notes(), width)
	name, ok := m.selected()
	if !ok || m.explained {
		return screen.AtMost(notes, height-minRows, width-1)
	}
	room := height - m.grid.Len() - 2
	domain := m.details(width)
	domain.title = safetext.Clip(hostname.Readable(name), width)
	known := append(m.groups(domain.groups(), width), notes...)
	if len(known) > room {
		domain.largest = nil
		known = append(m.groups(domain.groups(), width), notes...)
	}
	lasting := m.lasting(width)
	lasting.Title = "Session"
	whole := slices.Concat(known, []string{""}, m.groups([]fields.Group{lasting}, width))
	switch {
	case len(whole) <= room:
		return whole
	case len(known) <= room:
		return known
	}
	trouble := m.drawn(m.trouble(), width)
	return screen.AtMost(append(trouble, notes...), height-minRows, width-1)
}

// drawn are all lines of a part, with a free cell at each side.
func (m *Model) drawn(part screen.Part, width int) []string {
	return screen.Indented(part.Draw(width-2, math.MaxInt).Lines, 1)
}

// Rest implements [screen.Screen].
func (m *Model) Rest() { m.grid.Rest() }

// side is the pane with what is known of the domain under the cursor.
func (m *Model) side() screen.Side {
	var side screen.Side
	name, ok := m.selected()
	if !ok {
		return side
	}
	side.Border.Title = safetext.Clip(hostname.Readable(name), maxTitle)
	if t := m.env.Theme; name == m.primary {
		side.Border.Title = t.Strong.Render(side.Border.Title) + " " + t.Warn.Render(t.Glyphs.Primary)
	}
	side.Body = detailsPart{m}
	return side
}

// maxTitle is the maximum width of the title of a pane in cells.
const maxTitle = 80

// detailsPart draws what is known of the domain under the cursor.
type detailsPart struct{ *Model }

// Draw implements [screen.Part].
func (m detailsPart) Draw(width, height int) screen.Drawing {
	groups := fields.Groups{Theme: m.env.Theme, Groups: m.details(width).groups()}
	return screen.Column{screen.Blank{}, groups}.Draw(width, height)
}

// Say implements [screen.Part].
func (m detailsPart) Say() iter.Seq[string] {
	return fields.Say(m.details(saidCells).groups(), nil)
}

// saidCells is a width with room for all that can be said.
const saidCells = 200

// lower is the pane with what is known of the session.
func (m *Model) lower() screen.Side {
	authority := session.AuthorityTitle(m.session.Status().Authority)
	return screen.Side{Border: screen.Pane{Title: "Session", Note: authority}, Body: lower{m}}
}

// lower draws what is known of the session, if there is room.
type lower struct{ *Model }

// Draw implements [screen.Part].
func (m lower) Draw(width, height int) screen.Drawing {
	lines := fields.Lines(m.env.Theme, []fields.Group{m.lasting(width)}, width, height)
	switch {
	case height < minSession:
		lines = nil
	case height >= minRoomy:
		lines = slices.Concat([]string{""}, lines, []string{""})
	}
	return screen.Drawing{Lines: lines}
}

// Say implements [screen.Part].
func (m lower) Say() iter.Seq[string] { return fields.Say([]fields.Group{m.lasting(saidCells)}, nil) }

// minRows is how many lines are left for the table, with its titles.
const minRows = 3

// count says how many domains there are, and how many of them are shown and marked.
func (m *Model) count() screen.Counted {
	total := screen.Count(len(m.domains), "domain", "domains")
	if marked := m.grid.Marks().Len(); marked > 0 {
		total.Of += m.env.Theme.Between() + human.Number(marked) + " marked"
	}
	if shown := m.grid.Len(); shown != len(m.domains) {
		return total.Shown(shown)
	}
	return total
}

// progress says how many gateways are being asked and since when, or else how many of them failed
// to return shares; "" if all did.
func (m *Model) progress() string {
	asked, reached, waiting, last := 0, 0, 0, ""
	for _, g := range m.gateways {
		switch {
		case g.asking:
			waiting++
		case g.verdict != nil:
			asked++
			last = g.verdict.text
			if g.verdict.mark.hasAnswered() {
				reached++
			}
		}
	}
	switch {
	case waiting > 0:
		since := m.round.started.Local().Format(time.TimeOnly)
		return fmt.Sprintf("asking %s since %s", counted(waiting), since)
	case asked == 1 && reached == 0:
		return "gateway: " + last
	case asked > reached:
		return fmt.Sprintf("%d of %s returned shares", reached, counted(asked))
	}
	return ""
}

func counted(n int) string { return human.Count(n, "gateway", "gateways") }

// notes are about the session and the list as a whole, not about a domain.
func (m *Model) notes() screen.Part { return screen.Column{m.ended(), m.claimNotes()} }

// maxTrouble is how many lines explain the gateway under the cursor.
const maxTrouble = 4

// trouble says in whole sentences why the gateway under the cursor gives no shares.
func (m *Model) trouble() screen.Part {
	known := m.current()
	if known == nil || known.trouble == nil {
		return screen.Column{}
	}
	sign, _, style := known.verdict.mark.drawn(m.env.Theme)
	return screen.Text{Style: style, Text: sign + " " + known.explained(), MaxLines: maxTrouble}
}

// ended says that the session is over, so that nothing here is current.
func (m *Model) ended() screen.Part {
	if state := m.session.Status().State; state != session.Ended && state != session.SignedOut {
		return screen.Column{}
	}
	return m.warning("The session has ended; this list is from before. " + m.signInKey())
}

// warning is a sentence with a sign before it.
func (m *Model) warning(text string) screen.Text {
	t := m.env.Theme
	return screen.Text{Style: t.Warn, Text: t.Glyphs.Warning + " " + text}
}

// claimNotes say what was unclear in the claims, such as a domain that was left out.
func (m *Model) claimNotes() screen.Part {
	var parts screen.Column
	for _, note := range m.session.Status().Claims.Notes() {
		parts = append(parts, m.warning(note))
	}
	return parts
}

// nothing says why there is no domain, and what to do.
func (m *Model) nothing() screen.Part {
	text := "The access token names no domain."
	switch claims := m.session.Status().Claims; {
	case !claims.Present:
		text = "The access token has no readable claims, so the domains are unknown."
	case len(claims.Rejected) > 0:
		text = "The access token names domains, and none that can be read."
	}
	why := screen.Text{Style: m.env.Theme.Muted, Text: text + " " + m.signInKey()}
	return screen.Column{why, screen.Blank{}, m.notes()}
}

// signInKey says how to sign in again.
func (m *Model) signInKey() string {
	return m.env.Keys.Press(screen.RootSignIn) + " to sign in again."
}
