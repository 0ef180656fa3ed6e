package api

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Exchange is one attempt to get an answer, as an observer sees it. It holds
// nothing secret: no query, no body, no credential.
type Exchange struct {
	Start      time.Time
	Method     string
	Host       string        // host and port as in the address
	Path       string        // escaped as it was sent, never with the query
	Status     int           // 0 when no answer came
	Duration   time.Duration // until the answer was read, closed or failed
	Bytes      int64         // of the body that was read, after decompression
	Credential string        // the scheme of the Authorization header: "Bearer", "ApiKey", "Basic", or ""
	Err        error         // nil, or why there was no answer or no more of it
}

type transport struct{ o Options }

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.o.UserAgent != "" && r.Header.Get("User-Agent") == "" {
		r = r.Clone(r.Context())
		r.Header.Set("User-Agent", t.o.UserAgent)
	}
	watch := &watch{
		options: t.o,
		exchange: Exchange{
			Start:      t.o.Now(),
			Method:     r.Method,
			Host:       r.URL.Host,
			Path:       r.URL.EscapedPath(),
			Credential: scheme(r.Header.Get("Authorization")),
		},
	}
	resp, err := t.o.Base.RoundTrip(r)
	if err != nil {
		err = scrub(err)
		watch.end(0, err)
		return nil, err
	}
	watch.exchange.Status = resp.StatusCode
	resp.Body = &watchedBody{body: resp.Body, watch: watch}
	return resp, nil
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

// watch tells the observer about one exchange, once.
type watch struct {
	options  Options
	exchange Exchange
	once     sync.Once
}

func (w *watch) end(bytes int64, err error) {
	w.once.Do(func() {
		w.exchange.Bytes = bytes
		w.exchange.Err = err
		w.exchange.Duration = w.options.Now().Sub(w.exchange.Start)
		w.options.Observe(w.exchange)
	})
}

// watchedBody counts what is read and ends its watch with the body.
type watchedBody struct {
	body  io.ReadCloser
	watch *watch
	read  atomic.Int64 // Close may come from another goroutine
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	read := b.read.Add(int64(n))
	switch {
	case err == io.EOF:
		b.watch.end(read, nil)
	case err != nil:
		b.watch.end(read, scrub(err))
	}
	return n, err
}

func (b *watchedBody) Close() error {
	err := b.body.Close()
	b.watch.end(b.read.Load(), nil)
	return err
}
