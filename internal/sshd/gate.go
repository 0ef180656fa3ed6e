package sshd

import (
	"container/list"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/pires/go-proxyproto"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

const (
	burst      = 10   // connections that an address may open at once
	maxSources = 8192 // sources in the table
)

// gate counts open connections and admits or refuses each new one, before a handshake or
// anything else is spent on it.
type gate struct {
	limits Limits
	now    func() time.Time

	mu      sync.Mutex
	open    int
	sources map[netip.Prefix]*source
	waiting *list.List // of *slot: connections without a session, oldest first
}

// source is a network that connections come from: an IPv4 address, or an IPv6 /64, the
// least that one customer of a provider has.
type source struct {
	open, waiting int
	recent        *rate.Limiter
}

// slot is one admitted connection in the counts of the gate.
type slot struct {
	gate   *gate
	source *source
	// evicted is cancelled when the connection has to make room for another one.
	evicted context.Context
	evict   context.CancelFunc
	// waits is its element in the gate's waiting list; nil once it has a session.
	waits    *list.Element
	released bool
}

// refusal is why a connection is refused: a reason for the log and a sentence for the
// visitor.
type refusal struct{ reason, sentence string }

func newGate(limits Limits, now func() time.Time) *gate {
	return &gate{limits: limits, now: now, sources: make(map[netip.Prefix]*source), waiting: list.New()}
}

// enter admits a connection from an address or says why not. The caller releases the slot
// with leave.
func (g *gate) enter(address netip.Addr) (*slot, *refusal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	from := g.source(sourceOf(address))
	if refused := g.check(from); refused != nil {
		return nil, refused
	}
	s := &slot{gate: g, source: from}
	s.evicted, s.evict = context.WithCancel(context.Background())
	s.waits = g.waiting.PushBack(s)
	g.open++
	from.open++
	from.waiting++
	return s, nil
}

func (g *gate) check(from *source) *refusal {
	switch l := g.limits; {
	case l.PerSecond > 0 && !from.recent.AllowN(g.now(), 1):
		return &refusal{"rate", "Too many new connections from your address. Wait a moment and try again."}
	case l.PerAddress > 0 && from.open >= l.PerAddress:
		return &refusal{"address", fmt.Sprintf("Too many connections are open from your address: the limit is %d. Close one and try again.", l.PerAddress)}
	case l.Connections > 0 && g.open >= l.Connections && !g.evictOne():
		return &refusal{"full", fmt.Sprintf("The server is full, with %d connections. Try again later.", g.open)}
	default:
		return nil
	}
}

// evictOne evicts the oldest connection without a session, from the source that has most
// of them, and reports whether there was one. So a crowd that opens connections and does
// nothing keeps nobody out.
func (g *gate) evictOne() bool {
	var victim *slot
	for e := g.waiting.Front(); e != nil; e = e.Next() {
		if s := e.Value.(*slot); victim == nil || s.source.waiting > victim.source.waiting {
			victim = s
		}
	}
	if victim == nil {
		return false
	}
	victim.release()
	victim.evict()
	return true
}

// keep marks the connection as one with a session, which is never evicted.
func (s *slot) keep() {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	s.stopWaiting()
}

// leave frees the slot when the connection has ended.
func (s *slot) leave() {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	s.release()
	s.evict() // frees the context
}

func (s *slot) release() {
	if s.released {
		return
	}
	s.released = true
	s.stopWaiting()
	s.gate.open--
	s.source.open--
}

func (s *slot) stopWaiting() {
	if s.waits != nil {
		s.gate.waiting.Remove(s.waits)
		s.waits = nil
		s.source.waiting--
	}
}

func (g *gate) source(prefix netip.Prefix) *source {
	if known := g.sources[prefix]; known != nil {
		return known
	}
	if len(g.sources) >= maxSources {
		g.forget()
	}
	s := &source{recent: rate.NewLimiter(rate.Limit(g.limits.PerSecond), burst)}
	g.sources[prefix] = s
	return s
}

// forget drops sources without open connections. They may open ten connections at once
// again then, which costs less than a table that grows without limit.
func (g *gate) forget() {
	for prefix, s := range g.sources {
		if s.open == 0 {
			delete(g.sources, prefix)
		}
	}
}

// sourceOf is the network that an address is counted under.
func sourceOf(address netip.Addr) netip.Prefix {
	address = address.Unmap().WithZone("")
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	prefix, err := address.Prefix(bits)
	if err != nil { // no address: the listener is not TCP
		return netip.Prefix{}
	}
	return prefix
}

const (
	serverVersion = "SSH-2.0-Gatehouse"

	// tooManyConnections is SSH_DISCONNECT_TOO_MANY_CONNECTIONS (RFC 4253, 11.1).
	tooManyConnections = 12

	refusalTime  = 2 * time.Second
	refusalInput = 64 << 10
	// refusalsAtOnce is how many refusals are sent at a time; beyond it connections
	// are closed without a message.
	refusalsAtOnce = 64
)

// sendRefusal sends a client the reason for the refusal and closes the connection. A
// disconnect message may precede the key exchange, so no keys are needed.
func sendRefusal(conn net.Conn, sentence string) {
	defer conn.Close()
	if proxied, ok := conn.(*proxyproto.Conn); ok {
		conn = proxied.Raw() // which is written to before a header
	}
	_ = conn.SetDeadline(time.Now().Add(refusalTime))
	if _, err := conn.Write(disconnect(sentence)); err != nil {
		return
	}
	// Closing with unread input sends a reset, which could drop the sentence.
	if half, ok := conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		_, _ = io.CopyN(io.Discard, conn, refusalInput)
	}
}

// disconnect is the version line and an unencrypted packet (RFC 4253, 6): its length, the
// length of the padding, the message, the padding, in multiples of eight bytes.
func disconnect(sentence string) []byte {
	message := gossh.Marshal(struct {
		Reason   uint32 `sshtype:"1"`
		Message  string
		Language string
	}{tooManyConnections, sentence, "en"})
	const lengths, block, minPadding = 5, 8, 4
	padding := block - (lengths+len(message))%block
	if padding < minPadding {
		padding += block
	}
	packet := binary.BigEndian.AppendUint32([]byte(serverVersion+"\r\n"), uint32(1+len(message)+padding))
	packet = append(packet, byte(padding))
	packet = append(packet, message...)
	return append(packet, make([]byte, padding)...)
}
