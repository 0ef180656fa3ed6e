//go:build unix

package e2e

import (
	"strings"
	"syscall"
	"testing"

	"gatehouse/internal/testkit"
)

// TestAPersonIsWhereTheyWereAtTheNextConnection has somebody tick the box, and come back after
// they have left, after the server has sent them home, and when they have had it forgotten.
func TestAPersonIsWhereTheyWereAtTheNextConnection(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	var variables []string
	for _, variable := range demoService(t) {
		if strings.HasPrefix(variable, "GATEHOUSE_") {
			variables = append(variables, variable)
		}
	}
	kept, ada := newKept(t), sshKey(t)
	args := kept.args("--authorized-keys", authorize(t, ada), "--grace", "300ms")
	s := serveSSH(t, variables, args...)
	term, command := s.open(100, 30, nil, "-i", ada, host)
	term.WaitFor("Sign in", "E-mail", "[ ] Keep me signed in for this key", fingerprintOf(t, ada))
	term.Type("ada@harbor.example" + tab + "demo" + tab + " ")
	term.WaitFor("[x] Keep me signed in")
	term.Type(enter)
	term.WaitFor("4 domains", "ada@harbor.example")
	term.Type(enter)
	term.WaitFor("42 shares", "row 1 of 42")
	term.Type("/board" + enter)
	term.WaitFor("Board minutes", "of 42 shares")
	term.Type("\x03")
	requireGone(t, term, command, 0)
	s.stopNow()

	back := func(texts ...string) *testkit.Terminal {
		t.Helper()
		s = serveSSH(t, variables, args...)
		term, command = s.open(100, 30, nil, "-i", ada, host)
		term.WaitFor(texts...)
		if raw := string(term.Raw()); strings.Contains(raw, "E-mail") || strings.Contains(raw, "Password") {
			t.Errorf("the form was shown:\n%q", raw)
		}
		return term
	}
	term = back("Board minutes", "of 42 shares")
	term.Type(esc) // the filter
	term.WaitFor("row 1 of 42")
	term.Type("4")
	term.WaitFor("not verified")
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil { // while somebody is there
		t.Fatal(err)
	}
	_ = term.Wait()
	<-s.ended

	term = back("not verified", "harbor.example › Token")
	term.Type("F")
	term.WaitFor("Forget the kept session?")
	term.Type("y")
	term.WaitFor("The kept session is forgotten")
	if got := s.run("", "-i", ada, host, "whoami"); got.code != 3 || got.stdout != "" {
		t.Errorf("after it was forgotten: %+v\n%s", got, term.Screen())
	}
	term.Type("1")
	term.WaitFor("42 shares", "ada@harbor.example")
	term.Type("\x03")
	requireGone(t, term, command, 0)
	form, _ := s.open(100, 30, nil, "-i", ada, host)
	form.WaitFor("Sign in", "E-mail")
}

// TestTheCompaniesComeBackAsSoonAsTheirKeyIsTyped has somebody leave a list whose key is kept
// nowhere.
func TestTheCompaniesComeBackAsSoonAsTheirKeyIsTyped(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	const apiKey = "demo-reseller-key"
	var variables []string
	for _, variable := range demoService(t) {
		if strings.HasPrefix(variable, "GATEHOUSE_") {
			variables = append(variables, variable)
		}
	}
	ada := sshKey(t)
	s := serveSSH(t, variables, newKept(t).args("--authorized-keys", authorize(t, ada))...)
	term, command := s.open(100, 30, nil, "-i", ada, host)
	term.WaitFor("E-mail", "[ ] Keep me signed in")
	term.Type("ada@harbor.example" + tab + "demo" + tab + " " + enter)
	term.WaitFor("4 domains")
	term.Type(enter)
	term.WaitFor("row 1 of 42")
	term.Type("2")
	term.WaitFor("Reseller id", "API key")
	term.Type(apiKey + enter)
	term.WaitFor("25 companies")
	term.Type("/an" + enter)
	term.WaitFor("of 25 companies", "row 1 of")
	term.Type("j")
	term.WaitFor("row 2 of")
	term.Type("s")
	term.WaitFor("Name ▲")
	before := selectedRow(t, term.Screen())
	term.Type("\x03")
	requireGone(t, term, command, 0)

	term, command = s.open(100, 30, nil, "-i", ada, host)
	term.WaitFor("from your last visit", "Reseller id", "API key")
	term.Type(apiKey + enter)
	term.WaitFor("of 25 companies", "Name ▲", "/ an", before)
	if got := selectedRow(t, term.Screen()); got != before {
		t.Errorf("the row is %q, want %q", got, before)
	}
	term.Type("\x03")
	requireGone(t, term, command, 0)
}

// selectedRow is the line of a screen that the cursor is on.
func selectedRow(t *testing.T, screen string) string {
	t.Helper()
	for line := range strings.Lines(screen) {
		if row, is := strings.CutPrefix(strings.TrimSpace(line), "▌"); is {
			return strings.TrimSpace(row)
		}
	}
	t.Fatalf("there is no cursor in\n%s", screen)
	return ""
}
