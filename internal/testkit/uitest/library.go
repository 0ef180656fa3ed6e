package uitest

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Library is the body of an answer with some shares, with columns of all kinds.
func Library(shares int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"Data":[`)
	const share = `{"Id":"%08d-0000-4000-8000-000000000000","Name":"Share %d","Owner":%q,` +
		`"DiskUsage":%d,"Created":%q,"ShareTick":0,"Open":%t,"Tags":["a","b"],"Note":null}`
	owners := []string{"ann@harbor.example", "ben@harbor.example", "cho@harbor.example"}
	for i := range shares {
		if i > 0 {
			b.WriteByte(',')
		}
		created := Noon.AddDate(0, 0, -i).Format(time.RFC3339)
		fmt.Fprintf(&b, share, i, i+1, owners[i%len(owners)], i*1_000_000, created, i%2 == 0)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// LibraryColumns are the titles of the columns of a library, in the order of the table. There is
// one more column, whose values are all null.
var LibraryColumns = []string{
	"Name", "Owner", "Created", "DiskUsage", "Open", "Id", "ShareTick", "Tags",
}

// UpTo is the number of bytes of a library that contain some shares, and the beginning of the next
// one.
func UpTo(t testing.TB, library []byte, shares int) int {
	t.Helper()
	at := bytes.Index(library, fmt.Appendf(nil, `"Name":"Share %d"`, shares+1))
	if at < 0 {
		t.Fatalf("there are no %d shares", shares)
	}
	return at
}

// Whole is more than the length of any body.
const Whole = 1 << 30

// Drip is a gateway that sends only as much of its body as a test allows. It answers each request
// with the same body, because the list of domains sends one as well.
type Drip struct {
	mutex   sync.Mutex
	body    []byte
	length  bool          // a Content-Length is sent
	allowed int           // bytes
	cut     bool          // connections are dropped
	changed chan struct{} // closed by the next change
}

// NewDrip makes a gateway that may send some bytes of a body.
func NewDrip(body []byte, allowed int) *Drip {
	return &Drip{body: body, length: true, allowed: allowed, changed: make(chan struct{})}
}

// Let allows the first bytes of the body, up to a number of them.
func (d *Drip) Let(allowed int) { d.change(func() { d.allowed, d.cut = allowed, false }) }

// Cut drops the connections, so that the rest of the body never arrives.
func (d *Drip) Cut() { d.change(func() { d.cut = true }) }

// Replace replaces the body by another one, whose length is not announced.
func (d *Drip) Replace(body []byte, allowed int) {
	d.change(func() { d.body, d.length, d.allowed, d.cut = body, false, allowed, false })
}

// change makes a change, and tells the requests that wait for one.
func (d *Drip) change(what func()) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	what()
	close(d.changed)
	d.changed = make(chan struct{})
}

// ServeHTTP implements [http.Handler].
func (d *Drip) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
