package sshd

import (
	"fmt"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	atOnce    = 10   // connections that an address may open without a pause
	maxPlaces = 8192 // addresses that are remembered
)

// gate counts who is inside and decides on the next one before anything is spent
// on it.
type gate struct {
	limits Limits
	now    func() time.Time

	mu     sync.Mutex
	open   int
	places map[netip.Prefix]*place
}

// place is where connections come from: an IPv4 address, or a /64 of IPv6, which
// is what one customer of a provider has at least.
type place struct {
	open   int
	recent *rate.Limiter
}

// refusal is why a connection is not let in, as a word for the log and as a
// sentence for the visitor.
type refusal struct{ word, sentence string }

func newGate(limits Limits, now func() time.Time) *gate {
	return &gate{limits: limits, now: now, places: make(map[netip.Prefix]*place)}
}

// enter lets one in, who is to call leave, or says why not.
func (g *gate) enter(address netip.Addr) (leave func(), refused *refusal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	from := placeOf(address)
	p := g.place(from)
	if refused := g.check(p); refused != nil {
		return nil, refused
	}
	g.open++
	p.open++
	return sync.OnceFunc(func() { g.leave(p) }), nil
}

func (g *gate) check(p *place) *refusal {
	switch l := g.limits; {
	case l.PerSecond > 0 && !p.recent.AllowN(g.now(), 1):
		return &refusal{"rate", "Too many new connections from your address. Wait a moment and try again."}
	case l.PerAddress > 0 && p.open >= l.PerAddress:
		return &refusal{"address", fmt.Sprintf("Too many connections are open from your address: the limit is %d. Close one and try again.", l.PerAddress)}
	case l.Connections > 0 && g.open >= l.Connections:
		return &refusal{"full", fmt.Sprintf("The server is full, with %d connections. Try again later.", g.open)}
	default:
		return nil
	}
}

func (g *gate) leave(p *place) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open--
	p.open--
}

func (g *gate) place(from netip.Prefix) *place {
	if p := g.places[from]; p != nil {
		return p
	}
	if len(g.places) >= maxPlaces {
		g.forget()
	}
	p := &place{recent: rate.NewLimiter(rate.Limit(g.limits.PerSecond), atOnce)}
	g.places[from] = p
	return p
}

// forget drops the places that nobody is connected from. Some of them get their
// ten connections anew by that, which costs less than a table without an end.
func (g *gate) forget() {
	for from, p := range g.places {
		if p.open == 0 {
			delete(g.places, from)
		}
	}
}

func placeOf(address netip.Addr) netip.Prefix {
	address = address.Unmap().WithZone("")
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	prefix, err := address.Prefix(bits)
	if err != nil { // no address at all: a listener that is no TCP one
		return netip.Prefix{}
	}
	return prefix
}
