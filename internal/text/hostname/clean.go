package hostname

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalized is a text in the characters that addresses have: without what nobody sees,
// with ASCII in place of its full-width forms, with composed letters, and without "mailto:".
func normalized(text string) (string, TakenOff) {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	off := TakenOff(0)
	replace := func(mark TakenOff, by string) {
		if by != text {
			text, off = by, off|mark
		}
	}
	if !isASCII(text) {
		replace(OffInvisible, withoutInvisible(text))
		replace(OffWidth, strings.Map(narrow, text))
		replace(OffSpelling, norm.NFC.String(text))
	}
	replace(OffMarkup, withoutMarkup(text))
	replace(OffScheme, mailto.ReplaceAllStringFunc(text, addressesOf))
	replace(OffEscapes, withoutEscapes(text))
	return text, off
}

// anchor is a link of a page to an address, and element the begin or end of an element that may stand
// around one. An address in brackets is neither.
var (
	anchor  = regexp.MustCompile(`(?is)<a\s[^<>]*?href\s*=\s*["']?(mailto:[^"'<>\s]+)[^<>]*>(.*?)</a\s*>`)
	element = regexp.MustCompile(`(?i)</?(?:a|b|i|u|p|br|td|tr|li|div|font|span|strong|em)(?:\s[^<>]*)?/?>`)
)

// withoutMarkup is a text without the elements of a page. A link to an address is that address, and
// what it shows if that is another one.
func withoutMarkup(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	text = anchor.ReplaceAllStringFunc(text, func(link string) string {
		parts := anchor.FindStringSubmatch(link)
		to, shows := addressesOf(parts[1]), strings.TrimSpace(parts[2])
		if !strings.Contains(shows, "@") || strings.EqualFold(shows, to) {
			return to
		}
		return to + " " + shows
	})
	return element.ReplaceAllString(text, " ")
}

// withoutEscapes decodes an address in which nothing but an escape is the at sign.
func withoutEscapes(text string) string {
	if strings.Contains(text, "@") || !strings.Contains(text, "%40") {
		return text
	}
	plain, err := url.PathUnescape(text)
	if err != nil {
		return text
	}
	return strings.Map(readable, strings.ToValidUTF8(plain, string(utf8.RuneError)))
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// withoutInvisible leaves out the characters that nobody sees. Joiners stay between letters that
// are not ASCII: Persian and the scripts of India spell with them.
func withoutInvisible(text string) string {
	var b strings.Builder
	before := rune(0)
	for i, r := range text {
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		isSpelling := isJoiner(r) && isForeignLetter(before) && isForeignLetter(after)
		if isInvisible(r) && !isSpelling {
			continue
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

func isInvisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// isJoiner reports whether r is the zero-width joiner or non-joiner.
func isJoiner(r rune) bool { return unicode.Is(unicode.Join_Control, r) }

func isForeignLetter(r rune) bool {
	return r >= utf8.RuneSelf && unicode.In(r, unicode.L, unicode.M)
}

// narrow is the ASCII character for a full-width or small form of one. Other compatibility
// characters stay: a name with one may be another name.
func narrow(r rune) rune {
	isForm := '\uff01' <= r && r <= '\uff5e' || '\ufe50' <= r && r <= '\ufe6b'
	if !isForm {
		return r
	}
	plain, size := utf8.DecodeRuneInString(norm.NFKC.String(string(r)))
	if size > 1 {
		return r
	}
	return plain
}

// mailto is a link to an address, with what follows it up to a blank or a bracket.
var mailto = regexp.MustCompile(`(?i)\bmailto:(?://)?[^\s<>()\[\]"]*`)

// addressesOf are the addresses of a mailto link (RFC 6068), separated by commas.
func addressesOf(link string) string {
	link = strings.TrimPrefix(link[len("mailto:"):], "//")
	link, _, _ = strings.Cut(link, "|") // a chat puts the text of a link there
	to, query, _ := strings.Cut(link, "?")
	if to == "" {
		values, _ := url.ParseQuery(query) // what can be read of it
		return values.Get("to")
	}
	addresses := strings.Split(to, ",")
	for i, escaped := range addresses {
		if address, err := url.PathUnescape(escaped); err == nil {
			addresses[i] = strings.Map(readable, strings.ToValidUTF8(address, string(utf8.RuneError)))
		}
	}
	return strings.Join(addresses, ", ")
}

// readable is a character, or one that no address has in place of a line end or another control
// character that was hidden in an escape.
func readable(r rune) rune {
	if unicode.IsControl(r) {
		return utf8.RuneError
	}
	return r
}

// addressIn is what a normalized text with one address has in place of it: without the other
// cells, the name beside brackets, and the signs around.
func addressIn(text string, off TakenOff) Email {
	replace := func(mark TakenOff, by string) {
		if by != text {
			text, off = by, off|mark
		}
	}
	replace(OffBlanks, strings.TrimSpace(text))
	replace(OffCells, cellWithAt(text))
	replace(OffName, inBrackets(text))
	replace(OffSigns, withoutSigns(bullet.ReplaceAllString(text, "")))
	text = firstCharacters(text, maxText)
	if local, domain, found := strings.Cut(text, "@"); found {
		domain = strings.Map(dot, domain)
		replace(OffWidth, local+"@"+domain)
		replace(OffCase, local+"@"+strings.ToLower(domain))
	}
	return Email{text, off}
}

// bullet is what stands before an entry of a list. A sign that may begin an address needs a blank
// behind it, which no address has.
var bullet = regexp.MustCompile(`^(?:[•‣◦▪●■]\s*|(?:[-*+·–—]|\d{1,4}[.)])\s+)`)

// dot is a full stop for the ideographic ones, which separate labels as well (RFC 3490).
func dot(r rune) rune {
	if r == '。' || r == '｡' {
		return '.'
	}
	return r
}

// cellWithAt is the only cell of a row that has an at sign, or else the whole text.
func cellWithAt(text string) string {
	found := ""
	for cell := range strings.FieldsFuncSeq(text, isCellEnd) {
		switch {
		case !strings.Contains(cell, "@"):
		case found != "":
			return text
		default:
			found = strings.TrimSpace(cell)
		}
	}
	if found == "" {
		return text
	}
	return found
}

func isCellEnd(r rune) bool { return r == '\t' || r == '\n' || r == '\r' }

// inBrackets is the address that stands in brackets, as in "Ada <ada@harbor.example>", or a
// text without the remark in brackets beside it. A bracket within a word is none: who mistypes a
// letter does not mean the address that is left without it.
func inBrackets(text string) string {
	for _, pair := range []string{"<>", "()", "[]"} {
		open := strings.LastIndexByte(text, pair[0])
		if open < 0 {
			continue
		}
		inside, after, isClosed := strings.Cut(text[open+1:], pair[1:])
		isWord := open > 0 && !strings.ContainsAny(text[open-1:open], " ])")
		switch {
		case isWord && (pair != "<>" || !isClosed):
		case strings.Contains(inside, "@"):
			return strings.TrimSpace(inside)
		case strings.TrimSpace(inside) != "" && pair != "<>":
			text = strings.TrimSpace(text[:open] + after)
		}
	}
	return text
}

// The signs that stand around addresses, in sentences, lists and quotes, and that cannot be their
// first or last character.
const (
	signsBefore = "<>([\"•«»‹›“”„‘’‚,;:、"
	signsAfter  = ">)]}\"«»‹›“”„‘’‚',;:、.!?。｡…"
)

// withoutSigns takes off the signs around an address. An apostrophe may be its first character,
// unless there is one at the end as well.
func withoutSigns(text string) string {
	isSign := func(signs string) func(rune) bool {
		return func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(signs, r) }
	}
	end := strings.TrimRightFunc(text, isSign(signsAfter))
	before := signsBefore
	if strings.Contains(text[len(end):], "'") {
		before += "'"
	}
	return strings.TrimLeftFunc(end, isSign(before))
}

// separated are the addresses of a normalized text, see [Emails].
func separated(text string) []string {
	if strings.Count(text, "@") < 2 {
		return []string{text}
	}
	var pieces []string
	for rest := text; rest != ""; {
		end := pieceEnd(rest)
		if piece := strings.TrimSpace(rest[:end]); strings.Contains(piece, "@") {
			pieces = append(pieces, wordWithAt(piece))
		}
		_, size := utf8.DecodeRuneInString(rest[end:])
		rest = rest[end+size:]
	}
	if len(pieces) < 2 {
		return []string{text}
	}
	return pieces
}

// pieceEnd is where the first address of a text ends, with the name before it.
func pieceEnd(text string) int {
	hasAt := false
	for i := 0; i < len(text); {
		if n := quotedLength(text[i:]); n > 0 {
			hasAt = hasAt || strings.Contains(text[i:i+n], "@")
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isCellEnd(r), r == ',', r == ';', r == '、':
			return i
		case unicode.IsSpace(r) && hasAt && !beginsBracket(text[i:]):
			return i
		}
		hasAt = hasAt || r == '@'
		i += size
	}
	return len(text)
}

// quotedLength is the length of what is quoted or in brackets at the start of a text, 0 if
// that is nothing, or does not end soon.
func quotedLength(text string) int {
	closing := map[byte]string{'"': `"`, '<': ">", '(': ")"}[text[0]]
	if closing == "" {
		return 0
	}
	soon := text[1:min(len(text), maxText)]
	end := strings.Index(soon, closing)
	if end < 0 || strings.ContainsFunc(soon[:end], isCellEnd) {
		return 0
	}
	return 1 + end + 1
}

// beginsBracket reports whether an address in brackets, or a remark, comes after blanks.
func beginsBracket(text string) bool {
	text = strings.TrimLeft(text, " ")
	return strings.HasPrefix(text, "<") || strings.HasPrefix(text, "(")
}

// wordWithAt is the word of a piece that has the at sign. One with brackets stays whole.
func wordWithAt(piece string) string {
	if strings.ContainsAny(piece, "<(") {
		return piece
	}
	for word := range strings.FieldsSeq(piece) {
		if strings.Contains(word, "@") {
			return word
		}
	}
	return piece
}
