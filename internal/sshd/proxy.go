package sshd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"github.com/pires/go-proxyproto"

	"gatehouse/internal/safetext"
)

// A balancer that ends the client's TCP connection says in a PROXY header, before the
// first byte of its own connection, where the client comes from. Whoever is believed can
// claim any address, so the header is required from the networks of
// Options.ProxiesFrom and refused from everywhere else.

const (
	// headerTime is how long a balancer may take for its header, which it sends at once.
	headerTime = time.Second
	// headerBuffer holds a version 1 header, and a version 2 header with what balancers
	// usually add to it.
	headerBuffer = 256
	// longestLine is the longest version 1 header, in bytes.
	longestLine = 107
)

var (
	errNoHeader     = errors.New("no PROXY header, which is required from this address")
	errLateHeader   = errors.New("the PROXY header did not come in time")
	errHeaderSource = errors.New("the PROXY header names no TCP address")
	errCrowd        = errors.New("too many connections without a PROXY header")
	errForeign      = errors.New("a PROXY header, which is not taken from this address")
	// errLeft means that the peer has closed the connection and wanted nothing, as health
	// checks do.
	errLeft = errors.New("the connection was only looked at")
)

// receive takes a connection that has been accepted. It does not block: a header is read
// on a goroutine of the connection.
func (s *Server) receive(c net.Conn) {
	peer := addressOf(c)
	if !s.isProxy(peer) {
		input := &headerGuard{Reader: c, refuse: func() { s.refuseHeader(peer, errForeign) }}
		s.admit(&tcpConn{Conn: c, input: input, remote: c.RemoteAddr()}, peer)
		return
	}
	slot, refused := s.headers.enter(peer)
	if refused != nil {
		s.refuse(c, peer, refused)
		return
	}
	s.tasks.Go(func() { s.receiveProxied(c, peer, slot) })
}

func (s *Server) isProxy(peer netip.Addr) bool {
	return slices.ContainsFunc(s.options.ProxiesFrom, func(network netip.Prefix) bool {
		return network.Contains(peer.WithZone(""))
	})
}

// receiveProxied reads the header of a balancer and admits the client that it names. Until
// then the connection has a slot of its own kind, and has to go for a newer one when there
// are too many of them.
func (s *Server) receiveProxied(c net.Conn, peer netip.Addr, slot *slot) {
	defer func() {
		if r := recover(); r != nil {
			s.metrics.panics.Inc()
			s.options.Log.Error("panic", "in", "header", "panic", describePanic(r), "stack", string(debug.Stack()))
			_ = c.Close()
		}
	}()
	defer slot.leave()
	keep := context.AfterFunc(slot.evicted, func() { _ = c.Close() })
	defer keep()
	client, err := readHeader(c, s.options.headerTime)
	if !keep() {
		err = errCrowd
	}
	if err == nil {
		s.admit(client, addressOf(client))
		return
	}
	_ = c.Close()
	if !errors.Is(err, errLeft) {
		s.refuseHeader(peer, err)
	}
}

// refuseHeader counts and logs a connection that is closed for its header, or for having
// none. address is that of the peer.
func (s *Server) refuseHeader(address netip.Addr, why error) {
	s.metrics.refused("proxy header")
	if s.refusalLog.Allow() {
		s.options.Log.Warn("refused", "address", address.String(), "reason", "proxy header", "error", safetext.Clip(why.Error(), maxLogged))
	}
}

// readHeader reads the header at the beginning of a connection. The connection that it
// returns goes on behind the header and has the address of the client; where the header
// says that the balancer speaks for itself, it is the balancer's.
func readHeader(c net.Conn, limit time.Duration) (*tcpConn, error) {
	if err := c.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return nil, err
	}
	input := bufio.NewReaderSize(c, headerBuffer)
	if left(input) {
		return nil, errLeft
	}
	header, err := parseHeader(input)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errLateHeader
	case errors.Is(err, proxyproto.ErrNoProxyProtocol):
		return nil, errNoHeader
	case err != nil:
		return nil, fmt.Errorf("bad PROXY header: %w", err)
	}
	remote := c.RemoteAddr()
	if !header.Command.IsLocal() {
		tcp, ok := header.SourceAddr.(*net.TCPAddr)
		if !ok {
			return nil, errHeaderSource
		}
		remote = tcp
	} else if left(input) {
		return nil, errLeft
	}
	own := header.Command.IsLocal()
	return &tcpConn{Conn: c, input: input, remote: remote, own: own}, c.SetReadDeadline(time.Time{})
}

// left waits for the next byte, and reports whether the peer has closed the connection
// instead. It has not if there is no byte in time.
func left(input *bufio.Reader) bool {
	_, err := input.Peek(1)
	return err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
}

// parseHeader reads a header of either version. The parser wants one of version 1 in one
// piece, but TCP may divide it, so all of its line is waited for.
func parseHeader(input *bufio.Reader) (*proxyproto.Header, error) {
	for n := 1; n <= longestLine; n++ {
		line, err := input.Peek(n)
		if err != nil {
			return nil, err
		}
		if line[n-1] == '\n' || n <= len(proxyproto.SIGV1) && line[n-1] != proxyproto.SIGV1[n-1] {
			break
		}
	}
	return proxyproto.Read(input)
}

// headerGuard is the input of a peer from which no header is taken. It ends with an error
// if it begins with one: the SSH library would pass over a line that is not SSH.
type headerGuard struct {
	io.Reader
	refuse func()
	head   []byte // the first bytes, while they could become a header
	passed bool
}

func (g *headerGuard) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	if !g.passed && g.isHeader(p[:n]) {
		g.passed = true // refused once
		g.refuse()
		return 0, errForeign
	}
	return n, err
}

func (g *headerGuard) isHeader(more []byte) bool {
	g.head = append(g.head, more[:min(len(more), len(proxyproto.SIGV2)-len(g.head))]...)
	g.passed = true
	for _, signature := range [][]byte{proxyproto.SIGV1, proxyproto.SIGV2} {
		if bytes.HasPrefix(g.head, signature) {
			return true
		}
		if bytes.HasPrefix(signature, g.head) {
			g.passed = false
		}
	}
	return false
}

// tcpConn is a TCP connection whose input comes through a reader, and whose peer is known
// by another address than that of the packets.
type tcpConn struct {
	net.Conn
	input  io.Reader
	remote net.Addr
	own    bool // a balancer's own: a health check that wants to be greeted, most likely
}

func (c *tcpConn) Read(p []byte) (int, error) { return c.input.Read(p) }

// RemoteAddr is the address of the client, which the SSH library checks as well.
func (c *tcpConn) RemoteAddr() net.Addr { return c.remote }

// CloseWrite ends the output and leaves the input open.
func (c *tcpConn) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return errors.ErrUnsupported
	}
	return half.CloseWrite()
}
