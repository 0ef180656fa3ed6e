package lists

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// separators are the characters at which spreadsheets split a file. A spreadsheet that splits at a
// semicolon takes the quotes around a cell for a part of it, so a formula may begin after any
// separator within a cell.
const separators = ",;\t\r\n"

// plainNumber matches a number or a telephone number. It has no operator, and so is no formula.
var plainNumber = regexp.MustCompile(`^'*[+-]?[\d .]*$`)

// defuse changes the text of a cell of a kind for CSV, so that no spreadsheet runs it as a formula.
//
// A string gets an apostrophe before each part between separators that begins with one of = + - @
// or their fullwidth forms, perhaps after white space, quotes and invisible characters. To read the
// exact string, take one apostrophe off each such part. In arrays and objects the character becomes
// a \u escape. Numbers stay as they are.
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

// defuseText is [defuse] for a string.
func defuseText(text []byte) []byte {
	var safe []byte
	copied := 0 // how much of the text is in safe
	for start, end := 0, 0; end >= 0; start += end + 1 {
		part := text[start:]
		if end = bytes.IndexAny(part, separators); end >= 0 {
			part = part[:end]
		}
		first, _ := utf8.DecodeRune(bytes.TrimLeftFunc(part, mayPrecedeFormula))
		if beginsFormula(first) {
			safe = append(safe, text[copied:start]...)
			safe = append(safe, '\'')
			copied = start
		}
	}
	if safe == nil || plainNumber.Match(text) {
		return text
	}
	return append(safe, text[copied:]...)
}

// beginsFormula reports whether a spreadsheet takes what begins with a character for a formula.
func beginsFormula(r rune) bool { return strings.ContainsRune("=@+-＝＠＋－", r) }

// mayPrecedeFormula reports whether a spreadsheet may skip a character before a formula.
// Apostrophes count too, so that an apostrophe that was there gets another one, and can be told
// from ours.
func mayPrecedeFormula(r rune) bool {
	return r == '\'' || r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r)
}

var (
	// stringInJSON matches a string in JSON with the comma before it.
	stringInJSON = regexp.MustCompile(`(?:,\s*)?"(?:[^"\\]|\\.)*"`)
	// formulaInJSON matches the beginning of what may be a formula after a separator in JSON.
	formulaInJSON = regexp.MustCompile(`[,;][\s'"]*[=@+＝＠＋－-]`)
)

// defuseJSON is [defuse] for an array or object.
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
