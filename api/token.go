package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gatehouse/internal/secret"
)

// TokenClient is the token endpoint of one authority (interface section 4.1). Every
// request is sent once and follows no redirect: sent again it would be a second wrong
// password, or a refresh token used twice.
type TokenClient struct {
	HTTP         http.RoundTripper // required, see [NewTransport]
	Authority    string            // https://host, without /connect/token
	ClientID     string
	ClientSecret secret.Text
	InForm       bool             // client_id and client_secret are sent in the form, else in the Authorization header
	Scope        string           // separated by spaces; without offline_access there is no refresh token
	Now          func() time.Time // nil: time.Now
}

// Token is an answer of the token endpoint (interface section 2.1).
type Token struct {
	Access      secret.Text
	Refresh     secret.Text   // empty: not renewable; after a refresh without a new one, the one that was sent
	ID          secret.Text   // empty if the service sends none
	Type        string        // always "Bearer"
	ExpiresIn   time.Duration // counted from RequestedAt; 0: unknown
	RequestedAt time.Time     // when the request was sent
	ServerTime  time.Time     // Date header of the answer, zero if there was none
}

// Expiry is when the access token expires according to expires_in, zero if unknown.
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
	form := url.Values{"username": {username}, "password": {password.Reveal()}}
	if scope := strings.Fields(c.Scope); len(scope) > 0 {
		form.Set("scope", strings.Join(scope, " "))
	}
	return c.request(ctx, grant{name: grantPassword, op: "sign in", secret: password}, form)
}

// Refresh gets a new access token for a refresh token. If the service rotates refresh
// tokens, that spends it: store the new one before anything else. Errors are those of
// [TokenClient.Password]; after a [*TransportError] that is not Unsent, a [*BodyError] or a
// [*LimitError] it is unknown whether the token was spent. The token does not leave after the
// deadline of ctx, even if the process was paused meanwhile.
func (c *TokenClient) Refresh(ctx context.Context, refreshToken secret.Text) (*Token, error) {
	if refreshToken.IsEmpty() {
		return nil, &RequestError{Field: "refresh_token", Reason: "is missing"}
	}
	form := url.Values{"refresh_token": {refreshToken.Reveal()}}
	return c.request(ctx, grant{name: grantRefresh, op: "renew the session", secret: refreshToken}, form)
}

// grant is the kind of a token request.
type grant struct {
	name, op string
	secret   secret.Text // the password or refresh token
}

// request sends one token request and reads its answer.
func (c *TokenClient) request(ctx context.Context, g grant, form url.Values) (*Token, error) {
	u, err := endpoint("authority", c.Authority, "connect", "token")
	if err != nil {
		return nil, err
	}
	form.Set("grant_type", g.name)
	r, err := c.newRequest(u, form)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, callTimeout)
	defer stop()

	x := &tokenExchange{call: newCall(g.op, u), grant: g, noSecret: c.ClientSecret.IsEmpty()}
	x.call.secrets.Add(g.secret.Reveal(), c.ClientSecret.Reveal())
	// Without the monotonic clock, which stops while the computer sleeps.
	x.sent = c.now().Round(0)
	var begun bool
	x.answer, begun, err = sendOnce(c.HTTP, r.WithContext(ctx))
	if err != nil {
		err = x.call.failed(ctx, err)
		if failed, ok := err.(*TransportError); ok {
			failed.Unsent = !begun
		}
		return nil, err
	}
	text, err := newBody(ctx, func(error) {}, x.call, x.answer, tokenLimit, 0).ReadAll()
	if err != nil && (isSuccess(x.answer) || ctx.Err() != nil) {
		return nil, err // an incomplete refusal is still a refusal
	}
	x.text = withoutBOM(text)
	return x.token()
}

// newRequest builds the request with the client's credentials as in interface section
// 4.1.
func (c *TokenClient) newRequest(u *url.URL, form url.Values) (*http.Request, error) {
	if c.InForm {
		for name, value := range map[string]string{"client_id": c.ClientID, "client_secret": c.ClientSecret.Reveal()} {
			if value != "" {
				form.Set(name, value)
			}
		}
	}
	r, err := http.NewRequest(http.MethodPost, u.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", formType)
	if !c.InForm {
		r.SetBasicAuth(c.ClientID, c.ClientSecret.Reveal()) // not URL-encoded first, unlike RFC 6749
	}
	return r, nil
}

const formType = "application/x-www-form-urlencoded"

func (c *TokenClient) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}
