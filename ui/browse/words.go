package browse

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/records"
	"gatehouse/ui/grid"
	"gatehouse/ui/human"
	"gatehouse/ui/screen"
)

// unset stands for a time that never came: the year 1, or 0 ticks.
const unset = "–"

// words say what a value means, in the way of its column. What is exactly there
// stands in the detail and in every export.
type words struct {
	yes, no string
	zone    *time.Location
}

func newWords(env *screen.Env) words {
	return words{env.Theme.Glyphs.Good, env.Theme.Glyphs.Bad, env.Now().Location()}
}

// cell is a value as the table shows it.
func (w words) cell(kind records.ColumnKind, c records.Cell) grid.Cell {
	switch c.Kind() {
	case records.Missing:
		return grid.Cell{State: grid.Missing}
	case records.Null:
		return grid.Cell{State: grid.Null}
	case records.Bool:
		return w.yesOrNo(c)
	case records.Array:
		return list(c)
	}
	text := w.meaning(kind, c)
	switch {
	case text == unset:
		return grid.Cell{Text: unset, Tone: grid.Muted}
	case text != "":
		return grid.Cell{Text: text}
	}
	if text = c.Text(); text == "" {
		return grid.Cell{State: grid.Empty}
	}
	return grid.Cell{Text: text}
}

func (w words) yesOrNo(c records.Cell) grid.Cell {
	if c.Raw()[0] == 't' {
		return grid.Cell{Text: w.yes}
	}
	return grid.Cell{Text: w.no, Tone: grid.Muted}
}

// list is how many elements an array has.
func list(c records.Cell) grid.Cell {
	return grid.Cell{Text: strings.Trim(c.Text(), "[]")}
}

// meaning is what a time or a size says to people, "" for other values.
func (w words) meaning(kind records.ColumnKind, c records.Cell) string {
	switch kind {
	case records.TimeColumn, records.TicksColumn:
		if at, ok := c.Time(kind); ok {
			return w.time(at)
		}
	case records.BytesColumn:
		if size, err := strconv.ParseInt(string(c.Raw()), 10, 64); err == nil {
			return human.Bytes(size)
		}
	}
	return ""
}

func (w words) time(at time.Time) string {
	if at.IsZero() {
		return unset
	}
	return at.In(w.zone).Format("2006-01-02 15:04")
}

// remark is what the detail says behind a value that the table shows otherwise.
func (w words) remark(kind records.ColumnKind, c records.Cell) string {
	text := w.meaning(kind, c)
	if text == unset {
		return "not set"
	}
	if kind == records.BytesColumn && len(c.Raw()) <= len("999") {
		return ""
	}
	return text
}
