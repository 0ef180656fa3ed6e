package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"gatehouse/internal/safetext"
)

// terminalJSON writes JSON to a terminal, line by line. Control characters and invisible
// ones become \u escapes, which encode the same value.
type terminalJSON struct {
	out     io.Writer
	pending []byte // an incomplete line
}

// longLine is how much of a line is held. A longer one is written in parts: a record may
// be as long as a list.
const longLine = 64 << 10

// Write implements [io.Writer].
func (t *terminalJSON) Write(p []byte) (int, error) {
	for part := range slices.Chunk(p, longLine) {
		t.pending = append(t.pending, part...)
		end := t.complete()
		if _, err := io.WriteString(t.out, safeJSON(string(t.pending[:end]))); err != nil {
			return 0, err
		}
		t.pending = append(t.pending[:0], t.pending[end:]...)
	}
	return len(p), nil
}

// complete is how much of what is pending can be written: whole lines or, of a long one,
// what stands before its last ASCII character, as in writeSafeLine.
func (t *terminalJSON) complete() int {
	end := bytes.LastIndexByte(t.pending, '\n') + 1
	if len(t.pending)-end <= longLine {
		return end
	}
	isASCII := func(r rune) bool { return r < utf8.RuneSelf }
	if at := bytes.LastIndexFunc(t.pending, isASCII); at > end {
		return at
	}
	at := len(t.pending) - 1
	for at > end && !utf8.RuneStart(t.pending[at]) {
		at--
	}
	return at
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
