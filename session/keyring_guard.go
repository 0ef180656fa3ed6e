package session

import (
	"context"
	"sync"
	"time"
)

// How long a keyring may take to answer: longer where a person has started the
// call and may be looking at a prompt.
const (
	keyringLimit = 3 * time.Second
	promptLimit  = time.Minute
)

// guardedKeyring calls a keyring in goroutines and waits a limited time. After
// a call that did not come back no other is made until it does, so that there
// is never more than one goroutine to wait for.
type guardedKeyring struct {
	ring  Keyring
	after func(time.Duration) <-chan time.Time
	busy  chan struct{} // holds its one token while a call runs

	mu      sync.Mutex
	people  int             // who wait for a prompt
	written <-chan struct{} // closed when the last Set has come back; nil before the first
}

func guard(ring Keyring) *guardedKeyring {
	return &guardedKeyring{ring: ring, after: time.After, busy: make(chan struct{}, 1)}
}

// patiently gives every call the time of a prompt until done is called.
func (g *guardedKeyring) patiently() (done func()) {
	add := func(n int) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.people += n
	}
	add(1)
	return func() { add(-1) }
}

func (g *guardedKeyring) limit() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.people > 0 {
		return promptLimit
	}
	return keyringLimit
}

func (g *guardedKeyring) get(ctx context.Context, service, account string) (string, error) {
	value, _, err := g.call(ctx, func() (string, error) { return g.ring.Get(service, account) })
	return value, err
}

func (g *guardedKeyring) set(ctx context.Context, service, account, value string) error {
	_, back, err := g.call(ctx, func() (string, error) { return "", g.ring.Set(service, account, value) })
	if back != nil {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.written = back
	}
	return err
}

func (g *guardedKeyring) delete(ctx context.Context, service, account string) error {
	_, _, err := g.call(ctx, func() (string, error) { return "", g.ring.Delete(service, account) })
	return err
}

// writing is closed when a Set that was given up has come back; nil if there is
// none. Until then it may still change what the keyring holds.
func (g *guardedKeyring) writing() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.written:
		return nil
	default:
		return g.written
	}
}

// call runs one call. Back is closed when it has come back, and nil if it was
// not made.
func (g *guardedKeyring) call(ctx context.Context, run func() (string, error)) (value string, back <-chan struct{}, err error) {
	select {
	case g.busy <- struct{}{}:
	default:
		return "", nil, ErrKeyringLocked
	}
	done := make(chan struct{})
	var answer string
	var failure error
	go func() {
		defer func() {
			if recover() != nil { // a library's mistake must not end the program
				failure = ErrKeyringUnavailable
			}
			<-g.busy // before the answer: whoever has it may call again
			close(done)
		}()
		answer, failure = run()
	}()
	select {
	case <-done:
		return answer, done, failure
	case <-g.after(g.limit()):
		return "", done, ErrKeyringLocked
	case <-ctx.Done():
		return "", done, ctx.Err()
	}
}
