package cli

import (
	"bytes"
	"context"
	"io"
	"sync"

	"gatehouse/internal/sshd"
)

// visitorInput is the standard input of a visitor's command. A goroutine reads ahead of
// the command to notice ctrl+c; it ends with the connection. Read ends with the context.
type visitorInput struct {
	ctx  context.Context
	from io.Reader
	run  func(func()) // on a goroutine, see [sshd.Connection]
	// interrupt is called when the visitor presses ctrl+c; nil where there is no terminal.
	interrupt func()

	start  sync.Once
	pieces chan []byte
	rest   []byte // of the current piece
}

// typedAhead is how many pieces are buffered for the command.
const typedAhead = 16

func newVisitorInput(ctx context.Context, c *sshd.Connection) *visitorInput {
	return &visitorInput{ctx: ctx, from: c.Stdin, run: c.Go, pieces: make(chan []byte, typedAhead)}
}

// listen starts reading, unless that has been done.
func (i *visitorInput) listen() { i.start.Do(func() { i.run(i.pump) }) }

// pump reads until the input or the connection ends. After a panic the pieces do not end:
// the command is not to take that for the end of the input.
func (i *visitorInput) pump() {
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
			close(i.pieces)
			return
		}
	}
}

func (i *visitorInput) Read(p []byte) (int, error) {
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
