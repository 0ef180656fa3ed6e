package sshd

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/pires/go-proxyproto"

	"gatehouse/internal/text/safetext"
)

// A balancer that ends the client's TCP connection says in a PROXY header, before the
// first byte of its own connection, where the client comes from. Whoever is believed can
// claim any address, so the header is required from the networks of
// Options.ProxiesFrom and refused from everywhere else.

// headerTime is how long a balancer may take for its header, which it sends at once. A peer
// that is no balancer is greeted when it has begun to speak, or after this time.
const headerTime = time.Second

var errHeaderSource = errors.New("the PROXY header names no TCP address")

// listen has the server accept connections from a listener, and headers from balancers.
func (s *Server) listen(listener net.Listener) {
	s.listener = listener
	if len(s.options.ProxiesFrom) == 0 {
		return
	}
	s.listener = &proxyproto.Listener{
		Listener:          listener,
		ConnPolicy:        s.headerPolicy,
		ReadHeaderTimeout: s.options.headerTime,
		ValidateHeader: func(header *proxyproto.Header) error {
			if _, tcp := header.SourceAddr.(*net.TCPAddr); !tcp && !header.Command.IsLocal() {
				return errHeaderSource
			}
			return nil
		},
	}
}

// headerPolicy says whether a peer has to send a header, or may not.
func (s *Server) headerPolicy(o proxyproto.ConnPolicyOptions) (proxyproto.Policy, error) {
	peer := addressOfPeer(o.Upstream).WithZone("")
	if slices.ContainsFunc(s.options.ProxiesFrom, func(network netip.Prefix) bool { return network.Contains(peer) }) {
		return proxyproto.REQUIRE, nil
	}
	return proxyproto.REJECT, nil
}

// clientAddress is where a client connects from, which a balancer says in its header. A
// connection without a good one is closed.
func (s *Server) clientAddress(c net.Conn) (address netip.Addr, ok bool) {
	proxied, ok := c.(*proxyproto.Conn)
	switch {
	case !ok:
		return addressOf(c), true
	case proxied.ProxyHeaderPolicy == proxyproto.REJECT:
		return addressOf(proxied.Raw()), true // its own address waits for a header
	}
	if err := headerError(proxied); err != nil {
		defer c.Close()
		if !left(proxied.Raw(), err, s.options.headerTime) {
			s.refuseHeader(addressOf(proxied.Raw()), err)
		}
		return address, false
	}
	return addressOf(proxied), true
}

// headerError reads the header and returns why it is refused. Windows does not return from a read of
// nothing before the peer has spoken, so nothing is read where there is a header.
func headerError(c *proxyproto.Conn) error {
	if c.ProxyHeader() != nil {
		return nil
	}
	_, err := c.Read(nil)
	return err
}

// left reports whether the peer has closed the connection and wanted nothing, as health
// checks do.
func left(c net.Conn, why error, limit time.Duration) bool {
	if !errors.Is(why, proxyproto.ErrNoProxyProtocol) {
		failed, ok := errors.AsType[*net.OpError](why)
		return ok && !failed.Timeout()
	}
	_ = c.SetReadDeadline(time.Now().Add(limit))
	_, err := c.Read(make([]byte, 1))
	return errors.Is(err, io.EOF)
}

// refuseHeader counts and logs a connection that is closed for its header, or for having
// none. address is the peer's.
func (s *Server) refuseHeader(address netip.Addr, why error) {
	s.metrics.refused("proxy header")
	if s.refusalLog.Allow() {
		s.options.Log.Warn("refused", "address", address.String(), "reason", "proxy header", "error", safetext.Clip(why.Error(), maxLogged))
	}
}
