package records_test

import (
	"testing"

	"gatehouse/internal/records"
)

func BenchmarkSampledKinds(b *testing.B) {
	benchmarkFresh(b, func(b *testing.B, table *records.Table) { table.SampledKinds() })
}

func BenchmarkKinds(b *testing.B) { benchmarkFresh(b, findKinds) }

func findKinds(b *testing.B, table *records.Table) {
	if _, err := table.Kinds(b.Context()); err != nil {
		b.Fatal(err)
	}
}

// benchmarkFresh runs work on tables that were not asked anything before.
func benchmarkFresh(b *testing.B, work func(b *testing.B, table *records.Table)) {
	benchmark(b, func(b *testing.B, table *records.Table) {
		body := string(shareBodies()[table.Len()])
		for b.Loop() {
			b.StopTimer()
			table := parse(b, body)
			b.StartTimer()
			work(b, table)
		}
	})
}
