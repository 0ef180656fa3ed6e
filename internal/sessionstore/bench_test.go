package sessionstore_test

import (
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
)

// A renewal is a claim and its end, each as durable as the store can make it.
func BenchmarkRenewal(b *testing.B) {
	for name, open := range map[string]func(*testing.B) sessionstore.Store{
		"directory": func(b *testing.B) sessionstore.Store {
			d, err := sessionstore.OpenDirectory(b.TempDir())
			must(b, err)
			b.Cleanup(func() { _ = d.Close() })
			return d
		},
		"a standby": func(b *testing.B) sessionstore.Store { return newCluster(b, 1).store },
	} {
		b.Run(name, func(b *testing.B) {
			s := open(b)
			row := sessionstore.Row{ID: sessionstore.ID{1}, Generation: 1, Sealed: make([]byte, 4<<10), Ends: time.Now().Add(time.Hour)}
			must(b, s.Put(b.Context(), row, 0))
			for b.Loop() {
				c, err := s.Claim(b.Context(), row.ID, row.Generation, time.Minute)
				must(b, err)
				row.Generation++
				must(b, s.Finish(b.Context(), c, row))
			}
		})
	}
}
