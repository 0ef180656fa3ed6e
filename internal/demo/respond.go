package demo

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
)

// refusal is an answer other than success of the gateway or the global
// service. The body is {"Message":"..."}, as the field notes have it.
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

// writeList streams records in the envelope of the field notes, holding one
// record at a time in memory. It stops when the client has gone.
func writeList[T any](w http.ResponseWriter, r *http.Request, reference string, records iter.Seq[T]) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Vary", "Accept-Encoding")
	if !acceptsGzip(r.Header) {
		_ = encodeList(w, reference, records)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	zipped, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // fails for an unknown level only
	if err := encodeList(zipped, reference, records); err == nil {
		_ = zipped.Close()
	}
}

func encodeList[T any](w io.Writer, reference string, records iter.Seq[T]) error {
	buffered := bufio.NewWriterSize(w, 32<<10)
	buffered.WriteString(`{"Data":[`)
	separator := ""
	for record := range records {
		body, err := json.Marshal(record)
		if err != nil {
			return err
		}
		buffered.WriteString(separator)
		if _, err := buffered.Write(body); err != nil {
			return err
		}
		separator = ","
	}
	fmt.Fprintf(buffered, `],"Message":"Ok.","ResponseInfo":{"ResponseCode":1,"Reference":%q}}`, reference)
	return buffered.Flush()
}

func acceptsGzip(header http.Header) bool {
	for coding := range strings.SplitSeq(header.Get("Accept-Encoding"), ",") {
		name, parameter, _ := strings.Cut(coding, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		quality, given := strings.CutPrefix(strings.TrimSpace(parameter), "q=")
		weight, err := strconv.ParseFloat(quality, 64)
		return !given || err == nil && weight > 0
	}
	return false
}
