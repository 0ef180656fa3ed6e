package hostname

import (
	"fmt"
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

// EmailError says why a text is no e-mail address.
type EmailError struct {
	Text   string
	Reason string // completes a sentence
}

// Error quotes the text, cut and safe for a terminal.
func (e *EmailError) Error() string {
	const shown = 60 // cells
	return fmt.Sprintf("%q is not an e-mail address: %s", safetext.Clip(e.Text, shown), e.Reason)
}

func (e *EmailError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: e.Error(), Hint: "Check the address."}
}

// ParseEmail takes the e-mail address out of a text as people write it: with blanks or
// quotes around, in angle brackets with a name before, with a comma or semicolon after. It
// keeps the case and names that are not ASCII. If there is none, email is the text without
// blanks around, perhaps cut, and the error an [*EmailError].
func ParseEmail(text string) (email string, err error) {
	email = strings.ToValidUTF8(text, "\ufffd")
	email = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(email), ",;"))
	if n := len(email); n > 1 && email[0] == '"' && email[n-1] == '"' {
		email = strings.TrimSpace(email[1 : n-1])
	}
	if before, found := strings.CutSuffix(email, ">"); found && strings.Contains(before, "<") {
		email = strings.TrimSpace(before[strings.LastIndexByte(before, '<')+1:])
	}
	if len(email) > maxText {
		characters := []rune(email)
		email = string(characters[:min(len(characters), maxText)])
	}
	if reason := EmailObjection(email); reason != "" {
		return email, &EmailError{Text: email, Reason: reason}
	}
	return email, nil
}

// EmailObjection says why a text is no address, "" if it may be one. It is no stricter than what
// tells an address from something else: the service decides which addresses it knows.
func EmailObjection(text string) string {
	local, domain, found := strings.Cut(text, "@")
	switch {
	case utf8.RuneCountInString(text) > maxAddress:
		return fmt.Sprintf("it is longer than %d characters", maxAddress)
	case !found:
		return "it has no @"
	case local == "", domain == "", strings.Contains(domain, "@"):
		return "it needs one @, with text on both sides"
	}
	isForbidden := func(r rune) bool {
		return r == ' ' || !unicode.IsPrint(r) || r == utf8.RuneError || strings.ContainsRune(`<>()[],;:\"`, r)
	}
	if at := strings.IndexFunc(text, isForbidden); at >= 0 {
		r, _ := utf8.DecodeRuneInString(text[at:])
		return fmt.Sprintf("it contains %q", r)
	}
	return ""
}
