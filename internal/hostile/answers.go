package hostile

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"
)

// Respond gives one answer to everything. Headers are names and values in turn.
func Respond(status int, contentType, body string, headers ...string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// respondJSON answers with a value that can be encoded.
func respondJSON(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// Redirect points at an address; "" is the one that was asked for.
func Redirect(status int, location string) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		to := location
		if to == "" {
			to = r.URL.String()
		}
		w.Header().Set("Location", to)
		w.WriteHeader(status)
	}
}

// WithMediaType gives the right answer under another media type.
func WithMediaType(contentType string) Fault {
	return func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
		kept := keep(r, answer)
		kept.Header().Set("Content-Type", contentType)
		send(w, kept)
	}
}

// Cut gives half of the right answer, in as many bytes as there should have been.
func Cut(w http.ResponseWriter, r *http.Request, answer http.Handler) {
	kept := keep(r, answer)
	kept.Header().Set("Content-Length", strconv.Itoa(kept.Body.Len()))
	kept.Body.Truncate(kept.Body.Len() / 2)
	send(w, kept)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// Silence takes the request and answers nothing.
func Silence(_ http.ResponseWriter, r *http.Request, _ http.Handler) { <-r.Context().Done() }

// Standstill sends the head and half of the right answer, and no more.
func Standstill(w http.ResponseWriter, r *http.Request, answer http.Handler) {
	kept := keep(r, answer)
	kept.Body.Truncate(kept.Body.Len() / 2)
	send(w, kept)
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// Drip sends a body that has no end, one byte at a time.
func Drip(every time.Duration) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		beat := time.NewTicker(every)
		defer beat.Stop()
		for text := `["`; ; text = "x" {
			if _, err := io.WriteString(w, text); err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
			select {
			case <-beat.C:
			case <-r.Context().Done():
				return
			}
		}
	}
}

// Bomb sends a body that has no end and takes a thousandth of its length on the
// wire.
func Bomb(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	var member bytes.Buffer // one of many, which make one text
	writer := gzip.NewWriter(&member)
	_, _ = writer.Write(bytes.Repeat([]byte(" "), 1<<20))
	_ = writer.Close()
	for err := error(nil); err == nil; {
		_, err = w.Write(member.Bytes())
	}
}

// DamagedGzip says that it is compressed, and is not from the middle on.
func DamagedGzip(w http.ResponseWriter, r *http.Request, answer http.Handler) {
	body := keep(r, answer).Body
	var damaged bytes.Buffer
	half := gzip.NewWriter(&damaged)
	_, _ = half.Write(body.Bytes()[:body.Len()/2])
	_ = half.Flush()
	damaged.Write(bytes.Repeat([]byte{0xff}, 20)) // no block begins like that
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = w.Write(damaged.Bytes())
}

// Echo refuses, and repeats all that it was sent: a careless service.
func Echo(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	_ = r.ParseForm()
	said := []string{r.URL.RawQuery, r.Header.Get("Authorization")}
	for _, values := range r.Form {
		said = append(said, values...)
	}
	for _, text := range said {
		if decoded, err := base64.StdEncoding.DecodeString(text[strings.IndexByte(text, ' ')+1:]); err == nil {
			said = append(said, string(decoded))
		}
	}
	text := "You sent " + strings.Join(said, " and ")
	respondJSON(w, http.StatusBadRequest, struct {
		Message     string
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}{text, "invalid_request", text})
}

// Token gives the right answer of the token endpoint with another value of one field. With
// another access token its own claims alone tell how long it lives.
func Token(field, value string) Fault {
	return func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
		kept := keep(r, answer)
		var object map[string]json.RawMessage
		if kept.Code != http.StatusOK || json.Unmarshal(kept.Body.Bytes(), &object) != nil {
			send(w, kept) // a refusal, which has no tokens
			return
		}
		object[field] = json.RawMessage(value)
		if field == "access_token" {
			delete(object, "expires_in")
		}
		respondJSON(w, http.StatusOK, object)
	}
}

// Reset resets the connection after so many bytes of the head, or after all of it.
func Reset(after int) Fault {
	return func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
		var head strings.Builder
		if after > 0 {
			kept := keep(r, answer)
			fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\nContent-Length: %d\r\n", kept.Code, http.StatusText(kept.Code), kept.Body.Len())
			_ = kept.Header().Write(&head)
			head.WriteString("\r\n")
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return // the client has gone
		}
		_, _ = io.WriteString(conn, head.String()[:min(after, head.Len())])
		if tcp, ok := conn.(interface{ SetLinger(seconds int) error }); ok {
			_ = tcp.SetLinger(0)
		}
		_ = conn.Close()
	}
}

// keep lets the service answer a request, uncompressed, and sends nothing.
func keep(r *http.Request, answer http.Handler) *httptest.ResponseRecorder {
	r = r.Clone(r.Context())
	r.Header.Del("Accept-Encoding")
	kept := httptest.NewRecorder()
	answer.ServeHTTP(kept, r)
	return kept
}

// send sends an answer that was kept.
func send(w http.ResponseWriter, kept *httptest.ResponseRecorder) {
	maps.Copy(w.Header(), kept.Header())
	w.WriteHeader(kept.Code)
	_, _ = w.Write(kept.Body.Bytes())
}
