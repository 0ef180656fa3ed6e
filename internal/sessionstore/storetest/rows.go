package storetest

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/sessionstore"
)

func savedOnce(t *testing.T, o Opened) {
	_, err := o.Store.Load(within(t), ann)
	want(t, "load without a row", err, sessionstore.ErrNoRow)
	want(t, "replace a row that is not there", o.Store.Save(within(t), o.row(ann, 8), 7), sessionstore.ErrOutdated)
	first := o.saved(t, ann)
	want(t, "create it again", o.Store.Save(within(t), o.row(ann, 1), 0), sessionstore.ErrOutdated)
	same(t, o.loaded(t, ann), first)
	second := o.row(ann, 2)
	must(t, o.Store.Save(within(t), second, 1))
	want(t, "replace the first again", o.Store.Save(within(t), o.row(ann, 2), 1), sessionstore.ErrOutdated)
	want(t, "replace one that is not yet there", o.Store.Save(within(t), o.row(ann, 4), 3), sessionstore.ErrOutdated)
	same(t, o.loaded(t, ann), second)
	_, err = o.Store.Load(within(t), bert)
	want(t, "load another one", err, sessionstore.ErrNoRow)
}

func bytesKept(t *testing.T, o Opened) {
	every := make([]byte, 16<<10)
	for i := range every {
		every[i] = byte(i)
	}
	r := o.row(ann, 1)
	r.Sealed, r.Place = bytes.Clone(every), bytes.Clone(every[1:])
	must(t, o.Store.Save(within(t), r, 0))
	got := o.loaded(t, ann)
	same(t, got, r)
	got.Sealed[0]++ // what was loaded is the caller's
	same(t, o.loaded(t, ann), r)
}

func deleted(t *testing.T, o Opened) {
	must(t, o.Store.Delete(within(t), ann))
	o.saved(t, ann)
	o.saved(t, bert)
	c := o.claimed(t, ann, 1)
	must(t, o.Store.Delete(within(t), ann))
	_, err := o.Store.Load(within(t), ann)
	want(t, "load", err, sessionstore.ErrNoRow)
	want(t, "finish", o.Store.Finish(within(t), c, o.row(ann, 2)), sessionstore.ErrOutdated)
	want(t, "save", o.Store.Save(within(t), o.row(ann, 2), 1), sessionstore.ErrOutdated)
	want(t, "save a place", o.Store.SavePlace(within(t), ann, []byte("place")), sessionstore.ErrNoRow)
	o.saved(t, ann)
	want(t, "finish over a new row", o.Store.Finish(within(t), c, o.row(ann, 2)), sessionstore.ErrOutdated)
	if next := o.claimed(t, ann, 1); next.InDoubt {
		t.Error("a new row is in doubt")
	}
	o.loaded(t, bert)
}

func deletedAll(t *testing.T, o Opened) {
	for i := range byte(5) {
		o.saved(t, sessionstore.ID{9, i})
	}
	must(t, o.Store.SaveTicket(within(t), o.ticket(1)))
	n, err := o.Store.DeleteAll(within(t))
	if n != 5 || err != nil {
		t.Errorf("deleted %d of 5: %v", n, err)
	}
	if n, err := o.Store.DeleteAll(within(t)); n != 0 || err != nil {
		t.Errorf("deleted %d of 0: %v", n, err)
	}
	_, err = o.Store.LoadTicket(within(t), o.ticket(1).ID)
	must(t, err) // tickets are no sessions
}

func places(t *testing.T, o Opened) {
	want(t, "save without a row", o.Store.SavePlace(within(t), ann, []byte("place")), sessionstore.ErrNoRow)
	o.saved(t, ann)
	must(t, o.Store.SavePlace(within(t), ann, []byte("first")))
	second := o.row(ann, 2)
	must(t, o.Store.Save(within(t), second, 1))
	second.Place = []byte("first") // stays
	same(t, o.loaded(t, ann), second)
	c := o.claimed(t, ann, 2)
	must(t, o.Store.SavePlace(within(t), ann, []byte("second")))
	if got := o.loaded(t, ann); got.Claimed.IsZero() || string(got.Sealed) != string(second.Sealed) {
		t.Errorf("with another place the row is %+v", got)
	}
	must(t, o.Store.Finish(within(t), c, o.row(ann, 3)))
	if got := string(o.loaded(t, ann).Place); got != "second" {
		t.Errorf("after a renewal the place is %q", got)
	}
}

func countedByKey(t *testing.T, o Opened) {
	old, current := sessionstore.NewKeys(), sessionstore.NewKeys()
	sealed := func(k *sessionstore.Keys) []byte {
		b, err := k.Seal([]byte("x"))
		must(t, err)
		return b
	}
	save := func(n byte, session, place []byte) {
		r := o.row(sessionstore.ID{7, n}, 1)
		r.Sealed, r.Place = session, place
		must(t, o.Store.Save(within(t), r, 0))
	}
	save(1, sealed(old), nil)
	save(2, sealed(current), sealed(current))
	save(3, sealed(current), sealed(old))
	ticket := o.ticket(1)
	ticket.Sealed = sealed(old)
	must(t, o.Store.SaveTicket(within(t), ticket))
	got, err := o.Store.SealedWith(within(t))
	must(t, err)
	if diff := cmp.Diff(map[string]int{old.Current(): 3, current.Current(): 2}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func swept(t *testing.T, o Opened) {
	forever := o.row(sessionstore.ID{7, 1}, 1)
	forever.RefreshEnds = time.Time{}
	must(t, o.Store.Save(within(t), forever, 0))
	o.saved(t, ann)
	o.saved(t, bert)
	must(t, o.Store.SaveTicket(within(t), o.ticket(1)))
	left := func(want int) {
		t.Helper()
		must(t, o.Store.Sweep(within(t)))
		if got, err := o.Store.SealedWith(within(t)); err != nil || got[""] != want {
			t.Errorf("%d are left, want %d: %v", got[""], want, err)
		}
	}
	left(4)
	o.Pass(31 * 24 * time.Hour)
	o.claimed(t, bert, 1) // is in use
	left(2)
	o.loaded(t, bert)
	o.loaded(t, forever.ID)
}
