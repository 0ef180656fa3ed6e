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
	HTTP http.RoundTripper // required, see [NewTransport]
	URL  string            // https://host, without the name of a page
	// ReturnBusy returns a 429 at once instead of repeating the request. It is for a caller that
	// makes many calls and has to hold back all of them.
	ReturnBusy bool

	pause pause // between attempts; nil: backoff
}

// UserDomain requests the primary domain of a user (interface section 4.4) and returns it exactly as
// the service writes it, which need not be a host name, see [NotDomainError]. The request is
// repeated like those of a [Gateway].
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
	lines := visibleLines(withoutBOM(body))
	for _, line := range lines {
		pair, isPair := parsePair(line)
		switch {
		case !isPair:
		case strings.EqualFold(pair.email, asked) && pair.domain == "":
			return "", &NoDomainError{Email: asked, Host: c.host}
		case strings.EqualFold(pair.email, asked):
			return pair.domain, nil
		case len(lines) == 1: // a page with more may name others as well
			return "", &OtherAddressError{
				Op:       c.op,
				Host:     c.host,
				Answered: pair.email,
				Domain:   pair.domain,
			}
		}
	}
	switch {
	case len(withoutBOM(body)) == 0:
		return "", c.unexpected(resp, emptyAnswer)
	case isMarkup(body):
		return "", c.page(resp, withoutBOM(body),
			"an HTML page instead of an e-mail address and a domain")
	}
	return "", c.telling(resp, body, "something other than an e-mail address and a domain")
}
