package compare

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// Settle implements [screen.Screen].
func (c *Model) Settle(room screen.Room) {
	c.hasSide = room.Panes
	if path, value := columnCells(room.Width); path != c.pathCells || value != c.valueCells {
		c.pathCells, c.valueCells = path, value
		c.grid.SetSource(memberSource{c}, c.shown)
	}
	c.grid.Settle(room.Width, max(c.body().Rest(room.Width, room.Height), 1))
}

// columnCells are the widths of the column of the paths, and of those of the values. The paths have
// two fifths.
func columnCells(width int) (path, value int) {
	const (
		sign = len(" ~ ")
		gaps = 4 * 2 // the space around each column
	)
	room := max(width-sign-gaps, 3)
	path = max(room*2/5, 1)
	return path, max((room-path)/2, 1)
}

// Frame implements [screen.Screen].
func (c *Model) Frame() screen.Frame { return screen.InPane }

// Beside implements [screen.Screen].
func (c *Model) Beside(width int) int { return screen.UsualSide(width) }

// View implements [screen.Screen].
func (c *Model) View() screen.View {
	return screen.View{
		Title:  "Compare",
		Within: c.first.Within,
		Border: c.border(),
		Body:   c.body(),
		Side:   c.side(),
		Wheel:  c.grid.Wheel,
	}
}

// minShown is how many lines are kept for the rows. The row under the cursor is not shown below
// them if that would leave less.
const minShown = 4

// body is the headline, the rows, and the row under the cursor in full if that is not shown beside
// them.
func (c *Model) body() screen.Fill {
	body := screen.Fill{Above: []screen.Part{headline{c}}, Part: tablePart{c}, MinLines: minShown}
	if r := c.selected(); r != nil && !c.hasSide {
		body.Below = []screen.Part{inFull{c, r}}
	}
	return body
}

// tablePart is a [screen.Part]: the rows, or why there are none.
type tablePart struct{ *Model }

// Draw implements [screen.Part].
func (c tablePart) Draw(width, height int) screen.Drawing {
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

// Say implements [screen.Part]: it says each row, with both values if they differ.
func (c tablePart) Say() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, i := range c.shown {
			r := &c.rows[i]
			text := cmp.Or(r.left, notThere)
			if r.differs() {
				text = "in 1 " + text + ", in 2 " + cmp.Or(r.right, notThere)
			}
			if !yield(screen.Labelled(r.label, text)) {
				return
			}
		}
	}
}

// border says how much differs.
func (c *Model) border() screen.Pane {
	pane := screen.Pane{Title: c.summary(c.env.Theme)}
	if _, expected := c.differences(); expected > 0 {
		pane.Note = human.Number(expected) + " expected"
		if !c.showsExpected && !c.showsSame {
			pane.Note += ", hidden"
		}
	}
	if len(c.shown) > 0 {
		pane.Foot = c.grid.RowPosition()
	}
	return pane
}

// side shows the row under the cursor, or whose results are compared if there is no row.
func (c *Model) side() screen.Side {
	t, r := c.env.Theme, c.selected()
	if r == nil {
		results := screen.Column{whose{t, c.first}, screen.Blank{}, whose{t, c.second}}
		return screen.Side{Border: screen.Pane{Title: "Compared"}, Body: results}
	}
	title := safetext.Clip(r.label, maxTitle)
	return screen.Side{Border: screen.Pane{Title: title}, Body: both{c, r}}
}

// maxTitle is the maximum width of the title of a pane in cells.
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

// both is a [screen.Part]: a row with the values of both results, each as people read it and as it
// was sent.
type both struct {
	*Model
	*row
}

// Draw implements [screen.Part].
func (b both) Draw(width, height int) screen.Drawing {
	parts := screen.Column{screen.Lines{b.drawChange(b.row)}}
	parts = append(parts, b.value(b.first, b.left, b.First, width, height)...)
	parts = append(parts, b.value(b.second, b.right, b.Second, width, height)...)
	return parts.Draw(width, height)
}

// value is the value of one result as people read it, and as it was sent in raw if that says more.
// It takes up to a third of the height.
func (b both) value(of Result, read, raw string, width, height int) screen.Column {
	t := b.env.Theme
	text := safetext.Clip(cmp.Or(read, notThere), height/3*width)
	parts := screen.Column{screen.Blank{}, whose{t, of}, screen.Text{Text: text}}
	if saysMore(raw, read) {
		parts = append(parts, screen.Text{Style: t.Muted, Text: safetext.Clip(raw, width)})
	}
	return parts
}

// saysMore reports whether a value as it was sent says more than what people read of it. Lists are
// read in full.
func saysMore(raw, read string) bool {
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
	_, expected := c.differences()
	texts := []string{
		c.first.said() + ", compared with " + c.second.said() + ", field by field",
		c.counted(),
	}
	if expected > 0 {
		texts = append(texts, human.Number(expected)+" expected: "+c.identity.Kinds)
	}
	if c.cut {
		texts = append(texts, onlyBeginning)
	}
	return screen.Texts(texts...)
}

// headline draws a line for each result: whose it is, its verdict, and when it came.
func (c *Model) headline(width int) []string {
	var lines []string
	t := c.env.Theme
	for i, r := range []Result{c.first, c.second} {
		whose := t.Strong.Render(safetext.Clip(r.Whose, width/2))
		text := t.Muted.Render(fmt.Sprintf(" %d ", i+1)) + whose
		if r.Mark != nil {
			mark, style := r.Mark(t)
			text += "  " + style.Render(mark+" "+r.Verdict)
		}
		lines = append(lines, screen.Sides(text, t.Muted.Render(r.when()), width-1))
	}
	return lines
}

// summary is the title of the pane: how much differs, or that the results are being compared.
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

// counted says how much of what is shown differs.
func (c *Model) counted() string {
	matter, expected := c.differences()
	switch {
	case c.showsSame:
		values := human.Count(len(c.rows), "value", "values")
		return values + ", " + human.Count(matter+expected, "differs", "differ")
	case c.showsExpected:
		return human.Count(matter+expected, "difference", "differences")
	}
	return human.Count(matter, "difference", "differences")
}

// notThere is shown in place of a value that a result does not have.
const notThere = "not there"

// onlyBeginning is said if a result has more members than are compared.
const onlyBeginning = "only the beginning is compared"

// drawChange draws how the results differ in a row.
func (c *Model) drawChange(r *row) string {
	t := c.env.Theme
	style := [...]styles.Style{
		same:       t.Muted,
		changed:    t.Warn,
		onlyFirst:  t.Bad,
		onlySecond: t.Good,
		masked:     t.Muted,
	}[r.change]
	return style.Render(r.change.sign() + " " + r.change.word())
}

// inFull is a [screen.Part]: a row with the beginnings of its values, as they were sent.
type inFull struct {
	*Model
	*row
}

// Draw implements [screen.Part].
func (r inFull) Draw(width, height int) screen.Drawing {
	const minLine = 14 // cells of the line behind the title of the section
	t := r.env.Theme
	value := func(name, raw string) string {
		room := max(width-len(name), 0)
		text := cmp.Or(safetext.Clip(raw, room), t.Muted.Render(notThere))
		return t.Muted.Render(name) + screen.Cut(text, room)
	}
	title := safetext.Clip(r.label, max(width-minLine, 1))
	return screen.Lines{
		" " + screen.Section(t, title, max(width-1, 0)),
		" " + r.drawChange(r.row),
		value(" 1 ", r.First),
		value(" 2 ", r.Second),
	}.Draw(width, height)
}

// Say implements [screen.Part]: the row is said with the others.
func (inFull) Say() iter.Seq[string] { return screen.Texts() }

// memberSource is the [grid.Source] of the rows.
type memberSource struct{ *Model }

// Len implements [grid.Source].
func (c memberSource) Len() int { return len(c.rows) }

// Columns implements [grid.Source].
func (c memberSource) Columns() []grid.Column {
	return []grid.Column{
		{Width: 1},
		{Heading: "Field", Width: c.pathCells},
		{Heading: "1", Width: c.valueCells},
		{Heading: "2", Width: c.valueCells},
	}
}

// Cells implements [grid.Source].
func (c memberSource) Cells(at int, columns []int, dst []grid.Cell) []grid.Cell {
	r := c.rows[at]
	tone := [...]grid.Tone{
		same:       grid.Muted,
		changed:    grid.Warn,
		onlyFirst:  grid.Bad,
		onlySecond: grid.Good,
		masked:     grid.Muted,
	}[r.change]
	cells := []grid.Cell{
		{Text: r.change.sign(), Tone: tone},
		{Text: r.label, Tone: grid.Muted},
		r.cell(r.left),
		r.cell(r.right),
	}
	return grid.Pick(cells, columns, dst)
}

// cell is the cell of one of the values of a row.
func (r *row) cell(text string) grid.Cell {
	switch {
	case text == "":
		return grid.Cell{State: grid.Missing}
	case !r.differs():
		return grid.Cell{Text: text, Tone: grid.Muted}
	}
	return grid.Cell{Text: text}
}

// when is the time of day at which a result came; "" if that is not known.
func (r *Result) when() string {
	if r.At.IsZero() {
		return ""
	}
	return r.At.Local().Format(time.TimeOnly)
}

// said names a result, and says what tells it from the other, for a person who hears it.
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
