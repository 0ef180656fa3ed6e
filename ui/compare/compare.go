// Package compare shows two results of the same kind beside each other, such as two device
// logins or two checks, and finds the differences.
package compare

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/tidwall/gjson"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// Result is one of the two that are compared.
type Result struct {
	// Name tells it from the other: "2".
	Name string
	// Whose says whose it is, At when it came, the zero time where that is not known. Whose may
	// come from outside.
	Whose string
	At    time.Time
	// Verdict says in a few words how it came out, safe for a terminal; Mark is the sign
	// before it and its style. What has no verdict has neither.
	Verdict string
	Mark    func(t *styles.Theme) (string, *styles.Style)
	// Members lists what is compared at a time, from which ages are counted, without secrets; cut
	// says that there is more. What is not compared has none.
	Members func(now time.Time) (list []Member, cut bool)
	// Copied is what of it is needed elsewhere, and What it is called.
	Copied, What string
	// Within is the title of the screen that shows it, where that is not the tab around it.
	Within string
}

// Identity says which differences any two results have, so that they tell nothing.
type Identity struct {
	Has func(p Pair) bool
	// Kinds are they in words: "names, ids, times".
	Kinds string
}

// hasAll reports whether any two results have all of these differences.
func (i Identity) hasAll(parts []Pair) bool {
	return !slices.ContainsFunc(parts, func(p Pair) bool { return !i.Has(p) })
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

	// What follows is settled with the room.
	member, value int  // cells of the paths, and of either value
	explained     bool // the row under the cursor stands beside the rows
}

// row is a pair, and whether any two results differ in it.
type row struct {
	Pair
	identity bool
}

// New compares two results.
func New(env *screen.Env, first, second Result, identity Identity) *Model {
	c := &Model{env: env, first: first, second: second, isIdentity: identity}
	c.grid = grid.New(env.Theme, table{c})
	c.grid.RowsOnly = true
	return c
}

func (c *Model) Init() tea.Cmd {
	now, cut := c.env.Now(), false
	compare := func() (rows []row) {
		ones, cutFirst := c.first.Members(now)
		twos, cutSecond := c.second.Members(now)
		cut = cutFirst || cutSecond
		for _, p := range diff(ones, twos) {
			rows = append(rows, row{p, p.differs() && c.isIdentity.hasAll(p.parts())})
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

// Settle implements [screen.Screen].
func (c *Model) Settle(room screen.Room) {
	c.explained = room.Panes
	if member, value := columns(room.Width); member != c.member || value != c.value {
		c.member, c.value = member, value
		c.grid.SetSource(table{c}, c.shown)
	}
	c.grid.Settle(room.Width, max(c.body().Rest(room.Width, room.Height), 1))
}

// columns are the widths of the paths and of either value.
func columns(width int) (member, value int) {
	room := max(width-len(" ~ ")-4*2, 3) // the sign, and what is between the columns
	member = max(room*2/5, 1)
	return member, max((room-member)/2, 1)
}

// Frame implements [screen.Screen].
func (c *Model) Frame() screen.Frame { return screen.InPane }

// Beside implements [screen.Screen].
func (c *Model) Beside(width int) int { return screen.UsualSide(width) }

// View implements [screen.Screen].
func (c *Model) View() screen.View {
	return screen.View{
		Title: "Compare", Within: c.first.Within, Border: c.border(),
		Body: c.body(), Side: c.side(), Wheel: c.grid.Wheel,
	}
}

// minShown is how many lines the rows keep: where they would have fewer, the row under the cursor is
// not shown in full below them.
const minShown = 4

// body is whose results are compared, the rows, and below them the one under the cursor in full where
// nothing beside them says it.
func (c *Model) body() screen.Fill {
	body := screen.Fill{Above: []screen.Part{headline{c}}, Part: listing{c}, Least: minShown}
	if r := c.selected(); r != nil && !c.explained {
		body.Below = []screen.Part{inFull{c, r}}
	}
	return body
}

// listing is the rows, or why there are none.
type listing struct{ *Model }

// Draw implements [screen.Part].
func (c listing) Draw(width, height int) screen.Drawing {
	if !c.ready || len(c.shown) > 0 {
		return c.grid.Draw(width, max(height, 1))
	}
	nothing := " No differences. "
	if _, expected := c.differences(); expected > 0 {
		nothing = " No differences but those that are expected. "
	}
	nothing += c.env.Keys.Press(screen.CompareAll) + " to see all values."
	return screen.Fill{
		Above: []screen.Part{screen.Blank{}},
		Part:  screen.Padded{Part: screen.Text{Style: c.env.Theme.Muted, Text: nothing}},
	}.Draw(width, height)
}

// Say implements [screen.Part]: it says each row with both values.
func (c listing) Say() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, i := range c.shown {
			r := &c.rows[i]
			both := cmp.Or(r.left, notThere)
			if r.differs() {
				both = "in 1 " + both + ", in 2 " + cmp.Or(r.right, notThere)
			}
			if !yield(screen.Labelled(r.label, both)) {
				return
			}
		}
	}
}

// border says how much differs.
func (c *Model) border() screen.Pane {
	pane := screen.Pane{Title: c.summary(c.env.Theme)}
	if _, identity := c.differences(); identity > 0 {
		pane.Note = human.Number(identity) + " expected"
		if !c.identity {
			pane.Note += screen.If(!c.all, ", hidden")
		}
	}
	if len(c.shown) > 0 {
		pane.Foot = c.grid.RowPosition()
	}
	return pane
}

// side shows the row under the cursor, as both results have it.
func (c *Model) side() screen.Side {
	r := c.selected()
	if r == nil {
		whose := screen.Column{whose{c.env.Theme, c.first}, screen.Blank{}, whose{c.env.Theme, c.second}}
		return screen.Side{Border: screen.Pane{Title: "Compared"}, Body: whose}
	}
	return screen.Side{Border: screen.Pane{Title: safetext.Clip(r.label, maxTitle)}, Body: both{c, r}}
}

// maxTitle is how many cells of the title of a pane are drawn at most.
const maxTitle = 80

// whose is a [screen.Part]: whose a result is, and when it came.
type whose struct {
	theme *styles.Theme
	Result
}

// Draw implements [screen.Part].
func (w whose) Draw(width, height int) screen.Drawing {
	when := " " + w.when()
	who := safetext.Clip(w.Whose, max(width-len(when), 0))
	line := w.theme.Strong.Render(who) + w.theme.Muted.Render(when)
	return screen.Lines{line}.Draw(width, height)
}

// Say implements [screen.Part].
func (w whose) Say() iter.Seq[string] {
	return screen.Texts(w.said())
}

// both is a [screen.Part]: a row as both results have it.
type both struct {
	*Model
	*row
}

// Draw implements [screen.Part].
func (b both) Draw(width, height int) screen.Drawing {
	t, lines := b.env.Theme, screen.Column{screen.Lines{b.said(b.row)}}
	for _, side := range []struct {
		of   Result
		read string
		raw  string
	}{{b.first, b.left, b.First}, {b.second, b.right, b.Second}} {
		text := safetext.Clip(cmp.Or(side.read, notThere), height/3*width)
		lines = append(lines, screen.Blank{}, whose{t, side.of}, screen.Text{Text: text})
		if isOther(side.raw, side.read) {
			lines = append(lines, screen.Text{Style: t.Muted, Text: safetext.Clip(side.raw, width)})
		}
	}
	return lines.Draw(width, height)
}

// isOther reports whether a value as sent says more than what is read of it. A list is read whole.
func isOther(raw, read string) bool {
	sent := gjson.Parse(raw)
	return raw != "" && !sent.IsArray() && sent.String() != read
}

// Say implements [screen.Part]: the row is said with the others.
func (both) Say() iter.Seq[string] { return screen.Texts() }

// headline is a [screen.Part]: whose results are compared, and how they came out.
type headline struct{ *Model }

// Draw implements [screen.Part].
func (c headline) Draw(width, height int) screen.Drawing {
	return screen.Lines(c.headline(width)).Draw(width, height)
}

// Say implements [screen.Part].
func (c headline) Say() iter.Seq[string] {
	if !c.ready {
		return screen.Texts("Comparing")
	}
	_, identity := c.differences()
	texts := []string{
		c.first.said() + ", compared with " + c.second.said() + ", field by field",
		c.counted(),
	}
	if identity > 0 {
		texts = append(texts, human.Number(identity)+" expected: "+c.isIdentity.Kinds)
	}
	if c.cut {
		texts = append(texts, onlyBeginning)
	}
	return screen.Texts(texts...)
}

// headline says whose results are compared, and how they came out.
func (c *Model) headline(width int) []string {
	var lines []string
	t := c.env.Theme
	for i, r := range []Result{c.first, c.second} {
		text := t.Muted.Render(fmt.Sprintf(" %d ", i+1)) + t.Strong.Render(safetext.Clip(r.Whose, width/2))
		if r.Mark != nil {
			mark, style := r.Mark(t)
			text += "  " + style.Render(mark+" "+r.Verdict)
		}
		lines = append(lines, screen.Sides(text, t.Muted.Render(r.when()), width-1))
	}
	return lines
}

func (c *Model) summary(t *styles.Theme) string {
	if !c.ready {
		return t.Accent.Render("comparing" + t.Glyphs.More)
	}
	text := t.Strong.Render(c.counted())
	if c.cut {
		text += "  " + t.Warn.Render(t.Glyphs.Warning+" "+onlyBeginning)
	}
	return text
}

// counted says how much differs of what is listed.
func (c *Model) counted() string {
	matter, identity := c.differences()
	switch {
	case c.all:
		values := human.Count(len(c.rows), "value", "values")
		return values + ", " + human.Count(matter+identity, "differs", "differ")
	case c.identity:
		matter += identity
	}
	return human.Count(matter, "difference", "differences")
}

// notThere stands for a value that a result has not.
const notThere = "not there"

// onlyBeginning is said where a result is longer than what is compared.
const onlyBeginning = "only the beginning is compared"

// said is how the two differ in a row.
func (c *Model) said(r *row) string {
	t := c.env.Theme
	style := [...]styles.Style{same: t.Muted, changed: t.Warn, onlyFirst: t.Bad, onlySecond: t.Good, masked: t.Muted}[r.change]
	return style.Render(r.change.sign() + " " + r.change.word())
}

// inFull is a [screen.Part]: a row with as much of its values as fits, as they were sent.
type inFull struct {
	*Model
	*row
}

// Draw implements [screen.Part].
func (r inFull) Draw(width, height int) screen.Drawing {
	t := r.env.Theme
	side := func(name, raw string) string {
		room := max(width-3, 0)
		value := cmp.Or(safetext.Clip(raw, room), t.Muted.Render(notThere))
		return t.Muted.Render(name) + screen.Cut(value, room)
	}
	return screen.Lines{
		" " + screen.Section(t, safetext.Clip(r.label, max(width-14, 1)), max(width-1, 0)),
		" " + r.said(r.row),
		side(" 1 ", r.First),
		side(" 2 ", r.Second),
	}.Draw(width, height)
}

// Say implements [screen.Part]: the row is said with the others.
func (inFull) Say() iter.Seq[string] { return screen.Texts() }

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
	member := grid.Cell{Text: r.label, Tone: grid.Muted}
	return grid.Pick([]grid.Cell{{Text: r.change.sign(), Tone: tone}, member, side(r.left), side(r.right)}, columns, dst)
}

// when is the time at which a result came, "" if that is not known.
func (r *Result) when() string {
	if r.At.IsZero() {
		return ""
	}
	return r.At.Local().Format(time.TimeOnly)
}

// said tells a result from the other.
func (r *Result) said() string {
	parts := []string{r.Name}
	if r.Whose != r.Name {
		parts = append(parts, r.Whose)
	}
	if when := r.when(); when != "" {
		parts = append(parts, "at "+when)
	}
	if r.Verdict != "" {
		parts = append(parts, r.Verdict)
	}
	return strings.Join(parts, ", ")
}
