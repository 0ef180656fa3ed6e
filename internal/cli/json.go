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

// terminalJSON writes JSON to a terminal. Control characters and invisible ones become \u
// escapes, which encode the same value.
type terminalJSON struct {
	out     io.Writer
	pending []byte // the beginning of a line
}

// maxPending is how much of a line is held: a record may be as long as a list.
const maxPending = 64 << 10

// Write writes the lines that are complete, and what is too long to be held.
func (t *terminalJSON) Write(p []byte) (int, error) {
	for part := range slices.Chunk(p, maxPending) {
		t.pending = append(t.pending, part...)
		end := bytes.LastIndexByte(t.pending, '\n') + 1
		if len(t.pending)-end > maxPending {
			end = len(t.pending) - 1 // the last character may be incomplete
			for end > len(t.pending)-utf8.UTFMax && !utf8.RuneStart(t.pending[end]) {
				end--
			}
		}
		if _, err := io.WriteString(t.out, safeJSON(string(t.pending[:end]))); err != nil {
			return 0, err
		}
		t.pending = append(t.pending[:0], t.pending[end:]...)
	}
	return len(p), nil
}

// Close writes the last line if it has no newline.
func (t *terminalJSON) Close() error {
	_, err := io.WriteString(t.out, safeJSON(string(t.pending)))
	return err
}

// safeJSON escapes in JSON text what safetext would change. It checks each ASCII character
// together with the non-ASCII text after it: combining marks and joiners are harmless only after
// the character they modify.
func safeJSON(text string) string {
	var safe strings.Builder
	safe.Grow(len(text))
	for text != "" {
		_, size := utf8.DecodeRuneInString(text)
		for size < len(text) && text[size] >= utf8.RuneSelf {
			size++
		}
		piece := text[:size]
		text = text[size:]
		if piece == "\n" || size == 1 && ' ' <= piece[0] && piece[0] <= '~' || safetext.Line(piece) == piece {
			safe.WriteString(piece)
			continue
		}
		for _, r := range piece {
			safe.WriteString(safeRune(r))
		}
	}
	return safe.String()
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
