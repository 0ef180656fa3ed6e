//go:build unix

package e2e

import (
	"bufio"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/term"
)

func TestASignalEndsAQuestionAndPutsTheTerminalBack(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		person, program, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer person.Close()
		defer program.Close()
		before, err := term.GetState(int(program.Fd()))
		if err != nil {
			t.Fatal(err)
		}

		command := exec.Command(binary, "login")
		command.Env = append(home(t), "GATEHOUSE_AUTH_URL=http://127.0.0.1:1", "GATEHOUSE_BASE_URL=http://127.0.0.1:1",
			"GATEHOUSE_GLOBAL_URL=http://127.0.0.1:1", "GATEHOUSE_CLIENT_ID=c")
		command.Stdin, command.Stdout, command.Stderr = program, program, program
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		screen := bufio.NewReader(person)
		readUntil(t, screen, "E-mail address: ")
		if err := command.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		readUntil(t, screen, "gatehouse: Cancelled.\r\n")
		_ = command.Wait()

		if code := command.ProcessState.ExitCode(); code != 1 {
			t.Errorf("%v: exit code %d", signal, code)
		}
		if after, err := term.GetState(int(program.Fd())); err != nil || *after != *before {
			t.Errorf("%v: the terminal is not as it was (%v)", signal, err)
		}
	}
}

// readUntil reads a screen until the text has come.
func readUntil(t *testing.T, screen *bufio.Reader, text string) {
	t.Helper()
	var seen strings.Builder
	for !strings.HasSuffix(seen.String(), text) {
		b, err := screen.ReadByte()
		if err != nil {
			t.Fatalf("%v, after %q", err, seen.String())
		}
		seen.WriteByte(b)
	}
}
