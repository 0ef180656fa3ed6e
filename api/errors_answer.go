package api

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/text/problem"
)

// StatusError is an answer with a status other than 2xx.
type StatusError struct {
	Op, Host   string
	Status     int
	Credential string        // the scheme of the Authorization header sent, "password" for a device login, or ""
	Message    string        // what the service says, in whatever form: one line of at most 160 characters, or ""
	Omitted    Omission      // why there is no message though the service sent one, or ""
	Page       bool          // it came with an HTML page, which may be of something else than the service
	Renewed    bool          // the access token was issued for this request, after the one before was refused too
	Grant      string        // of a token request: "password" or "refresh_token"
	Ambiguous  []string      // of a token request, as in [TokenError]
	RetryAfter time.Duration // how long the service asks to wait, 0 when it does not say
}

func (e *StatusError) Error() string { return e.Op + ": " + e.Answer() }

// Answer is what came back, without what was tried: "auth.example.com answered 400 (bad request)".
func (e *StatusError) Answer() string {
	text := fmt.Sprintf("%s answered %s", e.Host, StatusText(e.Status))
	switch {
	case e.Status == http.StatusTooManyRequests: // its message says no more
	case e.Message != "" && !repeatsStatus(e.Message, e.Status):
		text += ": " + e.Message
	case e.Omitted != "":
		text += " (its message is " + e.Omitted.String() + ")"
	}
	return text
}

// repeatsStatus reports whether a message says no more than a status: "503 Service Unavailable".
func repeatsStatus(message string, status int) bool {
	words := http.StatusText(status)
	return strings.EqualFold(message, words) || strings.EqualFold(message, strconv.Itoa(status)+" "+words)
}

// Omission says why a text of the service is not shown; "" if it is.
type Omission string

// The omissions.
const (
	RepeatsTyped Omission = "repeats-typed" // it repeats the password
	RepeatsSent  Omission = "repeats-sent"  // it repeats another secret of the request
	LooksSecret  Omission = "looks-secret"  // it has the form of a secret
)

// String is the omission as the end of a sentence: "left out: it repeats what was typed".
func (o Omission) String() string { return "left out: " + o.Reason() }

// Reason is the omission as a clause: "it repeats what was typed".
func (o Omission) Reason() string {
	switch o {
	case RepeatsTyped:
		return "it repeats what was typed"
	case RepeatsSent:
		return "it repeats a secret that was sent"
	case LooksSecret:
		return "it may hold a secret"
	}
	return "the reason is unknown" // of a newer program
}

// StatusText is a status with its name: "429 (too many requests)".
func StatusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("%d (%s)", status, strings.ToLower(text))
	}
	return fmt.Sprint(status)
}

// Reason is why the service refuses, as far as its words say so.
func (e *StatusError) Reason() Reason { return ReasonOf(e.Message) }

// RefusesSignIn reports whether a sign-in was refused without an error of OAuth: nothing but its
// words tells whether the password, the account or the client is the reason.
func (e *StatusError) RefusesSignIn() bool {
	return e.Grant == grantPassword && refusesPerson(e.Status)
}

func (e *StatusError) Explain() problem.Explanation {
	bearer, key := e.Credential == schemeBearer, e.Credential == schemeAPIKey
	switch status := e.Status; {
	case status == http.StatusNetworkAuthenticationRequired:
		return could(e, hintPortal)
	case status == http.StatusTooManyRequests, status >= 500 && e.RetryAfter > 0:
		return could(e, hintWait(e.RetryAfter))
	case e.RefusesSignIn():
		return explainRefusal(e, e.Reason(), hintRefused)
	case status == http.StatusUnauthorized && bearer: // what else was sent, signing in does not help
		explained := signInAgain(e)
		if e.Renewed { // another token would be refused as well
			explained.Hint, explained.Help = hintRenewed, problem.HelpCheckAccount
		}
		if e.Page {
			explained.Hint = hintPage
		}
		return explained
	case status == http.StatusUnauthorized && key:
		return helped(could(e, "Check the API key: to list companies you need a reseller key or a company key."), problem.HelpAPIKey)
	case e.Grant == grantRefresh && e.refusal() == RefusalOfClient, status == http.StatusUnauthorized && e.Credential == "Basic":
		return checkClient(e, e.Ambiguous)
	case status == http.StatusUnauthorized && e.Credential == credentialPassword:
		return could(e, hintPassword)
	case e.Reason().Advice().Next != "":
		return could(e, e.Reason().Advice().Next)
	case status == http.StatusForbidden && bearer: // which decides what may be seen
		return could(e, "The account has no access. Try another domain, or ask an administrator of the domain.")
	case status == http.StatusForbidden && key:
		return could(e, "The API key has no access. Try the key of another reseller or company, or ask an administrator of the domain.")
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return could(e, "Check the URLs of the profile, or ask the operator of the service who may use it.")
	case status >= 500, status == http.StatusRequestTimeout:
		return could(e, hintServer)
	}
	return could(e, "Check the domain, id or e-mail address in the request, and the URLs of the profile.")
}

// TokenError is a refusal of the token endpoint in the form of OAuth 2.0
// (RFC 6749 section 5.2; interface section 4.1 does not show its errors).
type TokenError struct {
	Op, Host    string
	Grant       string // the grant that was refused: "password" or "refresh_token"
	Status      int
	Code        string        // such as "invalid_grant": printable ASCII, at most 64 characters
	Description string        // what the service says beside the code: one line of at most 160 characters, or ""
	Omitted     Omission      // why there is no description though the service sent one, or ""
	RetryAfter  time.Duration // how long the service asks to wait, 0 when it does not say
	NoSecret    bool          // the request had no client secret
	Ambiguous   []string      // signs of the client's id and secret that an authority may read in two ways, see [ClientHint]
}

func (e *TokenError) Error() string { return e.Op + ": " + e.Answer() }

// Answer is what came back, without what was tried: "auth.example.com answered 400: invalid_grant".
func (e *TokenError) Answer() string {
	text := fmt.Sprintf("%s answered %d: %s", e.Host, e.Status, e.Code)
	if e.Description != "" {
		text += " (" + e.Description + ")"
	}
	if e.Omitted != "" {
		text += " (its description is " + e.Omitted.String() + ")"
	}
	return text
}

// InvalidGrant reports whether the password or the refresh token itself was refused. An
// answer with 429 or 5xx never means that, whatever its body says.
func (e *TokenError) InvalidGrant() bool {
	return e.Code == "invalid_grant" && e.Status < 500 && e.Status != http.StatusTooManyRequests
}

// Reason is why the sign-in was refused, as far as the words beside the code say so. The code
// itself may be such a word: "mfa_required".
func (e *TokenError) Reason() Reason {
	if reason := ReasonOf(e.Description); reason != ReasonNone || slices.Contains(registeredCodes, e.Code) {
		return reason
	}
	return ReasonOf(e.Code)
}

// WrongPassword reports whether the address or the password was refused: the service says so, or
// refuses them without any other reason. A bare code beside it is no reason for a person.
func (e *TokenError) WrongPassword() bool {
	switch {
	case e.Status >= 500, e.Status == http.StatusTooManyRequests:
		return false
	case e.Reason() == ReasonCredentials:
		return true
	}
	return e.InvalidGrant() && e.Reason() == ReasonNone && (e.Description == "" || IsBareCode(e.Description))
}

// Explain implements [problem.Explainer]: by the service's own words where they give a reason, or
// else by the error codes of RFC 6749 section 5.2.
func (e *TokenError) Explain() problem.Explanation {
	reason := e.Reason()
	switch {
	case e.Status == http.StatusNetworkAuthenticationRequired:
		return could(e, hintPortal)
	case e.Status == http.StatusTooManyRequests:
		return could(e, hintWait(e.RetryAfter))
	case e.Grant == grantRefresh && e.refusal() == RefusalOfToken:
		return signInAgain(e)
	case e.WrongPassword():
		return could(e, hintPassword)
	case reason.Advice().Next != "":
		return explainRefusal(e, reason, "")
	case e.Status >= 500:
		return could(e, hintServer)
	case e.Code == "invalid_client" && e.NoSecret:
		return helped(could(e, "No client secret is set for this profile."), problem.HelpClientSecret)
	case e.Code == "invalid_client":
		return checkClient(e, e.Ambiguous)
	case e.Code == "unauthorized_client":
		return could(e, "The service knows this profile's client, and does not let it sign people in with a password: ask the operator of the service.")
	case e.Code == "invalid_scope":
		return could(e, "Check the scope of the profile, and ask the operator of the service what this client may do.")
	}
	return could(e, "The service gives its reason in its own words: ask an administrator or the operator of the service about it.")
}

// BodyError is an answer that is not what the interface promises: an HTML page instead of
// JSON, a truncated body, a missing field.
type BodyError struct {
	Op, Host    string
	Status      int      // of HTTP
	ContentType string   // the media type, or ""
	Page        bool     // it is an HTML page, which may come from something else than the service
	Words       string   // the title of the page or its first heading, or what another answer says: one line, or ""
	Omitted     Omission // why there are no words though the answer has some, or ""
	Detail      string   // what was received; never the body itself
	Err         error    // io.ErrUnexpectedEOF if the body was cut off, the syntax error of [Body.Unreadable], or nil
}

func (e *BodyError) Error() string { return e.Op + ": " + e.Answer() }

// Answer is what came back, without what was tried: "auth.example.com sent an empty answer".
func (e *BodyError) Answer() string {
	text := fmt.Sprintf("%s sent %s", e.Host, e.Detail)
	switch {
	case e.Words != "" && e.Page:
		text += ", titled " + strconv.Quote(e.Words)
	case e.Words != "":
		text += ": " + strconv.Quote(e.Words)
	case e.ContentType != "":
		text += " (content type " + e.ContentType + ")"
	}
	return text
}

func (e *BodyError) Unwrap() error { return e.Err }

func (e *BodyError) Explain() problem.Explanation {
	if errors.Is(e.Err, io.ErrUnexpectedEOF) {
		return could(e, hintAgain)
	}
	return could(e, cmp.Or(ReasonOf(e.Words).Advice().Next, hintWrongAnswer))
}

// LimitError is an answer that exceeds the limit.
type LimitError struct {
	Op, Host string
	Limit    int64 // bytes, after decompression
	List     bool  // the answer was a list, which may be long; others are not
}

func (e *LimitError) Error() string { return e.Op + ": " + e.Answer() }

// Answer is what came back, without what was tried.
func (e *LimitError) Answer() string {
	return fmt.Sprintf("%s sent more than the limit of %s", e.Host, size(e.Limit))
}

func (e *LimitError) Explain() problem.Explanation {
	switch {
	case e.List && e.Limit < UnannouncedBodyLimit: // what an operator has set
		return helped(could(e, "The list is longer than this server allows."), problem.HelpLongLists)
	case e.List:
		return could(e, "Choose a shorter list, such as another user's shares.")
	}
	return could(e, hintWrongAnswer)
}

func size(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}
