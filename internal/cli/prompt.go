package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"github.com/muesli/cancelreader"
	"golang.org/x/term"

	"gatehouse/internal/secret"
)

// Asker asks a person. Its methods return the error of the context when it ends
// and [context.Canceled] when the person gives up.
type Asker interface {
	// Line asks for one line of text.
	Line(ctx context.Context, question string) (string, error)
	// Secret asks for a line that is not shown.
	Secret(ctx context.Context, question string) (secret.Text, error)
}

// terminalAsker asks on a terminal. Its methods are called one after another.
type terminalAsker struct {
	in, out *os.File
	input   cancelreader.CancelReader
	line    *term.Terminal // one for all questions: it may have read ahead
}

// Line implements [Asker].
func (t *terminalAsker) Line(ctx context.Context, question string) (string, error) {
	return t.ask(ctx, func() (string, error) {
		t.line.SetPrompt(question)
		return t.line.ReadLine()
	})
}

// Secret implements [Asker].
func (t *terminalAsker) Secret(ctx context.Context, question string) (secret.Text, error) {
	text, err := t.ask(ctx, func() (string, error) { return t.line.ReadPassword(question) })
	return secret.New(text), err
}

// ask reads with the terminal in raw mode and puts it back however that ends.
func (t *terminalAsker) ask(ctx context.Context, read func() (string, error)) (string, error) {
	if err := t.open(); err != nil {
		return "", err
	}
	before, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return "", err
	}
	defer func() { _ = term.Restore(int(t.in.Fd()), before) }()
	defer context.AfterFunc(ctx, func() { t.input.Cancel() })()

	text, err := read()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, io.EOF): // ctrl+c or ctrl+d
		_, _ = t.out.WriteString("\r\n")
		return "", context.Canceled
	}
	return text, err
}

func (t *terminalAsker) open() error {
	if t.line != nil {
		return nil
	}
	input, err := cancelreader.NewReader(t.in)
	if err != nil {
		return err
	}
	t.input = input
	t.line = term.NewTerminal(readWriter{input, t.out}, "")
	if width, height, err := term.GetSize(int(t.out.Fd())); err == nil && width > 0 {
		_ = t.line.SetSize(width, height)
	}
	return nil
}

type readWriter struct {
	io.Reader
	io.Writer
}

// password asks for a password where standard input is a terminal, and reads it
// from there otherwise, if that is wanted.
func (a *app) password(ctx context.Context, fromStdin bool) (secret.Text, error) {
	switch {
	case a.env.Ask == nil && fromStdin:
		return a.pipedSecret(ctx, "password", `printf %s "$PASSWORD" | gatehouse ... --password-stdin`)
	case a.env.Ask == nil:
		return secret.Text{}, usage("there is no terminal to ask for the password", "Pipe it in with `--password-stdin`.")
	}
	password, err := a.env.Ask.Secret(ctx, "Password: ")
	if err == nil && password.IsEmpty() {
		err = usage("the password is empty", "Type it, or pipe it in with `--password-stdin`.")
	}
	return password, err
}

// maxPiped bounds what is read of a secret on standard input.
const maxPiped = 64 << 10

// pipedSecret reads a secret from standard input: all of it but the line end
// after it. What it is and how to pipe it in are for messages.
func (a *app) pipedSecret(ctx context.Context, what, how string) (secret.Text, error) {
	if in, ok := a.env.Stdin.(*os.File); ok && isTerminal(in) { // which would show what is typed
		return secret.Text{}, usage("standard input is a terminal, and standard error is none to ask for the "+what+" on",
			"Pipe the "+what+" in, or let standard error be the terminal.")
	}
	text, err := readAll(ctx, a.env.Stdin, maxPiped+1)
	if err != nil {
		return secret.Text{}, err
	}
	text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	switch {
	case len(text) == 0:
		return secret.Text{}, usage("there is no "+what+" on standard input", "Pipe it in: `"+how+"`.")
	case len(text) > maxPiped:
		return secret.Text{}, usage("what stands on standard input is too long to be the "+what, "Pipe the "+what+" alone.")
	}
	return secret.New(string(text)), nil
}

// readAll reads to the end, up to a limit, and gives up when the context ends.
func readAll(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	if input, err := cancelreader.NewReader(r); err == nil { // a regular file needs none
		defer func() { _ = input.Close() }()
		defer context.AfterFunc(ctx, func() { input.Cancel() })()
		r = input
	}
	text, err := io.ReadAll(io.LimitReader(r, limit))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return text, err
}
