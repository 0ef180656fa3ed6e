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

// quotes open or close a quotation, or what is set apart like one.
const quotes = "\"'`´‘’‚“”„«»‹›<>()[]{}"

// lettersOf reads a text. Where that is nothing but an address, dots and at signs are part of
// its words.
func lettersOf(text string) letters {
	if !isASCII(text) {
		text = norm.NFC.String(text)
	}
	r := letterReader{
		text:      make([]byte, 0, len(text)),
		edges:     make([]edge, 0, len(text)+1),
		isAddress: isAddress(text),
		gap:       signEdge,
	}
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			r.ascii(c)
			i++
			continue
		}
		c, size := utf8.DecodeRuneInString(text[i:])
		r.nonASCII(c)
		i += size
	}
	return letters{string(r.text), append(r.edges, r.gap|signEdge)}
}

// letterReader takes the letters from a text, one character after another.
type letterReader struct {
	text      []byte
	edges     []edge
	isAddress bool
	gap       edge // what stands before the next letter
	lastSign  rune // the character before, 0 if that was a letter
}

// ascii reads a character of ASCII.
func (r *letterReader) ascii(c byte) {
	switch {
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		r.letter(c)
	case 'A' <= c && c <= 'Z':
		r.letter(c + 'a' - 'A')
	case r.isAddress && r.lastSign == 0 && (c == '.' || c == '@'):
		r.lastSign = rune(c)
	default:
		r.sign(rune(c))
	}
}

// nonASCII reads a character beyond ASCII. Marks that are no part of a letter are left out.
func (r *letterReader) nonASCII(c rune) {
	switch {
	case unicode.Is(unicode.M, c):
	case isSharpS(c):
		r.letter('s')
		r.letter('s')
	case c != utf8.RuneError && unicode.In(c, unicode.L, unicode.N, unicode.So):
		for _, part := range []byte(string(withoutCase(c))) {
			r.letter(part)
		}
	default:
		r.sign(c)
	}
}

// letter adds a letter or digit, or a byte of one beyond ASCII.
func (r *letterReader) letter(c byte) {
	r.text = append(r.text, c)
	r.edges = append(r.edges, r.gap)
	r.gap, r.lastSign = 0, 0
}

// sign adds what a sign says to the gap before the next letter.
func (r *letterReader) sign(c rune) {
	r.gap |= signEdge
	isRepeated := c == r.lastSign
	switch {
	case c == '…', isRepeated && (c == '.' || c == '*'):
		r.gap |= cutEdge
	case strings.ContainsRune(quotes, c):
		r.gap |= quoteEdge
	}
	r.lastSign = c
}

// withoutCase is a letter in the case in which texts are compared. The way over the upper case
// makes one letter of those that share it, such as σ and ς.
func withoutCase(c rune) rune { return unicode.ToLower(unicode.ToUpper(c)) }

// isSharpS reports whether a letter is the German one that is two letters in capitals: SS.
func isSharpS(c rune) bool { return c == 'ß' || c == 'ẞ' }

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

// bare is the letters and digits of ASCII among bytes, in lower case.
func bare(text []byte) string {
	list := make([]byte, 0, len(text))
	for _, c := range text {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			list = append(list, c)
		case 'A' <= c && c <= 'Z':
			list = append(list, c+'a'-'A')
		}
	}
	return string(list)
}

// isASCII reports whether a text has no characters beyond ASCII.
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
