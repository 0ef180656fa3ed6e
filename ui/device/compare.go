package device

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/tidwall/gjson"

	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// comparison shows two results beside each other, or one above the other where
// there is no room for that.
type comparison struct {
	env           *screen.Env
	first, second *entry
	pairs         []pair
	cut           bool // there is more than is compared
	ready         bool
	all           bool  // also what is the same
	shown         []int // of pairs
	cursor        screen.Cursor

	width, height int
	head, detail  []string // the lines above and below the pairs
	each          int      // lines of a pair
}

type comparedMsg struct {
	pairs []pair
	cut   bool
}

func newComparison(env *screen.Env, first, second *entry) *comparison {
	return &comparison{env: env, first: first, second: second}
}

// Title implements [screen.Screen].
func (c *comparison) Title() string { return "Compare" }

// Init implements [screen.Screen].
func (c *comparison) Init() tea.Cmd {
	return screen.Reply(c, func() tea.Msg {
		pairs, cut := diff(c.first.answer.Raw, c.second.answer.Raw)
		return comparedMsg{pairs, cut}
	})
}

// Typing implements [screen.Screen].
func (c *comparison) Typing() bool { return false }

// Close implements [screen.Screen].
func (c *comparison) Close() {}

// Update implements [screen.Screen].
func (c *comparison) Update(msg tea.Msg) tea.Cmd {
	if compared, ok := msg.(comparedMsg); ok {
		c.pairs, c.cut, c.ready = compared.pairs, compared.cut, true
		c.list()
	}
	return nil
}

// Actions implements [screen.Screen].
func (c *comparison) Actions() []screen.Action {
	all := screen.Action{ID: "compare.all", Run: c.toggle}
	if c.all {
		all.Title = "differences"
	}
	duplicate := screen.Action{ID: "compare.copy", Run: c.copy}
	if len(c.shown) == 0 {
		duplicate.Reason = "there is no member here to copy"
	}
	back := screen.Action{ID: "compare.close", Run: func() tea.Cmd { return c.env.Root.Pop(c) }}
	return append([]screen.Action{all, duplicate, back}, c.cursor.Moves("compare")...)
}

func (c *comparison) copy() tea.Cmd {
	p := c.selected()
	text := fmt.Sprintf("%s\n%d: %s\n%d: %s\n", p.path, c.first.number, p.first, c.second.number, p.second)
	return c.env.Root.CopyDocument(text, safetext.Clip(p.path, 60))
}

// selected is the pair under the cursor, of which there must be one.
func (c *comparison) selected() pair { return c.pairs[c.shown[c.cursor.Row()]] }

// list chooses the pairs that are shown; the cursor stays on its pair.
func (c *comparison) list() {
	selected := -1
	if c.cursor.Row() < len(c.shown) {
		selected = c.shown[c.cursor.Row()]
	}
	c.shown = nil
	row := 0
	for i, p := range c.pairs {
		if i == selected {
			row = len(c.shown)
		}
		if c.all || p.change != same && p.change != masked {
			c.shown = append(c.shown, i)
		}
	}
	c.cursor.SetCount(len(c.shown))
	c.cursor.MoveTo(row)
}

func (c *comparison) toggle() tea.Cmd {
	c.all = !c.all
	c.list()
	return nil
}

// Click implements [screen.MouseHandler].
func (c *comparison) Click(_, y int) tea.Cmd {
	if y < len(c.head) || c.each == 0 {
		return nil
	}
	if row, ok := c.cursor.Hit((y - len(c.head)) / c.each); ok {
		c.cursor.MoveTo(row)
	}
	return nil
}

// Wheel implements [screen.MouseHandler].
func (c *comparison) Wheel(_, _, lines int) tea.Cmd {
	c.cursor.Move(lines)
	return nil
}

// sideBySide is the width from which two values stand beside each other.
const sideBySide = 70

// Layout implements [screen.Screen].
func (c *comparison) Layout(width, height int) {
	c.width, c.height, c.head, c.detail, c.each = width, height, c.headline(width), nil, 1
	if width < sideBySide {
		c.each = 3
	}
	if len(c.shown) > 0 && c.each == 1 {
		c.detail = c.inFull(width)
	}
	if height < len(c.head)+len(c.detail)+6 {
		c.detail = nil
	}
	c.cursor.Layout(max((height-len(c.head)-len(c.detail))/c.each, 1))
}

// View implements [screen.Screen].
func (c *comparison) View() string {
	return screen.Box(strings.Join(c.lines(c.env.Theme), "\n"), c.width, c.height)
}

func (c *comparison) lines(t *styles.Theme) []string {
	lines := append([]string{}, c.head...)
	if !c.ready {
		return append(lines, "", t.Accent.Render("comparing"+t.Glyphs.More))
	}
	if len(c.shown) == 0 {
		text := "Nothing differs in what is kept of them. Press " + c.env.Keys.Key("compare.all") + " to see all."
		return append(lines, "", t.Muted.Render(safetext.Truncate(text, c.width)))
	}
	for row := c.cursor.Offset(); row < c.cursor.End(); row++ {
		p := c.pairs[c.shown[row]]
		drawn := c.beside(p, c.width)
		if c.each > 1 {
			drawn = c.stacked(p, c.width)
		}
		for _, line := range drawn {
			lines = append(lines, c.dress(t, p, row, line, c.width))
		}
	}
	for len(c.detail) > 0 && len(lines) < c.height-len(c.detail) {
		lines = append(lines, "")
	}
	return append(lines, c.detail...)
}

func (c *comparison) dress(t *styles.Theme, p pair, row int, line string, width int) string {
	switch {
	case row == c.cursor.Row():
		return t.Selected.Render(safetext.Fit(t.Glyphs.Cursor+line, width))
	case p.change == same, p.change == masked:
		return t.Muted.Render(safetext.Truncate(" "+line, width))
	}
	return safetext.Truncate(" "+line, width)
}

// headline says which two results are compared and how many members differ.
func (c *comparison) headline(width int) []string {
	t := c.env.Theme
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

// inFull is the pair under the cursor with as much of its values as fits.
func (c *comparison) inFull(width int) []string {
	p, t := c.selected(), c.env.Theme
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

const (
	mostMembers = 20_000 // of a result that are compared
	mostDepth   = 64     // levels of a result that are taken apart
)

// change says how a member differs between two results.
type change uint8

const (
	same change = iota
	changed
	onlyFirst
	onlySecond
	masked // both have a secret there, which is not kept
)

// sign and word mark a change, whatever the colours.
func (c change) sign() string { return [...]string{"=", "~", "-", "+", "?"}[c] }

func (c change) word() string {
	return [...]string{"same", "changed", "only 1", "only 2", "masked"}[c]
}

// pair is one member of two results, by its path; the values are JSON as sent,
// "" where there is none.
type pair struct {
	path          string
	first, second string
	change        change
}

// member is one value of a result that holds no others.
type member struct{ path, value string }

// diff aligns two results by the paths of their members. They are in the order of the
// first; what only the second has stands behind the member that it follows there. Cut
// says that there is more than is compared.
func diff(first, second []byte) (pairs []pair, cut bool) {
	ones, cutFirst := members(first)
	twos, cutSecond := members(second)
	inFirst, inSecond := byPath(ones), byPath(twos)
	next := 0
	addSecond := func() {
		for ; next < len(twos); next++ {
			if _, ok := inFirst[twos[next].path]; ok {
				return
			}
			pairs = append(pairs, pair{twos[next].path, "", twos[next].value, onlySecond})
		}
	}
	for _, one := range ones {
		value, ok := inSecond[one.path]
		if ok {
			addSecond()
			next++ // past one that both have, in whatever order they have them
		}
		pairs = append(pairs, pairOf(one, value, ok))
	}
	addSecond()
	return pairs, cutFirst || cutSecond
}

func pairOf(one member, second string, inBoth bool) pair {
	p := pair{one.path, one.value, second, changed}
	switch {
	case !inBoth:
		p.change = onlyFirst
	case one.value == secret.QuotedMask && second == secret.QuotedMask:
		p.change = masked
	case one.value == second:
		p.change = same
	}
	return p
}

func byPath(list []member) map[string]string {
	values := make(map[string]string, len(list))
	for _, m := range list {
		values[m.path] = m.value
	}
	return values
}

// members lists the values of a result with their paths, such as
// "UserDomains[0].Domain.Url". A path that comes again is numbered.
func members(raw []byte) (list []member, cut bool) {
	w := walk{seen: map[string]int{}}
	w.value("", gjson.ParseBytes(raw), 0)
	return w.list, w.cut
}

type walk struct {
	list []member
	seen map[string]int
	cut  bool
}

func (w *walk) value(path string, v gjson.Result, depth int) {
	if !v.IsObject() && !v.IsArray() || depth == mostDepth {
		w.add(path, v.Raw)
		return
	}
	index := 0
	v.ForEach(func(key, child gjson.Result) bool {
		name := "[" + strconv.Itoa(index) + "]"
		if v.IsObject() {
			name = "." + key.String()
			if path == "" {
				name = name[1:]
			}
		}
		index++
		w.value(path+name, child, depth+1)
		return !w.cut
	})
	if index == 0 {
		w.add(path, v.Raw)
	}
}

func (w *walk) add(path, value string) {
	if len(w.list) == mostMembers {
		w.cut = true
		return
	}
	w.seen[path]++
	if times := w.seen[path]; times > 1 {
		path = fmt.Sprintf("%s (%d)", path, times)
	}
	w.list = append(w.list, member{path, value})
}
