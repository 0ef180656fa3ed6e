package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gatehouse/internal/redact"
)

const (
	callTimeout     = 30 * time.Second // for a whole call other than a list, including retries
	userDomainLimit = 64 << 10
)

// Global is the global service (interface sections 4.4 and 4.5).
type Global struct {
	HTTP http.RoundTripper // required, see [NewTransport]
	URL  string            // https://host, without the name of a page
	// ReturnBusy returns a 429 at once, where the request would be repeated otherwise: for a
	// caller with many calls, all of which have to wait then.
	ReturnBusy bool

	pause pause // between attempts; nil: backoff
}

// UserDomain requests the primary domain of a user (interface section 4.4), as the service
// writes it: it is not validated as a host name. The request is repeated as those of a
// [Gateway] are.
//
// Errors: [*NoDomainError] if the second value is empty, [*RequestError],
// [*TransportError], [*StatusError], [*RedirectError], [*BodyError], [*LimitError].
func (g *Global) UserDomain(ctx context.Context, email string) (string, error) {
	email = strings.TrimSpace(email)
	if email == "" {
		return "", &RequestError{Field: "useremail", Reason: "is missing"}
	}
	u, err := endpoint("global_url", g.URL, "getuserdomain.aspx")
	if err != nil {
		return "", err
	}
	u.RawQuery = url.Values{"useremail": {email}}.Encode()
	c := newCall(lookupOp(email), g.HTTP, u)
	c.keepBusy, c.pause = g.ReturnBusy, g.pause
	ctx, stop := context.WithTimeout(ctx, callTimeout)
	defer stop()
	header, text, err := c.exchange(ctx, newGet(u), c.get, userDomainLimit)
	if err != nil {
		return "", err
	}
	return c.userDomain(header, text, email)
}

func lookupOp(email string) string {
	return "look up the primary domain of " + redact.OneLine(email, maxMessage)
}

// userDomain parses "<email>,<primary_domain>" (interface section 2.3); asked is the
// address that the answer has to be about, in any letter case.
func (c *call) userDomain(header http.Header, body []byte, asked string) (string, error) {
	text := string(withoutBOM(body))
	switch {
	case text == "":
		return "", c.unexpected(header, emptyAnswer)
	case text[0] == '<':
		return "", c.unexpected(header, "an HTML page instead of an e-mail address and a domain")
	}
	email, rest, found := strings.Cut(text, ",")
	domain, more, _ := strings.Cut(rest, ",")
	if !found || strings.Trim(more, ", \t\r\n") != "" || strings.ContainsAny(text, "\r\n") {
		return "", c.unexpected(header, "something other than an e-mail address and a domain")
	}
	if !strings.EqualFold(strings.TrimSpace(email), asked) {
		return "", c.unexpected(header, "the domain of a different e-mail address")
	}
	if domain = strings.TrimSpace(domain); domain == "" {
		return "", &NoDomainError{Email: asked, Host: c.host}
	}
	return domain, nil
}
