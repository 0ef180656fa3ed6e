package sshd

import (
	"bytes"
	"context"
	"io"
	"net"
	"slices"
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
	if n < len(p) {
		i.visit.noneWaits()
	}
	if limit := i.visit.server.options.Limits.Idle; n > 0 && limit > 0 {
		i.visit.idleTimer.Reset(limit)
	}
	return n, err
}

const (
	// leastTaken is how many bytes a second a peer takes of what waits for it; one on the
	// slowest line takes more.
	leastTaken = 2 << 10
	// pieceSize is how much is written at a time, so that what is taken of more is noticed.
	// screenPiece is that for a screen: the library keeps two buffers as large as the largest
	// piece for as long as the visitor stays.
	pieceSize, screenPiece = 16 << 10, 2 << 10
)

// output is what a visitor reads. If the peer takes too little for too long, the visit is
// ended: a peer can keep its SSH window closed, or open it a byte at a time, while its TCP
// connection stays alive.
type output struct {
	io.Writer
	visit *visit
	// lines writes line ends as CR LF, which the terminal of a command needs.
	lines bool
	piece int // how much is written at a time

	mu      sync.Mutex
	afterCR bool
	left    time.Duration // that may be waited until enough is taken
	taken   int           // bytes since then
	written time.Time     // when the last piece was
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.lines || bytes.IndexByte(p, '\n') < 0 {
		o.afterCR = bytes.HasSuffix(p, []byte("\r"))
		return o.send(p)
	}
	if _, err := o.send(o.withReturns(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (o *output) send(p []byte) (sent int, err error) {
	limit := o.visit.server.options.Limits.Stalled
	if limit <= 0 {
		return o.Writer.Write(p)
	}
	for piece := range slices.Chunk(p, o.piece) {
		n, err := o.sendPiece(piece, limit)
		sent += n
		if err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// sendPiece ends the visit after having waited for so long without enough being taken, in
// this piece and those right before it.
func (o *output) sendPiece(piece []byte, limit time.Duration) (int, error) {
	began := time.Now()
	o.left = min(limit, o.left+began.Sub(o.written)) // meanwhile nothing waited
	watch := time.AfterFunc(o.left, func() { o.visit.end(endStalled) })
	n, err := o.Writer.Write(piece)
	watch.Stop()
	o.written = time.Now()
	o.left -= o.written.Sub(began)
	if o.taken += n; float64(o.taken) >= limit.Seconds()*leastTaken {
		o.left, o.taken = limit, 0
	}
	return n, err
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

const (
	// mostWaiting is how many bytes a client may send while nothing of them is read: what
	// SSH lets it send, and as much for what is around that.
	mostWaiting = 4 << 20
	// From allWaiting bytes of all clients on, none may send more than shareWaiting.
	allWaiting   = 64 << 20
	shareWaiting = 256 << 10
)

// waits counts bytes that the client has sent since all of its input was read, and ends
// the visit if there are too many: they are held in memory.
func (v *visit) waits(n int) {
	own, all := v.waiting.Add(int64(n)), v.server.waiting.Add(int64(n))
	if v.ended.Load() { // a read that was under way when the connection was closed
		v.noneWaits()
		return
	}
	if own > mostWaiting || own > shareWaiting && all > allWaiting {
		v.end(endInput)
	}
}

// noneWaits is called when all input was read.
func (v *visit) noneWaits() { v.server.waiting.Add(-v.waiting.Swap(0)) }

// limitedConn is the connection below SSH. It counts bytes, throttles input, and ends on
// a peer that does not read.
type limitedConn struct {
	net.Conn
	open    context.Context // until the connection is closed
	close   context.CancelFunc
	input   *rate.Limiter
	stalled time.Duration
	in, out atomic.Int64
	waits   func(n int) // is told of each piece of input
}

func newLimitedConn(c net.Conn, stalled time.Duration, waits func(n int)) *limitedConn {
	open, done := context.WithCancel(context.Background())
	return &limitedConn{Conn: c, open: open, close: done, input: rate.NewLimiter(inputPerSecond, inputBurst), stalled: stalled, waits: waits}
}

func (c *limitedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p[:min(len(p), inputBurst)])
	c.in.Add(int64(n))
	c.waits(n)
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
