package domains

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

const (
	// maxList is how wide the pane of the list is at most.
	maxList = 90
	// minSession is the height from which on there is a pane of the session, and minRoomy
	// that from which on the panes have free lines at their ends.
	minSession, minRoomy = 20, 28
)

// Draw draws the list, and below it what the panes beside it do not say.
func (m *Model) Draw(width, height int) string {
	if brief := width < narrowWidth; brief != m.brief {
		m.brief = brief
		m.grid.SetSource(list{m}, m.shown)
		m.grid.SetMatch(m.filter.Words())
	}
	m.width, m.above = width, 0
	var lines []string
	if m.filter.Visible() {
		lines, m.above = []string{" " + m.filter.Draw(width-2)}, 1
	}
	if len(m.domains) == 0 {
		lines = append(append(lines, ""), screen.Indented(m.nothing(width-2), 1)...)
	} else {
		lines = append(lines, m.list(width, height-m.above)...)
	}
	return screen.Box(strings.Join(lines, "\n"), width, height)
}

// list is the table with what stands below it.
func (m *Model) list(width, height int) []string {
	below := screen.Indented(m.below(max(width-2, 1), height), 1)
	if len(below) > 0 {
		below = append([]string{""}, below...)
	}
	rows := m.grid.Draw(width, max(height-len(below), 0))
	if m.grid.Len() == 0 {
		none := "None of the " + human.Count(len(m.domains), "domain", "domains") + " match the filter."
		return append([]string{"", m.env.Theme.Muted.Render(" " + screen.Cut(none, max(width-2, 0)))}, below...)
	}
	return append([]string{rows}, below...)
}

// below is what is said below the table: what the panes leave out, and without them what is
// known of the domain under the cursor, as far as there is room.
func (m *Model) below(width, height int) []string {
	if !m.Beside {
		if known := m.known(width, height-m.grid.Len()-2); known != nil {
			return known
		}
		notes := append(m.trouble(width), m.said(width)...)
		return notes[:max(0, min(len(notes), height-minRows-1))]
	}
	if said := m.said(width); height > len(said)+minRows {
		return said
	}
	return nil
}

func (m *Model) Rest() { m.grid.Rest() }

// Pane shows how many domains there are, and how many can be used.
func (m *Model) Pane() screen.Pane {
	number, rest, _ := strings.Cut(m.count(), " ")
	t, refreshed := m.env.Theme, screen.If(!m.answeredAt.IsZero(), "refreshed "+m.answeredAt.Local().Format(time.TimeOnly))
	return screen.Pane{
		Title: t.Strong.Render(number) + " " + t.Muted.Render(rest),
		Note:  cmp.Or(m.progress(), refreshed), Foot: screen.If(len(m.domains) > 0, m.grid.Position()),
	}
}

func (m *Model) SideWidth(width int) int { return width - min(width/2+4, maxList) }

// Side shows what is known of the domain under the cursor.
func (m *Model) Side(width, height int) (screen.Pane, string) {
	name, ok := m.selected()
	if !ok {
		return screen.Pane{}, ""
	}
	pane := screen.Pane{Title: safetext.Clip(hostname.Readable(name), width)}
	if t := m.env.Theme; name == m.primary {
		pane.Title = t.Strong.Render(pane.Title) + " " + t.Warn.Render(t.Glyphs.Primary)
	}
	lines := append([]string{""}, m.details(width)...)
	if len(lines) > height {
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	}
	return pane, strings.Join(lines, "\n")
}

// Lower shows the session.
func (m *Model) Lower(width, height int) (screen.Pane, []string) {
	pane := screen.Pane{Title: "Session", Note: signin.AuthorityTitle(m.status().Authority)}
	switch {
	case height < minSession:
		return pane, nil
	case height < minRoomy:
		return pane, m.session(width)
	}
	return pane, slices.Concat([]string{""}, m.session(width), []string{""})
}

// known is what is known of the domain under the cursor and of the session, or of the
// domain alone, if there are as many lines for it.
func (m *Model) known(width, lines int) []string {
	name, ok := m.selected()
	if !ok {
		return nil
	}
	section := func(title string) string { return screen.Section(m.env.Theme, title, width) }
	domain := slices.Concat([]string{section(safetext.Clip(hostname.Readable(name), width))}, m.details(width), m.said(width))
	whole := slices.Concat(domain, []string{"", section("Session")}, m.session(width))
	switch {
	case len(whole) <= lines:
		return whole
	case len(domain) <= lines:
		return domain
	}
	return nil
}

// minRows is how many lines the table keeps, its titles included.
const minRows = 3

// count says how many domains there are.
func (m *Model) count() string {
	total := human.Count(len(m.domains), "domain", "domains")
	if shown := m.grid.Len(); shown != len(m.domains) {
		return human.Number(shown) + " of " + total
	}
	return total
}

// progress says what is waited for and since when, or how many gateways are
// of use.
func (m *Model) progress() string {
	asked, reached, waiting := 0, 0, 0
	for _, g := range m.gateways {
		switch {
		case g.asking:
			waiting++
		case g.verdict != nil:
			asked++
			if g.verdict.mark.reachable() {
				reached++
			}
		}
	}
	switch {
	case waiting > 0:
		return fmt.Sprintf("asking %s since %s", counted(waiting), m.round.started.Local().Format(time.TimeOnly))
	case asked == 1 && reached == 0:
		return "the gateway returned no shares"
	case asked > reached:
		return fmt.Sprintf("%d of %s returned shares", reached, counted(asked))
	}
	return ""
}

func counted(n int) string { return human.Count(n, "gateway", "gateways") }

// said are the notes that the panes and what is known of a domain leave out.
func (m *Model) said(width int) []string { return append(m.ended(width), m.rejected(width)...) }

// maxTrouble is how many lines explain the gateway under the cursor.
const maxTrouble = 3

// trouble says in full why the gateway under the cursor gives no shares.
func (m *Model) trouble(width int) []string {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	known := m.gateways[m.addresses[row]]
	if known == nil || known.trouble == nil {
		return nil
	}
	sign, _, style := known.verdict.mark.drawn(m.env.Theme)
	lines := screen.Wrapped(style, sign+" "+known.trouble.Sentence+" "+known.trouble.Hint, width)
	return lines[:min(len(lines), maxTrouble)]
}

// ended says that what is shown is of a session that can do nothing any more.
func (m *Model) ended(width int) []string {
	if !over(m.status()) {
		return nil
	}
	text := m.env.Theme.Glyphs.Warning + " The session has ended; this list is from before. " + m.signInKey()
	return screen.Wrapped(m.env.Theme.Warn, text, width)
}

// rejected says what was left out of the list.
func (m *Model) rejected(width int) []string {
	rejected := m.status().Claims.Rejected
	if len(rejected) == 0 {
		return nil
	}
	text := m.env.Theme.Glyphs.Warning + " left out, not a host name: " + safetext.Clip(hostname.Readable(rejected[0]), width)
	if more := len(rejected) - 1; more > 0 {
		text += ", and " + human.Number(more) + " more"
	}
	return []string{m.env.Theme.Warn.Render(safetext.Truncate(text, width))}
}

// nothing says why there is no domain, and what leads to one.
func (m *Model) nothing(width int) []string {
	text := "The access token names no usable domain."
	if !m.status().Claims.Present {
		text = "The access token has no readable claims, so the domains are unknown."
	}
	lines := screen.Wrapped(m.env.Theme.Muted, text+" "+m.signInKey(), width)
	return append(append(lines, ""), m.said(width)...)
}

// signInKey says how to sign in again.
func (m *Model) signInKey() string {
	return "Press " + m.env.Keys.Key("root.signin") + " to sign in again."
}
