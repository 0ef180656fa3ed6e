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

// MaxDomains limits how many values are read from the claim with the other domains. No person has
// that many, and a token has room for ten times the number.
const MaxDomains = 10_000

// Claims is what an access token says about its user (interface section 2.2), decoded but
// not verified: the client has no key for that. Claims are as old as the sign-in, because a
// renewal reissues them unchanged.
type Claims struct {
	// Present is false if the access token is not a JWT. Everything else is then empty.
	Present bool
	// Subject is "sub", the user's e-mail address. It is empty unless it is a string or number.
	Subject string
	// PrimaryDomain is a host name in lower case, or "" if it is missing or invalid.
	PrimaryDomain string
	// Domains are the other domains in the claim's order without duplicates, at most MaxDomains.
	Domains []string
	// Rejected are the values of the two domain claims that cannot be read as a domain, as text.
	Rejected []string
	// Unread counts the other domains beyond MaxDomains, which were not looked at.
	Unread int
	// Ambiguous names the claims read here that the token has twice with different values.
	Ambiguous []string
	// Expiry is between 1970 and 9999, or zero if the token has none.
	Expiry time.Time
	// JSON is the payload exactly as sent.
	JSON []byte
}

// AllDomains lists every domain of the user, the primary first.
func (c Claims) AllDomains() []string {
	if c.PrimaryDomain == "" {
		return c.Domains
	}
	return append([]string{c.PrimaryDomain}, c.Domains...)
}

// userOr is the address of the user: the subject if that is an address, and otherwise what was typed.
func (c Claims) userOr(typed string) string {
	if strings.Contains(c.Subject, "@") {
		return c.Subject
	}
	return typed
}

// Names are the names of the claims in their order, as they came.
func (c Claims) Names() (list []string) {
	gjson.ParseBytes(c.JSON).ForEach(func(name, _ gjson.Result) bool {
		list = append(list, name.Str)
		return true
	})
	return list
}

// Has reports whether a domain is one of the user's. It must be a host name in lower case.
func (c Claims) Has(domain string) bool {
	return domain != "" && (domain == c.PrimaryDomain || slices.Contains(c.Domains, domain))
}

// Scopes lists the scopes that the token was issued for ("scope", a text or a list), or nil if it
// names none.
func (c Claims) Scopes() (list []string) {
	claims, _ := claimsNamed(c.JSON, "scope")
	eachValue(claims["scope"], func(names gjson.Result) bool {
		list = append(list, strings.Fields(names.Str)...)
		return true
	})
	return list
}

// ValidFrom is the time from which the token is valid ("nbf"), or else when it was issued ("iat").
// It is zero if the token has neither claim.
func (c Claims) ValidFrom() time.Time {
	for _, name := range []string{"nbf", "iat"} {
		claims, _ := claimsNamed(c.JSON, name)
		if claim, has := claims[name]; has {
			return numericDate(claimText(claim))
		}
	}
	return time.Time{}
}

// decodeClaims reads the payload of a JWT. It ignores header and signature, so the algorithm does
// not matter. If the token is not a JWT, the result is the zero Claims.
func decodeClaims(accessToken secret.Text) Claims {
	parts := strings.SplitN(accessToken.Reveal(), ".", 4)
	if len(parts) != 3 {
		return Claims{}
	}
	parser := jwt.NewParser(jwt.WithPaddingAllowed())
	payload, err := parser.DecodeSegment(strings.TrimRight(parts[1], "="))
	if err != nil || !json.Valid(payload) || !gjson.ParseBytes(payload).IsObject() {
		return Claims{}
	}
	readable := bytes.ToValidUTF8(payload, []byte("\uFFFD")) // a record is saved as UTF-8
	claims, ambiguous := claimsNamed(readable, "sub", "exp", "primary_domain", "domains")
	c := Claims{Present: true, JSON: payload, Ambiguous: ambiguous}
	c.Expiry = numericDate(claimText(claims["exp"]))
	if sub := claims["sub"]; sub.Type == gjson.String || sub.Type == gjson.Number {
		c.Subject = claimText(sub)
	}
	c.readPrimaryDomain(claims["primary_domain"])
	c.readOtherDomains(claims["domains"])
	return c
}

// claimsNamed returns the claims with these names. If a name occurs twice the last one counts, as
// RFC 7519 section 4 allows; ambiguous lists such names whose values differ.
func claimsNamed(
	payload []byte, names ...string,
) (claims map[string]gjson.Result, ambiguous []string) {
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

// eachValue calls f with each value of a claim that is a list, until f returns false, or else with
// the claim itself. A claim that is missing or null has no values.
func eachValue(claim gjson.Result, f func(value gjson.Result) bool) {
	switch {
	case claim.Type == gjson.Null:
	case claim.IsArray():
		claim.ForEach(func(_, value gjson.Result) bool { return f(value) })
	default:
		f(claim)
	}
}

// readPrimaryDomain reads the claim with the primary domain. Of a list, the first value counts.
func (c *Claims) readPrimaryDomain(claim gjson.Result) {
	eachValue(claim, func(value gjson.Result) bool {
		if named, ok := domainsIn(value, 1); ok {
			c.PrimaryDomain = named[0]
		} else {
			c.reject(value)
		}
		return false
	})
}

// readOtherDomains reads the claim with the domains beside the primary one, which is known.
func (c *Claims) readOtherDomains(claim gjson.Result) {
	known, read := map[string]bool{c.PrimaryDomain: true}, 0
	eachValue(unwrapped(claim), func(value gjson.Result) bool {
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
		read += len(named) - 1 // one value may name several
		for _, domain := range named {
			if !known[domain] {
				known[domain] = true
				c.Domains = append(c.Domains, domain)
			}
		}
		return true
	})
}

// reject records a value that cannot be read as a domain.
func (c *Claims) reject(value gjson.Result) {
	text := value.Str
	if text == "" {
		text = value.Raw
	}
	c.Rejected = append(c.Rejected, text)
}

// unwrapped returns the list that a string claim holds as JSON, or else the claim itself.
func unwrapped(claim gjson.Result) gjson.Result {
	text := strings.TrimSpace(claim.Str)
	if strings.HasPrefix(text, "[") && json.Valid([]byte(text)) {
		return gjson.Parse(text)
	}
	return claim
}

// domainsIn returns the domains that one value of a claim names, in its order. The value may be
//
//   - a name, with or without a dot at its end,
//   - names separated by commas or blanks,
//   - a list of names, also as JSON in a string,
//   - an object that has one name.
//
// ok is false if the value names none or has anything else in it, or more domains than the limit:
// which part of it counts would be a guess.
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

// blanks are the white space of JSON.
const blanks = " \t\r\n"

// isBetweenNames reports whether a character separates the names in a text.
func isBetweenNames(r rune) bool { return r == ',' || strings.ContainsRune(blanks, r) }

// domainOf returns the domain that a text names, with or without a dot at its end.
func domainOf(text string) (domain string, ok bool) {
	domain, err := config.CheckDomain(strings.TrimSuffix(strings.Trim(text, blanks), "."))
	return domain, err == nil
}

// domainOfObject returns the one domain that the members of an object name. ok is false if they
// name none, or different ones.
func domainOfObject(object gjson.Result) (named []string, ok bool) {
	object.ForEach(func(member, value gjson.Result) bool {
		if !slices.Contains(domainMembers, strings.ToLower(member.Str)) {
			return true
		}
		if domain, isDomain := domainOf(value.Str); isDomain && !slices.Contains(named, domain) {
			named = append(named, domain)
		}
		return true
	})
	return named, len(named) == 1
}

// domainMembers are the members of an object that may have the name of a domain, in lower case.
var domainMembers = []string{"domain", "name", "domainname", "domain_name"}

// claimText returns the value of a string claim, and the JSON text of any other.
func claimText(value gjson.Result) string {
	if value.Type == gjson.String {
		return value.Str
	}
	return value.Raw
}

// endOf9999 is the last second of a year with four digits.
const endOf9999 = 253402300799

// numericDate parses seconds since 1970. Some authorities send milliseconds by mistake, which
// shows, as they would be seconds beyond the year 9999. Dates outside 1970 to 9999 are clamped;
// anything that is no number gives the zero time.
func numericDate(digits string) time.Time {
	if !json.Valid([]byte(digits)) { // ParseFloat would accept "Inf", "NaN" and "0x1p4" too
		return time.Time{}
	}
	seconds, err := strconv.ParseFloat(digits, 64)
	if err != nil && !math.IsInf(seconds, 0) {
		return time.Time{}
	}
	const millisPerSecond = 1000
	if seconds > endOf9999 {
		seconds /= millisPerSecond
	}
	return time.Unix(int64(min(max(seconds, 0), endOf9999)), 0).UTC()
}
