package problem

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"gatehouse/api"
	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
	"gatehouse/internal/records"
)

// could makes a sentence of an error of package api, whose text is always "op: what came
// back" with a verb first.
func could(err error) string { return "could not " + err.Error() }

// deviceLoginError is the error of a call that has a password in its query.
type deviceLoginError struct{ error }

func (e *deviceLoginError) Unwrap() error { return e.error }

// OfDeviceLogin marks an error of a device login (interface section 4.5): as the request
// has a password, a 401 is about that. It returns nil for nil.
func OfDeviceLogin(err error) error {
	if err == nil {
		return nil
	}
	return &deviceLoginError{err}
}

func describeDeviceLogin(err error) (description, bool) {
	_, marked := errors.AsType[*deviceLoginError](err)
	status, ok := errors.AsType[*api.StatusError](err)
	if !marked || !ok || !errors.Is(status, api.ErrUnauthorized) {
		return description{}, false
	}
	return description{text: could(status), hint: hintPassword}, true
}

// describeRefusal describes refusals by the service, and by the program before a request
// is sent.
func describeRefusal(err error) (description, bool) {
	if e, ok := errors.AsType[*api.TokenError](err); ok {
		return tokenRefusal(e), true
	}
	if e, ok := errors.AsType[*api.StatusError](err); ok {
		return statusRefusal(e), true
	}
	if e, ok := errors.AsType[*api.NoDomainError](err); ok {
		return description{
			text: could(e),
			hint: "Check the address: this is the answer for users that the service does not know.",
		}, true
	}
	if e, ok := errors.AsType[*api.RequestError](err); ok {
		return description{kind: Usage, text: "the request was not sent: " + e.Error()}, true
	}
	return description{}, false
}

// tokenRefusal describes the error codes of RFC 6749 section 5.2.
func tokenRefusal(e *api.TokenError) description {
	p := description{text: could(e)}
	switch {
	case errors.Is(e, api.ErrServer):
		p.hint = hintServer
	case errors.Is(e, api.ErrRateLimited):
		p.hint = hintWait(e.RetryAfter)
	case e.InvalidGrant() && e.Grant == "refresh_token":
		p.kind, p.hint, p.onScreen = SignIn, hintLogin, hintLoginOnScreen
	case e.InvalidGrant():
		p.hint = hintPassword
	case e.WantsSecret():
		p.hint, p.onScreen = hintNoSecret, hintNoSecretOnScreen
	case e.Code == "invalid_client", e.Code == "unauthorized_client":
		p.hint, p.onScreen = hintClient, hintClientOnScreen
	case e.Code == "invalid_scope":
		p.hint = "Check the scope of the profile."
	case e.Grant == "refresh_token":
		p.hint = "Ask the operator of the service whether this client may renew sessions."
	default:
		p.hint = "Ask the operator of the service whether this client may sign in with a password."
	}
	return p
}

func statusRefusal(e *api.StatusError) description {
	p := description{text: could(e)}
	switch {
	case errors.Is(e, api.ErrUnauthorized):
		return unauthorized(e)
	case errors.Is(e, api.ErrForbidden) && hasUserCredential(e):
		p.hint = "This user or key has no access. Try another domain, or ask the administrator of the domain."
	case errors.Is(e, api.ErrForbidden):
		p.hint = hintOperator
	case errors.Is(e, api.ErrNotFound):
		p.hint = "Check the domain and the id, and the URLs of the profile."
	case errors.Is(e, api.ErrRateLimited):
		p.hint = hintWait(e.RetryAfter)
	case errors.Is(e, api.ErrServer):
		p.hint = hintServer
		if e.RetryAfter > 0 {
			p.hint = hintWait(e.RetryAfter)
		}
	case e.Status == http.StatusRequestTimeout:
		p.hint = hintAgain
	case errors.Is(e, api.ErrBadRequest):
		p.hint = "Check the ids and e-mail addresses in the request."
	default:
		p.hint = "Check the URLs of the profile."
	}
	return p
}

// unauthorized describes a 401, by the credential of the request: signing in helps only
// if that was an access token.
func unauthorized(e *api.StatusError) description {
	p := description{text: could(e)}
	switch e.Credential {
	case "Bearer":
		p.kind, p.hint, p.onScreen = SignIn, hintLogin, hintLoginOnScreen
	case "ApiKey":
		p.hint = "Check the API key (GATEHOUSE_API_KEY): companies need a reseller key or a company key."
		p.onScreen = "Check the API key: companies need a reseller key or a company key."
	case "Basic":
		p.hint, p.onScreen = hintClient, hintClientOnScreen
	default:
		p.hint = hintOperator
	}
	return p
}

// hasUserCredential reports whether the request was made with a token or an API key,
// which decide what may be seen.
func hasUserCredential(e *api.StatusError) bool {
	return e.Credential == "Bearer" || e.Credential == "ApiKey"
}

const (
	hintLogin         = "Run `gatehouse login`."
	hintLoginOnScreen = "Sign in again."
	hintPassword      = "Check the e-mail address and the password. Do not try too often: services lock accounts after a few wrong passwords."
	hintClient        = "Check client_id, client_auth and the client secret of the profile: `gatehouse config set-secret client-secret` puts another one into the keyring, and GATEHOUSE_CLIENT_SECRET goes before it."
	hintNoSecret      = "No client secret is set for this profile: run `gatehouse config set-secret client-secret` or, without a keyring, set GATEHOUSE_CLIENT_SECRET."

	hintClientOnScreen   = "Check client_id, client_auth and the client secret (GATEHOUSE_CLIENT_SECRET) of the profile."
	hintNoSecretOnScreen = "No client secret is set for this profile. Keep one in the keyring with `config set-secret client-secret`, or set GATEHOUSE_CLIENT_SECRET; then start again."

	hintOperator    = "Check the URLs of the profile, or ask the operator of the service who may use it."
	hintServer      = "The problem is on the side of the service: try again later."
	hintAgain       = "Try again."
	hintWrongAnswer = "Check the URLs of the profile. A proxy or the sign-in page of a network may be answering instead of the service."
)

func hintWait(d time.Duration) string {
	if d <= 0 {
		return "Wait a minute, then try again."
	}
	return "Wait " + human.InWords(d.Round(time.Second)) + ", then try again."
}

// describeAnswer describes answers that cannot be used.
func describeAnswer(err error) (description, bool) {
	if e, ok := errors.AsType[*api.BodyError](err); ok {
		p := description{text: could(e), hint: hintWrongAnswer}
		if errors.Is(e, io.ErrUnexpectedEOF) {
			p.hint = hintAgain
		}
		return p, true
	}
	if e, ok := errors.AsType[*api.LimitError](err); ok {
		p := description{text: could(e), hint: hintWrongAnswer}
		switch {
		case e.List && e.Limit < api.UnannouncedBodyLimit: // not the program's own, but what an operator has set
			p.hint = "This server reads no longer list. Whoever runs it can allow more with --max-records-memory."
		case e.List:
			p.hint = "Choose a shorter list, such as another user's shares."
		}
		return p, true
	}
	if e, ok := errors.AsType[*api.RedirectError](err); ok {
		return description{
			text: redirect(e),
			hint: "Passwords and keys go only to the hosts of the profile. If the new address is right, put it into the profile.",
		}, true
	}
	if e, ok := errors.AsType[*jsonscan.SyntaxError](err); ok {
		return description{text: "the answer cannot be read: " + e.Error(), hint: hintWrongAnswer}, true
	}
	return description{}, false
}

func redirect(e *api.RedirectError) string {
	if e.Op == "" {
		return e.Error()
	}
	return could(e)
}

// describeList describes lists that cannot be held, or not be passed on.
func describeList(err error) (description, bool) {
	if e, ok := errors.AsType[*records.FullError](err); ok {
		return description{
			text: fmt.Sprintf("there is no memory left for this list: the open lists on this server may take %d MiB together", e.Limit>>20),
			hint: "Try again in a while, or choose a shorter list; a command with -o ndjson needs none of that memory.",
		}, true
	}
	if e, ok := errors.AsType[*records.LongRecordError](err); ok {
		return description{
			text: fmt.Sprintf("a record of the list is longer than %d MiB, which is too long for a line", e.Limit>>20),
			hint: "Use -o json.",
		}, true
	}
	if _, ok := errors.AsType[*records.ShapeError](err); ok {
		return description{
			text: "the answer has more than one list, so that it was not sure in time what its records are",
			hint: "Use -o json.",
		}, true
	}
	return description{}, false
}

// describeTransport describes requests without an answer.
func describeTransport(err error) (description, bool) {
	e, ok := errors.AsType[*api.TransportError](err)
	if !ok {
		return description{}, false
	}
	return description{text: could(e), hint: e.Cause().Hint()}, true
}
