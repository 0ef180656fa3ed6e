package ui

import (
	"bytes"
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"

	"gatehouse/ui/screen"
)

const (
	// escapeDelay is how long the rest of a sequence is waited for: esc alone is a key.
	escapeDelay = 50 * time.Millisecond
	// longestSequence is how many bytes of one that does not end are kept.
	longestSequence = 4 << 10
	// longestPaste is how many bytes of a paste are taken.
	longestPaste = 256 << 10

	// Each message has the screen drawn anew, which others wait for: what comes
	// faster than this waits. A key that repeats and a wheel are slower.
	messagesAtOnce    = 300
	messagesPerSecond = 100
)

var pasteEnd = []byte("\x1b[201~")

// remoteInput makes messages of what a terminal sends that is far away. The
// library's reader does the same for one that can be trusted: it keeps all of a
// sequence or paste that never ends, a mistake in it ends the process, and what
// is typed after the end leaves a goroutine behind.
type remoteInput struct {
	decoder uv.EventDecoder
	send    func(tea.Msg) // does nothing once the program has ended
	pending []byte        // of a sequence whose end has not come
	pasting bool
	paste   []byte
	pasted  int // how many bytes, kept or not
}

// pasteTooLongMsg says that a paste was not taken.
type pasteTooLongMsg struct{}

// run reads until the context or the input ends, which quits the program. A read
// that is under way ends with the input.
func (k *remoteInput) run(ctx context.Context, from io.Reader) {
	allowed, send := rate.NewLimiter(messagesPerSecond, messagesAtOnce), k.send
	k.send = func(msg tea.Msg) {
		if allowed.Wait(ctx) == nil {
			send(msg)
		}
	}
	pieces := make(chan []byte)
	spawn(k.send, func() { readPieces(ctx, from, pieces) })
	delay := time.NewTimer(escapeDelay)
	defer delay.Stop()
	for {
		select {
		case piece, open := <-pieces:
			if !open {
				k.send(tea.QuitMsg{})
				return
			}
			k.take(piece, false)
		case <-delay.C:
			k.take(nil, true)
		case <-ctx.Done():
			return
		}
		delay.Stop()
		if len(k.pending) > 0 {
			delay.Reset(escapeDelay)
		}
	}
}

// readPieces has two buffers: while one is worked on, the other is filled. The end
// of the input closes pieces.
func readPieces(ctx context.Context, from io.Reader, pieces chan<- []byte) {
	var buffers [2][1 << 10]byte
	for i := 0; ; i++ {
		buffer := buffers[i%2][:]
		n, err := from.Read(buffer)
		select {
		case pieces <- buffer[:n]:
		case <-ctx.Done():
			return
		}
		if err != nil {
			close(pieces)
			return
		}
	}
}

// take sends what the bytes stand for; expired says that no more came for a while.
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
	if len(rest) > longestSequence {
		rest = nil
	}
	k.pending = append(k.pending[:0], rest...)
}

// next sends what stands first and returns its length, 0 where that has to wait.
func (k *remoteInput) next(text []byte, expired bool) int {
	if k.pasting {
		return k.nextPasted(text)
	}
	n, event := k.decoder.Decode(text)
	_, unknown := event.(uv.UnknownEvent)
	if incomplete := unknown || text[0] == '\x1b' && n <= 2; incomplete && !expired {
		return 0
	}
	k.tell(event)
	return max(n, 1)
}

// tell sends what the program knows how to take. The size of the terminal is told
// otherwise.
func (k *remoteInput) tell(event uv.Event) {
	switch event := event.(type) {
	case uv.PasteStartEvent:
		k.pasting, k.paste, k.pasted = true, nil, 0
	case uv.MultiEvent:
		for _, e := range event {
			k.tell(e)
		}
	case uv.KeyPressEvent, uv.MouseClickEvent, uv.MouseWheelEvent, uv.BackgroundColorEvent, uv.ModeReportEvent, uv.KeyboardEnhancementsEvent:
		k.send(event)
	}
}

// nextPasted keeps what is pasted until its end, which may come in pieces.
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
	if k.pasted <= longestPaste {
		k.paste = append(k.paste, text...)
	} else {
		k.paste = nil
	}
}

func (k *remoteInput) endPaste() {
	if k.pasted > longestPaste {
		k.send(pasteTooLongMsg{})
	} else {
		k.send(tea.PasteMsg{Content: string(bytes.ToValidUTF8(k.paste, nil))})
	}
	k.pasting, k.paste = false, nil
}

func (r *root) refusePaste() tea.Cmd {
	return r.Say("Not pasted: it is more than the "+screen.Bytes(longestPaste)+" that can be pasted here.", true)
}
