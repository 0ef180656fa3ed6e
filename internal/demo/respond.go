package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// refuse answers a request of the gateway or the global service with {"Message":"..."}, as in
// the field.
func refuse(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, struct{ Message string }{message})
}

// unauthorized refuses credentials. The challenge says which ones would be accepted.
func unauthorized(w http.ResponseWriter, challenge, message string) {
	w.Header().Set("WWW-Authenticate", challenge)
	refuse(w, http.StatusUnauthorized, message)
}

// notFound answers a request for a path that the service does not have.
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

// writePage answers with HTML.
func writePage(w http.ResponseWriter, status int, page string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, page)
}

// list is a list of records that are made while they are sent.
type list struct {
	count  int
	append func(dst []byte, i int) []byte // appends the record with an index, in JSON
	length int64                          // of the whole answer in bytes; 0 if it is not known
}

// writeList sends records in the envelope of the gateway, with only a few of them in memory. It
// stops when the client has gone.
func writeList(w http.ResponseWriter, reference string, l list) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if l.length > 0 {
		w.Header().Set("Content-Length", strconv.FormatInt(l.length, 10))
	}
	const chunk = 64 << 10 // bytes that are sent at a time
	buffer := append(make([]byte, 0, 8<<10), `{"Data":[`...)
	for i := range l.count {
		if i > 0 {
			buffer = append(buffer, ',')
		}
		buffer = l.append(buffer, i)
		if len(buffer) >= chunk {
			if _, err := w.Write(buffer); err != nil {
				return
			}
			buffer = buffer[:0]
		}
	}
	const end = `],"Message":"Ok.","ResponseInfo":{"ResponseCode":1,"Reference":%q}}`
	_, _ = w.Write(fmt.Appendf(buffer, end, reference))
}
