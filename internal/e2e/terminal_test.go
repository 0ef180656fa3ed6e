//go:build unix

package e2e

import (
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// demo starts the UI on the embedded service, on a terminal of a size.
func demo(t testing.TB, width, height int, env ...string) (*terminal, *exec.Cmd) {
	t.Helper()
	dir := t.TempDir()
	command := exec.Command(binary, "demo")
	command.Env = append([]string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "TERM=xterm-256color"}, env...)
	return startTerminal(t, command, width, height), command
}

const (
	enter = "\r"
	tab   = "\t"
	// Terminals with the keyboard protocol that the UI turns on send esc. Others send plainEsc,
	// which may be taken for the beginning of the next key: a test waits for the screen after it.
	esc      = "\x1b[27u"
	plainEsc = "\x1b"
)

func TestAPersonWalksFromSignInToTheDetailOfAShare(t *testing.T) {
	t.Parallel()
	term, command := demo(t, 80, 24)
	term.WaitFor("Sign in", "E-mail")
	// Typed ahead, as fast as a paste: no key may go astray.
	term.Type("ada@harbor.example" + tab + "demo" + enter)
	term.WaitFor("4 domains", "harbor.example", "primary")
	term.Type(enter)
	term.WaitFor("42 shares", "row 1 of 42")
	term.Type("/board")
	term.WaitFor("Board minutes", "of 42 shares")
	term.Type(enter + enter)
	term.WaitFor("General", "esc back")
	term.Type(plainEsc)
	term.WaitGone("General")
	term.Resize(40, 10)
	term.WaitGone("Companies")
	term.WaitFor("1 of 42 shares", "Board minutes", "? keys")
	term.Resize(80, 24)
	for _, step := range []struct{ keys, want string }{
		{"2", "25 companies"}, {"3", "Device name"}, {"4", "not verified"}, {"5", "entries"}, {"?", "Keys on"}, {esc, "entries"}, {"q", "4 domains"},
	} {
		term.Type(step.keys)
		term.WaitFor(step.want)
	}
	term.Click("enter open")
	term.WaitFor("entries")
	term.Click("esc back")
	term.WaitFor("4 domains")
	term.Type("q")
	term.WaitFor("lose this session")
	term.Type("q")
	if err := term.Wait(); err != nil {
		t.Fatalf("the program ended with %v", err)
	}
	requireRestored(t, term)
	if code := command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestSignalsPutTheTerminalBack(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT} {
		t.Run(signal.String(), func(t *testing.T) {
			term, command := demo(t, 80, 24)
			term.WaitFor("E-mail")
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = term.Wait()
			requireRestored(t, term)
		})
	}
}

// requireRestored wants the main screen, the cursor and all modes back.
func requireRestored(t *testing.T, term *terminal) {
	t.Helper()
	raw := string(term.Raw())
	for on, off := range map[string]string{
		"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?2004h": "\x1b[?2004l", "\x1b[?1002h": "\x1b[?1002l",
		"\x1b[?7l": "\x1b[?7h", "\x1b[>1u": "\x1b[<1u", "\x1b[>4;2m": "\x1b[>4m",
	} {
		if !strings.Contains(raw, on) && on != "\x1b[?1002h" { // visitors over SSH have no mouse
			t.Errorf("%q was never sent, so that nothing had to be put back", on)
		}
		if strings.LastIndex(raw, off) < strings.LastIndex(raw, on) {
			t.Errorf("%q is not put back by %q", on, off)
		}
	}
}

// How many bytes one step down a list may send to the terminal, which may be behind a slow line.
const (
	mostBytes        = 400
	mostPreviewBytes = 2500 // with the preview of a record
)

// The list has text of many scripts.
func TestAStepDownALongListSendsFewBytes(t *testing.T) {
	t.Parallel()
	term, _ := demo(t, 120, 40, "COLORTERM=truecolor")
	term.WaitFor("E-mail")
	term.Type("gus@harbor.example" + tab + "demo" + enter)
	term.WaitFor("1 domain")
	term.Type(enter)
	term.WaitFor("row 1 of 100,000")
	term.Type("G")
	term.WaitFor("row 100,000 of 100,000")
	term.Type("g")
	term.WaitFor("row 1 of 100,000")
	stepDown(t, term, 1, 10, mostPreviewBytes)
	term.Type("gp") // without the preview
	term.WaitGone("General")
	term.WaitFor("row 1 of")
	stepDown(t, term, 1, 45, mostBytes) // beyond the last line of the screen
}

// stepDown goes from one row to another and checks what a step sends. The first step does not
// count: it may have something of the screen before.
func stepDown(t *testing.T, term *terminal, from, to, most int) {
	t.Helper()
	before := 0
	for row := from + 1; row <= to; row++ {
		term.Type("j")
		term.WaitFor(fmt.Sprintf("row %d of", row))
		if row == from+1 {
			before = len(term.Raw())
		}
	}
	if each := (len(term.Raw()) - before) / (to - from - 1); each > most {
		t.Errorf("%d bytes for each step from row %d to %d, want at most %d", each, from, to, most)
	}
}
