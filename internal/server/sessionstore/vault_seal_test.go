package sessionstore

import (
	"errors"
	"testing"
	"time"

	"gatehouse/session"
)

// Whoever has the key could seal one generation under the number of another, as a faulty server would.
func TestARecordUnderTheNumberOfAnotherGenerationIsRefused(t *testing.T) {
	store := NewMemory(time.Now)
	v := vaultV1(t, store)
	record := *recordV1
	for sealed, want := range map[uint64]error{record.Generation: nil, record.Generation + 1: ErrForged} {
		clear, err := session.EncodeRecord(&record)
		if err != nil {
			t.Fatal(err)
		}
		row := Row{ID: v.id, Generation: sealed}
		if row.Sealed, err = v.o.Keys.Seal(clear, v.boundTo(sealed)...); err != nil {
			t.Fatal(err)
		}
		_ = store.Delete(t.Context(), Session, v.id)
		if err := store.Put(t.Context(), row, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := v.Load(t.Context()); !errors.Is(err, want) {
			t.Errorf("generation %d under the number %d: %v", record.Generation, sealed, err)
		}
	}
}

// A row may have been read before a renewal of this connection was saved, and opened afterwards.
func TestARowThatWasReadBeforeARenewalDoesNotReplaceIt(t *testing.T) {
	v, next := vaultV1(t, NewMemory(time.Now)), *recordV1
	clear, err := session.EncodeRecord(recordV1)
	if err != nil {
		t.Fatal(err)
	}
	row := Row{ID: v.id, Generation: recordV1.Generation}
	if row.Sealed, err = v.o.Keys.Seal(clear, v.boundTo(row.Generation)...); err != nil {
		t.Fatal(err)
	}
	next.Generation++
	v.change(func() { v.saved = &next })
	if _, err := v.open(row); err != nil {
		t.Fatal(err)
	}
	if v.lastSaved() != &next {
		t.Errorf("the connection goes on with generation %d", v.lastSaved().Generation)
	}
}

func TestOfTwoSignInsAtOneTimeTheOneThatWasSeenCounts(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name       string
		later      time.Duration
		generation uint64
		newer      bool
	}{
		{"at the same time", 0, 1, false},
		{"at the same time, of a later generation", 0, 3, true},
		{"a moment later", time.Nanosecond, 1, true},
		{"a moment earlier", -time.Nanosecond, 2, false},
	} {
		seen, id := NewSeen(), ID{1}
		seen.observe(id, &session.Record{Username: "ann@x.example", SignedInAt: at, Generation: 2}, false)
		other := &session.Record{Username: "bert@x.example", SignedInAt: at.Add(tt.later), Generation: tt.generation}
		if got := seen.observe(id, other, false); got != tt.newer {
			t.Errorf("%s: newer is %v", tt.name, got)
		}
	}
}
