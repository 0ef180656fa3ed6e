//go:build unix

package e2e

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// shell starts a shell with job control on a terminal, in which the program can be
// suspended.
func shell(t *testing.T) *terminal {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	dir := t.TempDir()
	settings := filepath.Join(dir, "inputrc") // the shell's own paste mode would be taken for the program's
	if err := os.WriteFile(settings, []byte("set enable-bracketed-paste off\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(bash, "--norc", "--noprofile", "-i")
	command.Env = []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "TERM=xterm-256color", "PS1=ready> ", "INPUTRC=" + settings, "PATH=/usr/bin:/bin"}
	term := startTerminal(t, command, 80, 24)
	term.WaitFor("ready>")
	return term
}

func TestSuspendedAndContinuedItShowsTheSameScreen(t *testing.T) {
	t.Parallel()
	for name, suspend := range map[string]func(*terminal){
		"by a key":    func(term *terminal) { term.Type("\x1a") }, // ctrl+z
		"by a signal": func(term *terminal) { term.Signal(syscall.SIGTSTP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			term := shell(t)
			term.Type(binary + " demo" + enter)
			term.WaitFor("E-mail")
			term.Type("ada@harbor.example" + tab + "demo" + enter)
			term.WaitFor("4 domains")
			for stops := 1; stops <= 2; stops++ {
				suspend(term)
				term.WaitUntil("the shell", func(screen string) bool { // which has said so before
					said := strings.TrimRight(screen, " \n")
					return strings.Count(said, "Stopped") == stops && strings.HasSuffix(said, "ready>")
				})
				requireRestored(t, term)
				term.Type("fg" + enter)
				term.WaitFor("4 domains", "ada@harbor.example", "? keys")
			}
			term.Type(enter)
			term.WaitFor("42 shares")
			term.Type("\x03")
			term.WaitFor("ready>")
			requireRestored(t, term)
			if raw := string(term.Raw()); !strings.Contains(raw, "\x1b]2;gatehouse · ada@harbor.example · harbor.example\x07") || strings.Count(raw, "\x1b[22;2t") != strings.Count(raw, "\x1b[23;2t") {
				t.Error("the title was not set, or not put back")
			}
		})
	}
}

// A shell continues a program with the modes of its own, in which the terminal shows what is typed.
func TestAPasswordStaysHiddenAfterTheProgramWasStopped(t *testing.T) {
	t.Parallel()
	const takesOver = "\x1b[?1049h"
	for _, signal := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGTTIN, syscall.SIGTSTP} {
		term := shell(t)
		term.Type(binary + " demo" + enter)
		term.WaitFor("E-mail")
		term.Type("ada@harbor.example" + tab)
		term.WaitFor("ada@harbor.example")
		term.Signal(signal)
		term.WaitFor("Stopped", "ready>")
		before := strings.Count(string(term.Raw()), takesOver)
		term.Type("fg" + enter)
		term.WaitUntil("the terminal to be taken over", func(string) bool {
			return strings.Count(string(term.Raw()), takesOver) > before
		})
		term.Type("demo")
		term.WaitFor("••••")
		term.Type(enter)
		term.WaitFor("4 domains")
		term.Type("\x03")
		term.WaitFor("ready>")
		requireRestored(t, term)
	}
}

func TestADumbTerminalIsToldWhatWorksThere(t *testing.T) {
	t.Parallel()
	term, command := demo(t, 80, 24, "TERM=dumb")
	_ = term.Wait()
	said := strings.Join(strings.Fields(string(term.Raw())), " ")
	if command.ProcessState.ExitCode() != 2 || !strings.Contains(said, "gatehouse demo --accessible") || strings.Contains(said, "\x1b") {
		t.Errorf("exit code %d: %q", command.ProcessState.ExitCode(), said)
	}
}

func TestASignalEndsAQuestionAndPutsTheTerminalBack(t *testing.T) {
	t.Parallel()
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
