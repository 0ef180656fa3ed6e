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

// Ending is how a call ends in which the service did something wrong.
type Ending int

// The endings. Fails and Works leave the session as it was.
const (
	Fails       Ending = iota // exit code 1
	Works                     // the answer can be used nevertheless
	NeedsSignIn               // exit code 3
	Over                      // exit code 3, and the session has ended
)

// Case is something that a service does wrong, with what must follow from it.
type Case struct {
	Name  string
	Fault Fault
	Times int        // how often in a row; 0 for always
	On    []Endpoint // where it is tried; nil for everywhere
	// Opaque means that the answer has an access token that the service does not know, so that a
	// later request with it fails.
	Opaque bool

	ending Ending
	says   string // a part of the sentence for people
	sends  int    // requests of a call that can be repeated; 0 for one
	// signIn means that the service refuses the access token, even after a renewal.
	signIn bool
	// lost means that the service has done what it was asked for, but its answer did not arrive. A
	// refresh token is then spent.
	lost bool
	slow bool // the call ends at its deadline
	// unexplained means that a refusal has no reason that a program can read. A renewal is tried
	// once more, and then the session has ended.
	unexplained bool
}

// Outcome is what must follow from a fault at an endpoint, by the interface document and the
// design.
type Outcome struct {
	Ending Ending
	Says   string // a part of the sentence for people, which names the host as well
	Sent   int    // requests that are sent
	// Partial means that a part of the answer may arrive, which is shown if it can be.
	Partial bool
	// Spent means that the refresh token is used, and nobody has the next one.
	Spent  bool
	Within time.Duration // how long the call may take
}

var (
	tokenCalls   = []Endpoint{PasswordGrant, RefreshGrant}
	gatewayCalls = []Endpoint{Shares, Companies}
	// inJSON are the calls that are answered in JSON.
	inJSON = slices.Concat(tokenCalls, gatewayCalls, []Endpoint{DeviceLogin})
	// repeated are the calls that change nothing, so that they can be sent again.
	repeated = append(gatewayCalls, Lookup)
)

const (
	// attempts is how often a call that can be repeated is sent.
	attempts = 4
	// inTime is the deadline of a call, or of the first byte of a long answer.
	inTime = 30 * time.Second
	// shortly is how long a call takes that is answered at once, perhaps after some attempts.
	shortly = 10 * time.Second
	// withRedirects is how many requests a call is that is redirected as often as is followed.
	withRedirects = 1 + 5
	// withRenewal is how many requests a call is that is sent again after a renewal.
	withRenewal = 2
	// withRetry is how many requests a renewal is that is tried once more.
	withRetry = 2
)

// Want is what must follow from the case at an endpoint.
func (c Case) Want(at Endpoint) Outcome {
	isOfGateway := slices.Contains(gatewayCalls, at)
	o := Outcome{
		Ending:  c.ending,
		Says:    c.says,
		Sent:    1,
		Partial: (c.lost || c.slow) && isOfGateway,
		Spent:   c.lost && at == RefreshGrant,
		Within:  shortly,
	}
	if c.sends > 0 && slices.Contains(repeated, at) {
		o.Sent = c.sends
	}
	if c.slow {
		o.Within = inTime
	}
	if c.signIn && at == Shares {
		o.Ending, o.Sent = NeedsSignIn, withRenewal
	}
	if c.unexplained && at == RefreshGrant {
		o.Ending, o.Says, o.Sent = Over, sessionEnded, withRetry
	}
	return o
}

// sessionEnded is the beginning of the sentence for a session that has ended.
const sessionEnded = "The session has ended"

// Once is the outcome for a call that is never repeated, and after which a 401 asks nobody to sign
// in.
func (o Outcome) Once() Outcome {
	if o.Sent == attempts || o.Ending == NeedsSignIn {
		o.Sent = 1
	}
	if o.Ending == NeedsSignIn {
		o.Ending = Fails
	}
	return o
}

// Cases are all faults, in a fixed order.
func Cases() []Case {
	return slices.Concat(statusCases(), tokenCases(), bodyCases(), connectionCases())
}

// statusCases are answers with a status that says that something is wrong, and redirects.
func statusCases() []Case {
	const page = "<h1>Server Error in '/' Application.</h1><pre>at Foo.Bar()</pre>"
	cases := []Case{
		{
			Name:  "429 for an hour",
			Fault: Respond(429, "text/plain", "", "Retry-After", "3600"),
			says:  "429 (too many requests)",
		},
		{
			Name:   "429 once",
			Fault:  Respond(429, "text/plain", "", "Retry-After", "1"),
			Times:  1,
			On:     repeated,
			ending: Works,
		},
		{
			Name:   "401 once",
			Fault:  Respond(401, "", ""),
			Times:  1,
			On:     []Endpoint{Shares},
			ending: Works,
		},
	}
	for status, sends := range map[int]int{
		400: 1, 401: 1, 403: 1, 404: 1, 408: 1, 500: 1,
		429: attempts, 503: attempts,
	} {
		words := strings.ToLower(http.StatusText(status))
		cases = append(cases, Case{
			Name:   fmt.Sprint(status),
			Fault:  Respond(status, "text/html", page),
			says:   fmt.Sprintf("answered %d (%s)", status, words),
			sends:  sends,
			signIn: status == http.StatusUnauthorized,
		})
	}
	slices.SortFunc(cases, func(a, b Case) int { return strings.Compare(a.Name, b.Name) })
	const (
		elsewhere = "elsewhere.example" // nothing may be sent there
		to        = "://" + elsewhere + "/canary?password=canary"
		refused   = "redirects to " + elsewhere + ", which is not followed"
	)
	return append(cases,
		Case{Name: "302 to http", Fault: Redirect(302, "http"+to), says: refused},
		Case{Name: "307 to https", Fault: Redirect(307, "https"+to), says: refused},
		Case{
			Name:  "308 in a loop",
			Fault: Redirect(308, ""),
			On:    repeated,
			says:  "too many redirects",
			sends: withRedirects,
		},
		Case{
			Name:  "308 of what is sent once",
			Fault: Redirect(308, ""),
			On:    append(tokenCalls, DeviceLogin),
			says:  "never sent a second time",
		},
	)
}

// oauth is a refusal of the token endpoint (RFC 6749 section 5.2).
func oauth(status int, code string) Fault {
	const refusal = `{"error":%q,"error_description":"\u001b[31mno\u202e"}`
	return Respond(status, "application/json", fmt.Sprintf(refusal, code))
}

// tokenCases are refusals of the token endpoint, and tokens that no good service issues. Clients
// need not be able to read a token, so a session can be used with a strange one.
func tokenCases() []Case {
	const claims = `{"sub":[1],"primary_domain":"evil.example/x",` +
		`"domains":["a@b",7,null,"\u001b[2J"],"exp":"tomorrow"}`
	return []Case{
		{
			Name:  "a wrong password",
			Fault: oauth(400, "invalid_grant"),
			On:    []Endpoint{PasswordGrant},
			says:  "wrong e-mail address or password",
		},
		{
			Name:   "a refresh token refused",
			Fault:  oauth(400, "invalid_grant"),
			On:     []Endpoint{RefreshGrant},
			ending: Over,
			says:   sessionEnded,
		},
		{
			Name:        "a refresh token refused without a word",
			Fault:       Respond(400, "", ""),
			On:          []Endpoint{RefreshGrant},
			unexplained: true,
		},
		{
			Name:        "a refresh token refused in other words",
			Fault:       oauth(400, "invalid_request"),
			On:          []Endpoint{RefreshGrant},
			unexplained: true,
		},
		{
			Name:  "a refresh token refused in passing",
			Fault: oauth(503, "invalid_grant"),
			On:    []Endpoint{RefreshGrant},
			says:  "503",
		},
		{
			Name:  "a wrong client",
			Fault: oauth(401, "invalid_client"),
			On:    tokenCalls,
			says:  "invalid_client",
		},
		{
			Name:  "a wrong scope",
			Fault: oauth(400, "invalid_scope"),
			On:    tokenCalls,
			says:  "invalid_scope",
		},
		{
			Name:   "an opaque token",
			Fault:  Token("access_token", `"canary-opaque-access-token"`),
			On:     tokenCalls,
			Opaque: true,
			ending: Works,
		},
		{
			Name:   "strange claims",
			Fault:  Token("access_token", `"`+testkit.JWT(claims)+`"`),
			On:     tokenCalls,
			Opaque: true,
			ending: Works,
		},
		{
			Name:   "a strange life",
			Fault:  Token("expires_in", "1e400"),
			On:     tokenCalls,
			ending: Works,
		},
		{
			Name:  "a token of another kind",
			Fault: Token("token_type", `"mac"`),
			On:    tokenCalls,
			says:  "a token that is not a Bearer token",
			lost:  true,
		},
		{
			Name:  "null",
			Fault: Respond(200, "application/json", "null"),
			On:    tokenCalls,
			says:  "JSON without an access token",
		},
	}
}

// bodyCases are answers whose bodies cannot be used, or only just.
func bodyCases() []Case {
	const (
		page   = `<!DOCTYPE html><title>Sign in to the hotel's network</title>`
		denied = `{"Data":null,"Message":"Denied access.\u001b[31m",` +
			`"ResponseInfo":{"ResponseCode":0}}`
		codeAlone = `{"Data":null,"ResponseInfo":{"ResponseCode":7}}`
	)
	return []Case{
		{
			Name:  "a page",
			Fault: Respond(200, "text/html; charset=utf-8", page),
			says:  "an HTML page instead of",
		},
		{Name: "nothing", Fault: Respond(200, "application/json", ""), says: "empty"},
		{
			Name:  "a refusal with words",
			Fault: Respond(400, "application/json", `{"Message":"No such user.\u001b[31m\u202e"}`),
			On:    append(repeated, DeviceLogin),
			says:  "answered 400 (bad request): No such user.",
		},
		{
			Name:  "a refusal in HTTP 200",
			Fault: Respond(200, "application/json", denied),
			On:    gatewayCalls,
			says:  "Denied access.",
		},
		{
			Name:  "a refusal in HTTP 200, with nothing but its code",
			Fault: Respond(200, "application/json", codeAlone),
			On:    gatewayCalls,
			says:  "response code 7",
		},
		{Name: "called HTML", Fault: WithMediaType("text/html"), ending: Works},
		{
			Name:  "damaged",
			Fault: Respond(200, "application/json", `{"access_token":"canary-access"oops`),
			On:    inJSON,
			says:  "JSON",
		},
		{Name: "all that was sent", Fault: Echo, says: "answered 400", unexplained: true},
		{Name: "cut off", Fault: Cut, says: "cut off after", lost: true},
		{
			Name:  "compressed and damaged",
			Fault: DamagedGzip,
			says:  "a damaged compressed answer",
			lost:  true,
		},
		{
			Name:  "a bomb",
			Fault: Bomb,
			On:    append(tokenCalls, Lookup, DeviceLogin),
			says:  "more than the limit of",
		},
	}
}

// connectionCases are connections that end early, or on which nothing arrives.
func connectionCases() []Case {
	const dropped = "the connection was dropped"
	return []Case{
		{Name: "silence", Fault: Silence, says: "no answer ", slow: true},
		{
			Name:  "a standstill",
			Fault: Standstill,
			On:    append(tokenCalls, Lookup, DeviceLogin),
			says:  "no answer ",
			slow:  true,
			lost:  true,
		},
		{
			Name:  "a standstill in a list",
			Fault: Standstill,
			On:    gatewayCalls,
			says:  " arrived ",
			slow:  true,
		},
		{Name: "a reset", Fault: Reset(0), says: dropped, sends: attempts},
		{
			Name:  "a reset in the head",
			Fault: Reset(len("HTTP/1.1 200 OK\r\n")),
			says:  dropped,
			sends: attempts,
			lost:  true,
		},
		{
			Name:  "a reset behind the head",
			Fault: Reset(math.MaxInt),
			says:  "cut off after",
			lost:  true,
		},
		{Name: "a reset, once", Fault: Reset(0), Times: 1, On: repeated, ending: Works},
	}
}
