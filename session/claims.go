package session

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

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
	if err != nil {
		return Claims{}
	}
	// Raw values, so that a claim of an unexpected type does not affect the others.
	var fields map[string]json.RawMessage
	if json.Unmarshal(payload, &fields) != nil || fields == nil {
		return Claims{}
	}
	c := Claims{
		Present: true,
		Subject: subject(fields["sub"]),
		Expiry:  numericDate(fields["exp"]),
		JSON:    payload,
	}
	c.readDomains(fields["primary_domain"], fields["domains"])
	return c
}

// readDomains reads the domains from claims that are missing, null, a string or an array.
// They are checked, as each later becomes part of a host name.
func (c *Claims) readDomains(primary, others json.RawMessage) {
	seen := map[string]bool{}
	accept := func(value json.RawMessage) (domain string, fresh bool) {
		var name string
		if json.Unmarshal(value, &name) != nil || name == "" {
			c.Rejected = append(c.Rejected, string(value))
			return "", false
		}
		domain, err := config.CheckDomain(name)
		if err != nil {
			c.Rejected = append(c.Rejected, name)
			return "", false
		}
		fresh = !seen[domain]
		seen[domain] = true
		return domain, fresh
	}
	if value := elements(primary); len(value) > 0 {
		c.PrimaryDomain, _ = accept(value[0])
	}
	for _, value := range elements(others) {
		if domain, fresh := accept(value); fresh {
			c.Domains = append(c.Domains, domain)
		}
	}
}

// elements are the elements of an array, or the value itself; none if it is missing or
// null.
func elements(value json.RawMessage) []json.RawMessage {
	if value == nil || string(value) == "null" {
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(value, &items) != nil {
		return []json.RawMessage{value}
	}
	return items
}

// subject is the value of the claim "sub": a string, or a number as it was sent; empty
// for other types.
func subject(value json.RawMessage) string {
	var number json.Number // accepts a string that holds one, too
	if json.Unmarshal(value, &number) == nil {
		return text(value)
	}
	var name string
	_ = json.Unmarshal(value, &name)
	return name
}

// text is the value of a string claim, and the JSON text of any other.
func text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s // null leaves it empty
	}
	return string(value)
}

// endOf9999 is the last second of a year with four digits.
const endOf9999 = 253402300799

// numericDate parses seconds since 1970, as a number or a number in a string. Anything
// else is the zero time; dates outside 1970 to 9999 are clamped.
func numericDate(value json.RawMessage) time.Time {
	digits := text(value)
	if !json.Valid([]byte(digits)) { // ParseFloat takes "Inf", "NaN" and "0x1p4" too
		return time.Time{}
	}
	seconds, err := strconv.ParseFloat(digits, 64)
	if err != nil && !math.IsInf(seconds, 0) {
		return time.Time{}
	}
	return time.Unix(int64(min(max(seconds, 0), endOf9999)), 0).UTC()
}
