package demo

import (
	_ "embed"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	resellerID   = "7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314"
	resellerName = "Harbor Cloud Partners"

	companyCount   = 25
	firstCompanyID = 4101
)

// Domains whose gateway has a trouble, which everybody there meets.
const (
	shoal    = "shoal.example"    // down
	lagoon   = "lagoon.example"   // its certificate expired yesterday
	tide     = "tide.example"     // its clock is slow
	estuary  = "estuary.example"  // it answers slowly
	strait   = "strait.example"   // too busy to answer
	quayside = "quayside.example" // a network in between asks for a sign-in first
)

// gateway answers whatever is asked of the gateway of a domain, with the trouble that it has.
func (s *Server) gateway(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		domain := strings.ToLower(r.PathValue("domain"))
		switch {
		case domain == shoal: // as a load balancer answers for it
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n")
			return
		case domain == lagoon && !isOverTLS(r):
			// The host stays, and so does the port, where both are spoken.
			http.Redirect(w, r, "https://"+r.Host+r.URL.RequestURI(), http.StatusPermanentRedirect)
			return
		case domain == tide:
			w.Header().Set("Date", s.now().Add(-10*time.Minute).UTC().Format(http.TimeFormat))
		case domain == estuary && !pause(r, 2*time.Second):
			return
		case domain == quayside: // RFC 6585 section 6
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusNetworkAuthenticationRequired)
			_, _ = io.WriteString(w, "<html><head><title>Quayside guest network: please sign in</title></head><body></body></html>\n")
			return
		case domain == strait:
			w.Header().Set("Retry-After", "2")
			refuse(w, http.StatusTooManyRequests, "Too many requests. Try again later.")
			return
		}
		next(w, r)
	})
}

// pause reports whether the client is still there after a while.
func pause(r *http.Request, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-r.Context().Done():
		return false
	}
}

//go:embed records.json
var recordsFile []byte

// records are the short lists of the gateway. Shares are those of an account in a domain. The
// interface does not show the fields: those of shares are as clients of such a service see them,
// those of companies are made up. Here and there a record lacks a field, has null in place of an object, or one field more.
var records = sync.OnceValue(func() (r struct {
	Companies []json.RawMessage
	Shares    map[string][]json.RawMessage // by e-mail address and domain
}) {
	_ = json.Unmarshal(recordsFile, &r) // it is part of the program, and the tests read it
	return r
})

func listOf(records []json.RawMessage) list {
	return list{count: len(records), append: func(dst []byte, i int) []byte { return append(dst, records[i]...) }}
}

// shares serves GET /api/users/{userId}/shares (interface section 4.2). A
// bearer reads the shares of its own user, a company key those of any user.
//
// The interface shows only status 401; the others are chosen here: 403 for
// what a good credential may not read, 400 for a user nobody knows, 404 for a
// domain nobody knows.
func (s *Server) shares(w http.ResponseWriter, r *http.Request) {
	domain, email := strings.ToLower(r.PathValue("domain")), r.PathValue("userId")
	if !domainExists(domain) {
		notFound(w, r)
		return
	}
	switch scheme, credential := authorization(r); {
	case scheme == "bearer":
		subject, complaint := s.verify(credential)
		if complaint != "" {
			unauthorized(w, `Bearer error="invalid_token", error_description="`+complaint+`"`, complaint)
			return
		}
		if !strings.EqualFold(subject, email) {
			refuse(w, http.StatusForbidden, "You cannot read the shares of another user.")
			return
		}
	case scheme != "apikey":
		unauthorized(w, "Bearer", "Sign in first.")
		return
	case credential == s.options.Secrets.ResellerKey:
		refuse(w, http.StatusForbidden, "A reseller key cannot read shares.")
		return
	case credential != s.options.Secrets.CompanyKey:
		unauthorized(w, "ApiKey", "The API key is not valid.")
		return
	}
	switch owner, found := findAccount(email); {
	case !found:
		refuse(w, http.StatusBadRequest, "The user was not found.")
	case !slices.Contains(owner.domains, domain), owner.denies == domain:
		refuse(w, http.StatusForbidden, "The user has no access to "+domain+".")
	case owner.waits == domain && !pause(r, 1200*time.Millisecond):
	case owner.shares > 0:
		writeList(w, digestHex("shares", domain, owner.Email), manyShares(&owner, domain))
	default:
		writeList(w, digestHex("shares", domain, owner.Email), listOf(records().Shares[owner.Email+" "+domain]))
	}
}

// companies serves GET /api/resellers/{resellerId}/companies (interface
// section 4.3). An unknown reseller gives 400, like every refusal of the field
// notes.
func (s *Server) companies(w http.ResponseWriter, r *http.Request) {
	domain := strings.ToLower(r.PathValue("domain"))
	scheme, key := authorization(r)
	switch {
	case !domainExists(domain):
		notFound(w, r)
	case scheme != "apikey" || key != s.options.Secrets.ResellerKey && key != s.options.Secrets.CompanyKey:
		unauthorized(w, "ApiKey", "The API key is not valid.")
	case !strings.EqualFold(r.PathValue("resellerId"), resellerID):
		refuse(w, http.StatusBadRequest, "The reseller was not found.")
	default:
		writeList(w, digestHex("companies", domain), listOf(records().Companies))
	}
}

// authorization splits the Authorization header. The scheme is in lower case.
func authorization(r *http.Request) (scheme, credential string) {
	scheme, credential, _ = strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.ToLower(scheme), strings.TrimSpace(credential)
}
