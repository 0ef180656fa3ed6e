package demo

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// refuse answers a request of the gateway or the global service with {"Message":"..."}, as in
// the field.
func refuse(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, struct{ Message string }{message})
}

// unauthorized refuses credentials, and challenges to others.
func unauthorized(w http.ResponseWriter, challenge, message string) {
	w.Header().Set("WWW-Authenticate", challenge)
	refuse(w, http.StatusUnauthorized, message)
}

func notFound(w http.ResponseWriter, _ *http.Request) {
	refuse(w, http.StatusNotFound, "There is nothing at this address.")
}

// writeJSON answers with a value made of this package's own types, which can be encoded. A write
// can only fail because the client has gone, so nobody is left to tell.
func writeJSON(w http.ResponseWriter, status int, value any) {
	body, _ := json.Marshal(value)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// list is records that are made while they are sent.
type list struct {
	count  int
	append func(dst []byte, i int) []byte // appends a record as JSON
	// length is that of the whole answer, where it is known: the answer goes out
	// plain then, and says so. Otherwise it goes out in chunks.
	length int64
}

// zippers are *gzip.Writer, which are large.
var zippers = sync.Pool{New: func() any {
	zipped, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails for an unknown level only
	return zipped
}}

// writeList streams records in the envelope of the gateway, holding few of
// them in memory. It stops when the client has gone.
func writeList(w http.ResponseWriter, r *http.Request, reference string, l list) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Vary", "Accept-Encoding")
	switch {
	case l.length > 0:
		w.Header().Set("Content-Length", strconv.FormatInt(l.length, 10))
		_ = l.encode(w, reference)
	case strings.Contains(r.Header.Get("Accept-Encoding"), "gzip"):
		w.Header().Set("Content-Encoding", "gzip")
		zipped := zippers.Get().(*gzip.Writer)
		defer zippers.Put(zipped)
		zipped.Reset(w)
		defer zipped.Reset(io.Discard) // lets go of w
		if l.encode(zipped, reference) == nil {
			_ = zipped.Close()
		}
	default:
		_ = l.encode(w, reference)
	}
}

func (l list) encode(w io.Writer, reference string) error {
	const enough = 64 << 10
	buffer := append(make([]byte, 0, 8<<10), `{"Data":[`...)
	for i := range l.count {
		if i > 0 {
			buffer = append(buffer, ',')
		}
		buffer = l.append(buffer, i)
		if len(buffer) >= enough {
			if _, err := w.Write(buffer); err != nil {
				return err
			}
			buffer = buffer[:0]
		}
	}
	buffer = fmt.Appendf(buffer, `],"Message":"Ok.","ResponseInfo":{"ResponseCode":1,"Reference":%q}}`, reference)
	_, err := w.Write(buffer)
	return err
}
