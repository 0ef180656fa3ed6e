package hostname

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
)

const (
	// maxAddress is the longest e-mail address in characters (RFC 5321 section 4.5.3.1.3).
	maxAddress = 254
	// maxText is how many characters are kept of a text that is longer than any address.
	maxText = 320
)

// Email is an e-mail address that was taken out of a text.
type Email struct {
	// Address has its domain in lower case and its letters composed (NFC). The part before the
	// at sign keeps its case: it is the service that decides whether case matters there.
	Address string
	// Off is what the text had beside the address, or wrote in another way.
	Off TakenOff
}

// TakenOff is a set of what [CleanEmail] takes off a text to find the address in it.
type TakenOff uint16

const (
	// OffBlanks are blanks, tabs and line ends around the address.
	OffBlanks TakenOff = 1 << iota
	// OffInvisible are characters that nobody sees: zero-width ones, marks of the direction,
	// soft hyphens, a byte order mark.
	OffInvisible
	// OffWidth are full-width forms of ASCII, as keyboards for Chinese and Japanese type them.
	OffWidth
	// OffSpelling is the decomposed spelling of letters with accents.
	OffSpelling
	// OffCase are capitals in the domain.
	OffCase
	// OffScheme is "mailto:", with its escapes and all after a question mark.
	OffScheme
	// OffName are the brackets around the address, with the name of its owner beside them.
	OffName
	// OffCells are the other cells of a row of a spreadsheet.
	OffCells
	// OffSigns are quotes, brackets, commas and dots around the address, and the bullet or number
	// of a list before it.
	OffSigns
	// OffMarkup are the elements of a page around the address.
	OffMarkup
	// OffEscapes is "%40" in place of the at sign, as URLs have it.
	OffEscapes
)

// Has reports whether the set has something of another one.
func (t TakenOff) Has(any TakenOff) bool { return t&any != 0 }

// EmailFault is why a text is no e-mail address.
type EmailFault uint8

const (
	// FaultNoAt: the text has no at sign.
	FaultNoAt EmailFault = iota + 1
	// FaultAt: it has more than one, or nothing on one side.
	FaultAt
	// FaultLong: it is longer than an address can be.
	FaultLong
	// FaultCharacter: it has a character that no address has.
	FaultCharacter
	// FaultSeveral: it has several addresses.
	FaultSeveral
	// FaultEmpty: there is nothing.
	FaultEmpty
)

// EmailError says why a text is no e-mail address.
type EmailError struct {
	Text  string // as far as it was cleaned, and perhaps cut
	Fault EmailFault
	// Character is the first one that does not belong there, for [FaultCharacter].
	Character rune
	// Count is how many addresses there are, for [FaultSeveral].
	Count int
}

// Error quotes the text, cut and safe for a terminal.
func (e *EmailError) Error() string {
	const shown = 60 // cells
	if e.Fault == FaultEmpty {
		return "there is no e-mail address"
	}
	return fmt.Sprintf("%q is not an e-mail address: %s", safetext.Clip(e.Text, shown), e.Reason())
}

// Reason completes a sentence about the text: "it has no @".
func (e *EmailError) Reason() string {
	switch e.Fault {
	case FaultEmpty:
		return "it is empty"
	case FaultNoAt:
		return "it has no @"
	case FaultAt:
		return "it needs one @, with text on both sides"
	case FaultLong:
		return fmt.Sprintf("it is longer than %d characters", maxAddress)
	case FaultSeveral:
		return fmt.Sprintf("it has %d addresses", e.Count)
	}
	return "it contains " + characterName(e.Character)
}

func (e *EmailError) Explain() problem.Explanation {
	hint := "Check the address."
	if e.Fault == FaultSeveral {
		hint = "Give one address."
	}
	return problem.Explanation{Kind: problem.Usage, Text: e.Error(), Hint: hint}
}

// ParseEmail is [CleanEmail] for callers who need nothing but the address.
func ParseEmail(text string) (string, error) {
	email, err := CleanEmail(text)
	return email.Address, err
}

// CleanEmail takes the e-mail address out of a text as people write and paste it. It takes off
// characters that nobody sees, "mailto:", markup, the escapes of a URL, a bullet, the name beside an address in brackets, quotes, commas,
// a dot at the end and the other cells of a row, and it writes full-width signs and the case
// of the domain as the DNS does. What it takes off cannot be part of an address, so that cleaning
// never makes the address of somebody else: a blank or a comma within a text is refused.
//
// If there is no address, or more than one, Address is the text as far as it was cleaned, perhaps
// cut, and the error an [*EmailError]. [Emails] is for a text that may have several.
func CleanEmail(text string) (Email, error) {
	plain, off := normalized(text)
	var several []Email
	for _, piece := range separated(plain) {
		email := addressIn(piece, off)
		isSame := func(other Email) bool { return strings.EqualFold(email.Address, other.Address) }
		if !slices.ContainsFunc(several, isSame) {
			several = append(several, email)
		}
	}
	if len(several) > 1 {
		cut := firstCharacters(strings.TrimSpace(plain), maxText)
		return Email{cut, off}, &EmailError{Text: cut, Fault: FaultSeveral, Count: len(several)}
	}
	email := several[0]
	return email, email.check()
}

// Emails yields the addresses of a text that may have several, each as [CleanEmail] returns it, with
// an [*EmailError] if it is not an address. Commas, semicolons, tabs, line ends and blanks separate
// them, and text without an at sign between them is left out. It yields at least one: a text without
// any address is yielded with its error.
func Emails(text string) iter.Seq2[Email, error] {
	return func(yield func(Email, error) bool) {
		plain, off := normalized(text)
		for _, piece := range separated(plain) {
			email := addressIn(piece, off)
			if !yield(email, email.check()) {
				return
			}
		}
	}
}

// HasSeveral reports whether a text has more than one address.
func HasSeveral(text string) bool {
	plain, _ := normalized(text)
	return len(separated(plain)) > 1
}

// check is an [*EmailError] if the address is none.
func (e Email) check() error {
	if refused := faultOf(e.Address); refused != nil {
		return refused
	}
	return nil
}

// EmailObjection says why a text is not an address, or "" if it may be one. It only tells addresses
// from other texts: the service decides which addresses it knows.
func EmailObjection(text string) string {
	if refused := faultOf(text); refused != nil {
		return refused.Reason()
	}
	return ""
}

// faultOf is why a text is no address, nil if it may be one.
func faultOf(text string) *EmailError {
	local, domain, found := strings.Cut(text, "@")
	switch {
	case text == "":
		return &EmailError{Text: text, Fault: FaultEmpty}
	case utf8.RuneCountInString(text) > maxAddress:
		return &EmailError{Text: text, Fault: FaultLong}
	case !found:
		return &EmailError{Text: text, Fault: FaultNoAt}
	case local == "", domain == "", strings.Contains(domain, "@"):
		return &EmailError{Text: text, Fault: FaultAt}
	}
	if at := strings.IndexFunc(text, isForbidden); at >= 0 {
		r, _ := utf8.DecodeRuneInString(text[at:])
		return &EmailError{Text: text, Fault: FaultCharacter, Character: r}
	}
	return nil
}

// isForbidden reports whether an address cannot have a character, except in quotes.
func isForbidden(r rune) bool {
	isInvisible := r == ' ' || !unicode.IsPrint(r) && !isJoiner(r)
	return isInvisible || r == utf8.RuneError || strings.ContainsRune(`<>()[],;:\"`, r)
}

// characterNames are characters of which people know the name rather than the sign.
var characterNames = map[rune]string{
	' ': "a blank", '\t': "a tab", '\n': "a line end", '\r': "a line end",
	',': "a comma", ';': "a semicolon", ':': "a colon", '"': "a quotation mark", '\\': "a backslash",
	'\u00a0': "a no-break space (U+00A0)", '\u202f': "a narrow no-break space (U+202F)",
	'\u3000': "an ideographic space (U+3000)", '\u2028': "a line separator (U+2028)",
	utf8.RuneError: "a character that could not be read (U+FFFD)",
}

// characterName names a character to a person who may not be able to see it.
func characterName(r rune) string {
	switch name, known := characterNames[r]; {
	case known:
		return name
	case unicode.IsControl(r):
		return fmt.Sprintf("the control character U+%04X", r)
	case unicode.IsSpace(r):
		return fmt.Sprintf("the blank U+%04X", r)
	case unicode.IsPrint(r):
		return fmt.Sprintf("the sign %c", r)
	}
	return fmt.Sprintf("the character U+%04X", r)
}

func firstCharacters(text string, n int) string {
	if len(text) <= n {
		return text
	}
	characters := []rune(text)
	return string(characters[:min(len(characters), n)])
}
