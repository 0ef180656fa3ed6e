package demo_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/demo"
	"gatehouse/internal/testkit"
)

// pathsOf are addresses of the gateway of a domain, and the shares of an account there last.
func pathsOf(domain, account string) []string {
	base := "/gateway/" + domain
	return []string{base, base + "/", base + "/anything", companiesPath(domain, reseller), sharesPath(domain, account)}
}

func TestATroubledGatewayHasItsTroubleAtEveryAddress(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, c := range []struct {
		domain, account string
		status          int
		header, value   string
	}{
		{"shoal.example", "kit@harbor.example", http.StatusServiceUnavailable, "Content-Type", "text/html; charset=utf-8"},
		{"strait.example", "quin@harbor.example", http.StatusTooManyRequests, "Retry-After", "2"},
		{"quayside.example", "uma@harbor.example", http.StatusNetworkAuthenticationRequired, "Content-Type", "text/html; charset=utf-8"},
		{"lagoon.example", "lena@harbor.example", http.StatusPermanentRedirect, "", ""},
		{"SHOAL.example", "kit@harbor.example", http.StatusServiceUnavailable, "", ""},
	} {
		for _, path := range pathsOf(c.domain, c.account) {
			a := s.get(path, "Bearer "+s.signIn(c.account).Access)
			if a.status != c.status || c.header != "" && a.header.Get(c.header) != c.value {
				t.Errorf("%s: %d %v, want %d with %s %q", path, a.status, a.header, c.status, c.header, c.value)
			}
			if location := a.header.Get("Location"); c.status == http.StatusPermanentRedirect &&
				location != strings.Replace(s.URL(), "http:", "https:", 1)+path {
				t.Errorf("%s leads to %q", path, location)
			}
		}
	}
}

func TestTheCertificateEndedADayAgoAndIsGoodBesides(t *testing.T) {
	t.Parallel()
	s := start(t)
	trusting := func(config *tls.Config) *http.Client {
		config.RootCAs = s.Roots()
		transport := &http.Transport{TLSClientConfig: config}
		t.Cleanup(transport.CloseIdleConnections)
		return &http.Client{Transport: transport}
	}
	shares := s.request(http.MethodGet, sharesPath("lagoon.example", "lena@harbor.example"), "", "Authorization", "ApiKey demo-company-key")

	_, err := trusting(&tls.Config{Time: s.clock.now}).Do(shares)
	refused, ok := errors.AsType[x509.CertificateInvalidError](err)
	if !ok || refused.Reason != x509.Expired {
		t.Fatalf("got %v, want a certificate that ended", err)
	}
	if ended := s.clock.now().Sub(refused.Cert.NotAfter); ended != 24*time.Hour {
		t.Errorf("the certificate ended %v ago", ended)
	}

	twoDaysAgo := func() time.Time { return s.clock.now().AddDate(0, 0, -2) }
	s.http = trusting(&tls.Config{Time: twoDaysAgo})
	if a := s.do(shares); a.status != http.StatusOK || len(list(t, a).Data) != 8 {
		t.Errorf("two days ago: %d %.200s", a.status, a.body)
	}
}

func TestAClockIsTenMinutesSlowAtOneGatewayAlone(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, path := range pathsOf("tide.example", "milo@harbor.example") {
		if got, want := s.get(path, "").header.Get("Date"), "Sun, 01 Mar 2026 11:50:00 GMT"; got != want {
			t.Errorf("%s: Date is %q, want %q", path, got, want)
		}
	}
	if got, want := s.get("/gateway/harbor.example", "").header.Get("Date"), "Sun, 01 Mar 2026 12:00:00 GMT"; got != want {
		t.Errorf("elsewhere: Date is %q, want %q", got, want)
	}
	a := s.get(sharesPath("tide.example", "milo@harbor.example"), "Bearer "+s.signIn("milo@harbor.example").Access)
	if a.status != http.StatusOK || len(list(t, a).Data) != 10 {
		t.Errorf("the shares there: %d %.200s", a.status, a.body)
	}
}

func TestASlowGatewayTakesTwoSecondsForEveryAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := testkit.NewNetwork()
		s := startWith(t, demo.Options{Listener: network.Listen()})
		s.http.Transport.(*http.Transport).DialContext = network.Dial
		for _, path := range pathsOf("estuary.example", "pia@harbor.example") {
			began := time.Now()
			s.get(path, "")
			if took := time.Since(began); took != 2*time.Second {
				t.Errorf("%s took %v", path, took)
			}
		}
	})
}

func TestADomainThatATokenNamesMayRefuseItsUser(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, c := range []struct {
		account, domain string
		status          int
	}{
		{"nora@harbor.example", "harbor.example", http.StatusForbidden},
		{"olaf@harbor.example", "minato.example", http.StatusForbidden},
		{"olaf@harbor.example", "harbor.example", http.StatusOK},
	} {
		a := s.get(sharesPath(c.domain, c.account), "Bearer "+s.signIn(c.account).Access)
		if a.status != c.status {
			t.Errorf("%s in %s: %d, want %d", c.account, c.domain, a.status, c.status)
		}
	}
}
