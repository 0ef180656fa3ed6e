package sessionstore_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
	"gatehouse/internal/testkit/postgres"
)

// A renewal is a claim and its end. Servers wait for their disks, and a commit for one of
// two standbys.
func BenchmarkRenewalWithQuorum(b *testing.B) {
	postgres.Require(b)
	ctx, cancel := context.WithTimeout(b.Context(), 5*time.Minute)
	defer cancel()
	c, err := postgres.Start(ctx, postgres.Options{Standbys: 2, Durable: true})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	p := openPostgres(b, c.URL("postgres"), sessionstore.PostgresOptions{})
	for _, visitors := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("at-once=%d", visitors), func(b *testing.B) {
			if _, err := p.DeleteAll(ctx); err != nil {
				b.Fatal(err)
			}
			renew(b, p, visitors)
		})
	}
}

// renew has visitors renew b.N times between them, each a row of its own.
func renew(b *testing.B, s sessionstore.Store, visitors int) {
	rows := make([]sessionstore.Row, visitors)
	for i := range rows {
		rows[i] = sessionstore.Row{ID: sessionstore.ID{1, byte(i), byte(i >> 8)}, Generation: 1, Sealed: make([]byte, 3000)}
		if err := s.Save(b.Context(), rows[i], 0); err != nil {
			b.Fatal(err)
		}
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	took := make([][]time.Duration, visitors)
	var all sync.WaitGroup
	b.ResetTimer()
	for i, r := range rows {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				began := time.Now()
				claim, err := s.Claim(b.Context(), r.ID, r.Generation, time.Minute)
				took[i] = append(took[i], time.Since(began))
				if err != nil {
					b.Error(err)
					return
				}
				r.Generation++
				if err := s.Finish(b.Context(), claim, r); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	claims := slices.Concat(took...)
	slices.Sort(claims)
	if len(claims) == 0 {
		return
	}
	b.ReportMetric(float64(len(claims))/b.Elapsed().Seconds(), "renewals/s")
	b.ReportMetric(float64(claims[len(claims)/2].Microseconds())/1000, "p50-ms/claim")
	b.ReportMetric(float64(claims[len(claims)*99/100].Microseconds())/1000, "p99-ms/claim")
}

// What a visitor who connects again asks for.
func BenchmarkLoadFromPostgres(b *testing.B) {
	d := newDatabase(b)
	row := sessionstore.Row{ID: ann, Generation: 1, Sealed: make([]byte, 3000), Place: make([]byte, 300)}
	if err := d.Save(b.Context(), row, 0); err != nil {
		b.Fatal(err)
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := d.Load(b.Context(), ann); err != nil {
				b.Error(err)
				return
			}
		}
	})
}
