package prompt

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/muesli/cancelreader"
	"golang.org/x/term"

	"gatehouse/internal/secret"
)

// Console reads lines and writes sentences, one after the other: on a terminal,
// which stays in its own line mode, or on anything else, such as two pipes. What
// was read ahead for one question serves the next. Its methods are called one
// after another.
type Console struct {
	out   io.Writer
	input cancelreader.CancelReader // nil if reading cannot be interrupted
	lines *bufio.Reader
	// terminal is the descriptor of the terminal that the input is, -1 if it is none.
	terminal int
	err      error // of the first write that failed
}

// NewConsole makes a console of an input and an output. Close it in the end.
func NewConsole(in io.Reader, out io.Writer) *Console {
	c := &Console{out: out, terminal: -1}
	if file, ok := in.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		c.terminal = int(file.Fd())
	}
	if input, err := cancelreader.NewReader(in); err == nil { // a regular file needs none
		c.input, in = input, input
	}
	c.lines = bufio.NewReaderSize(&lineEnds{from: in}, longest)
	return c
}

// Close ends the reading. The input itself stays open.
func (c *Console) Close() {
	if c.input != nil {
		_ = c.input.Close()
	}
}

// Line asks for one line of text. The error is that of the context when it ends,
// and [context.Canceled] at the end of the input.
func (c *Console) Line(ctx context.Context, question string) (string, error) {
	c.write(question)
	return c.read(ctx, c.line)
}

// Secret is Line for a text that is not shown while it is typed on a terminal.
func (c *Console) Secret(ctx context.Context, question string) (secret.Text, error) {
	if c.terminal < 0 {
		text, err := c.Line(ctx, question)
		return secret.New(text), err
	}
	text, err := c.read(ctx, func() (string, error) { return c.hiddenLine(question) })
	return secret.New(text), err
}

// read reads until the context ends.
func (c *Console) read(ctx context.Context, read func() (string, error)) (string, error) {
	if c.err != nil {
		return "", c.err
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if c.input != nil {
		defer context.AfterFunc(ctx, func() { c.input.Cancel() })()
	}
	text, err := read()
	if c.terminal < 0 || err != nil { // otherwise the terminal has shown the end of the line
		c.write("\n")
	}
	return answered(ctx, text, err)
}

// line reads up to the end of a line; the last one needs none.
func (c *Console) line() (string, error) {
	text, err := c.lines.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", c.skipLine()
	}
	if errors.Is(err, io.EOF) && len(text) > 0 {
		err = nil
	}
	return strings.TrimSuffix(string(text), "\n"), err
}

// skipLine reads the rest of a line that is too long.
func (c *Console) skipLine() error {
	for {
		_, err := c.lines.ReadSlice('\n')
		switch {
		case err == nil:
			return ErrTooLong
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// hiddenLine asks for a line without showing it: the terminal is in raw mode from
// before the question, for the answer may follow at once, and put back however
// that ends.
func (c *Console) hiddenLine(question string) (string, error) {
	before, err := term.MakeRaw(c.terminal)
	if err != nil {
		return "", err
	}
	c.write(question)
	// What the editor would write is the end of the line.
	editor := term.NewTerminal(readWriter{byteReader{c.lines}, io.Discard}, "")
	text, err := editor.ReadPassword("")
	if restored := term.Restore(c.terminal, before); err == nil {
		c.write("\n")
		err = restored
	}
	return text, err
}

// byteReader reads one byte at a time, so that what follows a password is left
// for the next question.
type byteReader struct{ from io.Reader }

// Read implements [io.Reader].
func (r byteReader) Read(p []byte) (int, error) { return r.from.Read(p[:min(len(p), 1)]) }

// lineEnds makes a newline of each end of a line: what is typed ahead while a
// terminal hides a secret ends with a carriage return alone.
type lineEnds struct {
	from  io.Reader
	after bool // a carriage return
}

// Read implements [io.Reader].
func (l *lineEnds) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	kept := p[:0]
	for _, b := range p[:n] {
		second := l.after && b == '\n'
		l.after = b == '\r'
		switch {
		case second:
		case b == '\r':
			kept = append(kept, '\n')
		default:
			kept = append(kept, b)
		}
	}
	return len(kept), err
}

// Say writes a [Message].
func (c *Console) Say(format string, args ...any) { c.write(Message(format, args...)) }

func (c *Console) write(text string) {
	if c.err == nil {
		_, c.err = io.WriteString(c.out, text)
	}
}
