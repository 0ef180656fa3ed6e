//go:build linux

package cluster

import (
	"context"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// TestAnOwnerThatWasFrozenSendsNothing stops a server with SIGSTOP when it has claimed a row
// and is about to send its token, for longer than its claim. Another server takes the session
// over meanwhile. It takes as long as a claim lives, a minute and a half.
func TestAnOwnerThatWasFrozenSendsNothing(t *testing.T) {
	t.Parallel()
	if !testkit.Long() {
		t.Log("only with GATEHOUSE_LONG=1: a claim lives a minute and a half")
		return
	}
	w := newWard(t, 2)
	for name, when := range map[string]string{"before the commit": theClaim, "after the commit": theCommit} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.freeze(t, when)
		})
	}
}

// freeze freezes somebody's server when the database answers to a statement of its claim.
func (w *ward) freeze(t *testing.T, when string) {
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	p, err := w.admit(ctx)
	if err != nil {
		t.Fatal(err)
	}
	started, frozen := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	claims, sent, done := false, false, false
	p.proxy.Watch(func(toServer bool, data []byte) bool {
		<-started
		mu.Lock()
		defer mu.Unlock()
		claims = claims || toServer && strings.Contains(string(data), theClaim)
		sent = sent || claims && toServer && strings.Contains(string(data), when)
		if sent && !toServer && !done {
			done = true
			p.victim.stop()
			close(frozen)
		}
		return true
	})
	if p.victim, err = startVictim(p.task); err != nil {
		t.Fatal(err)
	}
	close(started)
	gone := make(chan error, 1)
	go func() { gone <- p.victim.wait() }()
	select {
	case <-frozen:
	case err := <-gone:
		t.Fatalf("it was done before it could be frozen: %v, %s", err, &p.victim.stdout)
	case <-ctx.Done():
		t.Fatal(ctx.Err())
	}
	began := time.Now()
	found, err := p.nextWaits(ctx)
	took := time.Since(began).Round(time.Second)
	p.victim.signal(syscall.SIGCONT)
	<-gone
	times := len(w.service.presented(p.first))
	doubts, _ := p.doubts()
	t.Logf("another server: %s, %v, after %v; the frozen one then: %s; the token was sent %d times, %d in the ledger",
		found, err, took, strings.TrimSpace(p.victim.stdout.String()), times, doubts)
	if times != 1 || found != works || w.tooEarly(p) {
		t.Errorf("the token was sent %d times", times)
	}
}

// nextWaits is another server that waits until the claim has ended.
func (p *patient) nextWaits(ctx context.Context) (found outcome, err error) {
	for ctx.Err() == nil {
		w, err := p.on(p.store())
		if err != nil {
			return "", err
		}
		if found, err = w.renew(ctx); found != delayed {
			return found, err
		}
		pause(ctx, time.Second)
	}
	return found, ctx.Err()
}

// tooEarly reports whether somebody's token was sent again without the ledger having it.
func (w *ward) tooEarly(p *patient) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.early, func(text string) bool { return strings.HasPrefix(text, p.person.name+":") })
}
