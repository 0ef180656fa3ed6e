package activity

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/har"
	"gatehouse/internal/secret"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
)

// The secrets of a whole run: those the program sends, and those it is given.
var canaries = struct{ password, plain, directory, clientSecret, apiKey, refresh, id, domainToken, confirmKey, session string }{
	"canary pass wörd+/\"", "canary-plain&=", "canary-directory", "canary client/secret", "canary-api-key", "canary-refresh/+", "canary-id-token",
	"canary-domain-token", "canary-confirm-key", "canary-session",
}

// canaryToken is a JWT; none of its parts may be seen.
func canaryToken() string {
	part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	return part(`{"alg":"none"}`) + "." + part(`{"sub":"ann@harbor.example","primary_domain":"harbor.example"}`) + ".canary-signature"
}

// careless answers as the service does or, when it echoes, with all it was sent:
// in its headers and in JSON, raw and encoded.
type careless struct{ echo bool }

func (c *careless) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	dump, _ := httputil.DumpRequest(r, true)
	w.Header().Set("Set-Cookie", "sid="+canaries.session)
	w.Header().Set("X-Access-Token", canaryToken())
	w.Header().Set("Content-Type", "application/json")
	if c.echo {
		_, credential, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		c.repeat(w, string(dump), []byte(credential))
		return
	}
	answer := func(value any) { _ = json.NewEncoder(w).Encode(value) }
	switch {
	case strings.HasSuffix(r.URL.Path, "/connect/token"):
		answer(map[string]any{
			"access_token": canaryToken(), "refresh_token": canaries.refresh, "id_token": canaries.id,
			"token_type": "Bearer", "expires_in": 86400, "session_state": canaries.session,
		})
	case r.URL.Path == "/login2.aspx":
		answer(map[string]any{
			"ErrorCode": "U100", "ConfirmKey": canaries.confirmKey, "DeviceId": "9c1f",
			"PrimaryUserDomain": map[string]any{"UserDomainToken": canaries.domainToken},
			"UserDomains":       []any{map[string]any{"UserDomainToken": canaries.domainToken, "Password": canaries.password}},
		})
	case r.URL.Path == "/getuserdomain.aspx":
		_, _ = io.WriteString(w, "ann@harbor.example,harbor.example")
	default:
		answer(map[string]any{"Data": []any{map[string]any{"Name": "Contracts", "AccessToken": canaryToken()}}})
	}
}

func (c *careless) repeat(w http.ResponseWriter, dump string, credential []byte) {
	decoded, _ := url.QueryUnescape(dump)
	w.Header().Set("Server", strings.Join(strings.Fields(dump), " "))
	w.Header().Set("X-Request-Id", hex.EncodeToString(credential))
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"error": "invalid_grant", "error_description": decoded, "Message": dump,
		dump:      []string{decoded, base64.StdEncoding.EncodeToString(credential)},
		"Nothing": "to hide",
	})
}

// A run of everything the program does leaves no secret in the log, in what is
// copied and saved of it, and on the screen.
func TestNothingSecretReachesTheLogOrWhatIsMadeOfIt(t *testing.T) {
	uitest.Run(t, func(t *testing.T, network *uitest.Service) {
		service := &careless{}
		url := network.Handle(service)
		d := newDesk(t)
		profile := &config.Profile{
			Name: "main", Authority: config.AuthorityMain, AuthURL: url, BaseURL: url, GlobalURL: url,
			ClientID: "client", ClientAuth: config.ClientAuthBasic, ClientSecret: secret.New(canaries.clientSecret),
			APIKey: secret.New(canaries.apiKey), Scope: "openid offline_access", Store: config.StoreMemory,
		}
		for _, profile.ClientAuth = range []string{config.ClientAuthBasic, config.ClientAuthBody} {
			s := session.NewService(session.ServiceOptions{Profile: profile, Vault: session.NewMemoryVault(), Observe: d.log.Add, Dial: network.Dial})
			t.Cleanup(func() { _ = s.Close() })
			for _, service.echo = range []bool{false, true} {
				runOfEverything(t, s, service.echo)
			}
		}
		if got := len(d.log.Requests()); got != 2*2*6 {
			t.Fatalf("%d requests were made", got)
		}
		requireNoCanaries(t, d)
	})
}

func runOfEverything(t *testing.T, s *session.Service, refused bool) {
	t.Helper()
	ctx := t.Context()
	check := func(what string, err error) {
		t.Helper()
		if (err != nil) != refused {
			t.Errorf("%s: %v", what, err)
		}
	}
	check("sign in", s.Session.SignIn(ctx, session.SignIn{Username: "ann@harbor.example", Password: secret.New(canaries.password)}))
	body, err := s.Shares(ctx, "", "")
	check("shares", drained(body, err))
	body, err = s.Companies(ctx, "harbor.example", "reseller-1", secret.Text{})
	check("companies", drained(body, err))
	_, err = s.Lookup(ctx, "ann@harbor.example")
	check("lookup", err)
	_, err = s.DeviceLogin(ctx, api.DeviceLoginRequest{
		DeviceName: "laptop", Email: "ann@harbor.example", Password: secret.New(canaries.password),
		PlainPassword: secret.New(canaries.plain), ActiveDirectoryToken: secret.New(canaries.directory),
	})
	check("device login", err)
	check("renew", s.Session.Renew(ctx)) // last, for a refusal ends the session
}

func drained(body *api.Body, err error) error {
	if err == nil {
		_, err = body.ReadAll()
	}
	return err
}

func requireNoCanaries(t *testing.T, d *desk) {
	t.Helper()
	var requests []*api.Exchange
	entries, _, _ := d.log.all()
	for _, e := range entries {
		requests = append(requests, e.Exchange)
		requireHarmless(t, "the exchange "+e.Exchange.Path, fmt.Sprintf("%+v", *e.Exchange))
		requireHarmless(t, "the command of "+e.Exchange.Path, curl(e.Exchange))
		requireHarmless(t, "the document of "+e.Exchange.Path, string(document(e.Exchange)))
	}
	var archive bytes.Buffer
	if err := har.Write(&archive, "v1", requests); err != nil {
		t.Fatal(err)
	}
	requireHarmless(t, "the archive", archive.String())
	if !strings.Contains(archive.String(), "U100") || !strings.Contains(archive.String(), "invalid_grant") {
		t.Errorf("the bodies are not in the archive:\n%s", archive.String())
	}
	requireHarmless(t, "the list", d.frame(400, 40))
	for range entries {
		d.press("enter")
		requireHarmless(t, "the detail", d.frame(400, 100))
		d.press("t", "+")
		requireHarmless(t, "the tree of the detail", d.frame(400, 100))
		d.press("t", "esc", "j")
	}
}

// requireHarmless looks for the secrets, and for the word they have in common.
func requireHarmless(t *testing.T, what, text string) {
	t.Helper()
	c, search := canaries, new(testkit.SecretSearcher)
	for _, secret := range []string{
		c.password, c.plain, c.directory, c.clientSecret, c.apiKey, c.refresh, c.id, c.domainToken, c.confirmKey, c.session, canaryToken(),
	} {
		search.Add(secret, secret)
	}
	if hits := search.Find(text); len(hits) > 0 || strings.Contains(text, "canary") {
		t.Errorf("%s shows %+v:\n%s", what, hits, text)
	}
}
