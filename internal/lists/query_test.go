package lists_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
)

var noon = lists.Asker{Now: time.Date(2020, 3, 1, 12, 0, 0, 0, time.UTC)}

// files is records of files; what is found in it is told by the letters of their ids.
const files = `[
	{"Id":"a","Name":"Annual Report","Owner":{"Mail":"ann@x.example"},"DiskUsage":999,"CreateTime":"2020-01-31T23:59:59Z","ShareTick":637134336000000000,"display name":"One Two","Tags":["red","blue"]},
	{"Id":"b","Name":"annual","Owner":{"Mail":"bo@x.example"},"DiskUsage":1000,"CreateTime":"2020-02-01","ShareTick":0,"display name":"two","Tags":[]},
	{"Id":"c","Name":"null","Owner":{"Mail":null},"DiskUsage":1500000000,"CreateTime":"2020-03-01T11:30:00","ShareTick":637160256000000000,"display name":"","Tags":["reddish"]},
	{"Id":"d","Name":"","Owner":{},"DiskUsage":123456789012345678901,"CreateTime":"0001-01-01T00:00:00Z","ShareTick":637186176000000000,"Price":1.10},
	{"Id":"e","Name":"see http://x.example \"now\"","DiskUsage":1001,"CreateTime":null,"Price":-3,"Version":"file10"},
	{"Id":"f","Name":"missing","Owner":{"Mail":"ann@y.example","Id":"z"},"Price":1.1,"Version":"File9"}
]`

func TestTheQueryLanguage(t *testing.T) {
	tests := []struct{ query, want string }{
		{"", "abcdef"},
		{"annual", "ab"},
		{"annual report", "a"},
		{`"annual report"`, "a"},
		{`"report annual"`, ""},
		{`"annual rep`, "a"},
		{`"\"now\""`, "e"},
		{`"\u0041nnual"`, "ab"},
		{"!annual", "cdef"},
		{"!!annual", "ab"},
		{`!"annual report"`, "bcdef"},
		{"http://x", "e"},
		{`"`, "abcdef"},
		{`""`, "abcdef"},
		{"!", ""},

		{"annual | missing", "abf"},
		{"annual report | name:missing", "af"},
		{"report bo@ | name:null !annual", "c"},
		{"!annual | report", "acdef"},
		{"| annual |", "ab"},
		{"|", "abcdef"},
		{"annual | disk:", "ab"},
		{`"|"`, ""},
		{"annual|report", "ab"},
		{"name:annual |", "ab"},

		{"~anual", "ab"},
		{"~reprot", "a"},
		{"~rreport", "a"},
		{"~raport", "a"},
		{"~eport", "a"},
		{"~reports", "a"},
		{"~porter", ""},
		{"!~anual", "cdef"},
		{`~"anual report"`, "a"},
		{"mail:~exampel", "abf"},
		{`mail:"~exampel"`, ""},
		{"~ann", "abf"},
		{"~15000000", "c"},
		{"~", ""},

		{"name:annual", "ab"},
		{"NAME:ANNUAL", "ab"},
		{"name:x.example", "e"},
		{`name:"annual r"`, "a"},
		{"!name:annual", "cdef"},
		{"mail:ann", "af"},
		{"owner.mail:ann", "af"},
		{"own:ann", ""}, // three columns begin so, or have parts that do
		{"disk:15", "c"},
		{`"display name":two`, "ab"},
		{`"display name":"one two"`, "a"},
		{"tags:red", "ac"},
		{"tags:1", ""},
		{"id:z", ""}, // the full name of one column, so not the last part of the other
		{"owner.id:z", "f"},
		{"nosuch:annual", ""},
		{"name:", "abcdef"},

		{"name=annual", "b"},
		{"name=ANNUAL", "b"},
		{`name="annual report"`, "a"},
		{"name=", "d"},
		{`name=""`, "d"},
		{"name=null", ""},
		{`name="null"`, "c"},
		{"name=missing", ""},
		{`name="missing"`, "f"},
		{"mail=null", "c"},
		{"mail=missing", "de"},
		{"mail=MISSING", "de"},
		{"mail!=null", "abdef"},
		{"!mail=null", "abdef"},
		{"!mail!=null", "c"},
		{"price=1.1", "f"},
		{"tags=[2]", "a"},

		{"name==ANNUAL", ""},
		{"name==annual", "b"},
		{"mail!==null", "abdef"},
		{"createtime=2020-02-01", "b"},

		{"diskusage>1000", "cde"},
		{"diskusage>=1000", "bcde"},
		{"diskusage<1k", "a"},
		{"diskusage>1.5GB", "d"},
		{"diskusage>=1.5gb", "cd"},
		{"diskusage<=0.0015T", "abce"},
		{"diskusage>123456789012345678900", "d"},
		{"diskusage<123456789012345678901", "abce"},
		{"price>1.099999999999999999999", "df"},
		{"price<0", "e"},
		{"price>=11e-1", "df"},
		{"version>file9", "e"},
		{"version<=file9", "f"},
		{"tags>0", "ac"},
		{"tags>=2", "a"},

		{"createtime<2020", ""},
		{"createtime>2020", ""},
		{"createtime>=2020", "abc"},
		{"createtime<2020-02", "a"},
		{"createtime>2020-01", "bc"},
		{"createtime<=2020-02", "ab"},
		{"createtime>=2020-02-01", "bc"},
		{"createtime>2020-02-01", "c"},
		{"createtime>2020-02-01T00:00", "c"},
		{"createtime>=2020-02-01T01:00+01:00", "bc"},
		{`createtime>"2020-01-31 23:59"`, "bc"},
		{`createtime>"2020-01-31 23:58"`, "abc"},
		{"createtime>7d", "c"},
		{"createtime>30m", ""},
		{"createtime>=30m", "c"},
		{"createtime<24h", "ab"},
		{"sharetick>2020-01", "d"},
		{"sharetick<2020-02", "ac"},
		{"sharetick>2019", "acd"},
		{"sharetick>637134336000000000", "cd"},
		{"sharetick>=0", "abcd"},
		{"createtime>soon", ""},
		{"annual !createtime<2020-02 diskusage>=1k", "b"},
	}
	table := parse(t, files)
	for _, test := range tests {
		t.Run(test.query, func(t *testing.T) {
			rows := search(t, table, table.Query(test.query, noon))
			found := ""
			for _, row := range rows {
				found += string('a' + rune(row))
			}
			if found != test.want {
				t.Errorf("finds %q, want %q", found, test.want)
			}
		})
	}
}

func TestColumnsOfOneNameAreAllLookedAt(t *testing.T) {
	table := parse(t, `[{"a.b":1,"x":{"c":"here"}},{"a":{"b":1},"y":{"c":"here"}},{"a":{"b":2}}]`)
	for query, want := range map[string][]int32{
		"a.b=1": {0, 1}, "c=here": {0, 1}, "x.c=here": {0}, "c=missing": {0, 1, 2}, "!c=here": {2},
	} {
		if diff := cmp.Diff(want, search(t, table, table.Query(query, noon))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestAQueryTellsWhatMaySurprise(t *testing.T) {
	tests := []struct {
		query string
		want  []lists.Notice
	}{
		{"annual name:x !mail=null http://x diskusage>1k 12:30", nil},
		{"foo:x foo:y", []lists.Notice{{Kind: lists.UnknownColumn, Text: "foo"}}},
		{"name:", []lists.Notice{{Kind: lists.MissingValue, Text: "name:"}}},
		{"createtime>soon", []lists.Notice{{Kind: lists.WrongValue, Text: "soon", Column: lists.TimeColumn}}},
		{"diskusage>2020-01", []lists.Notice{{Kind: lists.WrongValue, Text: "2020-01", Column: lists.BytesColumn}}},
		{`"annual rep`, []lists.Notice{{Kind: lists.OpenQuote}}},
		{"x onwer.mail:ann y", []lists.Notice{{
			Kind: lists.UnknownColumn, Text: "onwer.mail", Meant: nil, Fixes: nil,
		}}},
		{"x diskusgae > 1 GB y", []lists.Notice{{
			Kind: lists.UnknownColumn, Text: "diskusgae", Meant: []string{"disk"}, Fixes: []string{"x disk > 1 GB y"},
		}}},
		{"disk > 1 XB y", []lists.Notice{{
			Kind: lists.UnknownUnit, Text: "XB", Meant: []string{"GB", "MB", "kB"},
			Fixes: []string{"disk > 1 GB y", "disk > 1 MB y", "disk > 1 kB y"},
		}}},
		{"disk>1gx", []lists.Notice{{
			Kind: lists.UnknownUnit, Text: "gx", Meant: []string{"GB", "GiB"}, Fixes: []string{"disk>1GB", "disk>1GiB"},
		}}},
		{"disk>1,500MB", []lists.Notice{{
			Kind: lists.UnclearValue, Text: "1,500MB", Meant: []string{"1.5MB", "1500MB"}, Fixes: []string{"disk>1.5MB", "disk>1500MB"},
		}}},
		{"created>=03/04/2020", []lists.Notice{{
			Kind: lists.UnclearValue, Text: "03/04/2020", Meant: []string{"2020-04-03", "2020-03-04"},
			Fixes: []string{"created>=2020-04-03", "created>=2020-03-04"},
		}}},
		{"disk:1GB", []lists.Notice{{Kind: lists.ReadAs, Text: "disk:1GB", Meant: []string{"disk>=1GB"}}}},
	}
	table := parse(t, files)
	for _, test := range tests {
		if diff := cmp.Diff(test.want, table.Query(test.query, noon).Notices()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.query, diff)
		}
	}
	for body, want := range map[string]lists.Notice{
		`{"x":{"c":1},"y":{"c":1}}`: {Kind: lists.SeveralColumns, Text: "c", Meant: []string{"X c", "Y c"}},
		`{"cat":1,"cow":1}`: {
			Kind: lists.UnclearColumn, Text: "c", Meant: []string{"Cat", "Cow"}, Fixes: []string{"cat:1", "cow:1"},
		},
		`{"cat":1}`: {Kind: lists.NoSuchColumn, Text: ">1GB", Column: lists.BytesColumn},
	} {
		query := "c:1"
		if want.Kind == lists.NoSuchColumn {
			query = ">1GB"
		}
		if diff := cmp.Diff([]lists.Notice{want}, parse(t, body).Query(query, noon).Notices()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func TestNoticesAreSafeOnATerminal(t *testing.T) {
	table := parse(t, files)
	for query, want := range map[string]string{
		"\"f\x1b[31m\u202eo\":x": `no column "f\x1b[31m\u202eo"`,
		"disk>1XB":               `no unit "XB"`,
		"created>soon":           `"soon" cannot be compared with times`,
		"own:ann":                `"own" may be "Mail", "Owner" or "Owner id"`,
		"disk:1GB":               `"disk:1GB" is read as disk>=1GB`,
	} {
		notices := table.Query(query, noon).Notices()
		if len(notices) != 1 || notices[0].String() != want {
			t.Errorf("%s: %v, want %s", query, notices, want)
		}
	}
}

// isUnclear reports whether a name in a query means several columns, or may.
func isUnclear(q *lists.Query) bool {
	return slices.ContainsFunc(q.Notices(), func(n lists.Notice) bool {
		return n.Kind == lists.UnclearColumn || n.Kind == lists.SeveralColumns
	})
}

// TestANameIsMeantByAnyOfItsWords asks as people do who have not looked up the names.
func TestANameIsMeantByAnyOfItsWords(t *testing.T) {
	table := parse(t, sharesOfMany(30))
	for query, want := range map[string]struct {
		rows    int
		unclear bool
	}{
		"usage>100000":    {17, true},
		"disk>100kB":      {17, false},
		"diskusage>100kB": {17, false},
		"hist>=29":        {1, false},
		"category:2":      {10, false},
		"owner:ann7@":     {1, false},
		"tick>=2015":      {30, false},
		"deleted:0001":    {30, false},
		"stamp>=20":       {1, false},
		"share:7":         {3, true},
		"e:1":             {10, false},
		"s:1":             {0, true},
	} {
		q := table.Query(query, noon)
		if got := len(filter(t, table, query, nil)); got != want.rows || isUnclear(q) != want.unclear {
			t.Errorf("%s finds %d rows, want %d; unclear: %t; %q", query, got, want.rows, isUnclear(q), q.Notices())
		}
	}
}

func TestAQueryMarksWhatItLooksFor(t *testing.T) {
	table := parse(t, files)
	q := table.Query(`Annual !report name:"a b" name=Annual mail:ann mail=null diskusage>1000 foo:x`, noon)
	for column, want := range map[string][]string{
		"Name":       {"Annual", "a b", "foo:x"},
		"Owner.Mail": {"Annual", "ann", "foo:x"},
		"DiskUsage":  {"Annual", "foo:x"},
	} {
		got := q.Marks(columnIndex(t, table, column))
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", column, diff)
		}
	}
}

func TestATermIsAsItWouldBeTyped(t *testing.T) {
	table := parse(t, `[{"Owner":"Lars Jensen","Usage":5,"a b":"x","n":null,"s":"null","e":"","q":"say \"\\\"","c":"\u0007","bang!":true,"x=y":"!z","t":[1, "a b"],"d":"5","l":"[1]"},{}]`)
	want := []string{`Owner="Lars Jensen"`, `Usage=5`, `"a b"=x`, `n=null`, `s="null"`, `e=""`, `q="say \"\\\""`, `c="\a"`, `"bang!"=true`, `"x=y"="!z"`, `t=[2]`, `d=5`, `l=[1]`}
	for col := range want {
		if got := table.Term(col, table.Cell(0, col)); got != want[col] {
			t.Errorf("%s, want %s", got, want[col])
		}
		if got := search(t, table, table.Query(want[col], noon)); !slices.Equal(got, []int32{0}) {
			t.Errorf("%s finds %v, want the first row", want[col], got)
		}
	}
	if got := table.Term(0, table.Cell(1, 0)); got != "Owner=missing" {
		t.Errorf("%s, want Owner=missing", got)
	}
}

func TestTheHelpIsUnderstood(t *testing.T) {
	table := parse(t, `{"Owner":"x","Usage":1,"Created":"2020-01-01","Display Name":"x"}`)
	for _, help := range lists.QueryHelp() {
		q := table.Query(help.Example, noon)
		if q.Empty() || len(q.Notices()) > 0 || help.Meaning == "" {
			t.Errorf("%s: empty %t, notes %q, meaning %q", help.Example, q.Empty(), q.Notices(), help.Meaning)
		}
	}
}

func TestASearchGoesOnWhereItWasStopped(t *testing.T) {
	table := parse(t, strings.Repeat("1\n", 100_000))
	s := table.Search(table.Query("1", noon), nil)
	if more, err := s.Next(t.Context()); !more || err != nil || len(s.Rows()) == 0 || len(s.Rows()) > 50_000 {
		t.Fatalf("the first stretch: more %t, %v, %d rows", more, err, len(s.Rows()))
	}
	first := s.Rows()
	for _, ctx := range []context.Context{cancelled(t), newEndingContext(t, 3)} {
		if more, err := s.Next(ctx); !more || !errors.Is(err, context.Canceled) || len(s.Rows()) != len(first) {
			t.Fatalf("a stretch that is cancelled: more %t, %v, %d rows", more, err, len(s.Rows()))
		}
	}
	grown := len(first)
	for more := true; more; {
		var err error
		if more, err = s.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		if more && len(s.Rows())-grown <= len(first) {
			t.Errorf("a stretch of %d rows, want more than the first, %d", len(s.Rows())-grown, len(first))
		}
		grown = len(s.Rows())
	}
	if diff := cmp.Diff(allRows(table), s.Rows()); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if !slices.Equal(first, allRows(table)[:len(first)]) {
		t.Error("rows that were returned before changed")
	}
	if more, err := s.Next(t.Context()); more || err != nil || len(s.Rows()) != table.Len() {
		t.Errorf("behind the end: more %t, %v, %d rows", more, err, len(s.Rows()))
	}
}

func TestASearchInNoRowsFindsNone(t *testing.T) {
	table := parse(t, `["a"]`)
	s := table.Search(table.Query("a", noon), []int32{})
	if more, err := s.Next(t.Context()); more || err != nil || s.Rows() == nil || len(s.Rows()) > 0 {
		t.Errorf("more %t, %v, rows %v; want none, and not nil", more, err, s.Rows())
	}
}

func TestALongQueryKeepsNobodyWaiting(t *testing.T) {
	table := parse(t, files)
	size, limit := testkit.LongAnswer(t)
	for _, query := range []string{
		testkit.Fill(size, "a"), testkit.Fill(size, "!"), testkit.Fill(size/4, `"`), testkit.Fill(7000, "name:a "),
		"diskusage>" + testkit.Fill(size, "9"), "diskusage>1e" + testkit.Fill(size, "9"),
		"createtime>9999999w", fmt.Sprintf("createtime>%d", 1<<62),
	} {
		testkit.RequireCPU(t, limit, fmt.Sprintf("%.20s", query), func() {
			search(t, table, table.Query(query, noon))
		})
	}
}

func search(t *testing.T, table *lists.Table, q *lists.Query) []int32 {
	t.Helper()
	s := table.Search(q, nil)
	for {
		more, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return s.Rows()
		}
	}
}

// A long list is searched for a word first, which a number does not have.
func TestANumberIsFoundByItsMeaningInALongList(t *testing.T) {
	table := parse(t, "["+strings.Repeat(`{"ParentType":1,"ShareType":0},`, 499)+`{"ParentType":1,"ShareType":1}]`)
	for query, want := range map[string]int{"type:normal": 499, "type=normal": 499, "!type:normal": 1, "type:sub": 1} {
		if got := len(search(t, table, table.Query(query, noon))); got != want {
			t.Errorf("%s finds %d rows, want %d", query, got, want)
		}
	}
}

func TestANumberIsFoundByItsMeaning(t *testing.T) {
	table := parse(t, `[{"ShareAssociationType":2,"Name":"owner"},{"ShareAssociationType":1},{"ShareAssociationType":"2 owner"},{"ShareAssociationType":7},{"Other":2}]`)
	for query, want := range map[string][]int32{
		"association:owner": {0, 2}, "association:WRI": {1}, `association:"1 write"`: {1}, "association=write": {1},
		"association==owner": {0}, "association==OWNER": {}, "association!=owner": {1, 2, 3, 4}, "association:7": {3}, "association:nobody": {}, "other:owner": {},
	} {
		if diff := cmp.Diff(want, search(t, table, table.Query(query, noon))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}
