package demo

import (
	_ "embed"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/golang-jwt/jwt/v5"
)

const (
	resellerID   = "7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314"
	resellerName = "Harbor Cloud Partners"

	companyCount   = 25
	firstCompanyID = 4101
)

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
	if refused := s.authorizeShares(r, email); refused != nil {
		refuse(w, refused)
		return
	}
	owner, found := findAccount(email)
	if !found {
		refuse(w, &refusal{status: http.StatusBadRequest, message: "The user was not found."})
		return
	}
	at, reaches := owner.in(domain)
	if !reaches || at.refused {
		refuse(w, &refusal{status: http.StatusForbidden, message: "The user has no access to " + domain + "."})
		return
	}
	if at.takes > 0 && !pause(r, at.takes) {
		return
	}
	reference := digestHex("shares", domain, owner.email)
	if at.many > 0 {
		writeList(w, r, reference, manyShares(owner.email, at))
		return
	}
	writeList(w, r, reference, listOf(records().Shares[owner.email+" "+domain]))
}

func (s *Server) authorizeShares(r *http.Request, email string) *refusal {
	switch scheme, credential := authorization(r); {
	case strings.EqualFold(scheme, "Bearer"):
		return s.authorizeBearer(credential, email)
	case strings.EqualFold(scheme, "ApiKey") && credential == s.secrets.CompanyKey:
		return nil
	case strings.EqualFold(scheme, "ApiKey") && credential == s.secrets.ResellerKey:
		return &refusal{status: http.StatusForbidden, message: "A reseller key cannot read shares."}
	case strings.EqualFold(scheme, "ApiKey"):
		return wrongKey()
	}
	return &refusal{http.StatusUnauthorized, "Bearer", "Sign in first."}
}

func (s *Server) authorizeBearer(token, email string) *refusal {
	claims, err := s.verify(token)
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return invalidToken("The access token has expired.")
	case err != nil:
		return invalidToken("The access token is not valid.")
	case !s.tokens.alive(claims.SessionID):
		return invalidToken("The session of the access token has ended.")
	case !strings.EqualFold(claims.Subject, email):
		return &refusal{status: http.StatusForbidden, message: "You cannot read the shares of another user."}
	}
	return nil
}

// companies serves GET /api/resellers/{resellerId}/companies (interface
// section 4.3). An unknown reseller gives 400, like every refusal of the field
// notes.
func (s *Server) companies(w http.ResponseWriter, r *http.Request) {
	domain := strings.ToLower(r.PathValue("domain"))
	if !domainExists(domain) {
		notFound(w, r)
		return
	}
	scheme, key := authorization(r)
	if !strings.EqualFold(scheme, "ApiKey") || key != s.secrets.ResellerKey && key != s.secrets.CompanyKey {
		refuse(w, wrongKey())
		return
	}
	if !strings.EqualFold(r.PathValue("resellerId"), resellerID) {
		refuse(w, &refusal{status: http.StatusBadRequest, message: "The reseller was not found."})
		return
	}
	writeList(w, r, digestHex("companies", domain), listOf(records().Companies))
}

// authorization splits the Authorization header.
func authorization(r *http.Request) (scheme, credential string) {
	scheme, credential, _ = strings.Cut(r.Header.Get("Authorization"), " ")
	return scheme, strings.TrimSpace(credential)
}

func invalidToken(message string) *refusal {
	return &refusal{http.StatusUnauthorized, `Bearer error="invalid_token", error_description="` + message + `"`, message}
}

func wrongKey() *refusal {
	return &refusal{http.StatusUnauthorized, "ApiKey", "The API key is not valid."}
}
