package api

import (
	"errors"
	"io"
	"net/http"
	"time"

	"gatehouse/internal/human"
	"gatehouse/internal/problem"
)

const (
	hintPassword = "Check the e-mail address and the password. Do not keep trying: services lock accounts after a few wrong passwords."

	hintOperator    = "Check the URLs of the profile, or ask the operator of the service who may use it."
	hintServer      = "The problem is on the service's side: try again later."
	hintAgain       = "Try again."
	hintWrongAnswer = "Check the URLs of the profile. A proxy or the sign-in page of a network may be answering instead of the service."
)

// could explains an error whose text is "op: what came back", with a verb first.
func could(err error, hint string) problem.Explanation {
	return problem.Explanation{Text: "could not " + err.Error(), Hint: hint}
}

// signInAgain explains an error that only signing in helps against.
func signInAgain(err error) problem.Explanation {
	return problem.Explanation{Kind: problem.SignIn, Text: "could not " + err.Error(), Hint: "Run `gatehouse login`.", OnScreen: "Sign in again."}
}

// checkClient explains a refusal of the client.
func checkClient(err error) problem.Explanation {
	e := could(err, "Check client_id, client_auth and the client secret of the profile: `gatehouse config set-secret client-secret` replaces the secret in the keyring; GATEHOUSE_CLIENT_SECRET takes precedence.")
	e.OnScreen = "Check client_id, client_auth and the client secret (GATEHOUSE_CLIENT_SECRET) of the profile."
	return e
}

func hintWait(d time.Duration) string {
	if d <= 0 {
		return "Wait a minute, then try again."
	}
	return "Wait " + human.InWords(d.Round(time.Second)) + ", then try again."
}

func (e *TransportError) Explain() problem.Explanation {
	if isNoToken(e.Err) {
		return problem.Explain(e.Err)
	}
	return could(e, e.Cause().Hint())
}

// Explain implements [problem.Explainer], by the error codes of RFC 6749 section 5.2.
func (e *TokenError) Explain() problem.Explanation {
	switch {
	case e.Status >= 500:
		return could(e, hintServer)
	case e.Status == http.StatusTooManyRequests:
		return could(e, hintWait(e.RetryAfter))
	case e.InvalidGrant() && e.Grant == grantRefresh:
		return signInAgain(e)
	case e.InvalidGrant():
		return could(e, hintPassword)
	case e.WantsSecret():
		p := could(e, "No client secret is set for this profile: run `gatehouse config set-secret client-secret` or, without a keyring, set GATEHOUSE_CLIENT_SECRET.")
		p.OnScreen = "No client secret is set for this profile. Keep one in the keyring with `config set-secret client-secret`, or set GATEHOUSE_CLIENT_SECRET; then start again."
		return p
	case e.Code == "invalid_client", e.Code == "unauthorized_client":
		return checkClient(e)
	case e.Code == "invalid_scope":
		return could(e, "Check the scope of the profile.")
	case e.Grant == grantRefresh:
		return could(e, "Ask the operator of the service whether this client may renew sessions.")
	}
	return could(e, "Ask the operator of the service whether this client may sign in with a password.")
}

func (e *StatusError) Explain() problem.Explanation {
	ofUser := e.Credential == schemeBearer || e.Credential == schemeAPIKey // which decides what may be seen
	switch {
	case e.Status == http.StatusUnauthorized:
		return e.unauthorized()
	case e.Status == http.StatusForbidden && ofUser:
		return could(e, "This user or key has no access. Try another domain, or ask the administrator of the domain.")
	case e.Status == http.StatusForbidden:
		return could(e, hintOperator)
	case e.Status == http.StatusNotFound:
		return could(e, "Check the domain and the id, and the URLs of the profile.")
	case e.Status == http.StatusTooManyRequests, e.Status >= 500 && e.RetryAfter > 0:
		return could(e, hintWait(e.RetryAfter))
	case e.Status >= 500:
		return could(e, hintServer)
	case e.Status == http.StatusRequestTimeout:
		return could(e, hintAgain)
	case e.Status == http.StatusBadRequest:
		return could(e, "Check the ids and e-mail addresses in the request.")
	}
	return could(e, "Check the URLs of the profile.")
}

// unauthorized explains a 401 by the credential of the request: signing in helps only if
// that was an access token.
func (e *StatusError) unauthorized() problem.Explanation {
	switch e.Credential {
	case schemeBearer:
		return signInAgain(e)
	case schemeAPIKey:
		p := could(e, "Check the API key (GATEHOUSE_API_KEY): companies need a reseller key or a company key.")
		p.OnScreen = "Check the API key: companies need a reseller key or a company key."
		return p
	case "Basic":
		return checkClient(e)
	case credentialPassword:
		return could(e, hintPassword)
	}
	return could(e, hintOperator)
}

func (e *BodyError) Explain() problem.Explanation {
	if errors.Is(e.Err, io.ErrUnexpectedEOF) {
		return could(e, hintAgain)
	}
	return could(e, hintWrongAnswer)
}

func (e *LimitError) Explain() problem.Explanation {
	switch {
	case e.List && e.Limit < UnannouncedBodyLimit: // what an operator has set
		return could(e, "The list is longer than this server allows. Its operator can raise --max-records-memory.")
	case e.List:
		return could(e, "Choose a shorter list, such as another user's shares.")
	}
	return could(e, hintWrongAnswer)
}

func (e *RedirectError) Explain() problem.Explanation {
	p := could(e, "Passwords and keys go only to the hosts of the profile. If the new address is right, put it into the profile.")
	if e.Op == "" {
		p.Text = e.Error()
	}
	return p
}

func (e *NoDomainError) Explain() problem.Explanation {
	return could(e, "Check the address: the service gives this answer for unknown users.")
}

func (e *RequestError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: "the request was not sent: " + e.Error()}
}
