package browse

import (
	"fmt"
	"math"
	"strings"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// Widths in cells.
const (
	// The longest bar has the room that the box leaves beside values and figures, within these
	// bounds.
	minBar = 8
	maxBar = 40
	// figureCells is the width of a percentage, and of the gaps around the columns.
	figureCells = 14
	// sumCells is the width of a sum of sizes with the gap beside it.
	sumCells = len("999.9 GB") + 2
	// minBox is the least width of a box over a list.
	minBox = 50
	// maxValueCells is the width of the box of values.
	maxValueCells = 86
)

// The headings of the values and of the rows that have them.
const (
	headValue = "Value"
	headRows  = "Rows"
)

// valueSource is a [grid.Source] with a row for each value.
type valueSource struct{ *values }

func (v valueSource) Len() int { return len(v.items) }

func (v valueSource) Columns() []grid.Column {
	columns := []grid.Column{{Key: orderKeys[byValue], Heading: headValue}}
	if v.hasBars() {
		columns = append(columns,
			grid.Column{Key: orderKeys[byRows], Heading: headRows, Numeric: true},
			grid.Column{Heading: "%", Numeric: true})
	}
	if sizes := v.sizes(); sizes != "" {
		columns = append(columns, grid.Column{Key: orderKeys[bySize], Heading: sizes, Numeric: true})
	}
	if v.hasBars() {
		columns = append(columns, grid.Column{})
	}
	return columns
}

// hasBars reports whether the numbers of rows are shown, with bars. If each value is in one row,
// they say nothing.
func (v *values) hasBars() bool { return v.maxRows > 1 }

func (v valueSource) Cells(row int, columns []int, dst []grid.Cell) []grid.Cell {
	i := v.items[row]
	cells := []grid.Cell{i.Cell}
	if v.hasBars() {
		cells = append(cells,
			grid.Cell{Text: human.Number(i.rows), Tone: grid.Number},
			grid.Cell{Text: percent(i.rows, v.total()), Tone: grid.Muted})
	}
	if v.sizes() != "" {
		cells = append(cells, grid.Cell{Text: i.sum(), Tone: grid.Number})
	}
	if v.hasBars() {
		bar := strings.Repeat(v.theme.Glyphs.BarFull, v.barCells(i))
		cells = append(cells, grid.Cell{Text: bar, Tone: grid.Number})
	}
	return grid.Pick(cells, columns, dst)
}

// barCells is the length of the bar of a value in cells. It shows the sum of sizes if the values
// are sorted by that, and the number of rows otherwise. Only a sum of 0 or less has no bar.
func (v *values) barCells(i value) int {
	part, whole := float64(i.rows), float64(v.maxRows)
	if v.order == bySize {
		part, _ = i.size.Float64()
		whole, _ = v.maxSize.Float64()
	}
	if part <= 0 {
		return 0
	}
	return max(1, int(math.Round(part/whole*float64(v.maxCells))))
}

// sum is the sum of the sizes as people read it: "4.2 GB". A negative one is in digits, as in the
// list. It is "" if there are no sizes.
func (i value) sum() string {
	if i.size == nil {
		return ""
	}
	digits := i.size.String()
	if size, ok := human.SizeOf(digits); ok {
		return size.String()
	}
	return digits
}

// total is how many rows were counted.
func (v *values) total() int {
	if v.among == nil {
		return v.source.Len()
	}
	return len(v.among)
}

// percent writes a part of a whole in percent, rounded to a tenth: "12.3".
func percent(part, whole int) string {
	tenths := (part*2000 + whole) / max(2*whole, 1)
	if tenths == 0 {
		return "<0.1"
	}
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}

// View implements [screen.Screen].
func (v *values) View() screen.View {
	shown := v.box.View()
	shown.Title, shown.Border = "Values", v.border()
	shown.Rows, shown.Filter = valueRows{v}, v.filterBy()
	if len(v.items) > 0 {
		shown.Said = []string{v.heading + ": " + v.howMany()}
	}
	return shown
}

// border says how many values there are, once they are counted.
func (v *values) border() screen.Pane {
	pane := screen.Pane{Title: v.heading}
	if v.counts == nil {
		return pane
	}
	pane.Title += v.theme.Between() + v.howMany()
	if len(v.items) > 0 {
		pane.Foot = v.grid.RowPosition()
	}
	return pane
}

// Size implements [screen.Screen].
func (v *values) Size(int, int) screen.Size {
	switch {
	case v.counts == nil:
		return screen.Size{Cells: minBox, Lines: 3}
	case len(v.items) == 0:
		return screen.Size{Cells: minBox, Lines: 3, Padding: 1}
	}
	lines := v.lines(len(v.items))
	if v.others() != "" {
		lines++
	}
	return screen.Size{Cells: maxValueCells, Lines: lines}
}

// Settle implements [screen.Screen]. The bars get the room that values and figures leave.
func (v *values) Settle(room screen.Room) {
	figures := figureCells + max(len(headRows)+2, len(human.Number(v.maxRows)))
	if sizes := v.sizes(); sizes != "" {
		figures += max(sumCells, safetext.Width(sizes)+4)
	}
	cells := max(minBar, min(maxBar, room.Width-v.widest-figures))
	if cells != v.maxCells {
		v.maxCells = cells
		v.refresh() // the grid measures the bars again
	}
	v.box.Settle(room)
}

// head says how many values are not listed.
func (v *values) head() screen.Part {
	others := v.others()
	if others == "" {
		return screen.Column{}
	}
	return screen.Text{Style: v.theme.Muted, Text: "  " + others, MaxLines: 1}
}

// none is the part that says why no values are listed; nil if some are.
func (v *values) none() screen.Part {
	text, style := v.why(), v.theme.Muted
	if v.failure != "" {
		style = v.theme.Bad
	}
	if text == "" {
		return nil
	}
	return screen.Text{Style: style, Text: text}
}

// why says why no values are listed, "" if some are.
func (v *values) why() string {
	switch {
	case v.failure != "":
		return v.theme.Glyphs.Bad + " The values of " + v.heading + " could not be counted. " + v.failure
	case v.counts == nil:
		return "Counting the values of " + v.heading + v.theme.Glyphs.More
	case v.eachOnce():
		return "Each value occurs once: nothing to count.\n\nFilter the list with " +
			v.list.env.Keys.Key(screen.FilterOpen) + " to find one."
	case len(v.items) == 0:
		return "There are no rows."
	}
	return ""
}

// eachOnce reports whether each value is in one row only and there are too many of them to be
// listed.
func (v *values) eachOnce() bool { return len(v.items) == 0 && v.counts.OtherValues > 0 }

// howMany says how many values there are or, of ranges, how many rows.
func (v *values) howMany() string {
	if v.counts.Ranges {
		return human.Count(v.total(), "row", "rows")
	}
	return human.Count(len(v.counts.Buckets)+v.counts.OtherValues, "value", "values")
}

// others says how many values are not listed, "" if all are.
func (v *values) others() string {
	if len(v.items) == 0 || v.counts.OtherValues == 0 {
		return ""
	}
	return human.Count(v.counts.OtherValues, "other value", "other values") +
		" in " + human.Count(v.counts.OtherRows, "row", "rows")
}

// valueRows reads the values aloud.
type valueRows struct{ *values }

// Len implements [screen.Rows].
func (v valueRows) Len() int { return v.grid.Len() }

// Choose implements [screen.Rows].
func (v valueRows) Choose(at int) { v.grid.Choose(at) }

// SayRow implements [screen.Rows].
func (v valueRows) SayRow(at int) string {
	row, _ := v.grid.At(at)
	i := v.items[row]
	rows := human.Count(i.rows, "row", "rows")
	if v.hasBars() {
		rows += ", " + percent(i.rows, v.total()) + " %"
	}
	if sum := i.sum(); sum != "" {
		rows += ", " + v.sizes() + " " + sum
	}
	return screen.InList(i.name(), rows)
}
