package sessionstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// deskAt is a desk with a store in memory, and the clock of both.
func deskAt(t *testing.T) (desk *Desk, store *Local, now *time.Time) {
	t.Helper()
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	clock := func() time.Time { return at }
	store = NewMemory(clock)
	return &Desk{Store: store, Keys: NewKeys(), Now: clock}, store, &at
}

// ticketOf is a ticket as it is stored, for somebody who may change that.
func ticketOf(t *testing.T, l *Local, id ID) *entry {
	t.Helper()
	e := l.backend.(*memory).entries[entryName(id, ticketSuffix)]
	if e == nil {
		t.Fatal("there is no ticket")
	}
	return e
}

var (
	ada = Owner{Fingerprint: "SHA256:ada"}
	ben = Owner{Fingerprint: "SHA256:ben"}
	eve = Owner{KeyID: "eve", Authority: "SHA256:ca"}
)

const aResult = `{"version":1,"report":"the result"}`

func leave(t *testing.T, d *Desk, by Owner) (code string) {
	t.Helper()
	code = NewCode()
	ends, err := d.Leave(t.Context(), code, by, "", []byte(aResult))
	if err != nil {
		t.Fatal(err)
	}
	if want := d.Now().Add(7 * 24 * time.Hour); !ends.Equal(want) {
		t.Errorf("the ticket ends at %s, want %s", ends, want)
	}
	return code
}

func TestATicketIsReadUntilItEnds(t *testing.T) {
	d, store, now := deskAt(t)
	code := leave(t, d, ada)
	if again := leave(t, d, ada); again == code {
		t.Errorf("two tickets are called %s", code)
	}
	left, err := d.Read(t.Context(), code)
	if err != nil || string(left.Result) != aResult {
		t.Errorf("%q, %v", left.Result, err)
	}
	row := ticketOf(t, store, d.Keys.TicketID(code))
	if bytes.Contains(row.Sealed, []byte("result")) || strings.Contains(fmt.Sprintf("%+v", *row), code) {
		t.Error("the store can read the ticket, or its code")
	}
	*now = now.Add(TicketLife - time.Second)
	if _, err := d.Read(t.Context(), code); err != nil {
		t.Errorf("a second before the end: %v", err)
	}
	row.Ends = now.Add(time.Hour) // by somebody who may write to the store
	*now = now.Add(time.Second)
	if _, err := d.Read(t.Context(), code); !errors.Is(err, ErrNoRow) {
		t.Errorf("at the end: %v", err)
	}
}

func TestWithoutAKeyTheOldestTicketOfTheNetworkGoes(t *testing.T) {
	d, _, now := deskAt(t)
	first, other := leave(t, d, Owner{}), leave(t, d, ada)
	for range MaxTickets {
		leave(t, d, Owner{})
	}
	if _, err := d.Read(t.Context(), first); !errors.Is(err, ErrNoRow) {
		t.Errorf("the oldest: %v", err)
	}
	if _, err := d.Read(t.Context(), other); err != nil {
		t.Errorf("that of a key: %v", err)
	}
	*now = now.Add(TicketLife)
	leave(t, d, Owner{})
}

func TestWhoMayDeleteATicket(t *testing.T) {
	for _, test := range []struct {
		name   string
		left   Owner
		by     Owner
		atDesk bool
		want   error
	}{
		{"the key that left it", ada, ada, false, nil},
		{"another key", ada, ben, false, ErrNoRow},
		{"nobody's key", ada, Owner{}, false, ErrNoRow},
		{"a certificate", ada, eve, false, ErrNoRow},
		{"the desk", ada, ben, true, nil},
		{"the owner of a certificate", eve, eve, false, nil},
		{"another authority", eve, Owner{KeyID: "eve", Authority: "SHA256:other"}, false, ErrNoRow},
		{"without a key, by nobody's key", Owner{}, Owner{}, false, nil},
		{"without a key, by a key", Owner{}, ben, false, nil},
	} {
		d, _, _ := deskAt(t)
		code := leave(t, d, test.left)
		if err := d.Delete(t.Context(), code, test.by, test.atDesk); !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("%s: %v", test.name, err)
		}
		if _, err := d.Read(t.Context(), code); errors.Is(err, ErrNoRow) != (test.want == nil) {
			t.Errorf("%s: afterwards, reading says %v", test.name, err)
		}
	}
	d, _, _ := deskAt(t)
	for _, atDesk := range []bool{false, true} {
		if err := d.Delete(t.Context(), "AAAA-AAAA-AAAA", ada, atDesk); !errors.Is(err, ErrNoRow) {
			t.Errorf("a ticket that is not there: %v", err)
		}
	}
}

func TestALongResultIsNotLeft(t *testing.T) {
	d, store, _ := deskAt(t)
	for _, result := range []string{`"` + strings.Repeat("x", 1<<20) + `"`, `"` + strings.Repeat("<", maxTicketSize/2) + `"`} {
		if _, err := d.Leave(t.Context(), NewCode(), ada, "", []byte(result)); !errors.Is(err, ErrTicketSize) || len(store.backend.(*memory).entries) > 0 {
			t.Errorf("%v, %d tickets", err, len(store.backend.(*memory).entries))
		}
	}
	if _, err := d.Leave(t.Context(), NewCode(), ada, "", []byte("no JSON")); err == nil || len(store.backend.(*memory).entries) > 0 {
		t.Errorf("%v, %d tickets", err, len(store.backend.(*memory).entries))
	}
}

// One that is in no list would never make room for others.
func TestATicketThatCannotBeListedIsNotLeft(t *testing.T) {
	path := t.TempDir()
	store, err := OpenDirectory(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	d := &Desk{Store: store, Keys: NewKeys(), Now: time.Now}
	list := d.Keys.SubjectID("tickets of an owner", d.ownerName(ada))
	if err := os.Mkdir(filepath.Join(path, entryName(list, rowSuffix)), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Leave(t.Context(), NewCode(), ada, "", []byte(aResult)); err == nil {
		t.Error("it is left")
	}
	if names, err := store.backend.names(ticketSuffix); len(names) > 0 || err != nil {
		t.Errorf("the store keeps %q, %v", names, err)
	}
}

// noNewTickets is a store that has room for lists and not for tickets.
type noNewTickets struct{ Store }

func (s noNewTickets) Put(ctx context.Context, row Row, over uint64) error {
	if row.Kind == Ticket {
		return ErrFull
	}
	return s.Store.Put(ctx, row, over)
}

func TestATicketWithoutRoomCostsItsOwnerNoOlderOne(t *testing.T) {
	d, store, _ := deskAt(t)
	first := leave(t, d, ada)
	for range MaxTickets - 1 {
		leave(t, d, ada)
	}
	d.Store = noNewTickets{store}
	if _, err := d.Leave(t.Context(), NewCode(), ada, "", []byte(aResult)); !errors.Is(err, ErrFull) {
		t.Errorf("a ticket without room: %v", err)
	}
	if _, err := d.Read(t.Context(), first); err != nil {
		t.Errorf("the oldest: %v", err)
	}
}

// hangUp is a store whose visitor has gone once something is written.
type hangUp struct {
	Store
	gone context.CancelFunc
}

func (s hangUp) Put(ctx context.Context, row Row, over uint64) error {
	defer s.gone()
	return s.Store.Put(ctx, row, over)
}

func TestAVisitorWhoHangsUpLeavesNoTicketThatIsInNoList(t *testing.T) {
	d, store, _ := deskAt(t)
	ctx, cancel := context.WithCancel(t.Context())
	d.Store = hangUp{store, cancel}
	code := NewCode()
	if _, err := d.Leave(ctx, code, ada, "", []byte(aResult)); !errors.Is(err, context.Canceled) {
		t.Errorf("it is left, or the error is another one: %v", err)
	}
	if _, err := store.Get(t.Context(), Ticket, d.Keys.TicketID(code)); !errors.Is(err, ErrNoRow) {
		t.Errorf("the ticket is there: %v", err)
	}
}

func TestCodesAreReadAsTheyAreMeant(t *testing.T) {
	for range 1000 {
		code := NewCode()
		if again, ok := ParseCode(code); !ok || again != code || len(code) != 14 {
			t.Fatalf("%q is read as %q, %v", code, again, ok)
		}
	}
	for typed, want := range map[string]string{
		"K7QD-M2XA-9FHT":         "K7QD-M2XA-9FHT",
		"k7qdm2xa9fht":           "K7QD-M2XA-9FHT",
		" k7qd m2xa 9fht ":       "K7QD-M2XA-9FHT",
		"OIL0-oil1-0000":         "0110-0111-0000",
		"":                       "",
		"K7QD-M2XA":              "",
		"K7QD-M2XA-9FHTX":        "",
		"K7QD-M2XA-9FHU":         "",
		"K7QD-M2XA-9FH\x1b":      "",
		"K7QD-M2XA-9FH\u202e":    "",
		"K7QD_M2XA_9FHT":         "",
		strings.Repeat("A", 999): "",
	} {
		if got, ok := ParseCode(typed); got != want || ok != (want != "") {
			t.Errorf("%q is read as %q, %v", typed, got, ok)
		}
	}
}
