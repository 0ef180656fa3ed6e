package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gatehouse/internal/text/secret"
)

func TestTokenRefusalsAreTyped(t *testing.T) {
	const asJSON = "application/json; charset=UTF-8"
	long := strings.Repeat("ä", 300)
	for _, tt := range []struct {
		name        string
		status      int
		contentType string
		body        string
		want        error
	}{
		{"a wrong password", 400, asJSON, `{"error":"invalid_grant","error_description":"invalid_username_or_password"}`,
			&TokenError{Status: 400, Code: "invalid_grant", Description: "invalid_username_or_password"}},
		{"a wrong client", 401, asJSON, `{"error":"invalid_client"}`,
			&TokenError{Status: 401, Code: "invalid_client"}},
		{"an error called plain text", 400, "text/plain", `{"error":"invalid_grant"}`,
			&TokenError{Status: 400, Code: "invalid_grant"}},
		{"an error with status 200", 200, asJSON, `{"error":"invalid_scope"}`,
			&TokenError{Status: 200, Code: "invalid_scope"}},
		{"a failing server with an error in JSON", 503, asJSON, `{"error":"temporarily_unavailable"}`,
			&TokenError{Status: 503, Code: "temporarily_unavailable"}},
		{"a long code", 400, asJSON, `{"error":"` + strings.Repeat("x", 100) + `"}`,
			&TokenError{Status: 400, Code: strings.Repeat("x", 64)}},
		{"a long description of several lines", 400, asJSON, `{"error":"e","error_description":"one\r\ntwo\u001b[31m ` + long + `"}`,
			&TokenError{Status: 400, Code: "e", Description: "one two [31m " + strings.Repeat("ä", maxWords-14) + "…"}},
		{"a code with an escape sequence", 400, asJSON, `{"error":"\u001b[31m"}`, &StatusError{Credential: "Basic", Status: 400, Message: "[31m"}},
		{"a code that is no string", 400, asJSON, `{"error":{"code":5}}`, &StatusError{Credential: "Basic", Status: 400}},
		{"a refusal in the manner of the gateway", 400, asJSON, `{"Message":"Not here."}`, &StatusError{Credential: "Basic", Status: 400, Message: "Not here."}},
		{"HTML with an error status", 502, "text/html", "<html>bad gateway</html>", &StatusError{Credential: "Basic", Status: 502, Message: "bad gateway", Page: true}},
		{"nothing with an error status", 500, "", "", &StatusError{Credential: "Basic", Status: 500}},
		{"a cut answer with an error status", 400, asJSON, `{"error":"invalid_gr`, &StatusError{Credential: "Basic", Status: 400}},
		{"a redirect to nowhere", 302, "text/html", "", &StatusError{Credential: "Basic", Status: 302}},
		{"HTML", 200, "text/html", " <!DOCTYPE html>", &BodyError{ContentType: "text/html", Detail: htmlForJSON, Page: true}},
		{"nothing", 200, asJSON, "", &BodyError{ContentType: "application/json", Detail: emptyAnswer}},
		{"cut JSON", 200, asJSON, `{"access_token":"a`, &BodyError{ContentType: "application/json", Detail: "something that is not valid JSON"}},
		{"text", 200, "text/plain", `access_token=a`, &BodyError{ContentType: "text/plain", Detail: "something that is not valid JSON"}},
		{"JSON without a token", 200, asJSON, `{"token_type":"Bearer"}`, &BodyError{ContentType: "application/json", Detail: "JSON without an access token", Token: TokenMissing}},
		{"a token that is no string", 200, asJSON, `{"access_token":5}`, &BodyError{ContentType: "application/json", Detail: "JSON without an access token"}},
		{"an array", 200, asJSON, `[]`, &BodyError{ContentType: "application/json", Detail: "JSON without an access token"}},
		{"a token of another type", 200, asJSON, `{"access_token":"a","token_type":"DPoP"}`,
			&BodyError{ContentType: "application/json", Detail: "a token that is not a Bearer token, but one of the type DPoP", Token: TokenOfOtherType, TokenType: "DPoP"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			handler, requests := counted(answer(tt.status, tt.contentType, tt.body))
			server := serve(t, handler)
			for grant, call := range bothGrants(newTokenClient(t, server.URL)) {
				requests.Store(0)
				_, err := call(t.Context())
				ignored := cmpopts.IgnoreFields(TokenError{}, "Op", "Host", "Grant", "Ambiguous")
				if diff := cmp.Diff(tt.want, err, ignored, cmpopts.IgnoreFields(StatusError{}, "Op", "Host", "Grant", "Ambiguous"), cmpopts.IgnoreFields(BodyError{}, "Op", "Host", "Status")); diff != "" {
					t.Fatalf("%s: the error differs (-want +got):\n%s", grant, diff)
				}
				if refusal, ok := errors.AsType[*TokenError](err); ok && refusal.Grant != grant {
					t.Fatalf("Grant = %q, want %q", refusal.Grant, grant)
				}
				if strings.Contains(err.Error(), "oauth2") || !strings.Contains(err.Error(), host(server)) {
					t.Fatalf("%s: the text does not name the host alone: %v", grant, err)
				}
				if n := requests.Load(); n != 1 {
					t.Fatalf("%s: %d requests were sent, want 1", grant, n)
				}
			}
		})
	}
}

// bothGrants are the two calls of a token client, by the name of the grant.
func bothGrants(c *TokenClient) map[string]func(context.Context) (*Token, error) {
	return map[string]func(context.Context) (*Token, error){
		grantPassword: func(ctx context.Context) (*Token, error) {
			return c.Password(ctx, "ann@harbor.example", secret.New("pässwort"))
		},
		grantRefresh: func(ctx context.Context) (*Token, error) {
			return c.Refresh(ctx, secret.New("refresh-1"))
		},
	}
}

func TestOnlyARefusalThatStaysIsAnInvalidGrant(t *testing.T) {
	for _, tt := range []struct {
		err     TokenError
		invalid bool
	}{
		{TokenError{Status: 400, Code: "invalid_grant"}, true},
		{TokenError{Status: 401, Code: "invalid_grant"}, true},
		{TokenError{Status: 400, Code: "invalid_client"}, false},
		{TokenError{Status: 503, Code: "invalid_grant"}, false},
		{TokenError{Status: 500, Code: "invalid_grant"}, false},
		{TokenError{Status: 499, Code: "invalid_grant"}, true},
		{TokenError{Status: 429, Code: "invalid_grant"}, false},
		{TokenError{Status: 429, Code: "slow_down"}, false},
	} {
		if got := tt.err.InvalidGrant(); got != tt.invalid {
			t.Errorf("%+v: InvalidGrant() = %v", tt.err, got)
		}
	}
}

func TestADescriptionThatRepeatsTheBasicHeaderIsDropped(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text := `{"error":"invalid_client","error_description":"not valid: ` + r.Header.Get("Authorization") + `"}`
		answer(401, "application/json", text)(w, r)
	})
	_, err := newTokenClient(t, server.URL).Refresh(t.Context(), secret.New("r"))
	if refusal, ok := errors.AsType[*TokenError](err); !ok || refusal.Description != "" {
		t.Fatalf("got %v, want a refusal without its description", err)
	}
}

func TestATokenAnswerCutOnTheWire(t *testing.T) {
	for _, tt := range []struct {
		name, answer string
		want         error
	}{
		{"with a token", "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"access_token\":\"a", io.ErrUnexpectedEOF},
		{"with an error status", "HTTP/1.1 503 Busy\r\nContent-Length: 900\r\n\r\n{\"err", nil},
		{"before anything", "", io.EOF},
	} {
		t.Run(tt.name, func(t *testing.T) {
			handler, requests := counted(raw(tt.answer))
			for grant, call := range bothGrants(newTokenClient(t, serve(t, handler).URL)) {
				requests.Store(0)
				if _, err := call(t.Context()); err == nil || tt.want == nil && statusOf(err) != 503 || tt.want != nil && !errors.Is(err, tt.want) {
					t.Fatalf("%s: %v, want %v", grant, err, tt.want)
				}
				if n := requests.Load(); n != 1 {
					t.Fatalf("%s: %d requests were sent, want 1", grant, n)
				}
			}
		})
	}
}

func FuzzTokenAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"access_token":"a","expires_in":1}`, `{"error":"invalid_grant","error_description":"x"}`,
		`{"error":"r-canary"}`, `<html>r-canary`, `r-canary000`, ``, `[]`, `{"access_token":"a","expires_in":1e999}`, "\uFEFF{}",
	} {
		f.Add(200, seed)
		f.Add(400, seed)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		if status < 200 || status > 599 {
			return
		}
		base := roundTripFunc(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1, Request: r}, nil
		})
		client := &TokenClient{HTTP: NewTransport(Options{Base: base}), Authority: "https://auth.example"}
		token, err := client.Refresh(t.Context(), secret.New("r-canary"))
		if (token == nil) == (err == nil) {
			t.Fatalf("token %v with error %v", token, err)
		}
		if err != nil && strings.Contains(err.Error(), "r-canary") {
			t.Fatalf("the refresh token is in the error: %v", err)
		}
		if refusal, ok := errors.AsType[*TokenError](err); ok && (!isErrorCode(refusal.Code) || len(refusal.Code) > maxErrorCode || len([]rune(refusal.Description)) > maxWords) {
			t.Fatalf("a refusal out of bounds: %+v", refusal)
		}
	})
}

func TestSignsThatAHeaderIsReadDifferentlyForAreNamed(t *testing.T) {
	authority := serve(t, answer(401, "application/json", `{"error":"invalid_client"}`))
	for _, tt := range []struct {
		id, secret string
		inForm     bool
		want       string // of the hint
	}{
		{id: "desk", secret: "can+ary", want: "They have +, which"},
		{id: "desk", secret: "can%41ry+", want: "They have + and %, which"},
		{id: "urn:desk", secret: "canary", want: "They have :, which"},
		{id: "desk", secret: "can:ary"},
		{id: "desk", secret: "can+ary", inForm: true},
	} {
		client := &TokenClient{
			HTTP:         newTestClient(t),
			Authority:    authority.URL,
			ClientID:     tt.id,
			ClientSecret: secret.New(tt.secret),
			InForm:       tt.inForm,
		}
		_, signIn := client.Password(t.Context(), "ann@x.example", secret.New("hunter2"))
		_, renewal := client.Refresh(t.Context(), secret.New("canary-refresh"))
		for _, err := range []error{signIn, renewal} {
			refused, ok := errors.AsType[*TokenError](err)
			if !ok {
				t.Fatalf("%q: got %v", tt.secret, err)
			}
			hint := refused.Explain().Hint
			isNamed := strings.Contains(hint, `client_auth = "body"`)
			if isNamed != (tt.want != "") || !strings.Contains(hint, tt.want) || strings.Contains(hint, "ary") {
				t.Errorf("%q: the hint is %q, want %q", tt.secret, hint, tt.want)
			}
		}
	}
}

// A refusal knows of the request what its advice needs.
func TestARefusalKnowsWhatWasSentAndHowLongToWait(t *testing.T) {
	ops := map[string]string{grantPassword: "sign in", grantRefresh: "renew the session"}
	for _, tt := range []struct {
		name, body, id, secret string
		noSecret               bool
		ambiguous              []string
	}{
		{"with a code", `{"error":"invalid_client"}`, "desk", "", true, nil},
		{"with a code and signs", `{"error":"invalid_client"}`, "urn:desk", "a%+b", false, []string{"+", "%", ":"}},
		{"without a code", `{"Message":"No."}`, "urn:desk", "a%+b", false, []string{"+", "%", ":"}},
	} {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "7")
			answer(401, "application/json", tt.body)(w, r)
		})
		client := &TokenClient{
			HTTP:         newTestClient(t),
			Authority:    server.URL,
			ClientID:     tt.id,
			ClientSecret: secret.New(tt.secret),
		}
		for grant, call := range bothGrants(client) {
			switch _, err := call(t.Context()); e := err.(type) {
			case *TokenError:
				isAs := e.Op == ops[grant] && e.Host == host(server) && e.Grant == grant
				if !isAs || e.NoSecret != tt.noSecret || e.RetryAfter != 7*time.Second || !slices.Equal(e.Ambiguous, tt.ambiguous) {
					t.Errorf("%s, %s: %+v", tt.name, grant, e)
				}
			case *StatusError:
				isAs := e.Op == ops[grant] && e.Host == host(server) && e.Grant == grant
				if !isAs || e.RetryAfter != 7*time.Second || !slices.Equal(e.Ambiguous, tt.ambiguous) {
					t.Errorf("%s, %s: %+v", tt.name, grant, e)
				}
			default:
				t.Errorf("%s, %s: %v", tt.name, grant, err)
			}
		}
	}
}

// RFC 6749 allows printable ASCII in a code, but no quotation mark and no backslash.
func TestWhichCharactersAnErrorCodeHas(t *testing.T) {
	for code, want := range map[string]bool{
		"invalid_grant": true, "AADSTS50053: locked!": true, " ": true, "~": true, "!": true, "#[]'": true,
		"": false, `a"b`: false, `a\b`: false, "a\x1fb": false, "a\x7fb": false, "grün": false, "a\nb": false,
	} {
		if got := isErrorCode(code); got != want {
			t.Errorf("%q: %v", code, got)
		}
	}
}
