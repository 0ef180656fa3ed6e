// Package prompt asks a person for a line, for a secret that is not echoed, or for one of
// several choices. [Terminal] and [Channel] edit lines on a terminal, local or at the
// other end of an SSH channel; a [Console] works in plain lines, on a terminal or on two
// pipes. [ReadSecret] reads a secret from a pipe without asking.
//
// The prompts of form libraries are not used: huh starts a new reader for each question,
// which reads ahead, so that piped answers are lost, and it supports neither contexts nor
// the end of the input.
package prompt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/muesli/cancelreader"
	"golang.org/x/term"

	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
)

// Asker asks a person questions. Its methods are called one after another. They return
// the error of the context when it ends, and [context.Canceled] when the person gives up
// or the input ends.
type Asker interface {
	// Line asks for one line of text.
	Line(ctx context.Context, question string) (string, error)
	// Secret asks for a line that is not echoed.
	Secret(ctx context.Context, question string) (secret.Text, error)
}

// Editor asks on a terminal in raw mode and does the line editing itself.
type Editor struct {
	in       io.Reader
	out      io.Writer
	terminal *os.File                  // the local terminal; nil for a channel, which is always raw
	input    cancelreader.CancelReader // of the local terminal
	line     *term.Terminal            // shared by all questions: it may have read ahead
}

// Terminal asks on the local terminal of in and out. It is in raw mode only during a
// question, and is always restored.
func Terminal(in, out *os.File) *Editor { return &Editor{in: in, out: out, terminal: in} }

// Channel asks on the terminal at the other end of a connection, with its size in cells,
// 0 if unknown. Reading from in ends with the context of the question.
func Channel(in io.Reader, out io.Writer, width, height int) *Editor {
	e := &Editor{in: in, out: out}
	e.edit(in, width, height)
	return e
}

func (e *Editor) edit(in io.Reader, width, height int) {
	e.line = term.NewTerminal(readWriter{in, e.out}, "")
	if width > 0 {
		_ = e.line.SetSize(width, height)
	}
}

func (e *Editor) Line(ctx context.Context, question string) (string, error) {
	return e.ask(ctx, func() (string, error) {
		e.line.SetPrompt(question)
		return e.line.ReadLine()
	})
}

func (e *Editor) Secret(ctx context.Context, question string) (secret.Text, error) {
	text, err := e.ask(ctx, func() (string, error) { return e.line.ReadPassword(question) })
	return secret.New(text), err
}

func (e *Editor) ask(ctx context.Context, read func() (string, error)) (string, error) {
	if e.terminal != nil {
		if err := e.open(); err != nil {
			return "", err
		}
		before, err := term.MakeRaw(int(e.terminal.Fd()))
		if err != nil {
			return "", err
		}
		defer func() { _ = term.Restore(int(e.terminal.Fd()), before) }()
		defer context.AfterFunc(ctx, func() { e.input.Cancel() })()
	}
	text, err := read()
	if ctx.Err() == nil && errors.Is(err, io.EOF) { // ctrl+c or ctrl+d
		_, _ = io.WriteString(e.out, "\r\n")
	}
	return answered(ctx, text, err)
}

// open starts reading from the terminal, at the first question.
func (e *Editor) open() error {
	if e.line != nil {
		return nil
	}
	input, err := cancelreader.NewReader(e.in)
	if err != nil {
		return err
	}
	e.input = input
	width, height, _ := term.GetSize(int(e.terminal.Fd()))
	e.edit(input, width, height)
	return nil
}

// answered returns the answer to a question, or why there is none.
func answered(ctx context.Context, text string, err error) (string, error) {
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, io.EOF):
		return "", context.Canceled
	}
	return text, err
}

type readWriter struct {
	io.Reader
	io.Writer
}

// Choose finds the choice that an answer means, ignoring case: by its number, from 1, by its
// beginning, or by a part of it, which no other choice has. It returns the index.
func Choose(answer string, choices []string) (at int, ok bool) {
	if n, err := strconv.Atoi(strings.TrimSuffix(answer, ".")); err == nil && n >= 1 && n <= len(choices) {
		return n - 1, true
	}
	if answer == "" {
		return 0, false
	}
	found, begin, begun := 0, 0, 0
	for i, choice := range choices {
		switch index := strings.Index(strings.ToLower(choice), strings.ToLower(answer)); {
		case index == 0 && len(choice) == len(answer):
			return i, true
		case index == 0:
			begin, begun = i, begun+1
			fallthrough
		case index > 0:
			at, found = i, found+1
		}
	}
	if begun == 1 {
		return begin, true
	}
	return at, found == 1
}

// Message formats a message for a person and adds a newline. The format may have several
// lines; string arguments may come from outside: they are made safe for a terminal and
// stay on one line.
func Message(format string, args ...any) string {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = safetext.Line(text)
		}
	}
	return fmt.Sprintf(format+"\n", args...)
}

// Errors of [ReadSecret] and [Console.Line].
var (
	// ErrShown means that the input is a terminal, which would echo the secret.
	ErrShown = errors.New("the input is a terminal")
	// ErrEmpty means that there is no secret on the input.
	ErrEmpty = errors.New("the input is empty")
	// ErrTooLong means that the text is longer than a secret or an answer may be.
	ErrTooLong = errors.New("the input is too long")
)

// maxLine is the maximum size of a line or a secret in bytes.
const maxLine = 64 << 10

// ReadSecret reads a secret from a pipe or a file: all of it except the last line end. It
// stops when the context ends.
func ReadSecret(ctx context.Context, in io.Reader) (secret.Text, error) {
	if file, ok := in.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return secret.Text{}, ErrShown
	}
	input := Input(ctx, in)
	defer input.Close()
	text, err := io.ReadAll(io.LimitReader(input, maxLine+1))
	switch {
	case ctx.Err() != nil:
		return secret.Text{}, ctx.Err()
	case err != nil:
		return secret.Text{}, err
	}
	text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	switch {
	case len(text) == 0:
		return secret.Text{}, ErrEmpty
	case len(text) > maxLine:
		return secret.Text{}, ErrTooLong
	}
	return secret.New(string(text)), nil
}

// Input is an input of which a read ends with the context. Closing it leaves the input itself
// open.
func Input(ctx context.Context, in io.Reader) io.ReadCloser {
	input, err := cancelreader.NewReader(in)
	if err != nil { // a regular file, which needs none
		return io.NopCloser(in)
	}
	return &cancellable{input, context.AfterFunc(ctx, func() { input.Cancel() })}
}

type cancellable struct {
	cancelreader.CancelReader
	stop func() bool
}

func (c *cancellable) Close() error {
	c.stop()
	return c.CancelReader.Close()
}
