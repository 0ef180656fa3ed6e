package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/files"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/secret"
)

// setting is one value of a profile. Keys, variables and flags are all derived from the
// table below.
type setting struct {
	key      string
	inFile   bool // false: only variables and flags set it
	required bool // by every profile

	// authority is set for the URL of an authority, which profiles with that authority require.
	authority string

	fallback string // the default

	// check returns the normal form of a value. Its error says what would be accepted.
	check func(value string) (normal string, want error)
	// choices replaces check: it returns the only values that are accepted, the default first.
	choices func(Sources) []string

	// text or secret is where the profile has the value. A secret is never a flag, and never in
	// the file.
	text   func(*Profile) *string
	secret func(*Profile) *secret.Text
}

// defaultScope asks for an identity, the domains and a refresh token.
const defaultScope = "openid profile domain_api offline_access"

// authorities are the values of the key authority.
var authorities = []string{AuthorityMain, AuthorityDomain, AuthorityTest}

// keyProfile is the key of the profile's own name, which is not among its values in the file.
const keyProfile = "profile"

// settings are all values of a profile, in the order of [Keys].
var settings = []*setting{
	{key: keyProfile, check: CheckProfileName,
		text: func(p *Profile) *string { return &p.Name }},
	{key: "authority", inFile: true, fallback: AuthorityMain,
		check: oneOf(authorities),
		text:  func(p *Profile) *string { return &p.Authority }},
	{key: "auth_url", inFile: true, authority: AuthorityMain, check: checkURL,
		text: func(p *Profile) *string { return &p.AuthURL }},
	{key: "domain_auth_url", inFile: true, authority: AuthorityDomain, check: checkTemplate,
		text: func(p *Profile) *string { return &p.DomainAuthURL }},
	{key: "auth_test_url", inFile: true, authority: AuthorityTest, check: checkURL,
		text: func(p *Profile) *string { return &p.AuthTestURL }},
	{key: "base_url", inFile: true, required: true, check: checkTemplate,
		text: func(p *Profile) *string { return &p.BaseURL }},
	{key: "global_url", inFile: true, required: true, check: checkURL,
		text: func(p *Profile) *string { return &p.GlobalURL }},
	{key: "client_id", inFile: true, required: true, check: checkLine,
		text: func(p *Profile) *string { return &p.ClientID }},
	{key: "client_auth", inFile: true, fallback: ClientAuthBasic,
		check: oneOf([]string{ClientAuthBasic, ClientAuthBody}),
		text:  func(p *Profile) *string { return &p.ClientAuth }},
	{key: "scope", inFile: true, fallback: defaultScope, check: checkLine,
		text: func(p *Profile) *string { return &p.Scope }},
	{key: "reseller_id", inFile: true, check: checkLine,
		text: func(p *Profile) *string { return &p.ResellerID }},
	{key: "ca_file", inFile: true, check: checkLine,
		text: func(p *Profile) *string { return &p.CAFile }},
	{key: "ambiguous_width", inFile: true, fallback: AmbiguousAuto,
		check: oneOf([]string{AmbiguousAuto, AmbiguousNarrow, AmbiguousWide}),
		text:  func(p *Profile) *string { return &p.AmbiguousWidth }},
	{key: "store", choices: func(s Sources) []string { return s.Stores },
		text: func(p *Profile) *string { return &p.Store }},
	{key: "log_file", check: checkLine,
		text: func(p *Profile) *string { return &p.LogFile }},
	{key: "client_secret", check: checkIssuedSecret,
		secret: func(p *Profile) *secret.Text { return &p.ClientSecret }},
	{key: "api_key", check: checkIssuedSecret,
		secret: func(p *Profile) *secret.Text { return &p.APIKey }},
	{key: "store_passphrase", check: checkSecret,
		secret: func(p *Profile) *secret.Text { return &p.StorePassphrase }},
}

// settingOf returns the setting of a key, or nil.
func settingOf(key string) *setting {
	for _, s := range settings {
		if s.key == key {
			return s
		}
	}
	return nil
}

// fileKeys lists the keys that a profile in the file can have.
func fileKeys() []string {
	var keys []string
	for _, s := range settings {
		if s.inFile {
			keys = append(keys, s.key)
		}
	}
	return keys
}

// variablePrefix begins the name of each environment variable. The key of the value follows, in
// capitals.
const variablePrefix = "GATEHOUSE_"

// variable returns the name of the environment variable.
func (s *setting) variable() string { return variablePrefix + strings.ToUpper(s.key) }

// flag returns the name of the flag with its dashes.
func (s *setting) flag() string { return "--" + strings.ReplaceAll(s.key, "_", "-") }

// value returns the setting's value in a profile, masked if it is secret.
func (s *setting) value(p *Profile) string {
	if s.secret != nil {
		return s.secret(p).String()
	}
	return *s.text(p)
}

// CheckValue checks a value for a key of the profile file and returns it in the normal form that
// [Resolve] stores. The error says what would be accepted.
func CheckValue(key, text string) (string, error) {
	return settingOf(key).check(text)
}

// assign checks a value and stores it in the profile. An empty value is always accepted.
func (s *setting) assign(p *Profile, v Value, from Sources) error {
	normal := v.Text
	if normal != "" {
		var want error
		if normal, want = s.checkFor(from)(v.Text); want != nil {
			return s.invalid(v, want)
		}
	}
	if s.secret != nil {
		*s.secret(p) = secret.New(normal)
	} else {
		*s.text(p) = normal
	}
	p.origins[s.key] = v.Origin
	return nil
}

// checkFor returns the check of a value that comes from these sources.
func (s *setting) checkFor(from Sources) func(string) (string, error) {
	if s.choices == nil {
		return s.check
	}
	if choices := s.choices(from); choices != nil {
		return oneOf(choices)
	}
	return checkLine
}

// invalid returns the error for a value that is not accepted, and never contains a secret.
func (s *setting) invalid(v Value, want error) error {
	e := &Error{Origin: v.Origin, Key: s.key, Want: want.Error()}
	if s.secret != nil {
		e.Problem = s.key + " cannot be used"
	} else {
		e.Value = shown(v.Text)
	}
	return e
}

// oneOf returns a check that accepts only these values.
func oneOf(accepted []string) func(string) (string, error) {
	return func(value string) (string, error) {
		if !slices.Contains(accepted, value) {
			return "", errors.New(wantOneOf(accepted))
		}
		return value, nil
	}
}

// wantOneOf says that one of these values would be accepted.
func wantOneOf(accepted []string) string { return "use " + human.Either(accepted) }

// checkLine accepts one line of text.
func checkLine(value string) (string, error) {
	if !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl) {
		return "", errors.New("use one line of UTF-8 text without control characters")
	}
	return value, nil
}

// invisible names the characters that are often copied along with a secret.
var invisible = map[rune]string{
	'\ufeff': "a byte-order mark (U+FEFF)",
	'\u200b': "a zero-width space (U+200B)",
	'\u00a0': "a no-break space (U+00A0)",
	'\n':     "a line end",
	'\r':     "a carriage return",
	'\t':     "a tab",
}

// checkSecret refuses a secret that contains an invisible character, and names the character.
func checkSecret(value string) (string, error) {
	for _, r := range value {
		name := invisible[r]
		isInvisible := !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r)
		if name == "" && isInvisible {
			name = fmt.Sprintf("the invisible character %U", r)
		}
		if name != "" {
			return "", errors.New("it contains " + name + ": set it again without that")
		}
	}
	return checkLine(value)
}

// checkIssuedSecret is checkSecret for a secret that an operator issued: blanks or quotation
// marks around such a secret were copied by mistake.
func checkIssuedSecret(value string) (string, error) {
	switch {
	case strings.Trim(value, " ") != value:
		return "", errors.New("it begins or ends with a blank: set it again without that")
	case isQuoted(value):
		return "", errors.New("it has quotation marks around it: set it again without them")
	}
	return checkSecret(value)
}

// isQuoted reports whether a value is between two equal quotation marks.
func isQuoted(value string) bool {
	last := len(value) - 1
	return last > 0 && value[0] == value[last] && strings.ContainsRune(`"'`, rune(value[0]))
}

// CheckProfileName accepts names that are also safe as file names, on Windows as well. The error
// says what would be accepted.
func CheckProfileName(name string) (string, error) {
	if files.IsDevice(name) {
		return "", errors.New("use a name that is not a device name on Windows")
	}
	const (
		maxLength = 64
		allowed   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
	)
	hasOnlyAllowed := strings.Trim(name, allowed) == ""
	hasSingleDots := !strings.HasPrefix(name, ".") && !strings.Contains(name, "..")
	if name == "" || len(name) > maxLength || !hasOnlyAllowed || !hasSingleDots {
		return "", fmt.Errorf(`use a name of at most %d letters, digits, "_", "-" and single dots,`+
			` not beginning with a dot`, maxLength)
	}
	return name, nil
}
