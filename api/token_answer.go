package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/redact"
	"gatehouse/internal/secret"
)

const (
	tokenLimit  = 1 << 20 // bytes of the answer
	maxLifetime = 10 * 365 * 24 * time.Hour
)

// tokenExchange is a token request and its answer.
type tokenExchange struct {
	call     call
	grant    grant
	noSecret bool // the client has none

	sent   time.Time
	answer *http.Response // its body has been read
	text   []byte         // the body
}

// tokenAnswer is an answer of the token endpoint: a token (interface section 2.1) or a
// refusal (RFC 6749 section 5.2). Letter case in names is ignored.
type tokenAnswer struct {
	Access    secret.Text     `json:"access_token"`
	Refresh   secret.Text     `json:"refresh_token"`
	ID        any             `json:"id_token"` // of another type than string it is ignored
	Kind      string          `json:"token_type"`
	ExpiresIn json.RawMessage `json:"expires_in"`

	Code        string `json:"error"`
	Description string `json:"error_description"`
}

// token returns the Token of the answer, or the typed error.
func (x *tokenExchange) token() (*Token, error) {
	var a tokenAnswer
	ok := json.Unmarshal(x.text, &a) == nil && x.text[0] == '{'
	if refusal := x.refusal(a); ok && refusal != nil {
		return nil, refusal
	}
	switch {
	case !isSuccess(x.answer):
		return nil, x.call.refused(x.answer, x.text)
	case !ok, a.Code != "", a.Access.IsEmpty():
		return nil, x.call.unexpected(x.answer.Header, x.detail())
	case a.Kind != "" && !strings.EqualFold(a.Kind, schemeBearer):
		return nil, x.call.unexpected(x.answer.Header, "a token that is not a Bearer token")
	}
	if x.grant.name == grantRefresh { // without rotation the service sends none
		a.Refresh = cmp.Or(a.Refresh, x.grant.secret)
	}
	id, _ := a.ID.(string)
	serverTime, _ := http.ParseTime(x.answer.Header.Get("Date")) // zero if invalid
	return &Token{
		Access:      a.Access,
		Refresh:     a.Refresh,
		ID:          secret.New(id),
		Type:        schemeBearer,
		ExpiresIn:   lifetime(string(a.ExpiresIn)),
		RequestedAt: x.sent,
		ServerTime:  serverTime,
	}, nil
}

// lifetime parses expires_in: a whole number of seconds, quoted or not; 0 if it is
// anything else.
func lifetime(expiresIn string) time.Duration {
	whole, fraction, _ := strings.Cut(strings.Trim(expiresIn, `"`), ".")
	if strings.Trim(fraction, "0123456789") != "" {
		return 0 // an exponent
	}
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0
	}
	return time.Duration(min(max(seconds, 0), int64(maxLifetime/time.Second))) * time.Second
}

// detail describes an answer with a 2xx status and no token.
func (x *tokenExchange) detail() string {
	switch {
	case len(x.text) == 0:
		return emptyAnswer
	case isHTML(x.answer.Header, x.text):
		return htmlForJSON
	case json.Valid(x.text):
		return "JSON without an access token"
	case x.text[0] == '{':
		return "incomplete or invalid JSON"
	}
	return "something that is not JSON"
}

const (
	maxErrorCode   = 64  // characters
	maxDescription = 200 // characters
)

// refusal is the error of a refusal as in RFC 6749 section 5.2, nil if the answer is
// none. Text that repeats a secret of the request is left out.
func (x *tokenExchange) refusal(a tokenAnswer) error {
	x.call.credential(x.answer)
	code := strings.TrimSpace(a.Code)
	if !isErrorCode(code) || x.call.secrets.Hide(code) {
		return nil
	}
	asked, _ := retryAfter(x.answer)
	e := &TokenError{
		Op: x.call.op, Host: x.call.host, Grant: x.grant.name,
		Status:     x.answer.StatusCode,
		Code:       code[:min(len(code), maxErrorCode)],
		RetryAfter: asked,
		NoSecret:   x.noSecret,
	}
	if !x.call.secrets.Hide(a.Description) {
		e.Description = redact.OneLine(a.Description, maxDescription)
	}
	return e
}

// isErrorCode checks for the characters that RFC 6749 allows in an error code.
func isErrorCode(code string) bool {
	for _, c := range []byte(code) {
		if c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			return false
		}
	}
	return code != ""
}
