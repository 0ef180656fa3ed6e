package hostile

import (
	"cmp"
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
	want   func(Endpoint) Outcome
}

// Want is what comes of the case at an endpoint.
func (c Case) Want(at Endpoint) Outcome {
	o := c.want(at)
	o.Sent, o.Within = max(o.Sent, 1), cmp.Or(o.Within, shortly)
	return o
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
	shortly  = 10 * time.Second // any other call: an answer comes at once, perhaps after some attempts
)

// elsewhere is a host that nothing may be sent to.
const elsewhere = "elsewhere.example"

// Cases are all faults with what has to come of them, in a fixed order.
func Cases() []Case {
	return slices.Concat(statusCases(), oauthCases(), redirectCases(), bodyCases(), slowCases(), connectionCases(), tokenCases())
}

// works is a call that ends well.
func works(Endpoint) Outcome { return Outcome{Ending: Works} }

// same is one outcome everywhere.
func same(o Outcome) func(Endpoint) Outcome { return func(Endpoint) Outcome { return o } }

// says is a call that fails. After a renewal that did, nothing is lost.
func says(text, next string) func(Endpoint) Outcome { return saysAt(text, next, nil) }

// saysAt is a call that fails with another text at some endpoints.
func saysAt(text, next string, others map[Endpoint]string) func(Endpoint) Outcome {
	return func(at Endpoint) Outcome {
		o := Outcome{Says: cmp.Or(others[at], text), Next: next}
		if at == RefreshGrant {
			o.Next = "Nothing is lost"
		}
		return o
	}
}

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
			want:  func(at Endpoint) Outcome { return refused(status, at) },
		})
	}
	for _, status := range []int{429, 503} {
		cases = append(cases, Case{
			Name:  fmt.Sprint(status),
			Fault: Respond(status, "text/plain", "busy"),
			want:  func(at Endpoint) Outcome { return refused(status, at).patient(at) },
		})
	}
	return append(cases,
		Case{Name: "429 for an hour", Fault: Respond(429, "text/plain", "", "Retry-After", "3600"), want: says("429 (too many requests)", "Wait 1 hour")},
		Case{Name: "429 once", Fault: Respond(429, "text/plain", "", "Retry-After", "1"), Times: 1, On: repeated, want: works},
		Case{Name: "401 once", Fault: Respond(401, "", ""), Times: 1, On: []Endpoint{Shares}, want: works},
	)
}

// refused is what comes of an HTTP status (interface section 7 for 401).
func refused(status int, at Endpoint) Outcome {
	next := "profile"
	switch {
	case status == 401 && at == Companies:
		next = "Check the API key"
	case status == 401 && at == DeviceLogin:
		next = "Check the e-mail address and the password"
	case status == 401 && at == PasswordGrant:
		next = "client_id"
	case status == 403 && slices.Contains(gatewayCalls, at):
		next = "ask the administrator of the domain"
	case status == 403, status == 401:
		next = "operator"
	case status == 408:
		next = "ry again"
	case status == 400:
		next = "Check"
	case status == 429:
		next = "Wait a minute"
	case status >= 500:
		next = "try again later"
	}
	o := says(fmt.Sprintf("answered %d (%s)", status, strings.ToLower(http.StatusText(status))), next)(at)
	if status == 401 && at == Shares { // with the renewed token, too
		o.Ending, o.Next, o.Sent = NeedsSignIn, "", 2
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
			want: same(Outcome{Says: "wrong e-mail address or password", Next: "lock accounts"})},
		{Name: "a refresh token refused", Fault: oauth(400, "invalid_grant"), On: on(RefreshGrant),
			want: same(Outcome{Ending: Over, Says: "The session has ended", Next: ""})},
		{Name: "a refresh token refused in passing", Fault: oauth(503, "invalid_grant"), On: on(RefreshGrant),
			want: same(Outcome{Says: "503", Next: "Nothing is lost"})},
		{Name: "a wrong client", Fault: oauth(401, "invalid_client"), On: tokenCalls,
			want: same(Outcome{Says: "invalid_client", Next: "GATEHOUSE_CLIENT_SECRET"})},
		{Name: "a wrong scope", Fault: oauth(400, "invalid_scope"), On: tokenCalls,
			want: same(Outcome{Says: "invalid_scope", Next: "scope of the profile"})},
	}
}

func redirectCases() []Case {
	const to, refused = "://" + elsewhere + "/canary?password=canary", "redirects to " + elsewhere + ", which is not followed"
	return []Case{
		{Name: "302 to http", Fault: Redirect(302, "http"+to), want: says(refused, "profile")},
		{Name: "307 to https", Fault: Redirect(307, "https"+to), want: says(refused, "profile")},
		{Name: "308 in a loop", Fault: Redirect(308, ""), want: func(at Endpoint) Outcome {
			if slices.Contains(repeated, at) {
				return Outcome{Says: "too many redirects", Next: "profile", Sent: 6}
			}
			return says("never sent a second time", "profile")(at)
		}},
	}
}

// strange is the hint at an answer that cannot be used.
const strange = "instead of the service"

var (
	html = saysAt("an HTML page instead of JSON", strange, map[Endpoint]string{
		Lookup: "an HTML page instead of an e-mail address and a domain",
	})
	empty = saysAt("an empty answer", strange, map[Endpoint]string{
		Shares: "the body is empty", Companies: "the body is empty",
	})
	broken = saysAt("incomplete or invalid JSON", strange, map[Endpoint]string{
		Lookup: "something other than an e-mail address and a domain", DeviceLogin: "something that is not JSON",
		Shares: "not valid JSON", Companies: "not valid JSON",
	})
	tooLong = saysAt("more than the limit of 1 MiB", strange, map[Endpoint]string{
		Lookup: "more than the limit of 64 KiB", DeviceLogin: "more than the limit of 16 MiB",
	})
	cutOff = says("cut off after", "ry again") // the rest of the answer is missing
)

func bodyCases() []Case {
	const page = `<!DOCTYPE html><title>Sign in to the hotel's network</title>`
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	return []Case{
		{Name: "a page", Fault: Respond(200, "text/html; charset=utf-8", page), want: html},
		{Name: "nothing", Fault: Respond(200, "application/json", ""), want: empty},
		{Name: "a refusal with words", Fault: Respond(400, "application/json", `{"Message":"No such user.\u001b[31m\u202e"}`),
			On: slices.Concat(gatewayCalls, others), want: says("answered 400 (bad request): No such user.", "Check")},
		{Name: "called HTML", Fault: WithMediaType("text/html"), want: works},
		{Name: "null", Fault: Respond(200, "application/json", "null"), On: tokenCalls, want: says("JSON without an access token", strange)},
		{Name: "a text", Fault: Respond(200, "application/json", `"x"`), On: []Endpoint{DeviceLogin}, want: says("JSON that is not an object", strange)},
		{Name: "damaged", Fault: Respond(200, "application/json", `{"access_token":"canary-access"oops`), want: broken},
		{Name: "20,000 levels", Fault: Respond(200, "application/json", deep), On: gatewayCalls, want: says("levels of nesting", strange)},
		{Name: "all that was sent", Fault: Echo, want: same(Outcome{Says: "answered 400", Next: " "})},
		{Name: "cut off", Fault: Cut, want: lost(cutOff)},
		{Name: "longer than it says", Fault: Miscounted(-20), want: lost(broken)},
		{Name: "compressed and damaged", Fault: DamagedGzip, want: lost(says("a damaged compressed answer", strange))},
		{Name: "a bomb", Fault: Bomb, On: small, want: tooLong},
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

func slowCases() []Case {
	late := func(text string) func(Endpoint) Outcome {
		return func(at Endpoint) Outcome {
			// Both deadlines of a short answer end at the same time.
			o := saysAt("no answer ", "ry again", map[Endpoint]string{Shares: text, Companies: text})(at)
			o.Within, o.Partial = inTime, slices.Contains(gatewayCalls, at)
			return o
		}
	}
	return []Case{
		{Name: "silence", Fault: Silence, want: late("no answer ")},
		{Name: "a standstill", Fault: Standstill, want: lost(late(" arrived "))},
	}
}

func connectionCases() []Case {
	dropped := func(at Endpoint) Outcome { return says("the connection was dropped", "network")(at).patient(at) }
	return []Case{
		{Name: "a reset", Fault: Reset(0), want: dropped},
		{Name: "a reset in the head", Fault: Reset(len("HTTP/1.1 200 OK\r\n")), want: lost(dropped)},
		{Name: "a reset behind the head", Fault: Reset(math.MaxInt), want: lost(cutOff)},
		{Name: "a reset, once", Fault: Reset(0), Times: 1, On: repeated, want: works},
	}
}

// tokenCases are tokens as no good service issues them. A token is opaque by its nature: the
// session can be used.
func tokenCases() []Case {
	const claims = `{"sub":[1],"primary_domain":"evil.example/x","domains":["a@b",7,null,"\u001b[2J"],"exp":"tomorrow"}`
	return []Case{
		{Name: "an opaque token", Fault: Token("access_token", `"canary-opaque-access-token"`), On: tokenCalls, Opaque: true, want: works},
		{Name: "strange claims", Fault: Token("access_token", `"`+testkit.JWT(claims)+`"`), On: tokenCalls, Opaque: true, want: works},
		{Name: "a strange life", Fault: Token("expires_in", "1e400"), On: tokenCalls, want: works},
		{Name: "a token of another kind", Fault: Token("token_type", `"mac"`), On: tokenCalls,
			want: lost(says("a token that is not a Bearer token", strange))},
	}
}
