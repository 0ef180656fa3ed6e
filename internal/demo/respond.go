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

// refusal is an answer other than success of the gateway or the global
// service. The body is {"Message":"..."}, as in the field.
type refusal struct {
	status    int
	challenge string // WWW-Authenticate, with status 401
	message   string
}

func refuse(w http.ResponseWriter, answer *refusal) {
	if answer.challenge != "" {
		w.Header().Set("WWW-Authenticate", answer.challenge)
	}
	writeJSON(w, answer.status, struct{ Message string }{answer.message})
}

// writeJSON answers with a value made of this package's own types. A write can
// only fail because the client has gone, so nobody is left to tell.
func writeJSON(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
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

func listOf(records []json.RawMessage) list {
	return list{count: len(records), append: func(dst []byte, i int) []byte { return append(dst, records[i]...) }}
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
