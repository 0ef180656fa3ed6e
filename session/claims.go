package session

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/tidwall/gjson"

	"gatehouse/internal/config"
	"gatehouse/internal/secret"
)

// Claims is what an access token says about its user (interface section 2.2), decoded but
// not verified: the client has no key for that. Claims are as old as the sign-in, as a
// renewal re-issues them unchanged.
type Claims struct {
	Present       bool      // false: the access token is not a JWT, and everything else is empty
	Subject       string    // "sub": the user's e-mail address; empty unless it is a string or number
	PrimaryDomain string    // host name in lower case; empty if missing or invalid
	Domains       []string  // the other domains in the claim's order, no duplicates
	Rejected      []string  // invalid values of the two domain claims, as text
	Expiry        time.Time // zero if the token has none; otherwise between 1970 and 9999
	JSON          []byte    // the payload exactly as sent
}

// AllDomains lists every domain of the user, the primary first.
func (c Claims) AllDomains() []string {
	if c.PrimaryDomain == "" {
		return c.Domains
	}
	return append([]string{c.PrimaryDomain}, c.Domains...)
}

// decodeClaims reads the payload of a JWT. It ignores header and signature: claims can be
// read whatever the algorithm.
func decodeClaims(accessToken secret.Text) Claims {
	parts := strings.Split(accessToken.Reveal(), ".")
	if len(parts) != 3 {
		return Claims{}
	}
	payload, err := jwt.NewParser(jwt.WithPaddingAllowed()).DecodeSegment(strings.TrimRight(parts[1], "="))
	claims := gjson.ParseBytes(bytes.ToValidUTF8(payload, []byte("\uFFFD"))) // as a record holds only UTF-8
	if err != nil || !gjson.ValidBytes(payload) || !claims.IsObject() {
		return Claims{}
	}
	c := Claims{Present: true, Expiry: numericDate(text(claims.Get("exp"))), JSON: payload}
	if sub := claims.Get("sub"); sub.Type == gjson.String || sub.Type == gjson.Number {
		c.Subject = text(sub)
	}
	c.readDomains(claims.Get("primary_domain"), claims.Get("domains"))
	return c
}

// readDomains reads the domains from claims that are missing, null, a string or an array.
// They are checked, as each later becomes part of a host name.
func (c *Claims) readDomains(primary, others gjson.Result) {
	first := primary.Array()
	first = first[:min(len(first), 1)]
	for i, value := range slices.Concat(first, others.Array()) {
		domain, err := config.CheckDomain(value.Str)
		switch {
		case value.Str == "":
			c.Rejected = append(c.Rejected, value.Raw)
		case err != nil:
			c.Rejected = append(c.Rejected, value.Str)
		case i < len(first):
			c.PrimaryDomain = domain
		case !slices.Contains(c.AllDomains(), domain):
			c.Domains = append(c.Domains, domain)
		}
	}
}

// text is the value of a string claim, and the JSON text of any other.
func text(value gjson.Result) string {
	if value.Type == gjson.String {
		return value.Str
	}
	return value.Raw
}

// endOf9999 is the last second of a year with four digits.
const endOf9999 = 253402300799

// numericDate parses seconds since 1970. Anything else is the zero time; dates outside 1970 to
// 9999 are clamped.
func numericDate(digits string) time.Time {
	if !gjson.Valid(digits) { // ParseFloat takes "Inf", "NaN" and "0x1p4" too
		return time.Time{}
	}
	seconds, err := strconv.ParseFloat(digits, 64)
	if err != nil && !math.IsInf(seconds, 0) {
		return time.Time{}
	}
	return time.Unix(int64(min(max(seconds, 0), endOf9999)), 0).UTC()
}
