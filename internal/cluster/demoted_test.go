//go:build linux

package cluster

import (
	"context"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
	"gatehouse/internal/testkit/postgres"
)

// TestAPrimaryThatWasDemotedIsSentNothing has the primary and its standby change places while
// the balancer still goes to the first: connections are made, what is read is good, and nothing
// can be claimed. When the balancer turns, all goes on.
func TestAPrimaryThatWasDemotedIsSentNothing(t *testing.T) {
	t.Parallel()
	for name, pooled := range map[string]bool{"a balancer": false, "a balancer and a pooler, whose clients stay connected": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newWard(t, 1).demote(t, pooled)
		})
	}
}

func (w *ward) demote(t *testing.T, pooled bool) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	p, err := w.admit(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.proxy.Close)
	first, second := w.database.Servers[0], w.database.Servers[1]
	address := p.proxy.Address()
	if pooled {
		address = postgres.Pooler(t, first, address, "transaction")
	}
	store, err := sessionstore.OpenPostgres(ctx, postgres.URL(address, databaseName), sessionstore.PostgresOptions{Name: "behind"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	due, fresh := p.task, p.task
	fresh.Ahead = 0
	renewing, err := due.on(store)
	if err != nil {
		t.Fatal(err)
	}
	working, err := fresh.on(store)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*worker{renewing, working} {
		if err := s.Restore(ctx); err != nil {
			t.Fatal(err)
		}
	}

	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := second.Promote(ctx); err != nil {
		t.Fatal(err)
	}
	if err := first.Follow(ctx); err != nil {
		t.Fatal(err)
	}
	_, err = renewing.Token(ctx)
	if sent := w.service.presented(p.first); err == nil || len(sent) > 0 {
		t.Fatalf("on a standby: %v, and the token was sent %d times", err, len(sent))
	}
	if _, err := working.Token(ctx); err != nil {
		t.Errorf("a visitor whose token is good: %v", err)
	}

	w.connectedToStandby(ctx, t, p, first)

	p.proxy.Turn(second.Address())
	for err != nil && ctx.Err() == nil {
		pause(ctx, moment)
		if renewing, err = due.on(store); err != nil { // another connection, which need not wait before it tries
			t.Fatal(err)
		}
		if err = renewing.Restore(ctx); err == nil {
			_, err = renewing.Token(ctx)
		}
	}
	if sent := w.service.presented(p.first); err != nil || len(sent) != 1 || !sent[0].good || w.tooEarly(p) {
		t.Errorf("when the balancer has turned: %v, and the token was sent %d times", err, len(sent))
	}
	if doubts, err := p.doubts(); err != nil || doubts > 0 {
		t.Errorf("%d doubts, %v", doubts, err)
	}
}

// connectedToStandby has a renewal on connections to a standby that are open, as a pooler may
// have them.
func (w *ward) connectedToStandby(ctx context.Context, t *testing.T, p *patient, standby *postgres.Server) {
	t.Helper()
	store, err := sessionstore.OpenPostgres(ctx, postgres.URL(standby.Address(), databaseName)+"&target_session_attrs=standby", sessionstore.PostgresOptions{Name: "connected"})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s, err := p.task.on(store)
	if err == nil {
		err = s.Restore(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Token(ctx)
	if sent := w.service.presented(p.first); err == nil || !strings.Contains(err.Error(), "takes no changes now") || len(sent) > 0 {
		t.Errorf("connected to a standby: %v, and the token was sent %d times", err, len(sent))
	}
}
