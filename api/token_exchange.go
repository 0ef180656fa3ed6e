package api

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
)

const tokenLimit = 1 << 20

// tokenExchange is the transport of a single token request. x/oauth2 builds the
// request and parses the answer; what it does not keep is remembered here: when
// the request was sent, and the answer itself.
type tokenExchange struct {
	client *TokenClient
	call   call
	grant  grant

	sent      time.Time
	answer    http.Response // as it came, but for the body
	text      []byte        // the body
	expiresIn json.RawMessage
}

func (x *tokenExchange) httpClient() *http.Client {
	client := *x.client.HTTP
	client.Transport = x
	return withRedirects(&client, refuseAll)
}

// RoundTrip implements [http.RoundTripper].
func (x *tokenExchange) RoundTrip(r *http.Request) (*http.Response, error) {
	// Without the monotonic clock, which stands still while a computer sleeps.
	x.sent = x.client.now().Round(0)
	resp, err := orDefault(x.client.HTTP.Transport).RoundTrip(x.withBasic(r))
	if err != nil {
		return nil, err
	}
	if err := x.keep(r.Context(), resp); err != nil {
		return nil, err
	}
	return resp, nil
}

// withBasic writes the Basic header as interface section 4.1 has it, the Base64
// of client_id:client_secret. x/oauth2 escapes both for a URL first, by RFC 6749.
func (x *tokenExchange) withBasic(r *http.Request) *http.Request {
	r = r.Clone(r.Context())
	if r.Header.Get("Authorization") != "" {
		pair := x.client.ClientID + ":" + x.client.ClientSecret.Reveal()
		r.Header.Set("Authorization", schemeBasic+" "+base64.StdEncoding.EncodeToString([]byte(pair)))
	}
	return r
}

// keep reads the answer and puts one in its place that x/oauth2 can read: always
// called JSON, for it takes text/plain for a form, and without expires_in, for it
// fails on a number such as 86400.0.
func (x *tokenExchange) keep(ctx context.Context, resp *http.Response) error {
	body := newBody(ctx, func(error) {}, x.call, resp, tokenLimit, 0)
	text, err := body.ReadAll()
	if err != nil && (isSuccess(resp) || ctx.Err() != nil) {
		return err // of a refusal, what came will do
	}
	x.text = withoutBOM(text)
	x.answer = *resp
	x.answer.Header = resp.Header.Clone()

	resp.Body = io.NopCloser(bytes.NewReader(x.takeExpiresIn()))
	resp.Header.Set("Content-Type", "application/json")
	return nil
}

// takeExpiresIn returns the answer without expires_in, which it remembers.
func (x *tokenExchange) takeExpiresIn() []byte {
	f := objectFields(x.text)
	for name, value := range f {
		if strings.EqualFold(name, "expires_in") { // x/oauth2 reads it in any letter case
			x.expiresIn = value
			delete(f, name)
		}
	}
	if x.expiresIn == nil {
		return x.text
	}
	rest, err := json.Marshal(f)
	if err != nil {
		return x.text
	}
	return rest
}
