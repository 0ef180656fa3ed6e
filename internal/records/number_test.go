package records_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/records"
)

func TestSumIsExact(t *testing.T) {
	nines := strings.Repeat("9", 400)
	tests := []struct {
		name, cells string
		want        records.Sum
	}{
		{"integers", `1 2 3`, records.Sum{Numbers: 3, Total: "6", Exact: true}},
		{"nothing", `null`, records.Sum{Total: "0", Exact: true}},
		{"what is no number is left out", `1 "2" true [3] {} null`, records.Sum{Numbers: 1, Total: "1", Exact: true}},
		{"what floats cannot hold", `0.1 0.2`, records.Sum{Numbers: 2, Total: "0.3", Exact: true}},
		{"past 2^53", `9007199254740993 -1`, records.Sum{Numbers: 2, Total: "9007199254740992", Exact: true}},
		{"past 64 bits", strings.Repeat("999999999999999999 ", 20), records.Sum{Numbers: 20, Total: "19999999999999999980", Exact: true}},
		{"below 64 bits", strings.Repeat("-99999999999999999 ", 200), records.Sum{Numbers: 200, Total: "-19999999999999999800", Exact: true}},
		{"21 digits", `123456789012345678901 1`, records.Sum{Numbers: 2, Total: "123456789012345678902", Exact: true}},
		{"400 digits", nines + " 1", records.Sum{Numbers: 2, Total: "1" + strings.Repeat("0", 400), Exact: true}},
		{"exponents", `1e3 1E-3 -2.50e+1`, records.Sum{Numbers: 3, Total: "975.001", Exact: true}},
		{"no needless zeros", `12.50 0.50`, records.Sum{Numbers: 2, Total: "13", Exact: true}},
		{"small and negative", `-0.05 0.02`, records.Sum{Numbers: 2, Total: "-0.03", Exact: true}},
		{"negative zero", `-0 -0.0 -0e5`, records.Sum{Numbers: 3, Total: "0", Exact: true}},
		{"nothing left", `5 -5.0`, records.Sum{Numbers: 2, Total: "0", Exact: true}},
		{"zero with a huge exponent", `0e999999999999999999999 7`, records.Sum{Numbers: 2, Total: "7", Exact: true}},
		{"a huge exponent", `1 1e999999999`, records.Sum{Numbers: 2}},
		{"a huge negative exponent", `1 1e-99999999999999999999999`, records.Sum{Numbers: 2}},
		{"the largest power of ten", `1e999`, records.Sum{Numbers: 1, Total: "1" + strings.Repeat("0", 999), Exact: true}},
		{"one power more", `1e1000`, records.Sum{Numbers: 1}},
		{"the finest fraction", `1e-1000`, records.Sum{Numbers: 1, Total: "0." + strings.Repeat("0", 999) + "1", Exact: true}},
		{"one place more", `1e-1001`, records.Sum{Numbers: 1}},
		{"a million digits", strings.Repeat("7", 1_000_000), records.Sum{Numbers: 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// The cells come apart as elements, so that a lone null is a record too.
			cells := strings.Split(strings.TrimSpace(test.cells), " ")
			table := parse(t, `[{"v":`+strings.Join(cells, `},{"v":`)+`}]`)
			if diff := cmp.Diff(test.want, sum(t, table, nil, "v")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSumIsOfTheRowsThatAreAskedFor(t *testing.T) {
	table := parse(t, `[{"v":1},{"v":10},{},{"v":100}]`)
	if got := sum(t, table, []int32{3, 2, 0}, "v"); got.Total != "101" || got.Numbers != 2 {
		t.Errorf("got %+v", got)
	}
	if got := sum(t, table, []int32{}, "v"); got.Total != "0" || got.Numbers != 0 {
		t.Errorf("no rows: got %+v", got)
	}
}

func TestASumWithoutATotalSaysSo(t *testing.T) {
	for body, want := range map[string]string{`[1e5,2]`: "100002", `[1e99999]`: "too long to be written out"} {
		if got := sum(t, parse(t, body), nil, "value").String(); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func sum(t testing.TB, table *records.Table, rows []int32, column string) records.Sum {
	t.Helper()
	sum, err := table.Sum(t.Context(), rows, columnIndex(t, table, column))
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// FuzzSum compares with fractions of math/big.
func FuzzSum(f *testing.F) {
	for _, seed := range []string{"1 2", "0.1 -0.25", "1e999999999", "-0 12345678901234567890.5e-7", "999999999999999999 999999999999999999.9", "x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, numbers string) {
		table, err := records.Parse([]byte(`[` + strings.Join(strings.Fields(numbers), ",") + `]`))
		if err != nil || len(table.Columns()) != 1 || table.Columns()[0].Name != "value" {
			return
		}
		got := sum(t, table, nil, "value")
		if !got.Exact {
			return
		}
		want := new(big.Rat)
		for row := range table.Len() {
			if cell := table.Cell(row, 0); cell.Kind() == records.Number {
				one, ok := new(big.Rat).SetString(string(cell.Raw()))
				if !ok {
					return // a zero with an exponent beyond what a fraction takes
				}
				want.Add(want, one)
			}
		}
		total, ok := new(big.Rat).SetString(got.Total)
		if !ok || total.Cmp(want) != 0 {
			t.Fatalf("%s add up to %s, want %s", numbers, got.Total, fmt.Sprint(want))
		}
	})
}

func BenchmarkSum(b *testing.B) {
	for _, column := range []string{"CompanyId", "SpaceUsage.DiskUsage", "ShareTick"} {
		b.Run(column, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *records.Table) {
				for b.Loop() {
					sum(b, table, nil, column)
				}
			})
		})
	}
}
