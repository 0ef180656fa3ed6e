package lists

import (
	"io"
	"slices"

	"gatehouse/internal/lists/xlsx"
	"gatehouse/internal/text/safetext"
)

// workbook writes XLSX.
type workbook struct {
	*xlsx.Writer
	sheet  *Sheet
	places [][]int // where the columns of the sheet are that show a cell, by the index of the cell

	// The memory of a row.
	shown []int       // the places of its cells
	cells []xlsx.Cell // these cells
}

// openWorkbook returns the encoder of XLSX.
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
	return &workbook{Writer: book, sheet: s, places: placesOf(s.Columns)}, nil
}

// placesOf returns where the columns are that show a cell, by the index of the cell.
func placesOf(columns []ColumnInfo) [][]int {
	var places [][]int
	for place, column := range columns {
		for len(places) <= column.Index {
			places = append(places, nil)
		}
		places[column.Index] = append(places[column.Index], place)
	}
	return places
}

func (b *workbook) head(dst []byte) []byte { return b.AppendHead(dst) }

// row appends the cells that a row has: of the columns of a sheet a record may have few.
func (b *workbook) row(dst []byte, _ int, r Row) []byte {
	b.cells = b.cells[:0]
	for _, place := range b.placesIn(r) {
		column := b.sheet.Columns[place]
		cell := b.sheet.Format.shown(column, r.Cells[column.Index]).cell()
		cell.Column = place
		b.cells = append(b.cells, cell)
	}
	return b.AppendRow(dst, b.cells)
}

// placesIn returns the places of the columns in which a row has something, from left to right.
func (b *workbook) placesIn(r Row) []int {
	b.shown = b.shown[:0]
	for _, index := range r.present {
		if index < len(b.places) { // or it is behind all columns of the sheet
			b.shown = append(b.shown, b.places[index]...)
		}
	}
	slices.Sort(b.shown)
	b.shown = slices.Compact(b.shown)
	return b.shown
}

func (b *workbook) tail(dst []byte, _ int) []byte { return b.AppendTail(dst) }

func (b *workbook) close() error { return b.Close() }

// The widths of columns, in cells.
const (
	minWidth    = 8
	maxWidth    = 60
	textWidth   = 24
	timeWidth   = len("2006-01-02 15:04") + 1
	buttonWidth = 4 // of the button beside a heading, which filters
)

// measuredRows is how many rows are measured for the widths.
const measuredRows = 200

// usualWidth returns the width of a column of which only the kind is known.
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

// widths returns the widths of the columns of a sheet for what is in the first rows.
func (t *Table) widths(s Sheet) []int {
	widths := make([]int, len(s.Columns))
	for i, column := range s.Columns {
		widths[i] = max(minWidth, safetext.Width(safetext.Line(column.Label))+buttonWidth)
	}
	var cells []Cell
	for row := range min(t.sampled(), measuredRows) {
		cells = t.Cells(row, cells)
		for i, column := range s.Columns {
			text := safetext.Clip(s.Format.shown(column, cells[column.Index]).text, maxWidth)
			widths[i] = max(widths[i], safetext.Width(text)+1)
		}
	}
	return widths
}

// TooLong returns how many cells of a view are longer than a format has room for, and will be cut.
// It is quick, as it only looks at long records.
func (t *Table) TooLong(o *Output, v View) (count int) {
	if o.MaxCharacters == 0 {
		return 0
	}
	s := t.sheet(o, v)
	reader := newRowReader(t.columns, nil)
	for _, row := range t.rowsOr(v.Rows) {
		record := t.Record(int(row))
		if len(record) <= o.MaxCharacters {
			continue
		}
		count += s.tooLong(reader.read(record))
	}
	return count
}

// tooLong returns how many cells of a row are too long for a workbook.
func (s *Sheet) tooLong(r Row) (count int) {
	for _, column := range s.Columns {
		cell := s.Format.shown(column, r.Cells[column.Index]).cell()
		if !xlsx.Fits(cell.Text) {
			count++
		}
	}
	return count
}
