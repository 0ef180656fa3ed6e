package api

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"gatehouse/internal/redact"
)

// Exchange is one attempt to get an answer, as an observer sees it. Nothing in
// it is secret: what could be is replaced by [secret.Mask] before it is handed
// over. Text of it comes from outside and is not safe on a terminal.
type Exchange struct {
	Start  time.Time
	Method string
	Scheme string // "https" or "http"
	Host   string // host and port as in the address
	Path   string // escaped as it was sent, never with the query

	Query      []Pair // parameters, decoded, in the order sent
	Form       []Pair // fields of the form in the body, if it was one
	Header     []Pair // of the request, by name
	Credential string // the scheme of the Authorization header: "Bearer", "ApiKey", "Basic", or ""
	Try        int    // 1, or 2 and more where the call had sent this request before

	Status       int    // 0 when no answer came
	Protocol     string // such as "HTTP/2.0", "" when no answer came
	AnswerHeader []Pair // by name
	Body         Excerpt
	Bytes        int64         // of the body that was read, after decompression
	FirstByte    time.Duration // until the head of the answer was there; 0 when none came
	Duration     time.Duration // until the answer was read, closed or failed
	Err          error         // nil, or why there was no answer or no more of it
}

// Pair is a header, a parameter or a field; see [redact.Pair].
type Pair = redact.Pair

// Excerpt is the beginning of the body of an answer; see [redact.Excerpt].
type Excerpt = redact.Excerpt

// watch tells the observer about one exchange, once. Close may come from another
// goroutine than Read.
type watch struct {
	options Options
	once    sync.Once

	mu       sync.Mutex // guards the rest
	exchange Exchange
	redacted *redact.Exchange
	header   http.Header // of the answer
	length   int64       // that the answer announced, -1 if none
	head     []byte      // the beginning of the body, as it came
}

func newWatch(o Options, r *http.Request, try int) *watch {
	redacted := redact.NewExchange(r)
	return &watch{options: o, redacted: redacted, length: -1, exchange: Exchange{
		Start:      o.Now(),
		Method:     r.Method,
		Scheme:     r.URL.Scheme,
		Host:       r.URL.Host,
		Path:       redacted.Path,
		Query:      redacted.Query,
		Form:       redacted.Form,
		Header:     redacted.Header,
		Credential: redact.Scheme(r.Header.Get("Authorization")),
		Try:        try,
	}}
}

// answered takes over the head of the answer.
func (w *watch) answered(resp *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.exchange.FirstByte = w.options.Now().Sub(w.exchange.Start)
	w.exchange.Status = resp.StatusCode
	w.exchange.Protocol = resp.Proto
	w.header = resp.Header.Clone()
	w.length = resp.ContentLength
}

// read takes note of bytes of the body.
func (w *watch) read(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.exchange.Bytes += int64(len(p))
	if room := redact.MaxHead - len(w.head); room > 0 {
		w.head = append(w.head, p[:min(room, len(p))]...)
	}
}

// end tells the observer; err is io.EOF when the body was read to its end.
func (w *watch) end(err error) { w.once.Do(func() { w.options.Observe(w.finish(err)) }) }

func (w *watch) finish(err error) Exchange {
	w.mu.Lock()
	defer w.mu.Unlock()
	kept := int64(len(w.head))
	whole := kept == w.exchange.Bytes && (err == io.EOF || kept == w.length)
	w.exchange.AnswerHeader, w.exchange.Body = w.redacted.Answer(w.header, w.head, whole)
	if err != io.EOF {
		w.exchange.Err = err
	}
	w.exchange.Duration = w.options.Now().Sub(w.exchange.Start)
	w.header, w.head, w.redacted = nil, nil, nil
	return w.exchange
}

// watchedBody tells its watch what is read and ends it with the body.
type watchedBody struct {
	body    io.ReadCloser
	watch   *watch
	release context.CancelCauseFunc // of the attempt
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.watch.read(p[:n])
	switch {
	case err == io.EOF:
		b.watch.end(io.EOF)
	case err != nil:
		b.watch.end(scrub(err))
	}
	return n, err
}

func (b *watchedBody) Close() error {
	err := b.body.Close()
	b.release(nil)
	b.watch.end(nil)
	return err
}
