package api

import "gatehouse/internal/secret"

// Credential is what authenticates a request to the gateway (interface section 5).
// The zero Credential sends nothing of its own: then the transport of the client
// is expected to add the Authorization header.
type Credential struct {
	scheme string
	value  secret.Text
}

// Bearer is an access token of the token endpoint, for calls made for a user.
func Bearer(accessToken secret.Text) Credential {
	return Credential{scheme: schemeBearer, value: accessToken}
}

// APIKey is a reseller key (for companies) or a company key (for companies and
// shares), for calls made for no user.
func APIKey(key secret.Text) Credential {
	return Credential{scheme: schemeAPIKey, value: key}
}

// The authorization schemes of interface sections 4.1 to 4.3.
const (
	schemeBasic  = "Basic"
	schemeBearer = "Bearer"
	schemeAPIKey = "ApiKey"
)

// header is the value of the Authorization header, "" for the zero Credential.
func (c Credential) header() string {
	if c.scheme == "" {
		return ""
	}
	return c.scheme + " " + c.value.Reveal()
}
