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
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// leastPanes is the height from which on the list stands in a pane beside what is known of
// the domain under the cursor, and leastSession that from which on there is one of the
// session below it.
const leastPanes, leastSession = 12, 20

// leastRoomy is the height from which on the panes have free lines at their ends.
const leastRoomy = 28

// mostList is how wide the pane of the list is at most.
const mostList = 90

func (m *Model) Layout(width, height int) {
	if narrow := width < narrowWidth; narrow != m.names.narrow {
		m.names.narrow = narrow
		m.grid.SetSource(m.names, m.shown)
		m.grid.SetMatch(m.filter.Words())
	}
	m.left, m.above, m.listWidth = 0, 1, width
	if width < screen.PaneWidth || height < leastPanes {
		m.frame = screen.Box(m.alone(width, height), width, height)
		return
	}
	m.left, m.listWidth = 1, min(width/2+4, mostList)
	side := width - m.listWidth
	m.frame = screen.Beside([]string{m.listPane(height), m.sidePanes(side, height)}, []int{m.listWidth, side})
}

func (m *Model) View() string { return m.frame }

func (m *Model) Rest() {
	m.frame, m.domainFrame, m.sessionFrame = "", "", ""
	m.grid.Rest()
}

// alone is the list without panes, and below it what is known of the domain under the
// cursor as far as there is room.
func (m *Model) alone(width, height int) string {
	inner := max(width-2, 1)
	above := []string{}
	if m.filter.Visible() {
		m.filter.Layout(inner)
		above = indented([]string{m.filter.View()})
	}
	m.above = 1 + len(above)
	rows := max(height-m.above, 0)
	if len(m.names.domains) == 0 {
		return strings.Join(indented(strings.Split(m.title()+"\n\n"+m.nothing(inner), "\n")), "\n")
	}
	below := m.known(inner, rows-m.grid.Len()-2)
	if below == nil {
		below = m.fitting(m.notes(inner), len(m.origin(inner)), rows)
	}
	below = indented(below)
	if len(below) > 0 {
		rows -= len(below) + 1
	}
	m.grid.Layout(width, rows)
	t := m.env.Theme
	head := screen.Sides(m.title()+t.Muted.Render(m.behind(m.progress())), t.Muted.Render(m.grid.Position()), inner)
	lines := append(append([]string{" " + head}, above...), m.grid.View())
	if len(below) > 0 {
		lines = append(append(lines, ""), below...)
	}
	return strings.Join(lines, "\n")
}

// known is what is known of the domain under the cursor and of the session, or of the
// domain alone, if there are so many lines for it.
func (m *Model) known(width, lines int) []string {
	name, ok := m.selected()
	if !ok {
		return nil
	}
	title := screen.Section(m.env.Theme, safetext.Clip(hostname.Readable(name), width), width)
	domain := append([]string{title}, m.details(width)...)
	domain = append(domain, m.said(width)...)
	whole := append(slices.Clone(domain), "", screen.Section(m.env.Theme, "Session", width))
	whole = append(whole, m.session(width)...)
	switch {
	case len(whole) <= lines:
		return whole
	case len(domain) <= lines:
		return domain
	}
	return nil
}

// listPane is the list in its pane.
func (m *Model) listPane(height int) string {
	pane := screen.Pane{Title: m.title(), Note: cmp.Or(m.progress(), m.refreshed())}
	width, rows := pane.Inner(m.listWidth, height)
	lines := []string{}
	if m.filter.Visible() {
		m.filter.Layout(width - 2)
		lines = indented([]string{m.filter.View()})
	}
	m.above = 1 + len(lines)
	if len(m.names.domains) == 0 {
		lines = append(lines, "", strings.Join(indented(strings.Split(m.nothing(width-1), "\n")), "\n"))
		return pane.Draw(m.env.Theme, strings.Join(lines, "\n"), m.listWidth, height)
	}
	rows -= len(lines)
	below := indented(m.said(width - 1))
	if len(below) > 0 && rows > len(below)+leastRows {
		rows -= len(below) + 1
	} else {
		below = nil
	}
	m.grid.Layout(width, rows)
	if m.grid.Len() >= rows {
		pane.Foot = m.grid.RowPosition()
	}
	lines = append(lines, m.grid.View())
	if len(below) > 0 {
		lines = append(append(lines, ""), below...)
	}
	return pane.Draw(m.env.Theme, strings.Join(lines, "\n"), m.listWidth, height)
}

// sidePanes are what is known of the domain under the cursor and, where there is room, of
// the session.
func (m *Model) sidePanes(width, height int) string {
	if height < leastSession {
		return m.domainPane(width, height, false)
	}
	lower := m.sessionPane(width, height >= leastRoomy)
	return m.domainPane(width, height-strings.Count(lower, "\n")-1, height >= leastRoomy) + "\n" + lower
}

// domainDrawing is all that the pane of a domain is drawn from.
type domainDrawing struct {
	name          string
	width, height int
	roomy         bool
	version       int
	theme         styles.Options
	user          string
}

// domainPane is what is known of the domain under the cursor in its pane. It is drawn
// again where something has changed.
func (m *Model) domainPane(width, height int, roomy bool) string {
	name, _ := m.selected()
	drawn := domainDrawing{name, width, height, roomy, m.version, m.env.Theme.Options, m.status().Username}
	if m.domainDrawn == drawn && m.domainFrame != "" {
		return m.domainFrame
	}
	title := safetext.Clip(hostname.Readable(name), width)
	if name != "" && name == m.names.primary {
		title = m.env.Theme.Strong.Render(title) + " " + m.env.Theme.Warn.Render(m.env.Theme.Glyphs.Primary)
	}
	pane := screen.Pane{Title: title, Padding: 1}
	inner, _ := pane.Inner(width, height)
	details := append(m.details(inner), m.hints(inner)...)
	if roomy {
		details = append([]string{""}, details...)
	}
	m.domainDrawn, m.domainFrame = drawn, pane.Draw(m.env.Theme, strings.Join(details, "\n"), width, height)
	return m.domainFrame
}

func (m *Model) ShowsTime() {}

// sessionDrawing is all that the pane of the session is drawn from.
type sessionDrawing struct {
	width     int
	roomy     bool
	theme     styles.Options
	state     session.State
	authority string
	left      string // of the token, as it is shown

	renewAt, signedInAt, refreshEndsAt time.Time
	renewable, saved                   bool
	store                              string
	due                                bool
}

// sessionPane is what is known of the session in its pane. A moving cursor does not draw
// it again.
func (m *Model) sessionPane(width int, roomy bool) string {
	s, now := m.status(), m.env.Now()
	drawn := sessionDrawing{
		width: width, roomy: roomy, theme: m.env.Theme.Options,
		state: s.State, authority: s.Authority, left: m.env.Left(s.ExpiresAt.Sub(now)),
		renewAt: s.RenewAt, signedInAt: s.SignedInAt, refreshEndsAt: s.RefreshEndsAt,
		renewable: s.Renewable, saved: s.Saved, store: s.Store, due: s.RenewAt.After(now),
	}
	if m.sessionDrawn == drawn && m.sessionFrame != "" {
		return m.sessionFrame
	}
	pane := screen.Pane{Title: "Session", Note: signin.AuthorityTitle(s.Authority), Padding: 1}
	inner, _ := pane.Inner(width, leastRoomy)
	lines := m.session(inner)
	if roomy {
		lines = append(append([]string{""}, lines...), "")
	}
	m.sessionDrawn, m.sessionFrame = drawn, pane.Draw(m.env.Theme, strings.Join(lines, "\n"), width, len(lines)+2)
	return m.sessionFrame
}

// indented puts lines as far from the side as the rows of the table are.
func indented(lines []string) []string { return screen.Indented(lines, 1) }

// leastRows is how many lines the table keeps, its titles included.
const leastRows = 3

// fitting are the notes for which there is room below the table, of height lines
// for both.
func (m *Model) fitting(notes []string, origin, height int) []string {
	notes = notes[:max(0, min(len(notes), height-leastRows-1))]
	if len(notes) == origin && m.grid.Len()+origin+2 > height {
		return nil // a domain is worth more than a word on the whole list
	}
	return notes
}

// title says how many domains there are.
func (m *Model) title() string {
	number, rest, _ := strings.Cut(m.count(), " ")
	return m.env.Theme.Strong.Render(number) + " " + m.env.Theme.Muted.Render(rest)
}

// behind puts a separator before a text that follows another one.
func (m *Model) behind(text string) string {
	if text == "" {
		return ""
	}
	return " " + m.env.Theme.Glyphs.Separator + " " + text
}

// refreshed says when the last answer came.
func (m *Model) refreshed() string {
	if m.answeredAt.IsZero() {
		return ""
	}
	return "refreshed " + m.answeredAt.Local().Format(time.TimeOnly)
}

func (m *Model) count() string {
	total := len(m.names.domains)
	switch shown := m.grid.Len(); {
	case shown != total:
		return fmt.Sprintf("%d of %d domains", shown, total)
	case total == 1:
		return "1 domain"
	}
	return fmt.Sprintf("%d domains", total)
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
			if g.verdict.mark == good || g.verdict.mark == slow {
				reached++
			}
		}
	}
	switch {
	case waiting > 0:
		return fmt.Sprintf("asking %s since %s", counted(waiting), m.round.started.Local().Format(time.TimeOnly))
	case asked == 1 && reached == 0:
		return "the gateway gives no shares"
	case asked > reached:
		return fmt.Sprintf("%d of %s give shares", reached, counted(asked))
	}
	return ""
}

func counted(n int) string { return human.Count(n, "gateway", "gateways") }

// notes are lines that say what the cells have no room for, what matters most
// first.
func (m *Model) notes(width int) []string {
	return append(append(m.trouble(width), m.ended(width)...), m.origin(width)...)
}

// said are the notes that the panes and what is known of a domain leave out.
func (m *Model) said(width int) []string { return append(m.ended(width), m.rejected(width)...) }

// mostTrouble is how many lines explain the gateway under the cursor.
const mostTrouble = 3

// trouble says in full why the gateway under the cursor gives no shares.
func (m *Model) trouble(width int) []string {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	known := m.gateways[m.names.addresses[row]]
	if known == nil || known.trouble == nil {
		return nil
	}
	text := known.verdict.mark.glyph(m.names.glyphs) + " " + known.trouble.Sentence + " " + known.trouble.Hint
	lines := strings.Split(screen.Wrap(text, width), "\n")
	lines = lines[:min(len(lines), mostTrouble)]
	style := known.verdict.mark.style(m.env.Theme)
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// ended says that what is shown is of a session that can do nothing any more.
func (m *Model) ended(width int) []string {
	if state := m.status().State; state != session.Ended && state != session.SignedOut {
		return nil
	}
	text := m.env.Theme.Glyphs.Warning + " The session has ended; this list is from before. " + m.signInKey()
	lines := strings.Split(screen.Wrap(text, width), "\n")
	for i, line := range lines {
		lines[i] = m.env.Theme.Warn.Render(line)
	}
	return lines
}

// mostRejected is how many names that were left out are shown.
const mostRejected = 3

// rejected says what was left out of the list.
func (m *Model) rejected(width int) []string {
	notes := []string{}
	note := func(text string) { notes = append(notes, m.env.Theme.Warn.Render(safetext.Truncate(text, width))) }
	rejected := m.status().Claims.Rejected
	for _, refused := range rejected[:min(len(rejected), mostRejected)] {
		note(fmt.Sprintf("%s left out, not a host name: %s", m.env.Theme.Glyphs.Warning, safetext.Clip(hostname.Readable(refused), width)))
	}
	if more := len(rejected) - mostRejected; more > 0 {
		note(fmt.Sprintf("  and %d more", more))
	}
	return notes
}

// origin says what the list is and what was left out of it.
func (m *Model) origin(width int) []string {
	notes, status := m.rejected(width), m.status()
	if !status.SignedInAt.IsZero() {
		text := "List from the sign-in at " + status.SignedInAt.Local().Format("2 Jan 15:04") + ". " + m.env.Keys.Key("root.signin") + " signs in again."
		notes = append(notes, m.env.Theme.Muted.Render(safetext.Truncate(text, width)))
	}
	return notes
}

func (m *Model) nothing(width int) string {
	text := "The access token names no usable domain."
	if !m.status().Claims.Present {
		text = "The access token has no readable claims, so the domains are unknown."
	}
	lines := []string{m.env.Theme.Muted.Render(screen.Wrap(text+" "+m.signInKey(), width)), ""}
	return strings.Join(append(lines, m.notes(width)...), "\n")
}

// signInKey says how to sign in again.
func (m *Model) signInKey() string {
	return "Press " + m.env.Keys.Key("root.signin") + " to sign in again."
}
