package browse

import (
	"gatehouse/ui/grid"
	"gatehouse/ui/human"
)

// longRecord is how many bytes of a record are read to draw its row. Of a longer
// one the row says how long it is: the rest takes more time than a frame has.
const longRecord = 32 << 10

// startOf is the row of a record that is too long to be read for each frame.
func (s *source) startOf(row int, columns []int, dst []grid.Cell) []grid.Cell {
	for _, column := range columns {
		cell := grid.Cell{Text: "…", Tone: grid.Muted}
		if column == columns[0] {
			cell.Text = "a record of " + human.Bytes(int64(len(s.table.Record(row))))
		}
		dst = append(dst, cell)
	}
	return dst
}
