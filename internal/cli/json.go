package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"gatehouse/internal/safetext"
)

// encodeJSON writes a value as indented JSON. It escapes nothing in strings that need not
// be, and leaves numbers and escapes in raw messages as they are.
func encodeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// asJSON is the JSON form of a result that is a single value, see [encodeJSON].
func asJSON(value any) func(io.Writer) error {
	return func(out io.Writer) error { return encodeJSON(out, value) }
}

// terminalJSON writes JSON to a terminal, line by line. Control characters and invisible
// ones become \u escapes, which encode the same value.
type terminalJSON struct {
	out     io.Writer
	pending []byte // an incomplete line
}

// Write implements [io.Writer].
func (t *terminalJSON) Write(p []byte) (int, error) {
	t.pending = append(t.pending, p...)
	end := bytes.LastIndexByte(t.pending, '\n') + 1
	if _, err := io.WriteString(t.out, safeJSON(string(t.pending[:end]))); err != nil {
		return 0, err
	}
	t.pending = append(t.pending[:0], t.pending[end:]...)
	return len(p), nil
}

// Close writes the last line if it has no newline.
func (t *terminalJSON) Close() error {
	_, err := io.WriteString(t.out, safeJSON(string(t.pending)))
	return err
}

// safeJSON escapes in JSON text what safetext would change.
func safeJSON(text string) string {
	var safe strings.Builder
	safe.Grow(len(text))
	for line := range strings.Lines(text) {
		if content := strings.TrimSuffix(line, "\n"); safetext.Line(content) == content {
			safe.WriteString(line)
		} else {
			writeSafeLine(&safe, line)
		}
	}
	return safe.String()
}

// writeSafeLine checks each ASCII character together with the non-ASCII text after it:
// combining marks and joiners are harmless only after the character they modify.
func writeSafeLine(safe *strings.Builder, line string) {
	for line != "" {
		_, size := utf8.DecodeRuneInString(line)
		for size < len(line) && line[size] >= utf8.RuneSelf {
			size++
		}
		piece := line[:size]
		line = line[size:]
		if safetext.Line(piece) == piece {
			safe.WriteString(piece)
			continue
		}
		for _, r := range piece {
			safe.WriteString(safeRune(r))
		}
	}
}

func safeRune(r rune) string {
	character := string(r)
	switch {
	case r == '\n', safetext.Line(character) == character:
		return character
	case r == '\t', r == '\r': // between values: inside a string JSON escapes them
		return " "
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
