package signin

import (
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// tipHead is how many lines stand above the accounts to try, and tipGap how many cells
// between two columns of them.
const tipHead, tipGap = 2, 2

// tips are the accounts that can be tried, in two columns where both fit: the lines, and
// how wide each column is.
func (m *Model) tips(width int) (lines []string, columns []int) {
	if len(m.options.Tips) == 0 {
		return nil, nil
	}
	t := m.env.Theme
	table, columns := m.tipTable(2)
	if columns[0]+columns[1] > width {
		table, columns = m.tipTable(1)
		columns[0] = min(columns[0], width)
	}
	heading := t.Strong.Render("Demo accounts") + t.Muted.Render("  password demo; ") + t.Key.Render(m.env.Keys.Key("signin.account")) + t.Muted.Render(" or a click fills one in")
	lines = append(lines, screen.Cut("  "+heading, width), "")
	for _, row := range table {
		lines = append(lines, screen.Cut(screen.Beside(row, columns), width))
	}
	return lines, columns
}

// tipTable puts the accounts into columns, the first ones into the first column, and
// measures these.
func (m *Model) tipTable(columns int) (table [][]string, widths []int) {
	t, tips, names := m.env.Theme, m.options.Tips, 0
	for _, tip := range tips {
		names = max(names, safetext.Width(tip.name()))
	}
	rows := tipRows(len(tips), columns)
	table, widths = make([][]string, rows), make([]int, columns)
	for i, tip := range tips {
		widths[i/rows] = max(widths[i/rows], len("  ")+names+len("  ")+safetext.Width(tip.Shows)+tipGap)
	}
	for i, tip := range tips {
		name, shows := " "+t.Key.Render(safetext.Pad(tip.name(), names))+"  ", t.Muted
		if i == m.chosen() {
			shows = t.Text
		}
		text := name + shows.Render(tip.Shows)
		if i == m.chosen() {
			text = screen.CursorRow(t, text, widths[i/rows]-tipGap)
		} else {
			text = " " + text
		}
		table[i%rows] = append(table[i%rows], text)
	}
	return table, widths
}

// tipRows is how many lines so many accounts take in columns.
func tipRows(tips, columns int) int { return (tips + columns - 1) / columns }

// tipAt is the account at a cell of the last Layout, -1 where there is none.
func (m *Model) tipAt(x, y int) int {
	if len(m.tipColumns) == 0 {
		return -1
	}
	x, y = x-m.tipsAt.x, y-m.tipsAt.y
	rows := tipRows(len(m.options.Tips), len(m.tipColumns))
	if x < 0 || y < 0 || y >= rows {
		return -1
	}
	for i, width := range m.tipColumns {
		if at := i*rows + y; x < width && at < len(m.options.Tips) {
			return at
		}
		x -= width
	}
	return -1
}

// wordmark is the name of the program in large letters, and what it is for. It is drawn
// again for another theme alone.
func (m *Model) wordmark() []string {
	if t := m.env.Theme; m.drawn == nil || m.drawnFor != t.Options {
		m.drawn, m.drawnFor = screen.Wordmark(t), t.Options
	}
	return m.drawn
}
