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
	key       string
	inFile    bool                                           // false: variables and flags only
	needed    bool                                           // by every profile
	authority string                                         // of which it is the URL: needed by profiles with this authority
	fallback  string                                         // the default
	choices   func(Sources) []string                         // in place of check: the only values, the default first
	check     func(value string) (normal string, want error) // want says what would be accepted
	text      func(*Profile) *string
	secret    func(*Profile) *secret.Text // instead of text; never a flag, never in the file
}

const defaultScope = "openid profile domain_api offline_access"

var authorities = []string{AuthorityMain, AuthorityDomain, AuthorityTest}

var settings = []*setting{
	{key: "profile", check: CheckProfileName,
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
	{key: "base_url", inFile: true, needed: true, check: checkTemplate,
		text: func(p *Profile) *string { return &p.BaseURL }},
	{key: "global_url", inFile: true, needed: true, check: checkURL,
		text: func(p *Profile) *string { return &p.GlobalURL }},
	{key: "client_id", inFile: true, needed: true, check: checkLine,
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

// find returns the setting of a key, or nil.
func find(key string) *setting {
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

func (s *setting) variable() string { return "GATEHOUSE_" + strings.ToUpper(s.key) }

func (s *setting) flag() string { return "--" + strings.ReplaceAll(s.key, "_", "-") }

// value returns the setting's value in a profile, masked if it is secret.
func (s *setting) value(p *Profile) string {
	if s.secret != nil {
		return s.secret(p).String()
	}
	return *s.text(p)
}

// set checks a value and stores it in the profile. An empty value is always accepted.
func (s *setting) set(p *Profile, v Value, from Sources) error {
	normal := v.Text
	if normal != "" {
		var want error
		if normal, want = s.checkFor(from)(v.Text); want != nil {
			return s.refuse(v, want)
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

// checkFor is the check of a value that comes from these sources.
func (s *setting) checkFor(from Sources) func(string) (string, error) {
	if s.choices == nil {
		return s.check
	}
	if choices := s.choices(from); choices != nil {
		return oneOf(choices)
	}
	return checkLine
}

// refuse returns the error for an invalid value.
func (s *setting) refuse(v Value, want error) error {
	e := &Error{Origin: v.Origin, Key: s.key, Want: want.Error()}
	if s.secret != nil {
		e.Problem = s.key + " cannot be used"
	} else {
		e.Value = shown(v.Text)
	}
	return e
}

// oneOf is a check that accepts some words alone.
func oneOf(accepted []string) func(string) (string, error) {
	return func(value string) (string, error) {
		if !slices.Contains(accepted, value) {
			return "", errors.New(wantOneOf(accepted))
		}
		return value, nil
	}
}

func wantOneOf(accepted []string) string { return "use " + human.Either(accepted) }

func checkLine(value string) (string, error) {
	if !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl) {
		return "", errors.New("use one line of UTF-8 text without control characters")
	}
	return value, nil
}

// invisible are characters that a copied secret may bring along, by the names that people know.
var invisible = map[rune]string{
	'\ufeff': "a byte-order mark (U+FEFF)",
	'\u200b': "a zero-width space (U+200B)",
	'\u00a0': "a no-break space (U+00A0)",
	'\n':     "a line end",
	'\r':     "a carriage return",
	'\t':     "a tab",
}

// checkSecret refuses a secret with a character that nobody sees, by the name of the character.
func checkSecret(value string) (string, error) {
	for _, r := range value {
		name := invisible[r]
		if name == "" && r != ' ' && !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) && name == "" {
			name = fmt.Sprintf("the invisible character %U", r)
		}
		if name != "" {
			return "", errors.New("it contains " + name + ": set it again without that")
		}
	}
	return checkLine(value)
}

// checkIssuedSecret is checkSecret for what an operator has issued, which has no blank or quotation
// mark around it.
func checkIssuedSecret(value string) (string, error) {
	quoted := len(value) > 1 && value[0] == value[len(value)-1] && strings.ContainsRune(`"'`, rune(value[0]))
	switch {
	case strings.Trim(value, " ") != value:
		return "", errors.New("it begins or ends with a blank: set it again without that")
	case quoted:
		return "", errors.New("it has quotation marks around it: set it again without them")
	}
	return checkSecret(value)
}

// CheckProfileName accepts names that are also safe as file names.
func CheckProfileName(name string) (string, error) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
	switch {
	case files.IsDevice(name):
		return "", errors.New("use a name that is not a device name on Windows")
	case name == "" || len(name) > 64 || name[0] == '.' || strings.Contains(name, "..") || strings.Trim(name, letters) != "":
		return "", errors.New(`use a name of at most 64 letters, digits, "_", "-" and single dots, not beginning with a dot`)
	}
	return name, nil
}
