package check

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"gatehouse/internal/config"
)

// hostLife is how long the outcome of a host counts for further addresses, and troubleLife
// one of a host that did not do well, which may be over in a moment.
const (
	hostLife    = 30 * time.Second
	troubleLife = 5 * time.Second
)

// flightLimit is how long a host may take. Whoever waits for it can still say what it saw.
const flightLimit = hostLimit - 500*time.Millisecond

// hostMemory remembers what the hosts answered. Every host is asked by one flight at a
// time, which goes on if the address that began it is given up.
type hostMemory struct {
	now     func() time.Time
	mu      sync.Mutex
	flights map[string]*flight // by kind and base URL
}

type flight struct {
	done  chan struct{} // closed when check is set
	check Check
	at    time.Time // when it began
}

// life is how long a flight counts, from its beginning.
func (f *flight) life() time.Duration {
	select {
	case <-f.done:
	default: // under way, which takes no longer
		return hostLife
	}
	switch {
	case f.check.Status == http.StatusTooManyRequests: // who waits as it asked gets another answer
		return 0
	case !works(f.check.State):
		return troubleLife
	}
	return hostLife
}

func newHostMemory(now func() time.Time) *hostMemory {
	return &hostMemory{now: now, flights: map[string]*flight{}}
}

// ask returns the outcome of a host, from memory or from probe, whose context does not end
// with ctx. If ctx ends first, the check is unknown.
func (m *hostMemory) ask(ctx context.Context, key string, probe func(context.Context) Check) Check {
	if ctx.Err() == nil { // or nobody would wait for it
		f := m.join(ctx, key, probe)
		select {
		case <-f.done:
			return f.check
		case <-ctx.Done():
		}
	}
	return unfinished(ctx, "not completed in time")
}

func (m *hostMemory) join(ctx context.Context, key string, probe func(context.Context) Check) *flight {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	maps.DeleteFunc(m.flights, func(_ string, known *flight) bool { return now.Sub(known.at).Abs() >= known.life() })
	if known, ok := m.flights[key]; ok {
		return known
	}
	f := &flight{done: make(chan struct{}), at: now}
	m.flights[key] = f
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightLimit)
	go func() { // ends with flightLimit
		defer cancel()
		defer close(f.done)
		started := m.now()
		f.check = recovered(ctx, nil, step{run: func(ctx context.Context, _ *run) Check { return probe(ctx) }})
		f.check.noteWait(m.now().Sub(started))
	}()
	return f
}

// host probes a host, or remembers what it answered to another address.
func (r *run) host(ctx context.Context, kind, baseURL string, err error) Check {
	if err != nil {
		return Check{State: Fail, Code: BadProfile, Summary: err.Error()}
	}
	return r.checker.hosts.ask(ctx, kind+" "+baseURL, func(ctx context.Context) Check {
		return probeHost(ctx, r.service, kind, baseURL)
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

// authorityTemplate is the URL of the authority with its {domain}.
func (r *run) authorityTemplate() string {
	if r.service.Profile.Authority == config.AuthorityDomain {
		return r.service.Profile.DomainAuthURL
	}
	return ""
}
