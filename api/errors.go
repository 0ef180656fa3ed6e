package api

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// TransportError is a request without an answer: no connection, a timeout, a cancelled
// context, an answer that stopped. Err is the cause without the request's URL.
type TransportError struct {
	Op, Host string
	Err      error
	// Unsent means that nothing of the form of a token request has left this program. It is
	// false for other requests.
	Unsent bool
}

func (e *TransportError) Error() string {
	if isNoToken(e.Err) {
		return fmt.Sprintf("%s: %v", e.Op, e.Err) // the text of a token source, such as a session
	}
	return fmt.Sprintf("%s: %s: %s", e.Op, e.Host, e.Reason())
}

// Cause classifies the error.
func (e *TransportError) Cause() Cause {
	cause, _ := explain(e.Err)
	return cause
}

// Reason says why there was no answer, without the operation and the host.
func (e *TransportError) Reason() string {
	_, text := explain(e.Err)
	return text
}

// Unwrap returns the cause, which may wrap the error of the context.
func (e *TransportError) Unwrap() error { return e.Err }

// StatusError is an answer with a status other than 2xx.
type StatusError struct {
	Op, Host   string
	Status     int
	Credential string        // the scheme of the Authorization header sent, "password" for a device login, or ""
	Message    string        // the service's message, one line, or ""
	RetryAfter time.Duration // how long the service asks to wait, 0 when it does not say
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s: %s answered %s", e.Op, e.Host, statusText(e.Status))
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

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
	NoSecret    bool          // the request had no client secret
}

// WantsSecret reports whether the client was refused, and had no secret to prove itself with.
func (e *TokenError) WantsSecret() bool { return e.NoSecret && e.Code == "invalid_client" }

func (e *TokenError) Error() string {
	text := fmt.Sprintf("%s: %s answered %d: %s", e.Op, e.Host, e.Status, e.Code)
	if e.Description != "" {
		text += " (" + e.Description + ")"
	}
	return text
}

// InvalidGrant reports whether the password or the refresh token itself was refused. An
// answer with 429 or 5xx never means that, whatever its body says.
func (e *TokenError) InvalidGrant() bool {
	return e.Code == "invalid_grant" && e.Status < 500 && e.Status != http.StatusTooManyRequests
}

// BodyError is an answer that is not what the interface promises: an HTML page instead of
// JSON, a truncated body, a missing field.
type BodyError struct {
	Op, Host    string
	ContentType string // the media type, or ""
	Detail      string // what was received; never the body itself
	Err         error  // io.ErrUnexpectedEOF if the body was cut off, the syntax error of [Body.Unreadable], or nil
}

func (e *BodyError) Error() string {
	text := fmt.Sprintf("%s: %s sent %s", e.Op, e.Host, e.Detail)
	if e.ContentType != "" {
		text += " (content type " + e.ContentType + ")"
	}
	return text
}

func (e *BodyError) Unwrap() error { return e.Err }

// LimitError is an answer that exceeds the limit.
type LimitError struct {
	Op, Host string
	Limit    int64 // bytes, after decompression
	List     bool  // the answer was a list, which may be long; others are not
}

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

// RedirectError is a redirect that was not followed, as credentials go only to their own
// host.
type RedirectError struct {
	Op       string
	From, To string // host and port; To is "" if the target is invalid
	Reason   string
}

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

// NoDomainError means that the global service knows no primary domain for an e-mail
// address (an empty second value, interface section 2.3).
type NoDomainError struct {
	Email, Host string
}

func (e *NoDomainError) Error() string {
	return fmt.Sprintf("%s: %s has no primary domain for this user", lookupOp(e.Email), e.Host)
}

// RequestError is a request that was not sent because it is invalid.
type RequestError struct {
	Field  string // its name in the interface ("userId", "devicetype"), or the setting ("base_url")
	Reason string // completes a sentence that starts with Field: "is missing"
}

func (e *RequestError) Error() string { return e.Field + " " + e.Reason }
