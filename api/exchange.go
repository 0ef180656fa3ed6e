package api

import (
	"time"

	"gatehouse/internal/secret"
)

// Exchange is one attempt to get an answer, as an observer sees it. Nothing in
// it is secret: what could be is replaced by [secret.Mask] before it is handed
// over. Text of it comes from outside and is not safe on a terminal.
type Exchange struct {
	Start  time.Time
	Method string
	Scheme string // "https" or "http"
	Host   string // host and port as in the address
	Path   string // escaped as it was sent, never with the query

	Query      []Pair // parameters, decoded, in the order sent
	Form       []Pair // fields of the form in the body, if it was one
	Header     []Pair // of the request, by name
	Credential string // the scheme of the Authorization header: "Bearer", "ApiKey", "Basic", or ""
	Try        int    // 1, or 2 and more where the call had sent this request before

	Status       int    // 0 when no answer came
	Protocol     string // such as "HTTP/2.0", "" when no answer came
	AnswerHeader []Pair // by name
	Body         Excerpt
	Bytes        int64         // of the body that was read, after decompression
	FirstByte    time.Duration // until the head of the answer was there; 0 when none came
	Duration     time.Duration // until the answer was read, closed or failed
	Err          error         // nil, or why there was no answer or no more of it
}

// Pair is a header, a parameter or a field. The value of a Secret one is
// [secret.Mask], for an Authorization header behind its scheme.
type Pair struct {
	Name, Value string
	Secret      bool
}

// Excerpt is the beginning of the body of an answer without its secrets, about
// 4 KB at most.
type Excerpt struct {
	Text    string // JSON that was cut is closed again, so that it can be read
	JSON    bool
	Cut     bool   // there is more of the body than Text has
	Omitted string // why nothing is kept of a body, a clause; "" if something is or there is no body
}

// mask hides the value of a pair.
func (p Pair) mask() Pair { return Pair{p.Name, secret.Mask, true} }
