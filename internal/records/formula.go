package records

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// separators are what spreadsheets split a file at: lines, and, as the language of the
// desktop has it, one of the others. A spreadsheet that splits at a semicolon takes the quotes
// around a cell for a part of it where they follow a comma, and splits the cell as well. So a
// formula may begin behind any of them, in any cell.
const separators = ",;\t\r\n"

// byteSet is a set of bytes.
type byteSet [256]bool

var separating, quoting = setOfBytes(separators), setOfBytes("\",\r\n")

func setOfBytes(of string) (set byteSet) {
	for i := range len(of) {
		set[of[i]] = true
	}
	return set
}

// index is where the first of the set stands in a text, or the length of the text.
func (s *byteSet) index(text []byte) int {
	for i, c := range text {
		if s[c] {
			return i
		}
	}
	return len(text)
}

// Defuse returns what a cell of a kind has in CSV for a spreadsheet, which runs what it takes
// for a formula when the file is opened.
//
// In a text, an apostrophe stands before each part that could be taken for one. Parts are
// what commas, semicolons, tabs and line breaks separate. Such a part begins, perhaps behind
// white space, quotes and characters that are not seen, with one of = + - @ or their
// fullwidth forms; and a text that begins with a tab, a line break or the word sep= counts as
// well. Numbers and telephone numbers, such as -5 and +49 30 1234, are none where nothing else
// follows.
//
// Taking the apostrophes off again gives the text exactly: a part that has some in that place
// already gets one more.
//
// In an array or object, the character is spelled as a \u escape, which is the same value.
// Everything else stays as it is.
func Defuse(kind Kind, text string) string {
	return string(defuse(kind, []byte(text)))
}

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
	numbers := -1 // where the numbers begin that the text ends with, when it is known
	var safe []byte
	done := 0
	for start, end := 0, 0; start <= len(text); start = end + 1 {
		end = start + separating.index(text[start:])
		first := formulaStart(text[start:end])
		formula := first != 0
		if first == '+' || first == '-' {
			if numbers < 0 {
				numbers = numbersFrom(text)
			}
			formula = start < numbers
		}
		if formula || start == 0 && opensFile(text) {
			safe = append(append(safe, text[done:start]...), '\'')
			done = start
		}
	}
	if safe == nil {
		return text
	}
	return append(safe, text[done:]...)
}

// formulaStart returns the character with which a part of a text begins that could be a
// formula, or 0. Apostrophes before it change nothing, so that taking one off is the way back.
func formulaStart(part []byte) rune {
	part = bytes.TrimLeftFunc(part, isSkipped)
	if r, _ := utf8.DecodeRune(part); beginsFormula(r) {
		return r
	}
	return 0
}

func beginsFormula(r rune) bool { return strings.ContainsRune("=@+-＝＠＋－", r) }

// isSkipped reports whether a formula may stand behind a character.
func isSkipped(r rune) bool {
	return r == '\'' || r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r)
}

// finalNumbers are the parts up to the end of a text in which stands a number, with or without
// a sign, or nothing: with no operator and no name in it, there is nothing to run.
var finalNumbers = regexp.MustCompile(`(?:^'*|[,;\t\r\n]'* *)[+-]?[\d .]*(?:[,;\t\r\n]'* *[+-]?[\d .]*)*$`)

// numbersFrom is where the first part of the final numbers begins.
func numbersFrom(text []byte) int {
	switch found := finalNumbers.FindIndex(text); {
	case found == nil:
		return len(text) + 1
	case found[0] == 0 && !separating[text[0]]:
		return 0
	default:
		return found[0] + 1
	}
}

// opensFile reports whether a text begins with what spreadsheets look for at the beginning
// of a file or of a cell: white space that they leave out, or the separator to use.
func opensFile(text []byte) bool {
	text = bytes.TrimLeft(text, "'")
	if len(text) > 0 && strings.IndexByte("\t\r\n", text[0]) >= 0 {
		return true
	}
	const word = "sep="
	return len(text) >= len(word) && bytes.EqualFold(text[:len(word)], []byte(word))
}

// lastNumber is the rest of a string in JSON that is a number with its sign.
var lastNumber = regexp.MustCompile(`^[+-][\d .]*"`)

// defuseJSON spells the first character of what could be a formula as an escape. The text
// is valid JSON.
func defuseJSON(text []byte) []byte {
	var safe []byte
	done := 0
	inString, begins := false, false // begins: nothing but skipped characters since a separator
	for at, size := 0, 0; at < len(text); at += size {
		var r rune
		r, size = utf8.DecodeRune(text[at:])
		switch {
		case r == '"':
			inString = !inString
		case r == ',', r == ';':
			begins = true
		case r == '\\':
			size++
			begins = false
		case begins && inString && beginsFormula(r):
			begins = false
			if lastNumber.Match(text[at:]) {
				continue
			}
			safe = fmt.Appendf(append(safe, text[done:at]...), `\u%04x`, r)
			done = at + size
		default:
			begins = begins && isSkipped(r)
		}
	}
	if safe == nil {
		return text
	}
	return append(safe, text[done:]...)
}
