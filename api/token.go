package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/text/secret"
)

// TokenClient sends requests to the token endpoint of one authority (interface section 4.1). Every
// request is sent once and follows no redirect: sent again, it could be a second wrong password, or
// use a refresh token twice.
type TokenClient struct {
	HTTP         *Transport // required, see [NewTransport]
	Authority    string     // https://host, without /connect/token
	ClientID     string
	ClientSecret secret.Text
	InForm       bool   // the client's credentials are sent in the form instead of a header
	Scope        string // separated by spaces; without offline_access there is no refresh token
	// SendBy is the time after which a refresh token must not be sent, by the monotonic clock. The
	// token does not leave later even if the process was stopped meanwhile, but the answer is read
	// however late. Zero stands for no limit.
	SendBy time.Time
}

// Token is an answer of the token endpoint (interface section 2.1).
type Token struct {
	Access      secret.Text
	Refresh     secret.Text   // empty: not renewable; the one that was sent if the answer has none
	ID          secret.Text   // empty if the service sends none
	ExpiresIn   time.Duration // counted from RequestedAt; 0: unknown
	RequestedAt time.Time     // when the request was sent
	ServerTime  time.Time     // Date header of the answer, zero if there was none
	Scopes      []string      // that were granted; nil if the answer does not say
	Life        string        // expires_in exactly as sent, in one line, or ""
}

// TokenTimeout is how long a token request may take, not counting time for which the process is
// stopped.
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

// Refresh gets a new access token for a refresh token. If the service rotates refresh tokens, that
// uses the old one up: store the new one before anything else.
//
// The errors are the same as for [TokenClient.Password], but for the [*GateError]. After a
// [*TransportError] that is not Unsent, a [*BodyError] or a [*LimitError] it is unknown whether the
// token was used up.
func (c *TokenClient) Refresh(ctx context.Context, refreshToken secret.Text) (*Token, error) {
	if refreshToken.IsEmpty() {
		return nil, &RequestError{Field: "refresh_token", Reason: "is missing"}
	}
	form := url.Values{"refresh_token": {refreshToken.Reveal()}}
	return c.request(ctx, "renew the session", grantRefresh, refreshToken, form)
}

// request sends a token request and reads its answer. credential is the password or refresh token in
// the form.
func (c *TokenClient) request(
	ctx context.Context, op, grant string, credential secret.Text, form url.Values,
) (*Token, error) {
	u, err := endpoint("authority", c.Authority, "connect", "token")
	if err != nil {
		return nil, err
	}
	form.Set("grant_type", grant)
	r, err := c.newRequest(u, form)
	if err != nil {
		return nil, err
	}
	deadline := c.sendBy(grant)
	ctx, stop := inTime(ctx, time.Until(deadline), errLate)
	defer stop()

	call := newCall(op, c.HTTP, u)
	if grant == grantPassword {
		call.sends([]string{credential.Reveal()}, c.ClientSecret.Reveal())
	} else {
		call.sends(nil, credential.Reveal(), c.ClientSecret.Reveal())
	}
	// Without the monotonic clock, which stops while the computer sleeps.
	requestedAt := c.HTTP.o.Now().Round(0)
	resp, mayHaveLeft, err := sendOnce(c.HTTP, call.traced(r.WithContext(ctx)), deadline)
	if err != nil {
		err = call.failed(ctx, err)
		if failed, ok := err.(*TransportError); ok {
			failed.Unsent = !mayHaveLeft
		}
		return nil, err
	}
	noCancel := func(error) {} // closing the body must not end ctx, which is asked below
	text, err := newBody(ctx, noCancel, call, resp, tokenLimit).ReadAll()
	if err != nil && (isSuccess(resp) || ctx.Err() != nil) {
		return nil, err // an incomplete refusal is still a refusal
	}
	token, err := call.token(resp, withoutBOM(text))
	switch refused := err.(type) {
	case *TokenError:
		refused.Grant = grant
		refused.NoSecret = c.ClientSecret.IsEmpty()
		refused.Ambiguous = c.ambiguous()
	case *StatusError:
		refused.Grant = grant
		refused.Ambiguous = c.ambiguous()
	}
	if err != nil {
		return nil, err
	}
	token.RequestedAt = requestedAt
	if grant == grantRefresh { // a service that does not rotate tokens sends none
		token.Refresh = cmp.Or(token.Refresh, credential)
	}
	return token, nil
}

// sendBy is the time by which a request must have left.
func (c *TokenClient) sendBy(grant string) time.Time {
	deadline := time.Now().Add(callTimeout)
	if grant == grantRefresh && !c.SendBy.IsZero() && c.SendBy.Before(deadline) {
		return c.SendBy
	}
	return deadline
}

// newRequest builds the request with the client's credentials, as interface section 4.1 has it.
func (c *TokenClient) newRequest(u *url.URL, form url.Values) (*http.Request, error) {
	if c.InForm {
		setIfAny(form, "client_id", c.ClientID)
		setIfAny(form, "client_secret", c.ClientSecret.Reveal())
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

// setIfAny sets a field of a form unless its value is empty.
func setIfAny(form url.Values, name, value string) {
	if value != "" {
		form.Set(name, value)
	}
}

// ambiguous returns the signs in the client's id and secret that change their meaning if an
// authority decodes the Authorization header like a form: + stands for a blank there, and % begins
// an escape. In an id, : is ambiguous as well, since the first one ends the id.
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

// errorCode returns the member "error" of an answer of OAuth, whatever the types of its other
// members, or "" if there is none.
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
	isObject := json.Unmarshal(text, &a) == nil && text[0] == '{'
	code := errorCode(text)
	if refusal := c.tokenRefusal(resp, code, text); refusal != nil {
		return nil, refusal
	}
	switch {
	case !isSuccess(resp):
		return nil, c.refused(resp, text)
	case !isObject, code != "", a.Access.IsEmpty():
		e := c.notExpected(resp, text, "JSON without an access token")
		if isObject {
			e.Token = TokenMissing
		}
		return nil, e
	case a.Kind != "" && !strings.EqualFold(a.Kind, schemeBearer):
		e := c.unexpected(resp, "a token that is not a Bearer token")
		e.Token = TokenOfOtherType
		if e.TokenType, _ = c.shown(a.Kind, maxMediaType); e.TokenType != "" {
			e.Detail += ", but one of the type " + e.TokenType
		}
		return nil, e
	}
	id, _ := a.ID.(string)
	scope, _ := a.Scope.(string)
	life, _ := c.shown(strings.Trim(string(a.ExpiresIn), `"`), maxLifeText)
	serverTime, _ := http.ParseTime(resp.Header.Get("Date")) // zero if invalid
	return &Token{
		Access:     a.Access,
		Refresh:    a.Refresh,
		ID:         secret.New(id),
		ExpiresIn:  lifetime(string(a.ExpiresIn)),
		ServerTime: serverTime,
		Scopes:     c.shownScopes(scope),
		Life:       life,
	}, nil
}

// shownScopes lists the scopes in an answer, without any that repeats a secret of the request.
func (c *call) shownScopes(scope string) (list []string) {
	for _, name := range strings.Fields(scope) {
		if name, omitted := c.shown(name, maxErrorCode); omitted == "" {
			list = append(list, name)
		}
	}
	return list
}

// lifetime parses expires_in, a number of seconds, quoted or not, whose fraction is ignored. It is 0
// for anything else.
func lifetime(expiresIn string) time.Duration {
	whole, fraction, _ := strings.Cut(strings.Trim(expiresIn, `"`), ".")
	if strings.Trim(fraction, "0123456789") != "" {
		return 0 // an exponent
	}
	// With an error, seconds is 0 for what is no number, and the nearest for one that is too large.
	seconds, _ := strconv.ParseInt(whole, 10, 64)
	return time.Duration(min(max(seconds, 0), int64(maxLifetime/time.Second))) * time.Second
}

// tokenRefusal returns the error of a refusal in the form of RFC 6749 section 5.2, or nil if the
// answer is not one. Text that repeats a secret of the request is left out.
func (c *call) tokenRefusal(resp *http.Response, code string, text []byte) error {
	c.credential(resp)
	repeatsSecret := !slices.Contains(registeredCodes, code) && c.secrets.Hide(code)
	if !isErrorCode(code) || repeatsSecret {
		return nil
	}
	asked, _ := retryAfter(resp)
	e := &TokenError{
		Op:         c.op,
		Host:       c.host,
		Status:     resp.StatusCode,
		Code:       code[:min(len(code), maxErrorCode)],
		RetryAfter: asked,
	}
	if words, omitted := c.said(resp, text); words != code {
		e.Description, e.Omitted = words, omitted
	}
	return e
}

// registeredCodes are the error codes of RFC 6749 section 5.2. They are shown even if they repeat a
// secret, such as the password "grant".
var registeredCodes = []string{
	"invalid_request",
	"invalid_client",
	"invalid_grant",
	"unauthorized_client",
	"unsupported_grant_type",
	"invalid_scope",
}

// isErrorCode reports whether a text has only characters that RFC 6749 allows in an error code.
func isErrorCode(code string) bool {
	isOther := func(c rune) bool { return c < 0x20 || c > 0x7e || c == '"' || c == '\\' }
	return code != "" && !strings.ContainsFunc(code, isOther)
}
