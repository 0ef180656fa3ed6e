package api

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/text/problem"
)

// What helps depends on who was refused, and by what.
func TestTheAdviceForARefusalFitsWhatWasSent(t *testing.T) {
	bearer := func(e StatusError) *StatusError { e.Credential = schemeBearer; return &e }
	key := func(e StatusError) *StatusError { e.Credential = schemeAPIKey; return &e }
	for name, tt := range map[string]struct {
		of   *StatusError
		hint string
		help problem.Help
	}{
		"a token":                  {bearer(StatusError{Status: 401}), "", problem.HelpSignIn},
		"a token just issued":      {bearer(StatusError{Status: 401, NewToken: true}), hintNewToken, problem.HelpCheckAccount},
		"a token, with a page":     {bearer(StatusError{Status: 401, Page: true}), hintPage, problem.HelpSignIn},
		"a key":                    {key(StatusError{Status: 401}), "Check the API key", problem.HelpAPIKey},
		"a client":                 {&StatusError{Status: 401, Credential: "Basic"}, checkClient(&StatusError{}, nil).Hint, 0},
		"a password":               {&StatusError{Status: 401, Credential: credentialPassword}, hintPassword, 0},
		"nothing":                  {&StatusError{Status: 401}, "Check the URLs of the profile", 0},
		"an account":               {bearer(StatusError{Status: 403}), "The account has no access", 0},
		"the account of a key":     {key(StatusError{Status: 403}), "The API key has no access", 0},
		"nobody":                   {&StatusError{Status: 403}, "Check the URLs of the profile", 0},
		"a sign-in":                {&StatusError{Status: 400, Grant: grantPassword}, hintRefused, 0},
		"a failing service":        {&StatusError{Status: 500}, hintServer, 0},
		"one that names a time":    {&StatusError{Status: 500, RetryAfter: 7 * time.Second}, hintWait(7 * time.Second), 0},
		"too many":                 {&StatusError{Status: 429}, hintWait(0), 0},
		"too many, to come back":   {&StatusError{Status: 429, RetryAfter: time.Minute}, hintWait(time.Minute), 0},
		"a time, and no such user": {&StatusError{Status: 404, RetryAfter: time.Minute}, "Check the domain, id or e-mail address", 0},
		"a portal":                 {&StatusError{Status: http.StatusNetworkAuthenticationRequired}, hintPortal, 0},
		"a sign-in, by a page":     {&StatusError{Status: 400, Grant: grantPassword, Page: true}, hintByPage, 0},
		"a sign-in, by a page that says why": {
			&StatusError{Status: 400, Grant: grantPassword, Page: true, Message: "Account is locked"},
			ReasonLocked.Advice().Next, 0,
		},
		"a renewal, of its client": {&StatusError{Status: 401, Grant: grantRefresh}, ClientHint(nil), problem.HelpCheckClient},
		"a renewal":                {&StatusError{Status: 403, Grant: grantRefresh}, "Check the URLs of the profile", 0},
		"a renewal at no endpoint": {&StatusError{Status: 404, Grant: grantRefresh}, hintNoEndpoint, 0},
		"a reason in its words":    {&StatusError{Status: 403, Message: "Account suspended"}, ReasonSuspended.Advice().Next, 0},
		"a page":                   {bearer(StatusError{Status: 403, Page: true}), hintByPage, 0},
		"a page that is not there": {bearer(StatusError{Status: 404, Page: true, Message: "Not here."}), "Check the domain, id", 0},
		"nothing there, in words":  {bearer(StatusError{Status: 404, Message: "There is no such user here."}), hintNotFound, 0},
		"nothing there":            {bearer(StatusError{Status: 404}), "Check the domain, id", 0},
		"nothing there for a key":  {key(StatusError{Status: 404, Message: "There is no such user here."}), "Check the domain, id", 0},
		"a client that is unknown": {&StatusError{Status: 404, Credential: "Basic"}, "Check the domain, id", 0},
		"a password elsewhere":     {&StatusError{Status: 404, Credential: credentialPassword}, "Check the domain, id", 0},
		"one that was slow":        {&StatusError{Status: http.StatusRequestTimeout}, hintServer, 0},
	} {
		got := tt.of.Explain()
		if !strings.Contains(got.Hint, tt.hint) || tt.help != 0 && got.Help != tt.help {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if hintWait(0) == hintWait(time.Second) {
		t.Error("a time that the service names is not told")
	}
}

func TestARefusalInAnEnvelopeSaysAllThatItHas(t *testing.T) {
	for want, e := range map[string]EnvelopeError{
		"get it: a.example refused it":                                           {},
		"get it: a.example refused it with the response code 8":                  {Code: "8"},
		"get it: a.example refused it with the response code 8: Full":            {Code: "8", Message: "Full"},
		"get it: a.example refused it; what it adds is " + RepeatsTyped.String(): {Omitted: RepeatsTyped},
	} {
		e.Op, e.Host = "get it", "a.example"
		if got := e.Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if said := e.Explain(); said.Text != "could not "+want || said.Hint == "" {
			t.Errorf("explained as %+v", said)
		}
	}
}

// The time until which a refresh token may leave is none of a password.
func TestAPasswordHasTheTimeOfACall(t *testing.T) {
	now := time.Now()
	client := &TokenClient{SendBy: now.Add(time.Second)}
	if by := client.sendBy(grantPassword); by.Before(now.Add(callTimeout)) {
		t.Errorf("a password has %v", by.Sub(now))
	}
	if by := client.sendBy(grantRefresh); !by.Equal(client.SendBy) {
		t.Errorf("a refresh token has %v", by.Sub(now))
	}
}

// A reason in the words of the service comes before its code, and a passing state before both.
func TestTheAdviceForARefusedTokenRequest(t *testing.T) {
	for name, tt := range map[string]struct {
		of   TokenError
		hint string
		help problem.Help
	}{
		"a sign-in to the network": {TokenError{Status: 511, Code: "invalid_grant"}, hintPortal, 0},
		"too many":                 {TokenError{Status: 429, Code: "slow_down"}, hintWait(0), 0},
		"too many, to come back":   {TokenError{Status: 429, Code: "slow_down", RetryAfter: time.Minute}, hintWait(time.Minute), 0},
		"a refresh token":          {TokenError{Status: 400, Code: "invalid_grant", Grant: grantRefresh}, "", problem.HelpSignIn},
		"a password":               {TokenError{Status: 400, Code: "invalid_grant", Grant: grantPassword}, hintPassword, 0},
		"an account":               {TokenError{Status: 400, Code: "invalid_grant", Grant: grantPassword, Description: "Account is locked"}, ReasonLocked.Advice().Next, 0},
		"an account by a code":     {TokenError{Status: 400, Code: "mfa_required"}, ReasonSecondFactor.Advice().Next, 0},
		"a failing service":        {TokenError{Status: 500, Code: "whatever"}, hintServer, 0},
		"a client without secret":  {TokenError{Status: 401, Code: "invalid_client", NoSecret: true}, "No client secret is set", problem.HelpClientSecret},
		"a client":                 {TokenError{Status: 401, Code: "invalid_client"}, ClientHint(nil), problem.HelpCheckClient},
		"a client with signs":      {TokenError{Status: 401, Code: "invalid_client", Ambiguous: []string{"+"}}, ClientHint([]string{"+"}), problem.HelpCheckClient},
		"what the client may do":   {TokenError{Status: 400, Code: "unauthorized_client", NoSecret: true}, hintNoGrant, 0},
		"a scope":                  {TokenError{Status: 400, Code: "invalid_scope"}, "Check the scope", 0},
		"a grant":                  {TokenError{Status: 400, Code: "unsupported_grant_type"}, hintNoGrant, 0},
		"nothing a program knows":  {TokenError{Status: 400, Code: "whatever"}, hintRefused, 0},
		"a reason in its words": {
			TokenError{Status: 400, Code: "whatever", Description: "The moon is full today."},
			"The service gives its reason in its own words", 0,
		},
	} {
		got := tt.of.Explain()
		isWhole := strings.HasPrefix(got.Text, "could not ")
		if !isWhole || !strings.HasPrefix(got.Hint, tt.hint) || got.Help != tt.help {
			t.Errorf("%s: %+v", name, got)
		}
		if (got.Kind == problem.SignIn) != (tt.help == problem.HelpSignIn) {
			t.Errorf("%s: the kind is %v", name, got.Kind)
		}
	}
}

func TestTheAdviceForAnAnswerThatIsNone(t *testing.T) {
	for name, tt := range map[string]struct {
		of   problem.Explainer
		hint string
		help problem.Help
	}{
		"cut off":            {&BodyError{Err: io.ErrUnexpectedEOF}, hintAgain, 0},
		"something else":     {&BodyError{}, hintWrongAnswer, 0},
		"no list":            {&BodyError{NoList: true}, "Ask an administrator of the domain", 0},
		"another token":      {&BodyError{Token: TokenOfOtherType}, hintOtherToken, 0},
		"no token":           {&BodyError{Token: TokenMissing}, hintNoToken, 0},
		"a page that says":   {&BodyError{Page: true, Words: "Down for maintenance"}, ReasonMaintenance.Advice().Next, 0},
		"a list, here":       {&LimitError{List: true, Limit: UnannouncedBodyLimit - 1}, "The list is longer than this server allows", problem.HelpLongLists},
		"a list, everywhere": {&LimitError{List: true, Limit: UnannouncedBodyLimit}, "Choose a shorter list", 0},
		"what is no list":    {&LimitError{Limit: 1}, hintWrongAnswer, 0},
	} {
		if got := tt.of.Explain(); !strings.HasPrefix(got.Hint, tt.hint) || got.Help != tt.help {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestWhatAnAnswerThatIsNoneSays(t *testing.T) {
	const said = "an HTML page"
	for want, e := range map[string]BodyError{
		`a.example sent an HTML page, titled "No"`:             {Words: "No", Page: true, ContentType: "text/html"},
		`a.example sent an HTML page: "No"`:                    {Words: "No", ContentType: "text/html"},
		`a.example sent an HTML page (content type text/html)`: {ContentType: "text/html"},
		`a.example sent an HTML page`:                          {},
	} {
		e.Host, e.Detail = "a.example", said
		if got := e.Answer(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	for want, e := range map[string]StatusError{
		"a.example answered 400 (bad request)":                                                {Status: 400},
		"a.example answered 400 (bad request): Not today":                                     {Status: 400, Message: "Not today"},
		"a.example answered 403 (forbidden)":                                                  {Status: 403, Message: "403 forbidden"},
		"a.example answered 404 (not found)":                                                  {Status: 404, Message: "NOT FOUND"},
		"a.example answered 429 (too many requests)":                                          {Status: 429, Message: "Slow down"},
		"a.example answered 599":                                                              {Status: 599},
		"a.example answered 401 (unauthorized) (its message is " + RepeatsSent.String() + ")": {Status: 401, Omitted: RepeatsSent},
	} {
		e.Host = "a.example"
		if got := e.Answer(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
