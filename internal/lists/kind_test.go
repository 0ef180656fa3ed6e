package lists_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
)

func TestTheKindOfAColumnFitsAllItsValues(t *testing.T) {
	tests := []struct {
		name, column string
		values       []string // nothing: the member is missing
		want         lists.ColumnKind
	}{
		{"nothing but nulls", "x", []string{"null", "", "null"}, lists.NullColumn},
		{"numbers", "x", []string{"1", "-2.5", "1e300", "123456789012345678901", "null", ""}, lists.NumberColumn},
		{"booleans", "x", []string{"true", "false", "null"}, lists.BoolColumn},
		{"lists", "x", []string{"[]", "[1]"}, lists.ListColumn},
		{"text", "x", []string{`"a"`, `""`}, lists.TextColumn},
		{"numbers and text", "x", []string{"1", `"1"`}, lists.TextColumn},
		{"booleans and numbers", "x", []string{"true", "1"}, lists.TextColumn},
		{"empty objects", "x", []string{"{}", "null"}, lists.TextColumn},

		{"GUIDs of every form", "x", []string{`"01234567-89ab-cdef-0123-456789ABCDEF"`, `"{01234567-89ab-cdef-0123-456789abcdef}"`, `"0123456789abcdef0123456789abcdef"`}, lists.GUIDColumn},
		{"a dash in the wrong place", "x", []string{`"0123456-789ab-cdef-0123-456789abcdef"`}, lists.TextColumn},
		{"a brace that is not closed", "x", []string{`"{01234567-89ab-cdef-0123-456789abcdef"`}, lists.TextColumn},
		{"a GUID and an empty text", "x", []string{`"0123456789abcdef0123456789abcdef"`, `""`}, lists.TextColumn},

		{"times of every form", "x", []string{
			`"2017-10-03T12:57:14.295242Z"`, `"2017-10-03"`, `"2017-10-03T12:57:14.2952421"`, `"2017-10-03 12:57"`,
			`"2017-10-03T12:57:14+02:00"`, `"2017-10-03T12:57:14\u002B0200"`, `"0001-01-01T00:00:00Z"`, "null",
		}, lists.TimeColumn},
		{"a day that is not there", "x", []string{`"2017-02-29"`}, lists.TextColumn},
		{"a time and a word", "x", []string{`"2017-10-03"`, `"never"`}, lists.TextColumn},
		{"years alone", "x", []string{`"2017"`}, lists.TextColumn},
		{"months alone", "x", []string{`"2017-10"`}, lists.TextColumn},

		{"ticks", "ShareTick", []string{"635584236915068204", "0"}, lists.TicksColumn},
		{"ticks in a nested column", "TimeStamps.Created", []string{"635584236915068204"}, lists.TicksColumn},
		{"ticks in snake case", "last_modified_by_time", []string{"635584236915068204"}, lists.TicksColumn},
		{"a name that only contains time", "Sometimes", []string{"635584236915068204"}, lists.NumberColumn},
		{"a name that says nothing", "Stock", []string{"635584236915068204"}, lists.NumberColumn},
		{"only zeros", "ShareTick", []string{"0"}, lists.NumberColumn},
		{"a small number", "ShareTick", []string{"635584236915068204", "1700000000"}, lists.NumberColumn},
		{"a fraction", "ShareTick", []string{"635584236915068204.0"}, lists.NumberColumn},
		{"21 digits", "GlobalStamp", []string{"635584236915068204123"}, lists.NumberColumn},
		{"the first moment of 1900", "tick", []string{"599266080000000000"}, lists.TicksColumn},
		{"before it", "tick", []string{"599266079999999999"}, lists.NumberColumn},
		{"the last moment of 2200", "tick", []string{"694252511999999999"}, lists.TicksColumn},
		{"behind it", "tick", []string{"694252512000000000"}, lists.NumberColumn},

		{"bytes", "SpaceUsage.DiskUsage", []string{"0", "123456789012345678901"}, lists.BytesColumn},
		{"a size below 0", "FileSize", []string{"-1"}, lists.NumberColumn},
		{"half a byte", "quota", []string{"0.5"}, lists.NumberColumn},
		{"a count", "UsageCount", []string{"5"}, lists.NumberColumn},
		{"an id", "spaceId", []string{"5"}, lists.NumberColumn},
		{"a count inside a usage", "SpaceUsage.Files", []string{"5"}, lists.NumberColumn},

		{"e-mail", "x", []string{`"ann.lee+1@harbor.example"`, `"o'neil@a-b.co.uk"`, `"名@例え.みんな"`}, lists.EmailColumn},
		{"no domain", "x", []string{`"ann@"`}, lists.TextColumn},
		{"no dot in the domain", "x", []string{`"ann@localhost"`}, lists.TextColumn},
		{"an empty label", "x", []string{`"ann@a..example"`}, lists.TextColumn},
		{"a dot in front", "x", []string{`".ann@a.example"`}, lists.TextColumn},
		{"two addresses", "x", []string{`"a@b.example, c@d.example"`}, lists.TextColumn},
		{"two at signs", "x", []string{`"a@b@c.example"`}, lists.TextColumn},
		{"a number as the last label", "x", []string{`"a@127.0.0.1"`}, lists.TextColumn},
		{"a name with it", "x", []string{`"Ann <a@b.example>"`}, lists.TextColumn},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table := parse(t, columnBody(test.column, test.values))
			if got := sampledKinds(table)[columnIndex(t, table, test.column)]; got != test.want {
				t.Errorf("%s is of %v, want %v", test.values, got, test.want)
			}
		})
	}
}

// columnBody is a record for each value, "" for none.
func columnBody(column string, values []string) string {
	before, after := "{", "}"
	for _, member := range strings.Split(column, ".") {
		before += fmt.Sprintf("%q:", member) + "{"
		after += "}"
	}
	before, after = strings.TrimSuffix(before, "{"), strings.TrimPrefix(after, "}")
	body := before + "null" + after + "\n"
	for _, value := range values {
		if value == "" {
			body += "{}\n"
		} else {
			body += before + value + after + "\n"
		}
	}
	return body
}

func TestASampleOfTheKindsIsOfTheFirstRows(t *testing.T) {
	table := parse(t, strings.Repeat("{\"x\":1}\n", 1000)+`{"x":"text"}`)
	if diff := cmp.Diff([]lists.ColumnKind{lists.NumberColumn}, sampledKinds(table)); diff != "" {
		t.Errorf("sampled (-want +got):\n%s", diff)
	}
}

func TestASampleOfTheKindsIsOfFewLongRows(t *testing.T) {
	long := strings.Repeat("x", 600<<10)
	table := parse(t, `{"n":1,"t":"`+long+`"}{"n":2,"t":"`+long+`"}{"n":"text"}`)
	if diff := cmp.Diff([]lists.ColumnKind{lists.NumberColumn, lists.TextColumn}, sampledKinds(table)); diff != "" {
		t.Errorf("sampled (-want +got):\n%s", diff)
	}
}

func TestEveryKindHasAName(t *testing.T) {
	seen := map[string]bool{}
	for kind := lists.TextColumn; kind <= lists.NullColumn; kind++ {
		if name := kind.String(); name == "" || seen[name] {
			t.Errorf("kind %d is called %q, which is nothing or taken", kind, name)
		} else {
			seen[name] = true
		}
	}
}

func TestCellsGiveTheirTime(t *testing.T) {
	tests := []struct {
		raw  string
		kind lists.ColumnKind
		want string // "": none
	}{
		{`"2017-10-03T00:30:00+02:00"`, lists.TimeColumn, "2017-10-02T22:30:00Z"},
		{`635584236915068204`, lists.TicksColumn, "2015-02-01T21:41:31.5068204Z"},
		{`0`, lists.TicksColumn, "0001-01-01T00:00:00Z"},
		{`3155378975999999999`, lists.TicksColumn, "9999-12-31T23:59:59.9999999Z"},
		{`3155378976000000000`, lists.TicksColumn, ""},
		{`99999999999999999999`, lists.TicksColumn, ""},
		{`-1`, lists.TicksColumn, ""},
		{`1e17`, lists.TicksColumn, ""},
		{`635584236915068204`, lists.TimeColumn, ""},
		{`"2017-10-03"`, lists.TicksColumn, ""},
		{`"2017-10-03"`, lists.TextColumn, ""},
		{`null`, lists.TimeColumn, ""},
	}
	for _, test := range tests {
		instant, ok := parse(t, `[{"c":`+test.raw+`}]`).Cell(0, 0).Time(test.kind)
		got := ""
		if ok {
			got = instant.Format(time.RFC3339Nano)
		}
		if got != test.want {
			t.Errorf("%s as %v is %q, want %q", test.raw, test.kind, got, test.want)
		}
	}
	if instant, _ := parse(t, `0`).Cell(0, 0).Time(lists.TicksColumn); !instant.IsZero() {
		t.Errorf("0 ticks are %v, want the zero time", instant)
	}
}

func sampledKinds(table *lists.Table) []lists.ColumnKind {
	kinds := make([]lists.ColumnKind, len(table.Columns()))
	for _, column := range table.DisplayColumns() {
		kinds[column.Index] = column.Kind
	}
	return kinds
}

// benchmarkFresh runs work on tables that were not asked anything before.
func benchmarkFresh(b *testing.B, work func(b *testing.B, table *lists.Table)) {
	benchmark(b, func(b *testing.B, table *lists.Table) {
		body := string(shareBodies()[table.Len()])
		for b.Loop() {
			b.StopTimer()
			table := parse(b, body)
			b.StartTimer()
			work(b, table)
		}
	})
}
