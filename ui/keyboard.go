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
	// escapeDelay is how long to wait for the rest of a sequence: esc alone is a key.
	escapeDelay = 50 * time.Millisecond
	// pasteDelay is how long to wait for the rest of a paste.
	pasteDelay = time.Second
	// maxSequence is how many bytes of an unfinished sequence are kept.
	maxSequence = 4 << 10
	// maxPaste is how many bytes of a paste are accepted.
	maxPaste = 256 << 10

	// Each message redraws the screen, which takes time from other visitors, so input
	// is limited to this rate. Key repeat and the wheel are slower.
	messageBurst      = 300
	messagesPerSecond = 100
)

// endsOfPaste are what ends a paste: its bracket, and ctrl+c in each form in which a terminal sends
// it, as the bracket may be lost.
var endsOfPaste = [][]byte{[]byte(intake.PasteEnd), []byte("\x03"), []byte("\x1b[99;5u"), []byte("\x1b[27;5;99~")}

// keyboard turns the input of a terminal into messages. The library's reader waits without end for the
// end of a paste, drops letters that are not UTF-8, buffers a sequence or paste without limit, and a
// panic in it ends the process.
type keyboard struct {
	send func(tea.Msg) // does nothing once the program has ended
	// answered is called when the terminal has said where its cursor is; nil: nobody asks.
	answered func()

	mu      sync.Mutex // guards the rest
	decoder uv.EventDecoder
	pending []byte // an incomplete sequence
	expires *time.Timer
	last    time.Time // when the last piece came
	pasting bool
	paste   []byte
	pasted  int // bytes so far, kept or not
}

// notTakenMsg reports that something that was typed or pasted was not taken.
type notTakenMsg struct{ reason notTaken }

// notTaken is why something was not taken.
type notTaken uint8

const (
	typedByte   notTaken = iota // a key that is not UTF-8
	pastedBytes                 // a paste that is not UTF-8
	tooLong                     // a paste
)

// sentence says it to the person.
func (u notTaken) sentence() string {
	switch u {
	case pastedBytes:
		return "Not pasted: it is not UTF-8. Set the character set of the terminal to UTF-8."
	case tooLong:
		return "Not pasted: it is longer than the " + human.Bytes(maxPaste) + " allowed here."
	}
	return "A key was not taken: it is not UTF-8. Set the character set of the terminal to UTF-8."
}

// start makes the keyboard ready for what is read.
func (k *keyboard) start() {
	k.expires = time.AfterFunc(escapeDelay, func() { guardedBy(k.send, k.expire) })
	k.expires.Stop() // until there is something
}

// run reads what a person on another machine types, until the context ends, or the input, which quits
// the program. A blocked read ends with the input.
func (k *keyboard) run(ctx context.Context, from io.Reader) {
	allowed, send := rate.NewLimiter(messagesPerSecond, messageBurst), k.send
	k.send = func(msg tea.Msg) {
		if allowed.Wait(ctx) == nil {
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

// read takes a piece of the input. If it ends within a sequence and nothing more comes for a
// while, that is all of it.
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

// patience is how long to wait for more of what has begun; 0: nothing has.
func (k *keyboard) patience() time.Duration {
	switch {
	case k.pasting:
		return pasteDelay
	case len(k.pending) > 0:
		return escapeDelay
	}
	return 0
}

// expire takes what is pending as it is, unless more has just come.
func (k *keyboard) expire() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if wait := k.patience(); wait > 0 && time.Since(k.last) >= wait {
		k.take(nil, true)
	}
}

// take sends the messages for some bytes; expired means that nothing more came for a
// while.
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

// The keys F1 to F5 of the console of Linux are a letter behind this.
const (
	consoleKeyBegin = "\x1b[["
	consoleKeySize  = len(consoleKeyBegin) + 1
)

// consoleKey is one of the keys F1 to F5 of the console of Linux.
func consoleKey(text []byte) (key rune, ok bool) {
	if !bytes.HasPrefix(text, []byte(consoleKeyBegin)) || len(text) < consoleKeySize {
		return 0, false
	}
	number := text[consoleKeySize-1] - 'A'
	return tea.KeyF1 + rune(number), number < 5
}

// keypad are the signs of the numeric keypad, which has keys of its own while the terminal is in its
// application mode: a program that ended without restoring it may have left it there.
var keypad = map[rune]rune{
	tea.KeyKp0: '0', tea.KeyKp1: '1', tea.KeyKp2: '2', tea.KeyKp3: '3', tea.KeyKp4: '4',
	tea.KeyKp5: '5', tea.KeyKp6: '6', tea.KeyKp7: '7', tea.KeyKp8: '8', tea.KeyKp9: '9',
	tea.KeyKpDivide: '/', tea.KeyKpMultiply: '*', tea.KeyKpMinus: '-', tea.KeyKpPlus: '+',
	tea.KeyKpEqual: '=', tea.KeyKpDecimal: '.', tea.KeyKpComma: ',', tea.KeyKpSep: ',',
}

// onKeypad gives a key of the numeric keypad the sign that it types.
func onKeypad(key tea.KeyPressMsg) tea.KeyPressMsg {
	if sign, ok := keypad[key.Code]; ok && key.Mod == 0 && key.Text == "" {
		return tea.KeyPressMsg{Code: sign, Text: string(sign)}
	}
	return key
}

// next sends the first message and returns its length, or 0 if that is incomplete.
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
	_, unknown := event.(uv.UnknownEvent)
	if incomplete := unknown || text[0] == '\x1b' && n <= 2; incomplete && !expired {
		return 0
	}
	k.deliver(event)
	return max(n, 1)
}

// deliver sends the events that the program handles. The size of the terminal is reported
// separately.
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

// nextPasted collects pasted text until its end, which may be split. ctrl+c is left to be read as a
// key.
func (k *keyboard) nextPasted(text []byte) int {
	whole, begun := len(text), len(text)
	var found []byte
	for _, end := range endsOfPaste {
		if at := bytes.Index(text, end); at >= 0 && at < whole {
			whole, found = at, end
		}
		for m := min(len(text), len(end)-1); m > 0; m-- {
			if bytes.HasSuffix(text, end[:m]) {
				begun = min(begun, len(text)-m)
				break
			}
		}
	}
	switch {
	case found == nil:
		k.keep(text[:begun])
		return begun
	case string(found) == intake.PasteEnd:
		k.keep(text[:whole])
		k.endPaste()
		return whole + len(found)
	}
	k.keep(text[:whole])
	k.endPaste()
	n, event := k.decoder.Decode(text[whole:])
	k.deliver(event)
	return whole + max(n, 1)
}

func (k *keyboard) keep(text []byte) {
	k.pasted += len(text)
	if k.pasted <= maxPaste {
		k.paste = append(k.paste, text...)
	} else {
		k.paste = nil
	}
}

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
