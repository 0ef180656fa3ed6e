package storetest

import (
	"errors"
	"sync"
	"time"

	"gatehouse/internal/sessionstore"
)

func oneClaims(t *tested) {
	t.refused("claim without a row", ann, 1, sessionstore.ErrNoRow)
	t.saved(ann)
	var all sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		all.Go(func() { _, errs[i] = t.claim(ann, 1) })
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
	if r := t.loaded(ann); !r.Claimed.After(t.Now()) || r.Claimed.After(t.Now().Add(time.Minute)) {
		t.Errorf("it is claimed until %v, and now is %v", r.Claimed, t.Now())
	}
}

func claimKeepsOut(t *tested) {
	t.saved(ann)
	c := t.claimed(ann, 1)
	if c.ID != ann || c.Generation != 1 || c.Token == "" || c.InDoubt {
		t.Errorf("the claim is %+v", c)
	}
	t.want("save", t.put(t.row(ann, 2), 1), sessionstore.ErrClaimed)
	t.refused("claim", ann, 1, sessionstore.ErrClaimed)
	t.refused("claim another generation", ann, 2, sessionstore.ErrOutdated)
	forged := c
	forged.Token += "x"
	t.want("finish with another claim", t.finish(forged, t.row(ann, 2)), sessionstore.ErrOutdated)
	t.want("release another claim", t.release(forged), sessionstore.ErrOutdated)
	if got := t.loaded(ann); got.Generation != 1 || got.Claimed.IsZero() {
		t.Errorf("the row is now %+v", got)
	}
}

func finishRepeated(t *tested) {
	t.saved(ann)
	c := t.claimed(ann, 1)
	second, third := t.row(ann, 2), t.row(ann, 3)
	t.must(t.finish(c, second))
	t.must(t.finish(c, second))
	t.same(second)
	t.want("release it", t.release(c), sessionstore.ErrOutdated)
	next := t.claimed(ann, 2)
	if next.InDoubt || next.Token == c.Token {
		t.Errorf("the next claim is %+v, after %+v", next, c)
	}
	t.must(t.finish(next, third))
	t.want("finish again after another change", t.finish(c, second), sessionstore.ErrOutdated)
	t.same(third)
}

func releaseFrees(t *tested) {
	first := t.saved(ann)
	c := t.claimed(ann, 1)
	t.must(t.release(c))
	t.same(first)
	t.want("release it again", t.release(c), sessionstore.ErrOutdated)
	t.want("finish what was released", t.finish(c, t.row(ann, 2)), sessionstore.ErrOutdated)
	if next := t.claimed(ann, 1); next.InDoubt {
		t.Error("a claim after a release is in doubt")
	}
}

func takeover(t *tested) {
	t.saved(ann)
	_, err := t.Store.Claim(t.ctx, ann, 1, time.Hour)
	t.must(err)
	t.Pass(59 * time.Minute) // a clock may be that of a machine, on which a minute does for what follows
	t.refused("before the deadline", ann, 1, sessionstore.ErrClaimed)
	t.Pass(2 * time.Minute)
	c := t.claimed(ann, 1)
	t.refused("claim what was taken over", ann, 1, sessionstore.ErrClaimed)
	t.must(t.release(c)) // which the doubt outlives
	again := t.claimed(ann, 1)
	if !c.InDoubt || !again.InDoubt {
		t.Errorf("in doubt: %v, and after a release %v", c.InDoubt, again.InDoubt)
	}
	if got := t.loaded(ann); got.Doubts != 1 || got.Generation != 1 {
		t.Errorf("the row is now %+v", got)
	}
	t.must(t.finish(again, t.row(ann, 2)))
	if got := t.loaded(ann); got.Doubts != 1 || got.Generation != 2 || !got.Claimed.IsZero() {
		t.Errorf("the row is then %+v", got)
	}
	if next := t.claimed(ann, 2); next.InDoubt {
		t.Error("the next generation is in doubt")
	}
}

func lateOwner(t *tested) {
	t.saved(ann)
	c := t.claimed(ann, 1)
	t.Pass(time.Hour)
	t.must(t.finish(c, t.row(ann, 2)))
	if got := t.loaded(ann); got.Generation != 2 || got.Doubts != 0 {
		t.Errorf("the row is now %+v", got)
	}
}

func lostOwner(t *tested) {
	t.saved(ann)
	late := t.claimed(ann, 1)
	t.Pass(61 * time.Second)
	c := t.claimed(ann, 1)
	t.want("finish late", t.finish(late, t.row(ann, 2)), sessionstore.ErrOutdated)
	t.want("release late", t.release(late), sessionstore.ErrOutdated)
	t.must(t.finish(c, t.row(ann, 2)))
	t.want("finish later still", t.finish(late, t.row(ann, 2)), sessionstore.ErrOutdated)
}
