package config

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fault is a mistake in how a document was typed or saved. Its texts quote nothing that can be
// part of a secret.
type fault struct {
	line    int    // from 1; 0 for the whole document
	problem string // what is wrong
	want    string // what would be accepted
}

// encodingFault returns a fault if a document is not saved as UTF-8, otherwise nil.
func encodingFault(document []byte) *fault {
	const asUTF8 = "save it as UTF-8"
	if isUTF16(document) {
		return &fault{problem: "the file is saved as UTF-16", want: asUTF8}
	}
	for number, line := range numbered(document) {
		if !utf8.Valid(line) {
			return &fault{
				line:    number,
				problem: "the file is not saved as UTF-8, but perhaps as ANSI or Latin-1",
				want:    asUTF8,
			}
		}
	}
	return nil
}

// isUTF16 reports whether a document has a byte-order mark of UTF-16, or begins with an ASCII
// character in two bytes.
func isUTF16(document []byte) bool {
	hasMark := bytes.HasPrefix(document, []byte("\xff\xfe")) ||
		bytes.HasPrefix(document, []byte("\xfe\xff"))
	beginsInTwoBytes := len(document) > 1 && (document[0] == 0) != (document[1] == 0)
	return hasMark || beginsInTwoBytes
}

// numbered yields the lines of a document with their numbers, from 1.
func numbered(document []byte) func(yield func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		number := 0
		for line := range bytes.Lines(document) {
			if number++; !yield(number, line) {
				return
			}
		}
	}
}

// lineFault returns the usual mistake that a line which is not TOML contains, or nil if it has
// none of them.
func lineFault(line string) *fault {
	key, value, hasValue := strings.Cut(line, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	isInvisible := func(r rune) bool {
		return r > unicode.MaxASCII && (unicode.IsSpace(r) || unicode.Is(unicode.Cf, r))
	}
	switch {
	case strings.ContainsAny(line, "“”„‟‘’‚«»"):
		return &fault{
			problem: "the quotes are those of a word processor",
			want:    `use straight ones, as in client_id = "name"`,
		}
	case strings.ContainsFunc(line, isInvisible):
		return &fault{
			problem: "it has a no-break space or an invisible character",
			want:    "type the line again, with blanks",
		}
	case !hasValue && key != "" && !strings.HasPrefix(key, "["):
		return &fault{
			problem: "it has no =",
			want:    `use lines such as client_id = "name"`,
		}
	case strings.HasPrefix(value, `"`) && strings.Contains(value, `\`):
		return &fault{
			problem: "a backslash in double quotes begins an escape",
			want:    `use single quotes, as in ca_file = 'C:\certificates\ca.pem'`,
		}
	}
	return nil
}

// lineOf returns a line of a document by its number, or "" if there is none.
func lineOf(document []byte, wanted int) string {
	for number, line := range numbered(document) {
		if number == wanted {
			return string(line)
		}
	}
	return ""
}
