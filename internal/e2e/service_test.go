package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// The secrets of a person and of the program. Their last characters look
// different in a URL.
const (
	thePerson    = "ann@harbor.example"
	thePassword  = "canary+password/="
	theClient    = "canary+client/="
	theKey       = "canary+key/="
	thePhrase    = "canary+passphrase/="
	theRefreshes = "canary+refresh/=" // each refresh token begins with it
)

// service is a token endpoint whose refresh tokens rotate, and a gateway with a
// share and a company.
type service struct {
	*httptest.Server

	mu              sync.Mutex
	issued          int
	refresh         string // the one that is good
	renewals, again int    // refresh tokens that were good, and that were not

	// Set before the first request: a refresh token is announced, and answered when it may be.
	arrived, answer chan struct{}
}

func newService(t testing.TB) *service {
	s := &service{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// env are the variables of somebody who uses the service from a home directory.
func (s *service) env(home string) []string {
	return []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/config", "XDG_STATE_HOME=" + home + "/state", "TMPDIR=" + home,
		"GATEHOUSE_STORE=file", "GATEHOUSE_STORE_PASSPHRASE=" + thePhrase,
		"GATEHOUSE_AUTH_URL=" + s.URL, "GATEHOUSE_BASE_URL=" + s.URL, "GATEHOUSE_GLOBAL_URL=" + s.URL,
		"GATEHOUSE_CLIENT_ID=client", "GATEHOUSE_CLIENT_SECRET=" + theClient, "GATEHOUSE_API_KEY=" + theKey,
	}
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path != "/connect/token" {
		_, _ = io.WriteString(w, `{"Data":[{"Name":"one"}]}`)
		return
	}
	_ = r.ParseForm()
	if s.answer != nil && r.Form.Get("grant_type") == "refresh_token" {
		s.arrived <- struct{}{}
		<-s.answer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	good := r.Form.Get("password") == thePassword
	if r.Form.Get("grant_type") == "refresh_token" {
		if good = r.Form.Get("refresh_token") == s.refresh; good {
			s.renewals++
		} else {
			s.again++
		}
	}
	if !good {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant"}`)
		return
	}
	s.issued++
	s.refresh = fmt.Sprint(theRefreshes, s.issued)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"access_token": accessToken(s.issued), "refresh_token": s.refresh, "token_type": "Bearer", "expires_in": 86400,
	})
}

// accessToken is the n-th one that is issued.
func accessToken(n int) string {
	segment := base64.RawURLEncoding.EncodeToString
	claims := fmt.Sprintf(`{"jti":%d,"sub":%q,"primary_domain":"harbor.example"}`, n, thePerson)
	return strings.Join([]string{segment([]byte(`{"alg":"none"}`)), segment([]byte(claims)), segment([]byte("canary signature"))}, ".")
}
