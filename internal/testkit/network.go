package testkit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
)

// Network is a network in memory. While its connections wait, the clock of a bubble of
// testing/synctest goes on, which it does not for those of the system. They fail as those of the
// system do. Its methods may be called from several goroutines.
type Network struct {
	mu        sync.Mutex
	hosts     map[string]*host
	strangers []string
}

// NewNetwork makes a network without a host.
func NewNetwork() *Network { return &Network{hosts: map[string]*host{}} }

// firstPort is the port of the first host. It has as many digits as the ports that a system
// chooses, because screens show it.
const firstPort = 44300

// Listen adds a host with a loopback address. It is there until the listener is closed.
func (n *Network) Listen() net.Listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	h := &host{accepted: make(chan net.Conn), ended: make(chan struct{})}
	h.address = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: firstPort + len(n.hosts)}
	h.end = sync.OnceFunc(func() { close(h.ended) })
	n.hosts[h.address.String()] = h
	return h
}

// Strangers are the dialled addresses that have no host.
func (n *Network) Strangers() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.strangers)
}

// errRefused is the error of a connection that is refused.
var errRefused = os.NewSyscallError("connect", syscall.ECONNREFUSED)

// Dial connects to a host, as [net.Dialer.DialContext] does.
func (n *Network) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	n.mu.Lock()
	h, known := n.hosts[address]
	if !known {
		n.strangers = append(n.strangers, address)
	}
	n.mu.Unlock()
	if !known {
		return nil, &net.OpError{Op: "dial", Net: network, Err: errRefused}
	}
	near, far := net.Pipe()
	reset := &atomic.Bool{}
	conn := &hostConn{
		Conn:   far,
		reset:  reset,
		onWay:  make(chan []byte, maxOnWay),
		broken: make(chan struct{}),
	}
	go conn.carry()
	select {
	case h.accepted <- conn:
		return &clientConn{Conn: near, reset: reset}, nil
	case <-h.ended:
		_ = conn.Close()
		return nil, &net.OpError{Op: "dial", Net: network, Err: errRefused}
	case <-ctx.Done():
		_ = conn.Close()
		return nil, ctx.Err()
	}
}

// maxOnWay is the number of writes that can be on the way to the other end.
const maxOnWay = 256

// host is a [net.Listener] on the network.
type host struct {
	address  net.Addr
	accepted chan net.Conn
	ended    chan struct{}
	end      func()
}

// Accept implements [net.Listener].
func (h *host) Accept() (net.Conn, error) {
	select {
	case conn := <-h.accepted:
		return conn, nil
	case <-h.ended:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (h *host) Close() error {
	h.end()
	return nil
}

// Addr implements [net.Listener].
func (h *host) Addr() net.Addr { return h.address }

// hostConn is the end of a connection at the host. Like TCP it takes what is written before the
// other end reads it, so that both ends can write at the same time.
type hostConn struct {
	net.Conn
	reset *atomic.Bool

	mu     sync.Mutex
	onWay  chan []byte // closed with the connection
	closed bool
	broken chan struct{} // closed when nothing can be sent any more
}

// carry passes what is on the way to the other end, until the connection ends.
func (c *hostConn) carry() {
	defer c.Conn.Close()
	defer close(c.broken)
	for p := range c.onWay {
		if _, err := c.Conn.Write(p); err != nil {
			return
		}
	}
}

// Write implements [net.Conn].
func (c *hostConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return 0, net.ErrClosed
	}
	select {
	case c.onWay <- bytes.Clone(p):
		return len(p), nil
	case <-c.broken:
		return 0, io.ErrClosedPipe
	}
}

// Close implements [net.Conn].
func (c *hostConn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		close(c.onWay)
	}
	return nil
}

// RemoteAddr implements [net.Conn].
func (c *hostConn) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: firstPort - 1}
}

// SetLinger is like that of a [net.TCPConn]: after 0, Close resets the connection.
func (c *hostConn) SetLinger(seconds int) error {
	c.reset.Store(seconds == 0)
	return nil
}

// clientConn is the end of a connection at the program.
type clientConn struct {
	net.Conn
	reset *atomic.Bool
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

// failure is the error of TCP in place of that of a pipe. ended is the error of the operation after
// the other end was closed without a reset.
func (c *clientConn) failure(op string, err, ended error) error {
	switch {
	case err == nil, errors.Is(err, os.ErrDeadlineExceeded):
		return err
	case c.reset.Load():
		err = os.NewSyscallError(op, syscall.ECONNRESET)
	case ended == io.EOF:
		return io.EOF
	default:
		err = os.NewSyscallError(op, ended)
	}
	return &net.OpError{Op: op, Net: "tcp", Err: err}
}
