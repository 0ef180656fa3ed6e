package config

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"gatehouse/internal/text/problem"
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

// quotedCharacter matches the character that a syntax error quotes. It may be the first
// character of a secret that was written without quotes.
var quotedCharacter = regexp.MustCompile(`( but got|:)? U\+[0-9A-F]+( '.')?`)

// syntaxError explains why a document is not TOML. The decoder's message may quote a character
// of a secret, which is left out.
func (f *file) syntaxError(document []byte, err error) error {
	at, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return f.invalid("", "the file cannot be read: "+err.Error(), "use a TOML file")
	}
	message := strings.TrimPrefix(at.Error(), "toml: ")
	reason := cut(quotedCharacter.ReplaceAllString(message, ""))
	want := `use lines such as client_id = "name"`
	line, _ := at.Position()
	// The library has no error type for a duplicate key or table. A test holds these words.
	isDuplicate := strings.Contains(message, " already ") ||
		strings.Contains(message, " should be a table")
	if isDuplicate {
		want = "remove one of the two"
	} else if usual := lineFault(lineOf(document, line)); usual != nil {
		reason, want = usual.problem, usual.want
	}
	e := f.invalid(strings.Join(at.Key(), "."), "this is not TOML: "+reason, want)
	e.Line = line
	return e
}

// schemaError explains why a TOML document is not a profile file: a key is unknown, or has a
// value of the wrong type. The decoder's message is not shown, as it names Go types.
func (f *file) schemaError(err error) error {
	at, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return f.invalid("", "the file cannot be read: "+err.Error(), "use a TOML file")
	}
	key := strings.Join(at.Key(), ".")
	e := f.invalid(key, fmt.Sprintf("%q has a value of the wrong kind", cut(key)),
		"use text in quotes, true or false for mouse, and tables such as [profiles.main]")
	if _, unknown := errors.AsType[*toml.StrictMissingError](err); unknown {
		e.Problem = fmt.Sprintf("unknown key %q", cut(key))
		e.Want, e.Help = wantInstead(at.Key())
	}
	e.Line, _ = at.Position()
	return e
}

// wantInstead says what to write in place of an unknown key: a similar key if there is one,
// otherwise the list of known keys.
func wantInstead(path toml.Key) (string, problem.Help) {
	key := path[0]
	if slices.Contains(topKeys, key) {
		key = path[len(path)-1]
	}
	if meant := Nearest(key, slices.Concat(topKeys, fileKeys())); meant != "" && meant != key {
		return fmt.Sprintf("did you mean %q?", meant), problem.HelpNone
	}
	if s := settingOf(Nearest(key, Keys())); s != nil && !s.inFile {
		return s.key + " is never in the file", problem.HelpVariables
	}
	return fmt.Sprintf("known are %s and, below a line such as [profiles.main], %s",
		strings.Join(topKeys, ", "), strings.Join(fileKeys(), ", ")), problem.HelpNone
}
