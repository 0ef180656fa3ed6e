package session

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
)

const inJSON = "application/json"

// deadTokens are what services say of a refresh token that has ended, and how often it is sent.
var deadTokens = []struct {
	name   string
	answer http.HandlerFunc
	sent   int
	says   string // in the sentence
}{
	{"RFC 6749", answered(400, inJSON, `{"error":"invalid_grant"}`), 1, "answered 400: invalid_grant."},
	{"with a list beside it", answered(400, inJSON, `{"error":"invalid_grant","error_description":["gone","for good"]}`), 1,
		"answered 400: invalid_grant (gone; for good)."},
	{"with an object beside it", answered(400, inJSON, `{"error":"invalid_grant","error_description":{"detail":"gone"}}`), 1,
		"answered 400: invalid_grant (gone)."},
	{"with a number beside it", answered(400, inJSON, `{"error_description":7,"error":"invalid_grant"}`), 1, "answered 400: invalid_grant."},
	{"as 401", answered(401, inJSON, `{"error":"invalid_grant"}`), 1, "answered 401: invalid_grant."},
	{"UAA", answered(401, inJSON, `{"error":"invalid_token","error_description":"The token expired"}`), 1, "answered 401: invalid_token (The token expired)."},
	{"glewlwyd", answered(400, "", ""), 2, "answered 400 (bad request)."},
	{"dex", answered(400, inJSON, `{"error":"invalid_request","error_description":"Refresh token is invalid or has already been claimed."}`), 2,
		"answered 400: invalid_request (Refresh token is invalid or has already been claimed.)."},
	{"a code of its own", answered(400, inJSON, `{"error":"bad_refresh_token"}`), 2, "answered 400: bad_refresh_token."},
	{"a code in HTTP 200", answered(200, inJSON, `{"error":"bad_refresh_token"}`), 2, "answered 200: bad_refresh_token."},
	{"plain text", answered(400, "text/plain", "Unknown refresh token"), 2, "answered 400 (bad request): Unknown refresh token."},
	{"forbidden", answered(403, inJSON, `{"message":"Session revoked"}`), 2, "answered 403 (forbidden): Session revoked."},
	{"gone", answered(410, "", ""), 2, "answered 410 (gone)."},
}

func TestADeadTokenEndsTheSessionHoweverAServiceSaysIt(t *testing.T) {
	for _, tt := range deadTokens {
		t.Run(tt.name, func(t *testing.T) {
			v := fastVault(t, vaultPath(t))
			a, c, s := expired(t, v)
			a.Next(tt.answer, tt.answer)
			_, err := s.Token(t.Context())
			for range 2 {
				ended, ok := errors.AsType[*EndedError](err)
				if !ok || ended.Reason != EndRefused {
					t.Fatalf("the error is %v", err)
				}
				p := problem.Describe(err, problem.Face{})
				if p.Kind != problem.SignIn || !strings.HasSuffix(p.Sentence, tt.says) {
					t.Errorf("the sentence is %q", p.Sentence)
				}
				err = newSession(a, fastVaultOf(v), c).Restore(t.Context()) // another process
			}
			wantState(t, s, Ended)
			_, _ = s.Token(t.Context())
			wantRefreshes(t, a, tt.sent)
		})
	}
}

// Two requests that have crossed may be refused once, as fosite does.
func TestARefusalWithoutAReasonIsAskedAgainOnce(t *testing.T) {
	crossed := answered(400, inJSON, `{"error":"invalid_request","error_description":"Failed to refresh token because of multiple concurrent requests using the same token. Please retry the request."}`)
	for name, tt := range map[string]struct {
		second http.HandlerFunc // nil: the token is good
		want   State
	}{
		"the second time it works":                  {nil, Active},
		"the second time the service is busy":       {unavailable(503), Delayed},
		"the second time the answer is lost":        {drop, Delayed},
		"the second time the client is refused":     {answered(401, inJSON, `{"error":"invalid_client"}`), Delayed},
		"the second time it is said in plain OAuth": {refuseGrant, Ended},
	} {
		t.Run(name, func(t *testing.T) {
			a, _, s := expired(t, fastVault(t, vaultPath(t)))
			a.Next(crossed)
			if tt.second != nil {
				a.Next(tt.second)
			}
			_, _ = s.Token(t.Context())
			wantState(t, s, tt.want)
			wantRefreshes(t, a, 2)
		})
	}
}

func TestWhatMayPassDoesNotEndASession(t *testing.T) {
	const page = "<html><title>Blocked</title>"
	for name, answer := range map[string]http.HandlerFunc{
		"408":                status(408),
		"425":                status(425),
		"429":                status(429),
		"429 with a code":    answered(429, inJSON, `{"error":"invalid_grant"}`),
		"503 with a code":    answered(503, inJSON, `{"error":"invalid_grant"}`),
		"404":                answered(404, inJSON, `{"message":"no Route matched with those values"}`),
		"405":                status(405),
		"a bare 403":         status(403),
		"a page":             answered(403, "text/html", page),
		"a page as 400":      answered(400, "text/html", page),
		"busy as 400":        answered(400, inJSON, `{"error":"temporarily_unavailable"}`),
		"too many as 400":    answered(400, inJSON, `{"error":"invalid_request","error_description":"Too many requests"}`),
		"maintenance as 403": answered(403, "text/plain", "Down for maintenance"),
		"a wrong client":     answered(401, inJSON, `{"error":"invalid_client"}`),
		"a bare 401":         status(401),
		"a client of no use": answered(400, inJSON, `{"error":"unauthorized_client"}`),
		"no grant of this":   answered(400, inJSON, `{"error":"unsupported_grant_type"}`),
		"a scope of no use":  answered(400, inJSON, `{"error":"invalid_scope"}`),
	} {
		t.Run(name, func(t *testing.T) {
			v := fastVault(t, vaultPath(t))
			a, c, s := expired(t, v)
			a.Next(answer)
			failToRenew(t, s)
			wantRefreshes(t, a, 1)
			c.Advance(maxBackoff)
			wantToken(t, s, a, 2)
		})
	}
}

func TestAWrongClientIsSaidAsThat(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"with a code": answered(401, inJSON, `{"error":"invalid_client"}`),
		"bare":        status(401),
		"as 400":      answered(400, inJSON, `{"error":"invalid_client","error_description":["no","such client"]}`),
	} {
		for _, inBody := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				a, _, s := expired(t, NewMemoryVault())
				if inBody {
					s.options.Profile.ClientAuth = config.ClientAuthBody
				}
				a.Next(answer)
				delayed := failToRenew(t, s)
				for _, face := range []problem.Face{{}, {Stays: true}} {
					if p := problem.Describe(delayed, face); !strings.Contains(p.Hint, "Nothing is lost. Check client_id, client_auth and the client secret") {
						t.Errorf("the hint is %q", p.Hint)
					}
				}
			})
		}
	}
}

// Some services refuse a wrong client and a dead token with the same bare 400.
func TestASessionIsKeptWhereItsClientHasChanged(t *testing.T) {
	bare := answered(400, "", "")
	v := fastVault(t, vaultPath(t))
	a, c, s := expired(t, v)
	before := s.options.Profile.ClientSecret
	s.options.Profile.ClientSecret = secret.New("canary-other-secret")
	a.Next(bare)
	delayed := failToRenew(t, s)
	if _, ok := errors.AsType[*ClientChangedError](delayed); !ok || api.RefusalOf(delayed) != api.RefusalUnexplained {
		t.Fatalf("the error is %v", delayed)
	}
	if p := problem.Describe(delayed, problem.Face{Stays: true}); !strings.Contains(p.Hint, "client secret or client_auth of the profile has changed") {
		t.Errorf("the hint is %q", p.Hint)
	}
	wantRefreshes(t, a, 1)

	s.options.Profile.ClientSecret = before
	c.Advance(maxBackoff)
	wantToken(t, s, a, 2)

	// A client that the service has accepted since is as good as the first one.
	s.options.Profile.ClientSecret = secret.New("canary-third-secret")
	if err := s.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Advance(maxLife)
	a.Next(bare, bare)
	if _, err := s.Token(t.Context()); !isEnded(err) {
		t.Errorf("the error is %v", err)
	}
}

func isEnded(err error) bool {
	_, ok := errors.AsType[*EndedError](err)
	return ok
}

func TestTheTokensOfAnotherAccountAreNotUsed(t *testing.T) {
	subject := func(name string) string { return makeJWT(`{"sub":"` + name + `"}`) }
	const bob, nobody = "bob@harbor.example", "WvJ3TQ"
	for name, tt := range map[string]struct {
		id, nextAccess, nextID string
		want                   State
	}{
		"another access token":                {"", subject(bob), "", Ended},
		"another access token beside ids":     {subject(user), subject(bob), subject(user), Active}, // they name nobody
		"another access token with its id":    {"", subject(bob), subject(bob), Ended},
		"another account in both":             {subject(user), subject(bob), subject(bob), Ended},
		"another id token":                    {subject(user), "opaque", subject(bob), Ended},
		"in other letters":                    {"", subject("ANN@harbor.example"), "", Active},
		"opaque":                              {"", "opaque", "", Active},
		"without a subject":                   {"", makeJWT(`{"primary_domain":"harbor.example"}`), "", Active},
		"a subject for each token (glewlwyd)": {subject(nobody), subject("3krOyM"), "", Active},
	} {
		t.Run(name, func(t *testing.T) {
			v := fastVault(t, vaultPath(t))
			a, c := newAuthority(t), newClock()
			s := newSession(a, v, c)
			grant := func(access, id, refresh string) http.HandlerFunc {
				return answered(200, inJSON, `{"access_token":"`+access+`","id_token":"`+id+`","refresh_token":"`+refresh+`","expires_in":60}`)
			}
			a.Next(grant(a.accessToken(1), tt.id, "canary-refresh-0"), grant(tt.nextAccess, tt.nextID, "canary-refresh-1"))
			signIn(t, s)
			c.Advance(time.Hour)
			got, err := s.Token(t.Context())
			wantState(t, s, tt.want)
			if tt.want == Active {
				if err != nil {
					t.Error(err)
				}
				return
			}
			ended, ok := errors.AsType[*EndedError](err)
			if !ok || ended.Reason != EndOtherAccount || !got.IsEmpty() {
				t.Errorf("the token is %v, the error %v", got, err)
			}
			if name := s.Status().Username; name != user {
				t.Errorf("the session is of %q", name)
			}
			r, err := v.Load(t.Context())
			if err != nil || r.Ended == nil || !r.Access.IsEmpty() || !r.Refresh.IsEmpty() {
				t.Errorf("the vault holds %+v, %v", r, err)
			}
			_, _ = newSession(a, fastVaultOf(v), c).Token(t.Context())
			wantRefreshes(t, a, 1)
		})
	}
}
