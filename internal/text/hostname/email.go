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
	// Off is what the text had around the address or wrote in another way.
	Off TakenOff
}

// TakenOff is a set of the things that [CleanEmail] takes off a text or rewrites.
type TakenOff uint16

const (
	// OffBlanks are blanks, tabs and line ends around the address.
	OffBlanks TakenOff = 1 << iota
	// OffInvisible are invisible characters: zero-width ones, direction marks, soft hyphens, a byte
	// order mark.
	OffInvisible
	// OffWidth are full-width forms of ASCII, as keyboards for Chinese and Japanese type them.
	OffWidth
	// OffSpelling is the decomposed spelling of letters with accents.
	OffSpelling
	// OffCase are capitals in the domain.
	OffCase
	// OffScheme is "mailto:", its escapes, and everything after its question mark.
	OffScheme
	// OffName are the brackets around the address and the name of its owner beside them.
	OffName
	// OffCells are the other cells of a row of a spreadsheet.
	OffCells
	// OffSigns are quotes, brackets, commas and dots around the address, and the bullet or number
	// of a list before it.
	OffSigns
	// OffMarkup is HTML around the address.
	OffMarkup
	// OffEscapes is "%40" instead of the at sign, as in URLs.
	OffEscapes
)

// Has reports whether the set has anything in common with another one.
func (t TakenOff) Has(any TakenOff) bool { return t&any != 0 }

// EmailFault is why a text is not an e-mail address.
type EmailFault uint8

const (
	// FaultNoAt: the text has no at sign.
	FaultNoAt EmailFault = iota + 1
	// FaultAt: it has more than one at sign, or nothing on one side of it.
	FaultAt
	// FaultLong: it is longer than an address can be.
	FaultLong
	// FaultCharacter: it has a character that no address has.
	FaultCharacter
	// FaultSeveral: it has several addresses.
	FaultSeveral
	// FaultEmpty: it is empty.
	FaultEmpty
)

// EmailError says why a text is not an e-mail address.
type EmailError struct {
	Text  string // as far as it could be cleaned; perhaps cut
	Fault EmailFault
	// Character is the first one that an address cannot have, for [FaultCharacter].
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

// Explain presents the error as wrong usage.
func (e *EmailError) Explain() problem.Explanation {
	hint := "Check the address."
	if e.Fault == FaultSeveral {
		hint = "Give one address."
	}
	return problem.Explanation{Kind: problem.Usage, Text: e.Error(), Hint: hint}
}

// ParseEmail is [CleanEmail] for callers that only need the address.
func ParseEmail(text string) (string, error) {
	email, err := CleanEmail(text)
	return email.Address, err
}

// CleanEmail finds the e-mail address in a text as people write and paste it. It takes off
// everything in [TakenOff], such as invisible characters, a name beside an address in brackets,
// quotes and a dot at the end, and writes full-width signs and the case of the domain as the DNS
// does. Nothing of that can be part of an address, so cleaning never makes the address of somebody
// else. A blank or a comma inside a text is refused.
//
// If there is no address, or more than one, Address is the text as far as it could be cleaned,
// perhaps cut, and the error is an [*EmailError]. For a text that may have several, see [Emails].
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

// Emails yields the addresses of a text that may have several, each as [CleanEmail] returns it, or
// with an [*EmailError] if it is not an address. Commas, semicolons, tabs, line ends and blanks
// separate addresses. Text between them that has no at sign is left out. A text without any address
// is yielded with its error.
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

// check returns an [*EmailError] if the address cannot be one.
func (e Email) check() error {
	if refused := faultOf(e.Address); refused != nil {
		return refused
	}
	return nil
}

// EmailObjection returns why a text cannot be an address, or "" if it may be one. It only tells
// addresses from other texts: the service decides which addresses it knows.
func EmailObjection(text string) string {
	if refused := faultOf(text); refused != nil {
		return refused.Reason()
	}
	return ""
}

// faultOf returns why a text cannot be an address, or nil if it may be one.
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

// isForbidden reports whether a character can only be in a quoted address, or in none.
func isForbidden(r rune) bool {
	isInvisible := r == ' ' || !unicode.IsPrint(r) && !isJoiner(r)
	return isInvisible || r == utf8.RuneError || strings.ContainsRune(`<>()[],;:\"`, r)
}

// characterNames are the names of characters that people cannot see or may not recognize.
var characterNames = map[rune]string{
	' ': "a blank", '\t': "a tab", '\n': "a line end", '\r': "a line end",
	',': "a comma", ';': "a semicolon", ':': "a colon", '"': "a quotation mark", '\\': "a backslash",
	'\u00a0': "a no-break space (U+00A0)", '\u202f': "a narrow no-break space (U+202F)",
	'\u3000': "an ideographic space (U+3000)", '\u2028': "a line separator (U+2028)",
	utf8.RuneError: "a character that could not be read (U+FFFD)",
}

// characterName returns the name of a character for people who may not see it.
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

// firstCharacters returns at most the first n characters of a text.
func firstCharacters(text string, n int) string {
	if len(text) <= n {
		return text
	}
	characters := []rune(text)
	return string(characters[:min(len(characters), n)])
}
