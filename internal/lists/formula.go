package lists

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// separators are what spreadsheets split a file at. One that splits at a semicolon takes the
// quotes around a cell for a part of it, so a formula may begin after any of them.
const separators = ",;\t\r\n"

// plainNumber is a number or a telephone number, which has no operator in it.
var plainNumber = regexp.MustCompile(`^'*[+-]?[\d .]*$`)

// defuse returns what a cell of a kind has in CSV, so that no spreadsheet runs it as a formula.
//
// In a text, an apostrophe stands before each part between separators that begins, perhaps
// after white space, quotes and characters that are not seen, with one of = + - @ or their
// fullwidth forms. Without one apostrophe before each such part it is the exact text again. In
// an array or object the character is a \u escape. A number alone stays as it is.
func defuse(kind Kind, text []byte) []byte {
	switch kind {
	case String:
		return defuseText(text)
	case Array, Object:
		return defuseJSON(text)
	default:
		return text
	}
}

func defuseText(text []byte) []byte {
	var safe []byte
	done := 0
	for start, end := 0, 0; end >= 0; start += end + 1 {
		part := text[start:]
		if end = bytes.IndexAny(part, separators); end >= 0 {
			part = part[:end]
		}
		if first, _ := utf8.DecodeRune(bytes.TrimLeftFunc(part, isSkipped)); beginsFormula(first) {
			safe = append(append(safe, text[done:start]...), '\'')
			done = start
		}
	}
	if safe == nil || plainNumber.Match(text) {
		return text
	}
	return append(safe, text[done:]...)
}

func beginsFormula(r rune) bool { return strings.ContainsRune("=@+-＝＠＋－", r) }

// isSkipped reports whether a formula may stand after a character. With apostrophes among
// them, taking one off again is always the way back.
func isSkipped(r rune) bool {
	return r == '\'' || r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r)
}

// stringInJSON is a text of JSON, with the comma before it; formulaInJSON is what could be a formula
// after a separator in it.
var (
	stringInJSON  = regexp.MustCompile(`(?:,\s*)?"(?:[^"\\]|\\.)*"`)
	formulaInJSON = regexp.MustCompile(`[,;][\s'"]*[=@+＝＠＋－-]`)
)

func defuseJSON(text []byte) []byte {
	if !bytes.ContainsAny(text, separators) { // as in an empty array
		return text
	}
	return stringInJSON.ReplaceAllFunc(text, func(text []byte) []byte {
		return formulaInJSON.ReplaceAllFunc(text, func(part []byte) []byte {
			at := bytes.IndexFunc(part, beginsFormula)
			first, _ := utf8.DecodeRune(part[at:])
			return fmt.Appendf(part[:at:at], `\u%04x`, first)
		})
	})
}
