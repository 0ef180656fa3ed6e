// Package hostname knows names of hosts: how they are written for the DNS, how
// they are shown to somebody who has to trust one, and which of them mean this
// machine.
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

// profile maps as browsers do, and so accepts hyphens in the third and fourth
// place, which exist.
var profile = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckHyphens(false))

// ToASCII is a name as the DNS knows it: in lower case, an international name as
// its A-labels. Characters that only look like a dot or a digit become one, so
// what is asked of a name is to be asked of the result. The error says nothing
// but that the name is no valid international one.
func ToASCII(name string) (string, error) {
	if len(name) > mostBytes {
		return "", errTooLong
	}
	return profile.ToASCII(name)
}

// mostBytes is four for each character that a name can have. The mapping takes
// time with the square of the length.
const mostBytes = 4 * 253

var errTooLong = errors.New("the name is too long")

// Readable is a host, with or without a port, as it is shown to a person: in the
// letters of the DNS, which cannot be mistaken for others, and behind them, if it
// is an international name made of letters, as it is meant to look:
//
//	xn--bcher-kva.example:8443 (bücher.example)
//
// What is no host name is shown too, with escapes for all but printable ASCII.
func Readable(host string) string {
	name, port := split(host)
	ascii, form := spellings(name)
	if form == ascii {
		return ascii + port
	}
	return ascii + port + " (" + form + ")"
}

// Short is [Readable] without the second spelling, for where there is no room.
func Short(host string) string {
	name, port := split(host)
	ascii, _ := spellings(name)
	return ascii + port
}

// spellings are a name in ASCII, and in the letters of its language where it has
// some of its own and nothing else.
func spellings(name string) (ascii, form string) {
	ascii, err := ToASCII(name)
	if err != nil || !utf8.ValidString(name) {
		ascii = escaped(strings.ToLower(name))
		return ascii, ascii
	}
	form, err = profile.ToUnicode(ascii)
	if err != nil || strings.ContainsFunc(form, isDeceptive) {
		return ascii, ascii
	}
	return ascii, form
}

// isDeceptive reports whether a character may stand for another one, such as a
// slash, or for nothing.
func isDeceptive(r rune) bool {
	return r != '.' && r != '-' && !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.So)
}

// split cuts a port off, which begins with its colon. The colons of an IPv6
// address stand in brackets.
func split(host string) (name, port string) {
	i := strings.LastIndexByte(host, ':')
	if i < 0 || i < strings.LastIndexByte(host, ']') || strings.Trim(host[i+1:], "0123456789") != "" {
		return host, ""
	}
	return host[:i], host[i:]
}

func escaped(text string) string {
	quoted := strconv.QuoteToASCII(text)
	return quoted[1 : len(quoted)-1]
}

// IsLoopback reports whether a host without a port is this machine: localhost,
// 127.0.0.0/8 or ::1. Names are not looked up.
func IsLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback() || strings.EqualFold(host, "localhost")
}
