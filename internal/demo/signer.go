package demo

import (
	"crypto/rsa"
	"encoding/json"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// gatewayAudience keeps an id token from passing for an access token.
const gatewayAudience = "domain_api"

// accessClaims is the payload of an access token (interface section 2.2). The
// claim sid leads the gateway to the sign-in that the token descends from.
type accessClaims struct {
	jwt.RegisteredClaims
	ClientID      string       `json:"client_id"`
	Scope         string       `json:"scope"`
	SessionID     string       `json:"sid"`
	PrimaryDomain string       `json:"primary_domain"`
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

// signer signs tokens with RS256 and verifies them, under the key of a stock.
type signer struct {
	key    func() (*rsa.PrivateKey, error)
	parser *jwt.Parser
}

func newSigner(now func() time.Time, stock *Stock) *signer {
	return &signer{
		key: stock.key,
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
