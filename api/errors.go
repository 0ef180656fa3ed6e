package api

import (
	"cmp"
	"time"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
)

const (
	hintPassword    = "Check the e-mail address and the password. Do not keep trying: many services lock an account after a few wrong passwords."
	hintRefused     = "The service gives no reason that programs know: the password, a locked account, or this profile's client. Do not keep trying: many services lock an account after a few wrong passwords."
	hintServer      = "The problem is on the service's side: try again later."
	hintPortal      = "This network asks for a sign-in: open a page in a browser, sign in there, then try again."
	hintProxyWay    = "Nothing reached the service. The proxy could not reach the host: check the URLs of the profile, and NO_PROXY for hosts that need no proxy; ask the administrator of the proxy."
	hintPage        = "The answer is a page, which a proxy or the sign-in page of a network may have sent in place of the service."
	hintRenewed     = "The access token was renewed for this request, and refused again: the cause is the gateway or the authority, or the account has no access."
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
