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
	pending []byte // what later text may belong to
}

// longLine is how much is held at most: a record may be as long as a list.
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

// complete is how much of what is pending can be written: all up to a line end or, as in safeJSON,
// to the last ASCII character.
func (t *terminalJSON) complete() int {
	end := bytes.LastIndexFunc(t.pending, func(r rune) bool { return r < utf8.RuneSelf })
	switch {
	case end >= 0 && t.pending[end] == '\n' && end == len(t.pending)-1:
		return len(t.pending)
	case end >= 0 && len(t.pending)-end <= longLine:
		return end
	case len(t.pending) <= longLine:
		return 0
	}
	end = len(t.pending) - 1
	for end > 0 && !utf8.RuneStart(t.pending[end]) {
		end--
	}
	return end
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
