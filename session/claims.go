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
	Rejected      []string  // values of the two domain claims that cannot be read without doubt, as text
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

// Begins is when the token begins to be valid ("nbf"), or else when it was issued ("iat"); zero if it
// says neither.
func (c Claims) Begins() time.Time {
	for _, name := range []string{"nbf", "iat"} {
		claims, _ := lastOf(c.JSON, name)
		if claim, has := claims[name]; has {
			return numericDate(text(claim))
		}
	}
	return time.Time{}
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

// lastOf returns the claims of these names. Where a name is there twice the last one counts, as RFC
// 7519 section 4 demands; ambiguous are the names whose values differ.
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

// readDomains reads the domains from the two claims. They are checked, as each later becomes part of
// a host name.
func (c *Claims) readDomains(primary, others gjson.Result) {
	each(primary, func(value gjson.Result) bool {
		if named, ok := domainsIn(value, 1); ok && len(named) == 1 {
			c.PrimaryDomain = named[0]
		} else {
			c.reject(value)
		}
		return false // of a list the first
	})
	known, read := map[string]bool{c.PrimaryDomain: true}, 0
	each(unwrapped(others), func(value gjson.Result) bool {
		if read == MaxDomains {
			c.Unread++
			return true
		}
		read++
		named, ok := domainsIn(value, MaxDomains-read+1)
		if !ok {
			c.reject(value)
			return true
		}
		read += max(len(named)-1, 0)
		for _, domain := range named {
			if !known[domain] {
				known[domain] = true
				c.Domains = append(c.Domains, domain)
			}
		}
		return true
	})
}

// reject remembers a value that names no domain.
func (c *Claims) reject(value gjson.Result) {
	text := value.Str
	if text == "" {
		text = value.Raw
	}
	c.Rejected = append(c.Rejected, text)
}

// unwrapped is the list in a claim that holds it as a text of JSON, or else the claim itself.
func unwrapped(claim gjson.Result) gjson.Result {
	if text := strings.TrimSpace(claim.Str); strings.HasPrefix(text, "[") && json.Valid([]byte(text)) {
		return gjson.Parse(text)
	}
	return claim
}

// domainsIn are the domains that a value of a claim names, in its order: a name, with or without a
// dot at its end; names with commas or blanks between them; a list of names, also as a text of JSON;
// or an object that has one name. ok is false where the value has anything else, or more domains
// than the limit: what part of it is meant would be a guess.
func domainsIn(value gjson.Result, limit int) (named []string, ok bool) {
	list := unwrapped(value)
	switch {
	case list.IsArray():
		list.ForEach(func(_, item gjson.Result) bool {
			domain, isDomain := domainOf(item.Str)
			ok = isDomain && len(named) < limit
			named = append(named, domain)
			return ok
		})
		return named, ok
	case value.IsObject():
		return domainOfObject(value)
	}
	for name := range strings.FieldsFuncSeq(value.Str, isBetweenNames) {
		domain, isDomain := domainOf(name)
		if !isDomain || len(named) == limit {
			return nil, false
		}
		named = append(named, domain)
	}
	return named, len(named) > 0
}

// isBetweenNames reports whether a character stands between names in a text.
func isBetweenNames(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\r' || r == '\n' }

// domainOf is the domain that a text is, with or without a dot at its end.
func domainOf(text string) (domain string, ok bool) {
	domain, err := config.CheckDomain(strings.TrimSuffix(strings.Trim(text, " \t\r\n"), "."))
	return domain, err == nil
}

// domainOfObject is the domain that the members of an object name. Members that name different ones
// name none.
func domainOfObject(object gjson.Result) (named []string, ok bool) {
	object.ForEach(func(member, value gjson.Result) bool {
		if !slices.Contains(naming, strings.ToLower(member.Str)) {
			return true
		}
		if domain, isDomain := domainOf(value.Str); isDomain && !slices.Contains(named, domain) {
			named = append(named, domain)
		}
		return true
	})
	return named, len(named) == 1
}

// naming are the members of an object that may have the name of a domain, in lower case.
var naming = []string{"domain", "name", "domainname", "domain_name"}

// text is the value of a string claim, and the JSON text of any other.
func text(value gjson.Result) string {
	if value.Type == gjson.String {
		return value.Str
	}
	return value.Raw
}

// endOf9999 is the last second of a year with four digits.
const endOf9999 = 253402300799

// numericDate parses seconds since 1970, or milliseconds, which some authorities write by mistake: as
// seconds, they would be beyond the year 9999. Anything else is the zero time; dates outside 1970
// to 9999 are clamped.
func numericDate(digits string) time.Time {
	if !json.Valid([]byte(digits)) { // ParseFloat takes "Inf", "NaN" and "0x1p4" too
		return time.Time{}
	}
	seconds, err := strconv.ParseFloat(digits, 64)
	if err != nil && !math.IsInf(seconds, 0) {
		return time.Time{}
	}
	const inSecond = 1000 // milliseconds
	if seconds > endOf9999 && seconds <= endOf9999*inSecond {
		seconds /= inSecond
	}
	return time.Unix(int64(min(max(seconds, 0), endOf9999)), 0).UTC()
}
