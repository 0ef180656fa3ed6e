package sshd

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// input is what a visitor types. It restarts the idle timer.
type input struct {
	io.Reader
	visit *visit
}

func (i input) Read(p []byte) (int, error) {
	n, err := i.Reader.Read(p)
	if limit := i.visit.server.options.Limits.Idle; n > 0 && limit > 0 {
		i.visit.idleTimer.Reset(limit)
	}
	return n, err
}

// output is what a visitor reads. If the peer reads nothing for too long, the visit is
// ended: a peer can keep its SSH window closed while its TCP connection stays alive.
type output struct {
	io.Writer
	visit *visit
	// lines writes line ends as CR LF, which the terminal of a command needs.
	lines bool

	mu      sync.Mutex
	afterCR bool
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if limit := o.visit.server.options.Limits.Stalled; limit > 0 {
		watch := time.AfterFunc(limit, func() { o.visit.end(endStalled) })
		defer watch.Stop()
	}
	if !o.lines || bytes.IndexByte(p, '\n') < 0 {
		o.afterCR = bytes.HasSuffix(p, []byte("\r"))
		return o.Writer.Write(p)
	}
	if _, err := o.Writer.Write(o.withReturns(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// withReturns inserts a CR before each LF that has none.
func (o *output) withReturns(p []byte) []byte {
	lines := make([]byte, 0, len(p)+16)
	for _, c := range p {
		if c == '\n' && !o.afterCR {
			lines = append(lines, '\r')
		}
		lines = append(lines, c)
		o.afterCR = c == '\r'
	}
	return lines
}

const (
	// Each key press costs drawing a screen. A paste of a megabyte passes at once, a
	// flood does not.
	inputBurst     = 1 << 20
	inputPerSecond = 128 << 10
)

// limitedConn is the connection below SSH. It counts bytes, throttles input, and ends on
// a peer that does not read.
type limitedConn struct {
	net.Conn
	open    context.Context // until the connection is closed
	close   context.CancelFunc
	input   *rate.Limiter
	stalled time.Duration
	in, out atomic.Int64
}

func newLimitedConn(c net.Conn, stalled time.Duration) *limitedConn {
	open, done := context.WithCancel(context.Background())
	return &limitedConn{Conn: c, open: open, close: done, input: rate.NewLimiter(inputPerSecond, inputBurst), stalled: stalled}
}

func (c *limitedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p[:min(len(p), inputBurst)])
	c.in.Add(int64(n))
	if err == nil {
		err = c.input.WaitN(c.open, n)
	}
	return n, err
}

func (c *limitedConn) Write(p []byte) (int, error) {
	if c.stalled > 0 {
		if err := c.Conn.SetWriteDeadline(time.Now().Add(c.stalled)); err != nil {
			return 0, err
		}
	}
	n, err := c.Conn.Write(p)
	c.out.Add(int64(n))
	return n, err
}

// Close also ends a blocked Read.
func (c *limitedConn) Close() error {
	c.close()
	return c.Conn.Close()
}
