//go:build unix

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// accessibleDemo starts the demo in plain lines on a terminal, from a shell that then shows the
// exit code and the modes of the terminal.
func accessibleDemo(t *testing.T) *terminal {
	t.Helper()
	command := exec.Command("sh", "-c", `trap : INT; "$0" demo --accessible; echo "exit code $?"; stty -a`, binary)
	command.Env = append(home(t), "TERM=dumb", "PATH="+os.Getenv("PATH"))
	term := startTerminal(t, command, 200, 60)
	term.WaitFor("E-mail:")
	return term
}

// requireLeft waits for the end of the program. The terminal must be in its own line mode, and
// have got nothing but plain lines.
func requireLeft(t *testing.T, term *terminal) {
	t.Helper()
	if err := term.Wait(); err != nil {
		t.Fatal(err)
	}
	raw := string(term.Raw())
	_, settings, found := strings.Cut(raw, "exit code 0")
	if !found || !strings.Contains(raw, "You have left Gatehouse.") {
		t.Errorf("it ended like this:\n%s", raw)
	}
	for _, mode := range []string{"icanon", "echo", "isig"} {
		if !slices.Contains(strings.Fields(settings), mode) {
			t.Errorf("the terminal was left without %s:\n%s", mode, settings)
		}
	}
	if bytes.ContainsAny(term.Raw(), "\x1b\a\b\f") {
		t.Errorf("more than plain lines:\n%q", raw)
	}
}

func TestAConversationOnATerminal(t *testing.T) {
	t.Parallel()
	term := accessibleDemo(t)
	// Typed ahead, as a screen reader's user may: nothing gets lost.
	term.Type("ada@harbor.example\r")
	term.WaitFor("Password, which is not shown:")
	term.Type("x\x7fdemo\r1\r")
	term.WaitFor("4 domains.", "42 shares.", "Numbers 1 to 10 of 42:")
	term.Type("filter board\r1\r")
	term.WaitFor("1 of 42 shares found with the filter board, ", "Name: Board minutes.", "Owner: ada@harbor.example.")
	term.Type("quit\r")
	requireLeft(t, term)
	if _, after, _ := strings.Cut(string(term.Raw()), "not shown: "); !strings.HasPrefix(after, "\r\nSigning in as ada@harbor.example.\r\n") {
		t.Errorf("behind the question for the password stands %.40q", after)
	}
}

func TestAConversationIsLeftAtASecret(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"\x03", "\x04"} {
		term := accessibleDemo(t)
		term.Type("ada@harbor.example\r")
		term.WaitFor("Password, which is not shown:")
		term.Type(key)
		requireLeft(t, term)
	}
}
