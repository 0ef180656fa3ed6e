package sshd

import (
	"bufio"
	"bytes"
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
		i.visit.unread.Store(0)
	}
	if n > 0 {
		i.visit.active()
	}
	return n, err
}

// active restarts the idle timer.
func (v *visit) active() {
	if limit := v.server.options.Limits.Idle; limit > 0 {
		v.idleTimer.Reset(limit)
	}
}

// pieceSize is how much is written at a time, so that what is taken of more is noticed. screenPiece is
// that for a screen: the library keeps two buffers as large as the largest piece for as long as the
// visitor stays.
const pieceSize, screenPiece = 16 << 10, 2 << 10

// output is what a visitor reads. A peer can keep its SSH window closed while its TCP connection stays
// alive, as a pager does in which nobody goes on. It is waited for as long as somebody who types nothing;
// then the visit is ended.
type output struct {
	io.Writer
	visit *visit
	// lines writes line ends as CR LF, which the terminal of a command needs.
	lines bool
	piece int // how much is written at a time

	mu      sync.Mutex
	afterCR bool
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

// sendPiece ends the visit if the peer has not taken a piece for so long. Who reads what a command says
// is not idle.
func (o *output) sendPiece(piece []byte, limit time.Duration) (int, error) {
	watch := time.AfterFunc(limit, func() { o.visit.end(endStalled(limit)) })
	defer watch.Stop()
	n, err := o.Writer.Write(piece)
	if err == nil && len(o.visit.Args) > 0 {
		o.visit.active()
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
	// maxUnread is how many bytes a client may send while nothing of them is read: what
	// SSH lets it send, and as much for what is around that.
	maxUnread = 4 << 20
	// From maxUnreadOfAll bytes of all clients on, none may send more than maxUnreadShare.
	maxUnreadOfAll = 64 << 20
	maxUnreadShare = 256 << 10
)

// count counts input that nobody has read yet, and ends the visit if there is too much: it
// is held in memory.
func (v *visit) count(n int) {
	if own := v.unread.Add(int64(n)); own > maxUnread || own > maxUnreadShare && v.server.gate.unread() > maxUnreadOfAll {
		v.end(endInput)
	}
}

// limitedConn is the connection below SSH. It counts bytes and throttles input.
type limitedConn struct {
	net.Conn
	reader  *bufio.Reader // small: the library reads its first line byte by byte
	visit   *visit
	input   *rate.Limiter
	in, out atomic.Int64

	mu      sync.Mutex    // held while a deadline is set, so that none is replaced by an older one
	silence time.Duration // of the peer, after which the connection is closed; zero: never
}

func (c *limitedConn) Read(p []byte) (int, error) {
	c.restartSilence()
	n, err := c.reader.Read(p[:min(len(p), inputBurst)])
	if in := c.in.Add(int64(n)); n > 0 && in == int64(n) { // health checks say nothing
		c.visit.Log.Info("connect", "address", c.visit.Address)
	}
	c.visit.count(n)
	_ = c.input.WaitN(c.visit.ctx, n) // or until the visit ends
	return n, err
}

func (c *limitedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.out.Add(int64(n))
	return n, err
}

// closeWhenSilent closes the connection of a finished session once nothing has been
// received for a while. Closing at once would lose output that a client on a slow line is
// still reading.
func (c *limitedConn) closeWhenSilent(limit time.Duration) {
	c.mu.Lock()
	c.silence = limit
	c.mu.Unlock()
	c.restartSilence()
}

func (c *limitedConn) restartSilence() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.silence > 0 {
		_ = c.SetReadDeadline(time.Now().Add(c.silence))
	}
}

// closeWithin closes the connection after a time: reading or writing then fails, which is
// the end of it.
func (c *limitedConn) closeWithin(limit time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.silence = 0
	_ = c.SetDeadline(time.Now().Add(limit))
}
