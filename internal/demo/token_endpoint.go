package demo

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// ClientID is the id of the only client of the service.
const ClientID = "gatehouse-demo"

const formLimit = 64 << 10 // bytes

// tokenError is a refusal of the token endpoint. The interface does not show
// it; this is the form of RFC 6749 section 5.2.
type tokenError struct {
	status      int
	Code        string `json:"error"`
	Description string `json:"error_description,omitempty"`
}

func (e *tokenError) Error() string { return e.Code + ": " + e.Description }

func tokenRefusal(code, format string, args ...any) error {
	return &tokenError{http.StatusBadRequest, code, fmt.Sprintf(format, args...)}
}

// authority is one token endpoint (interface section 4.1).
type authority struct {
	issuer string
	domain string // a local authority serves users of this primary domain only; empty serves everybody
}

// authorityOf tells which authority a request addresses.
func (s *Server) authorityOf(r *http.Request) (authority, bool) {
	base := strings.TrimSuffix(r.URL.Path, "/connect/token")
	domain := strings.ToLower(r.PathValue("domain"))
	if domain == "" {
		return authority{issuer: s.url + base}, true
	}
	return authority{s.url + localAuthorityPath + domain, domain}, domainExists(domain)
}

// token serves POST /connect/token of every authority.
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	at, known := s.authorityOf(r)
	if !known {
		notFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	response, err := s.grant(w, r, at)
	if err == nil {
		writeJSON(w, http.StatusOK, response)
		return
	}
	var refused *tokenError
	if !errors.As(err, &refused) {
		refused = &tokenError{status: http.StatusInternalServerError, Code: "server_error"}
	}
	if refused.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Basic realm="token"`)
	}
	writeJSON(w, refused.status, refused)
}

func (s *Server) grant(w http.ResponseWriter, r *http.Request, at authority) (tokenResponse, error) {
	form, err := readForm(w, r)
	if err != nil {
		return tokenResponse{}, err
	}
	if err := s.authenticateClient(r, form); err != nil {
		return tokenResponse{}, err
	}
	switch grantType := form.Get("grant_type"); grantType {
	case "password":
		return s.passwordGrant(form, at)
	case "refresh_token":
		return s.refreshGrant(form, at)
	case "":
		return tokenResponse{}, tokenRefusal("invalid_request", "grant_type is missing")
	default:
		return tokenResponse{}, tokenRefusal("unsupported_grant_type", "the grants are password and refresh_token")
	}
}

func (s *Server) passwordGrant(form url.Values, at authority) (tokenResponse, error) {
	for _, field := range []string{"username", "password"} {
		if form.Get(field) == "" {
			return tokenResponse{}, tokenRefusal("invalid_request", "%s is missing", field)
		}
	}
	scope, err := parseScope(form.Get("scope"))
	if err != nil {
		return tokenResponse{}, err
	}
	a, ok := s.authenticate(form.Get("username"), form.Get("password"))
	if !ok {
		return tokenResponse{}, tokenRefusal("invalid_grant", "the user name or the password is wrong")
	}
	if at.domain != "" && at.domain != a.primaryDomain() {
		return tokenResponse{}, tokenRefusal("invalid_grant", "this authority serves users of %s only", at.domain)
	}
	renewable := slices.Contains(scope, "offline_access")
	return s.issue(s.tokens.begin(at.issuer, strings.Join(scope, " "), a, renewable))
}

func (s *Server) refreshGrant(form url.Values, at authority) (tokenResponse, error) {
	refresh := form.Get("refresh_token")
	if refresh == "" {
		return tokenResponse{}, tokenRefusal("invalid_request", "refresh_token is missing")
	}
	f, err := s.tokens.renew(at.issuer, refresh)
	if err != nil {
		return tokenResponse{}, err
	}
	return s.reissue(f)
}

// readForm reads the body alone: a password in the query is not looked at.
func readForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, tokenRefusal("invalid_request", "the body must be application/x-www-form-urlencoded")
	}
	r.Body = http.MaxBytesReader(w, r.Body, formLimit)
	if err := r.ParseForm(); err != nil {
		return nil, tokenRefusal("invalid_request", "the form cannot be read")
	}
	for field, values := range r.PostForm {
		if len(values) > 1 {
			return nil, tokenRefusal("invalid_request", "%s is given more than once", field)
		}
	}
	return r.PostForm, nil
}

// authenticateClient accepts the client's credentials from the Authorization
// header or from the form, and refuses both at once as RFC 6749 section 2.3
// does. A wrong header gives 401, a wrong form 400.
func (s *Server) authenticateClient(r *http.Request, form url.Values) error {
	id, secret := form.Get("client_id"), form.Get("client_secret")
	status := http.StatusBadRequest
	if r.Header.Get("Authorization") != "" {
		if secret != "" {
			return tokenRefusal("invalid_request", "client credentials are in the header and in the body")
		}
		status = http.StatusUnauthorized
		id, secret, _ = r.BasicAuth()
	}
	if id != ClientID || secret != s.secrets.ClientSecret {
		return &tokenError{status, "invalid_client", "the client id or the client secret is wrong"}
	}
	return nil
}

// parseScope splits a scope, which the password grant requires, and accepts
// the values that the interface calls always usable.
func parseScope(scope string) ([]string, error) {
	values := strings.Fields(scope)
	if len(values) == 0 {
		return nil, tokenRefusal("invalid_scope", "scope is missing")
	}
	for _, value := range values {
		switch value {
		case "openid", "profile", "domain_api", "offline_access":
		default:
			return nil, tokenRefusal("invalid_scope", "the scopes are openid profile domain_api offline_access")
		}
	}
	return values, nil
}
