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

// Library is a body of shares with a column of each kind.
func Library(shares int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"Data":[`)
	owners := []string{"ann@harbor.example", "ben@harbor.example", "cho@harbor.example"}
	for i := range shares {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"Id":"%08d-0000-4000-8000-000000000000","Name":"Share %d","Owner":%q,"DiskUsage":%d,"Created":%q,"ShareTick":0,"Open":%t,"Tags":["a","b"],"Note":null}`,
			i, i+1, owners[i%3], i*1_000_000, Noon.AddDate(0, 0, -i).Format(time.RFC3339), i%2 == 0)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// LibraryColumns are the titles of a library's columns in the order of the table.
// There is one more, whose values are all null.
var LibraryColumns = []string{"Name", "Owner", "Created", "DiskUsage", "Open", "Id", "ShareTick", "Tags"}

// UpTo is how many bytes of a library hold so many shares, and a bit of the next.
func UpTo(t testing.TB, library []byte, shares int) int {
	t.Helper()
	at := bytes.Index(library, fmt.Appendf(nil, `"Name":"Share %d"`, shares+1))
	if at < 0 {
		t.Fatalf("there are no %d shares", shares)
	}
	return at
}

// Whole is more than all bytes of a body.
const Whole = 1 << 30

// Drip is a gateway that sends its body as far as it is let. Each request gets it
// again, for the list of domains asks as well.
type Drip struct {
	mutex   sync.Mutex
	body    []byte
	length  bool // whether a Content-Length is sent
	allowed int  // bytes
	cut     bool // the rest never comes
	changed chan struct{}
}

// NewDrip makes a gateway that sends so many bytes of a body at first.
func NewDrip(body []byte, allowed int) *Drip {
	return &Drip{body: body, length: true, allowed: allowed, changed: make(chan struct{})}
}

// Let lets the body go on up to so many bytes.
func (d *Drip) Let(allowed int) { d.change(func() { d.allowed, d.cut = allowed, false }) }

// Cut drops the connections: the rest never comes.
func (d *Drip) Cut() { d.change(func() { d.cut = true }) }

// Replace answers with another body, of which the length is not announced.
func (d *Drip) Replace(body []byte, allowed int) {
	d.change(func() { d.body, d.length, d.allowed, d.cut = body, false, allowed, false })
}

func (d *Drip) change(what func()) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	what()
	close(d.changed)
	d.changed = make(chan struct{})
}

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
