package records

import (
	"fmt"
	"strings"
	"testing"
)

func TestTooManyValuesAreCountedAsFarAsTheyGoAndSaidToBeMore(t *testing.T) {
	var lines strings.Builder
	for i := range 30_000 { // 10,000 values, each three times
		fmt.Fprintf(&lines, "\"v%d\"\n", i%10_000)
	}
	table, err := Parse([]byte(lines.String()))
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]Groups{
		100:    {Values: 100, Capped: true},
		9_999:  {Values: 9_999, Capped: true},
		10_000: {Values: 10_000},
	} {
		got, err := table.group(t.Context(), table.selection(nil), 0, 3, limit)
		if err != nil {
			t.Fatal(err)
		}
		if got.Values != want.Values || got.Capped != want.Capped {
			t.Errorf("limit %d: %d values, capped %t", limit, got.Values, got.Capped)
		}
		for i, g := range got.Top {
			if want := fmt.Sprintf("v%d", i); g.Cell.Text() != want || g.Rows != 3 {
				t.Errorf("limit %d: %d is %s with %d rows, want %s with 3", limit, i, g.Cell.Text(), g.Rows, want)
			}
		}
	}
}
