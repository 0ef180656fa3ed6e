package session

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestASessionRemembersWhatBecameOfIt(t *testing.T) {
	a, c := newAuthority(t), newClock()
	s := newSession(a, NewMemoryVault(), c)
	want := func(kinds ...EventKind) {
		t.Helper()
		var got []EventKind
		for _, e := range s.History() {
			got = append(got, e.Kind)
		}
		if diff := cmp.Diff(kinds, got); diff != "" {
			t.Fatalf("the history differs (-want +got):\n%s", diff)
		}
	}
	want()
	signIn(t, s)
	c.Advance(23 * time.Hour)
	a.Next(status(http.StatusServiceUnavailable))
	_, _ = s.Token(t.Context())
	want(EventSignedIn, EventDelayed)
	if at := s.History()[1].At; !at.Equal(start.Add(23 * time.Hour)) {
		t.Errorf("the renewal failed at %v", at)
	}
	if err := s.SignOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(EventSignedOut)
	signIn(t, s)
	want(EventSignedIn)
	for range 2 * maxHistory {
		if err := s.Renew(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.History(); len(got) != maxHistory || got[maxHistory-1].Kind != EventRenewed {
		t.Errorf("%d events are remembered, want the last %d", len(got), maxHistory)
	}
}
