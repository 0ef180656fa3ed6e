package api

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"gatehouse/internal/text/redact"
)

// Exchange is one attempt of a request as the observer sees it, with secrets replaced by
// [secret.Mask]. Its texts come from outside and are not safe for a terminal.
type Exchange struct {
	Start  time.Time
	Method string
	Scheme string // "https" or "http"
	Host   string // host and port as in the URL
	Path   string // escaped as it was sent, never with the query

	Query      []Pair // parameters, decoded, in the order sent
	Form       []Pair // fields of the form in the body, if it was one
	Header     []Pair // of the request, sorted by name
	Credential string // the scheme of the Authorization header: "Bearer", "ApiKey", "Basic", or ""
	Try        int    // number of the attempt in its call, from 1

	Status       int    // 0 if there was no answer
	Protocol     string // such as "HTTP/2.0", "" if there was no answer
	AnswerHeader []Pair // sorted by name
	Body         Excerpt
	Bytes        int64         // read of the body, after decompression
	FirstByte    time.Duration // from Start to the headers of the answer; 0 if there was none
	Duration     time.Duration // from Start until the answer was read, closed or failed
	Err          error         // why there was no answer or an incomplete one, or nil
}

// Pair is a header, a parameter or a field; see [redact.Pair].
type Pair = redact.Pair

// Excerpt is what is shown of the body of an answer; see [redact.Excerpt].
type Excerpt = redact.Excerpt

// watch reports one exchange to the observer, once. If there is an answer, watch becomes its body.
// Close may be called from another goroutine than Read.
type watch struct {
	options Options
	body    io.ReadCloser
	release context.CancelCauseFunc // of the attempt
	once    sync.Once

	mu       sync.Mutex // guards the rest
	exchange Exchange
	redacted *redact.Exchange // nil once the exchange has been reported
	header   http.Header      // of the answer
	length   int64            // announced by the answer, or -1
	head     []byte           // the body until now, or nil if that is too long to be shown
}

func newWatch(o Options, r *http.Request, try int, release context.CancelCauseFunc) *watch {
	redacted := redact.NewExchange(r)
	return &watch{options: o, release: release, redacted: redacted, length: -1, exchange: Exchange{
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

// answered records the headers of the answer and makes the watch its body.
func (w *watch) answered(resp *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.exchange.FirstByte = w.options.Now().Sub(w.exchange.Start)
	w.exchange.Status = resp.StatusCode
	w.exchange.Protocol = resp.Proto
	w.header = resp.Header.Clone()
	w.length = resp.ContentLength
	w.body, resp.Body = resp.Body, w
}

// end reports the exchange unless that has been done. err is io.EOF if the body was read completely,
// and nil if the caller closed it.
func (w *watch) end(err error) { w.once.Do(func() { w.options.Observe(w.finish(err)) }) }

// finish completes the exchange and returns it.
func (w *watch) finish(err error) Exchange {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.exchange.AnswerHeader, w.exchange.Body = w.redacted.Answer(w.header, w.head, w.extent(err))
	if err != io.EOF {
		w.exchange.Err = err
	}
	w.exchange.Duration = w.options.Now().Sub(w.exchange.Start)
	w.header, w.head, w.redacted = nil, nil, nil
	return w.exchange
}

// extent says how much of the body had been read when err ended it.
func (w *watch) extent(err error) redact.Extent {
	switch read := w.exchange.Bytes; {
	case read > redact.MaxHead:
		return redact.TooLong
	case read == 0, err == io.EOF, read == w.length:
		return redact.Whole
	}
	return redact.Partial
}

func (w *watch) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	w.mu.Lock()
	w.exchange.Bytes += int64(n)
	if w.redacted == nil || w.exchange.Bytes > redact.MaxHead {
		w.head = nil
	} else {
		w.head = append(w.head, p[:n]...)
	}
	w.mu.Unlock()
	switch {
	case err == io.EOF:
		w.end(io.EOF)
	case err != nil:
		w.end(scrub(err))
	}
	return n, err
}

func (w *watch) Close() error {
	err := w.body.Close()
	w.release(nil)
	w.end(nil)
	return err
}
