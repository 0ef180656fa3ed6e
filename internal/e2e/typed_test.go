//go:build unix

package e2e

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const ctrlU = "\x15"

// The log has each request that reached the service.
func TestAPasswordWithALetterThatIsNotUTF8IsNeverSent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	tokens := func() int {
		text, err := os.ReadFile(log)
		if err != nil && !errors.Is(err, os.ErrNotExist) { // which the first request makes
			t.Fatal(err)
		}
		return strings.Count(string(text), "/connect/token")
	}
	for _, typed := range []string{"p\xe4ss", "\x1b[200~p\xe4ss\x1b[201~", "pass\xe4"} {
		command := exec.Command(binary, "demo", "--log-file", log)
		command.Env = []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "TERM=xterm-256color"}
		term := startTerminal(t, command, 80, 24)
		term.WaitFor("E-mail")
		before := tokens()
		term.Type("ada@harbor.example" + tab + typed + enter)
		term.WaitFor("not UTF-8")
		term.Type(enter)
		if sent := tokens() - before; sent != 0 {
			t.Errorf("%q: %d passwords were sent", typed, sent)
		}
		term.Type("x" + ctrlU + "demo" + enter)
		term.WaitFor("4 domains")
		if sent := tokens() - before; sent != 1 {
			t.Errorf("%q: %d passwords were sent after it was typed again", typed, sent)
		}
	}
}

func TestAPasteWhoseEndIsLostEndsByCtrlCOrAPause(t *testing.T) {
	t.Parallel()
	term, _ := demo(t, 80, 24)
	term.WaitFor("E-mail")
	term.Type("\x1b[200~ada@harbor.example")
	term.WaitFor("ada@harbor.example")
	term.Type("\x1b[200~\x1b]0;title")
	term.Type("\x03")
	if err := term.Wait(); err != nil {
		t.Fatalf("ctrl+c is not heard: %v", err)
	}
	requireRestored(t, term)
}

func TestF1OfTheConsoleOfLinuxIsTheHelp(t *testing.T) {
	t.Parallel()
	term, _ := demo(t, 80, 24)
	term.WaitFor("E-mail")
	term.Type("\x1b[[A")
	term.WaitFor("Keys on")
}
