package demo

import (
	_ "embed"
	"encoding/json"
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

// How far the clock of a gateway is behind, and how long others take to answer.
const (
	tideBehind   = 10 * time.Minute
	estuaryPause = 2 * time.Second
	waitsPause   = 1200 * time.Millisecond // of [Account.waits]
)

const (
	// balancerPage is what a load balancer answers in place of a gateway that is down.
	balancerPage = "<html><body><h1>503 Service Unavailable</h1>\n" +
		"No server is available to handle this request.\n</body></html>\n"
	// guestPage is what a network answers that asks for a sign-in first (RFC 6585 section 6).
	guestPage = "<html><head><title>Quayside guest network: please sign in</title></head>" +
		"<body></body></html>\n"
)

// gateway is the gateway of a domain, with the trouble that it has. next answers if the trouble
// lets it.
func (s *Server) gateway(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		domain := strings.ToLower(r.PathValue("domain"))
		switch {
		case domain == shoal:
			writePage(w, http.StatusServiceUnavailable, balancerPage)
			return
		case domain == lagoon && !isOverTLS(r):
			// TLS is spoken at the same port.
			http.Redirect(w, r, "https://"+r.Host+r.URL.RequestURI(), http.StatusPermanentRedirect)
			return
		case domain == tide:
			w.Header().Set("Date", s.now().Add(-tideBehind).UTC().Format(http.TimeFormat))
		case domain == estuary && !pause(r, estuaryPause):
			return
		case domain == quayside:
			writePage(w, http.StatusNetworkAuthenticationRequired, guestPage)
			return
		case domain == strait:
			w.Header().Set("Retry-After", "2")
			refuse(w, http.StatusTooManyRequests, "Too many requests. Try again later.")
			return
		}
		next(w, r)
	})
}

// pause waits, and reports whether the client is still there then.
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

// records are the short lists of the gateway. The interface does not show their fields: those of
// shares are as clients of such a service see them, those of companies are made up. Some records
// lack a field, have null in place of an object, or have one more field.
var records = sync.OnceValue(func() (r struct {
	Companies []json.RawMessage
	Shares    map[string][]json.RawMessage // by the e-mail address of an account and a domain
}) {
	_ = json.Unmarshal(recordsFile, &r) // it is part of the program, and tests read all of it
	return r
})

// listOf is a list of records that have been made already.
func listOf(records []json.RawMessage) list {
	return list{
		count:  len(records),
		append: func(dst []byte, i int) []byte { return append(dst, records[i]...) },
	}
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
			challenge := `Bearer error="invalid_token", error_description="` + complaint + `"`
			unauthorized(w, challenge, complaint)
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
	case owner.waits == domain && !pause(r, waitsPause):
	default:
		writeList(w, digestHex("shares", domain, owner.Email), sharesOf(&owner, domain))
	}
}

// sharesOf are the shares of an account in a domain.
func sharesOf(a *Account, domain string) list {
	if a.shares > 0 {
		return manyShares(a, domain)
	}
	return listOf(records().Shares[a.Email+" "+domain])
}

// companies serves GET /api/resellers/{resellerId}/companies (interface
// section 4.3). An unknown reseller gives 400, like every refusal of the field
// notes.
func (s *Server) companies(w http.ResponseWriter, r *http.Request) {
	domain := strings.ToLower(r.PathValue("domain"))
	scheme, key := authorization(r)
	secrets := s.options.Secrets
	isKey := scheme == "apikey" && (key == secrets.ResellerKey || key == secrets.CompanyKey)
	switch {
	case !domainExists(domain):
		notFound(w, r)
	case !isKey:
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
