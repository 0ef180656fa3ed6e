// Package hostname handles host names: how the DNS writes them, how to show them to a
// person who has to trust one, and which of them mean this machine; and e-mail addresses,
// which end in one.
package hostname

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// profile maps as browsers do. It accepts hyphens in the third and fourth place: there
// are such names.
var profile = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckHyphens(false))

// ToASCII returns a name as in the DNS: in lower case, an international name as A-labels.
// Characters that look like a dot or a digit are mapped to one, so checks belong after
// this. The error only says that the name is not a valid international one.
func ToASCII(name string) (string, error) {
	if len(name) > maxBytes {
		return "", errTooLong
	}
	return profile.ToASCII(name)
}

// maxBytes is four for each character that a name can have. The mapping takes quadratic
// time.
const maxBytes = 4 * 253

var errTooLong = errors.New("the name is too long")

// Readable returns a host, with or without a port, for display: in ASCII, which cannot be
// mistaken, followed by its Unicode form if it is an international name made of letters:
//
//	xn--bcher-kva.example:8443 (bücher.example)
//
// Text that is no host name is shown with escapes for all but printable ASCII.
func Readable(host string) string {
	name, port := split(host)
	ascii, unicodeForm := spellings(name)
	if unicodeForm == ascii {
		return ascii + port
	}
	return ascii + port + " (" + unicodeForm + ")"
}

// Short is [Readable] without the Unicode form, for where there is no room.
func Short(host string) string {
	name, port := split(host)
	ascii, _ := spellings(name)
	return ascii + port
}

// ReadableURL returns a URL with its host as in [Short], otherwise unchanged. Without a
// scheme the URL begins with its host. Text without letters and digits, such as the dots
// that replace a secret, is not a host.
func ReadableURL(address string) string {
	start := 0
	if i := strings.Index(address, "//"); i >= 0 {
		start = i + len("//")
	}
	end := len(address)
	if i := strings.IndexAny(address[start:], `/?#\`); i >= 0 {
		end = start + i
	}
	start += strings.LastIndexByte(address[start:end], '@') + 1
	host := address[start:end]
	isNonASCII := func(r rune) bool { return r >= utf8.RuneSelf }
	isNameRune := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if !strings.ContainsFunc(host, isNonASCII) || !strings.ContainsFunc(host, isNameRune) {
		return address
	}
	return address[:start] + Short(host) + address[end:]
}

// spellings returns the ASCII and the Unicode form of a name. They are equal if the Unicode
// form would be deceptive, or if there is none.
func spellings(name string) (ascii, unicodeForm string) {
	ascii, err := ToASCII(name)
	if err != nil || !utf8.ValidString(name) {
		quoted := strconv.QuoteToASCII(strings.ToLower(name))
		ascii = quoted[1 : len(quoted)-1]
		return ascii, ascii
	}
	unicodeForm, err = profile.ToUnicode(ascii)
	if err != nil || strings.ContainsFunc(unicodeForm, isDeceptive) {
		return ascii, ascii
	}
	return ascii, unicodeForm
}

// isDeceptive reports whether a character may look like another one, such as a slash, or
// like nothing.
func isDeceptive(r rune) bool {
	return r != '.' && r != '-' && !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.So)
}

// split cuts off the port, which includes its colon. The colons of an IPv6 address are in
// brackets.
func split(host string) (name, port string) {
	i := strings.LastIndexByte(host, ':')
	if i < 0 || i < strings.LastIndexByte(host, ']') || strings.Trim(host[i+1:], "0123456789") != "" {
		return host, ""
	}
	return host[:i], host[i:]
}

// IsLoopback reports whether a host without a port is this machine: localhost,
// 127.0.0.0/8 or ::1. Names are not looked up.
func IsLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback() || strings.EqualFold(host, "localhost")
}
