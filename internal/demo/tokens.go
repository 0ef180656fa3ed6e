package demo

import (
	"cmp"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// ClientID is the id of the only client of the service.
const ClientID = "gatehouse-demo"

// Lives of tokens (interface section 8). That of a refresh token runs from the sign-in;
// rotation does not extend it.
const (
	accessLifetime  = 24 * time.Hour
	refreshLifetime = 30 * 24 * time.Hour
)

// tokenResponse is the answer of the token endpoint (interface section 2.1).
type tokenResponse struct {
	AccessToken  string `json:"access_token"`
	ExpiresIn    int64  `json:"expires_in"`
	TokenType    string `json:"token_type"`
	RefreshToken string `json:"refresh_token,omitempty"`
	IDToken      string `json:"id_token,omitempty"`
}

// tokenError is a refusal of the token endpoint. The interface does not show
// it; this is the form of RFC 6749 section 5.2.
type tokenError struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

// refuseGrant is the refusal of a grant.
func refuseGrant(code, description string) (tokenResponse, *tokenError) {
	return tokenResponse{}, &tokenError{code, description}
}

// family is one sign-in and every token that descends from it.
type family struct {
	id       string
	issuer   string
	scope    string
	account  Account
	signedIn time.Time
	refresh  string // the only one that can still be used; "" without offline_access
	revoked  bool
}

// token serves POST /connect/token of every authority (interface section 4.1). A local authority
// serves users of its primary domain only.
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	domain := strings.ToLower(r.PathValue("domain"))
	if domain != "" && !domainExists(domain) {
		notFound(w, r)
		return
	}
	issuer := s.url + strings.ToLower(strings.TrimSuffix(r.URL.Path, tokenPath))
	w.Header().Set("Cache-Control", "no-store")
	response, refused := s.grant(w, r, issuer, domain)
	switch {
	case refused == nil:
		writeJSON(w, http.StatusOK, response)
	case refused.Code == "invalid_client" && r.Header.Get("Authorization") != "":
		w.Header().Set("WWW-Authenticate", `Basic realm="token"`)
		writeJSON(w, http.StatusUnauthorized, refused)
	default:
		writeJSON(w, http.StatusBadRequest, refused)
	}
}

// grant answers a request for tokens. domain is that of a local authority, or "".
func (s *Server) grant(
	w http.ResponseWriter, r *http.Request, issuer, domain string,
) (tokenResponse, *tokenError) {
	form, refused := readForm(w, r)
	if refused == nil {
		refused = s.authenticateClient(r, form)
	}
	if refused != nil {
		return tokenResponse{}, refused
	}
	switch form.Get("grant_type") {
	case "password":
		return s.passwordGrant(form, issuer, domain)
	case "refresh_token":
		return s.refreshGrant(form.Get("refresh_token"), issuer)
	case "":
		return refuseGrant("invalid_request", "grant_type is missing")
	}
	return refuseGrant("unsupported_grant_type", "the grants are password and refresh_token")
}

// formType is the media type of a request for tokens.
const formType = "application/x-www-form-urlencoded"

// readForm reads the body alone, so that a password in the query is not accepted.
func readForm(w http.ResponseWriter, r *http.Request) (url.Values, *tokenError) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != formType {
		return nil, &tokenError{"invalid_request", "the body must be " + formType}
	}
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	if err := r.ParseForm(); err != nil {
		return nil, &tokenError{"invalid_request", "the form cannot be read"}
	}
	for field, values := range r.PostForm {
		if len(values) > 1 {
			return nil, &tokenError{"invalid_request", field + " is given more than once"}
		}
	}
	return r.PostForm, nil
}

// authenticateClient accepts the client's credentials from the Authorization
// header or from the form, and refuses both at once as RFC 6749 section 2.3
// does.
func (s *Server) authenticateClient(r *http.Request, form url.Values) *tokenError {
	id, secret := form.Get("client_id"), form.Get("client_secret")
	if r.Header.Get("Authorization") != "" {
		if secret != "" {
			const complaint = "client credentials are in the header and in the body"
			return &tokenError{"invalid_request", complaint}
		}
		id, secret, _ = r.BasicAuth()
	}
	if id != ClientID || secret != s.options.Secrets.ClientSecret {
		return &tokenError{"invalid_client", "the client id or the client secret is wrong"}
	}
	return nil
}

// scopes are those that the interface calls always usable.
var scopes = []string{"openid", "profile", "domain_api", "offline_access"}

// passwordGrant begins a session with a user name and a password.
func (s *Server) passwordGrant(
	form url.Values, issuer, domain string,
) (tokenResponse, *tokenError) {
	scope := strings.Fields(form.Get("scope"))
	a, ok := s.authenticate(form.Get("username"), form.Get("password"))
	switch {
	case form.Get("username") == "":
		return refuseGrant("invalid_request", "username is missing")
	case form.Get("password") == "":
		return refuseGrant("invalid_request", "password is missing")
	case len(scope) == 0:
		return refuseGrant("invalid_scope", "scope is missing")
	case slices.ContainsFunc(scope, isUnknownScope):
		return refuseGrant("invalid_scope", "the scopes are "+strings.Join(scopes, " "))
	case !ok:
		return refuseGrant("invalid_grant", "the user name or the password is wrong")
	case domain != "" && domain != a.primaryDomain():
		return refuseGrant("invalid_grant", "this authority serves users of "+domain+" only")
	case a.barred.Code != "":
		return refuseGrant(a.barred.Code, a.barred.Description)
	}
	f := family{
		id:       rand.Text(),
		issuer:   issuer,
		scope:    strings.Join(scope, " "),
		account:  a,
		signedIn: s.now(),
	}
	if slices.Contains(scope, "offline_access") && !a.cannotRenew {
		f.refresh = rand.Text()
	}
	kept := f
	s.mu.Lock()
	s.families[f.id] = &kept
	if f.refresh != "" {
		s.byRefresh[f.refresh] = &kept
	}
	s.mu.Unlock()
	return s.issue(f, false), nil
}

// isUnknownScope reports whether a scope cannot be asked for.
func isUnknownScope(value string) bool { return !slices.Contains(scopes, value) }

// refreshGrant renews a session with its refresh token.
func (s *Server) refreshGrant(token, issuer string) (tokenResponse, *tokenError) {
	if token == "" {
		return refuseGrant("invalid_request", "refresh_token is missing")
	}
	f, complaint := s.renew(token, issuer)
	if complaint != "" {
		return refuseGrant("invalid_grant", complaint)
	}
	return s.issue(f, true), nil
}

// renew spends a refresh token and returns its family with the next one. A token that was
// spent before ends the family. An authority knows only the tokens that it issued itself.
func (s *Server) renew(token, issuer string) (renewed family, complaint string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.byRefresh[token]
	switch {
	case f == nil || f.issuer != issuer:
		return family{}, "the refresh token is unknown"
	case f.revoked:
		return family{}, "the session of the refresh token has ended"
	case f.refresh != token:
		f.revoked = true
		return family{}, "the refresh token was used before; its session has ended"
	case !s.now().Before(f.signedIn.Add(refreshLifetime)):
		return family{}, "the refresh token has expired"
	}
	f.refresh = rand.Text()
	s.byRefresh[f.refresh] = f
	return *f, ""
}

// gatewayAudience keeps an id token from passing for an access token.
const gatewayAudience = "domain_api"

// claims is the payload of an access token (interface section 2.2) or of an id token. sid
// leads the gateway to the sign-in that the token descends from.
type claims struct {
	jwt.RegisteredClaims
	ClientID      string `json:"client_id,omitempty"`
	Scope         string `json:"scope,omitempty"`
	SessionID     string `json:"sid"`
	PrimaryDomain string `json:"primary_domain,omitempty"`
	Domains       any    `json:"domains,omitempty"` // see domainsClaim
	Name          string `json:"name,omitempty"`    // in an id token
}

// issue makes the answer to a sign-in or a renewal, which carries an id token as well.
func (s *Server) issue(f family, renewed bool) tokenResponse {
	now := s.now()
	life := cmp.Or(s.options.AccessLife, f.account.life, accessLifetime)
	registered := func(audience string) jwt.RegisteredClaims {
		return jwt.RegisteredClaims{
			Issuer:    f.issuer,
			Subject:   f.account.Email,
			Audience:  jwt.ClaimStrings{audience},
			ID:        rand.Text(),
			IssuedAt:  jwt.NewNumericDate(now),
			NotBefore: jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(life)),
		}
	}
	primary := cmp.Or(f.account.claims, f.account.primaryDomain())
	response := tokenResponse{
		AccessToken: sign(claims{
			RegisteredClaims: registered(gatewayAudience),
			SessionID:        f.id,
			ClientID:         ClientID,
			Scope:            f.scope,
			PrimaryDomain:    primary,
			Domains:          domainsClaim(f.account.domains, primary),
		}),
		ExpiresIn:    int64(life / time.Second),
		TokenType:    "Bearer",
		RefreshToken: f.refresh,
	}
	if renewed {
		response.IDToken = sign(claims{
			RegisteredClaims: registered(ClientID),
			SessionID:        f.id,
			Name:             f.account.name,
		})
	}
	return response
}

// domainsClaim is the claim of the domains beside the primary one: nil, a string or an array.
func domainsClaim(all []string, primary string) any {
	isPrimary := func(domain string) bool { return domain == primary }
	others := slices.DeleteFunc(slices.Clone(all), isPrimary)
	switch len(others) {
	case 0:
		return nil
	case 1:
		return others[0]
	default:
		return others
	}
}

// signingKey is made when it is first needed, once for all services of the process, as it takes a
// moment. A token of one service opens no other one all the same, for each knows only the sessions
// that it began.
var signingKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err) // no key of this size can fail
	}
	return key
})

// sign makes the token with some claims.
func sign(payload claims) string {
	token, err := jwt.NewWithClaims(jwt.SigningMethodRS256, payload).SignedString(signingKey())
	if err != nil {
		panic(err) // the key is good, and all claims can be encoded
	}
	return token
}

// verify checks signature, audience, times and session of an access token, and returns its user or
// what is wrong with it.
func (s *Server) verify(token string) (email, complaint string) {
	var payload claims
	publicKey := func(*jwt.Token) (any, error) { return &signingKey().PublicKey, nil }
	_, err := jwt.ParseWithClaims(token, &payload, publicKey,
		jwt.WithValidMethods([]string{jwt.SigningMethodRS256.Alg()}),
		jwt.WithAudience(gatewayAudience),
		jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(s.now),
	)
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.families[payload.SessionID]
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return "", "The access token has expired."
	case err != nil:
		return "", "The access token is not valid."
	case f == nil || f.revoked:
		return "", "The session of the access token has ended."
	}
	return payload.Subject, ""
}
