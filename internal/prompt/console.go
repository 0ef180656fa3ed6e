package prompt

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/cancelreader"
	"golang.org/x/term"

	"gatehouse/internal/secret"
)

// Console reads lines and writes messages: on a terminal, which stays in its own line
// mode, or on anything else, such as two pipes. Input that was read ahead is kept for the
// next question. Its methods are called one after another.
type Console struct {
	out   io.Writer
	input cancelreader.CancelReader // nil if reading cannot be interrupted
	lines *bufio.Reader
	// terminal is the file descriptor of the input if it is a terminal, or else -1.
	terminal int
	err      error // of the first failed write
}

// NewConsole makes a console. The caller closes it.
func NewConsole(in io.Reader, out io.Writer) *Console {
	c := &Console{out: out, terminal: -1}
	if file, ok := in.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		c.terminal = int(file.Fd())
	}
	if input, err := cancelreader.NewReader(in); err == nil { // a regular file needs none
		c.input, in = input, input
	}
	c.lines = bufio.NewReaderSize(&lineEnds{from: in}, maxLine)
	return c
}

// Close stops reading. The input itself stays open.
func (c *Console) Close() {
	if c.input != nil {
		_ = c.input.Close()
	}
}

// Line asks for one line of text. The error is that of the context when it ends, and
// [context.Canceled] at the end of the input.
func (c *Console) Line(ctx context.Context, question string) (string, error) {
	c.write(question)
	return c.read(ctx, c.line)
}

// Secret is Line without echo on a terminal.
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
	if c.terminal < 0 || err != nil { // otherwise the terminal has echoed the newline
		c.write("\n")
	}
	return answered(ctx, text, err)
}

// line reads one line; the last one may lack a newline.
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

// hiddenLine asks for a line without echo. The terminal is in raw mode before the
// question is written, as the answer may follow at once, and is always restored.
func (c *Console) hiddenLine(question string) (string, error) {
	before, err := term.MakeRaw(c.terminal)
	if err != nil {
		return "", err
	}
	c.write(question)
	// All that the editor would write is a newline.
	editor := term.NewTerminal(readWriter{byteReader{c.lines}, io.Discard}, "")
	text, err := editor.ReadPassword("")
	if restored := term.Restore(c.terminal, before); err == nil {
		c.write("\n")
		err = restored
	}
	return text, err
}

// byteReader reads one byte at a time, so that what follows a password is left for the
// next question.
type byteReader struct{ from io.Reader }

func (r byteReader) Read(p []byte) (int, error) { return r.from.Read(p[:min(len(p), 1)]) }

// lineEnds turns every line end into a newline: while a terminal hides a secret, lines
// typed ahead end with a carriage return alone.
type lineEnds struct {
	from  io.Reader
	after bool // the last byte was a carriage return
}

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

// Say writes a [Message], on a terminal wrapped at words.
func (c *Console) Say(format string, args ...any) {
	text := Message(format, args...)
	if out, ok := c.out.(*os.File); ok {
		if width, _, err := term.GetSize(int(out.Fd())); err == nil && width > 0 {
			text = ansi.Wordwrap(text, width, "")
		}
	}
	c.write(text)
}

func (c *Console) write(text string) {
	if c.err == nil {
		_, c.err = io.WriteString(c.out, text)
	}
}
