package records_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gatehouse/internal/records"
)

func TestASpreadsheetFindsNoFormula(t *testing.T) {
	for _, text := range []string{
		"=1+1", "+1+1", "-1+1", "@SUM(1)", "=", "@", "\t=1", "\rx", "\nx", "\tx", " =1", "\u00a0=1", "\u3000=1", "\ufeff=1", "\u200b=1", "\x00=1", "\x1b=1",
		`"=1`, `"' =1`, "'=1", "''=1", "'\tx", "＝1", "＋x", "－x", "＠x", "+cmd|' /C calc'!A0", "-2+3", "+49-30", "-A1", " -5", `"+45`, "--5", "-5%", "+1(2)",
	} {
		if got := records.Defuse(text); got != "'"+text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestOrdinaryTextIsKept(t *testing.T) {
	for _, text := range []string{
		"", "Board minutes", "a=1", "1+1", "1-2", "-5", "-5.25", "+49 30 1234", "-", "'quoted'", `"quoted"`, " blanks ", "ann@x.example", "#1", "日本", "é=1", "🎉 =1",
		"\u200b", "\xff=1", "[1]", "(=1)", "2026-11-21", "'", "  ",
	} {
		if got := records.Defuse(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// FuzzCSV reads a table of two strings back as it was: CSV whose formulas are kept
// is exact, and otherwise an apostrophe is all that was added.
func FuzzCSV(f *testing.F) {
	for _, name := range []string{"=1", "'=1", "''-x", "\tx", "'\tx", "a,\"b\"\r\n", "-5", "'-5", ""} {
		f.Add(name, "\"=1\n")
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if strings.Contains(name+text, "\r\n") || !utf8.ValidString(name) || !utf8.ValidString(text) {
			return // the reader of the standard library, or JSON, has another form of it
		}
		body, err := json.Marshal([]map[string]string{{"a": name, "b": text}})
		if err != nil {
			t.Fatal(err)
		}
		table, err := records.Parse(body)
		if err != nil {
			t.Fatal(err)
		}
		exact := csvCells(t, table, records.View{Exact: true})
		if want := []string{name, text}; !slices.Equal(exact, want) {
			t.Errorf("%q became %q", want, exact)
		}
		for i, cell := range csvCells(t, table, records.View{}) {
			if records.Defuse(exact[i]) != cell {
				t.Errorf("%q became %q", exact[i], cell)
			}
			if undone := strings.TrimPrefix(cell, "'"); cell != exact[i] && (undone != exact[i] || records.Defuse(undone) != cell) {
				t.Errorf("there is no way back from %q to %q", cell, exact[i])
			}
			if cell == exact[i] && strings.HasPrefix(cell, "'") && records.Defuse(cell[1:]) != cell[1:] {
				t.Errorf("the way back from %q is none", cell)
			}
		}
	})
}

// csvCells are the cells of the one record of a table, read as CSV.
func csvCells(t *testing.T, table *records.Table, view records.View) []string {
	t.Helper()
	var out bytes.Buffer
	if err := table.WriteCSV(t.Context(), &out, view); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(lines) != 2 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	return lines[1]
}
