package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"golang.org/x/term"

	"gatehouse/internal/secret"
	"gatehouse/internal/sshd"
)

// guestInput is the standard input of a guest's command. Reading ends with the
// context; what waits for the guest meanwhile ends with the connection.
type guestInput struct {
	ctx  context.Context
	from io.Reader
	// interrupt is called when the guest presses ctrl+c; nil where there is no terminal.
	interrupt func()

	begin  sync.Once
	pieces chan []byte
	rest   []byte // of the piece that is read
}

// typedAhead is how many pieces wait for a command to read them.
const typedAhead = 16

func newGuestInput(ctx context.Context, from io.Reader) *guestInput {
	return &guestInput{ctx: ctx, from: from, pieces: make(chan []byte, typedAhead)}
}

// listen begins to read, if nothing has begun to.
func (i *guestInput) listen() { i.begin.Do(func() { go i.pump() }) }

func (i *guestInput) pump() {
	defer close(i.pieces)
	const ctrlC = 3
	for {
		piece := make([]byte, 4<<10)
		n, err := i.from.Read(piece)
		if i.interrupt != nil && bytes.IndexByte(piece[:n], ctrlC) >= 0 {
			i.interrupt()
		}
		select {
		case i.pieces <- piece[:n]:
		case <-i.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// Read implements [io.Reader].
func (i *guestInput) Read(p []byte) (int, error) {
	i.listen()
	for len(i.rest) == 0 {
		select {
		case piece, open := <-i.pieces:
			if !open {
				return 0, io.EOF
			}
			i.rest = piece
		case <-i.ctx.Done():
			return 0, i.ctx.Err()
		}
	}
	n := copy(p, i.rest)
	i.rest = i.rest[n:]
	return n, nil
}

// guestAsker asks on the terminal of a guest, which shows nothing by itself.
type guestAsker struct{ line *term.Terminal }

func newGuestAsker(in io.Reader, out io.Writer, t *sshd.Terminal) *guestAsker {
	line := term.NewTerminal(readWriter{in, out}, "")
	if t.Width > 0 {
		_ = line.SetSize(t.Width, t.Height)
	}
	return &guestAsker{line}
}

// Line implements [Asker].
func (g *guestAsker) Line(ctx context.Context, question string) (string, error) {
	g.line.SetPrompt(question)
	text, err := g.line.ReadLine()
	return text, whyUnanswered(ctx, err)
}

// Secret implements [Asker].
func (g *guestAsker) Secret(ctx context.Context, question string) (secret.Text, error) {
	text, err := g.line.ReadPassword(question)
	return secret.New(text), whyUnanswered(ctx, err)
}

func whyUnanswered(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.EOF): // ctrl+c or ctrl+d
		return context.Canceled
	}
	return err
}
