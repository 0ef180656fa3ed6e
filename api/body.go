package api

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"gatehouse/internal/text/jsonscan"
)

const (
	// DefaultBodyLimit is how much of a gateway's answer is read, in bytes after
	// decompression, unless a [Gateway] says otherwise.
	DefaultBodyLimit = 416 << 20
	// UnannouncedBodyLimit is the same for an answer that does not announce its length. Its memory
	// has to grow, which for a moment takes more than twice its size, and the program must stay
	// below 1 GiB.
	UnannouncedBodyLimit = 320 << 20

	refusalLimit = 64 << 10 // bytes of an answer other than 2xx
)

// Body is the body of an answer as a stream. Besides io.EOF, Read returns a [*LimitError] past the
// limit, a [*BodyError] that wraps io.ErrUnexpectedEOF if the answer was cut off, and a
// [*TransportError] if no data came for too long or the context has ended. Close ends the request
// at any time, from any goroutine.
type Body struct {
	call   *call
	resp   *http.Response
	limit  int64           // in bytes
	ctx    context.Context // of the request: its cause tells a stall from a cancelled call
	reader *bufio.Reader
	err    error // final error

	read   atomic.Int64 // bytes handed out
	closed atomic.Bool
	close  func() error
}

// newBody takes over the answer and the context of a request, which cancel ends. Of a refusal it
// reads no more than a message needs, whatever the limit in bytes.
func newBody(
	ctx context.Context, cancel context.CancelCauseFunc,
	c *call, resp *http.Response, limit int64,
) *Body {
	if !isSuccess(resp) {
		limit = min(limit, refusalLimit)
	}
	waiting := &patience{left: stallLimit, out: func() { cancel(stalled) }}
	source := &stallReader{source: resp.Body, waiting: waiting}
	return &Body{
		call:   c,
		resp:   resp,
		limit:  limit,
		ctx:    ctx,
		reader: bufio.NewReader(source),
		close: sync.OnceValue(func() error {
			cancel(nil)
			return resp.Body.Close()
		}),
	}
}

// ContentLength is the announced length in bytes, or -1 if the service did not announce
// one or the answer is compressed.
func (b *Body) ContentLength() int64 { return b.resp.ContentLength }

// TLS describes the encrypted connection of the answer, or is nil if it was not encrypted. It must
// not be changed.
func (b *Body) TLS() *tls.ConnectionState { return b.resp.TLS }

// Skew returns by how much the clock of the service is ahead of ours, and by how much that value
// may be wrong. The request was sent and its answer began at the times given. Both results are 0 if
// the answer has no valid Date.
func (b *Body) Skew(asked, answered time.Time) (ahead, within time.Duration) {
	return skew(b.resp.Header, asked, answered)
}

// Said returns what the beginning of the answer says to people, as [StatusError].Message has it: one
// line, or "" if there is nothing or if it is left out, with the reason for that.
func (b *Body) Said(beginning []byte) (string, Omission) { return b.call.said(b.resp, beginning) }

// RefusedBeside returns the refusal that words beside an empty list mean, or nil if they refuse
// nobody. A list that somebody may read does not come with such words.
func (b *Body) RefusedBeside(words string) error {
	if !Refuses(words) {
		return nil
	}
	e := &EnvelopeError{Op: b.call.op, Host: b.call.host, Emptied: true}
	e.Message, e.Omitted = b.call.shown(words, maxWords)
	return e
}

// Words are a text of the answer that is for people: one line, at most maxWords characters, or "", and
// why it is left out.
func (b *Body) Words(text string) (string, Omission) { return b.call.shown(text, maxWords) }

// Received is how many bytes have been read so far. It may be called while another goroutine
// reads.
func (b *Body) Received() int64 { return b.read.Load() }

// Unreadable explains an error of reading JSON. A [*jsonscan.SyntaxError] in a complete answer is
// returned joined with a [*BodyError] that says what is wrong and quotes nothing of the answer. Any
// other error is returned unchanged.
func (b *Body) Unreadable(err error) error {
	syntax, ok := errors.AsType[*jsonscan.SyntaxError](err)
	if !ok {
		return err
	}
	invalid := b.call.unexpected(b.resp, "an answer that is "+syntax.Error())
	invalid.Err = syntax
	return errors.Join(invalid, err)
}

// Read implements [io.Reader].
func (b *Body) Read(p []byte) (int, error) {
	switch {
	case b.err != nil:
		return 0, b.err
	case b.closed.Load():
		return 0, http.ErrBodyReadAfterClose
	case len(p) == 0:
		return 0, nil
	}
	left := b.limit - b.read.Load()
	oneBeyond := min(int64(len(p))-1, left) + 1 // shows whether the body ends at the limit
	n, err := b.reader.Read(p[:oneBeyond])
	if int64(n) > left {
		b.read.Store(b.limit)
		return n - 1, b.end(b.tooLong())
	}
	b.read.Add(int64(n))
	if err != nil {
		return n, b.end(b.failure(err))
	}
	return n, nil
}

// Close implements [io.Closer]. It releases the connection and ends the request.
func (b *Body) Close() error {
	b.closed.Store(true)
	return b.close()
}

// ReadAll reads the whole body, whose end closes it. With an error it also returns the bytes that
// came before. It takes more than twice the memory of the body, so it is meant for low limits.
func (b *Body) ReadAll() ([]byte, error) { return io.ReadAll(b) }

// refuse looks at the beginning of the body, and ends an answer that need not be read: an HTML
// page, a refusal in an envelope, or one whose announced length exceeds the limit. It returns the
// error, or nil if the answer may be read.
func (b *Body) refuse() error {
	if b.resp.ContentLength > b.limit {
		return b.end(b.tooLong())
	}
	if _, err := b.reader.Peek(1); err != nil && b.end(b.failure(err)) != io.EOF {
		return b.err
	}
	start, _ := b.reader.Peek(b.reader.Buffered())
	whole := b.resp.ContentLength
	isShort := whole > int64(len(start)) && whole <= int64(b.reader.Size())
	if isShort && start[0] == '{' { // a refusal is short, and may come in two parts
		start, _ = b.reader.Peek(int(whole))
	}
	if isHTML(b.resp.Header, start) {
		return b.end(b.call.markup(b.resp, start))
	}
	if string(bytes.TrimSpace(withoutBOM(start))) == "null" && b.ended(start) {
		return b.end(b.call.unexpected(b.resp, "null in place of a list"))
	}
	if refusal := b.call.envelope(b.resp, start); refusal != nil {
		return b.end(refusal)
	}
	return nil
}

// ended reports whether the start of the body is all of it.
func (b *Body) ended(start []byte) bool {
	if b.resp.ContentLength >= 0 {
		return int64(len(start)) == b.resp.ContentLength
	}
	_, err := b.reader.Peek(len(start) + 1)
	return errors.Is(err, io.EOF)
}

func (b *Body) tooLong() error {
	return &LimitError{Op: b.call.op, Host: b.call.host, Limit: b.limit, List: b.call.list}
}

// end makes err the final error and closes the body.
func (b *Body) end(err error) error {
	b.err = err
	_ = b.close()
	return err
}

// failure returns the typed error for a failed read; io.EOF is unchanged.
func (b *Body) failure(err error) error {
	var (
		timeout interface{ Timeout() bool }
		corrupt flate.CorruptInputError
	)
	switch {
	case err == io.EOF:
		return err
	case b.ctx.Err() != nil, errors.As(err, &timeout) && timeout.Timeout():
		return b.call.failed(b.ctx, err)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return b.call.unexpected(b.resp, "a damaged compressed answer")
	}
	of := ""
	if b.resp.ContentLength >= 0 {
		of = fmt.Sprintf(" of %d", b.resp.ContentLength)
	}
	short := b.call.unexpected(b.resp,
		fmt.Sprintf("an answer that was cut off after %d%s bytes", b.read.Load(), of))
	short.Err = io.ErrUnexpectedEOF
	return short
}

const (
	// stallLimit is how long a reader waits for minProgress bytes.
	stallLimit = 30 * time.Second
	// minProgress is in bytes. If any byte counted as progress, one now and then could hold a
	// request forever.
	minProgress = 1 << 10
)

// stallReader cancels a request when reads have waited too long for minProgress bytes or
// the end. Time between reads does not count.
type stallReader struct {
	source  io.Reader
	waiting *patience // for the next minProgress bytes
	came    int       // bytes of these received
}

func (r *stallReader) Read(p []byte) (int, error) {
	r.waiting.start()
	n, err := r.source.Read(p)
	r.waiting.stop()
	if r.came += n; r.came >= minProgress {
		r.came = 0
		r.waiting.renew(stallLimit)
	}
	return n, err
}

// stalled ends an answer of which too little arrived in time.
var stalled = &networkError{
	cause: CauseTimeout,
	text:  fmt.Sprintf("less than %s arrived in %v", size(minProgress), stallLimit),
}
