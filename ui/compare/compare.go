// Package compare shows two results of the same kind beside each other, such as two device
// logins or two checks, and finds in what they differ.
package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/record"
	"gatehouse/ui/screen"
)

// Result is one of the two that are compared.
type Result struct {
	// Name tells it from the other: "2".
	Name string
	// Whose says whose it is, At when it came. Whose may come from outside.
	Whose string
	At    time.Time
	// Verdict says in a few words how it came out, safe for a terminal; Mark is the sign
	// before it and its style.
	Verdict string
	Mark    func(t *styles.Theme) (string, styles.Style)
	// JSON makes the whole result without secrets.
	JSON func() []byte
	// Copied is what of it is needed elsewhere, and What it is called.
	Copied, What string
}

// Identity says which differences any two results have, so that they tell nothing.
type Identity struct {
	Has func(p Pair) bool
	// Kinds are they in words: "names, ids, times".
	Kinds string
}

// Model is the screen that shows two results beside each other, or one above the other
// where there is no room for that.
type Model struct {
	screen.Base
	env           *screen.Env
	first, second Result
	isIdentity    Identity
	rows          []row
	cut           bool // there is more than is compared
	ready         bool
	all           bool  // also what is the same
	identity      bool  // also what any two results differ in
	shown         []int // of rows
	cursor        screen.Cursor

	screen.Explanation
	width, height int
	head, detail  []string // the lines above and below the rows
	each          int      // lines of a row
}

// row is a pair as people read it.
type row struct {
	Pair
	left, right string // as read, not safe; "" where there is none
	identity    bool
}

type comparedMsg struct {
	rows []row
	cut  bool
}

// New compares two results.
func New(env *screen.Env, first, second Result, identity Identity) *Model {
	return &Model{env: env, first: first, second: second, isIdentity: identity}
}

func (c *Model) Title() string { return "Compare" }

func (c *Model) Init() tea.Cmd {
	now := c.env.Now()
	return screen.Reply(c, func() tea.Msg {
		pairs, cut := diff(c.first.JSON(), c.second.JSON())
		return comparedMsg{asRows(pairs, c.isIdentity, now), cut}
	})
}

// asRows reads pairs for people.
func asRows(pairs []Pair, identity Identity, now time.Time) []row {
	rows := make([]row, len(pairs))
	for i, p := range pairs {
		rows[i] = row{Pair: p, left: record.Readable(p.Path, p.First, now), right: record.Readable(p.Path, p.Second, now)}
		rows[i].identity = p.differs() && identity.Has(p)
	}
	return rows
}

func (c *Model) Update(msg tea.Msg) tea.Cmd {
	if compared, ok := msg.(comparedMsg); ok {
		c.rows, c.cut, c.ready = compared.rows, compared.cut, true
		c.list()
	}
	return nil
}

func (c *Model) Actions() []screen.Action {
	identity := screen.Action{ID: "compare.identity", Run: c.toggleIdentity}
	switch _, of := c.differences(); {
	case c.identity:
		identity.Title = "fold identity"
	case of == 0:
		identity.Reason = "there is no difference of identity"
	}
	all := screen.Action{ID: "compare.all", Run: c.toggleAll}
	if c.all {
		all.Title = "differences"
	}
	duplicate := screen.Action{ID: "compare.copy", Run: c.copy}
	switch {
	case len(c.shown) == 0:
		duplicate.Reason = "there is no member here to copy"
	case c.selected().change == masked:
		duplicate.Reason = "it is masked"
	}
	list := []screen.Action{identity, all, duplicate}
	if len(c.shown) == 0 {
		return list
	}
	return append(list, c.cursor.Moves()...)
}

func (c *Model) copy() tea.Cmd {
	r := c.selected()
	text := fmt.Sprintf("%s\n%s: %s\n%s: %s\n", r.Path, c.first.Name, r.First, c.second.Name, r.Second)
	return c.env.Root.CopyDocument(text, safetext.Clip(r.Path, 60))
}

// selected is the row under the cursor, of which there must be one.
func (c *Model) selected() row { return c.rows[c.shown[c.cursor.Row()]] }

// differences counts those that matter, and those that any two results have.
func (c *Model) differences() (matter, identity int) {
	for _, r := range c.rows {
		switch {
		case r.identity:
			identity++
		case r.differs():
			matter++
		}
	}
	return matter, identity
}

// list chooses the rows that are shown; the cursor stays on its row.
func (c *Model) list() {
	selected := -1
	if c.cursor.Row() < len(c.shown) {
		selected = c.shown[c.cursor.Row()]
	}
	c.shown = nil
	at := 0
	for i, r := range c.rows {
		if i == selected {
			at = len(c.shown)
		}
		if c.all || r.differs() && (c.identity || !r.identity) {
			c.shown = append(c.shown, i)
		}
	}
	c.cursor.SetCount(len(c.shown))
	c.cursor.MoveTo(at)
}

func (c *Model) toggleAll() tea.Cmd {
	c.all = !c.all
	c.list()
	return nil
}

func (c *Model) toggleIdentity() tea.Cmd {
	c.identity = !c.identity
	c.list()
	return nil
}

func (c *Model) Click(_, y int) tea.Cmd {
	if y < len(c.head) || c.each == 0 {
		return nil
	}
	if row, ok := c.cursor.Hit((y - len(c.head)) / c.each); ok {
		c.cursor.MoveTo(row)
	}
	return nil
}

func (c *Model) Wheel(_, _, lines int) tea.Cmd {
	c.cursor.Move(lines)
	return nil
}

// sideBySide is the width from which two values stand beside each other.
const sideBySide = 70

func (c *Model) Layout(width, height int) {
	c.width, c.height, c.detail, c.each = width, height, nil, 1
	if width < sideBySide {
		c.each = 3
	}
	c.head = c.headline(width)
	if len(c.shown) > 0 && c.each == 1 && !c.Beside {
		c.detail = c.inFull(width)
	}
	if height < len(c.head)+len(c.detail)+6 {
		c.detail = nil
	}
	c.cursor.Layout(max((height-len(c.head)-len(c.detail))/c.each, 1))
}

// Pane implements [screen.Paned]: how much differs.
func (c *Model) Pane() screen.Pane {
	pane := screen.Pane{Title: c.summary(c.env.Theme)}
	if _, identity := c.differences(); identity > 0 {
		pane.Note = human.Number(identity) + " of identity"
	}
	if len(c.shown) > 0 {
		pane.Foot = fmt.Sprintf("%d of %d", c.cursor.Row()+1, len(c.shown))
	}
	return pane
}

// Side implements [screen.Paned]: the row under the cursor, as both results have it.
func (c *Model) Side(width, height int) (screen.Pane, string) {
	if len(c.shown) == 0 {
		return screen.Pane{Title: "Compared"}, strings.Join([]string{
			c.whose(c.first, width), "", c.whose(c.second, width),
		}, "\n")
	}
	r, t := c.selected(), c.env.Theme
	lines := []string{c.changeStyle(r.change).Render(r.change.sign() + " " + r.change.word())}
	for _, side := range []struct {
		of   Result
		read string
		raw  string
	}{{c.first, r.left, r.First}, {c.second, r.right, r.Second}} {
		lines = append(lines, "", c.whose(side.of, width))
		text := cmp.Or(side.read, "not there")
		lines = append(lines, strings.Split(screen.Wrap(safetext.Clip(text, height/3*width), width), "\n")...)
		if side.raw != "" && side.raw != side.read {
			lines = append(lines, t.Muted.Render(safetext.Clip(side.raw, width)))
		}
	}
	return screen.Pane{Title: tail(r.Path, width)}, strings.Join(lines, "\n")
}

func (c *Model) View() string {
	return screen.Box(strings.Join(c.lines(c.env.Theme), "\n"), c.width, c.height)
}

func (c *Model) lines(t *styles.Theme) []string {
	lines := slices.Clone(c.head)
	if c.ready && len(c.shown) == 0 {
		return append(lines, "", t.Muted.Render(screen.Wrap(" "+c.nothing(), c.width)))
	}
	for at := c.cursor.Offset(); at < c.cursor.End(); at++ {
		r := c.rows[c.shown[at]]
		drawn := []string{c.beside(r, c.width)}
		if c.each > 1 {
			drawn = c.stacked(r, c.width)
		}
		for _, line := range drawn {
			lines = append(lines, c.dress(at, line))
		}
	}
	for len(c.detail) > 0 && len(lines) < c.height-len(c.detail) {
		lines = append(lines, "")
	}
	return append(lines, c.detail...)
}

// nothing says that no difference is shown, and what there is.
func (c *Model) nothing() string {
	if _, identity := c.differences(); identity > 0 {
		return "Nothing that matters differs. Press " + c.env.Keys.Key("compare.identity") + " to see the differences of identity."
	}
	return "No differences. Press " + c.env.Keys.Key("compare.all") + " to see all."
}

// dress puts the cursor before a line, or leaves room for it.
func (c *Model) dress(at int, line string) string {
	if at == c.cursor.Row() {
		return screen.CursorRow(c.env.Theme, line, c.width)
	}
	return screen.Cut(" "+line, c.width)
}

// headline says whose results are compared, and how they came out.
func (c *Model) headline(width int) []string {
	var lines []string
	t := c.env.Theme
	for i, r := range []Result{c.first, c.second} {
		mark, style := r.Mark(t)
		text := t.Muted.Render(fmt.Sprintf(" %d ", i+1)) + t.Strong.Render(safetext.Clip(r.Whose, width/2)) + "  " + style.Render(mark+" "+r.Verdict)
		lines = append(lines, screen.Sides(text, t.Muted.Render(r.At.Local().Format(time.TimeOnly)), width-1))
	}
	if path, value := columns(width); c.each == 1 {
		lines = append(lines, t.Muted.Render(safetext.Pad("", path+4)+safetext.Pad("1", value+1)+"2"))
	}
	return lines
}

func (c *Model) summary(t *styles.Theme) string {
	if !c.ready {
		return t.Accent.Render("comparing" + t.Glyphs.More)
	}
	matter, _ := c.differences()
	text := t.Strong.Render(mattering(matter))
	if c.cut {
		text += "  " + t.Warn.Render(t.Glyphs.Warning+" "+onlyBeginning)
	}
	return text
}

// mattering says how many differences matter.
func mattering(count int) string {
	return human.Count(count, "difference that matters", "differences that matter")
}

// onlyBeginning is said where a result is longer than what is compared.
const onlyBeginning = "only the beginning is compared"

// whose says whose a result is, and when it came.
func (c *Model) whose(r Result, width int) string {
	when := " " + r.At.Local().Format(time.TimeOnly)
	who := safetext.Clip(r.Whose, max(width-len(when), 0))
	return c.env.Theme.Strong.Render(who) + c.env.Theme.Muted.Render(when)
}

// columns are the cells of the path and of each value of a row.
func columns(width int) (path, value int) {
	path = (width - 6) * 2 / 5
	return path, (width - 6 - path) / 2
}

func padded(drawn string, width int) string {
	return drawn + strings.Repeat(" ", max(width-screen.Cells(drawn), 0))
}

// beside is a row on one line: how it differs, where, and both values.
func (c *Model) beside(r row, width int) string {
	path, value := columns(width)
	t := c.env.Theme
	return c.signed(r) + " " + t.Muted.Render(safetext.Pad(tail(r.Path, path), path)) + " " +
		padded(c.value(r, r.left, value), value) + " " + c.value(r, r.right, value)
}

// stacked is a row on three lines.
func (c *Model) stacked(r row, width int) []string {
	t := c.env.Theme
	return []string{
		c.signed(r) + " " + t.Muted.Render(tail(r.Path, width-4)),
		t.Muted.Render("  1 ") + c.value(r, r.left, width-5),
		t.Muted.Render("  2 ") + c.value(r, r.right, width-5),
	}
}

// signed is the sign of how a row differs.
func (c *Model) signed(r row) string {
	style := c.changeStyle(r.change)
	return style.Render(r.change.sign())
}

func (c *Model) changeStyle(change change) styles.Style {
	t := c.env.Theme
	return [...]styles.Style{same: t.Muted, changed: t.Warn, onlyFirst: t.Bad, onlySecond: t.Good, masked: t.Muted}[change]
}

// inFull is the row under the cursor with as much of its values as fits, as they were
// sent.
func (c *Model) inFull(width int) []string {
	r, t := c.selected(), c.env.Theme
	style := c.changeStyle(r.change)
	side := func(name, raw string) string {
		return t.Muted.Render(name) + screen.Cut(cmp.Or(safetext.Clip(raw, max(width-7, 0)), t.Muted.Render("not there")), max(width-7, 0))
	}
	return []string{
		" " + screen.Section(t, safetext.Clip(r.Path, max(width-14, 1)), max(width-1, 0)),
		" " + style.Render(r.change.sign()+" "+r.change.word()),
		side(" left  ", r.First),
		side(" right ", r.Second),
	}
}

// value is one side of a row; a side that has none says so.
func (c *Model) value(r row, text string, width int) string {
	t := c.env.Theme
	switch {
	case text == "":
		return t.Muted.Render(safetext.Truncate("not there", max(width, 0)))
	case r.differs():
		return safetext.Clip(text, max(width, 0))
	}
	return t.Muted.Render(safetext.Clip(text, max(width, 0)))
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
