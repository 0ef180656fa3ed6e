package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/text/secret"
)

// TokenClient is the token endpoint of one authority (interface section 4.1). Every
// request is sent once and follows no redirect: sent again it would be a second wrong
// password, or a refresh token used twice.
type TokenClient struct {
	HTTP         http.RoundTripper // required, see [NewTransport]
	Authority    string            // https://host, without /connect/token
	ClientID     string
	ClientSecret secret.Text
	InForm       bool   // client_id and client_secret are sent in the form, else in the Authorization header
	Scope        string // separated by spaces; without offline_access there is no refresh token
	// SendBy is when the right to send a refresh token ends, by the monotonic clock; zero: never. It
	// does not leave later, even if the process was paused meanwhile. Its answer is read however late
	// it is looked at.
	SendBy time.Time
}

// Token is an answer of the token endpoint (interface section 2.1).
type Token struct {
	Access      secret.Text
	Refresh     secret.Text   // empty: not renewable; after a refresh without a new one, the one that was sent
	ID          secret.Text   // empty if the service sends none
	ExpiresIn   time.Duration // counted from RequestedAt; 0: unknown
	RequestedAt time.Time     // when the request was sent
	ServerTime  time.Time     // Date header of the answer, zero if there was none
	Scopes      []string      // that were granted, as far as the answer says; nil if it does not
	Life        string        // expires_in as it came, one line; "" if there was none
}

// TokenTimeout is how long a token request may take, in time for which the process runs.
const TokenTimeout = callTimeout

const (
	grantPassword = "password"
	grantRefresh  = "refresh_token"

	tokenLimit   = 1 << 20 // bytes of the answer
	maxLifetime  = 10 * 365 * 24 * time.Hour
	maxErrorCode = 64 // characters
	maxLifeText  = 40 // characters of expires_in that are shown
)

// Password signs a user in with the password grant.
//
// Errors: [*TokenError] (refused; a wrong password is an InvalidGrant),
// [*RequestError] and [*GateError] (nothing was sent), [*TransportError], [*StatusError],
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
	const op = "sign in"
	try := PasswordTry{Use: PasswordSignIn, Account: username}
	return sendingPassword(ctx, c.HTTP, op, try, func() (*Token, error) {
		return c.request(ctx, op, grantPassword, password, form)
	}, grantOutcome)
}

// Refresh gets a new access token for a refresh token. If the service rotates refresh
// tokens, that spends it: store the new one before anything else. Errors are those of
// [TokenClient.Password], but for the gate's; after a [*TransportError] that is not Unsent, a
// [*BodyError] or a [*LimitError] it is unknown whether the token was spent.
func (c *TokenClient) Refresh(ctx context.Context, refreshToken secret.Text) (*Token, error) {
	if refreshToken.IsEmpty() {
		return nil, &RequestError{Field: "refresh_token", Reason: "is missing"}
	}
	form := url.Values{"refresh_token": {refreshToken.Reveal()}}
	return c.request(ctx, "renew the session", grantRefresh, refreshToken, form)
}

// request sends one token request, with a password or refresh token, and reads its answer.
func (c *TokenClient) request(ctx context.Context, op, grant string, sent secret.Text, form url.Values) (*Token, error) {
	u, err := endpoint("authority", c.Authority, "connect", "token")
	if err != nil {
		return nil, err
	}
	form.Set("grant_type", grant)
	r, err := c.newRequest(u, form)
	if err != nil {
		return nil, err
	}
	by := c.sendBy(grant)
	ctx, stop := inTime(ctx, time.Until(by), errLate)
	defer stop()

	call := newCall(op, c.HTTP, u)
	if grant == grantPassword {
		call.sends([]string{sent.Reveal()}, c.ClientSecret.Reveal())
	} else {
		call.sends(nil, sent.Reveal(), c.ClientSecret.Reveal())
	}
	// Without the monotonic clock, which stops while the computer sleeps.
	asked := clockOf(c.HTTP)().Round(0)
	resp, begun, err := sendOnce(c.HTTP, call.traced(r.WithContext(ctx)), by)
	if err != nil {
		err = call.failed(ctx, err)
		if failed, ok := err.(*TransportError); ok {
			failed.Unsent = !begun
		}
		return nil, err
	}
	// Closing the body must not end ctx, which is asked below.
	text, err := newBody(ctx, func(error) {}, call, resp, tokenLimit).ReadAll()
	if err != nil && (isSuccess(resp) || ctx.Err() != nil) {
		return nil, err // an incomplete refusal is still a refusal
	}
	token, err := call.token(resp, withoutBOM(text))
	switch refused := err.(type) {
	case *TokenError:
		refused.Grant, refused.NoSecret, refused.Ambiguous = grant, c.ClientSecret.IsEmpty(), c.ambiguous()
	case *StatusError:
		refused.Grant, refused.Ambiguous = grant, c.ambiguous()
	}
	if err != nil {
		return nil, err
	}
	token.RequestedAt = asked
	if grant == grantRefresh { // without rotation the service sends none
		token.Refresh = cmp.Or(token.Refresh, sent)
	}
	return token, nil
}

// sendBy is when a request has to have left at the latest.
func (c *TokenClient) sendBy(grant string) time.Time {
	by := time.Now().Add(callTimeout)
	if grant == grantRefresh && !c.SendBy.IsZero() && c.SendBy.Before(by) {
		return c.SendBy
	}
	return by
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
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if !c.InForm {
		r.SetBasicAuth(c.ClientID, c.ClientSecret.Reveal()) // not URL-encoded first, unlike RFC 6749
	}
	return r, nil
}

// ambiguous are the signs of the client's id and secret that mean something else to an authority
// that decodes what is in the Authorization header as a form's: it takes + for a blank and % for the
// begin of a code. The first : ends the id.
func (c *TokenClient) ambiguous() (signs []string) {
	if c.InForm {
		return nil
	}
	credentials := c.ClientID + c.ClientSecret.Reveal()
	for _, sign := range []string{"+", "%"} {
		if strings.Contains(credentials, sign) {
			signs = append(signs, sign)
		}
	}
	if strings.Contains(c.ClientID, ":") {
		signs = append(signs, ":")
	}
	return signs
}

// tokenAnswer is an answer of the token endpoint: a token (interface section 2.1) or a
// refusal (RFC 6749 section 5.2). Letter case in names is ignored.
type tokenAnswer struct {
	Access    secret.Text     `json:"access_token"`
	Refresh   secret.Text     `json:"refresh_token"`
	ID        any             `json:"id_token"` // of another type than string it is ignored
	Kind      string          `json:"token_type"`
	ExpiresIn json.RawMessage `json:"expires_in"`
	Scope     any             `json:"scope"` // of another type than string it is ignored
}

// errorCode is the error of an answer in the form of OAuth, whatever the types of the members
// beside it; "" if there is none.
func errorCode(text []byte) string {
	var refusal struct {
		Code any `json:"error"`
	}
	if json.Unmarshal(text, &refusal) != nil {
		return ""
	}
	code, _ := refusal.Code.(string)
	return strings.TrimSpace(code)
}

// token reads an answer with this body, and returns its token or the typed error.
func (c *call) token(resp *http.Response, text []byte) (*Token, error) {
	var a tokenAnswer
	ok := json.Unmarshal(text, &a) == nil && text[0] == '{'
	code := errorCode(text)
	if refusal := c.tokenRefusal(resp, code, text); refusal != nil {
		return nil, refusal
	}
	switch {
	case !isSuccess(resp):
		return nil, c.refused(resp, text)
	case !ok, code != "", a.Access.IsEmpty():
		return nil, c.notExpected(resp, text, "JSON without an access token")
	case a.Kind != "" && !strings.EqualFold(a.Kind, schemeBearer):
		return nil, c.unexpected(resp, "a token that is not a Bearer token")
	}
	id, _ := a.ID.(string)
	scope, _ := a.Scope.(string)
	life, _ := c.shown(strings.Trim(string(a.ExpiresIn), `"`), maxLifeText)
	serverTime, _ := http.ParseTime(resp.Header.Get("Date")) // zero if invalid
	return &Token{
		Access: a.Access, Refresh: a.Refresh, ID: secret.New(id),
		ExpiresIn: lifetime(string(a.ExpiresIn)), ServerTime: serverTime,
		Scopes: c.shownScopes(scope), Life: life,
	}, nil
}

// shownScopes are the scopes in an answer, without those that repeat a secret of the request.
func (c *call) shownScopes(scope string) (list []string) {
	for _, name := range strings.Fields(scope) {
		if name, omitted := c.shown(name, maxErrorCode); omitted == "" {
			list = append(list, name)
		}
	}
	return list
}

// lifetime parses expires_in: a whole number of seconds, quoted or not; 0 if it is
// anything else.
func lifetime(expiresIn string) time.Duration {
	whole, fraction, _ := strings.Cut(strings.Trim(expiresIn, `"`), ".")
	if strings.Trim(fraction, "0123456789") != "" {
		return 0 // an exponent
	}
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0
	}
	return time.Duration(min(max(seconds, 0), int64(maxLifetime/time.Second))) * time.Second
}

// tokenRefusal is the error of a refusal as in RFC 6749 section 5.2, nil if the answer is
// none. Text that repeats a secret of the request is left out.
func (c *call) tokenRefusal(resp *http.Response, code string, text []byte) error {
	c.credential(resp)
	if !isErrorCode(code) || !slices.Contains(registeredCodes, code) && c.secrets.Hide(code) {
		return nil
	}
	asked, _ := retryAfter(resp)
	e := &TokenError{Op: c.op, Host: c.host, Status: resp.StatusCode, Code: code[:min(len(code), maxErrorCode)], RetryAfter: asked}
	if words, omitted := c.said(resp, text); words != code {
		e.Description, e.Omitted = words, omitted
	}
	return e
}

// registeredCodes are the error codes of RFC 6749 section 5.2, whose words are about the request.
// They say what happened, even to somebody whose password is "grant".
var registeredCodes = []string{
	"invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
}

// isErrorCode checks for the characters that RFC 6749 allows in an error code.
func isErrorCode(code string) bool {
	isOther := func(c rune) bool { return c < 0x20 || c > 0x7e || c == '"' || c == '\\' }
	return code != "" && !strings.ContainsFunc(code, isOther)
}
