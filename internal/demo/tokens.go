package demo

import (
	"compress/gzip"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	accessLifetime = 24 * time.Hour // interface section 8
	shortLifetime  = 20 * time.Second
)

// tokenResponse is the answer of the token endpoint (interface section 2.1).
type tokenResponse struct {
	AccessToken  string `json:"access_token"`
	ExpiresIn    int64  `json:"expires_in"`
	TokenType    string `json:"token_type"`
	RefreshToken string `json:"refresh_token,omitempty"`
	IDToken      string `json:"id_token,omitempty"`
}

// issue makes the answer to a sign-in from its family.
func (s *Server) issue(f family) (tokenResponse, error) {
	lifetime := s.accessLifetime(f.account)
	access, err := s.signer.sign(accessClaims{
		RegisteredClaims: s.registeredClaims(f, gatewayAudience, lifetime),
		ClientID:         ClientID,
		Scope:            f.scope,
		SessionID:        f.id,
		PrimaryDomain:    f.account.claimedDomain(),
		Domains:          f.account.otherDomains(),
	})
	return tokenResponse{
		AccessToken:  access,
		ExpiresIn:    int64(lifetime / time.Second),
		TokenType:    "Bearer",
		RefreshToken: f.refresh,
	}, err
}

// reissue makes the answer to a renewal, which carries an id token as well.
func (s *Server) reissue(f family) (tokenResponse, error) {
	response, err := s.issue(f)
	if err != nil {
		return tokenResponse{}, err
	}
	response.IDToken, err = s.signer.sign(idClaims{
		RegisteredClaims: s.registeredClaims(f, ClientID, s.accessLifetime(f.account)),
		SessionID:        f.id,
		Name:             f.account.firstName + " " + f.account.lastName,
	})
	return response, err
}

func (s *Server) registeredClaims(f family, audience string, lifetime time.Duration) jwt.RegisteredClaims {
	now := s.now()
	return jwt.RegisteredClaims{
		Issuer:    f.issuer,
		Subject:   f.account.email,
		Audience:  jwt.ClaimStrings{audience},
		IssuedAt:  jwt.NewNumericDate(now),
		NotBefore: jwt.NewNumericDate(now),
		ExpiresAt: jwt.NewNumericDate(now.Add(lifetime)),
		ID:        rand.Text(),
	}
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

// refreshLifetime runs from the sign-in; rotation does not extend it
// (interface section 8).
const refreshLifetime = 30 * 24 * time.Hour

// Why a refresh token is refused.
var (
	errUnknownRefresh = errors.New("the refresh token is unknown")
	errExpiredRefresh = errors.New("the refresh token has expired")
	errSpentRefresh   = errors.New("the refresh token was used before; its session has ended")
	errRevokedRefresh = errors.New("the session of the refresh token has ended")
)

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

// renew spends a refresh token and returns its family with the next one. A
// token that was spent before ends the family. An authority knows only the
// tokens that it issued itself.
func (t *tokenStore) renew(issuer, refresh string) (family, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.byRefresh[refresh]
	switch {
	case f == nil || f.issuer != issuer:
		return family{}, errUnknownRefresh
	case f.revoked:
		return family{}, errRevokedRefresh
	case f.refresh != refresh:
		f.revoked = true
		return family{}, errSpentRefresh
	case !t.now().Before(f.signedIn.Add(refreshLifetime)):
		return family{}, errExpiredRefresh
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

// gatewayAudience keeps an id token from passing for an access token.
const gatewayAudience = "domain_api"

// accessClaims is the payload of an access token (interface section 2.2). The
// claim sid leads the gateway to the sign-in that the token descends from.
type accessClaims struct {
	jwt.RegisteredClaims
	ClientID      string       `json:"client_id"`
	Scope         string       `json:"scope"`
	SessionID     string       `json:"sid"`
	PrimaryDomain string       `json:"primary_domain,omitempty"`
	Domains       domainsClaim `json:"domains,omitempty"`
}

// domainsClaim is one string for one domain and an array for several.
type domainsClaim []string

func (d domainsClaim) MarshalJSON() ([]byte, error) {
	if len(d) == 1 {
		return json.Marshal(d[0])
	}
	return json.Marshal([]string(d))
}

// idClaims is the payload of an id token.
type idClaims struct {
	jwt.RegisteredClaims
	SessionID string `json:"sid"`
	Name      string `json:"name"`
}

// bearerClaims is as much of an access token as the gateway reads.
type bearerClaims struct {
	jwt.RegisteredClaims
	SessionID string `json:"sid"`
}

// signer signs tokens with RS256 and verifies them, under the key of all services that share one.
type signer struct {
	key    func() (*rsa.PrivateKey, error)
	parser *jwt.Parser
}

func newSigner(now func() time.Time, shared *Shared) *signer {
	return &signer{
		key: shared.key,
		parser: jwt.NewParser(
			jwt.WithValidMethods([]string{jwt.SigningMethodRS256.Alg()}),
			jwt.WithAudience(gatewayAudience),
			jwt.WithExpirationRequired(),
			jwt.WithTimeFunc(now),
		),
	}
}

func (s *signer) sign(claims jwt.Claims) (string, error) {
	key, err := s.key()
	if err != nil {
		return "", err
	}
	return jwt.NewWithClaims(jwt.SigningMethodRS256, claims).SignedString(key)
}

// verify checks signature, audience and times of an access token. An expired
// one gives an error that is [jwt.ErrTokenExpired].
func (s *signer) verify(token string) (bearerClaims, error) {
	var claims bearerClaims
	_, err := s.parser.ParseWithClaims(token, &claims, func(*jwt.Token) (any, error) {
		key, err := s.key()
		if err != nil {
			return nil, err
		}
		return &key.PublicKey, nil
	})
	return claims, err
}

// Shared is what the services of one process can have in common, so that the next one
// costs little: the signing key, which takes a moment to make. A token of one service
// opens no other one all the same, for each knows only the sessions it began. The zero
// Shared is ready to use, by any number of services at once.
type Shared struct {
	once       sync.Once
	signingKey *rsa.PrivateKey
	err        error

	zippers sync.Pool // of *gzip.Writer
}

// key returns the signing key, which is made when it is first needed.
func (s *Shared) key() (*rsa.PrivateKey, error) {
	s.once.Do(func() { s.signingKey, s.err = rsa.GenerateKey(rand.Reader, 2048) })
	return s.signingKey, s.err
}

// zip has what is written through zipped go to w.
func (s *Shared) zip(w io.Writer, write func(zipped io.Writer) error) error {
	zipped, _ := s.zippers.Get().(*gzip.Writer)
	if zipped == nil {
		zipped, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails for an unknown level only
	}
	zipped.Reset(w)
	defer s.zippers.Put(zipped)
	defer zipped.Reset(io.Discard) // lets go of w
	if err := write(zipped); err != nil {
		return err
	}
	return zipped.Close()
}
