package lists_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
)

const people = `[{"Name":"d","Team":"b","Age":3},{"Name":"c","Team":"a","Age":1},{"Name":"b","Team":"b","Age":1},{"Name":"a","Team":"a","Age":3},{"Name":"e","Team":null,"Age":1}]`

func TestRowsAreSortedBySeveralKeys(t *testing.T) {
	table := parse(t, people)
	for text, want := range map[string][]int32{
		"":               {0, 1, 2, 3, 4},
		"team":           {1, 3, 0, 2, 4},
		"-team,age":      {2, 0, 1, 3, 4},
		"age, -team":     {2, 1, 4, 0, 3},
		"-age,team,name": {3, 0, 1, 2, 4},
		`-"age",-name`:   {0, 3, 4, 1, 2},
	} {
		keys, err := table.SortKeys(text)
		if err != nil {
			t.Fatal(err)
		}
		rows := allRows(table)
		if err := table.SortBy(t.Context(), rows, keys...); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestANameThatMayMeanSeveralColumnsIsNoKey(t *testing.T) {
	table := parse(t, `{"Disk Usage":1,"History,Usage":2,"-x":3,"Total":4,"Times":5}`)
	for text, want := range map[string]string{
		"usage":          `"usage" may be "Disk usage" or "History,Usage"`,
		"t":              `"t" may be "Total" or "Times"`,
		"total,nosuch":   `no column is called "nosuch"`,
		"History,Usage":  `"Usage" may be "Disk usage" or "History,Usage"`,
		`"no` + "\x1b[m": `no column is called "no\x1b[m"`,
	} {
		_, err := table.SortKeys(text)
		if unclear, ok := errors.AsType[*lists.ColumnError](err); !ok || unclear.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if _, err := table.ColumnsOf(text); err == nil {
			t.Errorf("%q are columns", text)
		}
	}
	keys, err := table.SortKeys(`-"History,Usage","-x",disk usage,-"-x"`)
	want := []lists.SortKey{{Column: 1, Descending: true}, {Column: 2}, {Column: 0}, {Column: 2, Descending: true}}
	if diff := cmp.Diff(want, keys); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func BenchmarkSortBy(b *testing.B) {
	for _, text := range []string{"Owner,-Disk", "-Tick,Name", "Category,Owner,-Disk"} {
		b.Run(text, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *lists.Table) {
				keys, err := table.SortKeys(text)
				if err != nil {
					b.Fatal(fmt.Errorf("%s: %w", text, err))
				}
				for b.Loop() {
					if err := table.SortBy(b.Context(), allRows(table), keys...); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
