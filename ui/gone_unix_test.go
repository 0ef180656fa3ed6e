//go:build unix

package ui

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
	"golang.org/x/sys/unix"
)

// openTerminal opens a terminal: the side of the person, and that of the program. The person's side is
// read without blocking: closing a file does not reach the system while another goroutine is blocked
// in reading it.
func openTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	blocking, program, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer blocking.Close()
	side, err := unix.FcntlInt(blocking.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.SetNonblock(side, true); err != nil {
		t.Fatal(err)
	}
	person = os.NewFile(uintptr(side), "person")
	// The program's side is left open: the library may still be about to read from it.
	t.Cleanup(func() { _ = person.Close() })
	return person, program
}

// watched reads what is shown on a terminal until it is closed.
type watched struct {
	person *os.File
	// shown is closed when there is something, and ended when nothing more is read.
	shown, ended chan struct{}
}

func watch(person *os.File) watched {
	w := watched{person: person, shown: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(w.ended)
		_, _ = person.Read(make([]byte, 1))
		close(w.shown)
		_, _ = io.Copy(io.Discard, person)
	}()
	return w
}

// hangUp closes the terminal once something is shown. It is gone when this returns.
func (w watched) hangUp() {
	<-w.shown
	_ = w.person.Close()
	<-w.ended
}

// requireEnd waits for the program.
func requireEnd(t *testing.T, ended <-chan error) {
	t.Helper()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the program failed: %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the program goes on")
	}
}

func TestATerminalThatIsGoneEndsTheProgram(t *testing.T) {
	person, program := openTerminal(t)
	screen := watch(person)
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), &Options{Open: neverOpens, Input: program, Output: program, Environ: []string{"TERM=xterm"}})
	}()
	screen.hangUp()
	requireEnd(t, ended)
}

func TestATerminalThatTakesNothingMoreEndsTheProgram(t *testing.T) {
	typing, input := openTerminal(t)
	watching, output := openTerminal(t)
	screen := watch(watching)
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), &Options{Open: neverOpens, Input: input, Output: output, Environ: []string{"TERM=xterm"}})
	}()
	screen.hangUp()
	if _, err := typing.WriteString("\xff"); err != nil { // it is said that this was not taken
		t.Fatal(err)
	}
	requireEnd(t, ended)
}

// lastLine passes on what is shown in the last line of a terminal of so many cells, as it changes.
func lastLine(person *os.File, size Size) <-chan string {
	shown := make(chan string, 1000)
	screen := vt10x.New(vt10x.WithSize(size.Width, size.Height))
	go func() {
		piece := make([]byte, 4<<10)
		for {
			n, err := person.Read(piece)
			if err != nil {
				return
			}
			_, _ = screen.Write(piece[:n])
			lines := strings.Split(strings.TrimSuffix(screen.String(), "\n"), "\n")
			shown <- lines[size.Height-1]
		}
	}()
	return shown
}

// requireFooter waits until a footer stands in a line, which ends one cell before the edge.
func requireFooter(t *testing.T, shown <-chan string, width int) {
	t.Helper()
	line, patience := "", time.After(20*time.Second)
	for len([]rune(strings.TrimRight(line, " "))) != width-1 {
		select {
		case line = <-shown:
		case <-patience:
			t.Fatalf("no footer is shown in %q", line)
		}
	}
}

func TestATerminalWithoutASizeHasThatOfItsVariables(t *testing.T) {
	for _, test := range []struct {
		variables []string
		want      Size
	}{
		{nil, Size{Width: 80, Height: 24}},
		{[]string{"COLUMNS=132", "LINES=43"}, Size{Width: 132, Height: 43}},
		{[]string{"COLUMNS=132", "LINES=many"}, Size{Width: 132, Height: 24}},
	} {
		person, program := openTerminal(t)
		if err := pty.Setsize(program, &pty.Winsize{}); err != nil {
			t.Fatal(err)
		}
		shown := lastLine(person, test.want)
		ended := make(chan error, 1)
		go func() {
			ended <- Run(t.Context(), &Options{Open: neverOpens, Input: program, Output: program, Environ: append(test.variables, "TERM=xterm")})
		}()
		requireFooter(t, shown, test.want.Width)
		const ctrlC = "\x03" // a context that ends would not wait for the library to stop reading
		if _, err := person.WriteString(ctrlC); err != nil {
			t.Fatal(err)
		}
		requireEnd(t, ended)
	}
}
