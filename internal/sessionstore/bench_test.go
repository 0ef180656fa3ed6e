package sessionstore_test

import (
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
)

// A renewal is a claim and its end, each of them on the disk before it is done.
func BenchmarkRenewalInADirectory(b *testing.B) {
	d, err := sessionstore.OpenDirectory(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	row := sessionstore.Row{ID: sessionstore.ID{1}, Generation: 1, Sealed: make([]byte, 4<<10), RefreshEnds: time.Now().Add(time.Hour)}
	if err := d.Save(b.Context(), row, 0); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c, err := d.Claim(b.Context(), row.ID, row.Generation, time.Minute)
		if err != nil {
			b.Fatal(err)
		}
		row.Generation++
		if err := d.Finish(b.Context(), c, row); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSealing(b *testing.B) {
	keys := sessionstore.NewKeys()
	clear := make([]byte, 4<<10)
	for b.Loop() {
		sealed, err := keys.Seal(clear, "row", "authority", "7")
		if err == nil {
			_, err = keys.Open(sealed, "row", "authority", "7")
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
