package ui

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/intake"
)

const (
	// escapeDelay is how long to wait for the rest of an escape sequence, as esc alone is a key.
	escapeDelay = 50 * time.Millisecond
	// pasteDelay is how long to wait for the rest of a paste.
	pasteDelay = time.Second
	// maxSequence limits an unfinished sequence, in bytes.
	maxSequence = 4 << 10
	// maxPaste limits a paste, in bytes.
	maxPaste = 256 << 10

	// Each message redraws the screen, which takes time from other visitors, so input
	// is limited to this rate. Key repeat and the wheel are slower.
	messageBurst      = 300
	messagesPerSecond = 100
)

// endsOfPaste end a paste: the sequence for its end, and ctrl+c in each form in which terminals send
// it, for the person whose terminal has lost that sequence.
var endsOfPaste = [][]byte{
	[]byte(intake.PasteEnd),
	[]byte("\x03"),
	[]byte("\x1b[99;5u"),
	[]byte("\x1b[27;5;99~"),
}

// keyboard turns the input of a terminal into messages. The library's reader is not used, as it waits
// forever for the end of a paste, drops bytes that are not UTF-8, and buffers a sequence or paste
// without a limit; and a panic in it ends the process.
type keyboard struct {
	send func(tea.Msg) // does nothing once the program has ended
	// answered is called when the terminal reports the position of its cursor; it may be nil.
	answered func()

	mu      sync.Mutex // guards the rest
	decoder uv.EventDecoder
	pending []byte      // an incomplete sequence
	expires *time.Timer // until pending is taken as it is, or the paste ends without its end
	last    time.Time   // when input was read last
	pasting bool
	paste   []byte // what was pasted so far; nil once that is too long
	pasted  int    // how many bytes were pasted so far
}

// notTakenMsg reports that something that was typed or pasted was not taken.
type notTakenMsg struct{ reason notTaken }

// notTaken is why something was not taken.
type notTaken uint8

const (
	typedByte   notTaken = iota // a key that is not UTF-8
	pastedBytes                 // a paste that is not UTF-8
	tooLong                     // a paste of more than maxPaste bytes
)

// sentence is the reason for the person.
func (n notTaken) sentence() string {
	switch n {
	case pastedBytes:
		return "Not pasted: it is not UTF-8. Set the character set of the terminal to UTF-8."
	case tooLong:
		return "Not pasted: it is longer than the " + human.Bytes(maxPaste) + " allowed here."
	}
	return "A key was not taken: it is not UTF-8. Set the character set of the terminal to UTF-8."
}

// start prepares the keyboard for [keyboard.read].
func (k *keyboard) start() {
	k.expires = time.AfterFunc(escapeDelay, func() { guardedBy(k.send, k.expire) })
	k.expires.Stop() // until there is something
}

// run reads the input of a person on another machine until ctx ends. The end of the input quits the
// program. The caller has to close the input to end a blocked read.
func (k *keyboard) run(ctx context.Context, from io.Reader) {
	limiter, send := rate.NewLimiter(messagesPerSecond, messageBurst), k.send
	k.send = func(msg tea.Msg) {
		if limiter.Wait(ctx) == nil {
			send(msg)
		}
	}
	k.start()
	defer k.expires.Stop()
	var buffer [512]byte
	for {
		n, err := from.Read(buffer[:])
		k.read(buffer[:n])
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			k.send(tea.QuitMsg{})
			return
		}
	}
}

// read handles a piece of the input. If the piece ends within a sequence or paste and nothing more
// comes for a while, that is taken as it is.
func (k *keyboard) read(piece []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expires.Stop()
	k.last = time.Now()
	k.take(piece, false)
	if wait := k.patience(); wait > 0 {
		k.expires.Reset(wait)
	}
}

// patience is how long to wait for the rest of a sequence or paste; 0 if none has begun.
func (k *keyboard) patience() time.Duration {
	switch {
	case k.pasting:
		return pasteDelay
	case len(k.pending) > 0:
		return escapeDelay
	}
	return 0
}

// expire takes a sequence or paste as it is, unless more of it has just come.
func (k *keyboard) expire() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if wait := k.patience(); wait > 0 && time.Since(k.last) >= wait {
		k.take(nil, true)
	}
}

// take sends the messages for a piece of the input. expired means that nothing more came for a
// while, so that nothing is left pending.
func (k *keyboard) take(piece []byte, expired bool) {
	k.pending = append(k.pending, piece...)
	rest := k.pending
	for len(rest) > 0 {
		n := k.next(rest, expired)
		if n == 0 {
			break
		}
		rest = rest[n:]
	}
	if len(rest) > maxSequence {
		rest = nil
	}
	if k.pending = append(k.pending[:0], rest...); len(rest) == 0 {
		k.pending = nil
	}
	if expired && k.pasting { // its end was lost
		k.keep(k.pending)
		k.pending = nil
		k.endPaste()
	}
}

// The console of Linux sends F1 to F5 as consoleKeyBegin and a letter from A to E.
const (
	consoleKeyBegin = "\x1b[["
	consoleKeySize  = len(consoleKeyBegin) + 1
	consoleKeys     = 5
)

// consoleKey reads one of the keys F1 to F5 of the console of Linux; ok is false if text does not
// begin with one.
func consoleKey(text []byte) (key rune, ok bool) {
	if !bytes.HasPrefix(text, []byte(consoleKeyBegin)) || len(text) < consoleKeySize {
		return 0, false
	}
	number := text[consoleKeySize-1] - 'A'
	return tea.KeyF1 + rune(number), number < consoleKeys
}

// keypad are the characters of the keys of the numeric keypad. The terminal sends these keys while it
// is in its application mode, in which an earlier program may have left it.
var keypad = map[rune]rune{
	tea.KeyKp0: '0', tea.KeyKp1: '1', tea.KeyKp2: '2', tea.KeyKp3: '3', tea.KeyKp4: '4',
	tea.KeyKp5: '5', tea.KeyKp6: '6', tea.KeyKp7: '7', tea.KeyKp8: '8', tea.KeyKp9: '9',
	tea.KeyKpDivide: '/', tea.KeyKpMultiply: '*', tea.KeyKpMinus: '-', tea.KeyKpPlus: '+',
	tea.KeyKpEqual: '=', tea.KeyKpDecimal: '.', tea.KeyKpComma: ',', tea.KeyKpSep: ',',
}

// onKeypad turns a key of the numeric keypad into that of its character.
func onKeypad(key tea.KeyPressMsg) tea.KeyPressMsg {
	if character, ok := keypad[key.Code]; ok && key.Mod == 0 && key.Text == "" {
		return tea.KeyPressMsg{Code: character, Text: string(character)}
	}
	return key
}

// next sends the first message of the input and returns how many bytes it took; 0 if it is
// incomplete.
func (k *keyboard) next(text []byte, expired bool) int {
	if k.pasting {
		return k.nextPasted(text)
	}
	if text[0] >= utf8.RuneSelf && !utf8.FullRune(text) && !expired {
		return 0
	}
	if r, size := utf8.DecodeRune(text); r == utf8.RuneError {
		k.send(notTakenMsg{})
		return size
	}
	if string(text) == consoleKeyBegin && !expired {
		return 0
	}
	if key, ok := consoleKey(text); ok {
		k.send(tea.KeyPressMsg{Code: key})
		return consoleKeySize
	}
	n, event := k.decoder.Decode(text)
	_, isUnknown := event.(uv.UnknownEvent)
	mayBeginMore := text[0] == '\x1b' && n <= len("\x1b[")
	if (isUnknown || mayBeginMore) && !expired {
		return 0
	}
	k.deliver(event)
	return max(n, 1)
}

// deliver sends an event as a message if the program handles it. The size of the terminal comes
// another way.
func (k *keyboard) deliver(event uv.Event) {
	switch event := event.(type) {
	case uv.PasteStartEvent:
		k.pasting, k.paste, k.pasted = true, nil, 0
	case uv.MultiEvent:
		for _, e := range event {
			k.deliver(e)
		}
	case uv.KeyPressEvent:
		k.send(onKeypad(tea.KeyPressMsg(event)))
	case uv.MouseClickEvent:
		k.send(tea.MouseClickMsg(event))
	case uv.MouseWheelEvent:
		k.send(tea.MouseWheelMsg(event))
	case uv.CursorPositionEvent:
		if k.answered != nil {
			k.answered()
		}
		k.send(tea.CursorPositionMsg(event))
	case uv.BackgroundColorEvent:
		k.send(tea.BackgroundColorMsg(event))
	case uv.ModeReportEvent:
		k.send(tea.ModeReportMsg(event))
	}
}

// nextPasted collects pasted text and returns how many bytes it took. An end of the paste of which
// only the beginning has come is not taken. ctrl+c ends the paste, and is a key as well.
func (k *keyboard) nextPasted(text []byte) int {
	end, at := findEnd(text)
	if end == nil {
		at = len(text) - begunEnd(text)
		k.keep(text[:at])
		return at
	}
	k.keep(text[:at])
	k.endPaste()
	if string(end) == intake.PasteEnd {
		return at + len(end)
	}
	n, event := k.decoder.Decode(text[at:])
	k.deliver(event)
	return at + max(n, 1)
}

// findEnd finds the first end of a paste in a text; end is nil if there is none.
func findEnd(text []byte) (end []byte, at int) {
	at = len(text)
	for _, e := range endsOfPaste {
		if i := bytes.Index(text, e); i >= 0 && i < at {
			end, at = e, i
		}
	}
	return end, at
}

// begunEnd is how many of the last bytes of a text may begin an end of a paste.
func begunEnd(text []byte) int {
	longest := 0
	for _, end := range endsOfPaste {
		for n := min(len(text), len(end)-1); n > longest; n-- {
			if bytes.HasSuffix(text, end[:n]) {
				longest = n
			}
		}
	}
	return longest
}

// keep adds text to the paste, unless that is longer than maxPaste.
func (k *keyboard) keep(text []byte) {
	k.pasted += len(text)
	if k.pasted <= maxPaste {
		k.paste = append(k.paste, text...)
	} else {
		k.paste = nil
	}
}

// endPaste sends what was pasted, or why it was not taken.
func (k *keyboard) endPaste() {
	switch {
	case k.pasted > maxPaste:
		k.send(notTakenMsg{reason: tooLong})
	case !utf8.Valid(k.paste) || bytes.IndexByte(k.paste, 0) >= 0:
		k.send(notTakenMsg{reason: pastedBytes})
	default:
		k.send(tea.PasteMsg{Content: string(k.paste)})
	}
	k.pasting, k.paste = false, nil
}
