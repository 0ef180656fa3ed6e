package sshd

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"slices"
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

// gate holds the open connections and admits or refuses each new one, before a handshake
// or anything else is spent on it.
type gate struct {
	limits Limits
	now    func() time.Time

	mu      sync.Mutex
	open    int // connections that take room
	visits  map[*visit]struct{}
	sources map[netip.Prefix]*source
}

// source is a network that connections come from: an IPv4 address, or an IPv6 /64, the
// least that one customer of a provider has.
type source struct {
	open, waiting int
	recent        *rate.Limiter
}

func newGate(limits Limits, now func() time.Time) *gate {
	return &gate{limits: limits, now: now, visits: make(map[*visit]struct{}), sources: make(map[netip.Prefix]*source)}
}

// enter admits a connection or says why not. evicted is the connection that has to end for
// it, if any.
func (g *gate) enter(v *visit) (evicted *visit, refused *ending) {
	g.mu.Lock()
	defer g.mu.Unlock()
	from := g.source(sourceOf(v.address))
	switch l := g.limits; {
	case l.PerSecond > 0 && !from.recent.AllowN(g.now(), 1):
		return nil, &ending{"rate", "Too many new connections from your address. Wait a moment and try again."}
	case l.PerAddress > 0 && from.open >= l.PerAddress:
		return nil, &ending{"address", fmt.Sprintf("Too many connections are open from your address: the limit is %d. Close one and try again.", l.PerAddress)}
	case l.Connections > 0 && g.open >= l.Connections:
		if evicted = g.oldestOfMost(); evicted == nil {
			return nil, &ending{"full", fmt.Sprintf("The server is full, with %d connections. Try again later.", g.open)}
		}
		g.release(evicted)
	}
	v.source, v.waiting = from, true
	g.visits[v] = struct{}{}
	g.open++
	from.open++
	from.waiting++
	return evicted, nil
}

// oldestOfMost is the oldest connection without a session, of the source that has most of them;
// nil if there is none. So a crowd that opens connections and does nothing keeps nobody out.
func (g *gate) oldestOfMost() (found *visit) {
	for v := range g.visits {
		switch {
		case !v.waiting:
		case found == nil || v.source.waiting > found.source.waiting,
			v.source.waiting == found.source.waiting && v.began.Before(found.began):
			found = v
		}
	}
	return found
}

// keep marks the connection as one with a session, which makes no room for others.
func (g *gate) keep(v *visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stopWaiting(v)
}

// leave forgets a connection that has ended.
func (g *gate) leave(v *visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.release(v)
	delete(g.visits, v)
}

func (g *gate) release(v *visit) {
	if v.source == nil {
		return
	}
	g.stopWaiting(v)
	g.open--
	v.source.open--
	v.source = nil
}

func (g *gate) stopWaiting(v *visit) {
	if v.waiting {
		v.waiting = false
		v.source.waiting--
	}
}

// all returns the connections that have not left.
func (g *gate) all() []*visit {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Collect(maps.Keys(g.visits))
}

// unread is how many bytes of input of all connections nobody has read.
func (g *gate) unread() (bytes int64) {
	for _, v := range g.all() {
		bytes += v.unread.Load()
	}
	return bytes
}

func (g *gate) source(prefix netip.Prefix) *source {
	if known := g.sources[prefix]; known != nil {
		return known
	}
	if len(g.sources) >= maxSources {
		// Those without open connections may open ten at once again then, which costs less than a
		// table that grows without limit.
		maps.DeleteFunc(g.sources, func(_ netip.Prefix, s *source) bool { return s.open == 0 })
	}
	s := &source{recent: rate.NewLimiter(rate.Limit(g.limits.PerSecond), burst)}
	g.sources[prefix] = s
	return s
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
