//go:build unix

package e2e

import (
	"encoding/base64"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"gatehouse/internal/testkit"
)

// signInOverSSH signs in, up to the list of domains.
func signInOverSSH(term *testkit.Terminal, name string) {
	term.WaitFor("Sign in", "E-mail")
	term.Type(name + "@harbor.example" + tab + "demo" + enter)
	term.WaitFor("Gateway", "› Domains", name+"@harbor.example")
}

// requireGone wants the terminal back as it was, and an exit code.
func requireGone(t *testing.T, term *testkit.Terminal, command *exec.Cmd, code int) {
	t.Helper()
	_ = term.Wait()
	if got := command.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d, want %d; the screen is\n%s", got, code, term.Screen())
	}
	raw := string(term.Raw())
	for on, off := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?2004h": "\x1b[?2004l"} {
		if !strings.Contains(raw, on) || strings.LastIndex(raw, off) < strings.LastIndex(raw, on) {
			t.Errorf("%q is not put back by %q", on, off)
		}
	}
}

func TestAPersonBrowsesOverSSH(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, everyone...)
	before := s.goroutines()
	term, command := s.open(100, 30, nil, host)
	term.WaitFor("Sign in", "E-mail", "Demo accounts")
	// The terminal never answers what it is asked at the start, or late and in the
	// middle of what is typed.
	term.Type("ada@harbor")
	term.Type("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
	term.Type(".example" + tab + "demo" + enter)
	term.WaitFor("4 domains", "ada@harbor.example")
	term.Type("\x1a") // ctrl+z: there is no shell to go to
	term.Type(enter)
	term.WaitFor("42 shares", "row 1 of 42")
	term.Resize(60, 12)
	term.WaitFor("row 1 of 42", "? keys")
	term.Resize(120, 40)
	term.WaitFor("42 shares", "Companies")
	term.Type("/board" + enter)
	term.WaitFor("Board minutes", "of 42 shares")
	term.Type("y")
	term.WaitFor("Copied")
	copied := regexp.MustCompile(`\x1b\]52;c;([A-Za-z0-9+/=]+)[\x07\x1b]`).FindSubmatch(term.Raw())
	if copied == nil {
		t.Fatal("nothing was copied")
	}
	if text, err := base64.StdEncoding.DecodeString(string(copied[1])); err != nil || !strings.Contains(string(text), "Board minutes") {
		t.Errorf("%q was copied, %v", text, err)
	}
	term.Type("e") // which writes no file there
	term.WaitFor("Copied 1 share as CSV")
	term.Type("5e")
	term.WaitFor("Copied the listed requests")
	term.Type("\x03")
	requireGone(t, term, command, 0)
	s.requireNoLeak(before)
}

func TestVisitorsDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, everyone...)
	before := s.goroutines()
	ada, adaLeaves := s.open(100, 30, nil, host)
	ben, benLeaves := s.open(100, 30, nil, host)
	signInOverSSH(ada, "ada")
	ben.WaitFor("Sign in", "E-mail")
	ben.Type("ben@harbor.example" + tab + "wrong" + enter)
	ben.WaitFor("password")
	ben.Type(esc + enter)
	ben.Type("demo" + enter)
	ben.WaitFor("2 domains", "ben@harbor.example")
	ada.Type(enter)
	ada.WaitFor("42 shares")
	ada.Type("5")
	ada.WaitFor("entries", "/api/users/")
	if screen := ada.Screen(); strings.Contains(screen, "ben@") || strings.Contains(screen, " 400 ") {
		t.Errorf("what another visitor did is shown:\n%s", screen)
	}
	ada.Type("\x03")
	requireGone(t, ada, adaLeaves, 0)
	ben.Type(enter)
	ben.WaitFor("9 shares", "ben@harbor.example")
	ben.Type("\x03")
	requireGone(t, ben, benLeaves, 0)
	s.requireNoLeak(before)
}

func TestAVisitorWhoIsGoneLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, everyone...)
	before := s.goroutines()
	for range 2 {
		term, command := s.open(100, 30, nil, host)
		signInOverSSH(term, "gus")
		term.Type(enter)
		term.WaitUntil("a list that comes, or has come", func(screen string) bool {
			return strings.Contains(screen, "loading") || strings.Contains(screen, "row 1 of")
		})
		if err := command.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = term.Wait()
	}
	s.requireNoLeak(before)
}

func TestTheVariablesOfAVisitorDecideTheColours(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, []string{"COLORTERM=truecolor", "NO_COLOR="}, everyone...)
	for variable, colour := range map[string]string{"COLORTERM=": "38;5;", "COLORTERM=truecolor": "38;2;", "NO_COLOR=1": ""} {
		term, command := s.open(100, 30, []string{variable}, "-o", "SendEnv=COLORTERM NO_COLOR", host)
		term.WaitFor("Sign in", "E-mail")
		term.Type("\x03")
		requireGone(t, term, command, 0)
		if raw := string(term.Raw()); !strings.Contains(raw, colour) || colour == "" && colours.MatchString(raw) {
			t.Errorf("%s: no %q, or a colour: %q", variable, colour, colours.FindString(raw))
		}
	}
}

func TestAServerThatEndsSaysSoAndLetsFinish(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, append(everyone, "--grace", "5m")...)
	term, command := s.open(100, 30, nil, host)
	signInOverSSH(term, "ada")
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	term.WaitFor("The server is shutting down")
	if got := s.run("", host, "--", "--version"); got.code != 255 {
		t.Errorf("a new visitor gets in: %+v", got)
	}
	term.Type(enter)
	term.WaitFor("42 shares", "The server is shutting down")
	term.Type("\x03")
	requireGone(t, term, command, 0)
	<-s.ended
}

func TestASecondInterruptOfAServerSendsVisitorsHomeAtOnce(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, append(everyone, "--grace", "1h")...)
	term, command := s.open(100, 30, nil, host)
	signInOverSSH(term, "ada")
	interrupt := func() {
		if err := s.process.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	interrupt()
	term.WaitFor("shutting down")
	interrupt()
	_ = term.Wait()
	requireGone(t, term, command, command.ProcessState.ExitCode())
	<-s.ended
}
