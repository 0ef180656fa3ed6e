package storetest

import (
	"bytes"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
)

func (o Opened) ticket(n byte) sessionstore.Ticket {
	return sessionstore.Ticket{ID: sessionstore.ID{8, n}, Sealed: []byte{'t', 0, n}, Ends: o.Now().Add(time.Hour).Truncate(time.Millisecond)}
}

func tickets(t *testing.T, o Opened) {
	saved := o.ticket(1)
	_, err := o.Store.LoadTicket(within(t), saved.ID)
	want(t, "load without one", err, sessionstore.ErrNoRow)
	must(t, o.Store.SaveTicket(within(t), saved))
	other := saved
	other.Sealed = []byte("other")
	want(t, "save another one under its name", o.Store.SaveTicket(within(t), other), sessionstore.ErrOutdated)
	got, err := o.Store.LoadTicket(within(t), saved.ID)
	must(t, err)
	if got.ID != saved.ID || !bytes.Equal(got.Sealed, saved.Sealed) || !got.Ends.Equal(saved.Ends) {
		t.Errorf("loaded %+v, saved %+v", got, saved)
	}
	must(t, o.Store.DeleteTicket(within(t), saved.ID))
	want(t, "delete it again", o.Store.DeleteTicket(within(t), saved.ID), sessionstore.ErrNoRow)
	_, err = o.Store.LoadTicket(within(t), saved.ID)
	want(t, "load what was deleted", err, sessionstore.ErrNoRow)
}

func ticketsEnd(t *testing.T, o Opened) {
	saved := o.ticket(1)
	must(t, o.Store.SaveTicket(within(t), saved))
	o.Pass(time.Hour + time.Second)
	_, err := o.Store.LoadTicket(within(t), saved.ID)
	want(t, "load one that has ended", err, sessionstore.ErrNoRow)
	want(t, "delete one that has ended", o.Store.DeleteTicket(within(t), saved.ID), sessionstore.ErrNoRow)
	must(t, o.Store.SaveTicket(within(t), o.ticket(1))) // in its place
	want(t, "save another one under its name", o.Store.SaveTicket(within(t), o.ticket(1)), sessionstore.ErrOutdated)
}

// try counts a try of five in an hour.
func (o Opened) try(t *testing.T, subjects ...sessionstore.ID) time.Duration {
	t.Helper()
	wait, err := o.Store.Try(within(t), subjects, 5, time.Hour)
	must(t, err)
	return wait
}

func triesCounted(t *testing.T, o Opened) {
	for n := range 5 {
		if wait := o.try(t, ann); wait != 0 {
			t.Fatalf("try %d has to wait %v", n+1, wait)
		}
		o.Pass(time.Minute)
	}
	for range 2 { // a refused one does not count
		if wait := o.try(t, ann); wait < 54*time.Minute || wait > 55*time.Minute {
			t.Errorf("the sixth may be made in %v", wait)
		}
	}
	if wait := o.try(t, bert); wait != 0 {
		t.Errorf("somebody else has to wait %v", wait)
	}
	o.Pass(55*time.Minute + time.Second)
	if wait := o.try(t, ann); wait != 0 {
		t.Errorf("an hour after the first it has to wait %v", wait)
	}
	if wait := o.try(t, ann); wait <= 0 || wait > time.Minute {
		t.Errorf("the next may be made in %v", wait)
	}
}

func triesTogether(t *testing.T, o Opened) {
	for range 5 {
		o.try(t, ann)
	}
	if wait := o.try(t, ann, bert); wait <= 0 {
		t.Error("it may be made, though one of both has had its five")
	}
	for n := range 5 {
		if wait := o.try(t, bert); wait != 0 {
			t.Fatalf("what was refused for one counted for the other: try %d has to wait %v", n+1, wait)
		}
	}
}

func triesAtOnce(t *testing.T, o Opened) {
	ctx := within(t)
	var all sync.WaitGroup
	waits, errs := make([]time.Duration, 20), make([]error, 20)
	for i := range waits {
		subjects := []sessionstore.ID{ann, bert}
		if i%2 == 1 {
			subjects = []sessionstore.ID{bert, ann}
		}
		all.Go(func() { waits[i], errs[i] = o.Store.Try(ctx, subjects, 5, time.Hour) })
	}
	all.Wait()
	made := 0
	for i := range waits {
		must(t, errs[i])
		if waits[i] == 0 {
			made++
		}
	}
	if made != 5 {
		t.Errorf("%d of 20 were made, and 5 may be", made)
	}
}

func triesTakenBack(t *testing.T, o Opened) {
	must(t, o.Store.TakeBack(within(t), []sessionstore.ID{ann, bert})) // of which there are none
	for range 5 {
		o.try(t, ann)
		o.Pass(time.Second)
	}
	must(t, o.Store.TakeBack(within(t), []sessionstore.ID{ann, bert}))
	if wait := o.try(t, ann); wait != 0 {
		t.Errorf("after one was taken back it has to wait %v", wait)
	}
	if wait := o.try(t, ann); wait <= 0 {
		t.Error("more than one was taken back")
	}
}
