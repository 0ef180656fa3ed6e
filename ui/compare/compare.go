// Package compare shows two results of the same kind beside each other, such as two device
// logins or two checks, and finds the differences.
package compare

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
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
	Mark    func(t *styles.Theme) (string, *styles.Style)
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

// Model is the screen that shows two results beside each other.
type Model struct {
	screen.Base
	env           *screen.Env
	first, second Result
	isIdentity    Identity
	rows          []row
	cut           bool // there is more than is compared
	ready         bool
	all           bool    // also what is the same
	identity      bool    // also what any two results differ in
	shown         []int32 // of rows
	grid          *grid.Model

	member, value int // cells of the paths, and of either value
	head          int // lines above the rows
}

// row is a pair as people read it.
type row struct {
	Pair
	left, right string // as read, not safe; "" where there is none
	identity    bool
}

// New compares two results.
func New(env *screen.Env, first, second Result, identity Identity) *Model {
	c := &Model{env: env, first: first, second: second, isIdentity: identity}
	c.grid = grid.New(env.Theme, table{c})
	c.grid.RowsOnly = true
	return c
}

func (c *Model) Title() string { return "Compare" }

func (c *Model) Init() tea.Cmd {
	now, cut := c.env.Now(), false
	compare := func() (rows []row) {
		var pairs []Pair
		pairs, cut = diff(c.first.JSON(), c.second.JSON())
		for _, p := range pairs {
			left, right := record.Readable(p.Path, p.First, now), record.Readable(p.Path, p.Second, now)
			rows = append(rows, row{p, left, right, p.differs() && c.isIdentity.Has(p)})
		}
		return rows
	}
	return screen.Reply(c, compare, func(rows []row) tea.Cmd {
		c.rows, c.cut, c.ready = rows, cut, true
		c.grid.SetSource(table{c}, nil)
		c.list()
		return nil
	})
}

func (c *Model) Actions() []screen.Action {
	toggle := func(which *bool) func() tea.Cmd {
		return screen.Do(func() {
			*which = !*which
			c.list()
		})
	}
	r := c.selected()
	_, expected := c.differences()
	duplicate := screen.Action{ID: screen.CompareCopy, Reason: screen.If(r == nil, "there is no member here to copy"), Run: func() tea.Cmd {
		text := fmt.Sprintf("%s\n%s: %s\n%s: %s\n", r.Path, c.first.Name, r.First, c.second.Name, r.Second)
		return c.env.Root.CopyDocument(text, safetext.Clip(r.Path, 60))
	}}
	if r != nil && r.change == masked {
		duplicate.Reason = "it is masked"
	}
	return append([]screen.Action{
		{
			ID: screen.CompareIdentity, Title: screen.If(c.identity, "hide expected"), Run: toggle(&c.identity),
			Reason: screen.If(!c.identity && expected == 0, "there are no expected differences"),
		},
		{ID: screen.CompareAll, Title: screen.If(c.all, "differences"), Run: toggle(&c.all)},
		duplicate,
	}, c.grid.Actions()...)
}

// selected is the row under the cursor, nil where there is none.
func (c *Model) selected() *row {
	at, ok := c.grid.Selected()
	if !ok {
		return nil
	}
	return &c.rows[at]
}

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

// list chooses the rows that are shown.
func (c *Model) list() {
	c.shown = []int32{}
	for i, r := range c.rows {
		if c.all || r.differs() && (c.identity || !r.identity) {
			c.shown = append(c.shown, int32(i))
		}
	}
	c.grid.SetRows(c.shown)
}

func (c *Model) Click(x, y int) tea.Cmd {
	c.grid.Click(x, y-c.head)
	return nil
}

func (c *Model) Wheel(lines int) { c.grid.Wheel(lines) }

func (c *Model) Draw(width, height int) string {
	lines, below := c.headline(width), []string{}
	c.head = len(lines)
	if r := c.selected(); r != nil && !c.Beside {
		below = c.inFull(r, width)
	}
	if height < len(lines)+len(below)+4 {
		below = nil
	}
	room := max(width-len(" ~ ")-4*2, 3) // the sign, and what is between the columns
	member := max(room*2/5, 1)
	if value := max((room-member)/2, 1); member != c.member || value != c.value {
		c.member, c.value = member, value
		c.grid.SetSource(table{c}, c.shown)
	}
	rows := c.grid.Draw(width, max(height-len(lines)-len(below), 1))
	if c.ready && len(c.shown) == 0 {
		nothing := "No relevant differences. Press " + c.env.Keys.Key(screen.CompareAll) + " to see all values."
		rows = "\n" + c.env.Theme.Muted.Render(screen.Wrap(" "+nothing, width))
	}
	return screen.Box(strings.Join(append(append(lines, rows), below...), "\n"), width, height)
}

// Pane shows how much differs.
func (c *Model) Pane() screen.Pane {
	pane := screen.Pane{Title: c.summary(c.env.Theme)}
	if _, identity := c.differences(); identity > 0 {
		pane.Note = human.Number(identity) + " expected"
		if !c.identity {
			pane.Note += screen.If(identity == 1, " one hidden") + screen.If(identity > 1, " ones hidden")
		}
	}
	if len(c.shown) > 0 {
		pane.Foot = c.grid.RowPosition()
	}
	return pane
}

// Side shows the row under the cursor, as both results have it.
func (c *Model) Side(width, height int) (screen.Pane, string) {
	r, t := c.selected(), c.env.Theme
	if r == nil {
		return screen.Pane{Title: "Compared"}, strings.Join([]string{
			c.whose(c.first, width), "", c.whose(c.second, width),
		}, "\n")
	}
	lines := []string{c.said(r)}
	for _, side := range []struct {
		of   Result
		read string
		raw  string
	}{{c.first, r.left, r.First}, {c.second, r.right, r.Second}} {
		lines = append(lines, "", c.whose(side.of, width))
		text := cmp.Or(side.read, notThere)
		lines = append(lines, strings.Split(screen.Wrap(safetext.Clip(text, height/3*width), width), "\n")...)
		if side.raw != "" && side.raw != side.read {
			lines = append(lines, t.Muted.Render(safetext.Clip(side.raw, width)))
		}
	}
	return screen.Pane{Title: safetext.Clip(r.Path, width)}, strings.Join(lines, "\n")
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
	return human.Count(count, "relevant difference", "relevant differences")
}

// notThere stands for a value that a result has not.
const notThere = "not there"

// onlyBeginning is said where a result is longer than what is compared.
const onlyBeginning = "only the beginning is compared"

// whose says whose a result is, and when it came.
func (c *Model) whose(r Result, width int) string {
	when := " " + r.At.Local().Format(time.TimeOnly)
	who := safetext.Clip(r.Whose, max(width-len(when), 0))
	return c.env.Theme.Strong.Render(who) + c.env.Theme.Muted.Render(when)
}

// said is how the two differ in a row.
func (c *Model) said(r *row) string {
	t := c.env.Theme
	style := [...]styles.Style{same: t.Muted, changed: t.Warn, onlyFirst: t.Bad, onlySecond: t.Good, masked: t.Muted}[r.change]
	return style.Render(r.change.sign() + " " + r.change.word())
}

// inFull is a row with as much of its values as fits, as they were sent.
func (c *Model) inFull(r *row, width int) []string {
	t := c.env.Theme
	side := func(name, raw string) string {
		return t.Muted.Render(name) + screen.Cut(cmp.Or(safetext.Clip(raw, max(width-3, 0)), t.Muted.Render(notThere)), max(width-3, 0))
	}
	return []string{
		" " + screen.Section(t, safetext.Clip(r.Path, max(width-14, 1)), max(width-1, 0)),
		" " + c.said(r),
		side(" 1 ", r.First),
		side(" 2 ", r.Second),
	}
}

// table shows the rows to the grid.
type table struct{ *Model }

func (c table) Len() int { return len(c.rows) }

func (c table) Columns() []grid.Column {
	return []grid.Column{{Width: 1}, {Title: "Field", Width: c.member}, {Title: "1", Width: c.value}, {Title: "2", Width: c.value}}
}

func (c table) Cells(at int, columns []int, dst []grid.Cell) []grid.Cell {
	r := c.rows[at]
	tone := [...]grid.Tone{same: grid.Muted, changed: grid.Warn, onlyFirst: grid.Bad, onlySecond: grid.Good, masked: grid.Muted}[r.change]
	side := func(text string) grid.Cell {
		switch {
		case text == "":
			return grid.Cell{State: grid.Missing}
		case !r.differs():
			return grid.Cell{Text: text, Tone: grid.Muted}
		}
		return grid.Cell{Text: text}
	}
	member := grid.Cell{Text: r.Path, End: r.Path[max(strings.LastIndexByte(r.Path, '.'), 0):], Tone: grid.Muted}
	return grid.Pick([]grid.Cell{{Text: r.change.sign(), Tone: tone}, member, side(r.left), side(r.right)}, columns, dst)
}

// Say says what is listed, with both values.
func (c *Model) Say() iter.Seq[string] {
	if !c.ready {
		return screen.Texts("Comparing")
	}
	matter, identity := c.differences()
	texts := []string{
		c.first.said() + " compared with " + strings.TrimSuffix(c.second.said(), ",") + ", field by field",
		mattering(matter),
	}
	if identity > 0 {
		texts = append(texts, human.Number(identity)+" expected: "+c.isIdentity.Kinds)
	}
	if c.cut {
		texts = append(texts, onlyBeginning)
	}
	return screen.Concat(screen.Texts(texts...), func(yield func(string) bool) {
		for _, i := range c.shown {
			r := &c.rows[i]
			both := cmp.Or(r.left, notThere)
			if r.differs() {
				both += " before, " + cmp.Or(r.right, notThere) + " now"
			}
			if !yield(screen.Labelled(r.Path, both)) {
				return
			}
		}
	})
}

// said tells a result from the other.
func (r *Result) said() string {
	return fmt.Sprintf("%s, %s, at %s, %s,", r.Name, r.Whose, r.At.Local().Format(time.TimeOnly), r.Verdict)
}
