package records_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/records"
)

func TestGroupCountsEveryValue(t *testing.T) {
	const nested = `[{"v":"b"},{"v":"a"},{"v":"\u0061"},{"v":null},{},{"v":"A"},{"v":1},{"v":1.0},{"v":"1"},{"v":1},` +
		`{"v":[1, "x y"]},{"v":[1,"x\u0020y"]},{"v":[1,"xy"]},{"v":{}},{"v":{ }},{"v":true},{"v":""},{"v":"a"},{"v":null}]`
	tests := []struct {
		name, body string
		rows       []int32
		top        int
		want       []string // raw cell: rows
		values     int
	}{
		{"most rows first, then first seen", nested, nil, 20, []string{`"a": 3`, `1: 2`, `[1, "x y"]: 2`, `{}: 2`, `"b": 1`, `"A": 1`, `1.0: 1`, `"1": 1`, `[1,"xy"]: 1`, `true: 1`, `"": 1`}, 11},
		{"the first ones only", nested, nil, 2, []string{`"a": 3`, `1: 2`}, 11},
		{"no top", nested, nil, 0, nil, 11},
		{"some rows, in their order", nested, []int32{17, 2, 0, 4}, 9, []string{`"a": 2`, `"b": 1`}, 2},
		{"no rows", nested, []int32{}, 9, nil, 0},
		{"nothing but nulls", `[{"v":null},{"v":null}]`, nil, 9, nil, 0},
		{"lone surrogates and invalid text are one", "[{\"v\":\"\\ud800\"},{\"v\":\"\xff\"},{\"v\":\"\uFFFD\"}]", nil, 9, []string{`"\ud800": 3`}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := group(t, parse(t, test.body), test.rows, "v", test.top)
			var top []string
			for _, b := range got.Buckets {
				top = append(top, fmt.Sprintf("%s: %d", b.Cell.Raw(), b.Rows))
			}
			if diff := cmp.Diff(test.want, top); diff != "" {
				t.Errorf("top (-want +got):\n%s", diff)
			}
			if got.Values != test.values {
				t.Errorf("%d values, want %d", got.Values, test.values)
			}
		})
	}
	got := group(t, parse(t, nested), nil, "v", 0)
	if got.Nulls != 2 || got.Missing != 1 {
		t.Errorf("%d nulls and %d missing, want 2 and 1", got.Nulls, got.Missing)
	}
}

// group counts single values of a column.
func group(t testing.TB, table *records.Table, rows []int32, column string, top int) records.Distribution {
	t.Helper()
	info := records.ColumnInfo{Index: columnIndex(t, table, column)}
	counted, err := table.Distribution(t.Context(), rows, info, records.Format{}, top)
	if err != nil {
		t.Fatal(err)
	}
	return counted
}

// Of many rows each chunk is counted by itself.
func TestEachOfManyRowsIsCountedOnce(t *testing.T) {
	var body strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&body, `{"v":"%s%d"}`, []string{"x", `\u0078`}[i%2], i%1000)
	}
	counted := group(t, parse(t, body.String()), nil, "v", 1000)
	for i, bucket := range counted.Buckets {
		if want := fmt.Sprintf("x%d", i); bucket.Cell.Text() != want || bucket.Rows != 30 {
			t.Fatalf("value %d is %s in %d rows, want %s in 30", i, bucket.Cell.Text(), bucket.Rows, want)
		}
	}
	if counted.Values != 1000 || len(counted.Buckets) != 1000 {
		t.Errorf("%d values in %d buckets, want 1000", counted.Values, len(counted.Buckets))
	}
}
