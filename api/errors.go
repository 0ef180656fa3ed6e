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

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/redact"
)

// TransportError is a request without an answer: no connection, a timeout, a cancelled
// context, an answer that stopped. Err is the cause without the request's URL.
type TransportError struct {
	Op, Host string
	Err      error
	// Unsent means that nothing of the credential of a token request or a device login has left
	// this program. It is false for other requests.
	Unsent bool
	// Way is how far the request came. It may be that of another request, as of a renewal that
	// this one needed.
	Way Way
}

// MayHaveActed reports whether the service may have carried out a token request or a device login
// that failed with err. It has not where nothing was sent or it said no. Where something else may
// have answered in its place, nobody knows.
func MayHaveActed(err error) bool {
	var (
		transport *TransportError
		status    *StatusError
		refusal   *TokenError
		request   *RequestError
		redirect  *RedirectError
		kept      *GateError
	)
	switch {
	case errors.As(err, &transport):
		return !transport.Unsent
	case errors.As(err, &status):
		return status.Status >= 500
	case errors.As(err, &refusal):
		return isWithoutAnswer(refusal.Status)
	}
	return !errors.As(err, &request) && !errors.As(err, &redirect) && !errors.As(err, &kept)
}

// isWithoutAnswer reports whether a status says that a gateway got no answer from the service.
func isWithoutAnswer(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusGatewayTimeout
}

func (e *TransportError) Error() string { return e.Op + ": " + e.Answer() }

// Answer is what came in place of an answer, without what was tried: "auth.example.com: the
// connection was refused".
func (e *TransportError) Answer() string {
	if isNoToken(e.Err) {
		return e.Err.Error() // the text of a token source, such as a session
	}
	return e.Host + e.Way.through() + ": " + e.Reason()
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

// Brief is the reason without what it tells of other hosts: the names in a refused certificate, and
// the words of a proxy. It is for people who may not know them.
func (e *TransportError) Brief() string {
	switch {
	case e.Way.Certificate != nil:
		return e.Way.Certificate.brief()
	case e.Cause() == CauseProxy:
		return causes[CauseProxy].text
	}
	return e.Reason()
}

// Unwrap returns the cause, which may wrap the error of the context.
func (e *TransportError) Unwrap() error { return e.Err }

func (e *TransportError) Explain() problem.Explanation {
	if isNoToken(e.Err) {
		return problem.Explain(e.Err)
	}
	return helped(could(e, e.hint()), e.help())
}

// help is what helps, beside the hint.
func (e *TransportError) help() problem.Help {
	switch cause := e.Cause(); {
	case cause == CausePrivate:
		return problem.HelpPrivateHosts
	case e.Way.Certificate != nil && e.Way.Certificate.cause() == CauseAuthority, cause == CauseAuthority:
		return problem.HelpTrustCA
	}
	return problem.HelpNone
}

// hint is what to do about it, as far as the way says more than the cause.
func (e *TransportError) hint() string {
	switch cause := e.Cause(); {
	case e.Way.Certificate != nil:
		return e.Way.Certificate.Hint()
	case cause == CauseProxy && e.Way.Proxy != nil:
		return cmp.Or(proxyHints[e.Way.Proxy.Status], cause.Hint())
	case cause == CauseTimeout && e.Way.Stage == StageName:
		return "Nothing reached the service. Check the network: a firewall may drop connections, or a proxy may be needed (HTTPS_PROXY)."
	default:
		return cause.Hint()
	}
}

// proxyHints are what to do about a proxy that answered with a status.
var proxyHints = map[int]string{
	http.StatusProxyAuthRequired: "Nothing reached the service. The proxy asks for a user name and a password: put them into HTTPS_PROXY, " +
		"or ask the administrator of the proxy.",
	http.StatusBadGateway:                    hintProxyWay,
	http.StatusServiceUnavailable:            hintProxyWay,
	http.StatusGatewayTimeout:                hintProxyWay,
	http.StatusNetworkAuthenticationRequired: hintPortal,
}

// StatusError is an answer with a status other than 2xx.
type StatusError struct {
	Op, Host   string
	Status     int
	Credential string        // the scheme of the Authorization header sent, "password" for a device login, or ""
	Message    string        // what the service says, in whatever form: one line of at most 160 characters, or ""
	Omitted    Omission      // why there is no message though the service sent one, or ""
	Page       bool          // it came with an HTML page, which may be of something else than the service
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

// RedirectError is a redirect that was not followed, as credentials go only to their own
// host.
type RedirectError struct {
	Op       string
	From, To string // host and port; To is "" if the target is invalid
	Path     string // of the target, without its query; "" if it is invalid or not to be shown
	Kind     RedirectKind
}

// RedirectKind is why a redirect was not followed.
type RedirectKind uint8

// The kinds of redirects that are not followed.
const (
	RedirectElsewhere RedirectKind = iota // to another host or port
	RedirectWithin                        // within the host, of a request that is never sent a second time
	RedirectToHTTP                        // from https to http
	RedirectInvalid                       // its target is not a valid address
	RedirectWithUser                      // its target contains a user name
	RedirectTooOften                      // after others
)

// redirectReasons complete "which is not followed: ...".
var redirectReasons = [...]string{
	RedirectElsewhere: "it leads to another host",
	RedirectWithin:    "this request is never sent a second time",
	RedirectToHTTP:    "it switches to http",
	RedirectInvalid:   "its target is not a valid address",
	RedirectWithUser:  "it contains a user name",
	RedirectTooOften:  "too many redirects",
}

// Target is where a redirect leads, as people read it: the path of one within the host, and the scheme
// of one that gives up encryption; "" if it is not known.
func (e *RedirectError) Target() string {
	switch {
	case e.Kind == RedirectWithin && e.Path != "":
		return e.Path
	case e.Kind == RedirectToHTTP && e.To != "":
		return "http://" + e.To
	}
	return e.To
}

func (e *RedirectError) Error() string { return e.Op + ": " + e.Answer() }

// Answer is what came back, without what was tried.
func (e *RedirectError) Answer() string {
	to := ""
	if target := e.Target(); target != "" {
		to = " to " + target
	}
	return fmt.Sprintf("%s redirects%s, which is not followed: %s", e.From, to, redirectReasons[e.Kind])
}

func (e *RedirectError) Explain() problem.Explanation {
	switch e.Kind {
	case RedirectToHTTP:
		return could(e, "Passwords and keys are sent only over https. Ask the operator of the service to redirect to https, or not at all.")
	case RedirectWithin:
		return could(e, "Check the URLs of the profile. The service may want people to sign in on a page of its own: ask its operator.")
	}
	return could(e, "Passwords and keys go only to the hosts of the profile. If the new address is right, put it into the profile. "+
		"It may also be the sign-in page of this network: open a page in a browser.")
}

// NoDomainError means that the global service knows no primary domain for an e-mail
// address (an empty second value, interface section 2.3).
type NoDomainError struct {
	Email, Host string
}

func (e *NoDomainError) Error() string {
	return fmt.Sprintf("%s: %s has no primary domain for this user", lookupOp(e.Email), e.Host)
}

func (e *NoDomainError) Explain() problem.Explanation {
	return could(e, "Check the address: the service gives this answer for unknown users.")
}

// NotDomainError means that the global service names as the primary domain what is no host name,
// such as a URL.
type NotDomainError struct {
	Email, Host string
	Value       string // as it came
}

func (e *NotDomainError) Error() string {
	return fmt.Sprintf("%s: %s names %q, which is no domain name", lookupOp(e.Email), e.Host, redact.OneLine(e.Value, maxWords))
}

func (e *NotDomainError) Explain() problem.Explanation {
	return could(e, "Nothing was sent to it. Report the value to the operator of the service.")
}

// OtherAddressError means that the global service answered about another e-mail address than the
// one that was asked about, such as the one that an alias belongs to.
type OtherAddressError struct {
	Op, Host         string
	Answered, Domain string // of the answer, as they came; Domain may be ""
}

func (e *OtherAddressError) Error() string {
	return fmt.Sprintf("%s: %s answered for another e-mail address, %s", e.Op, e.Host, redact.OneLine(e.Answered, maxWords))
}

func (e *OtherAddressError) Explain() problem.Explanation {
	return could(e, "Try "+redact.OneLine(e.Answered, maxWords)+": the address may be an alias of that one.")
}

// EnvelopeError is a refusal in an answer with a success of HTTP, which says so in its body. The
// interface does not show the body of a list (section 4.2).
type EnvelopeError struct {
	Op, Host string
	Code     string   // the response code as it was sent, "" for none; 1 is success where such codes were seen
	Message  string   // what the service says, or ""
	Omitted  Omission // why there is no message though the service sent one, or ""
}

func (e *EnvelopeError) Error() string {
	text := e.Op + ": " + e.Host + " refused it"
	if e.Code != "" {
		text += " with the response code " + e.Code
	}
	switch {
	case e.Message != "":
		text += ": " + e.Message
	case e.Omitted != "":
		text += "; what it adds is " + e.Omitted.String()
	}
	return text
}

// Reason is why the service refuses, as far as its words say so.
func (e *EnvelopeError) Reason() Reason { return ReasonOf(e.Message) }

func (e *EnvelopeError) Explain() problem.Explanation {
	return could(e, cmp.Or(e.Reason().Advice().Next, "Try another domain, or ask an administrator of the domain."))
}

// RequestError is a request that was not sent because it is invalid.
type RequestError struct {
	Field  string // its name in the interface ("userId", "devicetype"), or the setting ("base_url")
	Reason string // completes a sentence that starts with Field: "is missing"
}

func (e *RequestError) Error() string { return e.Field + " " + e.Reason }

func (e *RequestError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: "the request was not sent: " + e.Error()}
}

const (
	hintPassword    = "Check the e-mail address and the password. Do not keep trying: many services lock an account after a few wrong passwords."
	hintRefused     = "The service gives no reason that programs know: the password, a locked account, or this profile's client. Do not keep trying: many services lock an account after a few wrong passwords."
	hintServer      = "The problem is on the service's side: try again later."
	hintPortal      = "This network asks for a sign-in: open a page in a browser, sign in there, then try again."
	hintProxyWay    = "Nothing reached the service. The proxy could not reach the host: check the URLs of the profile, and NO_PROXY for hosts that need no proxy; ask the administrator of the proxy."
	hintPage        = "The answer is a page, which a proxy or the sign-in page of a network may have sent in place of the service."
	hintAgain       = "Try again."
	hintWrongAnswer = "Check the URLs of the profile. A proxy or the sign-in page of a network may be answering instead of the service."
)

// explainRefusal explains a refused sign-in by the reason that the service gives, or else as
// otherwise says.
func explainRefusal(err error, reason Reason, otherwise string) problem.Explanation {
	if reason == ReasonCredentials {
		return could(err, hintPassword)
	}
	return could(err, cmp.Or(reason.Advice().Next, otherwise))
}

// could explains an error whose text is "op: what came back", with a verb first.
func could(err error, hint string) problem.Explanation {
	return problem.Explanation{Text: "could not " + err.Error(), Hint: hint}
}

// helped is an explanation with what helps.
func helped(e problem.Explanation, help problem.Help) problem.Explanation {
	e.Help = help
	return e
}

// signInAgain explains an error that only signing in helps against.
func signInAgain(err error) problem.Explanation {
	return problem.Explanation{Kind: problem.SignIn, Text: "could not " + err.Error(), Help: problem.HelpSignIn}
}

// checkClient explains a refusal of the client.
func checkClient(err error, ambiguous []string) problem.Explanation {
	return helped(could(err, ClientHint(ambiguous)), problem.HelpCheckClient)
}

// ClientHint is what to do about a refused client whose id or secret has these ambiguous signs, in
// sentences. RFC 6749 (section 2.3.1) has client and authority encode what they put into the
// Authorization header as in a form; the interface does not (section 4.1). With such a sign the two
// sides may mean different credentials, and in the form they cannot.
func ClientHint(ambiguous []string) string {
	const check = "Check client_id, client_auth and the client secret of the profile."
	if len(ambiguous) == 0 {
		return check
	}
	return check + " They have " + human.List(ambiguous) + ", which some authorities read differently in a header: " +
		`if the values are right, set client_auth = "body".`
}

func hintWait(d time.Duration) string {
	if d <= 0 {
		return "Wait a minute, then try again."
	}
	return "Wait " + human.InWords(d.Round(time.Second)) + ", then try again."
}
