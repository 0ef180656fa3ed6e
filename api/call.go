package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"gatehouse/internal/hostname"
	"gatehouse/internal/redact"
)

// call is one thing being done with one host; it makes the errors that say so.
type call struct {
	op   string // such as "sign in": one line
	host string // as a person reads it
	list bool   // the answer is one, and may be long
}

func newCall(op string, u *url.URL) call {
	return call{op: redact.OneLine(op, maxMessage), host: hostname.Readable(u.Host)}
}

// failed makes the error of a request that brought no answer, or no more of one.
// ctx is the context that the request was sent with.
func (c call) failed(ctx context.Context, err error) error {
	err = withoutURL(err)
	if refused, ok := err.(*RedirectError); ok {
		return &RedirectError{Op: c.op, From: refused.From, To: refused.To, Reason: refused.Reason}
	}
	if stall, ok := errors.AsType[*stallError](context.Cause(ctx)); ok {
		err = stall
	} else if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
		err = ctx.Err()
	}
	return &TransportError{Op: c.op, Host: c.host, Err: err}
}

// refused makes the error of an answer other than 2xx; body is what was read of
// it. A message that repeats a secret is dropped: one of sent, which may be nil, or
// the credential of the request.
func (c call) refused(resp *http.Response, body []byte, sent *redact.Secrets) error {
	asked, _ := retryAfter(resp)
	scheme, credential := sentCredential(resp)
	if sent == nil {
		sent = &redact.Secrets{}
	}
	sent.AddEncoded(credential)
	return &StatusError{
		Op: c.op, Host: c.host,
		Status:     resp.StatusCode,
		Credential: scheme,
		Message:    serviceMessage(body, sent),
		RetryAfter: asked,
	}
}

// sentCredential is what the request was authorized with, also where a transport
// added it.
func sentCredential(resp *http.Response) (scheme, credential string) {
	if resp.Request == nil {
		return "", ""
	}
	scheme, credential, _ = strings.Cut(resp.Request.Header.Get("Authorization"), " ")
	return scheme, credential
}

func isSuccess(resp *http.Response) bool { return resp.StatusCode/100 == 2 }

// unexpected makes the error of an answer that is not what the interface
// promises. detail completes "the host sent ...".
func (c call) unexpected(header http.Header, detail string) error {
	return &BodyError{Op: c.op, Host: c.host, ContentType: mediaType(header.Get("Content-Type")), Detail: detail}
}

const (
	htmlForJSON = "an HTML page where JSON belongs"
	emptyAnswer = "an empty answer"
)

// endpoint is base with path segments behind it, each escaped so that it stays
// one segment. setting names base in a [*RequestError].
func endpoint(setting, base string, segments ...string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, &RequestError{Field: setting, Reason: "is not an http address"}
	}
	if u.Scheme == "http" && !hostname.IsLoopback(u.Hostname()) {
		return nil, &RequestError{Field: setting, Reason: "is http, which is for this machine alone"}
	}
	if u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, &RequestError{Field: setting, Reason: "has a user, query or fragment, which it must not"}
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	for _, s := range segments {
		path += "/" + escapeSegment(s)
	}
	u.RawPath = path
	if u.Path, err = url.PathUnescape(path); err != nil {
		return nil, &RequestError{Field: setting, Reason: "has a path with a broken escape"}
	}
	return u, nil
}

// escapeSegment escapes everything but letters, digits and "-_.~". It goes beyond
// url.PathEscape, for some servers take a bare "+" in a path for a blank, or
// refuse it.
func escapeSegment(s string) string {
	return strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
}

// checkID refuses what cannot be one segment of a path: nothing, and the two
// names that every server resolves away, escaped or not.
func checkID(field, id string) error {
	switch {
	case strings.TrimSpace(id) == "":
		return &RequestError{Field: field, Reason: "is missing"}
	case id == "." || id == "..":
		return &RequestError{Field: field, Reason: "is not an id"}
	}
	return nil
}

const maxMessage = 500 // characters of a service's own message

// withoutBOM drops the byte order mark and the blanks around a text.
func withoutBOM(body []byte) []byte {
	body = bytes.TrimSpace(body)
	return bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\uFEFF")))
}

// isHTML judges an answer by its first bytes, and by its media type only where
// there are some and not the start of JSON: some servers call everything text/html.
func isHTML(header http.Header, start []byte) bool {
	start = withoutBOM(start)
	if bytes.HasPrefix(start, []byte("<")) {
		return true
	}
	if len(start) == 0 || start[0] == '{' || start[0] == '[' {
		return false
	}
	return mediaType(header.Get("Content-Type")) == "text/html"
}

// mediaType is a Content-Type without its parameters, "" when it is not one.
func mediaType(contentType string) string {
	name, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return redact.OneLine(name, 60)
}

// serviceMessage finds the service's own words in the body of a refusal,
// {"Message":"..."} or {"message":"..."}, unless they repeat a secret.
func serviceMessage(body []byte, sent *redact.Secrets) string {
	var refusal struct {
		Message json.RawMessage `json:"Message"` // matches any letter case
	}
	var text string
	if json.Unmarshal(withoutBOM(body), &refusal) != nil || json.Unmarshal(refusal.Message, &text) != nil {
		return ""
	}
	if sent.Hide(text) {
		return ""
	}
	return redact.OneLine(text, maxMessage)
}
