package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters are the letters and digits of a text, in lower case and without the signs between
// them. Symbols beyond ASCII, such as emoji, count as letters.
type letters struct {
	text  string
	edges []edge // what stood before each byte of text, and at its end
}

// edge is what stood before a letter; 0 is another letter.
type edge byte

const (
	signEdge  edge = 1 << iota // any sign, or the start or end of the text
	quoteEdge                  // a quote or a bracket
	cutEdge                    // the end of a text that was cut: "...", "…" or "***"
)

const quotes = "\"'`´‘’‚“”„«»‹›<>()[]{}"

// lettersOf reads a text. Where that is nothing but an address, dots and at signs are part of
// its words.
func lettersOf(text string) letters {
	if !isASCII(text) {
		text = norm.NFC.String(text)
	}
	r := reader{isAddress: isAddress(text), gap: signEdge}
	r.text, r.edges = make([]byte, 0, len(text)), make([]edge, 0, len(text)+1)
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			r.ascii(c)
			i++
			continue
		}
		other, size := utf8.DecodeRuneInString(text[i:])
		r.other(other)
		i += size
	}
	return letters{string(r.text), append(r.edges, r.gap|signEdge)}
}

// reader takes the letters from a text, one character after another.
type reader struct {
	text      []byte
	edges     []edge
	isAddress bool
	gap       edge // what stands before the next letter
	last      rune // the sign before, 0 where that is a letter
}

func (r *reader) ascii(c byte) {
	switch {
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		r.letter(c)
	case 'A' <= c && c <= 'Z':
		r.letter(c + 'a' - 'A')
	case r.isAddress && r.last == 0 && (c == '.' || c == '@'):
		r.last = rune(c)
	default:
		r.sign(rune(c))
	}
}

// other reads a character beyond ASCII. Marks that are no part of a letter are left out.
func (r *reader) other(c rune) {
	switch {
	case unicode.Is(unicode.M, c):
	case c == 'ß' || c == 'ẞ':
		r.letter('s')
		r.letter('s')
	case c != utf8.RuneError && unicode.In(c, unicode.L, unicode.N, unicode.So):
		for _, part := range []byte(string(unicode.ToLower(unicode.ToUpper(c)))) {
			r.letter(part)
		}
	default:
		r.sign(c)
	}
}

func (r *reader) letter(c byte) {
	r.text = append(r.text, c)
	r.edges = append(r.edges, r.gap)
	r.gap, r.last = 0, 0
}

func (r *reader) sign(c rune) {
	r.gap |= signEdge
	switch {
	case c == '…', c == r.last && (c == '.' || c == '*'):
		r.gap |= cutEdge
	case strings.ContainsRune(quotes, c):
		r.gap |= quoteEdge
	}
	r.last = c
}

// maxAddress is the length of the longest address, in bytes.
const maxAddress = 500

// isAddress reports whether a text is a host name, an e-mail address or the URL of a page, with
// nothing around it.
func isAddress(text string) bool {
	if len(text) > maxAddress || !strings.ContainsAny(text, ".@") {
		return false
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "https://"), "http://")
	return !strings.ContainsFunc(text, isOutsideAddress)
}

func isOutsideAddress(r rune) bool {
	return !strings.ContainsRune("_./@+~-", r) && !unicode.IsLetter(r) && !unicode.IsNumber(r)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// asciiOnly is a text without its letters beyond ASCII, whatever a service has made of them.
func asciiOnly(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return r
		case unicode.IsPunct(r), unicode.IsSpace(r):
			return ' '
		}
		return -1
	}, norm.NFC.String(text))
}

// withoutMarks is a text with its plain letters: "passwort" of "pässwört".
func withoutMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
}
