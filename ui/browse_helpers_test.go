package ui

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/ui/uitest"
)

// library is a body of shares with a column of each kind.
func library(shares int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"Data":[`)
	owners := []string{"ann@harbor.example", "ben@harbor.example", "cho@harbor.example"}
	for i := range shares {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"Id":"%08d-0000-4000-8000-000000000000","Name":"Share %d","Owner":%q,"DiskUsage":%d,"Created":%q,"ShareTick":0,"Open":%t,"Tags":["a","b"],"Note":null}`,
			i, i+1, owners[i%3], i*1_000_000, noon.AddDate(0, 0, -i).Format(time.RFC3339), i%2 == 0)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// drip is a gateway that sends its body as far as it is let. Each request gets it
// anew, for the list of domains asks as well.
type drip struct {
	mutex   sync.Mutex
	body    []byte
	length  bool // whether a Content-Length is sent
	allowed int  // bytes
	cut     bool // the rest never comes
	changed chan struct{}
}

// dripping puts such a gateway in the place of the one of the demo.
func dripping(s *uitest.Service, body []byte, allowed int) *drip {
	d := &drip{body: body, length: true, allowed: allowed, changed: make(chan struct{})}
	s.Gateway(d)
	return d
}

// change does what a test wants otherwise from now on.
func (d *drip) change(what func()) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	what()
	close(d.changed)
	d.changed = make(chan struct{})
}

// let lets the body go on up to so many bytes.
func (d *drip) let(allowed int) { d.change(func() { d.allowed, d.cut = allowed, false }) }

// ServeHTTP implements [http.Handler].
func (d *drip) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sent := 0
	for {
		d.mutex.Lock()
		body, allowed, cut, changed := d.body, min(d.allowed, len(d.body)), d.cut, d.changed
		if sent == 0 && d.length {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		}
		d.mutex.Unlock()
		if cut {
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write(body[sent:allowed])
		_ = http.NewResponseController(w).Flush()
		if sent = allowed; sent == len(body) {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// whole is more than all bytes of a body.
const whole = 1 << 30

// upTo is how many bytes of a body hold so many shares, and a bit of the next.
func upTo(t *testing.T, body []byte, shares int) int {
	t.Helper()
	at := bytes.Index(body, fmt.Appendf(nil, `"Name":"Share %d"`, shares+1))
	if at < 0 {
		t.Fatalf("there are no %d shares", shares)
	}
	return at
}

// clockwork is a clock that a test moves.
type clockwork struct{ passed atomic.Int64 }

func (c *clockwork) now() time.Time          { return noon.Add(time.Duration(c.passed.Load())) }
func (c *clockwork) advance(d time.Duration) { c.passed.Add(int64(d)) }

// openLibrary opens the list of shares of a gateway with one body.
func openLibrary(t *testing.T, s *uitest.Service, body []byte, width, height int) *driver {
	t.Helper()
	s.Gateway(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.Copy(w, bytes.NewReader(body)) }))
	d := open(t, s, width, height)
	d.goInto("ada")
	return d
}
