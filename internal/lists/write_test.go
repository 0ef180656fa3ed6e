package lists_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
)

// viewed is a body with most that is hard to write.
const viewed = "[{\"Name\":\"a \\u0026 b\",\"n\":1.50,\"sub\":{\"x\":null,\"o\":{ }}},\n" +
	"{\r\n \"Name\" : \"tab\\t, \\\"quote\\\"\\r\\n\",\"sub\":{\"x\":[1, \"a b\",\n{}]}},\n" +
	"\"lone\"]"

func TestAViewIsWrittenInEveryForm(t *testing.T) {
	forms := map[string]*lists.Output{"JSON": lists.AsJSON, "NDJSON": lists.AsNDJSON, "CSV": lists.AsCSV}
	tests := []struct {
		form, name string
		view       lists.View
		want       string
	}{
		{"JSON", "rows in an order of their own", lists.View{Rows: []int32{2, 0}},
			"[\n\"lone\",\n{\"Name\":\"a \\u0026 b\",\"n\":1.50,\"sub\":{\"x\":null,\"o\":{ }}}\n]\n"},
		{"JSON", "no rows", lists.View{Rows: []int32{}}, "[]\n"},
		{"NDJSON", "whole records", lists.View{},
			"{\"Name\":\"a \\u0026 b\",\"n\":1.50,\"sub\":{\"x\":null,\"o\":{ }}}\n" +
				"{ \"Name\" : \"tab\\t, \\\"quote\\\"\\r\\n\",\"sub\":{\"x\":[1, \"a b\",{}]}}\n\"lone\"\n"},
		{"NDJSON", "whole records though columns are chosen", lists.View{Rows: []int32{0}, Columns: []int{2}}, "{\"Name\":\"a \\u0026 b\",\"n\":1.50,\"sub\":{\"x\":null,\"o\":{ }}}\n"},
		{"NDJSON", "no rows", lists.View{Rows: []int32{}}, ""},
		{"CSV", "all", lists.View{},
			"Name,n,sub.x,sub.o,value\r\na & b,1.50,,{},\r\n\"tab\t, \"\"quote\"\"\r\n\",,\"[1,\"\"a b\"\",{}]\",,\r\n,,,,lone\r\n"},
		{"CSV", "rows and columns", lists.View{Rows: []int32{2, 0}, Columns: []int{4}}, "value\r\nlone\r\n\"\"\r\n"},
		{"CSV", "no rows", lists.View{Rows: []int32{}}, "Name,n,sub.x,sub.o,value\r\n"},
		{"CSV", "no columns", lists.View{Columns: []int{}}, ""},
		{"CSV", "cleaned", lists.View{Columns: []int{0, 1}, Rows: []int32{0}, Style: lists.Style{Clean: strings.ToUpper}}, "NAME,N\r\nA & B,1.50\r\n"},
		{"CSV", "cleaned of a formula", lists.View{Columns: []int{0}, Rows: []int32{0}, Style: lists.Style{Clean: func(s string) string { return "=" + s }}}, "=Name\r\n=a & b\r\n"},
	}
	for _, test := range tests {
		t.Run(test.form+" "+test.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := parse(t, viewed).Write(t.Context(), &out, forms[test.form], test.view); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("they stop when they are cancelled", func(t *testing.T) {
		table := parse(t, string(shareBody(2_000)))
		for name, as := range forms {
			ctx, cancel := context.WithCancel(t.Context())
			out := &cancellingWriter{cancel: cancel}
			if err := table.Write(ctx, out, as, lists.View{}); !errors.Is(err, context.Canceled) || out.writes != 1 {
				t.Errorf("%s: %v after %d writes", name, err, out.writes)
			}
		}
	})
	t.Run("a failing writer ends them", func(t *testing.T) {
		full := errors.New("disk full")
		for name, as := range forms {
			if err := parse(t, viewed).Write(t.Context(), failingWriter{full}, as, lists.View{}); !errors.Is(err, full) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// cancellingWriter ends the context with the first write.
type cancellingWriter struct {
	cancel func()
	writes int
}

func (w *cancellingWriter) Write(p []byte) (int, error) {
	w.writes++
	w.cancel()
	return len(p), nil
}

func BenchmarkWrite(b *testing.B) {
	for _, as := range lists.Exports() {
		b.Run(as.Name, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *lists.Table) {
				for b.Loop() {
					if err := table.Write(b.Context(), io.Discard, as, lists.View{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

// FuzzCSV reads a table of strings back as it was, and looks for formulas.
func FuzzCSV(f *testing.F) {
	for _, name := range []string{"=1", "'=1", "''-x", "\tx", "'\tx", "a,\"b\"\r\n", "-5", "'-5", "", "x;=1", "x;'=1\n-5,-x", "'\n'=1", "x;'-5", "sep=;"} {
		f.Add(name, "\"=1\n")
		f.Add("x;"+name, name+";-x")
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if strings.Contains(name+text, "\r\n") || !utf8.ValidString(name) || !utf8.ValidString(text) {
			return // the reader of the standard library, or JSON, has another form of it
		}
		body, err := json.Marshal([]map[string]any{{"a": name, "b": text, "c": []string{name, text}}})
		if err != nil {
			t.Fatal(err)
		}
		table, err := lists.Parse(body)
		if err != nil {
			t.Fatal(err)
		}
		_, exact := csvCells(t, table, lists.View{Style: lists.Style{Exact: true}})
		if want := []string{name, text}; !slices.Equal(exact[:2], want) {
			t.Errorf("%q became %q", want, exact)
		}
		file, cells := csvCells(t, table, lists.View{})
		requireNoFormula(t, file)
		for i, cell := range cells[:2] {
			if lists.Defuse(lists.String, exact[i]) != cell {
				t.Errorf("%q became %q", exact[i], cell)
			}
		}
		requireSameJSON(t, exact[2], cells[2])
	})
}

// csvCells writes a table of one record as CSV, and reads its cells.
func csvCells(t *testing.T, table *lists.Table, view lists.View) (file string, cells []string) {
	t.Helper()
	var out bytes.Buffer
	if err := table.Write(t.Context(), &out, lists.AsCSV, view); err != nil {
		t.Fatal(err)
	}
	file = out.String()
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(lines) != 2 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	return file, lines[1]
}

// Readers take a carriage return alone for the end of a line as well.
func TestEachCharacterThatEndsAFieldOrALineIsQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", "a b;c\td": "a b;c\td",
		"a,b": `"a,b"`, "a\rb": "\"a\rb\"", "a\nb": "\"a\nb\"", `a"b`: `"a""b"`,
	} {
		quoted, err := json.Marshal(map[string]string{"a": text, "b": "next"})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := parse(t, string(quoted)).Write(t.Context(), &out, lists.AsCSV, lists.View{}); err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(out.String(), "\r\n"); got != want+",next\r\n" {
			t.Errorf("%q is written as %q", text, got)
		}
	}
}
