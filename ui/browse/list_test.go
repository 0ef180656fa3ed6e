package browse

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

var noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

func testEnv(t testing.TB) *screen.Env {
	return &screen.Env{Context: t.Context(), Theme: styles.New(styles.Options{}), Keys: screen.DefaultKeys(), Now: func() time.Time { return noon }}
}

// cellsOf are the cells of a row in all columns.
func cellsOf(s *source, row int) []grid.Cell {
	columns := make([]int, len(s.columns))
	for i := range columns {
		columns[i] = i
	}
	return s.Cells(row, columns, nil)
}

func TestValuesAreShownInTheWayOfTheirColumn(t *testing.T) {
	env := testEnv(t)
	body := `[{"Created":"2024-05-01T14:03:59Z","Tick":637227868322137560,"TickTime":637227868322137560,"Size":1234567890,"Open":true,"Tags":[1,[2,3]],"Mail":"a@b.example","Id":"9007199254740993000","Text":"","Big":123456789012345678901,"LastLogin":"0001-01-01T00:00:00","Ticks":0},{"LastLogin":"2024-05-01","Ticks":637227868322137560}]`
	table, err := lists.Parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	s := newSource(&origin{format: newCellFormat(env)}, table)
	got := map[string]string{}
	for i, cell := range cellsOf(s, 0) {
		got[s.key(i)] = cell.Text
		if cell.State == grid.Empty {
			got[s.key(i)] = "empty"
		}
	}
	for title, want := range map[string]string{
		"Created": "2024-05-01 14:03", "Tick": "2020-04-18 06:07", "Size": "1.2", "Open": "✓", "Tags": "2",
		"Mail": "a@b.example", "Id": "9007199254740993000", "Text": "empty", "Big": "123456789012345678901",
		"LastLogin": "–", "Ticks": "–", // times that never came
	} {
		if got[title] != want {
			t.Errorf("%s is shown as %q, want %q", title, got[title], want)
		}
	}
}

func TestANumberThatIsAWordIsShownWithIt(t *testing.T) {
	table, err := lists.Parse([]byte(`[{"ShareAssociationType":2,"Share":{"ShareCategory":1},"Level":2},{"ShareAssociationType":9,"Level":1}]`))
	if err != nil {
		t.Fatal(err)
	}
	s := newSource(&origin{format: newCellFormat(testEnv(t))}, table)
	got := map[string]string{}
	for row := range 2 {
		for i, cell := range cellsOf(s, row) {
			got[s.key(i)] += cell.Text + ";"
			if numeric := s.key(i) == "Level"; s.columns[i].Numeric != numeric {
				t.Errorf("%s is aligned as a number: %v", s.key(i), !numeric)
			}
		}
	}
	want := map[string]string{"ShareAssociationType": "2 owner;9;", "Share.ShareCategory": "1 team;;", "Level": "2;1;"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// The kinds of columns are those of the first rows: a later one may hold any number.
func TestASizeIsShownAsAPartOfItsQuotaWhateverTheNumbers(t *testing.T) {
	for numbers, want := range map[[2]string]struct {
		level string
		tone  grid.Tone
	}{
		{"0", "100"}: {"▁", grid.Number}, {"50", "100"}: {"▅", grid.Number}, {"80", "100"}: {"▇", grid.Warn},
		{"95", "100"}: {"█", grid.Bad}, {"500", "100"}: {"█", grid.Bad}, {"1e300", "1e-300"}: {"█", grid.Bad},
		{"-5", "100"}: {"▁", grid.Number}, {"50", "0"}: {"", grid.Number}, {"50", "-1"}: {"", grid.Number},
		{"50", "null"}: {"", grid.Number}, {"50", `"100"`}: {"", grid.Number},
		{"1e1000000000", "1e1000000000"}: {"", grid.Number}, {"50", "1e1000000000"}: {"", grid.Number},
	} {
		usual := strings.Repeat(`{"DiskUsage":50,"Quota":100},`, 1000)
		table, err := lists.Parse([]byte("[" + usual + `{"DiskUsage":` + numbers[0] + `,"Quota":` + numbers[1] + "}]"))
		if err != nil {
			t.Fatal(err)
		}
		s := newSource(&origin{format: cellFormat{glyphs: styles.New(styles.Options{}).Glyphs}}, table)
		cell := s.Cells(1000, []int{s.index("DiskUsage")}, nil)[0]
		if _, level, _ := strings.Cut(strings.TrimPrefix(cell.Unit, "B"), " "); strings.TrimSpace(level) != want.level || cell.Tone != want.tone {
			t.Errorf("%s of %s: %+v, want %+v", numbers[0], numbers[1], cell, want)
		}
	}
}

func TestTheRecordOfAPlaceIsLookedForOffTheUIsGoroutine(t *testing.T) {
	l := listOf(t, `[{"Id":"451968d7-24a2-4c50-b325-ac23a3ae4ae1"},{"Id":"451968d7-24a2-4c50-b325-ac23a3ae4ae2"}]`)
	l.returning = &Place{Record: l.source.id(1)}
	cmd := l.placeRow()
	if l.grid.Cursor() != 0 || cmd == nil {
		t.Fatalf("the cursor is on row %d before the search", l.grid.Cursor())
	}
	cmd().(screen.Addressed).Take()
	if l.grid.Cursor() != 1 {
		t.Errorf("the cursor is on row %d", l.grid.Cursor())
	}
}
