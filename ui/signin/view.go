package signin

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// minWordmark is the height from which on there is a wordmark.
const minWordmark = 17

// Draw puts the card in the middle, and where there is room the accounts to try below it and
// the wordmark above.
func (m *Model) Draw(width, height int) string {
	m.width, m.spots = width, nil
	m.SetNote("email", m.line())
	m.SetNote("password", "")
	m.layOutChoice(width)
	if !form.FitsAlone(width, height) {
		return m.DrawBelow(slices.Concat(m.reason(width-2), m.message(width-2)), width, height)
	}
	free := m.card.Free(width, height)
	tips, spots := m.tips(width)
	if len(tips) > max(free, 0) {
		tips, spots = nil, nil
		m.SetNote("password", m.env.Theme.Muted.Render("demo for all accounts; "+m.env.Keys.Key(screen.SignInAccount)+" fills one in"))
	}
	wordmark := m.wordmark()
	if height < minWordmark || len(wordmark) > free-len(tips) {
		wordmark = nil
	}
	authority := m.Value("authority")
	if authority == "" && len(m.options.Authorities) > 0 {
		authority = m.options.Authorities[0]
	}
	m.card.Note = session.AuthorityTitle(authority)
	lines, end := m.card.DrawAlone(width, height, wordmark, tips)
	for i := range spots {
		spots[i].Y += end
	}
	m.spots = spots
	return screen.Box(strings.Join(lines, "\n"), width, height)
}

// reason is why the person has to sign in.
func (m *Model) reason(width int) []string {
	if m.options.Reason == "" {
		return nil
	}
	return screen.Wrapped(m.env.Theme.Warn, m.options.Reason, width)
}

// message is what came of the last attempt, or what is under way.
func (m *Model) message(width int) []string {
	t := m.env.Theme
	switch {
	case m.Busy():
		text := t.Glyphs.Running + " signing in as " + safetext.Line(m.Value("email")) + t.Glyphs.More
		return []string{screen.Cut(t.Accent.Render(text), width)}
	case m.problem == nil:
		return nil
	}
	style, mark := t.Bad, t.Glyphs.Bad
	if m.problem.Kind == problem.Cancelled {
		style, mark = t.Muted, t.Glyphs.Skipped
	}
	text := strings.TrimSpace(m.problem.Sentence + " " + m.problem.Hint)
	lines := screen.Indented(strings.Split(screen.Wrap(text, width-2), "\n"), 2)
	lines[0] = style.Render(mark) + " " + strings.TrimPrefix(lines[0], "  ")
	return lines
}

// tipHead is how many lines stand above the accounts to try, the empty one included.
const tipHead = 3

// tips are the accounts that can be tried, in two columns where both fit, and where they stand.
func (m *Model) tips(width int) (lines []string, spots []screen.Spot) {
	list := m.listed
	if len(list) == 0 {
		return nil, nil
	}
	t, chosen, names, shows := m.env.Theme, m.lookup.tip, 0, 0
	for _, tip := range list {
		names, shows = max(names, safetext.Width(tip.Name())), max(shows, safetext.Width(tip.Shows))
	}
	columns, cells := 2, 2+names+2+shows+2
	if columns*cells > width {
		columns = 1
	}
	rows, left := (len(list)+columns-1)/columns, max(width-columns*cells, 0)/2
	indent := strings.Repeat(" ", left)
	lines, spots = make([]string, tipHead+rows), make([]screen.Spot, len(list))
	lines[1] = indent + "  " + t.Strong.Render("Demo accounts") + t.Muted.Render("  password demo; ") + t.Key.Render(m.env.Keys.Key(screen.SignInAccount)) + t.Muted.Render(" or a click fills one in")
	for i, tip := range list {
		x, y := i/rows*cells, tipHead+i%rows
		text := " " + t.Key.Render(safetext.Pad(tip.Name(), names)) + "  "
		if i == chosen {
			text = screen.CursorRow(t, text+t.Text.Render(tip.Shows), cells-2) + "  "
		} else {
			text = " " + text + t.Muted.Render(safetext.Pad(tip.Shows, shows+2))
		}
		lines[y] = cmp.Or(lines[y], indent) + text
		spots[i] = screen.Spot{X: left + x, Y: y, Width: cells, Run: func() tea.Cmd { return m.fill(i) }}
	}
	return lines, spots
}

// wordmark is the name of the program in large letters and what it is for, in the middle,
// with an empty line below. It is drawn again only for another theme or width.
func (m *Model) wordmark() []string {
	if t := m.env.Theme; m.drawnWidth != m.width || m.drawnFor != t.Options {
		m.drawn, m.drawnFor, m.drawnWidth = append(screen.Wordmark(t), ""), t.Options, m.width
		for i, line := range m.drawn[:len(m.drawn)-1] {
			m.drawn[i] = strings.Repeat(" ", max((m.width-screen.Cells(line))/2, 0)) + line
		}
	}
	return m.drawn
}

// layOutChoice says for which key the session can be kept, as far as there is room.
func (m *Model) layOutChoice(width int) {
	key := m.options.Key
	if key == nil {
		return
	}
	room := m.card.Inner(width) - len("[ ] ")
	label, name := "Keep me signed in with this "+key.Kind(), safetext.Truncate(key.Name(), room)
	if safetext.Width(label) > room {
		label = "Keep me signed in"
	}
	m.SetLabel("keep", label, strings.TrimSpace(name))
}

// keeps reports whether the session is to be kept.
func (m *Model) keeps() bool { return m.options.Key != nil && m.Value("keep") == form.On }
