package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

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
// refusal (RFC 6749 section 5.2).
type tokenAnswer struct {
	access, refresh, id secret.Text
	kind                string // token_type
	expiresIn           string // in JSON

	code, description string
}

// readTokenAnswer reports false if text is no object, or has a member of another type
// than the interface says. Letter case in names is ignored.
func readTokenAnswer(text []byte) (a tokenAnswer, ok bool) {
	if !json.Valid(text) {
		return a, false
	}
	f := gjson.ParseBytes(bytes.ToValidUTF8(text, []byte("\uFFFD"))) // a token that JSON cannot hold could not be saved
	ok = f.IsObject()
	f.ForEach(func(name, value gjson.Result) bool {
		text := func() string {
			ok = ok && (value.Type == gjson.String || value.Type == gjson.Null)
			return value.Str
		}
		switch strings.ToLower(name.Str) {
		case "access_token":
			a.access = secret.New(text())
		case "refresh_token":
			a.refresh = secret.New(text())
		case "id_token":
			a.id = secret.New(value.Str) // of another type it is ignored
		case "token_type":
			a.kind = text()
		case "expires_in":
			a.expiresIn = value.Raw
		case "error":
			a.code = text()
		case "error_description":
			a.description = text()
		case "error_uri":
			text()
		}
		return true
	})
	return a, ok
}

// token returns the Token of the answer, or the typed error.
func (x *tokenExchange) token() (*Token, error) {
	a, ok := readTokenAnswer(x.text)
	if refusal := x.refusal(a); ok && refusal != nil {
		return nil, refusal
	}
	switch {
	case !isSuccess(x.answer):
		return nil, x.call.refused(x.answer, x.text)
	case !ok, a.code != "", a.access.IsEmpty():
		return nil, x.call.unexpected(x.answer.Header, x.detail())
	case a.kind != "" && !strings.EqualFold(a.kind, schemeBearer):
		return nil, x.call.unexpected(x.answer.Header, "a token that is not a Bearer token")
	}
	if x.grant.name == grantRefresh { // without rotation the service sends none
		a.refresh = cmp.Or(a.refresh, x.grant.secret)
	}
	serverTime, _ := http.ParseTime(x.answer.Header.Get("Date")) // zero if invalid
	return &Token{
		Access:      a.access,
		Refresh:     a.refresh,
		ID:          a.id,
		Type:        schemeBearer,
		ExpiresIn:   lifetime(a.expiresIn),
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
	code := strings.TrimSpace(a.code)
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
	if !x.call.secrets.Hide(a.description) {
		e.Description = redact.OneLine(a.description, maxDescription)
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
