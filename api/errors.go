package api

import (
	"cmp"
	"time"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
)

const (
	hintLocks = " Do not keep trying: many services lock an account after a few wrong passwords."

	hintPassword = "Check the e-mail address and the password. If they are right, the account may be" +
		" locked." + hintLocks
	hintRefused = "The service gives no reason that programs know: the password, a locked account," +
		" or this profile's client." + hintLocks
	hintServer = "The problem is on the service's side: try again later."
	hintPortal = "This network asks for a sign-in: open a page in a browser, sign in there," +
		" then try again."
	hintProxyWay = "Nothing reached the service. The proxy could not reach the host: check the URLs" +
		" of the profile, and NO_PROXY for hosts that need no proxy; ask the administrator of the proxy."
	hintPage = "The answer is a page, which a proxy or the sign-in page of a network may have sent" +
		" in place of the service."
	hintNewToken = "The access token was issued just now, and another one would be refused as well:" +
		" the cause is the gateway or the authority, or the account has no access."
	hintByPage = "The service may have refused it, or something in between, such as a filter or a" +
		" proxy: try another network, or ask the operator of the service."
	hintNoEndpoint = "Nothing takes sign-ins at this address: check the URLs of the profile, or ask" +
		" the operator of the authority."
	hintNotFound = "Ask an administrator of the domain about what the service says, or check the URLs" +
		" of the profile."
	hintNoGrant = "The service knows this profile's client, and does not let it sign people in" +
		" with a password: ask the operator of the service."
	hintOtherToken = "Ask the operator of the authority to give the client of this profile Bearer tokens."
	hintNoToken    = "Check the URLs of the profile. If they are right, report it to the operator of the" +
		" authority."
	hintAgain       = "Try again."
	hintWrongAnswer = "Check the URLs of the profile. A proxy or the sign-in page of a network may" +
		" be answering instead of the service."
)

// explainRefusal explains a refused sign-in, with the advice for the reason that the service gives.
// If there is none, the hint is otherwise.
func explainRefusal(err error, reason Reason, otherwise string) problem.Explanation {
	if reason == ReasonCredentials {
		return could(err, hintPassword)
	}
	return could(err, cmp.Or(reason.Advice().Next, otherwise))
}

// could explains an error whose text begins with the verb of the attempt, such as "sign in: ...":
// it becomes "could not sign in: ...".
func could(err error, hint string) problem.Explanation {
	return problem.Explanation{Text: "could not " + err.Error(), Hint: hint}
}

// helped returns an explanation with help added.
func helped(e problem.Explanation, help problem.Help) problem.Explanation {
	e.Help = help
	return e
}

// signInAgain explains an error after which the user has to sign in again.
func signInAgain(err error) problem.Explanation {
	return problem.Explanation{
		Kind: problem.SignIn,
		Text: "could not " + err.Error(),
		Help: problem.HelpSignIn,
	}
}

// checkClient explains a refusal of the client. See [ClientHint] for ambiguous.
func checkClient(err error, ambiguous []string) problem.Explanation {
	return helped(could(err, ClientHint(ambiguous)), problem.HelpCheckClient)
}

// ClientHint says in sentences what to do about a refused client. ambiguous are the signs in its id
// or secret that client and authority may read differently: RFC 6749 (section 2.3.1) encodes the
// credentials in an Authorization header like a form, the interface (section 4.1) does not. In the
// body there is no such difference.
func ClientHint(ambiguous []string) string {
	const check = "Check client_id, client_auth and the client secret of the profile."
	if len(ambiguous) == 0 {
		return check
	}
	return check + " They have " + human.List(ambiguous) +
		", which some authorities read differently in a header: " +
		`if the values are right, set client_auth = "body".`
}

// hintWait says how long to wait. d is what the service asks for, or 0.
func hintWait(d time.Duration) string {
	if d <= 0 {
		return "Wait a minute, then try again."
	}
	return "Wait " + human.InWords(d.Round(time.Second)) + ", then try again."
}
