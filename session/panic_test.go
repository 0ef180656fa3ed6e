package session

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/api"
)

// A renewal runs on a goroutine of its own, where nobody but the session can catch a panic.
func TestAPanicInARenewalEndsNothingElse(t *testing.T) {
	a, c := newAuthority(t), newClock()
	const text = "canary-panic with a token"
	var mistaken atomic.Bool
	var told atomic.Pointer[string]
	s := NewService(ServiceOptions{
		Profile: a.profile(), Vault: diskVault{NewMemoryVault()}, Now: c.Now,
		Observe: func(api.Exchange) {
			if mistaken.Load() {
				panic(text)
			}
		},
		Panicked: func(stack string) { told.Store(&stack) },
	}).Session
	signIn(t, s)
	c.Advance(25 * time.Hour)
	mistaken.Store(true)

	_, err := s.Token(t.Context())
	if !errors.Is(err, errPanic) {
		t.Fatalf("Token: %v", err)
	}
	stack := told.Load()
	if stack == nil || !strings.Contains(*stack, "TestAPanicInARenewalEndsNothingElse") {
		t.Fatalf("the stack that was told is %v", stack)
	}
	if strings.Contains(err.Error()+*stack, "canary") {
		t.Errorf("the text of the panic is repeated: %v\n%s", err, *stack)
	}
	wantState(t, s, Delayed)

	// The observer is called after the service has answered: the refresh token is spent, and the
	// service is asked no more than once with it after that.
	mistaken.Store(false)
	c.Advance(time.Minute)
	if _, err := s.Token(t.Context()); err == nil {
		t.Error("Token did not fail")
	}
	wantState(t, s, Ended)
	signIn(t, s)
	wantState(t, s, Active)
}

func TestAPanicInTheVaultKeepsTheNewTokens(t *testing.T) {
	v := hookedDisk()
	a, c, s := expired(t, v)
	a.NextAfter(func() { v.on(func() error { panic("canary-panic") }, "put", "commit") })
	wantToken(t, s, a, 2)
	if s.Status().Saved {
		t.Error("it is called saved")
	}
	v.fail(nil, saving...)
	c.Advance(time.Minute)
	wantToken(t, s, a, 2)
	if got := s.Status(); !got.Saved || got.State != Active {
		t.Errorf("Status: %+v", got)
	}
	wantSaved(t, v, "canary-refresh-2")
}
