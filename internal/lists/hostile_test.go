package lists_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/jsonscan"
)

func TestBadInputIsShownAsItIsOrRefused(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	tests := []struct {
		name, body string
		columns    string // joined by spaces
		texts      string // of all cells, joined by spaces; rows by line breaks
		refused    string // or why the body is refused
	}{
		{"20,000 levels of arrays", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), "", "", "more than 9999 levels of nesting"},
		{"20,000 levels of objects", strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000), "", "", "more than 9999 levels of nesting"},
		{"20,000 levels in one record", `[1,` + strings.Repeat(`{"a":[`, 10_000) + strings.Repeat("]}", 10_000) + "]", "", "", "more than 9999 levels of nesting"},
		{"duplicate keys", `[{"a":1,"b":2,"a":3},{"b":{"c":1},"b":{"c":4}}]`, "a b b.c", "3 2 -\n- - 4", ""},
		{"duplicate lists", `{"Data":[1],"Data":[2,3]}`, "Data", "[2]", ""},
		{"invalid UTF-8", "[{\"a\":\"\xff\xe6\x9d\",\"\xfe\":1}]", "a \uFFFD", "\uFFFD\uFFFD\uFFFD 1", ""},
		{"overlong and surrogate UTF-8", "[\"\xc0\x80\xed\xa0\x80\"]", "value", strings.Repeat("\uFFFD", 5), ""},
		{"lone surrogates", `["\ud83d","\ude00\ud83d","\ud83dx","\ud83d\ude00"]`, "value", "\uFFFD\n\uFFFD\uFFFD\n\uFFFDx\n😀", ""},
		{"not a number", `[NaN]`, "", "", "'N' where a value was expected"},
		{"infinity", `[1,Infinity]`, "", "", "'I' where a value was expected"},
		{"a number with no end in sight", `[1e999999999,-0.0,1E-400]`, "value", "1e999999999\n-0.0\n1E-400", ""},
		{"21 digits", `[{"a":123456789012345678901},{"a":123456789012345678902}]`, "a", "123456789012345678901\n123456789012345678902", ""},
		{"strings of 1 MB", `["` + long + `",{"` + "k" + `":"` + long + `"}]`, "value k", long + " -\n- " + long, ""},
		{"array of arrays", `[[1,[2]],[],[[[]]]]`, "value", "[2]\n[0]\n[1]", ""},
		{"lines of every kind", "{\"a\":1}\r\n[2]\n\n\"x\"\nnull\ntrue", "a value", "1 -\n- [1]\n- x\n- null\n- true", ""},
		{"lines, one of them broken", "{\"a\":1}\n{\"a\":\n{\"a\":3}}x", "", "", "'x' where a value was expected"},
		{"UTF-16", "\xff\xfe[\x00]\x00", "", "", `'�' where a value was expected`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for way, read := range ways {
				table, err := read(test.body)
				var syntax *jsonscan.SyntaxError
				if errors.As(err, &syntax) != (test.refused != "") || syntax != nil && syntax.Reason != test.refused {
					t.Fatalf("%s: error %v, want %q", way, err, test.refused)
				}
				if err != nil {
					continue
				}
				if diff := cmp.Diff(test.columns, strings.Join(table.Columns(), " ")); diff != "" {
					t.Errorf("%s: columns (-want +got):\n%s", way, diff)
				}
				if got := shownText(table); got != test.texts {
					t.Errorf("%s: cells\n%.200q, want\n%.200q", way, got, test.texts)
				}
			}
		})
	}
}

// Every record has other members than all before it.
func TestColumnsThatNeverEndAreCapped(t *testing.T) {
	var body strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&body, `{"k%d":{"a":%d}}`, i, i)
	}
	for way, read := range ways {
		table, err := read(body.String())
		if err != nil {
			t.Fatalf("%s: %v", way, err)
		}
		if table.Len() != 20_000 || !table.Truncated() || len(table.Columns()) > lists.MaxColumns {
			t.Errorf("%s: %d rows, %d columns, truncated %t", way, table.Len(), len(table.Columns()), table.Truncated())
		}
	}
}

func TestMembersWithoutRoomTakeNoMemory(t *testing.T) {
	body := strings.Repeat(`{"`+strings.Repeat("x", 64)+`":`, 62) + "{" + strings.Repeat(`"`+strings.Repeat("y", 99)+`":1,`, 10_000) + `"z":1}` + strings.Repeat("}", 62)
	if n := testing.AllocsPerRun(1, func() { parse(t, body) }); n > 1000 {
		t.Errorf("%v pieces of memory for 10,000 such members", n)
	}
}

// ways are all that a body comes in by.
var ways = map[string]func(body string) (*lists.Table, error){
	"parsed": func(body string) (*lists.Table, error) { return lists.Parse([]byte(body)) },
	"streamed": func(body string) (*lists.Table, error) {
		s := lists.NewStream(int64(len(body)))
		_, err := s.ReadFrom(iotest.HalfReader(strings.NewReader(body)))
		return s.Table(), err
	},
	"streamed byte by byte": func(body string) (*lists.Table, error) {
		s := lists.NewStream(-1)
		_, err := s.ReadFrom(iotest.OneByteReader(strings.NewReader(body)))
		return s.Table(), err
	},
}

// shownText returns what a person reads in all cells.
func shownText(table *lists.Table) string {
	var rows []string
	for row := range table.Len() {
		var cells []string
		for _, cell := range table.Cells(row, nil) {
			text := cell.Text()
			if cell.Kind() == lists.Missing {
				text = "-"
			}
			cells = append(cells, text)
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return strings.Join(rows, "\n")
}
