package browse

import (
	"slices"
	"strconv"
	"strings"

	"gatehouse/internal/records"
	"gatehouse/styles"
	"gatehouse/ui/fields"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// cellFormat says what a value means, in the way of its column. What is exactly there
// stands in the detail and in every export.
type cellFormat struct {
	records.Format
	glyphs styles.Glyphs
}

func newCellFormat(env *screen.Env) cellFormat {
	return cellFormat{records.Format{Zone: env.Now().Location()}, env.Theme.Glyphs}
}

// cell is a value as the table shows it.
func (f *cellFormat) cell(column *column, c records.Cell) grid.Cell {
	switch c.Kind() {
	case records.Missing:
		return grid.Cell{State: grid.Missing}
	case records.Null:
		return grid.Cell{State: grid.Null}
	case records.Bool:
		return f.yesOrNo(column, c)
	}
	value := f.Value(column.ColumnInfo, c)
	cell := grid.Cell{Text: value.Text, Tone: column.tone}
	switch {
	case value.Unset:
		return grid.Cell{Text: f.glyphs.UnsetValue, Tone: grid.Muted}
	case value.Text == "":
		return grid.Cell{State: grid.Empty}
	case column.coded:
		cell.Text = withMeaning(column.Name, value.Text)
	case value.Unit != "":
		cell.Unit = unitOf(value.Unit)
	case column.Kind == records.TimeColumn || column.Kind == records.TicksColumn:
		cell.Short, _, _ = strings.Cut(value.Text, " ")
	case column.Kind == records.EmailColumn:
		if local, _, ok := strings.Cut(value.Text, "@"); ok {
			cell.Short = local + "@" + f.glyphs.More
		}
	}
	return cell
}

// unitOf is a unit in the two cells that all of them have room in.
func unitOf(unit string) string {
	if len(unit) < len("MB") {
		return unit + " "
	}
	return unit
}

// withMeaning is a number with what it means behind it, where that is known: "2 owner".
func withMeaning(column, number string) string {
	if meaning := records.Meanings(column)[number]; meaning != "" {
		return number + " " + meaning
	}
	return number
}

// column is what is known of a column of the table: the tone of its values, and of yes
// and no where it has those.
type column struct {
	records.ColumnInfo
	tone, yes, no grid.Tone
	coded         bool // its numbers have meanings
}

// What the last word of a yes or no says: which of the two is as it should be.
var (
	goodStates = []string{"active", "enabled", "valid", "validated", "verified"}
	badStates  = []string{"blocked", "deleted", "disabled", "expired", "failed", "locked", "suspended"}
)

func newColumn(info records.ColumnInfo) column {
	c := column{ColumnInfo: info, no: grid.Muted, coded: records.Meanings(info.Name) != nil}
	switch {
	case c.coded: // words
	case info.Role == records.RoleID || info.Kind == records.EmailColumn || info.Kind == records.ListColumn:
		c.tone = grid.Muted
	case info.Kind == records.BytesColumn || info.Role == records.RoleNumber:
		c.tone = grid.Number
	}
	words := records.Words(info.Name)
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	switch {
	case slices.Contains(goodStates, last):
		c.yes, c.no = grid.Good, grid.Bad
	case slices.Contains(badStates, last):
		c.yes = grid.Bad
	}
	return c
}

func (f *cellFormat) yesOrNo(column *column, c records.Cell) grid.Cell {
	if c.Raw()[0] == 't' {
		return grid.Cell{Text: f.glyphs.Good, Tone: column.yes}
	}
	return grid.Cell{Text: f.glyphs.Bad, Tone: column.no}
}

// quotasOf finds for columns of sizes that are used the column of the quota beside them.
func quotasOf(columns []column) map[int]int {
	around := func(name string) string { return name[:strings.LastIndexByte(name, '.')+1] }
	found := map[int]int{}
	for _, quota := range columns {
		if words := records.Words(quota.Name); quota.Kind != records.BytesColumn || len(words) == 0 || words[len(words)-1] != "quota" {
			continue
		}
		for _, used := range columns {
			words := records.Words(used.Name)
			if used.Kind == records.BytesColumn && around(used.Name) == around(quota.Name) && (slices.Contains(words, "usage") || slices.Contains(words, "used")) {
				found[used.Index] = quota.Index
			}
		}
	}
	return found
}

// fill shows how much of a quota a size is.
func (f *cellFormat) fill(shown *grid.Cell, used, quota records.Cell) {
	size, err := strconv.ParseFloat(string(used.Raw()), 64)
	whole, unknown := strconv.ParseFloat(string(quota.Raw()), 64)
	if err != nil || unknown != nil || whole <= 0 {
		return
	}
	part := max(0, min(size/whole, 1))
	levels := f.glyphs.Levels
	shown.Unit += " " + levels[min(int(part*float64(len(levels))), len(levels)-1)]
	switch {
	case part >= fields.Full:
		shown.Tone = grid.Bad
	case part >= fields.NearlyFull:
		shown.Tone = grid.Warn
	}
}
