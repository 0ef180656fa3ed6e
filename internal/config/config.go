// Package config resolves flags, environment variables and the profile file
// into one checked [Profile] that knows where each of its values comes from.
package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatehouse/internal/secret"
)

// The authorities of interface section 4.1, as the key authority names them.
const (
	AuthorityMain   = "main"   // auth_url: serves the users of every installation
	AuthorityDomain = "domain" // domain_auth_url: serves those of one installation
	AuthorityTest   = "test"   // auth_test_url: for development
)

// The ways to authenticate the client at the token endpoint, as the key
// client_auth names them (interface section 4.1).
const (
	ClientAuthBasic = "basic" // Authorization header
	ClientAuthBody  = "body"  // form fields
)

// The places that can hold a session, as GATEHOUSE_STORE names them.
const (
	StoreKeyring = "keyring"
	StoreFile    = "file"
	StoreMemory  = "memory"
)

// Profile names one installation of the service. [Resolve] checks every value;
// a URL carries no query, user or trailing slash. DomainAuthURL and BaseURL may
// hold {domain}: use [Profile.AuthorityURL] and [Profile.GatewayURL] for them.
type Profile struct {
	Name string // letters, digits, ".", "_", "-"; fit for a file name

	Authority     string // main, domain or test; its URL is there
	AuthURL       string // main authority
	DomainAuthURL string // local authority of one installation
	AuthTestURL   string // development authority
	BaseURL       string // client gateway
	GlobalURL     string // global service
	ClientID      string
	ClientAuth    string // basic or body
	Scope         string // separated by spaces
	ResellerID    string // default for companies, may be empty

	Store   string // keyring, file or memory
	LogFile string // empty: no log

	ClientSecret    secret.Text
	APIKey          secret.Text // reseller or company key
	StorePassphrase secret.Text // for the store "file"

	origins map[string]Origin
}

// Authorities lists those of main, domain and test that have a URL, in that order
// but for the profile's own, which comes first.
func (p *Profile) Authorities() []string {
	var with []string
	for _, s := range settings {
		if s.isAuthority() && s.value(p) != "" {
			with = append(with, string(s.needed))
		}
	}
	if own := slices.Index(with, p.Authority); own > 0 {
		with = slices.Insert(slices.Delete(with, own, own+1), 0, p.Authority)
	}
	return with
}

// AuthorityURL gives the base URL of an authority: main, domain or test. The
// user's primary domain replaces {domain} and is not looked at where the URL
// has none. An authority that is unknown or has no URL is an [*Error], a domain
// that is no host name a [*DomainError].
func (p *Profile) AuthorityURL(authority, domain string) (string, error) {
	for _, s := range settings {
		if s.isAuthority() && string(s.needed) == authority {
			return p.expand(s, domain)
		}
	}
	return "", &Error{Key: "authority", Value: shown(authority), Want: wantAuthority}
}

// GatewayURL gives the base URL of the client gateway for one domain, which
// replaces {domain} and is not looked at where base_url has none. A domain that
// is no host name is a [*DomainError].
func (p *Profile) GatewayURL(domain string) (string, error) {
	return p.expand(find("base_url"), domain)
}

func (p *Profile) expand(s *setting, domain string) (string, error) {
	text := s.value(p)
	if text == "" {
		return "", p.lacks(Origin{}, s)
	}
	t, err := parseTemplate(text)
	if err != nil {
		return "", s.refuse(value{text, p.origins[s.key]}, err)
	}
	expanded, err := t.expand(domain)
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.key, err)
	}
	return expanded, nil
}

// ErrNoProfile says that there is nothing to resolve: no profile in the file
// and no variable that would define one.
var ErrNoProfile = errors.New("no profile is configured")

// Keys lists the names of all values of a profile in display order: "profile",
// the keys of the file, then those that only variables and flags can give.
func Keys() []string {
	keys := make([]string, len(settings))
	for i, s := range settings {
		keys[i] = s.key
	}
	return keys
}

// Value gives the value of one of [Keys] for display: secrets are masked. It is
// empty for a key that has no value or does not exist.
func (p *Profile) Value(key string) string {
	s := find(key)
	if s == nil {
		return ""
	}
	return s.value(p)
}

// Origin tells where the value of one of [Keys] comes from.
func (p *Profile) Origin(key string) Origin { return p.origins[key] }

// Origin is where a value comes from: a file, a variable or a flag. The zero
// Origin is a default.
type Origin struct {
	File     string // path
	Line     int    // in File, from 1; 0 where no line is meant
	Variable string // name of the environment variable
	Flag     string // with its dashes
}

// String gives "file /path", "variable GATEHOUSE_X", "flag --x" or "default".
func (o Origin) String() string {
	switch {
	case o.Flag != "":
		return "flag " + o.Flag
	case o.Variable != "":
		return "variable " + o.Variable
	case o.File != "":
		return "file " + o.File
	}
	return "default"
}

// position is the origin as an error names it, empty for a default.
func (o Origin) position() string {
	switch {
	case o == Origin{}:
		return ""
	case o.File == "":
		return o.String()
	case o.Line == 0:
		return o.File
	}
	return o.File + ":" + strconv.Itoa(o.Line)
}

// Error is a configuration that does not hold together. It never carries a
// secret, nor the user and query of a URL.
type Error struct {
	Origin         // of the value, or of the place where one is missing
	Key     string // as in the file; empty when the file as a whole is meant
	Value   string // as far as it may be shown
	Problem string // what is wrong; empty when Value is
	Want    string // what would be accepted
	Err     error  // the cause, where there is one
}

// Error gives one line: where, what is wrong, what would be accepted.
func (e *Error) Error() string {
	problem := e.Problem
	if problem == "" {
		problem = fmt.Sprintf("%s is %q", e.Key, e.Value)
	}
	if at := e.position(); at != "" {
		problem = at + ": " + problem
	}
	if e.Want == "" {
		return problem
	}
	return problem + "; " + e.Want
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// shown is a value as an error may carry it. What stands before an @ or after a
// ? may be a password or a token, whatever it was meant to be.
func shown(value string) string {
	if strings.Contains(value, "@") {
		return secret.Mask
	}
	if i := strings.IndexAny(value, "?#"); i >= 0 {
		value = value[:i+1] + secret.Mask
	}
	return cut(value)
}

// cut keeps a long text from flooding an error.
func cut(text string) string {
	const most = 100
	runes := 0
	for i := range text {
		if runes++; runes > most {
			return text[:i] + "…"
		}
	}
	return text
}
