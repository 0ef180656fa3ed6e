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
	burst      = 10   // connections that a source may open at once, however low its rate
	maxSources = 8192 // sources that are remembered
)

// gate knows the open connections. It admits or refuses each new one before anything, such as a
// handshake, is spent on it.
type gate struct {
	limits Limits
	now    func() time.Time

	mu      sync.Mutex
	open    int // connections that count towards the limits: all but evicted ones
	visits  map[*visit]struct{}
	sources map[netip.Prefix]*source
}

// source is a network that connections come from: an IPv4 address, or an IPv6 /64, the smallest
// network that a provider gives to a customer.
type source struct {
	open    int           // connections that count towards the limits
	waiting int           // those of them that have no session yet
	rate    *rate.Limiter // of new connections
}

func newGate(limits Limits, now func() time.Time) *gate {
	return &gate{
		limits:  limits,
		now:     now,
		visits:  make(map[*visit]struct{}),
		sources: make(map[netip.Prefix]*source),
	}
}

// enter admits a connection, or returns why it is refused. Where the server is full, evicted is the
// connection that the caller has to end for the new one.
func (g *gate) enter(v *visit) (evicted *visit, refused *ending) {
	g.mu.Lock()
	defer g.mu.Unlock()
	from := g.source(sourceOf(v.address))
	switch l := g.limits; {
	case l.PerSecond > 0 && !from.rate.AllowN(g.now(), 1):
		return nil, &ending{"rate", "Too many new connections from your address. Wait a moment and try again."}
	case l.PerAddress > 0 && from.open >= l.PerAddress:
		return nil, &ending{"address", fmt.Sprintf("Too many connections are open from your address: the limit is %d. Close one and try again.", l.PerAddress)}
	case l.Connections > 0 && g.open >= l.Connections:
		if evicted = g.evictionCandidate(); evicted == nil {
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

// evictionCandidate returns the oldest connection without a session, of the source that has the
// most of these; nil if there is none. So nobody can keep others out by opening connections and
// doing nothing.
func (g *gate) evictionCandidate() (found *visit) {
	for v := range g.visits {
		switch {
		case !v.waiting:
		case found == nil || v.source.waiting > found.source.waiting,
			v.source.waiting == found.source.waiting && v.started.Before(found.started):
			found = v
		}
	}
	return found
}

// markSession notes that a connection has a session now. It is not evicted any more.
func (g *gate) markSession(v *visit) {
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

// release frees what a connection takes of the limits. The second call for a connection does
// nothing.
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

// all returns the connections that have not left, in any order.
func (g *gate) all() []*visit {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Collect(maps.Keys(g.visits))
}

// unread is how many bytes of input all connections have received that no handler has read.
func (g *gate) unread() (bytes int64) {
	for _, v := range g.all() {
		bytes += v.unread.Load()
	}
	return bytes
}

// source returns what is known of a network, and remembers it if it is new.
func (g *gate) source(prefix netip.Prefix) *source {
	if known := g.sources[prefix]; known != nil {
		return known
	}
	if len(g.sources) >= maxSources {
		// A forgotten source gets a new burst. That costs less than a map without a limit.
		maps.DeleteFunc(g.sources, func(_ netip.Prefix, s *source) bool { return s.open == 0 })
	}
	s := &source{rate: rate.NewLimiter(rate.Limit(g.limits.PerSecond), burst)}
	g.sources[prefix] = s
	return s
}

// sourceOf returns the network that the limits count an address under, see [source]. It is the zero
// Prefix for the zero address.
func sourceOf(address netip.Addr) netip.Prefix {
	const customerBits = 64 // of IPv6
	address = address.Unmap().WithZone("")
	bits := address.BitLen()
	if address.Is6() {
		bits = customerBits
	}
	prefix, err := address.Prefix(bits)
	if err != nil { // the listener is not TCP
		return netip.Prefix{}
	}
	return prefix
}

const (
	serverVersion = "SSH-2.0-Gatehouse"

	// tooManyConnections is SSH_DISCONNECT_TOO_MANY_CONNECTIONS (RFC 4253, 11.1).
	tooManyConnections = 12

	// refusalTimeout is how long a client may take to read why it is refused.
	refusalTimeout = 2 * time.Second
	// refusalInput is how many bytes of a refused client are read and dropped.
	refusalInput = 64 << 10
	// refusalsAtOnce is how many refusals are sent at a time. Beyond that, connections are closed
	// without a message.
	refusalsAtOnce = 64
)

// sendRefusal tells a client why it is refused, and closes the connection. It takes no key
// exchange: SSH allows a disconnect message before it.
func sendRefusal(conn net.Conn, sentence string) {
	defer conn.Close()
	if proxied, ok := conn.(*proxyproto.Conn); ok {
		conn = proxied.Raw() // the wrapper would wait for the PROXY header before it writes
	}
	_ = conn.SetDeadline(time.Now().Add(refusalTimeout))
	if _, err := conn.Write(disconnect(sentence)); err != nil {
		return
	}
	// Closing with unread input sends a reset, which could drop the sentence.
	if half, ok := conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		_, _ = io.CopyN(io.Discard, conn, refusalInput)
	}
}

// disconnect returns the version line and an unencrypted packet with a disconnect message. A
// packet is its length, the length of its padding, the message and the padding, altogether a
// multiple of eight bytes (RFC 4253, 6).
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
