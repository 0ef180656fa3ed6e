package demo

import (
	"crypto/rand"
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
	lifetime := f.account.accessLifetime()
	access, err := s.signer.sign(accessClaims{
		RegisteredClaims: s.registeredClaims(f, gatewayAudience, lifetime),
		ClientID:         clientID,
		Scope:            f.scope,
		SessionID:        f.id,
		PrimaryDomain:    f.account.primaryDomain(),
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
		RegisteredClaims: s.registeredClaims(f, clientID, f.account.accessLifetime()),
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

func (a account) accessLifetime() time.Duration {
	if a.shortLived {
		return shortLifetime
	}
	return accessLifetime
}
