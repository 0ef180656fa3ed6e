// Package prompt asks a person for a line, for a secret that is not echoed, or for one of several
// choices. [Terminal] and [Channel] edit lines on a terminal, which is local or at the other end of
// an SSH channel. A [Console] works in plain lines, on a terminal or on two pipes. [ReadSecret]
// reads a secret from a pipe without asking.
//
// Form libraries cannot be used here. For each question, huh starts a new reader that reads ahead,
// so piped answers get lost. It supports neither contexts nor the end of the input.
package prompt

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/cancelreader"
	"golang.org/x/term"

	"gatehouse/internal/text/intake"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
)

// Asker asks a person questions, one at a time. The error is that of the context when it ends,
// [context.Canceled] when the person gives up or the input ends, and an [*intake.Error] for an
// answer that is not a line of UTF-8.
type Asker interface {
	// Line asks for one line of text.
	Line(ctx context.Context, question string) (string, error)
	// Secret asks for a line that is not echoed.
	Secret(ctx context.Context, question string) (secret.Text, error)
}

// Editor asks on a terminal in raw mode and does the line editing itself.
type Editor struct {
	out      io.Writer
	terminal *os.File       // the local terminal; nil for a channel, which is always in raw mode
	in       source         // read by typed
	typed    *intake.Reader // read by line
	line     *term.Terminal // the same for all questions, as it may have read ahead
	aside    *Console       // nil unless a console reads the same terminal, and may have read ahead
}

// source is an input that is replaced for each question.
type source struct{ io.Reader }

// Terminal returns an editor on the local terminal of in and out. The terminal is in raw mode only
// during a question.
func Terminal(in, out *os.File) *Editor { return &Editor{out: out, terminal: in} }

// Channel returns an editor on the terminal at the other end of a connection, with its size in
// cells or 0 if that is unknown. A read from in must end with the context of the question.
func Channel(in io.Reader, out io.Writer, width, height int) *Editor {
	e := &Editor{out: out, in: source{in}}
	e.edit(width, height)
	return e
}

// edit starts the line editing, with the size of the terminal in cells.
func (e *Editor) edit(width, height int) {
	e.typed = &intake.Reader{From: &e.in}
	e.line = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{e.typed, e.out}, "")
	if width > 0 {
		_ = e.line.SetSize(width, height)
	}
}

// Line implements [Asker].
func (e *Editor) Line(ctx context.Context, question string) (string, error) {
	return e.ask(ctx, func() (string, error) {
		e.line.SetPrompt(question)
		return e.line.ReadLine()
	})
}

// Secret implements [Asker].
func (e *Editor) Secret(ctx context.Context, question string) (secret.Text, error) {
	text, err := e.ask(ctx, func() (string, error) {
		pasted := e.pasteReader()
		pasted.AskSecret(true)
		text, err := e.line.ReadPassword(question)
		pasted.AskSecret(false)
		e.discardPasted()
		return text, err
	})
	return secret.New(text), err
}

// pasteReader returns the reader that sees where pastes begin and end.
func (e *Editor) pasteReader() *intake.Reader {
	if e.aside != nil {
		return e.aside.typed
	}
	return e.typed
}

// discardPasted throws away lines that were pasted after a secret. They would become answers to
// other questions or, after the program has ended, commands of the shell. A console keeps them, as
// it goes on reading.
func (e *Editor) discardPasted() {
	if e.terminal != nil && e.aside == nil {
		discardTyped(int(e.terminal.Fd()))
	}
}

// ask reads an answer with the terminal in raw mode.
func (e *Editor) ask(ctx context.Context, read func() (string, error)) (string, error) {
	if e.terminal != nil {
		fd := int(e.terminal.Fd())
		if e.line == nil { // the first question
			width, height, _ := term.GetSize(fd)
			e.edit(width, height)
		}
		input := Input(ctx, e.terminal)
		defer input.Close()
		e.in.Reader = input
		if e.aside != nil {
			e.aside.from.Reader = input
			e.in.Reader = byteReader{e.aside.lines}
		}
		restore, err := makeRaw(fd, e.drawAgain)
		if err != nil {
			return "", err
		}
		defer restore()
	}
	text, err := read()
	if ctx.Err() == nil && errors.Is(err, io.EOF) { // ctrl+c or ctrl+d
		_, _ = io.WriteString(e.out, "\r\n")
	}
	return answered(ctx, text, err)
}

// drawAgain draws the question and what has been typed again, as a shell may have written below
// them.
func (e *Editor) drawAgain() { _, _ = e.line.Write(nil) }

// answered returns the answer to a question, or why there is none.
func answered(ctx context.Context, text string, err error) (string, error) {
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, io.EOF):
		return "", context.Canceled
	case err != nil:
		return "", err
	}
	return intake.Answer(text)
}

// byteReader reads one byte at a time, so that nothing is read ahead.
type byteReader struct{ from io.Reader }

func (r byteReader) Read(p []byte) (int, error) { return r.from.Read(p[:min(len(p), 1)]) }

// Choose returns the index of the choice that an answer means. An answer is the number of a choice,
// from 1, its text, or the beginning of its text, in any case. ok is false if it means none, or
// several.
func Choose(answer string, choices []string) (at int, ok bool) {
	number, err := strconv.Atoi(strings.TrimSuffix(answer, "."))
	if err == nil && 1 <= number && number <= len(choices) {
		return number - 1, true
	}
	if answer == "" {
		return 0, false
	}
	isAnswer := func(choice string) bool { return strings.EqualFold(choice, answer) }
	if at := slices.IndexFunc(choices, isAnswer); at >= 0 {
		return at, true
	}
	answer = strings.ToLower(answer)
	isBegun := func(choice string) bool {
		return strings.HasPrefix(strings.ToLower(choice), answer)
	}
	at = slices.IndexFunc(choices, isBegun)
	isOnlyOne := at >= 0 && !slices.ContainsFunc(choices[at+1:], isBegun)
	return at, isOnlyOne
}

// Message formats a message for a person and adds a newline. The format may have several lines.
// Arguments that are strings may come from outside: each is made safe for a terminal, and is in one
// line.
func Message(format string, args ...any) string {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = safetext.Line(text)
		}
	}
	return fmt.Sprintf(format+"\n", args...)
}

// ErrTooLong means that a line is longer than an answer may be.
var ErrTooLong = errors.New("the input is too long")

// maxLine is the maximum size of a line or a secret in bytes.
const maxLine = 64 << 10

// ReadSecret reads a secret from a pipe or a file, as one line, see [intake.Line]. It stops when
// the context ends. name is the secret in words, such as "password", and command one that pipes it
// in: errors say both.
func ReadSecret(ctx context.Context, in io.Reader, name, command string) (secret.Text, error) {
	file, isFile := in.(*os.File)
	if isFile && term.IsTerminal(int(file.Fd())) { // a terminal would echo the secret
		return secret.Text{}, problem.BadUsage("standard input is a terminal, but standard error"+
			" is not, so the "+name+" cannot be asked for",
			"Pipe the "+name+" in, or leave standard error on the terminal.")
	}
	input := Input(ctx, in)
	defer input.Close()
	raw, err := io.ReadAll(io.LimitReader(input, maxLine+1))
	switch {
	case ctx.Err() != nil:
		return secret.Text{}, ctx.Err()
	case err != nil:
		return secret.Text{}, err
	case len(raw) > maxLine:
		return secret.Text{}, problem.BadUsage(
			"standard input is too long to be the "+name, "Pipe the "+name+" alone.")
	}
	text, err := intake.Line(raw)
	var refused *intake.Error
	switch {
	case errors.As(err, &refused):
		what := "the " + name + " on standard input"
		return secret.Text{}, &intake.Error{Fault: refused.Fault, What: what}
	case text == "":
		return secret.Text{}, problem.BadUsage(
			"there is no "+name+" on standard input", "Pipe it in: `"+command+"`.")
	}
	return secret.New(text), nil
}

// Input returns an input whose reads end with the context. To close it leaves in open.
func Input(ctx context.Context, in io.Reader) io.ReadCloser {
	input, err := cancelreader.NewReader(in)
	if err != nil { // in is a regular file, whose reads never wait
		return io.NopCloser(in)
	}
	return &cancellable{input, context.AfterFunc(ctx, func() { input.Cancel() })}
}

// cancellable is a reader that is cancelled until it is closed.
type cancellable struct {
	cancelreader.CancelReader
	stop func() bool // waiting for the context
}

func (c *cancellable) Close() error {
	c.stop()
	return c.CancelReader.Close()
}

// Console reads lines and writes messages: on a terminal, which edits lines itself except for
// secrets, or on anything else, such as two pipes. It keeps what it has read ahead for the next
// question. Its methods are called one at a time.
type Console struct {
	Width  int // of the terminal in cells; 0: messages are not wrapped
	in     io.Reader
	out    io.Writer
	from   source         // read by typed
	typed  *intake.Reader // read by lines
	lines  *bufio.Reader  // may have read ahead
	hidden *Editor        // asks for secrets; nil if the input is not a terminal
	editor *Editor        // asks for everything if the terminal edits no lines; or nil
	err    error          // of the first write that failed
}

// NewConsole returns a console that reads from in and writes to out.
func NewConsole(in io.Reader, out io.Writer) *Console {
	c := &Console{in: in, out: out}
	c.typed = &intake.Reader{From: &c.from}
	if file, ok := in.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		c.hidden = &Editor{out: out, terminal: file, aside: c}
		c.typed.From = enters{&c.from}
	}
	c.lines = bufio.NewReaderSize(c.typed, maxLine)
	return c
}

// EditedConsole returns a console for a terminal that edits no lines itself. It asks with an
// editor, and writes messages to out.
func EditedConsole(editor *Editor, out io.Writer) *Console {
	return &Console{editor: editor, out: out}
}

// enters reads a carriage return as a line end. A terminal in raw mode, as during a secret, sends
// one for the key enter.
type enters struct{ *source }

func (e enters) Read(p []byte) (int, error) {
	n, err := e.source.Read(p)
	copy(p, bytes.ReplaceAll(p[:n], []byte{'\r'}, []byte{'\n'}))
	return n, err
}

// Line asks for one line of text. The error is the context's when it ends, and
// [context.Canceled] at the end of the input.
func (c *Console) Line(ctx context.Context, question string) (string, error) {
	if c.editor != nil && c.err == nil {
		return c.editor.Line(ctx, question)
	}
	c.write(question)
	if c.err != nil {
		return "", c.err
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	input := Input(ctx, c.in)
	defer input.Close()
	c.from.Reader = input
	text, err := c.line()
	if c.hidden == nil || err != nil { // otherwise the terminal has echoed the newline
		c.write("\n")
	}
	return answered(ctx, text, err)
}

// Secret is Line without echo on a terminal.
func (c *Console) Secret(ctx context.Context, question string) (secret.Text, error) {
	if hidden := cmp.Or(c.hidden, c.editor); hidden != nil && c.err == nil {
		return hidden.Secret(ctx, question)
	}
	text, err := c.Line(ctx, question)
	return secret.New(text), err
}

// line reads one line, of which the last one may lack a newline. It reads a line that is too long
// to its end.
func (c *Console) line() (string, error) {
	text, err := c.lines.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = c.lines.ReadSlice('\n')
		}
		return "", cmp.Or(err, ErrTooLong)
	}
	if errors.Is(err, io.EOF) && len(text) > 0 {
		err = nil
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"), err
}

// Say writes a [Message]. On a terminal it wraps the message between words.
func (c *Console) Say(format string, args ...any) {
	text := Message(format, args...)
	if c.Width > 0 {
		text = ansi.Wordwrap(text, c.Width, "")
	}
	c.write(text)
}

// write writes a text, unless an earlier write has failed.
func (c *Console) write(text string) {
	if c.err == nil {
		_, c.err = io.WriteString(c.out, text)
	}
}
