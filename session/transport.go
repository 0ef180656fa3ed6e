package session

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"gatehouse/internal/hostname"
	"gatehouse/internal/secret"
)

// Transport puts the session's access token on requests to one host (interface
// section 5), "host" or "host:port", and passes all others on as they are, as
// well as those that carry an Authorization already. The token is renewed first
// when that is due. A request that is answered with 401 all the same is sent
// once more with a renewed token, if it can be; a second 401 is the answer.
// Errors of [Session.Token] come before anything is sent; a token is never sent
// over http but to this machine.
func (s *Session) Transport(next http.RoundTripper, host string) http.RoundTripper {
	return &bearer{session: s, next: next, host: host}
}

type bearer struct {
	session *Session
	next    http.RoundTripper
	host    string
	once    bool // a 401 is the answer
}

var errNotHTTPS = errors.New("the access token is not sent over http")

// RoundTrip implements [http.RoundTripper].
func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if !b.isMeant(r.URL) || r.Header.Get("Authorization") != "" {
		return b.next.RoundTrip(r)
	}
	if r.URL.Scheme != "https" && !hostname.IsLoopback(r.URL.Hostname()) {
		return nil, refuse(r, errNotHTTPS)
	}
	token, err := b.session.Token(r.Context())
	if err != nil {
		return nil, refuse(r, err)
	}
	answer, err := b.next.RoundTrip(authorized(r, token))
	if err != nil || answer.StatusCode != http.StatusUnauthorized || b.once {
		return answer, err
	}
	return b.replay(r, token, answer)
}

// replay sends a request again that was answered with 401.
func (b *bearer) replay(r *http.Request, refused secret.Text, answer *http.Response) (*http.Response, error) {
	if !canRepeat(r) {
		return answer, nil
	}
	token, err := b.session.tokenInstead(r.Context(), refused)
	if err == nil && token == refused {
		return answer, nil
	}
	_ = answer.Body.Close() // unread: what a refusal says may take for ever to come
	if err != nil {
		return nil, err
	}
	again := authorized(r, token)
	if r.GetBody != nil {
		if again.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
	}
	answer, err = b.next.RoundTrip(again)
	if err == nil && answer.StatusCode == http.StatusUnauthorized {
		b.session.noteFruitless(token)
	}
	return answer, err
}

// canRepeat reports whether a request can be sent a second time.
func canRepeat(r *http.Request) bool {
	hasBody := r.Body != nil && r.Body != http.NoBody
	return r.GetBody != nil || r.Method == http.MethodGet && !hasBody
}

// authorized is a copy of a request with the token on it: a request is not a
// transport's to change.
func authorized(r *http.Request, token secret.Text) *http.Request {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token.Reveal())
	return r
}

// refuse closes what a transport has to close of a request it does not send.
func refuse(r *http.Request, err error) error {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	return err
}

// isMeant reports whether a URL is at the host that the token may go to.
func (b *bearer) isMeant(u *url.URL) bool {
	return strings.EqualFold(withPort(u.Host, u.Scheme), withPort(b.host, u.Scheme))
}

// withPort adds the port of the scheme where there is none.
func withPort(host, scheme string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	port := "443"
	if scheme == "http" {
		port = "80"
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}
