package hostile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

// network is a network in memory with one host on it. Its connections let the
// clock of a testing/synctest bubble run, which those of the system do not, and
// fail as those of the system do.
type network struct {
	accepted chan net.Conn
	ended    chan struct{}
	end      func()

	mu        sync.Mutex
	sent      bytes.Buffer // what the host sent, of all connections
	strangers []string     // addresses of other hosts that were called
}

func newNetwork() *network {
	n := &network{accepted: make(chan net.Conn), ended: make(chan struct{})}
	n.end = sync.OnceFunc(func() { close(n.ended) })
	return n
}

var errRefused = os.NewSyscallError("connect", syscall.ECONNREFUSED)

// dial is an api.Dialer.
func (n *network) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if address != n.Addr().String() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.strangers = append(n.strangers, address)
		return nil, &net.OpError{Op: "dial", Net: network, Err: errRefused}
	}
	near, far := net.Pipe()
	reset := &atomic.Bool{}
	select {
	case n.accepted <- &hostConn{Conn: far, network: n, reset: reset}:
		return &clientConn{Conn: near, reset: reset}, nil
	case <-n.ended:
		return nil, &net.OpError{Op: "dial", Net: network, Err: errRefused}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements [net.Listener].
func (n *network) Accept() (net.Conn, error) {
	select {
	case conn := <-n.accepted:
		return conn, nil
	case <-n.ended:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (n *network) Close() error {
	n.end()
	return nil
}

// Addr implements [net.Listener].
func (n *network) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4430} }

// hostConn is the service's end of a connection.
type hostConn struct {
	net.Conn
	network *network
	reset   *atomic.Bool
}

// longestKept is how much of what one host sends is kept, in bytes.
const longestKept = 1 << 20

// Write implements [net.Conn].
func (c *hostConn) Write(p []byte) (int, error) {
	c.network.mu.Lock()
	if c.network.sent.Len() < longestKept {
		c.network.sent.Write(p)
	}
	c.network.mu.Unlock()
	return c.Conn.Write(p)
}

// SetLinger is as that of a [net.TCPConn]: 0 makes Close a reset.
func (c *hostConn) SetLinger(seconds int) error {
	c.reset.Store(seconds == 0)
	return nil
}

// clientConn is the program's end of a connection.
type clientConn struct {
	net.Conn
	reset  *atomic.Bool
	closed atomic.Bool
}

// Read implements [net.Conn].
func (c *clientConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	return n, c.failure("read", err, io.EOF)
}

// Write implements [net.Conn].
func (c *clientConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	return n, c.failure("write", err, syscall.EPIPE)
}

// Close implements [net.Conn].
func (c *clientConn) Close() error {
	c.closed.Store(true)
	return c.Conn.Close()
}

// failure is the error that TCP has for one of a pipe; ended is that of the
// operation when the other side has closed in order.
func (c *clientConn) failure(op string, err, ended error) error {
	switch {
	case err == nil, errors.Is(err, os.ErrDeadlineExceeded):
		return err
	case c.closed.Load():
		err = net.ErrClosed
	case c.reset.Load():
		err = os.NewSyscallError(op, syscall.ECONNRESET)
	case ended == io.EOF:
		return io.EOF
	default:
		err = os.NewSyscallError(op, ended)
	}
	return &net.OpError{Op: op, Net: "tcp", Err: err}
}
