package session

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"gatehouse/api"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

// overTLS is the URL of a handler behind a certificate of an authority.
func overTLS(t *testing.T, authority *testkit.Authority, handler http.Handler) string {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{authority.Issue(nil)}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

func TestTheAuthoritiesOfAProfileAreTrustedForEveryRequest(t *testing.T) {
	trusted := testkit.NewAuthority(t)
	a, b := newAuthority(t), newBackend(t)
	auth, rest := overTLS(t, trusted, a), overTLS(t, trusted, b.Config.Handler)
	failures := func(roots func() *x509.CertPool) map[string]error {
		p := a.profile()
		p.AuthURL, p.BaseURL, p.GlobalURL, p.Roots = auth, rest, rest, roots
		p.APIKey = secret.New("key")
		s := NewService(ServiceOptions{Profile: p, Vault: NewMemoryVault()}) // certificates are judged by its clock
		failed := map[string]error{}
		failed["sign in"] = s.Session.SignIn(t.Context(), credentials)
		_, failed["shares"] = s.Shares(t.Context(), "", "")
		_, failed["companies"] = s.Companies(t.Context(), "", "r", secret.Text{})
		_, failed["probe"] = s.Probe(t.Context(), api.GatewayPlace(rest))
		_, failed["look-up"] = s.Lookup(t.Context(), user)
		_, failed["device login"] = s.DeviceLogin(t.Context(), api.DeviceLoginRequest{Email: user, Password: secret.New("x"), DeviceName: "n"})
		return failed
	}
	for call, err := range failures(trusted.Pool) {
		if err != nil {
			t.Errorf("%s: %v", call, err)
		}
	}
	for call, err := range failures(testkit.NewAuthority(t).Pool) {
		if err == nil {
			t.Errorf("%s: a certificate of another authority is accepted", call)
		}
	}
}
