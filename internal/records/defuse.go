package records

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/jsonscan"
)

// Defuse returns text as CSV has it for a spreadsheet: behind an apostrophe if the
// spreadsheet could take it for a formula, which it runs when the file is opened,
// and otherwise as it is. What such a text begins with, perhaps behind white space,
// quotes and characters that are not seen, is one of = + - @ or their fullwidth
// forms, or it begins with a tab or a line break. Numbers and telephone numbers,
// such as -5 and +49 30 1234, are none.
//
// Taking the apostrophe off again gives the text exactly: one that has apostrophes
// in that place already gets one more.
func Defuse(text string) string {
	if isFormula(text) {
		return "'" + text
	}
	return text
}

// isFormula reports whether a text needs the apostrophe. Apostrophes before it change
// nothing, so that taking one off is the way back.
func isFormula[Text ~string | ~[]byte](text Text) bool {
	if len(text) == 0 || 'A' <= text[0] && text[0] <= 'z' { // most texts, and none of what is looked for
		return false
	}
	for len(text) > 0 && text[0] == '\'' {
		text = text[1:]
	}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(string(text[at:min(at+utf8.UTFMax, len(text))]))
		switch {
		case strings.ContainsRune("=@＝＠＋－", r), at == 0 && strings.ContainsRune("\t\r\n", r):
			return true
		case r == '+', r == '-':
			return at > 0 || !isDialled(text[1:])
		case r != '\'' && r != '"' && !unicode.IsSpace(r) && unicode.IsPrint(r):
			return false
		}
		at += size
	}
	return false
}

// isDialled reports whether behind a sign stands a number, or nothing: with no
// operator and no name in it, there is nothing to run.
func isDialled[Text ~string | ~[]byte](text Text) bool {
	for i := range len(text) {
		if c := text[i]; !jsonscan.IsDigit(c) && c != ' ' && c != '.' {
			return false
		}
	}
	return true
}
