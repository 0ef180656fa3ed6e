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

// A balancer that terminates the client's TCP connection begins its own one with a PROXY header,
// which says where the client comes from. A header could claim any address, so it is required
// from the networks in [Options.ProxiesFrom] and refused from everywhere else.

// headerTimeout is how long the server waits for the header of a balancer, which sends it at
// once. A peer outside the networks of balancers is greeted when it has sent something, or after
// this time.
const headerTimeout = time.Second

var errHeaderSource = errors.New("the PROXY header names no TCP address")

// setListener has the server accept connections from a listener, with PROXY headers if there are
// balancers.
func (s *Server) setListener(listener net.Listener) {
	s.listener = listener
	if len(s.options.ProxiesFrom) == 0 {
		return
	}
	s.listener = &proxyproto.Listener{
		Listener:          listener,
		ConnPolicy:        s.headerPolicy,
		ReadHeaderTimeout: s.options.headerTimeout,
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
	isBalancer := slices.ContainsFunc(s.options.ProxiesFrom, func(network netip.Prefix) bool {
		return network.Contains(peer)
	})
	if isBalancer {
		return proxyproto.REQUIRE, nil
	}
	return proxyproto.REJECT, nil
}

// clientAddress returns where a client connects from, which may be in the header of a balancer.
// ok is false if a header is missing or not valid: then the connection was closed.
func (s *Server) clientAddress(c net.Conn) (address netip.Addr, ok bool) {
	proxied, ok := c.(*proxyproto.Conn)
	switch {
	case !ok:
		return addressOf(c), true
	case proxied.ProxyHeaderPolicy == proxyproto.REJECT:
		return addressOf(proxied.Raw()), true // asking the wrapper would wait for a header
	}
	if err := headerError(proxied); err != nil {
		defer c.Close()
		if !hasLeft(proxied.Raw(), err, s.options.headerTimeout) {
			s.refuseHeader(addressOf(proxied.Raw()), err)
		}
		return address, false
	}
	return addressOf(proxied), true
}

// headerError reads the header of a balancer and returns why it is refused, nil if it is good. It
// reads no more than the header: on Windows even an empty read would wait for the client to
// speak.
func headerError(c *proxyproto.Conn) error {
	if c.ProxyHeader() != nil {
		return nil
	}
	_, err := c.Read(nil)
	return err
}

// hasLeft reports whether the peer has closed the connection without sending anything, as health
// checks do. why is the error of reading its header, and limit how long to wait for the end.
func hasLeft(c net.Conn, why error, limit time.Duration) bool {
	if !errors.Is(why, proxyproto.ErrNoProxyProtocol) {
		failed, ok := errors.AsType[*net.OpError](why)
		return ok && !failed.Timeout()
	}
	_ = c.SetReadDeadline(time.Now().Add(limit))
	_, err := c.Read(make([]byte, 1))
	return errors.Is(err, io.EOF)
}

// refuseHeader counts and logs a connection that is closed because its header is not valid,
// missing or not allowed. address is that of the peer.
func (s *Server) refuseHeader(address netip.Addr, why error) {
	s.metrics.refused("proxy header")
	if s.refusalLog.Allow() {
		s.options.Log.Warn("refused",
			"address", address.String(),
			"reason", "proxy header",
			"error", safetext.Clip(why.Error(), maxLogged))
	}
}
