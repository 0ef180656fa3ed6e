package device

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// comparison shows two results beside each other, or one above the other where
// there is no room for that.
type comparison struct {
	first, second *entry
	pairs         []pair
	cut           bool // there is more than is compared
	ready         bool
	all           bool  // also what is the same
	shown         []int // of pairs
	at, top, page int
	above, each   int // lines above the pairs and of one of them, as last drawn
}

type comparedMsg struct {
	comparison *comparison
	pairs      []pair
	cut        bool
}

// compareThis compares the result that is shown with the only other one, or
// lets the person pick it.
func (m *Model) compareThis() tea.Cmd {
	if entries := m.history.entries; len(entries) == 2 {
		return m.compare([]*entry{entries[1], entries[0]})
	}
	shown := m.result.entry
	m.showPast()
	m.past.picked = []*entry{shown}
	return nil
}

func (m *Model) compare(two []*entry) tea.Cmd {
	m.mask()
	current := &comparison{first: two[0], second: two[1]}
	m.comparison = current
	return screen.Reply(m, func() tea.Msg {
		pairs, cut := diff(current.first.answer.Raw, current.second.answer.Raw)
		return comparedMsg{current, pairs, cut}
	})
}

func (m *Model) compared(msg comparedMsg) {
	if msg.comparison == m.comparison {
		m.comparison.pairs, m.comparison.cut, m.comparison.ready = msg.pairs, msg.cut, true
		m.comparison.list()
	}
}

func (m *Model) closeComparison() tea.Cmd {
	m.comparison = nil
	return nil
}

// list chooses the pairs that are shown; the cursor stays on its pair.
func (c *comparison) list() {
	selected := -1
	if c.at < len(c.shown) {
		selected = c.shown[c.at]
	}
	c.shown, c.at = nil, 0
	for i, p := range c.pairs {
		if i == selected {
			c.at = len(c.shown)
		}
		if c.all || p.change != same && p.change != masked {
			c.shown = append(c.shown, i)
		}
	}
	c.move(0)
}

// click puts the cursor on the pair at a line.
func (c *comparison) click(y int) {
	if c.each == 0 || y < c.above {
		return
	}
	if row := (y - c.above) / c.each; row < c.page && c.top+row < len(c.shown) {
		c.at = c.top + row
	}
}

func (c *comparison) move(by int) { c.at = max(0, min(c.at+by, len(c.shown)-1)) }

func (c *comparison) toggle() {
	c.all = !c.all
	c.list()
}

func (c *comparison) actions(m *Model) []screen.Action {
	do := func(move func()) func() tea.Cmd {
		return func() tea.Cmd {
			move()
			return nil
		}
	}
	by := func(n int) func() tea.Cmd { return do(func() { c.move(n) }) }
	all := screen.Action{ID: "compare.all", Run: do(c.toggle)}
	if c.all {
		all.Title = "differences"
	}
	duplicate := screen.Action{ID: "compare.copy", Run: func() tea.Cmd { return c.copy(m) }}
	if len(c.shown) == 0 {
		duplicate.Reason = "there is no member here to copy"
	}
	return []screen.Action{
		all, duplicate,
		{ID: "compare.close", Run: m.closeComparison},
		{ID: "compare.down", Run: by(1)},
		{ID: "compare.up", Run: by(-1)},
		{ID: "compare.pagedown", Run: by(max(c.page, 1))},
		{ID: "compare.pageup", Run: by(-max(c.page, 1))},
		{ID: "compare.first", Run: by(-len(c.shown))},
		{ID: "compare.last", Run: by(len(c.shown))},
	}
}

func (c *comparison) copy(m *Model) tea.Cmd {
	p := c.pairs[c.shown[c.at]]
	text := fmt.Sprintf("%s\n%d: %s\n%d: %s\n", p.path, c.first.number, p.first, c.second.number, p.second)
	return m.env.Root.Copy(text, safetext.Clip(p.path, 60))
}

// sideBySide is the width from which two values stand beside each other.
const sideBySide = 70

func (c *comparison) view(env *screen.Env, width, height int) string {
	t := env.Theme
	lines := c.head(t, width)
	if !c.ready {
		return strings.Join(append(lines, "", t.Accent.Render("comparing"+t.Glyphs.More)), "\n")
	}
	if len(c.shown) == 0 {
		text := "Nothing differs in what is kept of them. Press " + env.Keys.Key("compare.all") + " to see all."
		return strings.Join(append(lines, "", t.Muted.Render(safetext.Truncate(text, width))), "\n")
	}
	c.above, c.each = len(lines), 1
	if width < sideBySide {
		c.each = 3
	}
	detail := c.detail(t, width)
	if height < len(lines)+len(detail)+6 || c.each > 1 {
		detail = nil
	}
	c.page = max((height-len(lines)-len(detail))/c.each, 1)
	c.top = max(c.at-c.page+1, min(c.top, c.at))
	c.top = max(0, min(c.top, len(c.shown)-c.page))
	for position := c.top; position < min(c.top+c.page, len(c.shown)); position++ {
		p := c.pairs[c.shown[position]]
		drawn := c.beside(p, width)
		if c.each > 1 {
			drawn = c.stacked(p, width)
		}
		for _, line := range drawn {
			lines = append(lines, c.dress(t, p, position, line, width))
		}
	}
	for len(detail) > 0 && len(lines) < height-len(detail) {
		lines = append(lines, "")
	}
	return strings.Join(append(lines, detail...), "\n")
}

func (c *comparison) dress(t *styles.Theme, p pair, position int, line string, width int) string {
	switch {
	case position == c.at:
		return t.Selected.Render(safetext.Fit(t.Glyphs.Cursor+line, width))
	case p.change == same, p.change == masked:
		return t.Muted.Render(safetext.Truncate(" "+line, width))
	}
	return safetext.Truncate(" "+line, width)
}

// head says which two results are compared and how many members differ.
func (c *comparison) head(t *styles.Theme, width int) []string {
	title := fmt.Sprintf("1: %s   2: %s", c.first.name(), c.second.name())
	counts := map[change]int{}
	for _, p := range c.pairs {
		counts[p.change]++
	}
	parts := []string{}
	for _, kind := range []change{changed, onlyFirst, onlySecond, masked, same} {
		if counts[kind] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d %s", kind.sign(), counts[kind], kind.word()))
		}
	}
	summary := strings.Join(parts, "  ")
	if c.cut {
		summary += "  " + t.Glyphs.Warning + " only the beginning is compared"
	}
	return []string{t.Strong.Render(safetext.Clip(title, width)), t.Muted.Render(safetext.Truncate(summary, width))}
}

// name tells a result from the others of the run.
func (e *entry) name() string { return fmt.Sprintf("result %d (%s)", e.number, e.code()) }

func (e *entry) code() string { return cmp.Or(e.answer.ErrorCode, "no code") }

// beside is a pair on one line: how it differs, where, and both values.
func (c *comparison) beside(p pair, width int) []string {
	const mark = 9
	path := (width - mark - 4) / 3
	value := (width - mark - 4 - path) / 2
	return []string{safetext.Pad(p.change.sign()+" "+p.change.word(), mark) + " " +
		safetext.Pad(tail(p.path, path), path) + " " +
		safetext.Pad(c.value(p.first, value), value) + " " + c.value(p.second, value)}
}

// stacked is a pair on three lines.
func (c *comparison) stacked(p pair, width int) []string {
	head := p.change.sign() + " " + p.change.word() + " "
	return []string{
		head + tail(p.path, width-safetext.Width(head)-1),
		"  1 " + c.value(p.first, width-5),
		"  2 " + c.value(p.second, width-5),
	}
}

// detail shows the pair under the cursor with as much of its values as fits.
func (c *comparison) detail(t *styles.Theme, width int) []string {
	p := c.pairs[c.shown[c.at]]
	return []string{
		t.Faint.Render(strings.Repeat("─", width)),
		t.Strong.Render(safetext.Clip(p.path, width)),
		"1 " + c.value(p.first, width-2),
		"2 " + c.value(p.second, width-2),
	}
}

// value is one side of a pair; a side that has none says so.
func (c *comparison) value(raw string, width int) string {
	if raw == "" {
		return safetext.Truncate("(not there)", max(width, 0))
	}
	return safetext.Clip(raw, max(width, 0))
}

// tail shortens a path at its beginning, for its end tells more.
func tail(path string, width int) string {
	path = safetext.Clip(path, 1000)
	for width > 0 && safetext.Width(path) > width {
		_, rest, found := strings.Cut(strings.TrimPrefix(path, "…"), ".")
		if !found {
			return safetext.Truncate(path, width)
		}
		path = "…" + rest
	}
	return safetext.Truncate(path, max(width, 0))
}
