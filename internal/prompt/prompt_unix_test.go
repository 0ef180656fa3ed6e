//go:build unix

package prompt

import (
	"bufio"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// typist is the person's side of a terminal.
type typist struct {
	t      *testing.T
	keys   *os.File
	screen *bufio.Reader
}

// newTerminal makes a terminal with an asker at its one end and a typist at the
// other.
func newTerminal(t *testing.T) (*typist, *Editor) {
	t.Helper()
	person, program, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = person.Close(); _ = program.Close() })
	return &typist{t, person, bufio.NewReader(person)}, Terminal(program, program)
}

// sees reads the screen until the text has come, and returns what came.
func (p *typist) sees(text string) string {
	p.t.Helper()
	var screen strings.Builder
	for !strings.HasSuffix(screen.String(), text) {
		b, err := p.screen.ReadByte()
		if err != nil {
			p.t.Fatalf("%v, after %q", err, screen.String())
		}
		screen.WriteByte(b)
	}
	return screen.String()
}

func (p *typist) types(keys string) {
	p.t.Helper()
	if _, err := p.keys.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// reply is what an asker returned.
type reply struct {
	text string
	err  error
}

// begin asks in the background; the reply comes when the person has answered.
func begin(ask func() (string, error)) <-chan reply {
	replies := make(chan reply, 1)
	go func() {
		text, err := ask()
		replies <- reply{text, err}
	}()
	return replies
}

func TestTheTerminalShowsALineAndHidesASecret(t *testing.T) {
	person, asker := newTerminal(t)
	before, err := term.GetState(int(asker.terminal.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	line := begin(func() (string, error) { return asker.Line(t.Context(), "E-mail: ") })
	person.sees("E-mail: ")
	person.types("adaa\x7f@x.example\rpässw") // typing ahead
	if got := <-line; got != (reply{"ada@x.example", nil}) {
		t.Errorf("the line is %+v", got)
	}
	person.sees("\n")

	secret := begin(func() (string, error) {
		text, err := asker.Secret(t.Context(), "Password: ")
		return text.Reveal(), err
	})
	person.sees("Password: ")
	person.types("ord\r")
	if got := <-secret; got != (reply{"pässword", nil}) {
		t.Errorf("the secret is %+v", got)
	}
	if screen := person.sees("\n"); strings.Trim(screen, "\r\n") != "" {
		t.Errorf("the screen shows %q", screen)
	}

	after, err := term.GetState(int(asker.terminal.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	if *before != *after {
		t.Error("the terminal is not as it was")
	}
}

// A shell has modes of its own, in which it continues a program that was stopped.
func TestASecretStaysHiddenWhenTheProgramIsContinued(t *testing.T) {
	person, asker := newTerminal(t)
	fd := int(asker.terminal.Fd())
	ofShell, err := term.GetState(fd)
	if err != nil {
		t.Fatal(err)
	}
	got := begin(func() (string, error) {
		text, err := asker.Secret(t.Context(), "Password: ")
		return text.Reveal(), err
	})
	person.sees("Password: ")
	if err := errors.Join(term.Restore(fd, ofShell), unix.Kill(os.Getpid(), unix.SIGCONT)); err != nil {
		t.Fatal(err)
	}
	person.sees("Password: ")
	person.types("demo\r")
	if answer := <-got; answer != (reply{"demo", nil}) {
		t.Errorf("the secret is %+v", answer)
	}
	if screen := person.sees("\n"); strings.Trim(screen, "\r\n") != "" {
		t.Errorf("the screen shows %q", screen)
	}
	if after, err := term.GetState(fd); err != nil || *after != *ofShell {
		t.Errorf("the terminal is not as it was (%v)", err)
	}
}

func TestGivingUpAtTheTerminalIsCancelling(t *testing.T) {
	for name, key := range map[string]string{"ctrl+c": "\x03", "ctrl+d": "\x04"} {
		person, asker := newTerminal(t)
		got := begin(func() (string, error) { return asker.Line(t.Context(), "Who? ") })
		person.sees("Who? ")
		person.types(key)
		if reply := <-got; !errors.Is(reply.err, context.Canceled) {
			t.Errorf("%s: %+v", name, reply)
		}
	}
}

func TestAQuestionEndsWithItsContext(t *testing.T) {
	person, asker := newTerminal(t)
	before, err := term.GetState(int(asker.terminal.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	got := begin(func() (string, error) { return asker.Line(ctx, "Who? ") })
	person.sees("Who? ")
	cancel()
	if reply := <-got; !errors.Is(reply.err, context.Canceled) {
		t.Errorf("got %+v", reply)
	}
	if after, err := term.GetState(int(asker.terminal.Fd())); err != nil || *before != *after {
		t.Errorf("the terminal is not as it was (%v)", err)
	}
}

func TestReadingAPipeEndsWithTheContext(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Close(); _ = writer.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := writer.WriteString("half a pass"); err != nil {
		t.Fatal(err)
	}
	got := begin(func() (string, error) {
		text, err := ReadSecret(ctx, reader, "password", "")
		return text.Reveal(), err
	})
	cancel()
	if reply := <-got; !errors.Is(reply.err, context.Canceled) || reply.text != "" {
		t.Errorf("got %+v", reply)
	}
}

func TestASecretIsNotReadFromATerminalThatWouldShowIt(t *testing.T) {
	_, asker := newTerminal(t)
	if _, err := ReadSecret(t.Context(), asker.terminal, "password", ""); err == nil || !strings.Contains(err.Error(), "standard input is a terminal") {
		t.Errorf("got %v", err)
	}
}

func TestASecretCanComeFromAFile(t *testing.T) {
	path := t.TempDir() + "/password"
	if err := os.WriteFile(path, []byte("demo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := ReadSecret(t.Context(), file, "password", "")
	if err != nil || text.Reveal() != "demo" {
		t.Errorf("got %d bytes, %v", len(text.Reveal()), err)
	}
}
