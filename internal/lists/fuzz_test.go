package lists_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/jsonscan"
)

var seedBodies = []string{
	"", "null", "[]", "{}", "\uFEFF[1]", `[{"a":1},{"b":{"c":[1,2,{}]}},null,"x",-1.5e+300]`,
	`{"Data":[{"Id":123456789012345678901,"Name":"\u6771\u4eac"}],"Message":"Ok."}`,
	"{\"a\":1}\n{\"a\":2}", `[{"a":{}},{"a.b":1,"a":{"b":2}}]`, `{"a":{"a":{"a":{"a":1}}},"a":2}`,
	`["\ud83d","\"\\\/\b\f\n\r\t"]`, "[\"\xff\"]", `[1,2`, `[01]`, `<html>`, string(shareBody(3)),
}

func FuzzParse(f *testing.F) {
	for _, body := range seedBodies {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		table, err := lists.Parse(body)
		if err != nil {
			checkRefusal(t, body, err)
			return
		}
		readEverything(t, table)
		checkWritten(t, table)
	})
}

// checkRefusal fails if encoding/json reads what Parse refused, or the error is unusable.
func checkRefusal(t *testing.T, body []byte, err error) {
	var syntax *jsonscan.SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("error %v, want a *SyntaxError", err)
	}
	if syntax.Line < 0 || syntax.Column > len(body)+1 {
		t.Fatalf("no such place in %q: %+v", body, syntax)
	}
	if strings.ContainsAny(syntax.Error(), "\n\r\x1b") {
		t.Fatalf("unsafe error %q", syntax.Error())
	}
	if json.Valid(body) && !strings.Contains(syntax.Reason, "nesting") {
		t.Fatalf("valid JSON %q is refused: %v", body, err)
	}
}

func readEverything(t *testing.T, table *lists.Table) {
	var cells []lists.Cell
	for row := range table.Len() {
		cells = table.Cells(row, cells)
		for col, want := range cells {
			cell := table.Cell(row, col)
			if !bytes.Equal(cell.Raw(), want.Raw()) {
				t.Fatalf("row %d, column %d: Cell %q, Cells %q", row, col, cell.Raw(), want.Raw())
			}
			if cell.Kind() != lists.Missing && !json.Valid(cell.Raw()) {
				t.Fatalf("row %d, column %d is not JSON: %q", row, col, cell.Raw())
			}
			_ = cell.Text()
		}
	}
}

// checkWritten fails unless encoding/json reads from AsJSON the very bytes of each record.
func checkWritten(t *testing.T, table *lists.Table) {
	var read []json.RawMessage
	if err := json.Unmarshal([]byte(writeJSON(t, table)), &read); err != nil {
		t.Fatal(err)
	}
	if len(read) != table.Len() {
		t.Fatalf("%d records written, want %d", len(read), table.Len())
	}
	for row, record := range read {
		if !bytes.Equal(record, table.Record(row)) {
			t.Fatalf("record %d written as %q, want %q", row, record, table.Record(row))
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, body := range seedBodies {
		f.Add([]byte(body), "東京 ok")
		f.Add([]byte(body), "A \xff")
		f.Add([]byte(body), "1")
		f.Add([]byte(body), "abcd | !東京支社 a:1234 |")
	}
	f.Fuzz(func(t *testing.T, body []byte, query string) {
		table, err := lists.Parse(body)
		if err != nil {
			return
		}
		rows := filter(t, table, query, nil)
		if !slices.IsSorted(rows) {
			t.Fatalf("rows out of order: %v", rows)
		}
		if !strings.ContainsAny(query, `"!:=<>|`) {
			checkWords(t, table, query, rows)
		}
		for col := range table.Columns() {
			sortRows(t, table, rows, col, len(query)%2 == 0)
		}
	})
}

// checkWords fails unless rows have all words of a query that is nothing but words.
func checkWords(t *testing.T, table *lists.Table, query string, rows []int32) {
	oneByOne := allRows(table)
	for _, word := range strings.Fields(query) {
		oneByOne = filter(t, table, word, oneByOne)
	}
	if !slices.Equal(rows, oneByOne) {
		t.Fatalf("%q finds %v, its words one after another %v", query, rows, oneByOne)
	}
	for row := range table.Len() {
		if finds(table.Record(row), query) && !slices.Contains(rows, int32(row)) {
			t.Fatalf("%q does not find row %d: %s", query, row, table.Record(row))
		}
	}
}

// finds is a second opinion: whether every word stands in a scalar that
// encoding/json decodes, with the same case.
func finds(record []byte, query string) bool {
	scalars := scalarsOf(record)
	words := strings.Fields(string([]rune(query)))
	return !slices.ContainsFunc(words, func(word string) bool {
		return !slices.ContainsFunc(scalars, func(text string) bool { return strings.Contains(text, word) })
	})
}

func scalarsOf(raw json.RawMessage) []string {
	var (
		text     string
		elements []json.RawMessage
		members  map[string]json.RawMessage
		scalars  []string
	)
	switch {
	case string(raw) == "null":
	case json.Unmarshal(raw, &text) == nil:
		scalars = []string{text}
	case json.Unmarshal(raw, &elements) == nil:
		for _, element := range elements {
			scalars = append(scalars, scalarsOf(element)...)
		}
	case json.Unmarshal(raw, &members) == nil:
		for _, member := range members {
			scalars = append(scalars, scalarsOf(member)...)
		}
	default:
		scalars = []string{string(raw)}
	}
	return scalars
}
