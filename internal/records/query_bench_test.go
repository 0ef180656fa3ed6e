package records_test

import (
	"testing"

	"gatehouse/internal/records"
)

func BenchmarkQuery(b *testing.B) {
	for _, query := range []string{
		"!harbor", `"annual report 99"`, "owner:lee99", "owner:harbor", "owner=ann.lee42@harbor.example", "owner==ann.lee42@harbor.example", "companyid=7", "companyid==7", "name:a",
		"diskusage>1.5GB", "diskusage<=500MB", "sharetick>=2015-02", "createtime<2020", "name>m", "parentshareid=null",
	} {
		b.Run(query, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *records.Table) {
				findKinds(b, table)
				b.ResetTimer()
				for b.Loop() {
					filter(b, table, query, nil)
				}
			})
		})
	}
}

// BenchmarkNarrow looks for a longer query among the rows that the shorter one found.
func BenchmarkNarrow(b *testing.B) {
	for _, test := range []struct{ before, query string }{
		{"東京 99", "東京 998"}, {"東京 99", "東京 99 owner:lee99"}, {"東京 99", "東京 99 diskusage>500MB"},
	} {
		b.Run(test.query, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *records.Table) {
				findKinds(b, table)
				rows := filter(b, table, test.before, nil)
				if !table.Query(test.query).Narrows(table.Query(test.before)) {
					b.Fatalf("%q does not narrow %q", test.query, test.before)
				}
				b.ReportMetric(float64(len(rows)), "rows")
				b.ResetTimer()
				for b.Loop() {
					filter(b, table, test.query, rows)
				}
			})
		})
	}
}

func BenchmarkFirstStretch(b *testing.B) {
	for _, query := range []string{"harbor", "is", "東京 99", "owner:harbor", "diskusage>500MB"} {
		b.Run(query, func(b *testing.B) {
			benchmark(b, func(b *testing.B, table *records.Table) {
				for b.Loop() {
					if _, err := table.Search(table.Query(query), nil).Next(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
