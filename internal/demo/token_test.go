package demo_test

import (
	"fmt"
	"net/http"
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
	Domains       rawJSON  `json:"domains"`
}

// TestEveryAccountShowsItsSituation signs everybody in, looks them up and logs their device in.
func TestEveryAccountShowsItsSituation(t *testing.T) {
	t.Parallel()
	s := start(t)
	const harbor = "harbor.example"
	type situation struct{ lookedUp, claimed, domains, code string }
	usual := situation{harbor, harbor, "", "U100"}
	others := map[string]situation{
		"ada":  {harbor, harbor, `["minato.example","fjord.example","drydock.example"]`, "U100"},
		"ben":  {harbor, harbor, `"pier.example"`, "U100"},
		"dora": {harbor, harbor, "", "U107"},
		"eli":  {"", "", `"harbor.example"`, "U103"},
		"finn": {harbor, harbor, "", "U105"},
		"jon":  {harbor, "pier.example", `"harbor.example"`, "U100"},
		"kit":  {"shoal.example", "shoal.example", "", "U100"},
		"lena": {"lagoon.example", "lagoon.example", "", "U100"},
		"milo": {"tide.example", "tide.example", "", "U100"},
		"olaf": {harbor, harbor, `"minato.example"`, "U100"},
		"pia":  {"estuary.example", "estuary.example", "", "U100"},
		"quin": {"strait.example", "strait.example", "", "U100"},
		"uma":  {"quayside.example", "quayside.example", "", "U100"},
	}
	barred := map[string]string{"rosa": "invalid_grant", "sten": "mfa_required"}
	if len(demo.Accounts()) != 22 {
		t.Errorf("%d accounts, want 22", len(demo.Accounts()))
	}
	for _, account := range demo.Accounts() {
		name := strings.TrimSuffix(account.Email, "@harbor.example")
		want, isOther := others[name]
		if !isOther {
			want = usual
		}
		if words := barred[name]; words != "" {
			wantTokenError(t, s.postForm("/auth", passwordForm(account.Email)), 400, words)
			continue
		}
		tokens, loggedIn := s.signIn(strings.ToUpper(account.Email)), s.login(loginQuery(strings.ToUpper(account.Email)))
		claimed := payload[claims](t, tokens.Access)
		_, lookedUp, _ := strings.Cut(s.get("/global/getuserdomain.aspx?useremail="+account.Email, "").body, ",")
		if got := (situation{lookedUp, claimed.PrimaryDomain, string(claimed.Domains), loggedIn.ErrorCode}); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		if p := loggedIn.PrimaryUserDomain; p == nil && lookedUp != "" || p != nil && p.Domain.DomainName != lookedUp {
			t.Errorf("the device login of %s names %+v", name, p)
		}
		if loggedIn.Wipe != (name == "wes") || !isDeviceID(loggedIn.DeviceID) {
			t.Errorf("the device login of %s: %+v", name, loggedIn)
		}
		life := int64(86400)
		if name == "hal" {
			life = 20
		}
		now := s.clock.now().Unix()
		all := claims{
			Iss: s.URL() + "/auth", Aud: []string{"domain_api"}, Sub: account.Email, Iat: now, Nbf: now, Exp: now + life,
			ClientID: "gatehouse-demo", Scope: fullScope, PrimaryDomain: want.claimed, Domains: rawJSON(want.domains),
		}
		if diff := cmp.Diff(all, claimed); diff != "" {
			t.Errorf("claims of %s: %s", name, diff)
		}
		if string(tokens.ExpiresIn) != fmt.Sprint(life) || tokens.Type != "Bearer" || (tokens.Refresh == nil || *tokens.Refresh == "") != (name == "tove") || tokens.ID != nil {
			t.Errorf("%s got %+v", name, tokens)
		}
		if account.Shows == "" {
			t.Errorf("%s shows nothing", name)
		}
	}
}

// rawJSON keeps a value as it stands and stays empty for a missing one.
type rawJSON string

func (r *rawJSON) UnmarshalJSON(text []byte) error { *r = rawJSON(text); return nil }

func TestALocalAuthorityServesUsersOfItsDomainOnly(t *testing.T) {
	t.Parallel()
	s := start(t)
	wantTokenError(t, s.postForm("/local/minato.example", passwordForm("ada@harbor.example")), 400, "invalid_grant")
	wantMessage(t, s.postForm("/local/nowhere.example", passwordForm("ada@harbor.example")), http.StatusNotFound)
	s.tokensOf(s.postForm("/local/Harbor.Example", passwordForm("ada@harbor.example")))
}

// A client may name itself in the body; without offline_access it gets no refresh token.
func TestAFormMayHaveClientCredentialsAndLessScope(t *testing.T) {
	t.Parallel()
	form := passwordForm("ada@harbor.example")
	form.Set("client_id", "gatehouse-demo")
	form.Set("client_secret", "demo-secret")
	form.Set("scope", "openid profile domain_api")
	s := start(t)
	if got := s.tokensOf(s.postForm("/auth", form)); got.Refresh != nil {
		t.Errorf("got refresh token %q", *got.Refresh)
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
		"the query":          {"?" + good, formType, ""},
		"a repeated field":   {"", formType, good + "&password=demo"},
		"a body without end": {"", formType, good + "&x=" + strings.Repeat("x", 1<<20)},
		"two credentials":    {"", formType, good + "&client_secret=demo-secret"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			request := s.request(http.MethodPost, "/auth/connect/token"+c.query, c.body, "Content-Type", c.kind)
			request.SetBasicAuth("gatehouse-demo", "demo-secret")
			wantTokenError(t, s.do(request), 400, "invalid_request")
		})
	}
}

func TestAWrongBasicHeaderIsChallenged(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, header := range []string{"Basic Z2F0ZWhvdXNlLWRlbW86d3Jvbmc=", "Basic ???", "Bearer demo-secret"} {
		form := passwordForm("ada@harbor.example").Encode()
		a := s.do(s.request(http.MethodPost, "/auth/connect/token", form, "Content-Type", formType, "Authorization", header))
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
