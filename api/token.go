package api

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"gatehouse/internal/secret"
)

// ClientAuth is how the client proves itself at the token endpoint.
type ClientAuth string

// The two ways of interface section 4.1.
const (
	AuthBasic ClientAuth = "basic" // in the Authorization header
	AuthBody  ClientAuth = "body"  // as client_id and client_secret in the form
)

// TokenClient is the token endpoint of one authority (interface section 4.1).
// Every request is sent once and follows no redirect, for a second one would be a
// second wrong password, or a refresh token spent twice.
type TokenClient struct {
	HTTP         *http.Client // required; its redirect policy is replaced
	Authority    string       // https://host, without /connect/token
	ClientID     string
	ClientSecret secret.Text
	ClientAuth   ClientAuth       // "": AuthBasic
	Scope        string           // blank-separated; without offline_access there is no refresh token
	Timeout      time.Duration    // for a whole request; 0: 30 s
	Now          func() time.Time // nil: time.Now
}

// Token is an answer of the token endpoint (interface section 2.1).
type Token struct {
	Access      secret.Text
	Refresh     secret.Text   // empty: not renewable; after a refresh that brought none, the one that was sent
	ID          secret.Text   // empty where the service sends none
	Type        string        // always "Bearer"
	ExpiresIn   time.Duration // life counted from RequestedAt; 0: the service did not say
	RequestedAt time.Time     // when the request was sent
	ServerTime  time.Time     // the server's clock in its answer, zero when it showed none
}

// Expiry is when the access token ends by its expires_in, zero when that is not
// said.
func (t *Token) Expiry() time.Time {
	if t.ExpiresIn == 0 {
		return time.Time{}
	}
	return t.RequestedAt.Add(t.ExpiresIn)
}

const (
	grantPassword = "password"
	grantRefresh  = "refresh_token"
)

// Password signs a user in with the password grant.
//
// Errors: [*TokenError] (refused; a wrong password is an InvalidGrant),
// [*RequestError] (nothing was sent), [*TransportError], [*StatusError],
// [*RedirectError], [*BodyError], [*LimitError].
func (c *TokenClient) Password(ctx context.Context, username string, password secret.Text) (*Token, error) {
	if strings.TrimSpace(username) == "" {
		return nil, &RequestError{Field: "username", Reason: "is missing"}
	}
	if password.IsEmpty() {
		return nil, &RequestError{Field: "password", Reason: "is missing"}
	}
	send := func(ctx context.Context, conf *oauth2.Config) (*oauth2.Token, error) {
		return conf.PasswordCredentialsToken(ctx, username, password.Reveal())
	}
	return c.request(ctx, grant{name: grantPassword, op: "sign in", secret: password, send: send})
}

// Refresh gets a new access token for a refresh token, which is spent by that
// where the service rotates them: store the new one before anything else. Errors
// are those of [TokenClient.Password]; after a [*TransportError] or a
// [*BodyError] it is unknown whether the token was spent.
func (c *TokenClient) Refresh(ctx context.Context, refreshToken secret.Text) (*Token, error) {
	if refreshToken.IsEmpty() {
		return nil, &RequestError{Field: "refresh_token", Reason: "is missing"}
	}
	send := func(ctx context.Context, conf *oauth2.Config) (*oauth2.Token, error) {
		old := &oauth2.Token{RefreshToken: refreshToken.Reveal()}
		return conf.TokenSource(ctx, old).Token()
	}
	return c.request(ctx, grant{name: grantRefresh, op: "renew the session", secret: refreshToken, send: send})
}

// grant is one way to ask for a token.
type grant struct {
	name, op string
	secret   secret.Text
	send     func(context.Context, *oauth2.Config) (*oauth2.Token, error)
}

func (c *TokenClient) request(ctx context.Context, g grant) (*Token, error) {
	u, err := endpoint("authority", c.Authority, "connect", "token")
	if err != nil {
		return nil, err
	}
	style, err := c.authStyle()
	if err != nil {
		return nil, err
	}
	conf := &oauth2.Config{
		ClientID:     c.ClientID,
		ClientSecret: c.ClientSecret.Reveal(),
		Endpoint:     oauth2.Endpoint{TokenURL: u.String(), AuthStyle: style},
		Scopes:       strings.Fields(c.Scope),
	}
	ctx, stop := context.WithTimeout(ctx, cmp.Or(c.Timeout, defaultTimeout))
	defer stop()

	x := &tokenExchange{client: c, call: newCall(g.op, u), grant: g}
	token, err := g.send(context.WithValue(ctx, oauth2.HTTPClient, x.httpClient()), conf)
	if err != nil {
		return nil, x.failure(ctx, err)
	}
	return x.token(token)
}

// authStyle never lets x/oauth2 find out by itself: it would try both ways.
func (c *TokenClient) authStyle() (oauth2.AuthStyle, error) {
	switch cmp.Or(c.ClientAuth, AuthBasic) {
	case AuthBasic:
		return oauth2.AuthStyleInHeader, nil
	case AuthBody:
		return oauth2.AuthStyleInParams, nil
	}
	return 0, &RequestError{Field: "client_auth", Reason: "is neither basic nor body"}
}

func (c *TokenClient) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}
