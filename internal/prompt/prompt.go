// Package prompt asks a person: for a line, for a secret that is not shown while
// it is typed, for one of several answers. [Terminal] and [Channel] edit lines on
// a terminal, of this machine or at the other end of an SSH channel; a [Console]
// works in plain lines, on a terminal as on two pipes. [ReadSecret] reads a secret
// that nobody is asked for.
//
// The prompts of form libraries are not used: that of huh starts a reader of its own
// for each question, which reads ahead, so that piped answers get lost, and knows
// neither contexts nor the end of the input.
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

// Asker asks a person. Its methods are called one after another. They return the
// error of the context when it ends, and [context.Canceled] when the person gives
// up or the input ends.
type Asker interface {
	// Line asks for one line of text.
	Line(ctx context.Context, question string) (string, error)
	// Secret asks for a line that is not shown.
	Secret(ctx context.Context, question string) (secret.Text, error)
}

// Editor asks on a terminal and edits what is typed by itself, as terminals do in
// raw mode.
type Editor struct {
	in       io.Reader
	out      io.Writer
	terminal *os.File                  // of this machine; nil for the one of a channel, which is always raw
	input    cancelreader.CancelReader // of the terminal
	line     *term.Terminal            // one for all questions: it may have read ahead
}

// Terminal asks on the terminal that in and out are. It is in raw mode while a
// question waits for its answer, and put back however that ends.
func Terminal(in, out *os.File) *Editor { return &Editor{in: in, out: out, terminal: in} }

// Channel asks on the terminal at the other end of a connection, of a size in
// cells, 0 if nobody knows. Reading from in ends with the context of the question.
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

// Line implements [Asker].
func (e *Editor) Line(ctx context.Context, question string) (string, error) {
	return e.ask(ctx, func() (string, error) {
		e.line.SetPrompt(question)
		return e.line.ReadLine()
	})
}

// Secret implements [Asker].
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

// open begins to read from the terminal, with the first question.
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

// answered is the answer to a question, or why there is none.
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

// Choose finds the one of several choices that an answer means: by its number,
// from 1, or by a part of it that no other has, without case. It returns the place
// among them, from 0.
func Choose(answer string, choices []string) (at int, ok bool) {
	if n, err := strconv.Atoi(strings.TrimSuffix(answer, ".")); err == nil && n >= 1 && n <= len(choices) {
		return n - 1, true
	}
	if answer == "" {
		return 0, false
	}
	found := 0
	for i, choice := range choices {
		if strings.Contains(strings.ToLower(choice), strings.ToLower(answer)) {
			at, found = i, found+1
		}
	}
	return at, found == 1
}

// Message formats a message for a person, with a newline behind it. The format may
// have several lines; a text among the arguments may come from outside: it is made
// safe for a terminal and stays on one line.
func Message(format string, args ...any) string {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = safetext.Line(text)
		}
	}
	return fmt.Sprintf(format+"\n", args...)
}

// Why [ReadSecret] and [Console.Line] take no text.
var (
	// ErrShown says that the input is a terminal, which would show what is typed.
	ErrShown = errors.New("the input is a terminal")
	// ErrEmpty says that there is no secret on the input.
	ErrEmpty = errors.New("the input is empty")
	// ErrTooLong says that there is more than a secret or an answer can have.
	ErrTooLong = errors.New("the input is too long")
)

// longest is how many bytes a line or a secret may have.
const longest = 64 << 10

// ReadSecret reads a secret from a pipe or a file: all of it but the line end
// after it. It gives up when the context ends.
func ReadSecret(ctx context.Context, in io.Reader) (secret.Text, error) {
	if file, ok := in.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return secret.Text{}, ErrShown
	}
	text, err := readAll(ctx, in, longest+1)
	if err != nil {
		return secret.Text{}, err
	}
	text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	switch {
	case len(text) == 0:
		return secret.Text{}, ErrEmpty
	case len(text) > longest:
		return secret.Text{}, ErrTooLong
	}
	return secret.New(string(text)), nil
}

// readAll reads to the end, up to a limit in bytes.
func readAll(ctx context.Context, in io.Reader, limit int64) ([]byte, error) {
	if input, err := cancelreader.NewReader(in); err == nil { // a regular file needs none
		defer func() { _ = input.Close() }()
		defer context.AfterFunc(ctx, func() { input.Cancel() })()
		in = input
	}
	text, err := io.ReadAll(io.LimitReader(in, limit))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return text, err
}
