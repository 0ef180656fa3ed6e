package api

import (
	"net/http"
	"net/url"
	"strings"

	"gatehouse/internal/hostname"
)

const (
	maxRedirects = 5
	maxHost      = 260 // characters of a host and port in an error
)

// redirectPolicy says why a redirect is not followed, "" when it may be.
type redirectPolicy func(from, to *url.URL) string

// withRedirects returns a copy of client under another redirect policy. The
// caller's client may be anything; where a credential goes is decided here.
func withRedirects(client *http.Client, policy redirectPolicy) *http.Client {
	guarded := *client
	guarded.Transport = redirectGuard{orDefault(client.Transport), policy}
	guarded.CheckRedirect = limitRedirects
	return &guarded
}

func orDefault(rt http.RoundTripper) http.RoundTripper {
	if rt == nil {
		return http.DefaultTransport
	}
	return rt
}

// refuseForeign keeps a credential on the host and port it is meant for.
func refuseForeign(from, to *url.URL) string {
	switch {
	case from.Scheme == "https" && to.Scheme != "https":
		return "it leaves https"
	case !sameHost(from, to):
		return "it is another host"
	case to.User != nil:
		return "it names a user"
	}
	return ""
}

// refuseAll is for requests that carry a password or create something: a 307 or
// 308 would repeat the form, and any other would show its query as the Referer.
func refuseAll(_, _ *url.URL) string { return "this request is never sent a second time" }

// sameHost compares host and port; a port left out is the scheme's own.
func sameHost(a, b *url.URL) bool {
	return strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

func limitRedirects(next *http.Request, before []*http.Request) error {
	if len(before) > maxRedirects {
		return &RedirectError{From: hostname.Readable(before[0].URL.Host), To: hostname.Readable(next.URL.Host), Reason: "there are too many redirects"}
	}
	return nil
}

// redirectGuard decides before [http.Client] sees the redirect: that one prints a
// target that is no address, and asks its CheckRedirect about some only.
type redirectGuard struct {
	next   http.RoundTripper
	policy redirectPolicy
}

// RoundTrip implements [http.RoundTripper].
func (g redirectGuard) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := g.next.RoundTrip(r)
	if err != nil || !isRedirect(resp) {
		return resp, err
	}
	refusal := &RedirectError{From: hostname.Readable(r.URL.Host)}
	if to, err := r.URL.Parse(resp.Header.Get("Location")); err != nil {
		refusal.Reason = "its target is not an address"
	} else {
		refusal.To, refusal.Reason = oneLine(hostname.Readable(to.Host), maxHost), g.policy(r.URL, to)
	}
	_ = resp.Body.Close() // net/http would read of it first, however long that takes
	resp.Body = http.NoBody
	if refusal.Reason == "" {
		return resp, nil
	}
	return nil, refusal
}

func isRedirect(resp *http.Response) bool {
	return resp.StatusCode/100 == 3 && resp.Header.Get("Location") != ""
}
