package lists

import (
	"io"

	"gatehouse/internal/lists/xlsx"
	"gatehouse/internal/text/safetext"
)

// workbook writes XLSX.
type workbook struct {
	*xlsx.Writer
	sheet *Sheet
	cells []xlsx.Cell // of a row
}

func openWorkbook(w io.Writer, s *Sheet) (encoder, error) {
	columns := make([]xlsx.Column, len(s.Columns))
	for i, column := range s.Columns {
		width := usualWidth(column)
		if s.widths != nil {
			width = s.widths[i]
		}
		columns[i] = xlsx.Column{Heading: column.Label, Width: width}
	}
	book, err := xlsx.NewWriter(w, columns)
	if err != nil {
		return nil, err
	}
	return &workbook{book, s, make([]xlsx.Cell, len(columns))}, nil
}

func (b *workbook) head(dst []byte) []byte { return b.AppendHead(dst) }

func (b *workbook) row(dst []byte, _ int, r Row) []byte {
	for i, column := range b.sheet.Columns {
		b.cells[i] = b.sheet.Format.shown(column, r.Cells[column.Index]).cell()
	}
	return b.AppendRow(dst, b.cells)
}

func (b *workbook) tail(dst []byte, _ int) []byte { return b.AppendTail(dst) }

func (b *workbook) close() error { return b.Close() }

// The widths of columns, in cells. A heading has a button beside it that filters.
const (
	minWidth, maxWidth = 8, 60
	buttonWidth        = 4
	timeWidth          = len("2006-01-02 15:04") + 1
	textWidth          = 24
	measuredCells      = 200 // of a column
)

// usualWidth is how wide a column is of which nothing but its kind is known.
func usualWidth(column ColumnInfo) int {
	width := textWidth
	switch {
	case column.isTime():
		width = timeWidth
	case column.Kind == NumberColumn || column.Kind == BytesColumn || column.Kind == BoolColumn:
		width = minWidth
	}
	return max(width, safetext.Width(safetext.Line(column.Label))+buttonWidth)
}

// widths are how wide the columns of a sheet are, as far as the first rows tell.
func (t *Table) widths(s Sheet) []int {
	widths := make([]int, len(s.Columns))
	for i, column := range s.Columns {
		widths[i] = max(minWidth, safetext.Width(safetext.Line(column.Label))+buttonWidth)
	}
	var cells []Cell
	for row := range min(t.sampled(), measuredCells) {
		cells = t.Cells(row, cells)
		for i, column := range s.Columns {
			text := safetext.Clip(s.Format.shown(column, cells[column.Index]).text, maxWidth)
			widths[i] = max(widths[i], safetext.Width(text)+1)
		}
	}
	return widths
}

// TooLong is how many cells of a view are longer than a format has room for; they are cut. It
// looks at long records alone, and is quick.
func (t *Table) TooLong(o *Output, v View) (count int) {
	if o.MaxCharacters == 0 {
		return 0
	}
	s := t.sheet(o, v)
	var cells []Cell
	for _, row := range t.rowsOr(v.Rows) {
		record := t.Record(int(row))
		if len(record) <= o.MaxCharacters {
			continue
		}
		cells = t.columns.cells(record, cells)
		count += s.tooLong(cells)
	}
	return count
}

// tooLong is how many cells of a row are too long for a workbook.
func (s *Sheet) tooLong(cells []Cell) (count int) {
	for _, column := range s.Columns {
		if cell := s.Format.shown(column, cells[column.Index]).cell(); !xlsx.Fits(cell.Text) {
			count++
		}
	}
	return count
}
