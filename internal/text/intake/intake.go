// Package intake reads text that people type, paste or pipe into the program. All of it must be
// UTF-8 and is otherwise refused: a password that lacks a letter must never be sent.
package intake

import (
	"bytes"
	"cmp"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"gatehouse/internal/text/problem"
)

// Terminals put these around a paste.
const (
	PasteBegin = "\x1b[200~"
	PasteEnd   = "\x1b[201~"
)

// Lost stands for a byte that was typed and is not UTF-8. Text that contains it is refused. Nobody
// can type it; the replacement character would not do, as it stops the line editor.
const Lost = '\ufdd0'

// Break stands for a line end within a paste while a secret is asked for, so that a second line
// follows. Text that contains it is refused. Like [Lost] it cannot be typed.
const Break = '\ufdd1'

// Fault is what is wrong with a text.
type Fault uint8

// The faults of a text.
const (
	NotUTF8    Fault = iota + 1
	UTF16            // with a byte-order mark, or with a NUL at each second place
	HasNUL           // a byte that no text has
	SecondLine       // where one line was asked for
)

// Error refuses a text.
type Error struct {
	Fault Fault
	// What is the text, as in "the password on standard input"; "" is what was typed.
	What string
}

// faults are the words for each fault, and what to do.
var faults = map[Fault]struct{ what, hint string }{
	NotUTF8:    {"it is not UTF-8", "Set the character set of the terminal, or of the file, to UTF-8."},
	UTF16:      {"it is UTF-16, and not UTF-8", "Save it as UTF-8, or pipe it through `iconv -f UTF-16 -t UTF-8`."},
	HasNUL:     {"it has a NUL byte in it, which is no text", "Give the text alone."},
	SecondLine: {"it has a second line", "Give one line alone."},
}

func (e *Error) Error() string {
	return cmp.Or(e.What, "what was typed") + " was not taken: " + faults[e.Fault].what
}

// Explain implements [problem.Explainer].
func (e *Error) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: e.Error(), Hint: faults[e.Fault].hint}
}

var (
	mark        = []byte("\xef\xbb\xbf") // a byte-order mark
	utf16Little = []byte("\xff\xfe")
	utf16Big    = []byte("\xfe\xff")
)

// TrimMark cuts a byte-order mark before a text.
func TrimMark(text string) string { return strings.TrimPrefix(text, string(mark)) }

// Line is one line of text. A byte-order mark before it and the line end behind it are cut. The error
// is an [*Error].
func Line(raw []byte) (string, error) {
	if bytes.HasPrefix(raw, utf16Little) || bytes.HasPrefix(raw, utf16Big) || isBareUTF16(raw) {
		return "", &Error{Fault: UTF16}
	}
	line := bytes.TrimPrefix(raw, mark)
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	switch {
	case bytes.IndexByte(line, 0) >= 0:
		return "", &Error{Fault: HasNUL}
	case !utf8.Valid(line):
		return "", &Error{Fault: NotUTF8}
	case bytes.ContainsAny(line, "\r\n"):
		return "", &Error{Fault: SecondLine}
	}
	return string(line), nil
}

// isBareUTF16 reports whether each second byte is NUL, and no other.
func isBareUTF16(raw []byte) bool {
	if len(raw) < 2 {
		return false
	}
	for first := range 2 {
		found := true
		for i, b := range raw {
			found = found && (b == 0) == (i%2 == first)
		}
		if found {
			return true
		}
	}
	return false
}

// Answer is a line that was typed at a terminal, read by a [Reader].
func Answer(text string) (string, error) {
	switch {
	case strings.ContainsRune(text, Lost):
		return "", &Error{Fault: NotUTF8}
	case strings.ContainsRune(text, Break):
		return "", &Error{Fault: SecondLine}
	}
	return Line([]byte(text))
}

// Reader removes the brackets that terminals put around a paste, wherever they are, so that pasted
// text reads as if it had been typed. NUL, and bytes that are not UTF-8, become [Lost].
//
// While a secret is asked for, see [Reader.AskSecret], a line end in a paste becomes [Break] if more
// text follows it. If nothing follows yet, it waits for what comes next. As the end of a paste may get
// lost, the key enter ends a paste that has come to rest.
type Reader struct {
	From io.Reader

	ready   []byte    // to be read
	pending []byte    // the beginning of a bracket or of a character, or line ends of a paste
	err     error     // comes after what is ready
	secret  bool      // a secret is asked for
	pasting bool      // a paste has begun since then
	broken  bool      // it has a second line: the answer is refused, and may end at once
	last    time.Time // when the last piece came
}

// pasteDelay is how long after its last piece a paste has come to rest.
const pasteDelay = time.Second

// lineEnds are the characters that end a line.
const lineEnds = "\r\n"

// AskSecret says whether what is typed from now on answers a question for a secret. A paste that
// began before may have several answers.
func (r *Reader) AskSecret(asked bool) { r.secret, r.pasting = asked, false }

func (r *Reader) Read(p []byte) (int, error) {
	for len(r.ready) == 0 {
		if r.err != nil {
			err := r.err
			r.err = nil // the source may be another one next time
			return 0, err
		}
		var piece [512]byte
		n, err := r.From.Read(piece[:min(len(piece), max(len(p), 1))])
		r.err = err
		if r.enterEndsPaste(piece[:n]) {
			r.pasting, n = false, 0
		}
		r.last = time.Now()
		r.take(piece[:n], err != nil)
		if n == 0 && err == nil {
			return 0, nil
		}
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// enterEndsPaste reports whether a piece is the key enter, pressed because nothing happened after a
// paste that ended in a line end: that one is then the answer's.
func (r *Reader) enterEndsPaste(piece []byte) bool {
	waits := r.pasting && isLineEnds(r.pending)
	return waits && isLineEnds(piece) && time.Since(r.last) >= pasteDelay
}

// isLineEnds reports whether a text has line ends, and nothing else.
func isLineEnds(text []byte) bool {
	return len(text) > 0 && len(bytes.Trim(text, lineEnds)) == 0
}

// take makes a piece ready. At the end nothing more comes for a while.
func (r *Reader) take(piece []byte, end bool) {
	rest := append(r.pending, piece...)
	r.pending = nil
	for len(rest) > 0 {
		n := r.next(rest, end)
		if n == 0 {
			r.pending = bytes.Clone(rest)
			return
		}
		rest = rest[n:]
	}
}

// next makes the first character ready and returns its size, or 0 if that needs more.
func (r *Reader) next(text []byte, end bool) int {
	for _, bracket := range []string{PasteBegin, PasteEnd} {
		switch {
		case bytes.HasPrefix(text, []byte(bracket)):
			r.pasting, r.broken = r.secret && bracket == PasteBegin, false
			return len(bracket)
		case !end && strings.HasPrefix(bracket, string(text)):
			return 0
		}
	}
	if r.pasting {
		size, complete := innerLineEnd(text)
		switch {
		case !complete && !end && !r.broken:
			return 0
		case complete && size > 0:
			r.ready = utf8.AppendRune(r.ready, Break)
			r.broken = true
			return size
		}
	}
	if !end && !utf8.FullRune(text) {
		return 0
	}
	character, size := utf8.DecodeRune(text)
	if character == 0 || character == utf8.RuneError {
		character = Lost
	}
	r.ready = utf8.AppendRune(r.ready, character)
	return size
}

// innerLineEnd is the size of the line ends at the start of a part of a paste; 0 if there are none, or
// nothing but the end of the paste is behind them. It is not complete if what comes next decides that.
func innerLineEnd(text []byte) (size int, complete bool) {
	behind := bytes.TrimLeft(text, lineEnds)
	size = len(text) - len(behind)
	switch {
	case size == 0, bytes.HasPrefix(behind, []byte(PasteEnd)):
		return 0, true
	case strings.HasPrefix(PasteEnd, string(behind)):
		return 0, false
	}
	return size, true
}
