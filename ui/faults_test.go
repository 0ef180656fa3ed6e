package ui

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"gatehouse/internal/hostile"
)

// behind lets the variables point at their service through faults of the test's
// own.
func behind(t *testing.T, v variables) *hostile.Faults {
	t.Helper()
	service, err := url.Parse(v["GATEHOUSE_AUTH_URL"])
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: service.Scheme, Host: service.Host})
	proxy.ErrorLog = log.New(io.Discard, "", 0) // of those who gave up
	faults := &hostile.Faults{}
	front := httptest.NewServer(faults.Wrap(proxy))
	t.Cleanup(func() {
		front.CloseClientConnections() // of those who still wait
		front.Close()
	})
	for name, value := range v {
		v[name] = strings.ReplaceAll(value, "http://"+service.Host, front.URL)
	}
	return faults
}

// busy is a service that has no time for anybody.
func busy() hostile.Rule {
	return hostile.Rule{Fault: hostile.Respond(http.StatusServiceUnavailable, "", "", "Retry-After", "0")}
}

// revoke ends the session of everybody who does not sign in after it.
func revoke(faults *hostile.Faults) {
	faults.Set(
		hostile.Rule{Endpoint: hostile.PasswordGrant, Fault: func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
			faults.Set()
			answer.ServeHTTP(w, r)
		}},
		hostile.Rule{Endpoint: hostile.RefreshGrant, Fault: hostile.Respond(http.StatusBadRequest, "application/json", `{"error":"invalid_grant"}`)},
		hostile.Rule{Fault: hostile.Respond(http.StatusUnauthorized, "", "")},
	)
}
