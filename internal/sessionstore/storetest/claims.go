package storetest

import (
	"errors"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
)

func oneClaims(t *testing.T, o Opened) {
	_, err := o.Store.Claim(within(t), ann, 1, time.Minute)
	want(t, "claim without a row", err, sessionstore.ErrNoRow)
	o.saved(t, ann)
	ctx := within(t)
	var all sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		all.Go(func() { _, errs[i] = o.Store.Claim(ctx, ann, 1, time.Minute) })
	}
	all.Wait()
	claims := 0
	for _, err := range errs {
		if err == nil {
			claims++
		} else if !errors.Is(err, sessionstore.ErrClaimed) {
			t.Errorf("the error of a claim that came too late is %v", err)
		}
	}
	if claims != 1 {
		t.Errorf("%d of %d have claimed it", claims, len(errs))
	}
	if r := o.loaded(t, ann); !r.Claimed.After(o.Now()) || r.Claimed.After(o.Now().Add(time.Minute)) {
		t.Errorf("it is claimed until %v, and now is %v", r.Claimed, o.Now())
	}
}

func claimKeepsOut(t *testing.T, o Opened) {
	o.saved(t, ann)
	c := o.claimed(t, ann, 1)
	if c.ID != ann || c.Generation != 1 || c.Token == "" || c.InDoubt {
		t.Errorf("the claim is %+v", c)
	}
	want(t, "save", o.Store.Save(within(t), o.row(ann, 2), 1), sessionstore.ErrClaimed)
	_, err := o.Store.Claim(within(t), ann, 1, time.Minute)
	want(t, "claim", err, sessionstore.ErrClaimed)
	_, err = o.Store.Claim(within(t), ann, 2, time.Minute)
	want(t, "claim another generation", err, sessionstore.ErrOutdated)
	forged := c
	forged.Token += "x"
	want(t, "finish with another claim", o.Store.Finish(within(t), forged, o.row(ann, 2)), sessionstore.ErrOutdated)
	want(t, "release another claim", o.Store.Release(within(t), forged), sessionstore.ErrOutdated)
	if got := o.loaded(t, ann); got.Generation != 1 || got.Claimed.IsZero() {
		t.Errorf("the row is now %+v", got)
	}
}

func finishRepeated(t *testing.T, o Opened) {
	o.saved(t, ann)
	c := o.claimed(t, ann, 1)
	second := o.row(ann, 2)
	must(t, o.Store.Finish(within(t), c, second))
	must(t, o.Store.Finish(within(t), c, second))
	same(t, o.loaded(t, ann), second)
	want(t, "release it", o.Store.Release(within(t), c), sessionstore.ErrOutdated)
	next := o.claimed(t, ann, 2)
	if next.InDoubt || next.Token == c.Token {
		t.Errorf("the next claim is %+v, after %+v", next, c)
	}
	third := o.row(ann, 3)
	must(t, o.Store.Finish(within(t), next, third))
	want(t, "finish again after another change", o.Store.Finish(within(t), c, second), sessionstore.ErrOutdated)
	same(t, o.loaded(t, ann), third)
}

func releaseFrees(t *testing.T, o Opened) {
	first := o.saved(t, ann)
	c := o.claimed(t, ann, 1)
	must(t, o.Store.Release(within(t), c))
	same(t, o.loaded(t, ann), first)
	want(t, "release it again", o.Store.Release(within(t), c), sessionstore.ErrOutdated)
	want(t, "finish what was released", o.Store.Finish(within(t), c, o.row(ann, 2)), sessionstore.ErrOutdated)
	if next := o.claimed(t, ann, 1); next.InDoubt {
		t.Error("a claim after a release is in doubt")
	}
}

func takeover(t *testing.T, o Opened) {
	o.saved(t, ann)
	_, err := o.Store.Claim(within(t), ann, 1, time.Hour)
	must(t, err)
	o.Pass(59 * time.Minute) // a clock may be that of a machine, on which a minute does for what follows
	_, err = o.Store.Claim(within(t), ann, 1, time.Minute)
	want(t, "before the deadline", err, sessionstore.ErrClaimed)
	o.Pass(2 * time.Minute)
	c := o.claimed(t, ann, 1)
	if !c.InDoubt {
		t.Error("it is not in doubt")
	}
	_, err = o.Store.Claim(within(t), ann, 1, time.Minute)
	want(t, "claim what was taken over", err, sessionstore.ErrClaimed)
	if got := o.loaded(t, ann); got.Doubts != 1 || got.Generation != 1 {
		t.Errorf("the row is now %+v", got)
	}
	must(t, o.Store.Finish(within(t), c, o.row(ann, 2)))
	if got := o.loaded(t, ann); got.Doubts != 1 || got.Generation != 2 || !got.Claimed.IsZero() {
		t.Errorf("the row is then %+v", got)
	}
	if next := o.claimed(t, ann, 2); next.InDoubt {
		t.Error("the next generation is in doubt")
	}
}

func doubtOutlivesRelease(t *testing.T, o Opened) {
	o.saved(t, ann)
	o.claimed(t, ann, 1)
	o.Pass(61 * time.Second)
	must(t, o.Store.Release(within(t), o.claimed(t, ann, 1)))
	if c := o.claimed(t, ann, 1); !c.InDoubt {
		t.Error("that the first owner may have sent the token is forgotten")
	}
	if got := o.loaded(t, ann).Doubts; got != 1 {
		t.Errorf("%d takeovers, and there was one", got)
	}
}

func lateOwner(t *testing.T, o Opened) {
	o.saved(t, ann)
	c := o.claimed(t, ann, 1)
	o.Pass(time.Hour)
	must(t, o.Store.Finish(within(t), c, o.row(ann, 2)))
	if got := o.loaded(t, ann); got.Generation != 2 || got.Doubts != 0 {
		t.Errorf("the row is now %+v", got)
	}
}

func lostOwner(t *testing.T, o Opened) {
	o.saved(t, ann)
	late := o.claimed(t, ann, 1)
	o.Pass(61 * time.Second)
	c := o.claimed(t, ann, 1)
	want(t, "finish late", o.Store.Finish(within(t), late, o.row(ann, 2)), sessionstore.ErrOutdated)
	want(t, "release late", o.Store.Release(within(t), late), sessionstore.ErrOutdated)
	must(t, o.Store.Finish(within(t), c, o.row(ann, 2)))
	want(t, "finish later still", o.Store.Finish(within(t), late, o.row(ann, 2)), sessionstore.ErrOutdated)
}
