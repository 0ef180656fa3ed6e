package api

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The kinds of refusal a caller decides on, for errors.Is on a [*StatusError].
var (
	ErrBadRequest   = errors.New("bad request")       // 400
	ErrUnauthorized = errors.New("unauthorized")      // 401: the access token has expired or is invalid (interface section 7)
	ErrForbidden    = errors.New("forbidden")         // 403
	ErrNotFound     = errors.New("not found")         // 404
	ErrRateLimited  = errors.New("too many requests") // 429
	ErrServer       = errors.New("server error")      // 500 to 599
)

// statusIs reports whether target is the sentinel of an HTTP status.
func statusIs(status int, target error) bool {
	switch target {
	case ErrBadRequest:
		return status == http.StatusBadRequest
	case ErrUnauthorized:
		return status == http.StatusUnauthorized
	case ErrForbidden:
		return status == http.StatusForbidden
	case ErrNotFound:
		return status == http.StatusNotFound
	case ErrRateLimited:
		return status == http.StatusTooManyRequests
	case ErrServer:
		return status >= 500 && status <= 599
	}
	return false
}

// TransportError is a request that brought no answer: no connection, a timeout,
// a cancelled context, an answer that stopped coming. Err is the cause without
// the address of the request.
type TransportError struct {
	Op, Host string
	Err      error
}

// Error names what was being done, the host and the cause.
func (e *TransportError) Error() string {
	if cause := describe(e.Err); cause != "" && !isNoToken(e.Err) {
		return fmt.Sprintf("%s: %s: %s", e.Op, e.Host, cause)
	}
	return fmt.Sprintf("%s: %v", e.Op, e.Err) // a transport's own words, such as a session's
}

// Unwrap gives the cause; a cancelled or expired context is among it.
func (e *TransportError) Unwrap() error { return e.Err }

// Timeout reports whether the request ran out of time.
func (e *TransportError) Timeout() bool {
	var timeout interface{ Timeout() bool }
	return errors.As(e.Err, &timeout) && timeout.Timeout()
}

// StatusError is an answer with a status other than 2xx.
type StatusError struct {
	Op, Host   string
	Status     int
	Credential string        // the scheme of the Authorization header that was sent, "" for none
	Message    string        // the service's own words, one line, "" when it gave none
	RetryAfter time.Duration // how long the service asks to wait, 0 when it does not say
}

// Error names what was being done, the host, the status and the service's message.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s: %s answered %s", e.Op, e.Host, statusText(e.Status))
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Is matches the sentinel of the status, such as [ErrNotFound] for 404.
func (e *StatusError) Is(target error) bool { return statusIs(e.Status, target) }

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("%d (%s)", status, strings.ToLower(text))
	}
	return fmt.Sprint(status)
}

// TokenError is a refusal of the token endpoint in the form of OAuth 2.0
// (RFC 6749 section 5.2; interface section 4.1 does not show its errors).
type TokenError struct {
	Op, Host    string
	Grant       string // the grant that was refused: "password" or "refresh_token"
	Status      int
	Code        string        // such as "invalid_grant": printable ASCII, at most 64 characters
	Description string        // one line, at most 200 characters, "" when there is none
	RetryAfter  time.Duration // how long the service asks to wait, 0 when it does not say
}

// Error names what was being done, the host and the code.
func (e *TokenError) Error() string {
	text := fmt.Sprintf("%s: %s answered %d: %s", e.Op, e.Host, e.Status, e.Code)
	if e.Description != "" {
		text += " (" + e.Description + ")"
	}
	return text
}

// InvalidGrant reports whether the password or the refresh token itself was
// refused. A busy or failing server (429, 5xx) refuses nothing, whatever it
// writes.
func (e *TokenError) InvalidGrant() bool {
	return e.Code == "invalid_grant" && e.Status < 500 && e.Status != http.StatusTooManyRequests
}

// Is matches [ErrServer] and [ErrRateLimited], the refusals that pass.
func (e *TokenError) Is(target error) bool {
	return (target == ErrServer || target == ErrRateLimited) && statusIs(e.Status, target)
}

// BodyError is an answer that is not what the interface promises: an HTML page
// where JSON belongs, a body cut short, a missing field.
type BodyError struct {
	Op, Host    string
	ContentType string // the media type alone, "" when there is none
	Detail      string // what came instead; never the body itself
	Err         error  // io.ErrUnexpectedEOF when the body was cut off, the cause of [Body.Unreadable], or nil
}

// Error names what was being done, the host and what came.
func (e *BodyError) Error() string {
	text := fmt.Sprintf("%s: %s sent %s", e.Op, e.Host, e.Detail)
	if e.ContentType != "" {
		text += " (content type " + e.ContentType + ")"
	}
	return text
}

// Unwrap gives Err: io.ErrUnexpectedEOF for a body that was cut off.
func (e *BodyError) Unwrap() error { return e.Err }

// LimitError is an answer longer than what is read of it.
type LimitError struct {
	Op, Host string
	Limit    int64 // bytes, after decompression
	List     bool  // it was a list, which may be long; no other answer is
}

// Error names what was being done, the host and the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: %s sent more than the limit of %s", e.Op, e.Host, size(e.Limit))
}

func size(bytes int64) string {
	switch {
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// RedirectError is a redirect that was not followed, for a credential goes only
// to the host it is meant for.
type RedirectError struct {
	Op       string
	From, To string // host and port; To is "" when the target cannot be read
	Reason   string
}

// Error names what was being done and both hosts.
func (e *RedirectError) Error() string {
	to := ""
	if e.To != "" {
		to = " to " + e.To
	}
	text := fmt.Sprintf("%s redirects%s, which is not followed: %s", e.From, to, e.Reason)
	if e.Op != "" {
		text = e.Op + ": " + text
	}
	return text
}

// NoDomainError says that the global service knows no primary domain for an
// e-mail address (an empty second value, interface section 2.3).
type NoDomainError struct {
	Email, Host string
}

// Error names the e-mail address and the host.
func (e *NoDomainError) Error() string {
	return fmt.Sprintf("%s: %s knows no primary domain for this user", lookupOp(e.Email), e.Host)
}

// RequestError is a request that was not sent, for it could not have been right.
type RequestError struct {
	Field  string // the name it has in the interface ("userId", "devicetype"), or the setting ("base_url")
	Reason string // completes a sentence that starts with Field: "is missing"
}

// Error names the field and what is wrong with it.
func (e *RequestError) Error() string { return e.Field + " " + e.Reason }
