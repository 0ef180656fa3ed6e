package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/problem"
)

// placeholder stands for the domain in a URL.
const placeholder = "{domain}"

var (
	errURL = errors.New("use a URL such as https://auth.example.com" +
		" or https://auth.example.com:8443/path")
	errScheme = errors.New("use https://, or http:// on a loopback address")
	errHost   = errors.New("use a host name of letters, digits, dots and hyphens, or an IP address")
)

// checkURL accepts a URL without {domain}, for a service that is called before any domain is
// known.
func checkURL(text string) (string, error) {
	normal, err := checkTemplate(text)
	if err == nil && strings.Contains(normal, placeholder) {
		return "", errors.New(
			"use a URL without {domain}, which only domain_auth_url and base_url can have")
	}
	return normal, err
}

// checkTemplate accepts a URL that may contain {domain} in its host and path. It returns the URL
// with scheme and host in lower case, the host in ASCII, and no trailing slash.
//
// The domain is not known yet, so the check puts an example in its place: http is therefore never
// accepted for a host that contains {domain}. Errors say what is wanted and never quote the text.
func checkTemplate(text string) (string, error) {
	fill := func(text string) string {
		return strings.ReplaceAll(text, placeholder, "domain.example")
	}
	switch {
	case strings.ContainsAny(strings.ReplaceAll(text, placeholder, ""), "{}"):
		return "", errors.New("use no braces except those of {domain}")
	case strings.ContainsAny(text, "?#"):
		return "", errors.New("use a URL without query and fragment")
	}
	u, err := url.Parse(fill(text))
	if err != nil {
		return "", errURL
	}
	_, rest, _ := strings.Cut(text, "://")
	host, _, _ := strings.Cut(rest, "/")
	path := strings.TrimRight(rest[len(host):], "/")
	port, portErr := strconv.ParseUint(cmp.Or(u.Port(), "443"), 10, 16)
	isPort := portErr == nil && port != 0 && !strings.HasSuffix(host, ":")
	switch {
	case u.User != nil:
		return "", errors.New("use a URL without user name and password")
	case u.Scheme != "https" && u.Scheme != "http":
		return "", errScheme
	case u.Hostname() == "" || u.Host != fill(host):
		return "", errURL
	case u.Scheme == "http" && !hostname.IsLoopback(u.Hostname()):
		return "", errScheme
	case !isHost(u.Hostname()):
		return "", errHost
	case !isPort:
		return "", errURL
	}
	if host, err = normalHost(strings.ToLower(host)); err != nil {
		return "", err
	}
	return u.Scheme + "://" + host + path, nil
}

// normalHost converts the international labels of a lower-case host to A-labels, so that every
// part of the program uses the same name. {domain} must be a whole label: otherwise the domain
// could change what the rest of the host means.
func normalHost(host string) (string, error) {
	name, _, _ := strings.Cut(host, ":") // a part of an IPv6 address stays as it is
	labels := strings.Split(name, ".")
	for i, label := range labels {
		if strings.Contains(label, placeholder) && label != placeholder {
			return "", errors.New("put {domain} between dots, as in gateway.{domain}")
		}
		if strings.IndexFunc(label, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
			ascii, err := hostname.ToASCII(label)
			if err != nil {
				return "", errHost
			}
			labels[i] = ascii
		}
	}
	return strings.Join(labels, ".") + host[len(name):], nil
}

// isHost reports whether a configured host is an IP address or looks like a name. It is less
// strict than [CheckDomain]: the name may have no dot, or an underscore.
func isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	isForbidden := func(r rune) bool {
		return !unicode.In(r, unicode.Letter, unicode.Digit, unicode.Mark) &&
			!strings.ContainsRune(".-_", r)
	}
	return len(host) <= maxName && !strings.ContainsFunc(host, isForbidden)
}

// expand replaces {domain} in a checked URL and checks that the result still names the intended
// host. The error is a [*DomainError].
func expand(template, domain string) (string, error) {
	if !strings.Contains(template, placeholder) {
		return template, nil
	}
	name, err := CheckDomain(domain)
	if err != nil {
		return "", err
	}
	expanded := strings.ReplaceAll(template, placeholder, name)
	normal, err := checkTemplate(expanded)
	if err != nil || normal != expanded {
		return "", &DomainError{Text: fmt.Sprintf("%q does not fit into %s", cut(name), template)}
	}
	return expanded, nil
}

// maxName is the maximum length of a host name in bytes (RFC 1035).
const maxName = 253

// DomainError reports a domain that cannot become part of a host name, or whose authority must
// not receive the client secret.
type DomainError struct {
	Text string // one line that quotes the domain, shortened
	Hint string // what to do; may be empty
}

// Error returns the one line of Text.
func (e *DomainError) Error() string { return e.Text }

// Explain presents the error as wrong usage.
func (e *DomainError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: e.Text, Hint: e.Hint}
}

// numberAtEnd matches a last label that a resolver may take for part of an IPv4 address:
// 1, 01, 0x1.
var numberAtEnd = regexp.MustCompile(`\.(0x[0-9a-f]*|[0-9]+)$`)

// CheckDomain accepts a well-formed host name with a dot, or "localhost", and returns it in
// lower-case ASCII with international labels as A-labels. The result is safe to insert into a
// host name. Anything else is a [*DomainError]: schemes, ports, paths, users, IP addresses, empty
// labels, a trailing dot.
func CheckDomain(name string) (string, error) {
	isTooLong := len(name) > utf8.UTFMax*maxName // the mapping to ASCII would be costly
	if !isTooLong && utf8.ValidString(name) {
		ascii, err := hostname.ToASCII(name)
		if err == nil && (ascii == "localhost" || isDomainName(ascii)) {
			return ascii, nil
		}
	}
	return "", &DomainError{Text: fmt.Sprintf(
		"%q is not a domain; use a host name such as harbor.example", cut(name))}
}

// isDomainName reports whether a name in ASCII has at least two labels and is not an IP address.
func isDomainName(ascii string) bool {
	if len(ascii) > maxName || !strings.Contains(ascii, ".") {
		return false
	}
	for label := range strings.SplitSeq(ascii, ".") { // a token can have thousands of names
		if !isLabel(label) {
			return false
		}
	}
	return !numberAtEnd.MatchString(ascii)
}

// isLabel reports whether a text is a label of a host name in lower case: at most 63 letters,
// digits and hyphens, with no hyphen at either end.
func isLabel(text string) bool {
	const maxLabel = 63
	const allowed = "abcdefghijklmnopqrstuvwxyz0123456789-"
	return text != "" && len(text) <= maxLabel && strings.Trim(text, allowed) == "" &&
		text[0] != '-' && text[len(text)-1] != '-'
}

// Proposal returns the URLs of an installation below a domain such as "example.com", by key,
// with the usual host names (interface, introduction).
func Proposal(domain string) map[string]string {
	return map[string]string{
		"auth_url":        "https://auth." + domain,
		"domain_auth_url": "https://domainauth.{domain}",
		"auth_test_url":   "https://auth-test." + domain,
		"base_url":        "https://clientgateway.{domain}",
		"global_url":      "https://global." + domain,
	}
}
