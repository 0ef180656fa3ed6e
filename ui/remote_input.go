package ui

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"
)

const (
	// escapeDelay is how long to wait for the rest of a sequence: esc alone is a key.
	escapeDelay = 50 * time.Millisecond
	// maxSequence is how many bytes of an unfinished sequence are kept.
	maxSequence = 4 << 10
	// maxPaste is how many bytes of a paste are accepted.
	maxPaste = 256 << 10

	// Each message redraws the screen, which takes time from other visitors, so input
	// is limited to this rate. Key repeat and the wheel are slower.
	messageBurst      = 300
	messagesPerSecond = 100
)

var pasteEnd = []byte("\x1b[201~")

// remoteInput turns the input of a remote terminal into messages. The library's reader
// does the same for a trusted terminal: it buffers a sequence or paste without limit, a
// panic in it ends the process, and it leaves a goroutine behind that waits for more
// input.
type remoteInput struct {
	send func(tea.Msg) // does nothing once the program has ended

	mu      sync.Mutex // guards the rest
	decoder uv.EventDecoder
	pending []byte // an incomplete sequence
	expires *time.Timer
	last    time.Time // when the last piece came
	pasting bool
	paste   []byte
	pasted  int // bytes so far, kept or not
}

// pasteTooLongMsg reports that a paste was dropped.
type pasteTooLongMsg struct{}

// run reads until the context ends, or the input, which quits the program. A blocked read
// ends with the input.
func (k *remoteInput) run(ctx context.Context, from io.Reader) {
	allowed, send := rate.NewLimiter(messagesPerSecond, messageBurst), k.send
	k.send = func(msg tea.Msg) {
		if allowed.Wait(ctx) == nil {
			send(msg)
		}
	}
	k.expires = time.AfterFunc(escapeDelay, func() { guardedBy(k.send, k.expire) })
	k.expires.Stop() // until there is something
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
func (k *remoteInput) read(piece []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expires.Stop()
	k.last = time.Now()
	k.take(piece, false)
	if len(k.pending) > 0 {
		k.expires.Reset(escapeDelay)
	}
}

// expire takes what is pending as it is, unless more has just come.
func (k *remoteInput) expire() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.pending) > 0 && time.Since(k.last) >= escapeDelay {
		k.take(nil, true)
	}
}

// take sends the messages for some bytes; expired means that nothing more came for a
// while.
func (k *remoteInput) take(piece []byte, expired bool) {
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
}

// next sends the first message and returns its length, or 0 if that is incomplete.
func (k *remoteInput) next(text []byte, expired bool) int {
	if k.pasting {
		return k.nextPasted(text)
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
func (k *remoteInput) deliver(event uv.Event) {
	switch event := event.(type) {
	case uv.PasteStartEvent:
		k.pasting, k.paste, k.pasted = true, nil, 0
	case uv.MultiEvent:
		for _, e := range event {
			k.deliver(e)
		}
	case uv.KeyPressEvent:
		k.send(tea.KeyPressMsg(event))
	case uv.MouseClickEvent:
		k.send(tea.MouseClickMsg(event))
	case uv.MouseWheelEvent:
		k.send(tea.MouseWheelMsg(event))
	case uv.BackgroundColorEvent:
		k.send(tea.BackgroundColorMsg(event))
	case uv.ModeReportEvent:
		k.send(tea.ModeReportMsg(event))
	}
}

// nextPasted collects pasted text until the end sequence, which may be split.
func (k *remoteInput) nextPasted(text []byte) int {
	if end := bytes.Index(text, pasteEnd); end >= 0 {
		k.keep(text[:end])
		k.endPaste()
		return end + len(pasteEnd)
	}
	n := len(text)
	for m := min(n, len(pasteEnd)-1); m > 0; m-- {
		if bytes.HasSuffix(text, pasteEnd[:m]) {
			n -= m
			break
		}
	}
	k.keep(text[:n])
	return n
}

func (k *remoteInput) keep(text []byte) {
	k.pasted += len(text)
	if k.pasted <= maxPaste {
		k.paste = append(k.paste, text...)
	} else {
		k.paste = nil
	}
}

func (k *remoteInput) endPaste() {
	if k.pasted > maxPaste {
		k.send(pasteTooLongMsg{})
	} else {
		k.send(tea.PasteMsg{Content: string(bytes.ToValidUTF8(k.paste, nil))})
	}
	k.pasting, k.paste = false, nil
}
