package config

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/hostname"
)

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

// Error gives one line with the name, quoted and cut, and the reason.
func (e *DomainError) Error() string {
	return fmt.Sprintf("%q is no domain: %s; want a host name such as harbor.example", cut(e.Name), e.Reason)
}

// CheckDomain accepts a well-formed host name with a dot, or "localhost", and
// returns it in lower-case ASCII (an international name as its A-labels): it can
// become part of a host name and changes nothing but the place where it is put.
// Everything else is a [*DomainError]: schemes, ports, paths, users, IP
// addresses, empty labels, a dot at the end.
func CheckDomain(name string) (string, error) {
	if reason := forbidden(name); reason != "" {
		return "", &DomainError{name, reason}
	}
	ascii, err := hostname.ToASCII(name)
	if err != nil {
		return "", &DomainError{name, "it is not a valid international name"}
	}
	if reason := malformed(ascii); reason != "" {
		return "", &DomainError{name, reason}
	}
	return ascii, nil
}

// forbidden looks at the name as it came.
func forbidden(name string) string {
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

// malformed looks at the name after mapping, which turns some other characters
// into digits and dots.
func malformed(ascii string) string {
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

// isNumber knows the forms that resolvers take for a part of an IPv4 address:
// 1, 01, 0x1.
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}
