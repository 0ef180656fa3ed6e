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

// Case is something that a service does wrong, and what has to follow from it.
type Case struct {
	Name  string
	Fault Fault
	Times int        // how often in a row; 0: always
	On    []Endpoint // where it is tried; nil: everywhere
	// Opaque is set where the service does not know the access token of the answer, so
	// that a later request with it fails.
	Opaque bool

	ending Ending
	says   string // part of the sentence
	sends  int    // requests of a call that is repeated; 0: one
	// lost is set where the service has done what it was asked for and its answer did not
	// arrive: a refresh token is spent then.
	lost bool
	slow bool // the call ends at its deadline
	// unexplained is set for a refusal without a reason that a program can read: a renewal is tried
	// once more, and then the session is over.
	unexplained bool
}

// Outcome is what the interface document and the design make of a fault at an
// endpoint.
type Outcome struct {
	Ending Ending
	Says   string // part of the sentence, which names the host as well
	Sent   int    // how many requests go out
	// Partial is set where some of the answer may come, which is shown if it can be.
	Partial bool
	Spent   bool // the refresh token is used up, and nobody has its successor
	Within  time.Duration
}

var (
	tokenCalls   = []Endpoint{PasswordGrant, RefreshGrant}
	gatewayCalls = []Endpoint{Shares, Companies}
	// inJSON are the calls that are answered in JSON.
	inJSON = slices.Concat(tokenCalls, gatewayCalls, []Endpoint{DeviceLogin})
	// repeated are the calls that change nothing (design, rule 4 of section 7).
	repeated = append(gatewayCalls, Lookup)
)

const (
	attempts = 4                // of a repeated call
	inTime   = 30 * time.Second // a whole call but for a long answer, or its first byte
	shortly  = 10 * time.Second // any other call: an answer comes at once, perhaps after some attempts
)

// Want is what follows from the case at an endpoint.
func (c Case) Want(at Endpoint) Outcome {
	o := Outcome{
		Ending: c.ending, Says: c.says, Sent: 1, Within: shortly,
		Spent: c.lost && at == RefreshGrant, Partial: (c.lost || c.slow) && slices.Contains(gatewayCalls, at),
	}
	if c.sends > 0 && slices.Contains(repeated, at) {
		o.Sent = c.sends
	}
	if c.slow {
		o.Within = inTime
	}
	if c.Name == "401" && at == Shares { // with the renewed token, too
		o.Ending, o.Sent = NeedsSignIn, 2
	}
	if c.unexplained && at == RefreshGrant {
		o.Ending, o.Says, o.Sent = Over, sessionEnded, 2
	}
	return o
}

const sessionEnded = "The session has ended"

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

// Cases are all faults, in a fixed order.
func Cases() []Case {
	return slices.Concat(statusCases(), tokenCases(), bodyCases(), connectionCases())
}

func statusCases() []Case {
	cases := []Case{
		{Name: "429 for an hour", Fault: Respond(429, "text/plain", "", "Retry-After", "3600"), says: "429 (too many requests)"},
		{Name: "429 once", Fault: Respond(429, "text/plain", "", "Retry-After", "1"), Times: 1, On: repeated, ending: Works},
		{Name: "401 once", Fault: Respond(401, "", ""), Times: 1, On: []Endpoint{Shares}, ending: Works},
	}
	for status, sends := range map[int]int{400: 1, 401: 1, 403: 1, 404: 1, 408: 1, 500: 1, 429: attempts, 503: attempts} {
		cases = append(cases, Case{
			Name:  fmt.Sprint(status),
			Fault: Respond(status, "text/html", "<h1>Server Error in '/' Application.</h1><pre>at Foo.Bar()</pre>"),
			says:  fmt.Sprintf("answered %d (%s)", status, strings.ToLower(http.StatusText(status))), sends: sends,
		})
	}
	slices.SortFunc(cases, func(a, b Case) int { return strings.Compare(a.Name, b.Name) })
	const elsewhere = "elsewhere.example" // nothing may be sent there
	const to, refused = "://" + elsewhere + "/canary?password=canary", "redirects to " + elsewhere + ", which is not followed"
	return append(cases,
		Case{Name: "302 to http", Fault: Redirect(302, "http"+to), says: refused},
		Case{Name: "307 to https", Fault: Redirect(307, "https"+to), says: refused},
		Case{Name: "308 in a loop", Fault: Redirect(308, ""), On: repeated, says: "too many redirects", sends: 6},
		Case{Name: "308 of what is sent once", Fault: Redirect(308, ""), On: append(tokenCalls, DeviceLogin), says: "never sent a second time"},
	)
}

// oauth is a refusal of the token endpoint (RFC 6749 section 5.2).
func oauth(status int, code string) Fault {
	return Respond(status, "application/json", `{"error":"`+code+`","error_description":"\u001b[31mno\u202e"}`)
}

// tokenCases are refusals, and tokens as no good service issues them. A token is opaque by its
// nature: the session can be used.
func tokenCases() []Case {
	const claims = `{"sub":[1],"primary_domain":"evil.example/x","domains":["a@b",7,null,"\u001b[2J"],"exp":"tomorrow"}`
	return []Case{
		{Name: "a wrong password", Fault: oauth(400, "invalid_grant"), On: []Endpoint{PasswordGrant}, says: "wrong e-mail address or password"},
		{Name: "a refresh token refused", Fault: oauth(400, "invalid_grant"), On: []Endpoint{RefreshGrant}, ending: Over, says: sessionEnded},
		{Name: "a refresh token refused without a word", Fault: Respond(400, "", ""), On: []Endpoint{RefreshGrant}, unexplained: true},
		{Name: "a refresh token refused in other words", Fault: oauth(400, "invalid_request"), On: []Endpoint{RefreshGrant}, unexplained: true},
		{Name: "a refresh token refused in passing", Fault: oauth(503, "invalid_grant"), On: []Endpoint{RefreshGrant}, says: "503"},
		{Name: "a wrong client", Fault: oauth(401, "invalid_client"), On: tokenCalls, says: "invalid_client"},
		{Name: "a wrong scope", Fault: oauth(400, "invalid_scope"), On: tokenCalls, says: "invalid_scope"},
		{Name: "an opaque token", Fault: Token("access_token", `"canary-opaque-access-token"`), On: tokenCalls, Opaque: true, ending: Works},
		{Name: "strange claims", Fault: Token("access_token", `"`+testkit.JWT(claims)+`"`), On: tokenCalls, Opaque: true, ending: Works},
		{Name: "a strange life", Fault: Token("expires_in", "1e400"), On: tokenCalls, ending: Works},
		{Name: "a token of another kind", Fault: Token("token_type", `"mac"`), On: tokenCalls, says: "a token that is not a Bearer token", lost: true},
		{Name: "null", Fault: Respond(200, "application/json", "null"), On: tokenCalls, says: "JSON without an access token"},
	}
}

func bodyCases() []Case {
	const page = `<!DOCTYPE html><title>Sign in to the hotel's network</title>`
	return []Case{
		{Name: "a page", Fault: Respond(200, "text/html; charset=utf-8", page), says: "an HTML page instead of"},
		{Name: "nothing", Fault: Respond(200, "application/json", ""), says: "empty"},
		{Name: "a refusal with words", Fault: Respond(400, "application/json", `{"Message":"No such user.\u001b[31m\u202e"}`),
			On: append(repeated, DeviceLogin), says: "answered 400 (bad request): No such user."},
		{Name: "a refusal in HTTP 200", Fault: Respond(200, "application/json", `{"Data":null,"Message":"Denied access.\u001b[31m","ResponseInfo":{"ResponseCode":0}}`),
			On: gatewayCalls, says: "Denied access."},
		{Name: "a refusal in HTTP 200, with nothing but its code", Fault: Respond(200, "application/json", `{"Data":null,"ResponseInfo":{"ResponseCode":7}}`),
			On: gatewayCalls, says: "response code 7"},
		{Name: "called HTML", Fault: WithMediaType("text/html"), ending: Works},
		{Name: "damaged", Fault: Respond(200, "application/json", `{"access_token":"canary-access"oops`), On: inJSON, says: "JSON"},
		{Name: "all that was sent", Fault: Echo, says: "answered 400", unexplained: true},
		{Name: "cut off", Fault: Cut, says: "cut off after", lost: true},
		{Name: "compressed and damaged", Fault: DamagedGzip, says: "a damaged compressed answer", lost: true},
		{Name: "a bomb", Fault: Bomb, On: append(tokenCalls, Lookup, DeviceLogin), says: "more than the limit of"},
	}
}

func connectionCases() []Case {
	const dropped = "the connection was dropped"
	return []Case{
		{Name: "silence", Fault: Silence, says: "no answer ", slow: true},
		{Name: "a standstill", Fault: Standstill, On: append(tokenCalls, Lookup, DeviceLogin), says: "no answer ", slow: true, lost: true},
		{Name: "a standstill in a list", Fault: Standstill, On: gatewayCalls, says: " arrived ", slow: true},
		{Name: "a reset", Fault: Reset(0), says: dropped, sends: attempts},
		{Name: "a reset in the head", Fault: Reset(len("HTTP/1.1 200 OK\r\n")), says: dropped, sends: attempts, lost: true},
		{Name: "a reset behind the head", Fault: Reset(math.MaxInt), says: "cut off after", lost: true},
		{Name: "a reset, once", Fault: Reset(0), Times: 1, On: repeated, ending: Works},
	}
}
