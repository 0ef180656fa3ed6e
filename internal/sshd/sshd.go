// Package sshd serves sessions over SSH to people who may be anybody. It decides
// who enters, what a connection may ask for, how much of the machine it gets and
// when it ends; what is shown to the person is up to a [Handler].
//
// A connection passes the [Server], which accepts it; the gate, which counts it and may
// refuse it before a handshake; and then has a visit, which lasts until it is closed:
// authentication, one session with its requests, the handler, and the reason of the end.
// The protocol itself is that of golang.org/x/crypto/ssh.
package sshd

import (
	"context"
	"io"
	"log/slog"
	"time"
)

// Options are what a server is started with. Listen, Access, Log and Serve are
// needed; [DefaultLimits] are sane limits.
type Options struct {
	// Listen is the address of the SSH listener, host:port; port 0 takes a free one.
	Listen string
	// HostKey is a file with the private key of the host. Where it is empty an
	// ed25519 key is made once below the state directory.
	HostKey string
	Access  Access
	Limits  Limits
	// Grace is how long connections may go on after the server begins to drain.
	Grace time.Duration
	Log   *slog.Logger
	// Commands are the names of commands, which are logged; the first word of any other
	// command line may be anything, and is not.
	Commands []string
	// Metrics is a loopback address for health and metrics; empty for none.
	Metrics string
	// Now is the clock of rates and of keys that expire; nil for the system's.
	Now   func() time.Time
	Serve Handler
}

// Access says who may enter. The zero value lets nobody in.
type Access struct {
	// AuthorizedKeys is a file in the format of sshd(8), read again when it changes.
	AuthorizedKeys string
	// Anyone lets everybody in, with any key or none.
	Anyone bool
}

// Limits bound what connections may take. A limit of zero is none.
type Limits struct {
	Connections  int           // open at once, in all
	PerAddress   int           // open at once from one IPv4 address or IPv6 /64
	PerSecond    float64       // new ones a second from there, ten of them at once
	Idle         time.Duration // without input
	Total        time.Duration // from the first byte to the last
	Authenticate time.Duration // until a session has started
	Tries        int           // of authentication on one connection
	Stalled      time.Duration // for output that the peer does not take
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
		Stalled:      30 * time.Second,
	}
}

// Handler serves the session of one connection and returns its exit code. It is
// called on a goroutine of its own. ctx ends with the connection, at a limit, or
// at the end of the grace time, and the handler is to put the terminal back and
// return then. The person is told afterwards why it ended.
type Handler func(ctx context.Context, c *Connection) int

// Connection is what a handler knows of a visitor.
type Connection struct {
	ID          string // stands in every line of the log about this connection
	User        string // the name that the visitor gave, safe for a terminal; it proves nothing
	Address     string // of the visitor, without the port
	Fingerprint string // of the visitor's key, SHA256:...; empty without one
	// Args is the command line, split into words as a shell does; none for the UI.
	Args []string
	// Terminal is nil where the visitor asked for none.
	Terminal *Terminal
	Stdin    io.Reader
	// Stdout and Stderr are the same stream where there is a terminal. There the line
	// ends of a command are written as CR LF; the output of the UI is not changed.
	Stdout, Stderr io.Writer
	// Environ is TERM, LANG, NO_COLOR and COLORTERM, as far as they were given
	// and are plain words.
	Environ []string
	// Notices are sentences of the operator to be shown at once. The newest replaces
	// one that was not taken yet.
	Notices <-chan string
	Log     *slog.Logger
}

// Terminal is the terminal of a visitor.
type Terminal struct {
	Width, Height int // cells, within sane bounds
	// Resizes holds the newest size until it is taken.
	Resizes <-chan Size
}

// Size is the size of a terminal in cells.
type Size struct{ Width, Height int }
