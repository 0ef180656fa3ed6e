package config

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/hostname"
)

const placeholder = "{domain}"

// template is a checked URL that may hold {domain} in its host and path.
type template struct {
	text string // scheme and host in lower case, the host as the DNS knows it, no trailing slash
	host string // the part of text between "://" and the path
}

var (
	errURL      = errors.New("want a URL such as https://auth.example.com or https://auth.example.com:8443/path")
	errScheme   = errors.New("want https (http is for the loopback addresses 127.0.0.0/8, ::1 and localhost only)")
	errUser     = errors.New("want a URL without user name and password")
	errQuery    = errors.New("want a URL without query and fragment")
	errBraces   = errors.New("want no braces but those of {domain}")
	errLabel    = errors.New("want {domain} between dots in the host, as in gateway.{domain}")
	errNoDomain = errors.New("want a URL without {domain}, which only domain_auth_url and base_url can have")
	errHost     = errors.New("want a host name of letters, digits, dots and hyphens, or an IP address")
)

// checkTemplate accepts a URL with or without {domain}.
func checkTemplate(text string) (string, error) {
	t, err := parseTemplate(text)
	return t.text, err
}

// checkURL accepts a URL without {domain}: one that is used where no domain is
// known yet.
func checkURL(text string) (string, error) {
	t, err := parseTemplate(text)
	if err == nil && strings.Contains(t.text, placeholder) {
		return "", errNoDomain
	}
	return t.text, err
}

// parseTemplate checks all that can be checked before a domain is known. Its
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

// checkHost checks the host of u, which is host with an example for {domain}:
// so http is never accepted for a host that a domain is part of.
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

// isWholeLabels reports whether {domain} stands between dots only, so that the
// fixed part of a host keeps its meaning.
func isWholeLabels(host string) bool {
	name, _, _ := strings.Cut(host, ":")
	for label := range strings.SplitSeq(name, ".") {
		if strings.Contains(label, placeholder) && label != placeholder {
			return false
		}
	}
	return true
}

// asciiHost turns the international labels of a host into those of the DNS, so
// that every part of the program names it alike.
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

// isHost is wider than [CheckDomain]: the person who writes a configuration may
// name a host without a dot or with an underscore.
func isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(".-_", r)
	}
	return len(host) <= maxName && !strings.ContainsFunc(host, odd)
}

func isPort(port string) bool {
	if port == "" {
		return true
	}
	number, err := strconv.ParseUint(port, 10, 16)
	return err == nil && number > 0
}

// expand replaces {domain} and makes sure that the result still names the host
// that the template means. Its error is a [*DomainError].
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
