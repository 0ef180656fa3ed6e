package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"gatehouse/internal/redact"
	"gatehouse/internal/secret"
)

const maxLifetime = 10 * 365 * 24 * time.Hour

// token makes the Token of an answer that x/oauth2 has accepted.
func (x *tokenExchange) token(t *oauth2.Token) (*Token, error) {
	if t.TokenType != "" && !strings.EqualFold(t.TokenType, schemeBearer) {
		return nil, x.call.unexpected(x.answer.Header, "a token of another type than Bearer")
	}
	id, _ := t.Extra("id_token").(string)
	serverTime, _ := http.ParseTime(x.answer.Header.Get("Date")) // zero when it cannot be read
	return &Token{
		Access:      secret.New(t.AccessToken),
		Refresh:     secret.New(t.RefreshToken),
		ID:          secret.New(id),
		Type:        schemeBearer,
		ExpiresIn:   lifetime(x.expiresIn),
		RequestedAt: x.sent,
		ServerTime:  serverTime,
	}, nil
}

// lifetime reads expires_in: a whole number of seconds, in quotes or not. What
// is no such number says nothing (0).
func lifetime(expiresIn json.RawMessage) time.Duration {
	var n json.Number // accepts both
	if json.Unmarshal(expiresIn, &n) != nil {
		return 0
	}
	whole, fraction, _ := strings.Cut(n.String(), ".")
	if strings.Trim(fraction, "0123456789") != "" {
		return 0 // an exponent
	}
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0
	}
	return time.Duration(min(max(seconds, 0), int64(maxLifetime/time.Second))) * time.Second
}

// failure makes the typed error of an exchange that gave no token. Nothing of
// x/oauth2's own text stays: it prints the answer.
func (x *tokenExchange) failure(ctx context.Context, err error) error {
	if _, ok := errors.AsType[*url.Error](err); ok {
		return x.call.failed(ctx, err) // of the HTTP client: there is no answer
	}
	if refusal := x.tokenError(err); refusal != nil {
		return refusal
	}
	if !isSuccess(&x.answer) {
		return x.call.refused(&x.answer, x.text, x.secrets())
	}
	return x.call.unexpected(x.answer.Header, x.detail())
}

// detail says what came with a 2xx status instead of a token.
func (x *tokenExchange) detail() string {
	switch {
	case len(x.text) == 0:
		return emptyAnswer
	case isHTML(x.answer.Header, x.text):
		return htmlForJSON
	case json.Valid(x.text):
		return "JSON without an access token"
	case x.text[0] == '{':
		return "JSON that is cut short or damaged"
	}
	return "something that is not JSON"
}

const (
	maxErrorCode   = 64
	maxDescription = 200
)

// tokenError recognises a refusal in the form of RFC 6749 section 5.2, nil when
// the answer is none.
func (x *tokenExchange) tokenError(err error) error {
	refusal, ok := errors.AsType[*oauth2.RetrieveError](err)
	if !ok {
		return nil
	}
	code := strings.TrimSpace(refusal.ErrorCode)
	if !isErrorCode(code) || x.secrets().Hide(code) {
		return nil
	}
	asked, _ := retryAfter(&x.answer)
	e := &TokenError{
		Op: x.call.op, Host: x.call.host, Grant: x.grant.name,
		Status:     x.answer.StatusCode,
		Code:       code[:min(len(code), maxErrorCode)],
		RetryAfter: asked,
	}
	if !x.secrets().Hide(refusal.ErrorDescription) {
		e.Description = redact.OneLine(refusal.ErrorDescription, maxDescription)
	}
	return e
}

// isErrorCode checks the characters that RFC 6749 allows in an error code.
func isErrorCode(code string) bool {
	for _, c := range []byte(code) {
		if c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			return false
		}
	}
	return code != ""
}

// secrets are those of the request, which a careless service may repeat.
func (x *tokenExchange) secrets() *redact.Secrets {
	sent := &redact.Secrets{}
	_, credential := sentCredential(&x.answer)
	sent.Add(x.grant.secret.Reveal(), x.client.ClientSecret.Reveal())
	sent.AddEncoded(credential)
	return sent
}
