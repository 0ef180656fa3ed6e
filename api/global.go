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

// UserDomain is the answer of getuserdomain.aspx (interface section 2.3): both values as
// the service wrote them, trimmed.
type UserDomain struct {
	Email         string // the letter case may differ from the request
	PrimaryDomain string // not validated as a host name
}

// UserDomain requests the primary domain of a user (interface section 4.4). The request
// is repeated as those of a [Gateway] are.
//
// Errors: [*NoDomainError] if the second value is empty, [*RequestError],
// [*TransportError], [*StatusError], [*RedirectError], [*BodyError], [*LimitError].
func (g *Global) UserDomain(ctx context.Context, email string) (UserDomain, error) {
	email = strings.TrimSpace(email)
	if email == "" {
		return UserDomain{}, &RequestError{Field: "useremail", Reason: "is missing"}
	}
	u, err := endpoint("global_url", g.URL, "getuserdomain.aspx")
	if err != nil {
		return UserDomain{}, err
	}
	u.RawQuery = url.Values{"useremail": {email}}.Encode()
	c := newCall(lookupOp(email), g.HTTP, u)
	c.keepBusy, c.pause = g.ReturnBusy, g.pause
	header, text, err := c.exchange(ctx, newGet(u), c.get, userDomainLimit)
	if err != nil {
		return UserDomain{}, err
	}
	return c.userDomain(header, text, email)
}

func lookupOp(email string) string {
	return "look up the primary domain of " + redact.OneLine(email, maxMessage)
}

// userDomain parses "<email>,<primary_domain>" (interface section 2.3); asked is the
// address that the answer has to be about.
func (c *call) userDomain(header http.Header, body []byte, asked string) (UserDomain, error) {
	text := string(withoutBOM(body))
	switch {
	case text == "":
		return UserDomain{}, c.unexpected(header, emptyAnswer)
	case text[0] == '<':
		return UserDomain{}, c.unexpected(header, "an HTML page instead of an e-mail address and a domain")
	}
	email, rest, found := strings.Cut(text, ",")
	domain, more, _ := strings.Cut(rest, ",")
	if !found || strings.Trim(more, ", \t\r\n") != "" || strings.ContainsAny(text, "\r\n") {
		return UserDomain{}, c.unexpected(header, "something other than an e-mail address and a domain")
	}
	answer := UserDomain{Email: strings.TrimSpace(email), PrimaryDomain: strings.TrimSpace(domain)}
	if !strings.EqualFold(answer.Email, asked) {
		return UserDomain{}, c.unexpected(header, "the domain of a different e-mail address")
	}
	if answer.PrimaryDomain == "" {
		return UserDomain{}, &NoDomainError{Email: asked, Host: c.host}
	}
	return answer, nil
}
