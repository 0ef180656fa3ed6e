package session

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/tidwall/gjson"

	"gatehouse/internal/config"
	"gatehouse/internal/text/secret"
)

// MaxDomains is how many values of the claim with the other domains are read. No person has as many,
// and a token has room for ten times as many.
const MaxDomains = 10_000

// Claims is what an access token says about its user (interface section 2.2), decoded but
// not verified: the client has no key for that. Claims are as old as the sign-in, as a
// renewal re-issues them unchanged.
type Claims struct {
	Present       bool      // false: the access token is not a JWT, and everything else is empty
	Subject       string    // "sub": the user's e-mail address; empty unless it is a string or number
	PrimaryDomain string    // host name in lower case; empty if missing or invalid
	Domains       []string  // the other domains in the claim's order, no duplicates; at most MaxDomains
	Rejected      []string  // invalid values of the two domain claims, as text
	Unread        int       // other domains after the first MaxDomains, which were not looked at
	Ambiguous     []string  // claims that are read and that the token has twice, with different values
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

// Has reports whether a domain, a host name in lower case, is one of the user's.
func (c Claims) Has(domain string) bool {
	return domain != "" && (domain == c.PrimaryDomain || slices.Contains(c.Domains, domain))
}

// Scopes is what a token says that it is for, as a text or a list; nil if it does not say.
func (c Claims) Scopes() (list []string) {
	claims, _ := lastOf(c.JSON, "scope")
	each(claims["scope"], func(names gjson.Result) bool {
		list = append(list, strings.Fields(names.Str)...)
		return true
	})
	return list
}

// decodeClaims reads the payload of a JWT. It ignores header and signature: claims can be
// read whatever the algorithm.
func decodeClaims(accessToken secret.Text) Claims {
	parts := strings.SplitN(accessToken.Reveal(), ".", 4)
	if len(parts) != 3 {
		return Claims{}
	}
	payload, err := jwt.NewParser(jwt.WithPaddingAllowed()).DecodeSegment(strings.TrimRight(parts[1], "="))
	if err != nil || !json.Valid(payload) || !gjson.ParseBytes(payload).IsObject() {
		return Claims{}
	}
	readable := bytes.ToValidUTF8(payload, []byte("\uFFFD")) // as a record holds only UTF-8
	claims, ambiguous := lastOf(readable, "sub", "exp", "primary_domain", "domains")
	c := Claims{Present: true, JSON: payload, Ambiguous: ambiguous}
	c.Expiry = numericDate(text(claims["exp"]))
	if sub := claims["sub"]; sub.Type == gjson.String || sub.Type == gjson.Number {
		c.Subject = text(sub)
	}
	c.readDomains(claims["primary_domain"], claims["domains"])
	return c
}

// lastOf returns the claims of these names. Of one that is there twice the last counts, as RFC 7519
// section 4 wants it of all who read a token; ambiguous are those whose values differ.
func lastOf(payload []byte, names ...string) (claims map[string]gjson.Result, ambiguous []string) {
	claims = map[string]gjson.Result{}
	gjson.ParseBytes(payload).ForEach(func(name, value gjson.Result) bool {
		if !slices.Contains(names, name.Str) {
			return true
		}
		before, isTwice := claims[name.Str]
		if isTwice && before.Raw != value.Raw && !slices.Contains(ambiguous, name.Str) {
			ambiguous = append(ambiguous, name.Str)
		}
		claims[name.Str] = value
		return true
	})
	return claims, ambiguous
}

// each calls f with the values of a claim that is a list, until f returns false, or with the claim
// itself. A claim that is missing or null has no values.
func each(claim gjson.Result, f func(value gjson.Result) bool) {
	switch {
	case claim.Type == gjson.Null:
	case claim.IsArray():
		claim.ForEach(func(_, value gjson.Result) bool { return f(value) })
	default:
		f(claim)
	}
}

// readDomains reads the domains from claims that are missing, null, a string or an array.
// They are checked, as each later becomes part of a host name.
func (c *Claims) readDomains(primary, others gjson.Result) {
	each(primary, func(value gjson.Result) bool {
		c.PrimaryDomain = c.domain(value)
		return false // of a list the first
	})
	known, read := map[string]bool{"": true, c.PrimaryDomain: true}, 0
	each(others, func(value gjson.Result) bool {
		if read == MaxDomains {
			c.Unread++
			return true
		}
		read++
		if domain := c.domain(value); !known[domain] {
			known[domain] = true
			c.Domains = append(c.Domains, domain)
		}
		return true
	})
}

// domain is the domain that a value names; "" if it is none, which is rejected.
func (c *Claims) domain(value gjson.Result) string {
	domain, err := config.CheckDomain(value.Str)
	switch {
	case value.Str == "":
		c.Rejected = append(c.Rejected, value.Raw)
	case err != nil:
		c.Rejected = append(c.Rejected, value.Str)
	}
	return domain
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
	if !json.Valid([]byte(digits)) { // ParseFloat takes "Inf", "NaN" and "0x1p4" too
		return time.Time{}
	}
	seconds, err := strconv.ParseFloat(digits, 64)
	if err != nil && !math.IsInf(seconds, 0) {
		return time.Time{}
	}
	return time.Unix(int64(min(max(seconds, 0), endOf9999)), 0).UTC()
}
