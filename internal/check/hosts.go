package check

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// hostLife is how long the outcome of a host counts for further addresses, and troubleLife
// one of a host that did not do well, which may be over in a moment.
const (
	hostLife    = 30 * time.Second
	troubleLife = 5 * time.Second
)

// flightLimit is how long a host may take. Whoever waits for it can still say what it saw.
const flightLimit = hostLimit - 500*time.Millisecond

// hostMemory remembers what the hosts answered, by kind and base URL. Every host is asked by one
// flight at a time, which goes on if the address that began it is given up.
type hostMemory struct {
	now     func() time.Time
	flights singleflight.Group
	mu      sync.Mutex
	known   map[string]hostAnswer
}

type hostAnswer struct {
	check Check
	asked time.Time
}

// life is how long an answer counts, from when it was asked for.
func (a hostAnswer) life() time.Duration {
	switch {
	case a.check.Status == http.StatusTooManyRequests: // who waits as it asked gets another answer
		return 0
	case !works(a.check.State):
		return troubleLife
	}
	return hostLife
}

func newHostMemory(now func() time.Time) *hostMemory {
	return &hostMemory{now: now, known: map[string]hostAnswer{}}
}

// ask returns the outcome of a host, from memory or from probe, whose context does not end
// with ctx. If ctx ends first, the check is unknown.
func (m *hostMemory) ask(ctx context.Context, key string, probe func(context.Context) Check) Check {
	if ctx.Err() == nil { // or nobody would wait for it
		flight := m.flights.DoChan(key, func() (any, error) { return m.answer(ctx, key, probe), nil })
		select {
		case landed := <-flight:
			return landed.Val.(Check)
		case <-ctx.Done():
		}
	}
	return unfinished(ctx, "not completed in time")
}

// answer is the outcome of a host for everybody who waits for it.
func (m *hostMemory) answer(ctx context.Context, key string, probe func(context.Context) Check) Check {
	now := m.now()
	m.mu.Lock()
	maps.DeleteFunc(m.known, func(_ string, a hostAnswer) bool { return now.Sub(a.asked).Abs() >= a.life() })
	known, ok := m.known[key]
	m.mu.Unlock()
	if ok {
		return known.check
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightLimit)
	defer cancel()
	c := recovered(func() Check { return probe(ctx) })
	c.noteWait(m.now().Sub(now))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[key] = hostAnswer{c, now}
	return c
}

// host probes a host, or remembers what it answered to another address.
func (r *run) host(ctx context.Context, kind, baseURL string, err error) Check {
	if err != nil {
		return Check{State: Fail, Code: BadProfile, Summary: err.Error()}
	}
	return r.checker.hosts.ask(ctx, kind+" "+baseURL, func(ctx context.Context) Check {
		return Host(ctx, r.service, kind, baseURL)
	})
}

func checkGlobal(ctx context.Context, r *run) Check {
	return r.host(ctx, Global, r.service.Profile.GlobalURL, nil)
}

// checkAuthority looks at the authority that signs the person in.
func checkAuthority(ctx context.Context, r *run) Check {
	address, err := r.service.Profile.AuthorityURL(r.service.Profile.Authority, r.primary())
	return r.host(ctx, Authority, address, err)
}

// checkGateway looks at the gateway of the primary domain. That of another domain is asked
// only when the claims name it: what a person types is not a host that the service named.
func checkGateway(ctx context.Context, r *run) Check {
	address, err := r.service.Profile.GatewayURL(r.primary())
	return r.host(ctx, Gateway, address, err)
}
