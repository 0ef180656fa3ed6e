// Package xlsx writes a workbook of one sheet, row by row, as Excel, LibreOffice and others open
// it (ECMA-376). Rows go into the archive as they come: neither the sheet nor a copy of it is held
// in memory or on the disk.
//
// The libraries that exist keep all rows in memory, or in a second file in clear, before they
// write the first byte; see docs/dependencies.md for the figures.
package xlsx

import (
	"archive/zip"
	"compress/flate"
	"io"
	"strconv"
	"time"
)

// What a sheet can hold.
const (
	// MaxRows is the number of rows below the headings.
	MaxRows = 1<<20 - 1
	// MaxCharacters is the length of a text, in units of UTF-16. Longer ones are cut.
	MaxCharacters = 1<<15 - 1
	// maxLinks is how many links Excel opens in a sheet; later ones are text.
	maxLinks = 65_530
	// maxLink is the length of the address of a link.
	maxLink = 2_079
)

// Column is a column of the sheet.
type Column struct {
	Heading string
	Width   int // in characters
}

// Kind says what a cell holds.
type Kind uint8

// The kinds of cells.
const (
	Empty  Kind = iota
	Text        // never read as a formula, a number or a date
	Number      // a decimal number, as JSON has it; Excel keeps 15 digits of it
	Size        // a number of bytes, shown in a unit: 142.8 GB
	Time        // shown to the minute
	Link        // the address of a page, with https:// or http://
)

// Cell is one value.
type Cell struct {
	// Column is the index of its column.
	Column int
	Kind   Kind
	// Text is the text, the digits of a number or size, or the address of a link.
	Text string
	// Unit is one of [Units], for a size.
	Unit string
	// Time is shown as its location has it. Text stands in its place where Excel has no such
	// day, before March 1900.
	Time time.Time
}

// Writer writes a workbook.
type Writer struct {
	archive *zip.Writer
	sheet   io.Writer
	columns []Column
	letters []string // that name the columns
	rows    int      // with the headings
	links   []link
}

// link is the address that a cell leads to.
type link struct {
	cell, address string
}

// NewWriter begins a workbook. What it has before its rows is written at once.
func NewWriter(w io.Writer, columns []Column) (*Writer, error) {
	archive := zip.NewWriter(w)
	archive.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestSpeed) // sheets shrink to a tenth even so
	})
	for _, part := range fixedParts {
		if err := writePart(archive, part.name, part.text); err != nil {
			return nil, err
		}
	}
	sheet, err := archive.Create(sheetPart)
	if err != nil {
		return nil, err
	}
	letters := make([]string, len(columns))
	for i := range letters {
		letters[i] = lettersOf(i)
	}
	return &Writer{archive: archive, sheet: sheet, columns: columns, letters: letters}, nil
}

// writePart writes a whole part of the workbook.
func writePart(archive *zip.Writer, name, text string) error {
	part, err := archive.Create(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(part, text)
	return err
}

// Write writes a stretch of the sheet, made of what the other methods have appended.
func (w *Writer) Write(xml []byte) (int, error) { return w.sheet.Write(xml) }

// AppendHead appends what the sheet has before its rows: that the first row stays in sight, the
// widths of the columns, and their headings.
func (w *Writer) AppendHead(dst []byte) []byte {
	dst = append(dst, sheetHead...)
	if len(w.columns) == 0 {
		return append(dst, "<sheetData>"...)
	}
	dst = append(dst, "<cols>"...)
	for i, column := range w.columns {
		number := strconv.Itoa(i + 1)
		width := strconv.Itoa(column.Width)
		dst = append(dst, `<col min="`+number+`" max="`+number+`" width="`+width+`" customWidth="1"/>`...)
	}
	dst = append(dst, "</cols><sheetData>"...)
	dst = w.appendRowStart(dst)
	for i, column := range w.columns {
		dst = w.appendText(dst, i, headingStyle, column.Heading)
	}
	return append(dst, "</row>"...)
}

// appendRowStart appends the beginning of the next row.
func (w *Writer) appendRowStart(dst []byte) []byte {
	w.rows++
	dst = append(dst, `<row r="`...)
	dst = strconv.AppendInt(dst, int64(w.rows), 10)
	return append(dst, `">`...)
}

// AppendRow appends a row with these cells, from left to right. Columns for which there is none stay
// empty.
func (w *Writer) AppendRow(dst []byte, cells []Cell) []byte {
	dst = w.appendRowStart(dst)
	for _, cell := range cells {
		dst = w.appendCell(dst, cell)
	}
	return append(dst, "</row>"...)
}

// AppendTail appends what the sheet has after its rows: the filters of the headings, the links,
// and that numbers that are text are meant to be.
func (w *Writer) AppendTail(dst []byte) []byte {
	dst = append(dst, "</sheetData>"...)
	all := w.area("")
	if all != "" {
		dst = append(dst, `<autoFilter ref="`+all+`"/>`...)
	}
	if len(w.links) > 0 {
		dst = append(dst, "<hyperlinks>"...)
		for i, link := range w.links {
			dst = append(dst, `<hyperlink ref="`+link.cell+`" r:id="`+linkID(i)+`"/>`...)
		}
		dst = append(dst, "</hyperlinks>"...)
	}
	if all != "" {
		dst = append(dst, `<ignoredErrors><ignoredError sqref="`+all+`" numberStoredAsText="1"/></ignoredErrors>`...)
	}
	return append(dst, "</worksheet>"...)
}

// area names all cells, with a sign before each letter and number: A1:C9; "" without columns.
func (w *Writer) area(sign string) string {
	if len(w.columns) == 0 {
		return ""
	}
	last := w.letters[len(w.letters)-1]
	return sign + "A" + sign + "1:" + sign + last + sign + strconv.Itoa(w.rows)
}

// Close ends the workbook. The writer below it stays open.
func (w *Writer) Close() error {
	if len(w.links) > 0 {
		if err := w.writeLinks(); err != nil {
			return err
		}
	}
	if err := writePart(w.archive, workbookPart, workbookXML(w.area("$"))); err != nil {
		return err
	}
	return w.archive.Close()
}

// writeLinks writes the part that has the addresses of the links.
func (w *Writer) writeLinks() error {
	part, err := w.archive.Create(linksPart)
	if err != nil {
		return err
	}
	text := append([]byte(nil), xmlHead+`<Relationships xmlns="`+packageSpace+`/relationships">`...)
	for i, link := range w.links {
		text = append(text, `<Relationship Id="`+linkID(i)+`" Type="`+documentSpace+`/hyperlink" Target="`...)
		text = appendEscaped(text, link.address)
		text = append(text, `" TargetMode="External"/>`...)
	}
	_, err = part.Write(append(text, "</Relationships>"...))
	return err
}

func linkID(i int) string { return "rId" + strconv.Itoa(i+1) }
