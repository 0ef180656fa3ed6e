package api

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"gatehouse/internal/text/secret"
)

const gatewayTimeout = time.Hour // for a whole call, as an answer may be long

// Gateway is the client gateway of one domain (interface sections 4.2 and 4.3). Its requests only
// read. Unless Once is set, they are repeated up to three times if the gateway is busy (429, 502,
// 503, 504) or drops the connection.
type Gateway struct {
	HTTP    *Transport // required, see [NewTransport]
	BaseURL string     // https://host, without the path of a resource
	// Limit is in bytes of an answer after decompression. 0 stands for [DefaultBodyLimit] or
	// [UnannouncedBodyLimit].
	Limit int64
	// Once is for background requests, which are never repeated, not even after a 401.
	Once   bool
	Tokens TokenSource // for Shares; nil: no credential is sent

	pause pause // between attempts; nil: backoff
}

// Shares requests the shares of a user (interface section 4.2) with the access token of
// Tokens. userID is presumably the user's e-mail address. The answer is JSON of any shape.
//
// Errors: [*RequestError], [*TransportError], [*StatusError], [*RedirectError],
// [*BodyError] (an HTML page), [*LimitError].
func (g *Gateway) Shares(ctx context.Context, userID string) (*Body, error) {
	if err := checkID("userId", userID); err != nil {
		return nil, err
	}
	op := "get the shares of " + userID
	return g.get(ctx, op, secret.Text{}, "api", "users", userID, "shares")
}

// Companies requests the companies of a reseller (interface section 4.3) with a reseller
// key. Answer and errors are as with [Gateway.Shares].
func (g *Gateway) Companies(ctx context.Context, key secret.Text, resellerID string) (*Body, error) {
	if err := checkID("resellerId", resellerID); err != nil {
		return nil, err
	}
	op := "get the companies of reseller " + resellerID
	return g.get(ctx, op, key, "api", "resellers", resellerID, "companies")
}

// get requests the list at a path with an API key, or with an access token if the key is empty.
func (g *Gateway) get(
	ctx context.Context, op string, key secret.Text, path ...string,
) (*Body, error) {
	u, err := endpoint("base_url", g.BaseURL, path...)
	if err != nil {
		return nil, err
	}
	c := newCall(op, g.HTTP, u)
	c.list = true
	c.sendOnce = g.Once
	c.pause = g.pause
	r := newGet(u)
	r.Header.Set("Accept", "application/json")
	if key.IsEmpty() {
		c.tokens = g.Tokens
	} else {
		r.Header.Set("Authorization", schemeAPIKey+" "+key.Reveal())
	}
	ctx, cancel := withLimit(ctx, gatewayTimeout)
	resp, err := c.get(r.WithContext(ctx))
	if err != nil {
		err = c.failed(ctx, err)
		cancel(nil)
		return nil, err
	}
	if !isSuccess(resp) {
		// The limit on stalls alone would allow a slow body to go on forever.
		defer time.AfterFunc(stallLimit, func() { cancel(nil) }).Stop()
		start, _ := newBody(ctx, cancel, c, resp, refusalLimit).ReadAll()
		return nil, c.refused(resp, start)
	}
	limit := g.Limit
	switch {
	case limit == 0 && resp.ContentLength < 0:
		limit = UnannouncedBodyLimit
	case limit == 0:
		limit = DefaultBodyLimit
	}
	body := newBody(ctx, cancel, c, resp, limit)
	if err := body.refuse(); err != nil {
		return nil, err
	}
	return body, nil
}

// withLimit returns a context with a timeout that can also be cancelled with a cause.
func withLimit(
	ctx context.Context, limit time.Duration,
) (context.Context, context.CancelCauseFunc) {
	ctx, stop := context.WithTimeout(ctx, limit)
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, func(cause error) {
		cancel(cause)
		stop()
	}
}

func newGet(u *url.URL) *http.Request {
	return &http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: http.Header{}}
}

// The credentials of a request: the authorization schemes of the gateway (interface section
// 5), and the password in the query of a device login.
const (
	schemeBearer       = "Bearer"
	schemeAPIKey       = "ApiKey"
	credentialPassword = "password"
)
