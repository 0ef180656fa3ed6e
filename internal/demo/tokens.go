package demo

import (
	"crypto/rand"
	"crypto/rsa"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Lives of tokens (interface section 8). That of a refresh token runs from the sign-in;
// rotation does not extend it.
const (
	accessLifetime  = 24 * time.Hour
	shortLifetime   = 20 * time.Second
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
	Domains       any    `json:"domains,omitempty"` // one string for one domain, an array for several
	Name          string `json:"name,omitempty"`    // in an id token
}

// issue makes the answer to a sign-in.
func (s *Server) issue(f family) (tokenResponse, error) {
	access := s.claims(f, gatewayAudience)
	access.ClientID, access.Scope, access.PrimaryDomain = ClientID, f.scope, f.account.claimedDomain()
	switch others := f.account.otherDomains(); len(others) {
	case 0:
	case 1:
		access.Domains = others[0]
	default:
		access.Domains = others
	}
	token, err := s.sign(access)
	return tokenResponse{
		AccessToken: token, ExpiresIn: int64(s.accessLifetime(f.account) / time.Second), TokenType: "Bearer", RefreshToken: f.refresh,
	}, err
}

// reissue makes the answer to a renewal, which carries an id token as well.
func (s *Server) reissue(f family) (tokenResponse, error) {
	response, err := s.issue(f)
	if err != nil {
		return tokenResponse{}, err
	}
	id := s.claims(f, ClientID)
	id.Name = f.account.firstName + " " + f.account.lastName
	response.IDToken, err = s.sign(id)
	return response, err
}

// claims are those that all tokens have.
func (s *Server) claims(f family, audience string) claims {
	now := s.now()
	return claims{SessionID: f.id, RegisteredClaims: jwt.RegisteredClaims{
		Issuer:    f.issuer,
		Subject:   f.account.email,
		Audience:  jwt.ClaimStrings{audience},
		IssuedAt:  jwt.NewNumericDate(now),
		NotBefore: jwt.NewNumericDate(now),
		ExpiresAt: jwt.NewNumericDate(now.Add(s.accessLifetime(f.account))),
		ID:        rand.Text(),
	}}
}

func (s *Server) accessLifetime(a account) time.Duration {
	switch {
	case s.accessLife > 0:
		return s.accessLife
	case a.shortLived:
		return shortLifetime
	}
	return accessLifetime
}

func (s *Server) sign(payload claims) (string, error) {
	key, err := signingKey()
	if err != nil {
		return "", err
	}
	return jwt.NewWithClaims(jwt.SigningMethodRS256, payload).SignedString(key)
}

// verify checks signature, audience and times of an access token. An expired one gives an
// error that is [jwt.ErrTokenExpired].
func (s *Server) verify(token string) (payload claims, err error) {
	_, err = jwt.ParseWithClaims(token, &payload, func(*jwt.Token) (any, error) {
		key, err := signingKey()
		if err != nil {
			return nil, err
		}
		return &key.PublicKey, nil
	}, jwt.WithValidMethods([]string{jwt.SigningMethodRS256.Alg()}), jwt.WithAudience(gatewayAudience), jwt.WithExpirationRequired(), jwt.WithTimeFunc(s.now))
	return payload, err
}

// family is one sign-in and every token that descends from it.
type family struct {
	id       string
	issuer   string
	scope    string
	account  account
	signedIn time.Time
	refresh  string // the one that may still be used, empty without offline_access
	revoked  bool
}

// tokenStore remembers every family for as long as the service runs.
type tokenStore struct {
	now func() time.Time

	mu        sync.Mutex
	families  map[string]*family
	byRefresh map[string]*family // spent refresh tokens too: using one again must be noticed
}

func newTokenStore(now func() time.Time) *tokenStore {
	return &tokenStore{now: now, families: map[string]*family{}, byRefresh: map[string]*family{}}
}

// begin starts the family of a sign-in.
func (t *tokenStore) begin(issuer, scope string, a account, renewable bool) family {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := &family{id: rand.Text(), issuer: issuer, scope: scope, account: a, signedIn: t.now()}
	t.families[f.id] = f
	if renewable {
		t.rotate(f)
	}
	return *f
}

// renew spends a refresh token and returns its family with the next one. A token that was
// spent before ends the family. An authority knows only the tokens that it issued itself.
func (t *tokenStore) renew(issuer, refresh string) (family, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.byRefresh[refresh]
	switch {
	case f == nil || f.issuer != issuer:
		return family{}, tokenRefusal("invalid_grant", "the refresh token is unknown")
	case f.revoked:
		return family{}, tokenRefusal("invalid_grant", "the session of the refresh token has ended")
	case f.refresh != refresh:
		f.revoked = true
		return family{}, tokenRefusal("invalid_grant", "the refresh token was used before; its session has ended")
	case !t.now().Before(f.signedIn.Add(refreshLifetime)):
		return family{}, tokenRefusal("invalid_grant", "the refresh token has expired")
	}
	t.rotate(f)
	return *f, nil
}

// rotate gives a family its next refresh token; the caller holds the lock.
func (t *tokenStore) rotate(f *family) {
	f.refresh = rand.Text()
	t.byRefresh[f.refresh] = f
}

// alive reports whether access tokens of a family are still good.
func (t *tokenStore) alive(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.families[id]
	return f != nil && !f.revoked
}

// signingKey is made when it is first needed, once for all services of the process, as it takes a
// moment. A token of one service opens no other one all the same, for each knows only the sessions
// that it began.
var signingKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })
