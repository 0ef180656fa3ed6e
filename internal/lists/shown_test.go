package lists_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/human"
)

// spoilt is a list with all kinds of columns, and values that spreadsheets spoil.
const spoilt = `[
{"Name":"写真アーカイブ","ShareTick":638576758244685820,"SpaceUsage":{"DiskUsage":247941367080},"Id":900719925474099312,"Open":true,"ShareCategory":1,"Page":"https://x.example/a","Tags":["a","b"],"Rate":1.50,"Gone":null},
{"Name":"=1+1","ShareTick":0,"SpaceUsage":{"DiskUsage":512},"Id":900719925474099313,"Open":false,"ShareCategory":9,"Page":"https://x.example/b?c=1&d","Tags":[],"Rate":12345678901234567890,"Gone":null},
{"Name":"Årsregnskab, \"Fælles\"\nto linjer","ShareTick":638000000000000000,"SpaceUsage":{"DiskUsage":999950},"Id":7,"Rate":-3e2,"Gone":null},
{"Name":"+45 12","ShareTick":null,"SpaceUsage":{},"Id":8}
]`

// shownStyle has times two hours east of UTC.
var shownStyle = lists.Style{Shown: true, Format: lists.Format{Zone: time.FixedZone("", 2*60*60)}}

// chosen are columns of spoilt by their headings.
func chosen(t *testing.T, table *lists.Table) lists.View {
	t.Helper()
	columns, err := table.ColumnsOf("Name,Changed,Disk,Id,Open,Category,Page,Tags,Rate")
	if err != nil {
		t.Fatal(err)
	}
	return lists.View{Style: shownStyle, Columns: columns}
}

// shownSpoilt are the cells of spoilt as a screen shows them, but for sizes, which are in bytes.
var shownSpoilt = [][]string{
	{"Name", "Changed", "Disk", "Id", "Open", "Category", "Page", "Tags", "Rate"},
	{"写真アーカイブ", "2024-07-27 13:17", "247941367080", "900719925474099312", "yes", "team", "https://x.example/a", "2", "1.50"},
	{"=1+1", "never", "512", "900719925474099313", "no", "9", "https://x.example/b?c=1&d", "0", "12345678901234567890"},
	{"Årsregnskab, \"Fælles\"\nto linjer", "2022-09-29 00:13", "999950", "7", "", "", "", "", "-3e2"},
	{"+45 12", "", "", "8", "", "", "", "", ""},
}

func TestCSVAsShownIsWhatAScreenShows(t *testing.T) {
	table := parse(t, spoilt)
	var out bytes.Buffer
	if err := table.Write(t.Context(), &out, lists.AsCSV, chosen(t, table)); err != nil {
		t.Fatal(err)
	}
	text, marked := strings.CutPrefix(out.String(), "\uFEFF")
	if !marked {
		t.Error("Excel takes it for another encoding: it has no byte-order mark")
	}
	got, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(shownSpoilt)
	want[2] = slices.Clone(want[2])
	want[2][0] = "'=1+1" // no spreadsheet runs it
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// workbookOf is a view as a workbook.
func workbookOf(t *testing.T, table *lists.Table, view lists.View) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := table.Write(t.Context(), &out, lists.AsXLSX, view); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestAWorkbookHasTheCellsThatItsRecordsHave(t *testing.T) {
	table := parse(t, `[{"a":1},{"b":"x","d":7},{},{"d":8,"a":2,"d":9,"c":null}]`)
	columns := []int{2, 3, 0, 1, 2} // d is there twice
	book, err := excelize.OpenReader(bytes.NewReader(workbookOf(t, table, lists.View{Columns: columns})))
	if err != nil {
		t.Fatal(err)
	}
	got, err := book.GetRows("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"D", "C", "A", "B", "D"},
		{"", "", "1"},
		{"7", "", "", "x", "7"},
		nil,
		{"9", "", "2", "", "9"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAWorkbookIsReadCellByCell(t *testing.T) {
	table := parse(t, spoilt)
	book, err := excelize.OpenReader(bytes.NewReader(workbookOf(t, table, chosen(t, table))))
	if err != nil {
		t.Fatal(err)
	}
	got, err := book.GetRows("Sheet1", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		shownSpoilt[0],
		{"写真アーカイブ", "45500.5535", "247941367080", "900719925474099312", "yes", "team", "https://x.example/a", "2", "1.50"},
		{"=1+1", "never", "512", "900719925474099313", "no", "9", "https://x.example/b?c=1&d", "0", "12345678901234567890"},
		{"Årsregnskab, \"Fælles\"\nto linjer", "44833.0092", "999950", "7", "", "", "", "", "-3e2"},
		{"+45 12", "", "", "8"},
	}
	for _, row := range []int{1, 3} { // to the second
		got[row][1] = got[row][1][:len("45500.5535")]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for cell, want := range map[string]string{"B2": "2024-07-27 13:17", "B4": "2022-09-29 00:13"} {
		if shown, err := book.GetCellValue("Sheet1", cell); err != nil || shown != want {
			t.Errorf("%s shows %q (%v), want %q", cell, shown, err, want)
		}
	}
	for cell, want := range map[string]excelize.CellType{ // of a number the type is not set
		"D2": excelize.CellTypeInlineString, "D4": excelize.CellTypeInlineString, "I3": excelize.CellTypeInlineString,
		"C2": excelize.CellTypeUnset, "I2": excelize.CellTypeUnset, "H2": excelize.CellTypeUnset, "A3": excelize.CellTypeInlineString,
	} {
		if kind, err := book.GetCellType("Sheet1", cell); err != nil || kind != want {
			t.Errorf("%s is of type %d (%v), want %d", cell, kind, err, want)
		}
	}
	if is, address, err := book.GetCellHyperLink("Sheet1", "G3"); err != nil || !is || address != "https://x.example/b?c=1&d" {
		t.Errorf("the link leads to %q (%v)", address, err)
	}
}

func TestAWorkbookHasTheColumnsOfTheScreen(t *testing.T) {
	table := parse(t, spoilt)
	book, err := excelize.OpenReader(bytes.NewReader(workbookOf(t, table, lists.View{})))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := book.GetRows("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, column := range table.DisplayColumns() {
		if column.Kind != lists.NullColumn {
			want = append(want, column.Label)
		}
	}
	if diff := cmp.Diff(want, rows[0]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWhatASheetHasNoRoomForIsKnownBefore(t *testing.T) {
	long := strings.Repeat("x", 32_768)
	table := parse(t, `[{"Name":"`+long+`","Note":"`+long[1:]+`"},{"Name":"a","Note":"`+long+`"}]`)
	if got := table.TooLong(lists.AsXLSX, lists.View{}); got != 2 {
		t.Errorf("%d cells are too long, want 2", got)
	}
	if got := table.TooLong(lists.AsXLSX, lists.View{Rows: []int32{1}, Columns: []int{0}}); got != 0 {
		t.Errorf("%d cells of a short column are too long", got)
	}
	if got := table.TooLong(lists.AsCSV, lists.View{}); got != 0 {
		t.Errorf("%d cells are too long for CSV", got)
	}
	many := parse(t, strings.Repeat("1\n", lists.AsXLSX.MaxRows+1))
	var out bytes.Buffer
	err := many.Write(t.Context(), &out, lists.AsXLSX, lists.View{})
	full, ok := errors.AsType[*lists.TooManyRowsError](err)
	if !ok || full.Rows != lists.AsXLSX.MaxRows+1 || out.Len() > 0 {
		t.Errorf("%d bytes were written, and the error is %v", out.Len(), err)
	}
}

func TestAListThatIsNotHeldIsTheSameWorkbook(t *testing.T) {
	body := shareBody(2_000)
	outline, err := lists.ReadOutline(bytes.NewReader(body), -1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := outline.Write(t.Context(), &out, bytes.NewReader(body), lists.AsXLSX, lists.View{Style: shownStyle}); err != nil {
		t.Fatal(err)
	}
	if want := workbookOf(t, parse(t, string(body)), lists.View{Style: shownStyle}); !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%d bytes, want the same %d", out.Len(), len(want))
	}
}

// LibreOffice reads each cell as the value that it is, and shows it as the screen does.
func TestLibreOfficeShowsWhatTheScreenShows(t *testing.T) {
	if !testkit.Long() { // the short form is the reading by excelize, above
		return
	}
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed (libreoffice-calc-nogui)")
	}
	table := parse(t, spoilt)
	book := workbookOf(t, table, chosen(t, table))
	shown := slices.Clone(shownSpoilt)
	shown[1] = slices.Concat(shown[1][:2], []string{"247.9 GB"}, shown[1][3:8], []string{"1.5"})
	shown[2] = slices.Concat(shown[2][:2], []string{"512 B"}, shown[2][3:])
	shown[3] = slices.Concat(shown[3][:2], []string{"1.0 MB"}, shown[3][3:8], []string{"-300"})
	if diff := cmp.Diff(shown, converted(t, office, book)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}

	shares := parse(t, string(shareBody(50))) // of which no size is between two tenths
	var text bytes.Buffer
	if err := shares.Write(t.Context(), &text, lists.AsCSV, lists.View{Style: shownStyle}); err != nil {
		t.Fatal(err)
	}
	screen, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text.String(), "\uFEFF"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	sizes := columnsOfSizes(screen[0], shares.DisplayColumns())
	drawn := converted(t, office, workbookOf(t, shares, lists.View{Style: shownStyle}))
	for i, want := range screen {
		for _, column := range sizes { // which CSV has in bytes
			if size, ok := human.SizeOf(want[column]); ok && i > 0 {
				want[column] = size.String()
			}
		}
		if i >= len(drawn) || !slices.Equal(drawn[i], want) {
			t.Fatalf("row %d of %d is another one than %q", i, len(drawn), want)
		}
	}
}

// converted is what LibreOffice shows in the cells of a workbook.
func converted(t *testing.T, office string, workbook []byte) [][]string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "shares.xlsx")
	if err := os.WriteFile(path, workbook, 0o600); err != nil {
		t.Fatal(err)
	}
	const asCSV = "csv:Text - txt - csv (StarCalc):44,34,76,1" // commas, quotes, UTF-8, all lines
	convert := exec.CommandContext(t.Context(), office, "-env:UserInstallation=file://"+filepath.Join(dir, "profile"),
		"--headless", "--convert-to", asCSV, "--outdir", dir, path)
	convert.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	if said, err := convert.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	text, err := os.ReadFile(filepath.Join(dir, "shares.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestHeadingsOfSomebodysOwnListStayAsTheyAre(t *testing.T) {
	var headings []string
	for _, column := range lists.ColumnsNamed([]string{"Customer no", "E-mail address", "primary_domain"}, 2, nil) {
		headings = append(headings, column.Label)
	}
	if want := []string{"Customer no", "E-mail address", "Primary domain"}; !slices.Equal(headings, want) {
		t.Errorf("the headings are %q, want %q", headings, want)
	}
}

// columnsOfSizes returns which of the headings are those of sizes.
func columnsOfSizes(headings []string, columns []lists.ColumnInfo) (sizes []int) {
	for _, column := range columns {
		if at := slices.Index(headings, column.Label); at >= 0 && column.Kind == lists.BytesColumn {
			sizes = append(sizes, at)
		}
	}
	return sizes
}
