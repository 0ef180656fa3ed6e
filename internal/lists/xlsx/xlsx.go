// Package xlsx writes a workbook with one sheet, row by row (ECMA-376), for Excel, LibreOffice and
// others. Rows go into the archive as they come: neither memory nor the disk holds the sheet.
//
// The existing libraries keep all rows in memory, or unencrypted in another file, before they write
// the first byte; docs/dependencies.md has the figures.
package xlsx

import (
	"archive/zip"
	"compress/flate"
	"io"
	"strconv"
	"time"
)

// The limits of a sheet in Excel.
const (
	// MaxRows is how many rows there can be below the headings.
	MaxRows = 1<<20 - 1
	// MaxCharacters is how long a text can be, in units of UTF-16. Longer ones are cut.
	MaxCharacters = 1<<15 - 1
	// maxLinks is how many links there can be. Further ones are written as text.
	maxLinks = 65_530
	// maxLink is how long the address of a link can be, in bytes.
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
	Text        // it is never read as a formula, a number or a date
	Number      // a decimal number as in JSON, of which Excel keeps 15 digits
	Size        // a number of bytes that is shown in a unit: 142.8 GB
	Time        // it is shown to the minute
	Link        // the address of a page, with https:// or http://
)

// Cell is one value.
type Cell struct {
	// Column is the index of its column.
	Column int
	Kind   Kind
	// Text is the text, the digits of a number or size, or the address of a link. Of a time it is
	// what is written before March 1900, where Excel has no such day.
	Text string
	// Unit is the unit of a size, one of [Units].
	Unit string
	// Time is shown in its own location.
	Time time.Time
}

// Writer writes a workbook.
type Writer struct {
	archive *zip.Writer
	sheet   io.Writer
	columns []Column
	letters []string // the names of the columns: A, B, ...
	rows    int      // written so far, with the headings
	links   []link
}

// link is a cell that leads to an address.
type link struct {
	cell    string // its name: B2
	address string
}

// NewWriter begins a workbook and writes what comes before the sheet.
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

// Write writes a piece of the sheet, which the other methods have appended.
func (w *Writer) Write(xml []byte) (int, error) { return w.sheet.Write(xml) }

// AppendHead appends what the sheet has before its rows: the widths of the columns, and the
// headings, which stay in sight.
func (w *Writer) AppendHead(dst []byte) []byte {
	dst = append(dst, sheetHead...)
	if len(w.columns) == 0 {
		return append(dst, "<sheetData>"...)
	}
	dst = append(dst, "<cols>"...)
	for i, column := range w.columns {
		number := strconv.Itoa(i + 1)
		width := strconv.Itoa(column.Width)
		dst = append(dst, `<col min="`+number+`" max="`+number+
			`" width="`+width+`" customWidth="1"/>`...)
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

// AppendRow appends a row with these cells, from left to right. Columns for which there is none
// stay empty.
func (w *Writer) AppendRow(dst []byte, cells []Cell) []byte {
	dst = w.appendRowStart(dst)
	for _, cell := range cells {
		dst = w.appendCell(dst, cell)
	}
	return append(dst, "</row>"...)
}

// AppendTail appends what the sheet has after its rows: the filters of the headings, the links, and
// that Excel need not warn of numbers that are stored as text.
func (w *Writer) AppendTail(dst []byte) []byte {
	dst = append(dst, "</sheetData>"...)
	all := w.cellRange("")
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
		dst = append(dst, `<ignoredErrors><ignoredError sqref="`+all+
			`" numberStoredAsText="1"/></ignoredErrors>`...)
	}
	return append(dst, "</worksheet>"...)
}

// cellRange returns the range of all cells: A1:C9, or $A$1:$C$9 with the sign of absolute ones. It
// is "" if there are no columns.
func (w *Writer) cellRange(sign string) string {
	if len(w.columns) == 0 {
		return ""
	}
	last := w.letters[len(w.letters)-1]
	return sign + "A" + sign + "1:" + sign + last + sign + strconv.Itoa(w.rows)
}

// Close ends the workbook. It leaves the writer below open.
func (w *Writer) Close() error {
	if len(w.links) > 0 {
		if err := w.writeLinks(); err != nil {
			return err
		}
	}
	if err := writePart(w.archive, workbookPart, workbookXML(w.cellRange("$"))); err != nil {
		return err
	}
	return w.archive.Close()
}

// writeLinks writes the part with the addresses of the links.
func (w *Writer) writeLinks() error {
	part, err := w.archive.Create(linksPart)
	if err != nil {
		return err
	}
	text := append([]byte(nil), xmlHead+`<Relationships xmlns="`+packageSpace+`/relationships">`...)
	for i, link := range w.links {
		text = append(text, `<Relationship Id="`+linkID(i)+
			`" Type="`+documentSpace+`/hyperlink" Target="`...)
		text = appendEscaped(text, link.address)
		text = append(text, `" TargetMode="External"/>`...)
	}
	_, err = part.Write(append(text, "</Relationships>"...))
	return err
}

// linkID returns the id by which a cell refers to the address of its link.
func linkID(i int) string { return "rId" + strconv.Itoa(i+1) }
