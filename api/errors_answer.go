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
	Op, Host string
	Status   int
	// Credential is the scheme of the Authorization header that was sent, "password" for a device
	// login, or "".
	Credential string
	// Message is what the service says, in whatever form: one line of at most 160 characters, or "".
	Message string
	Omitted Omission // why the message of the service is left out, or ""
	Page    bool     // the body is an HTML page, which may not come from the service
	// NewToken means that the access token was issued just now, by a sign-in or a renewal: another one
	// would be refused as well.
	NewToken   bool
	Grant      string        // of a token request: "password" or "refresh_token"
	Ambiguous  []string      // of a token request, as in [TokenError]
	RetryAfter time.Duration // how long the service asks to wait; 0 if it does not say
}

func (e *StatusError) Error() string { return e.Op + ": " + e.Answer() }

// Answer says what came back without what was tried: "auth.example.com answered 400 (bad request)".
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
	numbered := strconv.Itoa(status) + " " + words
	return strings.EqualFold(message, words) || strings.EqualFold(message, numbered)
}

// Omission says why a text of the service is not shown. It is "" for a text that is shown.
type Omission string

// The omissions.
const (
	RepeatsTyped Omission = "repeats-typed" // it repeats the password
	RepeatsSent  Omission = "repeats-sent"  // it repeats another secret of the request
	LooksSecret  Omission = "looks-secret"  // it has the form of a secret
)

// String returns the omission as the end of a sentence: "left out: it repeats what was typed".
func (o Omission) String() string { return "left out: " + o.Reason() }

// Reason returns the omission as a clause: "it repeats what was typed".
func (o Omission) Reason() string {
	switch o {
	case RepeatsTyped:
		return "it repeats what was typed"
	case RepeatsSent:
		return "it repeats a secret that was sent"
	case LooksSecret:
		return "it may hold a secret"
	}
	return "the reason is unknown" // it was read from a file of a newer program
}

// StatusText returns a status with its name: "429 (too many requests)".
func StatusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("%d (%s)", status, strings.ToLower(text))
	}
	return fmt.Sprint(status)
}

// Reason returns why the service refuses, as far as its words say so, or else its status: 431 has
// one meaning (RFC 6585 section 5).
func (e *StatusError) Reason() Reason {
	reason := ReasonOf(e.Message)
	if reason == ReasonNone && e.Status == http.StatusRequestHeaderFieldsTooLarge {
		return ReasonTooLarge
	}
	return reason
}

// RefusesSignIn reports whether a sign-in was refused without an error code of OAuth. Only the words
// of the answer can then tell whether the password, the account or the client is the reason.
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
	case e.RefusesSignIn() && e.Page && e.Reason() == ReasonNone:
		return could(e, hintByPage)
	case e.RefusesSignIn():
		return explainRefusal(e, e.Reason(), hintRefused)
	case status == http.StatusUnauthorized && bearer: // no other credential comes from signing in
		explained := signInAgain(e)
		if e.NewToken { // signing in again would not help
			explained.Hint, explained.Help = hintNewToken, problem.HelpCheckAccount
		}
		if e.Page {
			explained.Hint = hintPage
		}
		return explained
	case status == http.StatusUnauthorized && key:
		return helped(could(e, "Check the API key: to list companies you need a reseller key"+
			" or a company key."), problem.HelpAPIKey)
	case e.Grant == grantRefresh && e.refusal() == RefusalOfClient,
		status == http.StatusUnauthorized && e.Credential == "Basic":
		return checkClient(e, e.Ambiguous)
	case status == http.StatusUnauthorized && e.Credential == credentialPassword:
		return could(e, hintPassword)
	case e.Reason().Advice().Next != "":
		return could(e, e.Reason().Advice().Next)
	case e.Grant != "" && isMissing(status):
		return could(e, hintNoEndpoint)
	case e.Page && refusesPerson(status):
		return could(e, hintByPage)
	case status == http.StatusForbidden && bearer: // the account decides what may be seen
		return could(e, "The account has no access. Try another domain,"+
			" or ask an administrator of the domain.")
	case status == http.StatusForbidden && key:
		return could(e, "The API key has no access. Try the key of another reseller or company,"+
			" or ask an administrator of the domain.")
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return could(e, "Check the URLs of the profile,"+
			" or ask the operator of the service who may use it.")
	case status >= 500, status == http.StatusRequestTimeout:
		return could(e, hintServer)
	}
	if bearer && forPeople(e.Message) != "" && !e.Page {
		return could(e, hintNotFound)
	}
	return could(e, "Check the domain, id or e-mail address in the request,"+
		" and the URLs of the profile.")
}

// TokenError is a refusal of the token endpoint in the form of OAuth 2.0
// (RFC 6749 section 5.2; interface section 4.1 does not show its errors).
type TokenError struct {
	Op, Host string
	Grant    string // the grant that was refused: "password" or "refresh_token"
	Status   int
	Code     string // such as "invalid_grant": printable ASCII, at most 64 characters
	// Description is what the service says beside the code: one line of at most 160 characters,
	// or "".
	Description string
	Omitted     Omission      // why the description of the service is left out, or ""
	RetryAfter  time.Duration // how long the service asks to wait; 0 if it does not say
	NoSecret    bool          // the request had no client secret
	Ambiguous   []string      // signs in the client's id and secret, see [ClientHint]
}

func (e *TokenError) Error() string { return e.Op + ": " + e.Answer() }

// Answer says what came back without what was tried: "auth.example.com answered 400: invalid_grant".
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

// Reason returns why the sign-in was refused, as far as the description says so, or else a code that
// RFC 6749 does not have, such as "mfa_required".
func (e *TokenError) Reason() Reason {
	reason := ReasonOf(e.Description)
	if reason != ReasonNone || slices.Contains(registeredCodes, e.Code) {
		return reason
	}
	return ReasonOf(e.Code)
}

// WrongPassword reports whether the address or the password was refused: either the service says so,
// or it gives no reason that is meant for people.
func (e *TokenError) WrongPassword() bool {
	switch {
	case e.Status >= 500, e.Status == http.StatusTooManyRequests:
		return false
	case e.Reason() == ReasonCredentials:
		return true
	}
	givesNoReason := e.Description == "" || IsBareCode(e.Description)
	return e.InvalidGrant() && e.Reason() == ReasonNone && givesNoReason
}

// said is what the service says beside the code, if that can be read to a person.
func (e *TokenError) said() string { return forPeople(e.Description) }

// Explain implements [problem.Explainer]. The reason in the service's own words comes before the
// error codes of RFC 6749 section 5.2.
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
	case e.Code == "unauthorized_client", e.Code == "unsupported_grant_type":
		return could(e, hintNoGrant)
	case e.Code == "invalid_scope":
		return could(e, "Check the scope of the profile,"+
			" and ask the operator of the service what this client may do.")
	}
	if e.said() == "" {
		return could(e, hintRefused)
	}
	return could(e, "The service gives its reason in its own words:"+
		" ask an administrator or the operator of the service about it.")
}

// TokenFault is why an answer of a token endpoint, in JSON as it should be, brings no token that can
// be used.
type TokenFault uint8

// The faults.
const (
	TokenUnknown     TokenFault = iota // it is no answer of a token endpoint
	TokenMissing                       // it has no access token
	TokenOfOtherType                   // the token is no Bearer token
)

// BodyError is an answer that is not what the interface promises: an HTML page instead of
// JSON, a truncated body, a missing field.
type BodyError struct {
	Op, Host    string
	Status      int    // of HTTP
	ContentType string // the media type, or ""
	Page        bool   // the body is an HTML page, which may not come from the service
	// Words are the title or the first heading of a page, or what another answer says to people:
	// one line, or "".
	Words   string
	Omitted Omission // why the words of the answer are left out, or ""
	NoList  bool     // it is a message, where a list was asked for
	Token   TokenFault
	// TokenType is the type of the token as it came, where Token is [TokenOfOtherType]; it may be "".
	TokenType string
	Detail    string // what was received, but never the body itself
	// Err is io.ErrUnexpectedEOF if the body was cut off, the syntax error of [Body.Unreadable], or
	// nil.
	Err error
}

func (e *BodyError) Error() string { return e.Op + ": " + e.Answer() }

// Answer says what came back without what was tried: "auth.example.com sent an empty answer".
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
	return could(e, cmp.Or(ReasonOf(e.Words).Advice().Next, e.hint()))
}

// hint is what to do about an answer whose words give no reason. Something else than the service may
// have sent a page.
func (e *BodyError) hint() string {
	switch {
	case e.NoList:
		return "Ask an administrator of the domain about what the service says."
	case e.Token == TokenOfOtherType:
		return hintOtherToken
	case e.Token == TokenMissing:
		return hintNoToken
	}
	return hintWrongAnswer
}

// LimitError means that an answer exceeds the limit.
type LimitError struct {
	Op, Host string
	Limit    int64 // bytes, after decompression
	List     bool  // the answer is a list, which may rightly be long
}

func (e *LimitError) Error() string { return e.Op + ": " + e.Answer() }

// Answer says what came back without what was tried.
func (e *LimitError) Answer() string {
	return fmt.Sprintf("%s sent more than the limit of %s", e.Host, size(e.Limit))
}

func (e *LimitError) Explain() problem.Explanation {
	switch {
	case e.List && e.Limit < UnannouncedBodyLimit: // the operator of a server has set this limit
		return helped(could(e, "The list is longer than this server allows."), problem.HelpLongLists)
	case e.List:
		return could(e, "Choose a shorter list, such as another user's shares.")
	}
	return could(e, hintWrongAnswer)
}

// size writes a limit, which is a multiple of 1 KiB, as people set it: "512 KiB", "416 MiB".
func size(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}
