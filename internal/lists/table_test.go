package lists_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
)

func TestEveryShapeOfBodyBecomesRowsAndColumns(t *testing.T) {
	// A missing cell shows as "-", any other one as its raw JSON.
	tests := []struct {
		name, body string
		columns    []string
		rows       [][]string
	}{
		{"array of objects", `[{"a":1,"b":"x"},{"a":2}]`, []string{"a", "b"}, [][]string{{"1", `"x"`}, {"2", "-"}}},
		{"columns in first-seen order", `[{"b":1},{"a":2,"b":3},{"c":4}]`, []string{"b", "a", "c"}, [][]string{{"1", "-", "-"}, {"3", "2", "-"}, {"-", "-", "4"}}},
		{"envelope", `{"Data":[{"a":1}],"Message":"Ok."}`, []string{"a"}, [][]string{{"1"}}},
		{"envelope behind other members", `{"Message":"Ok.","Info":{"Code":1},"shares":[{"a":1},{"a":2}]}`, []string{"a"}, [][]string{{"1"}, {"2"}}},
		{"envelope with an empty list", `{"Data":[],"Message":"Ok."}`, nil, nil},
		{"envelope of the one known name", `{"errors":[],"ITEMS":[{"a":1}],"tags":[2]}`, []string{"a"}, [][]string{{"1"}}},
		{"two known names are no envelope", `{"data":[1],"items":[2]}`, []string{"data", "items"}, [][]string{{"[1]", "[2]"}}},
		{"the same list twice is no envelope", `{"Data":[1],"Data":[2]}`, []string{"Data"}, [][]string{{"[2]"}}},
		{"two unknown lists are no envelope", `{"x":[1],"y":[2]}`, []string{"x", "y"}, [][]string{{"[1]", "[2]"}}},
		{"null list beside a message has no records", `{"Data":null,"Message":"Ok."}`, nil, nil},
		{"null list alone is a record", `{"Data":null}`, []string{"Data"}, [][]string{{"null"}}},
		{"single object", `{"a":1,"b":{"c":2}}`, []string{"a", "b.c"}, [][]string{{"1", "2"}}},
		{"scalar", ` 12.50 `, []string{"value"}, [][]string{{"12.50"}}},
		{"string", `"x"`, []string{"value"}, [][]string{{`"x"`}}},
		{"null", "null\n", nil, nil},
		{"empty array", " [ ] ", nil, nil},
		{"empty object", `{}`, nil, [][]string{{}}},
		{"mixed kinds", `[{"a":1},"x",null,true,[1,2],{}]`, []string{"a", "value"}, [][]string{{"1", "-"}, {"-", `"x"`}, {"-", "null"}, {"-", "true"}, {"-", "[1,2]"}, {"-", "-"}}},
		{"scalars beside a member called value", `[{"value":1},2]`, []string{"value", "value"}, [][]string{{"1", "-"}, {"-", "2"}}},
		{"array of arrays", `[[1],[]]`, []string{"value"}, [][]string{{"[1]"}, {"[]"}}},
		{"lines", "{\"a\":1}\r\n{\"a\":2}\n\n", []string{"a"}, [][]string{{"1"}, {"2"}}},
		{"lines of any kind", "1\nnull [2]{\"a\":3}{\"b\":[4]}", []string{"value", "a", "b"}, [][]string{{"1", "-", "-"}, {"null", "-", "-"}, {"[2]", "-", "-"}, {"-", "3", "-"}, {"-", "-", "[4]"}}},
		{"byte order mark", "\uFEFF[{\"a\":1}]", []string{"a"}, [][]string{{"1"}}},
		{"nested objects", `[{"a":{"b":{"c":1},"d":2}},{"a":{"b":{"e":3}}}]`, []string{"a.b.c", "a.d", "a.b.e"}, [][]string{{"1", "2", "-"}, {"-", "-", "3"}}},
		{"siblings far down", `{"a":{"b":{"c":{"d":1,"e":2}}}}`, []string{"a.b.c.d", "a.b.c.e"}, [][]string{{"1", "2"}}},
		{"arrays in a record", `[{"a":[{"b":1}],"c":[]}]`, []string{"a", "c"}, [][]string{{`[{"b":1}]`, "[]"}}},
		{"empty nested object", `[{"a":{}},{"a":{ }},{"a":{"b":1}}]`, []string{"a", "a.b"}, [][]string{{"{}", "-"}, {"{ }", "-"}, {"-", "1"}}},
		{"object, then something else", `[{"a":{"b":1}},{"a":null},{"a":2}]`, []string{"a.b", "a"}, [][]string{{"1", "-"}, {"-", "null"}, {"-", "2"}}},
		{"dot in a key", `[{"a.b":1,"a":{"b":2}}]`, []string{"a.b", "a.b"}, [][]string{{"1", "2"}}},
		{"escaped keys", `[{"\u0061":1},{"a":2},{"\"\\":3}]`, []string{"a", `"\`}, [][]string{{"1", "-"}, {"2", "-"}, {"-", "3"}}},
		{"empty keys", `[{"":1,"a":{"":2}}]`, []string{"", "a."}, [][]string{{"1", "2"}}},
		{"the last of two members", `[{"a":1,"b":{"c":2},"a":3,"b":{"c":4}}]`, []string{"a", "b.c"}, [][]string{{"3", "4"}}},
		{"white space everywhere", " { \"Data\" : [ { \"a\" : 1 , \"b\" : { \"c\" : [ 2 , 3 ] } } , 4 ] , \"m\" : 5 } ", []string{"a", "b.c", "value"}, [][]string{{"1", "[ 2 , 3 ]", "-"}, {"-", "-", "4"}}},
		{"brackets inside strings", `[{"a":"}]\"{[","b":["]"]}]`, []string{"a", "b"}, [][]string{{`"}]\"{["`, `["]"]`}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table := parse(t, test.body)
			var rows [][]string
			for row := range table.Len() {
				rows = append(rows, rawCells(table, row))
			}
			if diff := cmp.Diff(test.columns, table.Columns()); diff != "" {
				t.Errorf("columns (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.rows, rows); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOkExplainsNothing(t *testing.T) {
	for message, want := range map[string]string{"Ok.": "", " OK": "", "ok": "", "Okinawa": "Okinawa", "No access.": "No access."} {
		if got := parse(t, `{"Message":"`+message+`","Data":[]}`).Explanation(); got != want {
			t.Errorf("%q explains %q, want %q", message, got, want)
		}
	}
}

func TestTheMessageIsTextBesideTheRecords(t *testing.T) {
	for body, want := range map[string]string{
		`{"Message":"No \u0061ccess.","Data":[]}`:          "No access.",
		`{"Message":null,"Message":"Later","Data":[{}]}`:   "Later",
		`{"Data":[],"Mess\u0061ge":"","Message":"Behind"}`: "Behind",
		`{"Message":7,"Data":[]}`:                          "",
		`{"message":"other","Data":[]}`:                    "",
		`[{"Message":"of a record"}]`:                      "",
	} {
		if got := parse(t, body).Explanation(); got != want {
			t.Errorf("%s has the message %q, want %q", body, got, want)
		}
	}
}

func TestWhatHasNoColumnIsStillFoundAndWritten(t *testing.T) {
	table := parse(t, strings.Replace(wideBody(5_000), `"k4999":4999`, `"k4999":"needle"`, 1))
	if rows := filter(t, table, "needle", nil); len(rows) != 1 {
		t.Errorf("rows %v found, want one", rows)
	}
	if !strings.Contains(writeJSON(t, table), `"k4999":"needle"`) {
		t.Error("the member without a column is not written")
	}
}

func TestDeepNestingStaysOneCell(t *testing.T) {
	table := parse(t, strings.Repeat(`{"a":`, 70)+"1"+strings.Repeat("}", 70))
	wantName := strings.Repeat("a.", 63) + "a"
	wantCell := strings.Repeat(`{"a":`, 6) + "1" + strings.Repeat("}", 6)
	if got := table.Columns(); len(got) != 1 || got[0] != wantName {
		t.Errorf("columns %q, want the one %q", got, wantName)
	}
	if got := string(table.Cell(0, 0).Raw()); got != wantCell {
		t.Errorf("cell %s, want %s", got, wantCell)
	}
}

func TestAppendingToARecordLeavesTheNextOneAlone(t *testing.T) {
	table := parse(t, `[{"a":1},{"a":2}]`)
	_ = append(table.Record(0), "xxx"...)
	_ = append(table.Cell(0, 0).Raw(), "yyy"...)
	if got := writeJSON(t, table); got != "[\n{\"a\":1},\n{\"a\":2}\n]\n" {
		t.Errorf("written: %s", got)
	}
}

func TestCellsReusesItsMemory(t *testing.T) {
	table := parse(t, `[{"a":1,"b":2},{"b":3}]`)
	cells := table.Cells(0, nil)
	first := &cells[0]
	cells = table.Cells(1, cells)
	if first != &cells[0] {
		t.Error("new memory was taken")
	}
	if cells[0].Kind() != lists.Missing || cells[1].Text() != "3" {
		t.Errorf("cells %q and %q, want none and 3", cells[0].Raw(), cells[1].Raw())
	}
}

func parse(t testing.TB, body string) *lists.Table {
	t.Helper()
	table, err := lists.Parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// rawCells returns the cells of a row after both ways of reading them agreed.
func rawCells(table *lists.Table, row int) []string {
	cells := []string{}
	for col, cell := range table.Cells(row, nil) {
		raw := string(cell.Raw())
		if single := table.Cell(row, col); string(single.Raw()) != raw || single.Kind() != cell.Kind() {
			raw = fmt.Sprintf("Cell: %s, Cells: %s", single.Raw(), raw)
		}
		if cell.Kind() == lists.Missing {
			raw = "-"
		}
		cells = append(cells, raw)
	}
	return cells
}

func writeJSON(t testing.TB, table *lists.Table) string {
	t.Helper()
	var out bytes.Buffer
	if err := table.Write(t.Context(), &out, lists.AsJSON, lists.View{}); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out.Bytes()) {
		t.Fatalf("not valid JSON: %.200s", out.Bytes())
	}
	return out.String()
}

// wideBody is one record with n members: k0, k1, ...
func wideBody(n int) string {
	var body strings.Builder
	for i := range n {
		fmt.Fprintf(&body, `,"k%d":%d`, i, i)
	}
	return "[{" + body.String()[1:] + "}]"
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestCellsTellTheirKindAndText(t *testing.T) {
	tests := []struct {
		raw  string
		kind lists.Kind
		text string
	}{
		{`null`, lists.Null, "null"},
		{`""`, lists.String, ""},
		{`"plain"`, lists.String, "plain"},
		{`"\u6771\u4eac \"q\" \\ \/ \n"`, lists.String, "東京 \"q\" \\ / \n"},
		{`"\ud83d\ude00"`, lists.String, "😀"},
		{`"\ud83d lone"`, lists.String, "\uFFFD lone"},
		{"\"bad \xff\"", lists.String, "bad \uFFFD"},
		{`123456789012345678901`, lists.Number, "123456789012345678901"},
		{`1e400`, lists.Number, "1e400"},
		{`-0.10`, lists.Number, "-0.10"},
		{`true`, lists.Bool, "true"},
		{`false`, lists.Bool, "false"},
		{`[ ]`, lists.Array, "[0]"},
		{`[1, [2, 3], {"a": [4, 5]}]`, lists.Array, "[3]"},
		{`{ }`, lists.Object, "{}"},
	}
	for _, test := range tests {
		cell := parse(t, `[{"c":`+test.raw+`}]`).Cell(0, 0)
		if cell.Kind() != test.kind || cell.Text() != test.text || string(cell.Raw()) != test.raw {
			t.Errorf("%s: kind %d, text %q, raw %s; want kind %d, text %q", test.raw, cell.Kind(), cell.Text(), cell.Raw(), test.kind, test.text)
		}
	}
}

func TestMissingNullAndEmptyAreDifferent(t *testing.T) {
	table := parse(t, `[{"c":""},{"c":null},{}]`)
	for row, want := range []lists.Kind{lists.String, lists.Null, lists.Missing} {
		if got := table.Cell(row, 0).Kind(); got != want {
			t.Errorf("row %d is of kind %d, want %d", row, got, want)
		}
	}
	if missing := table.Cell(2, 0); missing.Text() != "" || missing.Raw() != nil {
		t.Errorf("a missing cell is %q, raw %q; want nothing", missing.Text(), missing.Raw())
	}
}
