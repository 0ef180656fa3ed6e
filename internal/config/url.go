package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/hostname"
	"gatehouse/internal/problem"
)

const placeholder = "{domain}"

// template is a checked URL that may hold {domain} in its host and path.
type template struct {
	text string // scheme and host in lower case, the host in ASCII, no trailing slash
	host string // the part of text between "://" and the path
}

var (
	errURL      = errors.New("want a URL such as https://auth.example.com or https://auth.example.com:8443/path")
	errScheme   = errors.New("want https://, or http:// on a loopback address")
	errUser     = errors.New("want a URL without user name and password")
	errQuery    = errors.New("want a URL without query and fragment")
	errBraces   = errors.New("want no braces except those of {domain}")
	errLabel    = errors.New("want {domain} between dots, as in gateway.{domain}")
	errNoDomain = errors.New("want a URL without {domain}, which only domain_auth_url and base_url can have")
	errHost     = errors.New("want a host name of letters, digits, dots and hyphens, or an IP address")
)

// checkTemplate accepts a URL with or without {domain}.
func checkTemplate(text string) (string, error) {
	t, err := parseTemplate(text)
	return t.text, err
}

// checkURL accepts a URL without {domain}, for use where no domain is known yet.
func checkURL(text string) (string, error) {
	t, err := parseTemplate(text)
	if err == nil && strings.Contains(t.text, placeholder) {
		return "", errNoDomain
	}
	return t.text, err
}

// parseTemplate checks everything that can be checked before the domain is known. Its
// errors say what is wanted and never quote the text.
func parseTemplate(text string) (template, error) {
	switch {
	case strings.ContainsAny(strings.ReplaceAll(text, placeholder, ""), "{}"):
		return template{}, errBraces
	case strings.ContainsAny(text, "?#"):
		return template{}, errQuery
	}
	const example = "domain.example"
	u, err := url.Parse(strings.ReplaceAll(text, placeholder, example))
	if err != nil {
		return template{}, errURL
	}
	_, rest, _ := strings.Cut(text, "://")
	host, _, _ := strings.Cut(rest, "/")
	path := strings.TrimRight(rest[len(host):], "/")
	switch {
	case u.User != nil:
		return template{}, errUser
	case u.Scheme != "https" && u.Scheme != "http":
		return template{}, errScheme
	case u.Hostname() == "" || u.Host != strings.ReplaceAll(host, placeholder, example):
		return template{}, errURL
	}
	host = strings.ToLower(host)
	if want := checkHost(u, host); want != nil {
		return template{}, want
	}
	if host, err = asciiHost(host); err != nil {
		return template{}, errHost
	}
	return template{u.Scheme + "://" + host + path, host}, nil
}

// checkHost checks the host of u, which is host with an example in place of {domain}. So
// http is never accepted for a host that contains {domain}.
func checkHost(u *url.URL, host string) error {
	switch {
	case u.Scheme == "http" && !hostname.IsLoopback(u.Hostname()):
		return errScheme
	case !isWholeLabels(host):
		return errLabel
	case !isHost(u.Hostname()):
		return errHost
	case !isPort(u.Port()) || strings.HasSuffix(host, ":"):
		return errURL
	}
	return nil
}

// isWholeLabels reports whether {domain} only stands for whole labels, so that the fixed
// part of a host keeps its meaning.
func isWholeLabels(host string) bool {
	name, _, _ := strings.Cut(host, ":")
	for label := range strings.SplitSeq(name, ".") {
		if strings.Contains(label, placeholder) && label != placeholder {
			return false
		}
	}
	return true
}

// asciiHost converts international labels of a host to A-labels, so that every part of
// the program uses the same name.
func asciiHost(host string) (string, error) {
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if strings.IndexFunc(label, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
			continue
		}
		name, port, _ := strings.Cut(label, ":")
		ascii, err := hostname.ToASCII(name)
		if err != nil {
			return "", err
		}
		labels[i] = ascii
		if port != "" {
			labels[i] += ":" + port
		}
	}
	return strings.Join(labels, "."), nil
}

// isHost is less strict than [CheckDomain]: in a configuration a host may have no dot, or
// an underscore.
func isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	invalid := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(".-_", r)
	}
	return len(host) <= maxName && !strings.ContainsFunc(host, invalid)
}

func isPort(port string) bool {
	if port == "" {
		return true
	}
	number, err := strconv.ParseUint(port, 10, 16)
	return err == nil && number > 0
}

// expand replaces {domain} and checks that the result still names the intended host. Its
// error is a [*DomainError].
func (t template) expand(domain string) (string, error) {
	if !strings.Contains(t.text, placeholder) {
		return t.text, nil
	}
	name, err := CheckDomain(domain)
	if err != nil {
		return "", err
	}
	expanded, err := parseTemplate(strings.ReplaceAll(t.text, placeholder, name))
	if err != nil || expanded.host != strings.ReplaceAll(t.host, placeholder, name) {
		return "", &DomainError{Name: name, Reason: "it does not fit into " + t.text}
	}
	return expanded.text, nil
}

// The limits of RFC 1035 for a host name and each of its labels, in bytes.
const (
	maxName  = 253
	maxLabel = 63
)

// DomainError is a domain that cannot become part of a host name.
type DomainError struct {
	Name   string
	Reason string // "it contains '/'"
}

// Error returns one line with the name, quoted and shortened, and the reason.
func (e *DomainError) Error() string {
	return fmt.Sprintf("%q is not a domain: %s; want a host name such as harbor.example", cut(e.Name), e.Reason)
}

// Explain implements [problem.Explainer].
func (e *DomainError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: e.Error()}
}

// CheckDomain accepts a well-formed host name with a dot, or "localhost", and returns it
// in lower-case ASCII, an international name as A-labels. The result is safe to insert
// into a host name. Everything else is a [*DomainError]: schemes, ports, paths, users, IP
// addresses, empty labels, a trailing dot.
func CheckDomain(name string) (string, error) {
	if reason := checkCharacters(name); reason != "" {
		return "", &DomainError{name, reason}
	}
	ascii, err := hostname.ToASCII(name)
	if err != nil {
		return "", &DomainError{name, "it is not a valid international name"}
	}
	if reason := checkLabels(ascii); reason != "" {
		return "", &DomainError{name, reason}
	}
	return ascii, nil
}

// checkCharacters checks the name before the mapping.
func checkCharacters(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case len(name) > utf8.UTFMax*maxName: // before the costly mapping
		return "it is longer than 253 characters"
	}
	for _, r := range name {
		if r < utf8.RuneSelf && !isHostByte(byte(r)) || r == utf8.RuneError || unicode.IsControl(r) {
			return "it contains " + strconv.QuoteRune(r)
		}
	}
	return ""
}

// checkLabels checks the name after the mapping, which turns some other characters into
// digits and dots.
func checkLabels(ascii string) string {
	if len(ascii) > maxName {
		return "it is longer than 253 characters"
	}
	labels := strings.Split(ascii, ".")
	for _, label := range labels {
		switch {
		case label == "":
			return "it has an empty label"
		case len(label) > maxLabel:
			return "a label of it is longer than 63 characters"
		case strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-"):
			return "a label of it begins or ends with a hyphen"
		}
		for i := range len(label) {
			if !isHostByte(label[i]) {
				return "it contains " + strconv.QuoteRune(rune(label[i]))
			}
		}
	}
	switch {
	case isNumber(labels[len(labels)-1]):
		return "it ends in a number, as an IP address does"
	case len(labels) == 1 && ascii != "localhost":
		return "it has no dot"
	}
	return ""
}

func isHostByte(b byte) bool {
	return b == '.' || b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// isNumber recognises the forms that resolvers accept as a part of an IPv4 address: 1,
// 01, 0x1.
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}
