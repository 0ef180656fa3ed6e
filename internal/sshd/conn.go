package sshd

import (
	"context"
	"net"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

const (
	// What a peer sends costs work: a key to draw a screen for, a new exchange of
	// keys. A paste of a megabyte passes at once, a flood does not.
	inputAtOnce    = 1 << 20
	inputPerSecond = 128 << 10
)

// conn is the connection below SSH. It counts, slows a flood down, and gives up on
// a peer that takes nothing.
type conn struct {
	net.Conn
	open    context.Context // until the connection is closed
	close   context.CancelFunc
	input   *rate.Limiter
	stalled time.Duration
	in, out atomic.Int64
}

func newConn(c net.Conn, stalled time.Duration) *conn {
	open, done := context.WithCancel(context.Background())
	return &conn{Conn: c, open: open, close: done, input: rate.NewLimiter(inputPerSecond, inputAtOnce), stalled: stalled}
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p[:min(len(p), inputAtOnce)])
	c.in.Add(int64(n))
	if err == nil {
		err = c.input.WaitN(c.open, n)
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	if c.stalled > 0 {
		if err := c.Conn.SetWriteDeadline(time.Now().Add(c.stalled)); err != nil {
			return 0, err
		}
	}
	n, err := c.Conn.Write(p)
	c.out.Add(int64(n))
	return n, err
}

// Close ends a Read that waits, too.
func (c *conn) Close() error {
	c.close()
	return c.Conn.Close()
}

// The deadlines are kept here alone.
func (c *conn) SetDeadline(time.Time) error      { return nil }
func (c *conn) SetReadDeadline(time.Time) error  { return nil }
func (c *conn) SetWriteDeadline(time.Time) error { return nil }
