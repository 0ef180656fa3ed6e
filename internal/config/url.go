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
	"sync"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/problem"
)

const placeholder = "{domain}"

var (
	errURL    = errors.New("use a URL such as https://auth.example.com or https://auth.example.com:8443/path")
	errScheme = errors.New("use https://, or http:// on a loopback address")
	errHost   = errors.New("use a host name of letters, digits, dots and hyphens, or an IP address")
)

// checkURL accepts a URL without {domain}, for use where no domain is known yet.
func checkURL(text string) (string, error) {
	normal, err := checkTemplate(text)
	if err == nil && strings.Contains(normal, placeholder) {
		return "", errors.New("use a URL without {domain}, which only domain_auth_url and base_url can have")
	}
	return normal, err
}

// checkTemplate accepts a URL that may hold {domain} in its host and path, and returns it with
// scheme and host in lower case, the host in ASCII, and no trailing slash. It checks everything
// that can be checked before the domain is known: with an example in its place, so http is never
// accepted for a host that contains {domain}. Its errors say what is wanted and never quote the text.
func checkTemplate(text string) (string, error) {
	fill := func(text string) string { return strings.ReplaceAll(text, placeholder, "domain.example") }
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
	port, err := strconv.ParseUint(cmp.Or(u.Port(), "443"), 10, 16)
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
	case err != nil || port == 0 || strings.HasSuffix(host, ":"):
		return "", errURL
	}
	if host, err = normalHost(strings.ToLower(host)); err != nil {
		return "", err
	}
	return u.Scheme + "://" + host + path, nil
}

// normalHost converts international labels of a host in lower case to A-labels, so that every
// part of the program uses the same name. {domain} may only be whole labels, so that the fixed part
// of the host keeps its meaning.
func normalHost(host string) (string, error) {
	name, _, _ := strings.Cut(host, ":") // or parts of an IPv6 address, which stay as they are
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

// expand replaces {domain} in a checked URL and checks that the result still names the intended
// host. Its error is a [*DomainError].
func expand(template, domain string) (string, error) {
	if !strings.Contains(template, placeholder) {
		return template, nil
	}
	name, err := CheckDomain(domain)
	if err != nil {
		return "", err
	}
	expanded := strings.ReplaceAll(template, placeholder, name)
	if normal, err := checkTemplate(expanded); err != nil || normal != expanded {
		return "", &DomainError{Text: fmt.Sprintf("%q does not fit into %s", cut(name), template)}
	}
	return expanded, nil
}

// maxName is the maximum length of a host name in bytes (RFC 1035).
const maxName = 253

// DomainError is a domain that cannot become part of a host name, or that gets no client secret.
type DomainError struct {
	Text string // one line with the name, quoted and shortened
	Hint string
}

func (e *DomainError) Error() string { return e.Text }

func (e *DomainError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: e.Text, Hint: e.Hint}
}

var (
	// hostName matches labels of at most 63 characters with dots between them.
	hostName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	})
	// numberAtEnd matches what resolvers may take for an IPv4 address: 1, 01, 0x1.
	numberAtEnd = regexp.MustCompile(`\.(0x[0-9a-f]*|[0-9]+)$`)
)

// CheckDomain accepts a well-formed host name with a dot, or "localhost", and returns it
// in lower-case ASCII, an international name as A-labels. The result is safe to insert
// into a host name. Everything else is a [*DomainError]: schemes, ports, paths, users, IP
// addresses, empty labels, a trailing dot.
func CheckDomain(name string) (string, error) {
	if len(name) <= utf8.UTFMax*maxName && utf8.ValidString(name) { // before the costly mapping
		ascii, err := hostname.ToASCII(name)
		isName := len(ascii) <= maxName && hostName().MatchString(ascii) && !numberAtEnd.MatchString(ascii)
		if err == nil && (isName || ascii == "localhost") {
			return ascii, nil
		}
	}
	return "", &DomainError{Text: fmt.Sprintf("%q is not a domain; use a host name such as harbor.example", cut(name))}
}
