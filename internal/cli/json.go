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

// encodeJSON writes a value as indented JSON in which no character of a string is
// escaped without need and raw messages keep their numbers and escapes.
func encodeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// asJSON is the JSON of a result that is one value, see [encodeJSON].
func asJSON(value any) func(io.Writer) error {
	return func(out io.Writer) error { return encodeJSON(out, value) }
}

// terminalJSON passes JSON on to a terminal, line by line. Characters that a
// terminal would obey or hide become \u escapes: the same value, spelled otherwise.
type terminalJSON struct {
	out     io.Writer
	pending []byte // a line whose end has not come yet
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

// Close writes the line that has no end.
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

// writeSafeLine looks at one ASCII character at a time with the text outside
// ASCII behind it, for marks and joiners are harmless only after what they join.
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
	case r == '\t', r == '\r': // between values: inside a string JSON has none
		return " "
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
