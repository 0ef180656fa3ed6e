package records

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

var testNow = time.Date(2020, 3, 1, 12, 0, 0, 0, time.UTC)

// typedBody is records with values of every kind, some of them of another kind than their column.
func typedBody(random *rand.Rand) []byte {
	pick := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	stray := func(usual string) string {
		if random.IntN(12) == 0 {
			return pick("null", `"n/a"`, "[]", "7", `""`)
		}
		return usual
	}
	clean := random.IntN(2) == 0 // no strays, so that columns have kinds
	var out strings.Builder
	for range random.IntN(12) {
		members := []string{}
		add := func(name, value string) {
			if !clean {
				value = stray(value)
			}
			if random.IntN(10) > 0 {
				members = append(members, fmt.Sprintf("%q:%s", name, value))
			}
		}
		add("Name", pick(`"file10"`, `"File 2"`, `"Lars Jensen"`, `"null"`, `"missing"`, `"http://x"`, `"\u006Cars"`, `"a\"b\\c"`, `"!x"`, `"tab\there"`, `"ſ"`, `""`))
		add("name", pick(`"x"`, `"lars"`, `"10"`, `"9"`))
		add("Share.Owner", pick(`"ann@x.example"`, `"Bo@x.example"`, "null"))
		add("DiskUsage", pick("0", "999", "1000", "1001", "1500000000", "123456789012345678901"))
		add("Score", pick("1", "-1.5", "10", "1e2", "0.1", "100", "9007199254740993"))
		add("CreateTime", pick(`"2020-01-31T23:59:59.9999999Z"`, `"2020-02-01"`, `"2020-02-29T00:00:00+02:00"`, `"0001-01-01T00:00:00Z"`, `"2019-12-31 10:00"`, `"2020-03-01T11:30:00Z"`))
		add("ShareTick", pick("635584236915068204", "637134336000000000", "0", "637160256000000000"))
		add("Tags", pick("[]", `["red","lars"]`, `[1,2,3]`, `[{"a":"deep"}]`))
		add("display name", pick(`"x y"`, `"z"`, "true", "false"))
		add("a", pick(`{"b":1,"Id":"x"}`, `{"b":"lars"}`, "{}", "3"))
		add("a.b", pick("2", `"x"`))
		add("Id", pick(`"00000000-0000-4000-8000-00000000000a"`, `"{00000000-0000-4000-8000-00000000000B}"`, `"0000000000004000800000000000000A"`))
		fmt.Fprintf(&out, "{%s}\n", strings.Join(members, ","))
	}
	out.WriteString("{}\n")
	return []byte(out.String())
}

func FuzzTerm(f *testing.F) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 20 {
		f.Add(typedBody(random))
		f.Add(randomBody(random))
	}
	for _, body := range spelledBodies {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		table, err := Parse(body)
		if err != nil || table.Len() > 20 {
			return
		}
		for col := range min(len(table.columns.columns), 20) {
			for row := range table.Len() {
				checkTerm(t, table, row, col)
			}
		}
		checkGroupTerms(t, table)
	})
}

func mustParse(t *testing.T, body []byte) *Table {
	t.Helper()
	table, err := Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func runQuery(t *testing.T, table *Table, q *Query, rows []int32) []int32 {
	t.Helper()
	s := table.Search(q, rows)
	s.stretch = 3 // so that several stretches are needed
	for {
		more, err := s.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return s.Rows()
		}
	}
}

func checkTerm(t *testing.T, table *Table, row, col int) {
	t.Helper()
	cell := table.Cell(row, col)
	want := []int32{}
	for other := range table.Len() {
		for namesake, column := range table.columns.columns {
			if column == table.columns.columns[col] && sameValue(cell, table.Cell(other, namesake)) {
				want = append(want, int32(other))
				break
			}
		}
	}
	term := table.Term(col, cell)
	if got := runQuery(t, table, table.Query(term, testNow), nil); !slices.Equal(want, got) {
		t.Fatalf("the term %q of row %d of %q finds %v, want %v", term, row, table.body, got, want)
	}
}

// spelledBodies have values that are hard to write, or to tell apart.
var spelledBodies = []string{
	`[{"v":"Ann"},{"v":"ann"},{"v":"\u0041nn"},{"v":"5"},{"v":5},{"v":5.0},{"v":"true"},{"v":true},{"v":"null"},{"v":null},{"v":"missing"},{"v":"Missing"},{},{"v":""}]`,
	`[{"v":["x y"]},{"v":[ "x\u0020y" ]},{"v":["X y"]},{"v":"[\"x y\"]"},{"v":"[]"},{"v":[]},{"v":[ ]},{"v":"[x"},{"v":"[ x"},{"v":{}},{"v":"{}"}]`,
	"[{\"v\":[\"\xff\"]},{\"v\":[\"\\ud800\"]},{\"v\":[\"\u202e\u00a0\"]},{\"v\":[\"\\u202E\\u00a0\"]},{\"v\":\"\xff\"},{\"v\":\"\\u202e=\"},{\"v\":\"=\"}]",
	`[{"v":{"a":1,"b":2}},{"v":[{"\u0061":1,"b":"\\"}]},{"v":[{"a":1,"b":"\u005c"}]},{"v":[{"b":2,"a":1}]},{"v":[1]},{"v":[1.0]},{"v":-0},{"v":0},{"v":1e5},{"v":1E5}]`,
	`[{"v!":"x","=":1,"":"a","a b":"!z","!":"\"","v:":"//x"}]`,
}

// checkGroupTerms fails unless the term of each value of a column that has its name
// alone, one of the first 20, finds as many rows as the value has, and the negated term the others. It
// returns how many values there are.
func checkGroupTerms(t *testing.T, table *Table) (values int) {
	t.Helper()
	for col, column := range table.columns.columns[:min(len(table.columns.columns), 20)] {
		if len(table.ColumnsNamed(column.Name)) > 1 {
			continue
		}
		counted, err := table.Distribution(t.Context(), nil, ColumnInfo{Index: col}, Format{}, table.Len())
		if err != nil {
			t.Fatal(err)
		}
		buckets := append(counted.Buckets, Bucket{Rows: counted.Missing}, Bucket{Cell: NullCell(), Rows: counted.Nulls})
		values += len(buckets)
		for _, b := range buckets {
			term := table.Term(col, b.Cell)
			found, others := runQuery(t, table, table.Query(term, testNow), nil), runQuery(t, table, table.Query("!"+term, testNow), nil)
			if len(found) != b.Rows || len(others) != table.Len()-b.Rows {
				t.Fatalf("%s finds %d rows of %q, and the others are %d; want %d", term, len(found), table.body, len(others), b.Rows)
			}
			if strings.ContainsFunc(term, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Fatalf("%q cannot be shown", term)
			}
		}
	}
	return values
}

func sameValue(a, b Cell) bool {
	return slices.Equal(jsonTokens(a.Raw()), jsonTokens(b.Raw()))
}

func jsonTokens(raw []byte) (tokens []json.Token) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if err != nil {
			return tokens
		}
		tokens = append(tokens, token)
	}
}
