package hostile

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/testkit"
)

// Ending is how a call ends that met a fault.
type Ending int

// The endings. Whatever ends in Fails or Works leaves the session as it was.
const (
	Fails       Ending = iota // exit code 1
	Works                     // the answer can be used all the same
	NeedsSignIn               // exit code 3
	Over                      // exit code 3, and the session is over
)

// Case is something that a service does wrong.
type Case struct {
	Name  string
	Fault Fault
	Times int        // how often in a row; 0: always
	On    []Endpoint // where it is tried; nil: everywhere
	// Opaque is set where the service does not know the access token of the answer, so
	// that a later request with it fails.
	Opaque bool
	Want   func(Endpoint) Outcome
}

// Outcome is what the interface document and the design make of a fault at an
// endpoint.
type Outcome struct {
	Ending Ending
	Says   string // part of the sentence, which names the host as well
	Next   string // part of the hint
	Sent   int    // how many requests go out
	// Partial is set where some of the answer may come, which is shown if it can be.
	Partial bool
	Spent   bool // the refresh token is used up, and nobody has its successor
	Within  time.Duration
}

var (
	tokenCalls   = []Endpoint{PasswordGrant, RefreshGrant}
	gatewayCalls = []Endpoint{Shares, Companies}
	others       = []Endpoint{Lookup, DeviceLogin}
	small        = slices.Concat(tokenCalls, others) // whose answers are small
)

// repeated are the calls that change nothing (design, rule 4 of section 7).
var repeated = append(gatewayCalls, Lookup)

const (
	attempts = 4                // of a repeated call
	inTime   = 30 * time.Second // a whole call but for a long answer, or its first byte
	shortly  = 10 * time.Second // an answer comes at once, perhaps after some attempts
)

// elsewhere is a host that nothing may be sent to.
const elsewhere = "elsewhere.example"

// Cases are all faults with what has to come of them, in a fixed order.
func Cases() []Case {
	return slices.Concat(statusCases(), oauthCases(), redirectCases(), bodyCases(), slowCases(), connectionCases(), tokenCases())
}

// works is a call that ends well.
var works = Outcome{Ending: Works, Sent: 1, Within: shortly}

// same is one outcome everywhere.
func same(o Outcome) func(Endpoint) Outcome { return func(Endpoint) Outcome { return o } }

// Once is an outcome where the first answer counts, and a 401 calls nobody to the
// sign-in.
func (o Outcome) Once() Outcome {
	if o.Sent == attempts || o.Ending == NeedsSignIn {
		o.Sent = 1
	}
	if o.Ending == NeedsSignIn {
		o.Ending = Fails
	}
	return o
}

// patient makes of an outcome the one of a fault that a repetition may cure.
func (o Outcome) patient(at Endpoint) Outcome {
	o.Sent = 1
	if slices.Contains(repeated, at) {
		o.Sent = attempts
	}
	return o
}

func statusCases() []Case {
	var cases []Case
	for _, status := range []int{400, 401, 403, 404, 408, 500} {
		cases = append(cases, Case{
			Name:  fmt.Sprint(status),
			Fault: Respond(status, "text/html", "<h1>Server Error in '/' Application.</h1><pre>at Foo.Bar()</pre>"),
			Want:  func(at Endpoint) Outcome { return refused(status, at) },
		})
	}
	for _, status := range []int{429, 503} {
		cases = append(cases, Case{
			Name:  fmt.Sprint(status),
			Fault: Respond(status, "text/plain", "busy"),
			Want:  func(at Endpoint) Outcome { return refused(status, at).patient(at) },
		})
	}
	return append(cases,
		Case{Name: "429 for an hour", Fault: Respond(429, "text/plain", "", "Retry-After", "3600"), Want: func(at Endpoint) Outcome {
			return delayed(at, Outcome{Says: "429 (too many requests)", Next: "Wait 1 hour", Sent: 1, Within: shortly})
		}},
		Case{Name: "429 once", Fault: Respond(429, "text/plain", "", "Retry-After", "1"), Times: 1, On: repeated, Want: same(works)},
		Case{Name: "401 once", Fault: Respond(401, "", ""), Times: 1, On: []Endpoint{Shares}, Want: same(works)},
	)
}

// refused is what comes of an HTTP status (interface section 7 for 401).
func refused(status int, at Endpoint) Outcome {
	o := Outcome{
		Says: fmt.Sprintf("answered %d (%s)", status, strings.ToLower(http.StatusText(status))),
		Next: "profile", Sent: 1, Within: shortly,
	}
	switch {
	case status == 401 && at == Shares: // with the renewed token, too
		o.Ending, o.Next, o.Sent = NeedsSignIn, "", 2
	case status == 401 && at == Companies:
		o.Next = "Check the API key"
	case status == 401 && at == DeviceLogin:
		o.Next = "Check the e-mail address and the password"
	case status == 401 && at == PasswordGrant:
		o.Next = "client_id"
	case status == 403 && slices.Contains(gatewayCalls, at):
		o.Next = "ask the administrator of the domain"
	case status == 403, status == 401:
		o.Next = "operator"
	case status == 408:
		o.Next = "ry again"
	case status == 400:
		o.Next = "Check"
	case status == 429:
		o.Next = "Wait a minute"
	case status >= 500:
		o.Next = "try again later"
	}
	return delayed(at, o)
}

// delayed is an outcome as a renewal has it, after which nothing is lost.
func delayed(at Endpoint, o Outcome) Outcome {
	if at == RefreshGrant {
		o.Next = "Nothing is lost"
	}
	return o
}

// oauth is a refusal of the token endpoint (RFC 6749 section 5.2).
func oauth(status int, code string) Fault {
	return Respond(status, "application/json", `{"error":"`+code+`","error_description":"\u001b[31mno\u202e"}`)
}

func oauthCases() []Case {
	on := func(at Endpoint) []Endpoint { return []Endpoint{at} }
	return []Case{
		{Name: "a wrong password", Fault: oauth(400, "invalid_grant"), On: on(PasswordGrant),
			Want: same(Outcome{Says: "wrong e-mail address or password", Next: "lock accounts", Sent: 1, Within: shortly})},
		{Name: "a refresh token refused", Fault: oauth(400, "invalid_grant"), On: on(RefreshGrant),
			Want: same(Outcome{Ending: Over, Says: "The session has ended", Next: "", Sent: 1, Within: shortly})},
		{Name: "a refresh token refused in passing", Fault: oauth(503, "invalid_grant"), On: on(RefreshGrant),
			Want: same(Outcome{Says: "503", Next: "Nothing is lost", Sent: 1, Within: shortly})},
		{Name: "a wrong client", Fault: oauth(401, "invalid_client"), On: tokenCalls,
			Want: same(Outcome{Says: "invalid_client", Next: "GATEHOUSE_CLIENT_SECRET", Sent: 1, Within: shortly})},
		{Name: "a wrong scope", Fault: oauth(400, "invalid_scope"), On: tokenCalls,
			Want: same(Outcome{Says: "invalid_scope", Next: "scope of the profile", Sent: 1, Within: shortly})},
	}
}

func redirectCases() []Case {
	var cases []Case
	for status, scheme := range map[int]string{302: "http", 307: "https"} {
		cases = append(cases, Case{
			Name:  fmt.Sprintf("%d to %s", status, scheme),
			Fault: Redirect(status, scheme+"://"+elsewhere+"/canary?password=canary"),
			Want: func(at Endpoint) Outcome {
				return delayed(at, Outcome{Says: "redirects to " + elsewhere + ", which is not followed", Next: "profile", Sent: 1, Within: shortly})
			},
		})
	}
	return append(cases, Case{Name: "308 in a loop", Fault: Redirect(308, ""), Want: func(at Endpoint) Outcome {
		if slices.Contains(repeated, at) {
			return Outcome{Says: "too many redirects", Next: "profile", Sent: 6, Within: shortly}
		}
		return delayed(at, Outcome{Says: "never sent a second time", Next: "profile", Sent: 1, Within: shortly})
	}})
}

// strange is an answer that cannot be used, and what is said of it.
func strange(at Endpoint, says string) Outcome {
	return delayed(at, Outcome{Says: says, Next: "instead of the service", Sent: 1, Within: shortly})
}

func bodyCases() []Case {
	says := func(text string) func(Endpoint) Outcome {
		return func(at Endpoint) Outcome { return strange(at, text) }
	}
	const page = `<!DOCTYPE html><title>Sign in to the hotel's network</title>`
	broken := func(at Endpoint) Outcome {
		switch at {
		case Lookup:
			return strange(at, "something other than an e-mail address and a domain")
		case Shares, Companies:
			return strange(at, "not valid JSON")
		case DeviceLogin:
			return strange(at, "something that is not JSON")
		}
		return strange(at, "incomplete or invalid JSON")
	}
	empty := func(at Endpoint) Outcome {
		if slices.Contains(gatewayCalls, at) {
			return strange(at, "the body is empty")
		}
		return strange(at, "an empty answer")
	}
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	limit := map[Endpoint]string{
		PasswordGrant: "1 MiB", RefreshGrant: "1 MiB", Lookup: "64 KiB", DeviceLogin: "16 MiB",
	}
	tooLong := func(at Endpoint) Outcome { return strange(at, "more than the limit of "+limit[at]) }
	html := func(at Endpoint) Outcome {
		if at == Lookup {
			return strange(at, "an HTML page instead of an e-mail address and a domain")
		}
		return strange(at, "an HTML page instead of JSON")
	}
	return []Case{
		{Name: "a page", Fault: Respond(200, "text/html; charset=utf-8", page), Want: html},
		{Name: "nothing", Fault: Respond(200, "application/json", ""), Want: empty},
		{Name: "a refusal with words", Fault: Respond(400, "application/json", `{"Message":"No such user.\u001b[31m\u202e"}`),
			On: slices.Concat(gatewayCalls, others), Want: same(Outcome{Says: "answered 400 (bad request): No such user.", Next: "Check", Sent: 1, Within: shortly})},
		{Name: "called HTML", Fault: WithMediaType("text/html"), Want: same(works)},
		{Name: "null", Fault: Respond(200, "application/json", "null"), On: tokenCalls, Want: says("JSON without an access token")},
		{Name: "a text", Fault: Respond(200, "application/json", `"x"`), On: []Endpoint{DeviceLogin}, Want: says("JSON that is not an object")},
		{Name: "damaged", Fault: Respond(200, "application/json", `{"access_token":"canary-access"oops`), Want: broken},
		{Name: "20,000 levels", Fault: Respond(200, "application/json", deep), On: gatewayCalls, Want: says("levels of nesting")},
		{Name: "all that was sent", Fault: Echo, Want: same(Outcome{Says: "answered 400", Next: " ", Sent: 1, Within: shortly})},
		{Name: "cut off", Fault: Cut, Want: lost(cutOff)},
		{Name: "longer than it says", Fault: Miscounted(-20), Want: lost(broken)},
		{Name: "compressed and damaged", Fault: DamagedGzip, Want: lost(says("a damaged compressed answer"))},
		{Name: "a bomb", Fault: Bomb, On: small, Want: tooLong},
	}
}

// lost is an outcome where the service has done what it was asked for, and its
// answer did not arrive: a refresh token is spent then.
func lost(want func(Endpoint) Outcome) func(Endpoint) Outcome {
	return func(at Endpoint) Outcome {
		o := want(at)
		o.Spent = at == RefreshGrant
		o.Partial = slices.Contains(gatewayCalls, at)
		return o
	}
}

// cutOff is what comes of an answer of which the rest is missing.
func cutOff(at Endpoint) Outcome {
	return delayed(at, Outcome{Says: "cut off after", Next: "ry again", Sent: 1, Within: shortly})
}

func slowCases() []Case {
	late := func(says string) func(Endpoint) Outcome {
		return func(at Endpoint) Outcome {
			// Both deadlines of a short answer end at the same time.
			o := Outcome{Says: "no answer ", Next: "ry again", Sent: 1, Within: inTime}
			if slices.Contains(gatewayCalls, at) {
				o.Says, o.Partial = says, true
			}
			return delayed(at, o)
		}
	}
	return []Case{
		{Name: "silence", Fault: Silence, Want: late("no answer ")},
		{Name: "a standstill", Fault: Standstill, Want: lost(late(" arrived "))},
	}
}

func connectionCases() []Case {
	dropped := func(at Endpoint) Outcome {
		return delayed(at, Outcome{Says: "the connection was dropped", Next: "network", Within: shortly}.patient(at))
	}
	return []Case{
		{Name: "a reset", Fault: Reset(0), Want: dropped},
		{Name: "a reset in the head", Fault: Reset(len("HTTP/1.1 200 OK\r\n")), Want: lost(dropped)},
		{Name: "a reset behind the head", Fault: Reset(math.MaxInt), Want: lost(cutOff)},
		{Name: "a reset, once", Fault: Reset(0), Times: 1, On: repeated, Want: same(works)},
	}
}

// tokenCases are tokens as no good service issues them. A token is opaque by its nature: the
// session can be used.
func tokenCases() []Case {
	const claims = `{"sub":[1],"primary_domain":"evil.example/x","domains":["a@b",7,null,"\u001b[2J"],"exp":"tomorrow"}`
	return []Case{
		{Name: "an opaque token", Fault: Token("access_token", `"canary-opaque-access-token"`), On: tokenCalls, Opaque: true, Want: same(works)},
		{Name: "strange claims", Fault: Token("access_token", `"`+testkit.JWT(claims)+`"`), On: tokenCalls, Opaque: true, Want: same(works)},
		{Name: "a strange life", Fault: Token("expires_in", "1e400"), On: tokenCalls, Want: same(works)},
		{Name: "a token of another kind", Fault: Token("token_type", `"mac"`), On: tokenCalls,
			Want: lost(func(at Endpoint) Outcome { return strange(at, "a token that is not a Bearer token") })},
	}
}
