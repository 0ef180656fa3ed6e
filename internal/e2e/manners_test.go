//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// shell starts a shell with job control on a terminal, in which the program can be
// suspended.
func shell(t *testing.T) *testkit.Terminal {
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
	term := testkit.StartTerminal(t, command, 80, 24)
	term.WaitFor("ready>")
	return term
}

func TestSuspendedAndContinuedItShowsTheSameScreen(t *testing.T) {
	term := shell(t)
	term.Type(binary + " demo" + enter)
	term.WaitFor("E-mail")
	term.Type("ada@harbor.example" + tab + "demo" + enter)
	term.WaitFor("4 domains")
	term.Type("\x1a") // ctrl+z
	term.WaitFor("Stopped", "ready>")
	requireRestored(t, term)
	term.Type("fg" + enter)
	term.WaitFor("4 domains", "ada@harbor.example", "? keys")
	term.Type(enter)
	term.WaitFor("42 shares")
	term.Type("q")
	term.WaitFor("ready>")
	requireRestored(t, term)
}

func TestWithoutAShellItIsNotSuspended(t *testing.T) {
	term, _ := demo(t, 80, 24)
	term.WaitFor("E-mail")
	term.Type("\x1a")
	term.WaitFor("Not now: there is no shell")
}

func TestTheTitleSaysWhereAndIsPutBack(t *testing.T) {
	term, _ := demo(t, 80, 24)
	term.WaitFor("E-mail")
	term.Type("ada@harbor.example" + tab + "demo" + enter)
	term.WaitFor("4 domains")
	term.Type(enter)
	term.WaitFor("42 shares")
	term.Type("q")
	if err := term.Wait(); err != nil {
		t.Fatal(err)
	}
	raw := string(term.Raw())
	if !strings.Contains(raw, "\x1b]2;gatehouse · ada@harbor.example · harbor.example\x07") {
		t.Error("the title was never set")
	}
	if !strings.HasPrefix(raw, "\x1b[22;2t") || !strings.HasSuffix(raw, "\x1b[23;2t") {
		t.Errorf("the title is not kept and put back: %.20q … %q", raw, raw[len(raw)-20:])
	}
}

func TestResizedWhileLoadingItFitsTheNewSize(t *testing.T) {
	term, _ := demo(t, 120, 40)
	term.WaitFor("E-mail")
	term.Type("ivy@harbor.example" + tab + "demo" + enter)
	term.WaitFor("1 domain")
	term.Type(enter)
	term.WaitFor("loading")
	term.Resize(60, 15)
	term.WaitFor("1,000,000 shares", "row 1 of")
	term.Type("G")
	term.WaitFor("row 1,000,000 of 1,000,000", "? keys")
}

func TestADumbTerminalIsToldWhatWorksThere(t *testing.T) {
	term, command := demo(t, 80, 24, "TERM=dumb")
	if err := term.Wait(); err == nil || command.ProcessState.ExitCode() != 2 {
		t.Errorf("ended with %v", err)
	}
	said := strings.Join(strings.Fields(string(term.Raw())), " ")
	for _, want := range []string{"needs a terminal", "shares", "companies", "lookup"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not name %q: %s", want, said)
		}
	}
	if strings.Contains(said, "\x1b") {
		t.Error("it sends escape sequences")
	}
}
