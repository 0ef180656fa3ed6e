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

// Respond answers all requests in the same way. headers are names, each with its value behind it.
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

// respondJSON answers with a value in JSON.
func respondJSON(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// Redirect redirects to a URL; "" is the URL of the request.
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

// WithMediaType gives the right answer with another media type.
func WithMediaType(contentType string) Fault {
	return func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
		right := recorded(r, answer)
		right.Header().Set("Content-Type", contentType)
		send(w, right)
	}
}

// Cut announces the length of the right answer, sends half of it, and drops the connection.
func Cut(w http.ResponseWriter, r *http.Request, answer http.Handler) {
	right := recorded(r, answer)
	right.Header().Set("Content-Length", strconv.Itoa(right.Body.Len()))
	right.Body.Truncate(right.Body.Len() / 2)
	send(w, right)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// Silence takes the request, and never answers.
func Silence(_ http.ResponseWriter, r *http.Request, _ http.Handler) { <-r.Context().Done() }

// Standstill sends the head and half of the right answer, and nothing more.
func Standstill(w http.ResponseWriter, r *http.Request, answer http.Handler) {
	right := recorded(r, answer)
	right.Body.Truncate(right.Body.Len() / 2)
	send(w, right)
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// Drip sends a body without an end, a byte at a time.
func Drip(every time.Duration) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		tick := time.NewTicker(every)
		defer tick.Stop()
		for text := `["`; ; text = "x" {
			if _, err := io.WriteString(w, text); err != nil {
				return
			}
			if err := http.NewResponseController(w).Flush(); err != nil {
				return
			}
			select {
			case <-tick.C:
			case <-r.Context().Done():
				return
			}
		}
	}
}

// Bomb sends a body without an end, which takes a thousandth of its length on the wire: a
// compressed text again and again, which together are one text.
func Bomb(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	const size = 1 << 20 // of each compressed text
	var member bytes.Buffer
	writer := gzip.NewWriter(&member)
	_, _ = writer.Write(bytes.Repeat([]byte(" "), size))
	_ = writer.Close()
	for err := error(nil); err == nil; {
		_, err = w.Write(member.Bytes())
	}
}

// DamagedGzip sends a compressed answer that is damaged from its middle on.
func DamagedGzip(w http.ResponseWriter, r *http.Request, answer http.Handler) {
	body := recorded(r, answer).Body
	var damaged bytes.Buffer
	half := gzip.NewWriter(&damaged)
	_, _ = half.Write(body.Bytes()[:body.Len()/2])
	_ = half.Flush()
	noBlock := bytes.Repeat([]byte{0xff}, 20) // no block of the format begins like this
	damaged.Write(noBlock)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = w.Write(damaged.Bytes())
}

// Echo is a careless service: it refuses a request, and repeats all that was sent, also decoded
// from Base64.
func Echo(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	_ = r.ParseForm()
	sent := []string{r.URL.RawQuery, r.Header.Get("Authorization")}
	for _, values := range r.Form {
		sent = append(sent, values...)
	}
	for _, text := range sent {
		credential := text[strings.IndexByte(text, ' ')+1:]
		if decoded, err := base64.StdEncoding.DecodeString(credential); err == nil {
			sent = append(sent, string(decoded))
		}
	}
	text := "You sent " + strings.Join(sent, " and ")
	respondJSON(w, http.StatusBadRequest, struct {
		Message     string
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}{text, "invalid_request", text})
}

// Token gives the right answer of the token endpoint, with another value (in JSON) of one field. If
// that is the access token, only the claims in it say how long it lives.
func Token(field, value string) Fault {
	return func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
		right := recorded(r, answer)
		var object map[string]json.RawMessage
		if right.Code != http.StatusOK || json.Unmarshal(right.Body.Bytes(), &object) != nil {
			send(w, right) // a refusal, which has no tokens
			return
		}
		object[field] = json.RawMessage(value)
		if field == "access_token" {
			delete(object, "expires_in")
		}
		respondJSON(w, http.StatusOK, object)
	}
}

// Reset resets the connection after some bytes of the head, or after the whole head if that is
// shorter.
func Reset(after int) Fault {
	return func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
		var head strings.Builder
		if after > 0 {
			right := recorded(r, answer)
			fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", right.Code, http.StatusText(right.Code))
			fmt.Fprintf(&head, "Content-Length: %d\r\n", right.Body.Len())
			_ = right.Header().Write(&head)
			head.WriteString("\r\n")
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return // the client has gone
		}
		_, _ = io.WriteString(conn, head.String()[:min(after, head.Len())])
		if tcp, ok := conn.(interface{ SetLinger(seconds int) error }); ok {
			_ = tcp.SetLinger(0) // so that closing it resets it
		}
		_ = conn.Close()
	}
}

// recorded lets the service answer a request without compression, and returns the answer unsent.
func recorded(r *http.Request, answer http.Handler) *httptest.ResponseRecorder {
	r = r.Clone(r.Context())
	r.Header.Del("Accept-Encoding")
	right := httptest.NewRecorder()
	answer.ServeHTTP(right, r)
	return right
}

// send sends an answer that was recorded.
func send(w http.ResponseWriter, recorded *httptest.ResponseRecorder) {
	maps.Copy(w.Header(), recorded.Header())
	w.WriteHeader(recorded.Code)
	_, _ = w.Write(recorded.Body.Bytes())
}
