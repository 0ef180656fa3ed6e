package config

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fault is what is wrong with how a document was typed or saved, and what would be accepted. It
// quotes nothing of a line but signs that cannot be part of a secret.
type fault struct {
	line          int // from 1, 0 for the whole document
	problem, want string
}

// encodingFault is a fault of the encoding that a document was saved in; nil if that is UTF-8.
func encodingFault(document []byte) *fault {
	const asUTF8 = "save it as UTF-8"
	isUTF16 := bytes.HasPrefix(document, []byte("\xff\xfe")) || bytes.HasPrefix(document, []byte("\xfe\xff"))
	if isUTF16 || len(document) > 1 && (document[0] == 0) != (document[1] == 0) { // ASCII in two bytes
		return &fault{problem: "the file is saved as UTF-16", want: asUTF8}
	}
	for number, line := range numbered(document) {
		if !utf8.Valid(line) {
			return &fault{number, "the file is not saved as UTF-8, but perhaps as ANSI or Latin-1", asUTF8}
		}
	}
	return nil
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

// lineFault is what people usually mean by a line that is not TOML; nil if that is not known.
func lineFault(line string) *fault {
	key, value, hasValue := strings.Cut(line, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	isInvisible := func(r rune) bool {
		return r > unicode.MaxASCII && (unicode.IsSpace(r) || unicode.Is(unicode.Cf, r))
	}
	switch {
	case strings.ContainsAny(line, "“”„‟‘’‚«»"):
		return &fault{problem: "the quotes are those of a word processor", want: `use straight ones, as in client_id = "name"`}
	case strings.ContainsFunc(line, isInvisible):
		return &fault{problem: "it has a no-break space or an invisible character", want: "type the line again, with blanks"}
	case !hasValue && key != "" && !strings.HasPrefix(key, "["):
		return &fault{problem: "it has no =", want: `use lines such as client_id = "name"`}
	case strings.HasPrefix(value, `"`) && strings.Contains(value, `\`):
		return &fault{problem: "a backslash in double quotes begins an escape", want: `use single quotes, as in ca_file = 'C:\certificates\ca.pem'`}
	}
	return nil
}

// lineOf is a line of a document by its number; "" if there is none.
func lineOf(document []byte, wanted int) string {
	for number, line := range numbered(document) {
		if number == wanted {
			return string(line)
		}
	}
	return ""
}
