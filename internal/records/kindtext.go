package records

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"gatehouse/internal/jsonscan"
)

// isGUID reports whether text is 32 hexadecimal digits, in one run or in the usual
// five groups, and those perhaps in braces.
func isGUID(text []byte) bool {
	if inner, ok := bytes.CutPrefix(text, []byte{'{'}); ok {
		if text, ok = bytes.CutSuffix(inner, []byte{'}'}); !ok {
			return false
		}
	}
	const digits, grouped = 32, 36
	if len(text) != digits && len(text) != grouped {
		return false
	}
	for i, c := range text {
		isDash := len(text) == grouped && (i == 8 || i == 13 || i == 18 || i == 23)
		if isDash != (c == '-') || !isDash && !jsonscan.IsHex(c) {
			return false
		}
	}
	return true
}

// isEmail reports whether text is an address without doubt: no quotes, comments
// or blanks, and a domain of at least two labels that ends in letters.
func isEmail(text []byte) bool {
	const longest = 254
	local, domain, ok := bytes.Cut(text, []byte{'@'})
	if !ok || len(text) > longest || !isDotted(local, isLocalByte) || !isDotted(domain, isDomainByte) {
		return false
	}
	dot := bytes.LastIndexByte(domain, '.')
	top := domain[dot+1:]
	return dot > 0 && utf8.RuneCount(top) >= 2 && !bytes.ContainsAny(top, "0123456789-")
}

// isDotted reports whether text is one or more parts, none of them empty, between dots.
func isDotted(text []byte, isPart func(c byte) bool) bool {
	previous := byte('.')
	for _, c := range text {
		if c == '.' && previous == '.' || c != '.' && !isPart(c) {
			return false
		}
		previous = c
	}
	return previous != '.'
}

func isLetter(c byte) bool {
	return 'a' <= lower(c) && lower(c) <= 'z' || c >= utf8.RuneSelf
}

func isDomainByte(c byte) bool { return isLetter(c) || jsonscan.IsDigit(c) || c == '-' }

func isLocalByte(c byte) bool {
	return isDomainByte(c) || strings.IndexByte("!#$%&'*+/=?^_`{|}~", c) >= 0
}
