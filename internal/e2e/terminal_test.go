//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"gatehouse/internal/testkit"
)

// demo starts the UI on the embedded service, on a terminal of a size.
func demo(t testing.TB, width, height int, env ...string) (*testkit.Terminal, *exec.Cmd) {
	t.Helper()
	dir := t.TempDir()
	command := exec.Command(binary, "demo")
	command.Env = append([]string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "TERM=xterm-256color"}, env...)
	return testkit.StartTerminal(t, command, width, height), command
}

const (
	enter = "\r"
	tab   = "\t"
	// esc is how a terminal sends it that keeps to the keyboard protocol which the UI turns
	// on. From others comes plainEsc, which a program that is slow to read takes for the
	// beginning of the next key: the next one may be sent only when the screen has changed.
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
	term.WaitFor("What it is", "esc back")
	term.Type(plainEsc)
	term.WaitGone("What it is")
	term.Resize(40, 10)
	term.WaitGone("Companies")
	term.WaitFor("1 of 42 shares", "Board minutes", "? keys")
	term.Resize(80, 24)
	for _, step := range []struct{ keys, want string }{
		{"2", "25 companies"}, {"3", "Creates a device"}, {"4", "not verified"}, {"5", "entries"}, {"?", "Keys on"}, {esc, "entries"}, {"q", "4 domains"},
	} {
		term.Type(step.keys)
		term.WaitFor(step.want)
	}
	term.Click("enter open")
	term.WaitFor("entries")
	term.Click("Gatehouse ›")
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
func requireRestored(t *testing.T, term *testkit.Terminal) {
	t.Helper()
	raw := string(term.Raw())
	for _, mode := range []string{"\x1b[?1049h", "\x1b[?25l", "\x1b[?2004h", "\x1b[?1002h", "\x1b[?7l", "\x1b[>1u", "\x1b[>4;2m"} {
		if !strings.Contains(raw, mode) {
			t.Errorf("%q was never sent, so that nothing had to be put back", mode)
		}
	}
	if strings.LastIndex(raw, "\x1b[?1049l") < strings.LastIndex(raw, "\x1b[?1049h") {
		t.Error("the alternate screen was not left")
	}
	if strings.LastIndex(raw, "\x1b[?7h") < strings.LastIndex(raw, "\x1b[?7l") {
		t.Error("long lines are still cut")
	}
	if strings.LastIndex(raw, "\x1b[<1u") < strings.LastIndex(raw, "\x1b[>1u") || strings.LastIndex(raw, "\x1b[>4m") < strings.LastIndex(raw, "\x1b[>4;2m") {
		t.Error("the keyboard is still in another mode")
	}
	if strings.LastIndex(raw, "\x1b[?25h") < strings.LastIndex(raw, "\x1b[?25l") {
		t.Error("the cursor is still hidden")
	}
	if strings.LastIndex(raw, "\x1b[?2004l") < strings.LastIndex(raw, "\x1b[?2004h") {
		t.Error("bracketed paste is still on")
	}
	if strings.LastIndex(raw, "\x1b[?1002l") < strings.LastIndex(raw, "\x1b[?1002h") {
		t.Error("the mouse is still on")
	}
}

// colours are the sequences that choose a colour.
var colours = regexp.MustCompile(`\x1b\[(?:[0-9;:]*;)?(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])(?:[;:][0-9;:]*)?m`)

func TestWithoutColourNothingIsColoured(t *testing.T) {
	t.Parallel()
	term, _ := demo(t, 80, 24, "NO_COLOR=1")
	term.WaitFor("E-mail")
	term.Type("ben@harbor.example" + tab + "demo" + enter)
	term.WaitFor("2 domains")
	term.Type(enter)
	term.WaitFor("9 shares")
	if found := colours.Find(term.Raw()); found != nil {
		t.Errorf("a colour: %q", found)
	}
}

func TestAPasswordIsNotShownWhileItIsTyped(t *testing.T) {
	t.Parallel()
	term, _ := demo(t, 80, 24)
	term.WaitFor("E-mail")
	term.Type("ada@harbor.example" + tab)
	for i, key := range "xyzzyq" {
		term.Type(string(key))
		term.WaitFor(strings.Repeat("•", i+1))
		if shown := term.Screen(); strings.Contains(shown, "•"+string(key)) || strings.Contains(shown, "xyz") {
			t.Fatalf("the screen shows it:\n%s", shown)
		}
	}
}

// BenchmarkFirstFrame measures from the start of the process to the sign-in
// form on the screen.
func BenchmarkFirstFrame(b *testing.B) {
	for b.Loop() {
		term, command := demo(b, 120, 40)
		term.WaitFor("E-mail", "Demo accounts")
		b.StopTimer()
		_ = command.Process.Kill()
		_ = term.Wait()
		b.StartTimer()
	}
}

// BenchmarkVersion measures a whole run of the shortest command.
func BenchmarkVersion(b *testing.B) {
	for b.Loop() {
		if out, err := exec.Command(binary, "--version").CombinedOutput(); err != nil || bytes.ContainsRune(out, '\x1b') {
			b.Fatalf("%v: %q", err, out)
		}
	}
}

// What one step down a list may send to the terminal, in bytes: over a slow line
// that is what a person waits for.
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
	term.WaitGone("What it is")
	term.WaitFor("row 1 of")
	stepDown(t, term, 1, 45, mostBytes) // beyond the last line of the screen
}

// stepDown goes from one row to another and checks what a step sends. The first one is not
// counted: something may still come of what was on the screen before.
func stepDown(t *testing.T, term *testkit.Terminal, from, to, most int) {
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
