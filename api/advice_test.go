package api

import (
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
