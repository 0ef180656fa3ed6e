package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/redact"
)

// call is an operation on a host. It sends its request, see chain.go, and makes the errors that
// name the operation and the host. The zero value of each option is the usual case.
type call struct {
	op   string // one line, such as "sign in"
	host string // for display
	// typed are the secrets that a person typed for the request, secrets all that it has. No error
	// shows a text that repeats one of them.
	typed, secrets redact.Secrets

	transport  *Transport
	list       bool        // the answer is a list, which may be long
	tokens     TokenSource // nil: the request has its credential, or needs none
	sendOnce   bool        // it is not repeated, not even after a 401
	returnBusy bool        // a 429 is returned at once
	pause      pause       // between attempts; nil: backoff
	attempts   int
	newToken   bool   // the access token was issued just now
	trace      *trace // of the last request, nil if none was sent
}

func newCall(op string, transport *Transport, u *url.URL) *call {
	return &call{
		op:        redact.OneLine(op, maxMessage),
		host:      hostname.Readable(u.Host),
		transport: transport,
	}
}

// failed returns the error of a request that got no answer or an incomplete one. ctx is the
// context of the request.
func (c *call) failed(ctx context.Context, err error) error {
	err = withoutURL(err)
	if refused, ok := err.(*RedirectError); ok {
		to, _ := c.shown(refused.To, maxHost)
		path, _ := c.shown(refused.Path, maxHost)
		return &RedirectError{Op: c.op, From: refused.From, To: to, Path: path, Kind: refused.Kind}
	}
	if stall, ok := errors.AsType[*networkError](context.Cause(ctx)); ok {
		err = stall
	} else if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
		err = ctx.Err()
	}
	if of, ok := errors.AsType[*TransportError](err); ok { // of the token that the request needed
		return &TransportError{Op: c.op, Host: c.host, Err: err, Way: of.Way}
	}
	err = c.trace.located(err)
	cause, _ := explain(err)
	return &TransportError{Op: c.op, Host: c.host, Err: err, Way: c.trace.way(cause)}
}

// refused returns the error for an answer with a status other than 2xx. body is the part of its
// body that was read.
func (c *call) refused(resp *http.Response, body []byte) *StatusError {
	asked, _ := retryAfter(resp)
	scheme := c.credential(resp)
	message, omitted := c.said(resp, body)
	return &StatusError{
		Op: c.op, Host: c.host,
		Status:     resp.StatusCode,
		Credential: scheme,
		Message:    message,
		Omitted:    omitted,
		Page:       isPage(resp.Header, body),
		NewToken:   c.newToken,
		RetryAfter: asked,
	}
}

// sends notes the secrets that the call sends: those that a person typed, in every spelling that is
// sent, and others.
func (c *call) sends(typed []string, others ...string) {
	c.typed.Add(typed...)
	c.secrets.Add(typed...)
	c.secrets.Add(others...)
}

// shown returns a text of the service as one line of at most limit characters, or "" and the reason
// why it is left out.
func (c *call) shown(text string, limit int) (string, Omission) {
	switch {
	case c.typed.In(text):
		return "", RepeatsTyped
	case c.secrets.In(text):
		return "", RepeatsSent
	case c.secrets.Hide(text):
		return "", LooksSecret
	}
	return redact.OneLine(text, limit), ""
}

// exchange sends a request whose answer is not a list, and returns the answer with its whole body.
// The context limits the time of the call, limit the bytes of the body. The error says that there
// was no answer, or that the answer is a refusal.
func (c *call) exchange(
	ctx context.Context, r *http.Request,
	send func(*http.Request) (*http.Response, error), limit int64,
) (*http.Response, []byte, error) {
	resp, err := send(r.WithContext(ctx))
	if err != nil {
		return nil, nil, c.failed(ctx, err)
	}
	noCancel := func(error) {} // ctx ends before a stall would
	text, err := newBody(ctx, noCancel, c, resp, limit).ReadAll()
	if !isSuccess(resp) {
		return nil, nil, c.refused(resp, text)
	}
	return resp, text, err
}

// credential adds the credential in the Authorization header of the request to the secrets, even if
// a transport added that header, and returns the scheme, or "".
func (c *call) credential(resp *http.Response) (scheme string) {
	if resp.Request == nil {
		return ""
	}
	scheme, credential, _ := strings.Cut(resp.Request.Header.Get("Authorization"), " ")
	c.secrets.AddEncoded(credential)
	return scheme
}

func isSuccess(resp *http.Response) bool { return resp.StatusCode/100 == 2 }

// unexpected returns the error for an answer that is not what the interface promises. detail
// completes "the host sent ...".
func (c *call) unexpected(resp *http.Response, detail string) *BodyError {
	contentType, _ := c.shown(mediaType(resp.Header.Get("Content-Type")), maxMediaType)
	return &BodyError{
		Op:          c.op,
		Host:        c.host,
		Status:      resp.StatusCode,
		ContentType: contentType,
		Detail:      detail,
	}
}

const (
	htmlForJSON = "an HTML page instead of JSON"
	xmlForJSON  = "XML instead of JSON"
	emptyAnswer = "an empty answer"
)

// telling is unexpected for an answer, other than a page, whose body says something to people.
func (c *call) telling(resp *http.Response, body []byte, detail string) *BodyError {
	e := c.unexpected(resp, detail)
	e.Words, e.Omitted = c.said(resp, body)
	return e
}

// page is unexpected for an HTML page in place of the answer. start is the part of the page that was
// read.
func (c *call) page(resp *http.Response, start []byte, detail string) *BodyError {
	e := c.telling(resp, start, detail)
	e.Page = true
	return e
}

// markup returns the error of a page, or of XML for programs, in place of JSON.
func (c *call) markup(resp *http.Response, start []byte) *BodyError {
	if isPage(resp.Header, start) || !isMarkup(start) {
		return c.page(resp, start, htmlForJSON)
	}
	return c.telling(resp, start, xmlForJSON)
}

// notExpected returns the error for an answer that is not the JSON that was expected. If it is some
// other JSON, otherJSON describes it.
func (c *call) notExpected(resp *http.Response, text []byte, otherJSON string) *BodyError {
	switch {
	case len(text) == 0:
		return c.unexpected(resp, emptyAnswer)
	case isHTML(resp.Header, text):
		return c.markup(resp, text)
	case json.Valid(text):
		return c.telling(resp, text, otherJSON)
	}
	return c.unexpected(resp, "something that is not valid JSON")
}

// endpoint returns the URL of base followed by path segments, each of which is escaped to remain one
// segment. The error is a [*RequestError] in which setting names base.
func endpoint(setting, base string, segments ...string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, &RequestError{Field: setting, Reason: "is not an http address"}
	}
	if u.Scheme == "http" && !hostname.IsLoopback(u.Hostname()) {
		return nil, &RequestError{Field: setting, Reason: "is http, which is only for this machine"}
	}
	if u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, &RequestError{Field: setting, Reason: "must not have a user, query or fragment"}
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	for _, s := range segments {
		// Not url.PathEscape: some servers take a bare "+" in a path for a space, or refuse it.
		path += "/" + strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
	}
	u.RawPath = path
	// No escape is invalid: base was parsed, and the rest is escaped above.
	u.Path, _ = url.PathUnescape(path)
	return u, nil
}

// checkID refuses ids that cannot be a path segment: empty ones, and "." and "..", which
// servers resolve even if escaped.
func checkID(field, id string) error {
	switch {
	case strings.TrimSpace(id) == "":
		return &RequestError{Field: field, Reason: "is missing"}
	case id == "." || id == "..":
		return &RequestError{Field: field, Reason: "is not an id"}
	}
	return nil
}

const (
	maxMessage   = 500 // characters of the operation in an error, which may contain an address
	maxMediaType = 60  // characters
)

// withoutBOM removes a byte order mark and surrounding white space.
func withoutBOM(body []byte) []byte {
	body = bytes.TrimSpace(body)
	return bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\uFEFF")))
}

// isHTML recognises HTML by its first bytes. The media type counts only if those cannot begin JSON,
// as some servers call everything text/html.
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

// pageMarks are found near the beginning of an HTML page, and not in XML for programs.
var pageMarks = []string{"<!doctype html", "<html", "<head", "<title", "<body", "<h1"}

// isPage reports whether the body of a refusal is an HTML page rather than XML for programs.
func isPage(header http.Header, body []byte) bool {
	if !isMarkup(body) {
		return false
	}
	if mediaType(header.Get("Content-Type")) == "text/html" {
		return true
	}
	const beginning = 1 << 10 // bytes
	start := string(bytes.ToLower(body[:min(len(body), beginning)]))
	isInStart := func(mark string) bool { return strings.Contains(start, mark) }
	return slices.ContainsFunc(pageMarks, isInStart)
}

// mediaType returns a Content-Type without parameters, or "" if it is invalid.
func mediaType(contentType string) string {
	name, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return redact.OneLine(name, maxMediaType)
}
