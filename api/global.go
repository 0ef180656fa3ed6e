package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gatehouse/internal/text/redact"
)

const (
	callTimeout     = 30 * time.Second // for a whole call other than a list, including retries
	userDomainLimit = 64 << 10
)

// Global is the global service (interface sections 4.4 and 4.5).
type Global struct {
	HTTP *Transport // required, see [NewTransport]
	URL  string     // https://host, without the name of a page
	// ReturnBusy returns a 429 at once instead of repeating the request. It is for a caller that
	// makes many calls and has to hold back all of them.
	ReturnBusy bool

	pause pause // between attempts; nil: backoff
}

// UserDomain requests the primary domain of a user (interface section 4.4) and returns it exactly as
// the service writes it, which need not be a host name, see [NotDomainError]. The request is
// repeated like the requests of a [Gateway].
//
// Errors: [*NoDomainError] if the second value is empty, [*SeveralDomainsError] if the answer names
// several, [*OtherAddressError], [*BlankForPlusError], [*RequestError], [*TransportError],
// [*StatusError], [*RedirectError], [*BodyError], [*LimitError].
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
	c.returnBusy, c.pause = g.ReturnBusy, g.pause
	ctx, stop := context.WithTimeout(ctx, callTimeout)
	defer stop()
	resp, text, err := c.exchange(ctx, newGet(u), c.get, userDomainLimit)
	if err != nil {
		return "", err
	}
	return c.userDomain(resp, text, email)
}

// lookupOp names the look-up in errors.
func lookupOp(email string) string {
	return "look up the primary domain of " + redact.OneLine(email, maxMessage)
}

// userDomain finds "<email>,<primary_domain>" (interface section 2.3) in a body that may be plain
// text or HTML, and returns the domain. asked is the address that the answer has to be about, in any
// letter case.
func (c *call) userDomain(resp *http.Response, body []byte, asked string) (string, error) {
	body = withoutBOM(inUTF8(body))
	lines := visibleLines(body)
	isAnswer, domains := domainsOf(lines, asked)
	switch {
	case len(domains) > 1:
		return "", &SeveralDomainsError{Email: asked, Host: c.host, Domains: domains}
	case len(domains) == 1:
		return domains[0], nil
	case isAnswer:
		return "", &NoDomainError{Email: asked, Host: c.host}
	}
	if answered, isRead := blankForPlus(lines, asked); isRead {
		return "", &BlankForPlusError{Email: asked, Host: c.host, Answered: answered}
	}
	if other, isPair := onlyPair(lines); isPair {
		return "", &OtherAddressError{
			Op:       c.op,
			Host:     c.host,
			Answered: other.email,
			Domain:   other.domain,
		}
	}
	switch {
	case len(body) == 0:
		return "", c.unexpected(resp, emptyAnswer)
	case isMarkup(body):
		return "", c.page(resp, body,
			"an HTML page instead of an e-mail address and a domain")
	}
	e := c.telling(resp, body, "something other than an e-mail address and a domain")
	if e.Words == "" && e.Omitted == "" {
		e.Words, e.Omitted = c.shown(firstLine(string(body)), maxWords)
	}
	return "", e
}
