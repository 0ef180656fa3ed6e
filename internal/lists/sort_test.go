package lists_test

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
)

func TestSortOrdersValues(t *testing.T) {
	// Each body is in ascending order already; its values are all different.
	tests := []struct{ name, body string }{
		{"whole numbers", `[-123456789012345678901,-20,-3,0,7,10,9007199254740992,9007199254740993,123456789012345678901,123456789012345678902]`},
		{"fractions", `[-0.2,-0.19,0.001,0.1,0.10000000000000000000000001,0.2,1.5,1.50000000000000000000000001]`},
		{"exponents", `[-1e999999999,-1e400,-1e-400,1e-999999999,1e-400,12e-2,1E+2,101,1e400,1.1e400,1e999999999]`},
		{"exponents past any integer", `[-1e99999999999999999999,1e-99999999999999999999,1,1e99999999999999999999]`},
		{"natural order", `["","file","file2","file10","file10a","file10b","file99999999999999999999998","file99999999999999999999999","filea"]`},
		{"numbers inside", `["a1b2","a1b10","a2b1","a10"]`},
		{"without case", `["Apple","banana","Cherry","éclair","Éclairs","σας"]`},
		{"numbers before text", `[5,1e3,"1","a",false,true]`},
		{"lists by length", `[[],[9,9],[1,1,1,1,1,1,1,1,1,1]]`},
		{"times as instants", `["0000-12-31T23:59:59Z","0001-01-01","2020-01-01T01:00+02:00","2020-01-01","2020-01-01 00:00:00.123456701","2020-01-01T00:00:00.123456702Z","2020-01-01T00:00:00.1234568Z","2019-12-31T23:30-01:00",null]`},
		{"null last", `[1,"a",null]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table := parse(t, test.body)
			ascending := allRows(table)
			got := slices.Clone(ascending)
			slices.Reverse(got)
			sortRows(t, table, got, 0, false)
			if diff := cmp.Diff(texts(table, ascending, 0), texts(table, got, 0)); diff != "" {
				t.Errorf("ascending (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNumbersAreOrderedLikeRationals(t *testing.T) {
	var numbers []string
	for _, sign := range []string{"", "-"} {
		for _, whole := range []string{"0", "1", "9", "10", "100", "123456789012345678901"} {
			for _, fraction := range []string{"", ".0", ".5", ".05", ".50", ".000001"} {
				for _, exponent := range []string{"", "e0", "E+1", "e-1", "e02", "e-21", "e21"} {
					numbers = append(numbers, sign+whole+fraction+exponent)
				}
			}
		}
	}
	rationals := make([]*big.Rat, len(numbers))
	for i, number := range numbers {
		rationals[i], _ = new(big.Rat).SetString(number)
	}
	table := parse(t, strings.Join(numbers, "\n"))
	rows := allRows(table)
	sortRows(t, table, rows, 0, false)
	for i, row := range rows[1:] {
		before := rows[i]
		if c := rationals[before].Cmp(rationals[row]); c > 0 || c == 0 && before > row {
			t.Errorf("%s (row %d) comes before %s (row %d)", numbers[before], before, numbers[row], row)
		}
	}
}

func TestSortDescendingKeepsNullAndMissingLast(t *testing.T) {
	table := parse(t, `[{"x":0},{"c":2},{"c":null},{"c":"b"},{"c":10},{"c":"a"},{"x":1},{"c":null}]`)
	const column = 1
	tests := []struct {
		descending bool
		want       []int32
	}{
		{false, []int32{1, 4, 5, 3, 2, 7, 0, 6}},
		{true, []int32{3, 5, 4, 1, 2, 7, 0, 6}},
	}
	for _, test := range tests {
		rows := allRows(table)
		sortRows(t, table, rows, column, test.descending)
		if diff := cmp.Diff(test.want, rows); diff != "" {
			t.Errorf("descending %t (-want +got):\n%s", test.descending, diff)
		}
	}
}

func TestSortIsStable(t *testing.T) {
	// 1, 1.0, 10e-1 and 0.1e1 are one value; so are the spellings of a name; so are zeros.
	for _, values := range []string{`1 1.0 10e-1 0.1e1 1.00E0`, `"A2" "a2" "a02" "A002"`, `0 -0 0.0 0e9 -0e-9`} {
		table := parse(t, strings.Repeat(values+"\n", 50))
		want := allRows(table)
		slices.Reverse(want)
		for _, descending := range []bool{false, true} {
			rows := slices.Clone(want)
			sortRows(t, table, rows, 0, descending)
			if diff := cmp.Diff(want, rows); diff != "" {
				t.Errorf("equal values %s moved, descending %t (-want +got):\n%s", values, descending, diff)
			}
		}
	}
}

func TestCancelledSortLeavesTheRowsAsTheyWere(t *testing.T) {
	table := parse(t, string(shareBody(2000)))
	want := allRows(table)
	// 2,000 rows are checked for 8 times while they are read.
	for _, checks := range []int64{0, 3, 8} {
		rows := slices.Clone(want)
		ctx := newEndingContext(t, checks)
		if err := table.SortBy(ctx, rows, lists.SortKey{Column: 3, Descending: true}); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d checks: %v, want %v", checks, err, context.Canceled)
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("after %d checks the rows moved (-want +got):\n%s", checks, diff)
		}
	}
}

func allRows(table *lists.Table) []int32 {
	rows := make([]int32, table.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

func sortRows(t testing.TB, table *lists.Table, rows []int32, col int, descending bool) {
	t.Helper()
	if err := table.SortBy(t.Context(), rows, lists.SortKey{Column: col, Descending: descending}); err != nil {
		t.Fatal(err)
	}
}

func texts(table *lists.Table, rows []int32, col int) []string {
	var texts []string
	for _, row := range rows {
		texts = append(texts, table.Cell(int(row), col).Text())
	}
	return texts
}
