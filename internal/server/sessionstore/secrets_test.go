package sessionstore

import (
	"bytes"
	"errors"
	"testing"
	"time"
)

// A nonce that came twice would give away what is sealed, and so would a key that is no secret.
func TestNothingIsSealedTwiceInTheSameWay(t *testing.T) {
	keys := NewKeys()
	seen := map[string]bool{}
	for range 100 {
		sealed, err := keys.Seal([]byte("the same"))
		if err != nil {
			t.Fatal(err)
		}
		nonce := sealed[1+keyNameSize : headSize]
		if seen[string(nonce)] || bytes.Equal(nonce, make([]byte, len(nonce))) {
			t.Fatalf("the nonce %x came before", nonce)
		}
		seen[string(nonce)] = true
	}
	names, secrets := map[string]bool{}, map[string]bool{randomKey().Reveal(): true}
	for range 100 {
		made := newSealingKey(time.Now())
		if names[made.name] || secrets[made.key.Reveal()] || made.made.Nanosecond() != 0 {
			t.Fatalf("the key %s of %v came before, or its time is not that of the file", made.name, made.made)
		}
		names[made.name], secrets[made.key.Reveal()] = true, true
	}
}

func TestNothingAtAllCanBeSealed(t *testing.T) {
	keys := NewKeys()
	sealed, err := keys.Seal(nil)
	if err != nil {
		t.Fatal(err)
	}
	if clear, err := keys.Open(sealed); err != nil || len(clear) != 0 || KeyOf(sealed) != keys.Current() {
		t.Errorf("it opens as %q with the key %q, %v", clear, KeyOf(sealed), err)
	}
}

func TestAKeyFileMayHaveEmptyLines(t *testing.T) {
	set := newKeySet(time.Now())
	text := bytes.ReplaceAll(set.text(), []byte("\nkey"), []byte("\n\n# another\n\nkey"))
	got, err := parseKeyFile(append(text, '\n'))
	if err != nil || len(got.sealing) != 1 || got.idKey != set.idKey {
		t.Errorf("it is read as %d keys, %v", len(got.sealing), err)
	}
}

func TestWhatMemoryKeepsIsItsOwnAndFitsExactly(t *testing.T) {
	m := NewMemory(time.Now)
	sealed, place := []byte("sealed"), []byte("place")
	row := Row{ID: ID{1}, Generation: 1, Sealed: sealed, Place: place}
	if err := m.Put(t.Context(), row, 0); err != nil {
		t.Fatal(err)
	}
	sealed[0], place[0] = 'x', 'x'
	if got, err := m.Get(t.Context(), Session, row.ID); string(got.Sealed) != "sealed" || string(got.Place) != "place" || err != nil {
		t.Errorf("it keeps %q and %q, %v", got.Sealed, got.Place, err)
	}
	for spare, fits := range map[int]bool{0: true, -1: false} {
		m := NewMemory(time.Now)
		row := Row{ID: ID{1}, Generation: 1, Sealed: make([]byte, maxMemory-entryOverhead-spare)}
		if err := m.Put(t.Context(), row, 0); (err == nil) != fits || err != nil && !errors.Is(err, ErrFull) {
			t.Errorf("with %d bytes to spare: %v", spare, err)
		}
	}
}

// A claim that is remembered for ever would keep the directory from the next server.
func TestAClaimThatIsOverIsForgotten(t *testing.T) {
	for name, end := range map[string]func(l *Local, c Claim) error{
		"finished": func(l *Local, c Claim) error { return l.Finish(t.Context(), c, Row{ID: c.ID, Generation: 2}) },
		"released": func(l *Local, c Claim) error { return l.Release(t.Context(), c) },
		"deleted":  func(l *Local, c Claim) error { return l.Delete(t.Context(), Session, c.ID) },
	} {
		path := t.TempDir()
		l, err := OpenDirectory(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Put(t.Context(), Row{ID: ID{1}, Generation: 1}, 0); err != nil {
			t.Fatal(err)
		}
		c, err := l.Claim(t.Context(), ID{1}, 1, time.Hour)
		if err == nil {
			err = end(l, c)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(l.claims) != 0 {
			t.Errorf("%s: it remembers %v", name, l.claims)
		}
		_ = l.Close()
		next, err := OpenDirectory(path)
		if err != nil {
			t.Fatalf("%s: the next server: %v", name, err)
		}
		_ = next.Close()
	}
	now := time.Now()
	m := NewMemory(func() time.Time { return now })
	if err := m.Put(t.Context(), Row{ID: ID{1}, Generation: 1}, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Claim(t.Context(), ID{1}, 1, time.Hour); err != nil {
		t.Fatal(err)
	}
	if m.discardEndedRooms(); len(m.claims) != 1 {
		t.Error("a claim that lasts is forgotten")
	}
	now = now.Add(time.Hour + 1)
	if m.discardEndedRooms(); len(m.claims) != 0 {
		t.Errorf("after its deadline it remembers %v", m.claims)
	}
}
