package demo_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/demo"
)

type claims struct {
	Iss           string   `json:"iss"`
	Aud           []string `json:"aud"`
	Sub           string   `json:"sub"`
	Iat           int64    `json:"iat"`
	Nbf           int64    `json:"nbf"`
	Exp           int64    `json:"exp"`
	ClientID      string   `json:"client_id"`
	Scope         string   `json:"scope"`
	PrimaryDomain string   `json:"primary_domain"`
}

func TestEveryAccountSignsIn(t *testing.T) {
	t.Parallel()
	s := start(t)
	if len(demo.Accounts()) != 18 {
		t.Errorf("%d accounts, want 18", len(demo.Accounts()))
	}
	elsewhere := map[string]string{
		"eli@harbor.example": "", "jon@harbor.example": "pier.example", "kit@harbor.example": "shoal.example",
		"lena@harbor.example": "lagoon.example", "milo@harbor.example": "tide.example",
		"pia@harbor.example": "estuary.example", "quin@harbor.example": "strait.example",
	}
	for _, account := range demo.Accounts() {
		got := s.signIn(strings.ToUpper(account.Email))
		life := int64(86400)
		if account.Email == "hal@harbor.example" {
			life = 20
		}
		primary := "harbor.example"
		if other, there := elsewhere[account.Email]; there {
			primary = other
		}
		now := s.clock.now().Unix()
		want := claims{
			Iss: s.URL() + "/auth", Aud: []string{"domain_api"}, Sub: account.Email, Iat: now, Nbf: now, Exp: now + life,
			ClientID: "gatehouse-demo", Scope: fullScope, PrimaryDomain: primary,
		}
		if diff := cmp.Diff(want, payload[claims](t, got.Access)); diff != "" {
			t.Errorf("claims of %s: %s", account.Email, diff)
		}
		if string(got.ExpiresIn) != "86400" && string(got.ExpiresIn) != "20" || got.Type != "Bearer" {
			t.Errorf("%s got expires_in %s and token_type %q", account.Email, got.ExpiresIn, got.Type)
		}
		if got.Refresh == nil || *got.Refresh == "" || got.ID != nil {
			t.Errorf("%s got refresh token %v and id token %v; want one and none", account.Email, got.Refresh, got.ID)
		}
		if account.Shows == "" {
			t.Errorf("%s shows nothing", account.Email)
		}
	}
}

func TestTheDomainsClaimTakesEveryForm(t *testing.T) {
	t.Parallel()
	s := start(t)
	forms := map[string]string{
		"ada@harbor.example":  `["minato.example","fjord.example","drydock.example"]`,
		"ben@harbor.example":  `"pier.example"`,
		"cleo@harbor.example": "",
		"eli@harbor.example":  `"harbor.example"`,
		"jon@harbor.example":  `"harbor.example"`,
		"olaf@harbor.example": `"minato.example"`,
	}
	for email, want := range forms {
		type withDomains struct {
			Domains rawJSON `json:"domains"`
		}
		if got := payload[withDomains](t, s.signIn(email).Access); string(got.Domains) != want {
			t.Errorf("domains of %s: %s, want %s", email, got.Domains, want)
		}
	}
}

func TestTokenLookUpAndDeviceLoginNameTheSamePrimaryDomainExceptOfJon(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, account := range demo.Accounts() {
		claimed := payload[claims](t, s.signIn(account.Email).Access).PrimaryDomain
		_, lookedUp, _ := strings.Cut(s.get("/global/getuserdomain.aspx?useremail="+account.Email, "").body, ",")
		loggedIn := ""
		if primary := s.login(loginQuery(account.Email)).PrimaryUserDomain; primary != nil {
			loggedIn = primary.Domain.DomainName
		}
		if lookedUp != loggedIn || (claimed != lookedUp) != (account.Email == "jon@harbor.example") {
			t.Errorf("%s: token %q, look-up %q, device login %q", account.Email, claimed, lookedUp, loggedIn)
		}
	}
}

// rawJSON keeps a value as it stands and stays empty for a missing one.
type rawJSON string

func (r *rawJSON) UnmarshalJSON(text []byte) error { *r = rawJSON(text); return nil }

func TestNoTwoTokensAreTheSame(t *testing.T) {
	t.Parallel()
	s := start(t)
	type id struct{ Jti string }
	first, second := s.signIn("ada@harbor.example"), s.signIn("ada@harbor.example")
	a, b := payload[id](t, first.Access), payload[id](t, second.Access)
	if a.Jti == "" || a == b || *first.Refresh == *second.Refresh {
		t.Errorf("jti %q and %q, refresh tokens %q and %q", a.Jti, b.Jti, *first.Refresh, *second.Refresh)
	}
}

func TestEveryAuthorityServes(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, authority := range []string{"/auth", "/auth-test", "/local/harbor.example"} {
		signedIn := s.tokensOf(s.postForm(authority, passwordForm("ada@harbor.example")))
		if got := payload[claims](t, signedIn.Access).Iss; got != s.URL()+authority {
			t.Errorf("iss is %q, want the authority %q", got, authority)
		}
		if a := s.get(sharesPath("harbor.example", "ada@harbor.example"), "Bearer "+signedIn.Access); a.status != http.StatusOK {
			t.Errorf("the gateway answered a token of %s with %d", authority, a.status)
		}
	}
}

func TestALocalAuthorityServesUsersOfItsDomainOnly(t *testing.T) {
	t.Parallel()
	s := start(t)
	wantTokenError(t, s.postForm("/local/minato.example", passwordForm("ada@harbor.example")), 400, "invalid_grant")
	wantMessage(t, s.postForm("/local/nowhere.example", passwordForm("ada@harbor.example")), http.StatusNotFound)
	s.tokensOf(s.postForm("/local/Harbor.Example", passwordForm("ada@harbor.example")))
}

func TestWithoutOfflineAccessThereIsNoRefreshToken(t *testing.T) {
	t.Parallel()
	s := start(t)
	form := passwordForm("ada@harbor.example")
	form.Set("scope", "openid profile domain_api")
	if got := s.tokensOf(s.postForm("/auth", form)); got.Refresh != nil {
		t.Errorf("got refresh token %q", *got.Refresh)
	}
}

func TestClientCredentialsMayStandInTheBody(t *testing.T) {
	t.Parallel()
	s := start(t)
	form := passwordForm("ada@harbor.example")
	form.Set("client_id", "gatehouse-demo")
	form.Set("client_secret", "demo-secret")
	s.tokensOf(s.postForm("/auth", form))
}

func TestTokenAnswersAreNotCached(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, form := range []url.Values{passwordForm("ada@harbor.example"), {}} {
		if a := s.postForm("/auth", form); a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("status %d has Cache-Control %q", a.status, a.header.Get("Cache-Control"))
		}
	}
}

func TestTheTokenEndpointRefuses(t *testing.T) {
	t.Parallel()
	s := start(t)
	cases := map[string]struct {
		field, value string // set in a good password form; an empty value removes the field
		status       int
		code         string
	}{
		"a wrong password":         {"password", "Demo", 400, "invalid_grant"},
		"an unknown user":          {"username", "nobody@harbor.example", 400, "invalid_grant"},
		"a missing user":           {"username", "", 400, "invalid_request"},
		"a missing password":       {"password", "", 400, "invalid_request"},
		"a missing scope":          {"scope", "", 400, "invalid_scope"},
		"an unknown scope":         {"scope", "openid everything", 400, "invalid_scope"},
		"a missing grant":          {"grant_type", "", 400, "invalid_request"},
		"another grant":            {"grant_type", "client_credentials", 400, "unsupported_grant_type"},
		"a missing refresh token":  {"grant_type", "refresh_token", 400, "invalid_request"},
		"a wrong client in a form": {"client_id", "somebody", 400, "invalid_client"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			form := passwordForm("ada@harbor.example")
			if form.Set(c.field, c.value); c.value == "" {
				form.Del(c.field)
			}
			wantTokenError(t, s.postForm("/auth", form), c.status, c.code)
		})
	}
}

func TestTheTokenEndpointReadsAFormAndNothingElse(t *testing.T) {
	t.Parallel()
	s := start(t)
	good := passwordForm("ada@harbor.example").Encode()
	cases := map[string]struct{ query, kind, body string }{
		"JSON":               {"", "application/json", `{"grant_type":"password"}`},
		"no content type":    {"", "", good},
		"the query":          {"?" + good, "application/x-www-form-urlencoded", ""},
		"a repeated field":   {"", "application/x-www-form-urlencoded", good + "&password=demo"},
		"a body without end": {"", "application/x-www-form-urlencoded", good + "&x=" + strings.Repeat("x", 1<<20)},
		"two credentials":    {"", "application/x-www-form-urlencoded", good + "&client_secret=demo-secret"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			request := s.request(http.MethodPost, "/auth/connect/token"+c.query, c.body)
			request.Header.Set("Content-Type", c.kind)
			request.SetBasicAuth("gatehouse-demo", "demo-secret")
			wantTokenError(t, s.do(request), 400, "invalid_request")
		})
	}
}

func TestAWrongBasicHeaderIsChallenged(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, header := range []string{"Basic Z2F0ZWhvdXNlLWRlbW86d3Jvbmc=", "Basic ???", "Bearer demo-secret"} {
		request := s.request(http.MethodPost, "/auth/connect/token", passwordForm("ada@harbor.example").Encode())
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Authorization", header)
		a := s.do(request)
		wantTokenError(t, a, http.StatusUnauthorized, "invalid_client")
		if a.header.Get("WWW-Authenticate") == "" {
			t.Errorf("%q is not challenged", header)
		}
	}
}

func TestRenewingRotatesTheRefreshToken(t *testing.T) {
	t.Parallel()
	s := start(t)
	signedIn := s.signIn("ada@harbor.example")
	s.clock.advance(time.Hour)
	renewed := s.refresh(*signedIn.Refresh)
	if renewed.Refresh == nil || *renewed.Refresh == *signedIn.Refresh {
		t.Fatalf("the refresh token %v was not rotated", renewed.Refresh)
	}
	if got, want := payload[claims](t, renewed.Access).Exp, s.clock.now().Unix()+86400; got != want {
		t.Errorf("the new access token ends at %d, want %d", got, want)
	}
	if renewed.ID == nil {
		t.Fatal("the renewal carries no id token")
	}
	id := payload[claims](t, *renewed.ID)
	if id.Sub != "ada@harbor.example" || id.Aud[0] != "gatehouse-demo" {
		t.Errorf("the id token is of %q for %q", id.Sub, id.Aud)
	}
	wantMessage(t, s.get(sharesPath("harbor.example", "ada@harbor.example"), "Bearer "+*renewed.ID), http.StatusUnauthorized)
	s.refresh(*renewed.Refresh)
}

func TestASpentRefreshTokenEndsTheSession(t *testing.T) {
	t.Parallel()
	s := start(t)
	path := sharesPath("harbor.example", "ada@harbor.example")
	bystander := s.signIn("ada@harbor.example")
	signedIn := s.signIn("ada@harbor.example")
	renewed := s.refresh(*signedIn.Refresh)

	wantTokenError(t, s.postForm("/auth", refreshForm(*signedIn.Refresh)), 400, "invalid_grant")
	wantTokenError(t, s.postForm("/auth", refreshForm(*renewed.Refresh)), 400, "invalid_grant")
	for _, access := range []string{signedIn.Access, renewed.Access} {
		a := s.get(path, "Bearer "+access)
		wantMessage(t, a, http.StatusUnauthorized)
		if !strings.Contains(a.header.Get("WWW-Authenticate"), "invalid_token") {
			t.Errorf("challenge %q", a.header.Get("WWW-Authenticate"))
		}
	}
	if a := s.get(path, "Bearer "+bystander.Access); a.status != http.StatusOK {
		t.Errorf("another session of the same user got %d", a.status)
	}
}

func TestRotationDoesNotExtendThirtyDays(t *testing.T) {
	t.Parallel()
	s := start(t)
	refresh := *s.signIn("ada@harbor.example").Refresh
	s.clock.advance(30*24*time.Hour - time.Second)
	refresh = *s.refresh(refresh).Refresh
	s.clock.advance(time.Second)
	wantTokenError(t, s.postForm("/auth", refreshForm(refresh)), 400, "invalid_grant")
}

func TestAnAuthorityKnowsOnlyItsOwnRefreshTokens(t *testing.T) {
	t.Parallel()
	s := start(t)
	refresh := *s.signIn("ada@harbor.example").Refresh
	for _, authority := range []string{"/auth-test", "/local/harbor.example"} {
		wantTokenError(t, s.postForm(authority, refreshForm(refresh)), 400, "invalid_grant")
	}
	wantTokenError(t, s.postForm("/auth", refreshForm("made-up")), 400, "invalid_grant")
	s.refresh(refresh)
}

func wantTokenError(t *testing.T, a answer, status int, code string) {
	t.Helper()
	got := decode[struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}](t, a.body)
	if a.status != status || got.Error != code || got.Description == "" {
		t.Errorf("got %d %s, want %d %s with a description", a.status, a.body, status, code)
	}
}
