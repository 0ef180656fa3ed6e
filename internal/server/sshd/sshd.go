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

// Options configure a server. Listen, Access, Log and Serve are required. The zero Limits are no
// limits; [DefaultLimits] has sensible ones.
type Options struct {
	// Listen is the address of the SSH listener, host:port; port 0 takes a free one.
	Listen string
	// HostKey is a file with the private host key. If empty, an ed25519 key is generated
	// once below the state directory.
	HostKey string
	Access  Access
	Limits  Limits
	// ProxiesFrom are the networks of balancers, as [ParseNetwork] returns them. A connection from
	// there has to begin with a PROXY header, which says where the visitor comes from. From
	// elsewhere a header ends the connection.
	ProxiesFrom []netip.Prefix
	// Grace is how long connections may stay open after the server begins to drain.
	Grace time.Duration
	// Finish is how long the server then waits for handlers that have something to save, after
	// their connections were closed. It waits a few seconds in any case.
	Finish time.Duration
	Log    *slog.Logger
	// Commands are the names of commands that may be logged. Any other first word of a command line
	// is not logged, as it could be anything.
	Commands []string
	// Metrics is a loopback address for health and metrics; empty disables them.
	Metrics string
	// OtherMetrics write the metrics of handlers in the text format of Prometheus.
	OtherMetrics []func(io.Writer)
	// Now is the clock for rates and expiring keys; nil is the system's.
	Now   func() time.Time
	Serve Handler

	headerTimeout time.Duration // for tests; zero for the constant of that name
}

// Access says who may enter. The zero value lets nobody in.
type Access struct {
	// AuthorizedKeys is a file in the format of sshd(8), read again when it changes.
	AuthorizedKeys string
	// UserCA is a file with the public keys of certificate authorities, like sshd's
	// TrustedUserCAKeys. Holders of a user certificate that one of them has signed may enter. It is
	// read again when it changes.
	UserCA string
	// Principals are names of which a certificate needs one. If there are none, a certificate needs
	// the user name that the visitor gives, as for sshd.
	Principals []string
	// RevokedKeys is a file with public keys that are refused, like sshd's RevokedKeys:
	// authorized ones, those of certificates and of their authorities. It is read again
	// when it changes.
	RevokedKeys string
	// Anyone lets everybody in, with any key or none. The fields above are ignored then.
	Anyone bool
	// Open is a user name under which anybody is let in without a key, see [Connection.Open];
	// empty for none. Only the name tells such a visitor from the owner of a key, since clients
	// try to get in without a key before they offer one. The connection lasts two minutes at
	// most, and is ended earlier if the server is full.
	Open string
}

// Limits bound what connections may use. Zero is no limit.
type Limits struct {
	Connections  int           // open at once, in all
	PerAddress   int           // open at once from one IPv4 address or IPv6 /64
	PerSecond    float64       // new ones a second from there, beside a burst of ten
	Idle         time.Duration // without input
	Total        time.Duration // of a connection
	Authenticate time.Duration // from the start of a connection to that of its session
	// Tries is how many attempts to authenticate a connection may make. As many keys that it only
	// asks about do not count.
	Tries   int
	Stalled time.Duration // while the peer does not read the output
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

// Handler serves the session of one connection and returns its exit code. It is called on a
// goroutine of its own. ctx ends with the connection, at a limit, or when the grace time of a
// draining server is over; the handler must then restore the terminal and return. The visitor is
// told the reason afterwards.
type Handler func(ctx context.Context, c *Connection) int

// Connection is what a handler knows of a visitor.
type Connection struct {
	ID      string // in every log line about this connection
	User    string // the user name that the visitor gave, safe for a terminal; it proves nothing
	Address string // of the visitor, without the port
	// Network is what the limits count instead of the address: the address itself for IPv4, and its
	// /64 for IPv6.
	Network netip.Prefix
	// Open is true for a visitor who was let in without a key, by the user name [Access].Open.
	Open bool
	// Fingerprint is that of the visitor's key, or of the key in their certificate, SHA256:... It
	// is empty for a visitor without a key, and on a server that lets anyone in.
	Fingerprint string
	// Certificate is the certificate that the visitor was let in with; nil for none.
	Certificate *Certificate
	// Args are the words of the command line, as a shell splits it; none for the UI.
	Args []string
	// Terminal is nil if the client has requested none.
	Terminal *Terminal
	Stdin    io.Reader
	// Stdout and Stderr are the same stream if there is a terminal. Line ends of a
	// command are then written as CR LF; the output of the UI is not changed.
	Stdout, Stderr io.Writer
	// Environ has those of these variables that the client sent, if they are plain words, as
	// NAME=VALUE: TERM, LANG, LC_ALL, LC_CTYPE, NO_COLOR, COLORTERM, ACCESSIBLE and
	// GATEHOUSE_AMBIGUOUS_WIDTH.
	Environ []string
	// Notices has sentences that the handler should show at once. A newer one replaces one that has
	// not been received yet.
	Notices <-chan string
	// Go runs a function on a goroutine of its own. It may return a little after the connection was
	// closed. A panic in it ends the connection.
	Go  func(func())
	Log *slog.Logger
}

// Certificate is a user certificate that was accepted.
type Certificate struct {
	// KeyID is what the authority calls the owner. It is text from outside: not safe for a
	// terminal.
	KeyID     string
	Authority string // the fingerprint of the authority's key, SHA256:...
}

// Terminal is the terminal of a visitor.
type Terminal struct {
	Width, Height int // cells, within sensible limits
	// Resizes holds the newest size not yet received.
	Resizes <-chan Size
}

// Size is the size of a terminal in cells. It is an alias of an unnamed type, so that a package
// can use [Terminal.Resizes] without importing this one.
type Size = struct{ Width, Height int }
