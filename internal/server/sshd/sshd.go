// Package sshd serves sessions over SSH to people it does not trust. It decides who is
// admitted, what a connection may request, how many resources it gets and when it ends;
// what is shown to the person is up to a [Handler].
//
// The [Server] accepts a connection; the gate counts it and may refuse it before a
// handshake; then it is served as a visit, which lasts until it is closed:
// authentication, one session with its requests, the handler, and the reason for the end.
// golang.org/x/crypto/ssh implements the protocol.
package sshd

import (
	"context"
	"io"
	"log/slog"
	"net/netip"
	"time"
)

// Options configure a server. Listen, Access, Log and Serve are required; [DefaultLimits]
// are sensible limits.
type Options struct {
	// Listen is the address of the SSH listener, host:port; port 0 takes a free one.
	Listen string
	// HostKey is a file with the private host key. If empty, an ed25519 key is generated
	// once below the state directory.
	HostKey string
	Access  Access
	Limits  Limits
	// ProxiesFrom are the networks of balancers, without bits of hosts. A connection from
	// there has to begin with a header of the PROXY protocol, and has the address that the
	// header names; from elsewhere a header ends the connection.
	ProxiesFrom []netip.Prefix
	// Grace is how long connections may stay open after the server begins to drain.
	Grace time.Duration
	// Finish is how long the server then waits for handlers that have something to save, when
	// their connections are closed; it is a few seconds at least.
	Finish time.Duration
	Log    *slog.Logger
	// Commands are the names of commands, which are logged. Any other first word may hold
	// anything and is not.
	Commands []string
	// Metrics is a loopback address for health and metrics; empty disables them.
	Metrics string
	// OtherMetrics write the metrics of handlers in the text format of Prometheus.
	OtherMetrics []func(io.Writer)
	// Now is the clock for rates and expiring keys; nil is the system's.
	Now   func() time.Time
	Serve Handler

	headerTime time.Duration // how long a balancer may take for its header; zero is a second
}

// Access says who may enter. The zero value lets nobody in.
type Access struct {
	// AuthorizedKeys is a file in the format of sshd(8), read again when it changes.
	AuthorizedKeys string
	// UserCA is a file with the public keys of certificate authorities, like sshd's
	// TrustedUserCAKeys: who holds a user certificate of one of them may enter. It is read
	// again when it changes.
	UserCA string
	// Principals are names: a certificate has to be for one of them. If there are none it has
	// to be for the name that the visitor gives, as for sshd.
	Principals []string
	// RevokedKeys is a file with public keys that are refused, like sshd's RevokedKeys:
	// authorized ones, those of certificates and of their authorities. It is read again
	// when it changes.
	RevokedKeys string
	// Anyone lets everybody in, with any key or none, whatever else there is.
	Anyone bool
	// Open is a name: whoever gives it is let in without a key, see [Connection.Open].
	// Clients ask to be let in without a key before they offer any, so nothing but the name
	// keeps the owners of keys apart from people who have none. Those without one have two
	// minutes, and make room for others where the server is full. Empty: nobody is let in so.
	Open string
}

// Limits bound what connections may use. Zero is no limit.
type Limits struct {
	Connections  int           // open at once, in all
	PerAddress   int           // open at once from one IPv4 address or IPv6 /64
	PerSecond    float64       // new ones a second from there, after ten at once
	Idle         time.Duration // without input
	Total        time.Duration // from the first byte to the last
	Authenticate time.Duration // until a session has started
	Tries        int           // authentication attempts on one connection; as many keys that it only asks about do not count
	Stalled      time.Duration // while the peer does not read output, of a command or a screen
}

// DefaultLimits are limits for a host on the Internet with a gigabyte of memory.
func DefaultLimits() Limits {
	return Limits{
		Connections:  200,
		PerAddress:   10,
		PerSecond:    2,
		Idle:         30 * time.Minute,
		Total:        12 * time.Hour,
		Authenticate: 20 * time.Second,
		Tries:        6,
		Stalled:      30 * time.Minute,
	}
}

// Handler serves the session of one connection and returns its exit code. It is called on
// a goroutine of its own. ctx ends with the connection, at a limit, or at the end of the
// grace time; the handler must then restore the terminal and return. The person is told
// the reason afterwards.
type Handler func(ctx context.Context, c *Connection) int

// Connection is what a handler knows of a visitor.
type Connection struct {
	ID      string // in every log line about this connection
	User    string // the name that the visitor gave, safe for a terminal; it proves nothing
	Address string // of the visitor, without the port
	// Network is what limits count of the address: itself, or the /64 of IPv6.
	Network netip.Prefix
	// Open is set for somebody who was let in without a key, under the name of [Access].Open.
	Open        bool
	Fingerprint string // of the visitor's key, SHA256:..., not of a certificate for it; empty without one, and where anyone gets in
	// Certificate is what the visitor was let in with beside the key; nil without one.
	Certificate *Certificate
	// Args is the command line, split into words as a shell does; none for the UI.
	Args []string
	// Terminal is nil if the visitor requested none.
	Terminal *Terminal
	Stdin    io.Reader
	// Stdout and Stderr are the same stream if there is a terminal. Line ends of a
	// command are then written as CR LF; the output of the UI is not changed.
	Stdout, Stderr io.Writer
	// Environ has TERM, the locale (LANG, LC_ALL, LC_CTYPE), NO_COLOR, COLORTERM, ACCESSIBLE and
	// GATEHOUSE_AMBIGUOUS_WIDTH, if they were sent and are plain words.
	Environ []string
	// Notices are sentences of the operator, to be shown at once. A newer one replaces
	// one that has not been received yet.
	Notices <-chan string
	// Go runs a function on a goroutine of its own. The connection is closed before the
	// function has to return. If it panics, that ends the connection.
	Go  func(func())
	Log *slog.Logger
}

// Certificate is a user certificate that was accepted.
type Certificate struct {
	KeyID     string // what the authority calls its owner, as it stands in the certificate: not safe for a terminal
	Authority string // fingerprint of the authority's key, SHA256:...
}

// Terminal is the terminal of a visitor.
type Terminal struct {
	Width, Height int // cells, within sensible limits
	// Resizes holds the newest size not yet received.
	Resizes <-chan Size
}

// Size is the size of a terminal in cells. It is an alias, so that other packages can use
// the channel of a [Terminal] without importing this one.
type Size = struct{ Width, Height int }
