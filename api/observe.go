package api

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

type transport struct{ o Options }

// CloseIdleConnections lets [http.Client.CloseIdleConnections] reach the base.
func (t *transport) CloseIdleConnections() {
	(&http.Client{Transport: t.o.Base}).CloseIdleConnections()
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil { // nothing is sent, and there is nothing to observe
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, scrub(err)
	}
	if t.o.UserAgent != "" && r.Header.Get("User-Agent") == "" {
		r = r.Clone(r.Context())
		r.Header.Set("User-Agent", t.o.UserAgent)
	}
	watch := newWatch(t.o, r)
	ctx, release := context.WithCancelCause(r.Context())
	resp, err := t.inTime(r.WithContext(ctx), release)
	if err != nil {
		release(nil)
		err = scrub(err)
		watch.end(err)
		return nil, err
	}
	watch.answered(resp)
	resp.Body = &watchedBody{body: resp.Body, watch: watch, release: release}
	return resp, nil
}

// inTime ends an attempt whose answer does not begin in time. The limits of
// net/http count connection, handshake and answer each for itself.
func (t *transport) inTime(r *http.Request, cancel context.CancelCauseFunc) (*http.Response, error) {
	late := &answerError{answerTimeout}
	timer := time.AfterFunc(late.after, func() { cancel(late) })
	defer timer.Stop()
	resp, err := t.o.Base.RoundTrip(r)
	if err != nil && context.Cause(r.Context()) == error(late) {
		err = late
	}
	return resp, err
}

// scheme names the schemes of the interface alone: the first word of any other
// header could be the secret itself.
func scheme(authorization string) string {
	name, _, _ := strings.Cut(authorization, " ")
	switch name {
	case schemeBasic, schemeBearer, schemeAPIKey:
		return name
	}
	return ""
}

// watch tells the observer about one exchange, once. Close may come from another
// goroutine than Read.
type watch struct {
	options Options
	once    sync.Once

	mu       sync.Mutex // guards the rest
	exchange Exchange
	sent     sent
	rules    maskRules
	length   int64  // that the answer announced, -1 if none
	head     []byte // the beginning of the body, as it came
}

func newWatch(o Options, r *http.Request) *watch {
	w := &watch{options: o, length: -1}
	w.exchange = Exchange{
		Start:      o.Now(),
		Method:     r.Method,
		Scheme:     r.URL.Scheme,
		Host:       r.URL.Host,
		Credential: scheme(r.Header.Get("Authorization")),
		Try:        countTry(r),
	}
	w.sent.credential(r.Header)
	form, isForm := formOf(r)
	asked := askedSegments(r)
	w.exchange.Form = w.sent.pairs(form, publicFields, nil)
	w.exchange.Query = w.sent.pairs(r.URL.RawQuery, publicParameters, asked)
	w.exchange.Path = w.sent.path(r.URL.EscapedPath(), asked)
	w.exchange.Header = w.sent.headers(r.Header)
	w.rules = maskRules{
		sent:      &w.sent,
		tokens:    isForm,
		plainText: w.sent.isEmpty() && (r.Body == nil || r.Body == http.NoBody),
	}
	return w
}

// answered takes over the head of the answer.
func (w *watch) answered(resp *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.exchange.FirstByte = w.options.Now().Sub(w.exchange.Start)
	w.exchange.Status = resp.StatusCode
	w.exchange.Protocol = resp.Proto
	w.exchange.AnswerHeader = w.sent.headers(resp.Header)
	w.length = resp.ContentLength
}

// read takes note of bytes of the body.
func (w *watch) read(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.exchange.Bytes += int64(len(p))
	if room := maxExcerpt - len(w.head); room > 0 {
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
	w.exchange.Body = w.rules.excerpt(w.head, whole)
	if err != io.EOF {
		w.exchange.Err = err
	}
	w.exchange.Duration = w.options.Now().Sub(w.exchange.Start)
	w.head, w.sent = nil, sent{}
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
