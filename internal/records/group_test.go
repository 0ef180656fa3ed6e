package records_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
		{"less than no top", nested, nil, -1, nil, 11},
		{"some rows, in their order", nested, []int32{17, 2, 0, 4}, 9, []string{`"a": 2`, `"b": 1`}, 2},
		{"no rows", nested, []int32{}, 9, nil, 0},
		{"nothing but nulls", `[{"v":null},{"v":null}]`, nil, 9, nil, 0},
		{"lone surrogates and invalid text are one", "[{\"v\":\"\\ud800\"},{\"v\":\"\xff\"},{\"v\":\"\uFFFD\"}]", nil, 9, []string{`"\ud800": 3`}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := group(t, parse(t, test.body), test.rows, "v", test.top)
			var top []string
			for _, g := range got.Top {
				top = append(top, fmt.Sprintf("%s: %d", g.Cell.Raw(), g.Rows))
			}
			if diff := cmp.Diff(test.want, top); diff != "" {
				t.Errorf("top (-want +got):\n%s", diff)
			}
			if got.Values != test.values || got.Capped {
				t.Errorf("%d values, capped %t; want %d", got.Values, got.Capped, test.values)
			}
		})
	}
	got := group(t, parse(t, nested), nil, "v", 0)
	if got.Nulls != 2 || got.Missing != 1 {
		t.Errorf("%d nulls and %d missing, want 2 and 1", got.Nulls, got.Missing)
	}
}

// The plain way to count is the second opinion, on more rows than one goroutine takes at a time.
func TestGroupOfManyRowsAgreesWithAPlainCount(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, values := range []int{1, 7, 1_000, 40_000} {
		counts, firsts, cells := map[int]int{}, map[int]int{}, []string{}
		for i := range 50_000 {
			v := random.IntN(values)
			if counts[v]++; counts[v] == 1 {
				firsts[v] = i
			}
			cells = append(cells, fmt.Sprintf(`{"v":"%s%d"}`, []string{"x", `\u0078`}[i%2], v))
		}
		order := make([]int, 0, len(counts))
		for v := range counts {
			order = append(order, v)
		}
		slices.SortFunc(order, func(a, b int) int {
			if counts[a] != counts[b] {
				return counts[b] - counts[a]
			}
			return firsts[a] - firsts[b]
		})
		var want []string
		for _, v := range order[:min(100, len(order))] {
			want = append(want, fmt.Sprintf("x%d: %d", v, counts[v]))
		}
		got := group(t, parse(t, "["+strings.Join(cells, ",")+"]"), nil, "v", 100)
		var top []string
		for _, g := range got.Top {
			top = append(top, fmt.Sprintf("%s: %d", g.Cell.Text(), g.Rows))
		}
		if diff := cmp.Diff(want, top); diff != "" || got.Values != len(counts) {
			t.Errorf("%d values, want %d; top (-want +got):\n%s", got.Values, len(counts), diff)
		}
	}
}

func TestGroupStopsWhenItIsCancelled(t *testing.T) {
	table := parse(t, string(shareBody(20_000)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := table.Group(ctx, nil, 0, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Group: %v", err)
	}
}

func group(t testing.TB, table *records.Table, rows []int32, column string, top int) records.Groups {
	t.Helper()
	groups, err := table.Group(t.Context(), rows, columnIndex(t, table, column), top)
	if err != nil {
		t.Fatal(err)
	}
	return groups
}

func FuzzGroup(f *testing.F) {
	for _, body := range append(seedBodies, viewed) {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if table, err := records.Parse(body); err == nil {
			checkGroups(t, table)
		}
	})
}

// checkGroups fails unless the groups of each column are as many rows as there are.
func checkGroups(t *testing.T, table *records.Table) {
	for col := range table.Columns() {
		groups, err := table.Group(t.Context(), nil, col, table.Len())
		if err != nil {
			t.Fatal(err)
		}
		rows, seen := groups.Nulls+groups.Missing, map[string]bool{}
		for _, g := range groups.Top {
			rows += g.Rows
			seen[tokens(g.Cell)] = true
		}
		if rows != table.Len() || len(seen) != groups.Values || len(groups.Top) != groups.Values {
			t.Fatalf("column %d: %d rows of %d, %d different of %d values", col, rows, table.Len(), len(seen), groups.Values)
		}
	}
}

// tokens tells values apart by what encoding/json reads.
func tokens(cell records.Cell) string {
	var all strings.Builder
	decoder := json.NewDecoder(bytes.NewReader(cell.Raw()))
	decoder.UseNumber()
	for token, err := decoder.Token(); err == nil; token, err = decoder.Token() {
		fmt.Fprintf(&all, "%T %q\n", token, fmt.Sprint(token))
	}
	return all.String()
}

func BenchmarkGroup(b *testing.B) {
	for _, column := range []string{"CompanyId", "ShareDefault.Owner", "Name", "Id"} {
		b.Run(column, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *records.Table) {
				for b.Loop() {
					group(b, table, nil, column, 20)
				}
			})
		})
	}
}
