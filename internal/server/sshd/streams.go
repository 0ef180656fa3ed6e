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

// input is what a visitor types. Reading some of it restarts the idle timer.
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
		i.visit.restartIdleTimer()
	}
	return n, err
}

// restartIdleTimer notes that the visitor is not idle.
func (v *visit) restartIdleTimer() {
	if limit := v.server.options.Limits.Idle; limit > 0 {
		v.idleTimer.Reset(limit)
	}
}

// Output is written in chunks, so that it can be seen whether the peer goes on reading. Sizes are
// in bytes.
const (
	chunkSize = 16 << 10
	// screenChunkSize is less, as the SSH library keeps two buffers of the size of the largest
	// chunk until the connection ends.
	screenChunkSize = 2 << 10
)

// output is what a visitor reads. A peer can keep its SSH window closed while its TCP connection
// stays alive, as with a pager in which nobody scrolls. After [Limits.Stalled] that ends the
// visit.
type output struct {
	io.Writer
	visit     *visit
	crlf      bool // writes line ends as CR LF, which the output of a command in a terminal needs
	chunkSize int

	mu      sync.Mutex
	afterCR bool // the last byte was a CR
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.crlf || bytes.IndexByte(p, '\n') < 0 {
		o.afterCR = bytes.HasSuffix(p, []byte("\r"))
		return o.send(p)
	}
	if _, err := o.send(o.withReturns(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// send writes p in chunks, and returns how many bytes were written.
func (o *output) send(p []byte) (sent int, err error) {
	limit := o.visit.server.options.Limits.Stalled
	if limit <= 0 {
		return o.Writer.Write(p)
	}
	for chunk := range slices.Chunk(p, o.chunkSize) {
		n, err := o.sendChunk(chunk, limit)
		sent += n
		if err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// sendChunk writes a chunk, and ends the visit if the peer does not read it within the limit. A
// visitor who reads the output of a command is not idle.
func (o *output) sendChunk(chunk []byte, limit time.Duration) (int, error) {
	watch := time.AfterFunc(limit, func() { o.visit.end(endStalled(limit)) })
	defer watch.Stop()
	n, err := o.Writer.Write(chunk)
	isCommand := len(o.visit.Args) > 0
	if isCommand {
		o.visit.restartIdleTimer()
	}
	return n, err
}

// withReturns returns p with a CR before each LF that has none.
func (o *output) withReturns(p []byte) []byte {
	const spare = 16 // room for the CRs of a few lines
	lines := make([]byte, 0, len(p)+spare)
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
	// The rate of input in bytes. Each key press costs the drawing of a screen. A paste of a
	// megabyte passes at once, but a flood does not.
	inputBurst     = 1 << 20
	inputPerSecond = 128 << 10

	// maxUnread is how many bytes a client may send before any of them is read: twice what the SSH
	// window allows, since there is more around the data.
	maxUnread = 4 << 20
	// While all clients together have more than maxUnreadOfAll unread bytes, none may have more
	// than maxUnreadShare.
	maxUnreadOfAll = 64 << 20
	maxUnreadShare = 256 << 10
)

// countUnread counts n bytes of input that the handler has not read yet. They are held in memory,
// so too many of them end the visit.
func (v *visit) countUnread(n int) {
	own := v.unread.Add(int64(n))
	exceedsShare := own > maxUnreadShare && v.server.gate.unread() > maxUnreadOfAll
	if own > maxUnread || exceedsShare {
		v.end(endInput)
	}
}

// limitedConn is the connection below SSH. It counts bytes and limits the rate of input.
type limitedConn struct {
	net.Conn
	reader  *bufio.Reader // a small buffer, as the library reads the first line byte by byte
	visit   *visit
	input   *rate.Limiter
	in, out atomic.Int64 // bytes

	mu sync.Mutex // held while a deadline is set, so that an older one does not replace it
	// silence is how long the peer may send nothing before the connection is closed; zero for any
	// time.
	silence time.Duration
}

func (c *limitedConn) Read(p []byte) (int, error) {
	c.restartSilence()
	n, err := c.reader.Read(p[:min(len(p), inputBurst)])
	isFirst := n > 0 && c.in.Add(int64(n)) == int64(n)
	if isFirst { // a health check sends nothing, and is not logged
		c.visit.Log.Info("connect", "address", c.visit.Address)
	}
	c.visit.countUnread(n)
	_ = c.input.WaitN(c.visit.ctx, n) // or until the visit ends
	return n, err
}

func (c *limitedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.out.Add(int64(n))
	return n, err
}

// closeWhenSilent has the connection closed once the peer has sent nothing for the limit. After a
// session, closing at once would lose output that a client on a slow line is still reading.
func (c *limitedConn) closeWhenSilent(limit time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.silence = limit
	c.extendSilence()
}

func (c *limitedConn) restartSilence() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.extendSilence()
}

// extendSilence lets the peer say nothing for the limit from now on. The caller holds mu.
func (c *limitedConn) extendSilence() {
	if c.silence > 0 {
		_ = c.SetReadDeadline(time.Now().Add(c.silence))
	}
}

// closeWithin has the connection end after the limit: reading and writing fail from then on.
func (c *limitedConn) closeWithin(limit time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.silence = 0
	_ = c.SetDeadline(time.Now().Add(limit))
}
