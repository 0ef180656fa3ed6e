package hostname

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalized returns a text with the characters that addresses have: without invisible characters,
// markup and "mailto:", with ASCII instead of full-width forms, and with composed letters. The set
// says what has changed.
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

var (
	// anchor matches a link of an HTML page to an e-mail address: its target and its text.
	anchor = regexp.MustCompile(
		`(?is)<a\s[^<>]*?href\s*=\s*["']?(mailto:[^"'<>\s]+)[^<>]*>(.*?)</a\s*>`)
	// element matches the tag of an element of HTML that may be around an address. It does not
	// match an address in angle brackets.
	element = regexp.MustCompile(
		`(?i)</?(?:a|b|i|u|p|br|td|tr|li|div|font|span|strong|em)(?:\s[^<>]*)?/?>`)
)

// withoutMarkup returns a text without the elements of HTML. A link to an address becomes the
// address, followed by the text of the link if that is another address.
func withoutMarkup(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	text = anchor.ReplaceAllStringFunc(text, func(link string) string {
		parts := anchor.FindStringSubmatch(link)
		target, shown := addressesOf(parts[1]), strings.TrimSpace(parts[2])
		isOtherAddress := strings.Contains(shown, "@") && !strings.EqualFold(shown, target)
		if !isOtherAddress {
			return target
		}
		return target + " " + shown
	})
	return element.ReplaceAllString(text, " ")
}

// withoutEscapes decodes an address whose only at sign is the escape %40.
func withoutEscapes(text string) string {
	if strings.Contains(text, "@") || !strings.Contains(text, "%40") {
		return text
	}
	plain, err := url.PathUnescape(text)
	if err != nil {
		return text
	}
	return strings.Map(visible, strings.ToValidUTF8(plain, string(utf8.RuneError)))
}

// isASCII reports whether a text has nothing but ASCII.
func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// withoutInvisible returns a text without its invisible characters. Joiners between letters that
// are not ASCII stay: Persian and the scripts of India need them for spelling.
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

// isInvisible reports whether nobody can see a character.
func isInvisible(r rune) bool {
	return unicode.In(r,
		unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// isJoiner reports whether r is the zero-width joiner or non-joiner.
func isJoiner(r rune) bool { return unicode.Is(unicode.Join_Control, r) }

// isForeignLetter reports whether a character is a letter or mark beyond ASCII.
func isForeignLetter(r rune) bool {
	return r >= utf8.RuneSelf && unicode.In(r, unicode.L, unicode.M)
}

// narrow returns the ASCII character for its full-width or small form. It leaves other
// compatibility characters alone, as a name with one of them may be another person's.
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

// mailto matches a mailto link up to a blank or a bracket.
var mailto = regexp.MustCompile(`(?i)\bmailto:(?://)?[^\s<>()\[\]"]*`)

// addressesOf returns the addresses of a mailto link (RFC 6068), separated by commas.
func addressesOf(link string) string {
	link = strings.TrimPrefix(link[len("mailto:"):], "//")
	link, _, _ = strings.Cut(link, "|") // after which chat programs put the text of a link
	to, query, _ := strings.Cut(link, "?")
	if to == "" {
		values, _ := url.ParseQuery(query) // as far as it can be read
		return values.Get("to")
	}
	addresses := strings.Split(to, ",")
	for i, escaped := range addresses {
		if address, err := url.PathUnescape(escaped); err == nil {
			addresses[i] = strings.Map(visible, strings.ToValidUTF8(address, string(utf8.RuneError)))
		}
	}
	return strings.Join(addresses, ", ")
}

// visible replaces a control character that was hidden in an escape, such as a line end, by one
// that no address has.
func visible(r rune) rune {
	if unicode.IsControl(r) {
		return utf8.RuneError
	}
	return r
}

// addressIn returns the address of a normalized text that has one: without other cells, the name of
// its owner, and the signs around it. If the text has no address, it returns what is left of the
// text.
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

// bullet matches the bullet or number before an entry of a list. After a sign that may begin an
// address it needs a blank, which no address has.
var bullet = regexp.MustCompile(`^(?:[•‣◦▪●■]\s*|(?:[-*+·–—]|\d{1,4}[.)])\s+)`)

// dot replaces an ideographic full stop by a dot, as both separate labels (RFC 3490).
func dot(r rune) rune {
	if r == '。' || r == '｡' {
		return '.'
	}
	return r
}

// cellWithAt returns the only cell of a row that has an at sign. If several have one, or none, it
// returns the whole text.
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

// isCellEnd reports whether a character ends a cell of a spreadsheet that was copied as text.
func isCellEnd(r rune) bool { return r == '\t' || r == '\n' || r == '\r' }

// inBrackets returns the address that a text has in brackets, as in "Ada <ada@harbor.example>". If
// there is none, it returns the text without a remark in brackets. A bracket inside a word does not
// count: it may be a typing error, and what is left without it would be the address of somebody
// else.
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

// The signs that may be around an address, in sentences, lists and quotes. They cannot be the first
// or last character of one.
const (
	signsBefore = "<>([\"•«»‹›“”„‘’‚,;:、"
	signsAfter  = ">)]}\"«»‹›“”„‘’‚',;:、.!?。｡…"
)

// withoutSigns returns a text without the signs around an address. An apostrophe can be the first
// character of an address, so it is only taken off if there is one at the end as well.
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

// separated returns the pieces of a normalized text that have an address each, see [Emails]. It
// returns the whole text if there are fewer than two.
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

// pieceEnd returns where the first address of a text ends, including a name or remark beside it.
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

// quotedLength returns the length of the quotes or brackets that a text begins with, and what is
// inside. It is 0 if the text does not begin with any, or if they do not end soon.
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
	return len(`"`) + end + len(closing)
}

// beginsBracket reports whether an address or remark in brackets follows the blanks here.
func beginsBracket(text string) bool {
	text = strings.TrimLeft(text, " ")
	return strings.HasPrefix(text, "<") || strings.HasPrefix(text, "(")
}

// wordWithAt returns the word of a piece that has the at sign, or the whole piece if it has
// brackets.
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
