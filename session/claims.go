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

// Claims is what an access token says about its user (interface section 2.2),
// decoded and not verified: the client has no key to verify it with. They are
// as old as the sign-in, for a renewal re-issues them unchanged.
type Claims struct {
	Present       bool     // false: the access token is no JWT, and all else is empty
	Subject       string   // "sub": the user's e-mail address; empty if missing, or neither string nor number
	PrimaryDomain string   // host name in lower case; empty if missing or no host name
	Domains       []string // the other domains in the claim's order, no duplicates
	Rejected      []string // values of the two domain claims that are no host name, as text
	IssuedAt      time.Time
	Expiry        time.Time // zero if the token does not say; between 1970 and 9999 otherwise
	JSON          []byte    // the payload exactly as sent
}

// AllDomains lists every domain of the user, the primary first.
func (c Claims) AllDomains() []string {
	if c.PrimaryDomain == "" {
		return c.Domains
	}
	return append([]string{c.PrimaryDomain}, c.Domains...)
}

// decodeClaims reads the payload of a JWT. Header and signature are not looked
// at: an algorithm unknown here does not make the claims less readable.
func decodeClaims(accessToken secret.Text) Claims {
	parts := strings.Split(accessToken.Reveal(), ".")
	if len(parts) != 3 {
		return Claims{}
	}
	payload, err := jwt.NewParser(jwt.WithPaddingAllowed()).DecodeSegment(strings.TrimRight(parts[1], "="))
	if err != nil {
		return Claims{}
	}
	// Raw values, so that one claim of an unexpected kind hides no other.
	var fields map[string]json.RawMessage
	if json.Unmarshal(payload, &fields) != nil || fields == nil {
		return Claims{}
	}
	c := Claims{
		Present:  true,
		Subject:  subject(fields["sub"]),
		IssuedAt: numericDate(fields["iat"]),
		Expiry:   numericDate(fields["exp"]),
		JSON:     payload,
	}
	c.readDomains(fields["primary_domain"], fields["domains"])
	return c
}

// readDomains fills the domains from a claim that is missing, null, a string or
// an array. Each becomes part of a host name later, hence the check.
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

// elements are the items of an array, or the value itself; none if it is
// missing or null.
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

// subject is the value of a claim that names somebody: a string, or a number as it
// was sent. What is neither names nobody.
func subject(value json.RawMessage) string {
	var number json.Number // accepts a string that holds one, too
	if json.Unmarshal(value, &number) == nil {
		return text(value)
	}
	var name string
	_ = json.Unmarshal(value, &name)
	return name
}

// text is a string claim's value, and the JSON text of a claim of another kind.
func text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s // null leaves it empty
	}
	return string(value)
}

// endOf9999 is the last second with a year of four digits.
const endOf9999 = 253402300799

// numericDate reads seconds since 1970, as a number or a number in a string.
// What is no number is the zero time; what no calendar holds is moved to the
// nearest end of 1970 to 9999.
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
