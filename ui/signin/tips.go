package signin

import (
	"strings"

	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// tipHead is how many lines stand above the accounts to try, the empty one included.
const tipHead = 3

// tips are the accounts that can be tried, in two columns where both fit.
func (m *Model) tips(width int) []string {
	list := m.options.Tips
	if len(list) == 0 {
		return nil
	}
	t, names, shows := m.env.Theme, 0, 0
	for _, tip := range list {
		names, shows = max(names, safetext.Width(tip.name())), max(shows, safetext.Width(tip.Shows))
	}
	columns := 2
	m.tipWidth = 2 + names + 2 + shows + 2
	if columns*m.tipWidth > width {
		columns = 1
	}
	m.tipRows = (len(list) + columns - 1) / columns
	m.tipsAt.x = max(width-columns*m.tipWidth, 0) / 2
	lines := make([]string, tipHead+m.tipRows)
	lines[1] = "  " + t.Strong.Render("Demo accounts") + t.Muted.Render("  password demo; ") + t.Key.Render(m.env.Keys.Key("signin.account")) + t.Muted.Render(" or a click fills one in")
	for i, tip := range list {
		text := " " + t.Key.Render(safetext.Pad(tip.name(), names)) + "  "
		if i == m.chosen() {
			text = screen.CursorRow(t, text+t.Text.Render(tip.Shows), m.tipWidth-2) + "  "
		} else {
			text = " " + text + t.Muted.Render(safetext.Pad(tip.Shows, shows+2))
		}
		lines[tipHead+i%m.tipRows] += text
	}
	return lines
}

// tipAt is the account at a cell of the last Draw, -1 where there is none.
func (m *Model) tipAt(x, y int) int {
	x, y = x-m.tipsAt.x, y-m.tipsAt.y
	if m.tipRows == 0 || x < 0 || y < 0 || y >= m.tipRows {
		return -1
	}
	at := x/m.tipWidth*m.tipRows + y
	if at >= len(m.options.Tips) {
		return -1
	}
	return at
}

// wordmark is the name of the program in large letters and what it is for, in the middle,
// with an empty line below. It is drawn again only for another theme.
func (m *Model) wordmark() []string {
	if t := m.env.Theme; m.drawn == nil || m.drawnFor != t.Options {
		m.drawn, m.drawnFor = screen.Wordmark(t), t.Options
	}
	lines := make([]string, len(m.drawn), len(m.drawn)+1)
	for i, line := range m.drawn {
		lines[i] = strings.Repeat(" ", max((m.width-screen.Cells(line))/2, 0)) + line
	}
	return append(lines, "")
}
