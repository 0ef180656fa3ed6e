package xlsx_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"gatehouse/internal/lists/xlsx"
)

// written is a workbook with the rows, each of which has a cell for each column.
func written(t *testing.T, columns []xlsx.Column, rows ...[]xlsx.Cell) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := xlsx.NewWriter(&file, columns)
	if err != nil {
		t.Fatal(err)
	}
	text := w.AppendHead(nil)
	for _, row := range rows {
		text = w.AppendRow(text, inColumns(row))
	}
	if _, err := w.Write(w.AppendTail(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	requireXML(t, file.Bytes())
	return file.Bytes()
}

// inColumns returns cells in the columns from the first one on.
func inColumns(row []xlsx.Cell) []xlsx.Cell {
	cells := slices.Clone(row)
	for i := range cells {
		cells[i].Column = i
	}
	return cells
}

func TestColumnsWithoutACellStayEmpty(t *testing.T) {
	var file bytes.Buffer
	w, err := xlsx.NewWriter(&file, make([]xlsx.Column, 30))
	if err != nil {
		t.Fatal(err)
	}
	text := w.AppendRow(w.AppendHead(nil), []xlsx.Cell{
		{Column: 2, Kind: xlsx.Text, Text: "c"},
		{Column: 27, Kind: xlsx.Number, Text: "27"},
	})
	if _, err := w.Write(w.AppendTail(w.AppendRow(text, nil))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	requireXML(t, file.Bytes())
	rows, err := opened(t, file.Bytes()).GetRows("Sheet1")
	want := make([]string, 28)
	want[2], want[27] = "c", "27"
	if err != nil || len(rows) != 2 || !slices.Equal(rows[1], want) {
		t.Errorf("the rows are %q, %v", rows, err)
	}
}

// requireXML fails unless each part is well-formed XML.
func requireXML(t *testing.T, file []byte) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range archive.File {
		in, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		decoder := xml.NewDecoder(in)
		for err == nil {
			_, err = decoder.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", part.Name, err)
		}
	}
}

// opened is a workbook as another library reads it.
func opened(t *testing.T, file []byte) *excelize.File {
	t.Helper()
	book, err := excelize.OpenReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = book.Close() })
	return book
}

// Each cell is read by another library: the value that it has, and what a spreadsheet shows.
func TestCellsAreReadAsTheyAreMeant(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	at := time.Date(2024, 7, 27, 9, 17, 30, 0, time.UTC).In(zone)
	long := strings.Repeat("あ", xlsx.MaxCharacters-1)
	for name, c := range map[string]struct {
		cell       xlsx.Cell
		raw, shown string // the same where shown is ""
		kind       excelize.CellType
	}{
		"a text":              {xlsx.Cell{Kind: xlsx.Text, Text: "写真アーカイブ <&\"'>"}, "写真アーカイブ <&\"'>", "", excelize.CellTypeInlineString},
		"blanks":              {xlsx.Cell{Kind: xlsx.Text, Text: "  a  b "}, "  a  b ", "", excelize.CellTypeInlineString},
		"lines":               {xlsx.Cell{Kind: xlsx.Text, Text: "a\nb\tc"}, "a\nb\tc", "", excelize.CellTypeInlineString},
		"what looks escaped":  {xlsx.Cell{Kind: xlsx.Text, Text: "_x0041_ _xyz_"}, "_x0041_ _xyz_", "", excelize.CellTypeInlineString},
		"control characters":  {xlsx.Cell{Kind: xlsx.Text, Text: "\x00\x1b[2J\r\uFFFF"}, "\x00\x1b[2J\r\uFFFF", "", excelize.CellTypeInlineString},
		"bytes that are none": {xlsx.Cell{Kind: xlsx.Text, Text: "a\xffb"}, "a\uFFFDb", "", excelize.CellTypeInlineString},
		"a formula":           {xlsx.Cell{Kind: xlsx.Text, Text: "=HYPERLINK(\"https://x.example\")"}, "=HYPERLINK(\"https://x.example\")", "", excelize.CellTypeInlineString},
		"a long id":           {xlsx.Cell{Kind: xlsx.Text, Text: "638576758244685820"}, "638576758244685820", "", excelize.CellTypeInlineString},
		"a leading zero":      {xlsx.Cell{Kind: xlsx.Text, Text: "00471"}, "00471", "", excelize.CellTypeInlineString},
		"the longest text":    {xlsx.Cell{Kind: xlsx.Text, Text: long + "b"}, long + "b", "", excelize.CellTypeInlineString},
		"one that is longer":  {xlsx.Cell{Kind: xlsx.Text, Text: long + "bc"}, long + "…", "", excelize.CellTypeInlineString},
		"pairs of surrogates": {xlsx.Cell{Kind: xlsx.Text, Text: strings.Repeat("😀", 16_384)}, strings.Repeat("😀", 16_383) + "…", "", excelize.CellTypeInlineString},
		"nothing":             {xlsx.Cell{}, "", "", excelize.CellTypeUnset},
		"a number":            {xlsx.Cell{Kind: xlsx.Number, Text: "123456789012345"}, "123456789012345", "", excelize.CellTypeUnset},
		"a decimal":           {xlsx.Cell{Kind: xlsx.Number, Text: "-1.50"}, "-1.50", "-1.5", excelize.CellTypeUnset},
		"bytes":               {xlsx.Cell{Kind: xlsx.Size, Text: "512", Unit: "B"}, "512", "", excelize.CellTypeUnset},
		"kilobytes":           {xlsx.Cell{Kind: xlsx.Size, Text: "39200", Unit: "kB"}, "39200", "", excelize.CellTypeUnset},
		"megabytes":           {xlsx.Cell{Kind: xlsx.Size, Text: "39200000", Unit: "MB"}, "39200000", "", excelize.CellTypeUnset},
		"gigabytes":           {xlsx.Cell{Kind: xlsx.Size, Text: "247941367080", Unit: "GB"}, "247941367080", "", excelize.CellTypeUnset},
		"terabytes":           {xlsx.Cell{Kind: xlsx.Size, Text: "1500000000000", Unit: "TB"}, "1500000000000", "", excelize.CellTypeUnset},
		"petabytes":           {xlsx.Cell{Kind: xlsx.Size, Text: "142800000000000000", Unit: "PB"}, "142800000000000000", "", excelize.CellTypeUnset},
		"a time":              {xlsx.Cell{Kind: xlsx.Time, Time: at}, "45500.4704861111", "2024-07-27 11:17", excelize.CellTypeUnset},
		"midnight":            {xlsx.Cell{Kind: xlsx.Time, Time: time.Date(2000, 1, 1, 0, 0, 0, 0, zone)}, "36526", "2000-01-01 00:00", excelize.CellTypeUnset},
		"the first good day":  {xlsx.Cell{Kind: xlsx.Time, Time: time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)}, "61", "1900-03-01 00:00", excelize.CellTypeUnset},
		"a day before that":   {xlsx.Cell{Kind: xlsx.Time, Text: "1850-01-01 00:00", Time: time.Date(1850, 1, 1, 0, 0, 0, 0, time.UTC)}, "1850-01-01 00:00", "", excelize.CellTypeInlineString},
		"the end of a day":    {xlsx.Cell{Kind: xlsx.Time, Time: time.Date(2024, 7, 27, 23, 59, 59, 999_999_999, time.UTC)}, "45500", "2024-07-27 00:00", excelize.CellTypeUnset},
		"a link":              {xlsx.Cell{Kind: xlsx.Link, Text: "https://x.example/写?a=1&b=2"}, "https://x.example/写?a=1&b=2", "", excelize.CellTypeInlineString},
	} {
		t.Run(name, func(t *testing.T) {
			book := opened(t, written(t, []xlsx.Column{{Heading: "A"}, {Heading: "B"}}, []xlsx.Cell{{Kind: xlsx.Text, Text: "x"}, c.cell}))
			raw, err := book.GetCellValue("Sheet1", "B2", excelize.Options{RawCellValue: true})
			if err != nil || raw != c.raw {
				t.Errorf("it is %.80q (%v), want %.80q", raw, err, c.raw)
			}
			want := c.shown
			if want == "" {
				want = c.raw
			}
			if c.cell.Kind == xlsx.Size { // the library divides by a million at the most
				requireUnit(t, book, "B2", c.cell.Unit)
			} else if shown, err := book.GetCellValue("Sheet1", "B2"); err != nil || shown != want {
				t.Errorf("it is shown as %.80q (%v), want %.80q", shown, err, want)
			}
			if kind, err := book.GetCellType("Sheet1", "B2"); err != nil || kind != c.kind {
				t.Errorf("it is of type %d (%v), want %d", kind, err, c.kind)
			}
			if formula, err := book.GetCellFormula("Sheet1", "B2"); err != nil || formula != "" {
				t.Errorf("it has the formula %q (%v)", formula, err)
			}
		})
	}
}

// requireUnit fails unless a cell divides by a thousand for each step from bytes to its unit.
func requireUnit(t *testing.T, book *excelize.File, cell, unit string) {
	t.Helper()
	formats := map[string]string{
		"B": `0" B"`, "kB": `0.0," kB"`, "MB": `0.0,," MB"`, "GB": `0.0,,," GB"`, "TB": `0.0,,,," TB"`, "PB": `0.0,,,,," PB"`,
	}
	index, err := book.GetCellStyle("Sheet1", cell)
	if err != nil {
		t.Fatal(err)
	}
	style, err := book.GetStyle(index)
	if err != nil || style.CustomNumFmt == nil || *style.CustomNumFmt != formats[unit] {
		t.Errorf("%s has the format %v (%v), want %s", cell, style.CustomNumFmt, err, formats[unit])
	}
}

// Only the address of a page is a link: anything else may run something.
func TestOnlyPagesAreLinks(t *testing.T) {
	for address, want := range map[string]string{
		"https://x.example/a b":                           "https://x.example/a%20b",
		"http://x.example:8080/?q=\"&x=<y>":               "http://x.example:8080/?q=\"&x=<y>",
		"https://x.example/" + "写":                        "https://x.example/%E5%86%99",
		"file:///etc/passwd":                              "",
		"javascript:alert(1)":                             "",
		`\\server\share`:                                  "",
		"ms-excel:ofe|u|https://x.example":                "",
		"https://":                                        "",
		"https://[::1":                                    "",
		"https://x.example/\x01":                          "",
		"https://x.example/" + strings.Repeat("a", 2_100): "",
	} {
		book := opened(t, written(t, []xlsx.Column{{Heading: "A"}}, []xlsx.Cell{{Kind: xlsx.Link, Text: address}}))
		is, got, err := book.GetCellHyperLink("Sheet1", "A2")
		if err != nil || is != (want != "") || got != want {
			t.Errorf("%q leads to %q (%v), want %q", address, got, err, want)
		}
		if text, err := book.GetCellValue("Sheet1", "A2"); err != nil || text != address {
			t.Errorf("%q says %q (%v)", address, text, err)
		}
	}
}

func TestTheHeadingsStayAndFilter(t *testing.T) {
	columns := make([]xlsx.Column, 28)
	row := make([]xlsx.Cell, len(columns))
	for i := range columns {
		columns[i] = xlsx.Column{Heading: fmt.Sprint("=H", i), Width: 10 + i}
		row[i] = xlsx.Cell{Kind: xlsx.Number, Text: fmt.Sprint(i)}
	}
	file := written(t, columns, row, row)
	book := opened(t, file)
	rows, err := book.GetRows("Sheet1")
	if err != nil || len(rows) != 3 || len(rows[2]) != 28 || rows[0][27] != "=H27" || rows[2][27] != "27" {
		t.Errorf("the rows are %q, %v", rows, err)
	}
	panes, err := book.GetPanes("Sheet1")
	if err != nil || !panes.Freeze || panes.YSplit != 1 || panes.TopLeftCell != "A2" {
		t.Errorf("the panes are %+v, %v", panes, err)
	}
	if width, err := book.GetColWidth("Sheet1", "AB"); err != nil || width != 37 {
		t.Errorf("the last column is %v wide, %v", width, err)
	}
	want := []excelize.DefinedName{{Name: "_xlnm._FilterDatabase", RefersTo: "Sheet1!$A$1:$AB$3", Scope: "Sheet1"}}
	if diff := cmp.Diff(want, book.GetDefinedName()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !bytes.Contains(part(t, file, "xl/worksheets/sheet1.xml"), []byte(`<autoFilter ref="A1:AB3"/>`)) {
		t.Error("the sheet has no filter")
	}
}

// part is the text of a part of a workbook.
func part(t *testing.T, file []byte, name string) []byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	in, err := archive.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAWorkbookWithoutColumnsOpens(t *testing.T) {
	book := opened(t, written(t, nil))
	if rows, err := book.GetRows("Sheet1"); err != nil || len(rows) != 0 {
		t.Errorf("%q, %v", rows, err)
	}
}

func FuzzText(f *testing.F) {
	for _, text := range []string{"", "a", "=1+1", "_x0041_", "\x00", "\xff", "]]>", "&amp;", "a\r\nb", "\uFFFE"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		book := opened(t, written(t, []xlsx.Column{{Heading: "A"}}, []xlsx.Cell{{Kind: xlsx.Text, Text: text}}))
		want := xlsx.Fit(strings.ToValidUTF8(text, "\uFFFD"))
		if got, err := book.GetCellValue("Sheet1", "A2", excelize.Options{RawCellValue: true}); err != nil || strings.Trim(got, "\uFFFD") != strings.Trim(want, "\uFFFD") {
			t.Errorf("%q became %q (%v)", text, got, err)
		}
	})
}
