// Package config resolves flags, environment variables and the profile file into one
// checked [Profile] that knows where each of its values comes from.
package config

import (
	"crypto/x509"
	"fmt"
	"slices"
	"strings"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
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

// How wide a terminal draws characters such as … and é, as the key ambiguous_width names it:
// East Asian terminals give them two cells, others one.
const (
	AmbiguousAuto   = "auto" // the terminal is asked
	AmbiguousNarrow = "narrow"
	AmbiguousWide   = "wide"
)

// Profile describes one installation of the service. [Resolve] checks every value: a URL has no
// query, user or trailing slash. DomainAuthURL and BaseURL may contain {domain}, so call
// [Profile.AuthorityURL] and [Profile.GatewayURL] instead of reading them.
type Profile struct {
	Name string `toml:"-"` // letters, digits, ".", "_", "-"; safe as a file name

	Authority     string `toml:"authority"`       // main, domain or test; that one has a URL
	AuthURL       string `toml:"auth_url"`        // main authority
	DomainAuthURL string `toml:"domain_auth_url"` // local authority of one installation
	AuthTestURL   string `toml:"auth_test_url"`   // development authority
	BaseURL       string `toml:"base_url"`        // client gateway
	GlobalURL     string `toml:"global_url"`      // global service
	ClientID      string `toml:"client_id"`
	ClientAuth    string `toml:"client_auth"` // basic or body
	Scope         string `toml:"scope"`       // separated by spaces
	ResellerID    string `toml:"reseller_id"` // default for companies, may be empty
	CAFile        string `toml:"ca_file"`     // PEM file with more authorities, may be empty

	AmbiguousWidth string `toml:"ambiguous_width"` // auto, narrow or wide

	Store   string `toml:"-"` // one of [Sources.Stores]
	LogFile string `toml:"-"` // empty: no log

	ClientSecret    secret.Text `toml:"-"`
	APIKey          secret.Text `toml:"-"` // reseller or company key
	StorePassphrase secret.Text `toml:"-"` // for the store "file"

	// SecretDomains are the domains whose own authority may receive the client secret, spelled
	// as [CheckDomain] returns them. nil allows every domain. Only a server has such a list.
	SecretDomains []string `toml:"-"`

	// Roots returns the authorities whose certificates are trusted: those of the system and
	// those of CAFile. It is nil if there is no CAFile.
	Roots func() *x509.CertPool `toml:"-"`

	origins map[string]Origin
}

// Authorities lists the authorities that have a URL: the profile's own first, then the
// others in the order main, domain, test.
func (p *Profile) Authorities() []string {
	var names []string
	for _, s := range settings {
		switch {
		case s.authority == "" || s.value(p) == "":
		case s.authority == p.Authority:
			names = slices.Insert(names, 0, s.authority)
		default:
			names = append(names, s.authority)
		}
	}
	return names
}

// AuthorityURL returns the base URL of an authority, which is main, domain or test. The user's
// primary domain replaces {domain}, and is ignored if the URL has no {domain}.
//
// The error is an [*Error] if the authority is unknown or has no URL, and a [*DomainError] if
// the domain is not a host name.
func (p *Profile) AuthorityURL(authority, domain string) (string, error) {
	for _, s := range settings {
		if s.authority != "" && s.authority == authority {
			return p.expand(s, domain)
		}
	}
	return "", &Error{Key: "authority", Value: shown(authority), Want: wantOneOf(authorities)}
}

// CheckSecretDomain returns a [*DomainError] if the client secret must not be sent to the
// authority of this domain. The domain is "" for an authority that all domains share.
func (p *Profile) CheckSecretDomain(domain string) error {
	if p.SecretDomains == nil || domain == "" {
		return nil
	}
	name, err := CheckDomain(domain)
	if err == nil && slices.Contains(p.SecretDomains, name) {
		return nil
	}
	return &DomainError{
		Text: "this server does not sign in at the authority of " + hostname.Readable(domain) +
			", so nothing was sent there",
		Hint: "Check the e-mail address, or ask the operator of this server.",
	}
}

// AsksDomain reports whether the URL of the profile's own authority contains {domain}, so that
// signing in requires the user's primary domain.
func (p *Profile) AsksDomain() bool {
	return p.Authority == AuthorityDomain && strings.Contains(p.DomainAuthURL, placeholder)
}

// KeepOwnAuthority clears the URL of every authority except the profile's own.
func (p *Profile) KeepOwnAuthority() {
	for _, s := range settings {
		if s.authority != "" && s.authority != p.Authority {
			*s.text(p) = ""
		}
	}
}

// KeepSecret clears every secret except the one that this key names.
func (p *Profile) KeepSecret(key string) {
	for _, s := range settings {
		if s.secret != nil && s.key != key {
			*s.secret(p) = secret.Text{}
		}
	}
}

// GatewayURL returns the base URL of the client gateway for a domain. The domain replaces
// {domain}, and is ignored if base_url has no {domain}. The error is a [*DomainError] if the
// domain is not a host name.
func (p *Profile) GatewayURL(domain string) (string, error) {
	return p.expand(settingOf("base_url"), domain)
}

// expand returns the URL of a setting for a domain, or an [*Error] if the profile has none.
func (p *Profile) expand(s *setting, domain string) (string, error) {
	text := s.value(p)
	if text == "" {
		return "", p.missingError(Origin{}, s)
	}
	expanded, err := expand(text, domain)
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.key, err)
	}
	return expanded, nil
}

// ErrNoProfile means that there is nothing to resolve: the file has no profile, and no
// variable defines one.
var ErrNoProfile error = noProfileError{}

type noProfileError struct{}

func (noProfileError) Error() string { return "no profile is set up" }

func (e noProfileError) Explain() problem.Explanation {
	p := problem.Explanation{Kind: problem.Usage, Text: e.Error(), Help: problem.HelpSetUp}
	if path := DefaultPath(); path != "" {
		p.Hint = "The profile file is " + path + "."
	}
	return p
}

// Keys lists the names of all values of a profile in display order: "profile", the keys of the
// file, then the keys that only variables and flags can set.
func Keys() []string {
	keys := make([]string, len(settings))
	for i, s := range settings {
		keys[i] = s.key
	}
	return keys
}

// Value returns the value of one of [Keys] for display, with secrets masked.
func (p *Profile) Value(key string) string { return settingOf(key).value(p) }

// Origin returns where the value of one of [Keys] comes from.
func (p *Profile) Origin(key string) Origin { return p.origins[key] }

// Origin is where a value comes from: a file, a variable or a flag. The zero
// Origin is a default.
type Origin struct {
	File     string // path
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

// Error reports an invalid configuration. It never contains a secret, nor the user or query of
// a URL.
type Error struct {
	Origin         // where the wrong value comes from, or where a value is missing
	Line    int    // in the file, from 1; 0 if unknown
	Key     string // as in the file; empty for the file as a whole
	Value   string // with what may be secret masked
	Problem string // what is wrong; if empty, Value is
	Want    string // what would be accepted; empty if Help says it
	Help    problem.Help
}

// Error returns one line: where it is, what is wrong, what would be accepted.
func (e *Error) Error() string {
	problem := e.Problem
	if problem == "" {
		problem = fmt.Sprintf("%s is %q", e.Key, e.Value)
	}
	switch {
	case e.Line > 0 && e.File == "": // of a document whose file the caller names
		problem = fmt.Sprintf("line %d: %s", e.Line, problem)
	case e.Line > 0:
		problem = fmt.Sprintf("%s:%d: %s", e.File, e.Line, problem)
	case e.File != "":
		problem = e.File + ": " + problem
	case e.Origin != Origin{}:
		problem = e.Origin.String() + ": " + problem
	}
	if e.Want == "" {
		return problem
	}
	return problem + "; " + e.Want
}

// Explain presents the error as wrong usage, with the help that it names.
func (e *Error) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: e.Error(), Help: e.Help}
}

// shown prepares a value for an error message. Text before an @ may be a password, and text
// after a ? or # a token: both are masked.
func shown(value string) string {
	if strings.Contains(value, "@") {
		return secret.Mask
	}
	if i := strings.IndexAny(value, "?#"); i >= 0 {
		value = value[:i+1] + secret.Mask
	}
	return cut(value)
}

// cut shortens a text to 100 characters.
func cut(text string) string {
	const maxRunes = 100
	runes := 0
	for i := range text {
		if runes++; runes > maxRunes {
			return text[:i] + "…"
		}
	}
	return text
}
