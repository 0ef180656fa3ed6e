//go:build unix

package e2e

import (
	"encoding/base64"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// signInOverSSH signs in, up to the list of domains.
func signInOverSSH(term *terminal, name string) {
	term.WaitFor("Sign in", "E-mail")
	term.Type(name + "@harbor.example" + tab + "demo" + enter)
	term.WaitFor("Gateway", "› Domains", name+"@harbor.example")
}

// requireGone wants the terminal back as it was, and an exit code.
func requireGone(t *testing.T, term *terminal, command *exec.Cmd, code int) {
	t.Helper()
	_ = term.Wait()
	if got := command.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d, want %d; the screen is\n%s", got, code, term.Screen())
	}
	requireRestored(t, term)
}

// Two people browse at the same time. One of them loses the connection in the middle of a list.
func TestPeopleBrowseOverSSH(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, everyone...)
	before := s.goroutines()
	ada, adaLeaves := s.open(100, 30, host)
	gus, gusBreaks := s.open(100, 30, host)
	signInOverSSH(gus, "gus")
	ada.WaitFor("Sign in", "E-mail", "Demo accounts")
	// The terminal answers late what it was asked at the start, in the middle of what is typed.
	ada.Type("ada@harbor")
	ada.Type("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
	ada.Type(".example" + tab + "demo" + enter)
	ada.WaitFor("4 domains", "ada@harbor.example")
	ada.Type("\x1a") // ctrl+z: there is no shell to go to
	ada.Type(enter)
	ada.WaitFor("42 shares", "row 1 of 42")
	ada.Resize(60, 12)
	ada.WaitFor("row 1 of 42", "? keys")
	ada.Resize(120, 40)
	ada.WaitFor("42 shares", "Companies")
	ada.Type("/board" + enter)
	ada.WaitFor("Board minutes", "of 42 shares")
	ada.Type("y")
	ada.WaitFor("Copied")
	copied := regexp.MustCompile(`\x1b\]52;c;([A-Za-z0-9+/=]+)[\x07\x1b]`).FindSubmatch(ada.Raw())
	if copied == nil {
		t.Fatal("nothing was copied")
	}
	if text, err := base64.StdEncoding.DecodeString(string(copied[1])); err != nil || !strings.Contains(string(text), "Board minutes") {
		t.Errorf("%q was copied, %v", text, err)
	}
	ada.Type("e") // it writes no file there
	ada.WaitFor("Copied 1 share as CSV")
	gus.Type(enter)
	gus.WaitUntil("a list that comes, or has come", func(screen string) bool {
		return strings.Contains(screen, "loading") || strings.Contains(screen, "row 1 of")
	})
	ada.Type("5")
	ada.WaitFor("entries", "/api/users/")
	if screen := ada.Screen(); strings.Contains(screen, "gus@") {
		t.Errorf("what another visitor did is shown:\n%s", screen)
	}
	if err := gusBreaks.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = gus.Wait()
	ada.Type("\x03")
	requireGone(t, ada, adaLeaves, 0)
	s.requireNoLeak(before)
}

// colours are the sequences that choose a colour.
var colours = regexp.MustCompile(`\x1b\[(?:[0-9;:]*;)?(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])(?:[;:][0-9;:]*)?m`)

func TestTheVariablesOfAVisitorDecideTheColours(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, []string{"COLORTERM=truecolor", "NO_COLOR="}, everyone...)
	for variable, colour := range map[string]string{"COLORTERM=": "38;5;", "COLORTERM=truecolor": "38;2;", "NO_COLOR=1": ""} {
		command := s.client("-o", "SendEnv=COLORTERM NO_COLOR", host)
		command.Env = append(command.Env, variable)
		term := startTerminal(t, command, 100, 30)
		term.WaitFor("Sign in", "E-mail")
		term.Type("\x03")
		requireGone(t, term, command, 0)
		if raw := string(term.Raw()); !strings.Contains(raw, colour) || colour == "" && colours.MatchString(raw) {
			t.Errorf("%s: no %q, or a colour: %q", variable, colour, colours.FindString(raw))
		}
	}
}

func TestAServerThatEndsLetsVisitorsFinishUntilASecondInterrupt(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, append(everyone, "--grace", "1h")...)
	leaves, leaving := s.open(100, 30, host)
	stays, staying := s.open(100, 30, host)
	signInOverSSH(leaves, "ada")
	signInOverSSH(stays, "ada")
	interrupt := func() {
		if err := s.process.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	interrupt()
	leaves.WaitFor("The server is shutting down")
	if got := s.run("", host, "--", "--version"); got.code != 255 {
		t.Errorf("a new visitor gets in: %+v", got)
	}
	leaves.Type(enter)
	leaves.WaitFor("42 shares", "The server is shutting down")
	leaves.Type("\x03")
	requireGone(t, leaves, leaving, 0)
	interrupt()
	_ = stays.Wait()
	requireGone(t, stays, staying, staying.ProcessState.ExitCode())
	<-s.ended
}
