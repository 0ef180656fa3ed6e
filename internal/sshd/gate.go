package sshd

import (
	"container/list"
	"context"
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

	mu      sync.Mutex
	open    int
	places  map[netip.Prefix]*place
	waiting *list.List // of the stays without a session, as they came
}

// place is where connections come from: an IPv4 address, or a /64 of IPv6, which
// is what one customer of a provider has at least.
type place struct {
	open, waiting int
	recent        *rate.Limiter
}

// stay is that of one connection, from entering to leaving.
type stay struct {
	gate  *gate
	place *place
	// evicted ends when the room is needed for somebody else.
	evicted context.Context
	evict   context.CancelFunc
	// waits is where it stands among those without a session; nil with one.
	waits *list.Element
	left  bool
}

// refusal is why a connection is not let in, as a word for the log and as a
// sentence for the visitor.
type refusal struct{ word, sentence string }

func newGate(limits Limits, now func() time.Time) *gate {
	return &gate{limits: limits, now: now, places: make(map[netip.Prefix]*place), waiting: list.New()}
}

// enter lets one in, who is to leave, or says why not.
func (g *gate) enter(address netip.Addr) (*stay, *refusal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.place(placeOf(address))
	if refused := g.check(p); refused != nil {
		return nil, refused
	}
	s := &stay{gate: g, place: p}
	s.evicted, s.evict = context.WithCancel(context.Background())
	s.waits = g.waiting.PushBack(s)
	g.open++
	p.open++
	p.waiting++
	return s, nil
}

func (g *gate) check(p *place) *refusal {
	switch l := g.limits; {
	case l.PerSecond > 0 && !p.recent.AllowN(g.now(), 1):
		return &refusal{"rate", "Too many new connections from your address. Wait a moment and try again."}
	case l.PerAddress > 0 && p.open >= l.PerAddress:
		return &refusal{"address", fmt.Sprintf("Too many connections are open from your address: the limit is %d. Close one and try again.", l.PerAddress)}
	case l.Connections > 0 && g.open >= l.Connections && !g.makeRoom():
		return &refusal{"full", fmt.Sprintf("The server is full, with %d connections. Try again later.", g.open)}
	default:
		return nil
	}
}

// makeRoom sends one away that has no session yet, or says that there is none: of
// those from where most of them come, the one who came first. So a crowd that opens
// connections and does nothing keeps nobody out.
func (g *gate) makeRoom() bool {
	var last *stay
	for e := g.waiting.Front(); e != nil; e = e.Next() {
		if s := e.Value.(*stay); last == nil || s.place.waiting > last.place.waiting {
			last = s
		}
	}
	if last == nil {
		return false
	}
	last.depart()
	last.evict()
	return true
}

// settle says that the session has started: the stay lasts now as long as it likes.
func (s *stay) settle() {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	s.stopWaiting()
}

// leave ends the stay.
func (s *stay) leave() {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	s.depart()
	s.evict() // nobody minds any more; it frees the context
}

func (s *stay) depart() {
	if s.left {
		return
	}
	s.left = true
	s.stopWaiting()
	s.gate.open--
	s.place.open--
}

func (s *stay) stopWaiting() {
	if s.waits != nil {
		s.gate.waiting.Remove(s.waits)
		s.waits = nil
		s.place.waiting--
	}
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
