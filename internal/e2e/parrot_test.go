//go:build unix

package e2e

import (
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// everything is one text of all that a terminal would obey.
var everything = strings.Join(testkit.HostileTexts()[2:11], " ")

// parrot starts the program on a terminal, with a service that repeats a text.
func parrot(t *testing.T, p testkit.Parrot) *testkit.Terminal {
	t.Helper()
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	command := exec.Command(binary)
	command.Env = append(home(t), "GATEHOUSE_STORE=memory", "TERM=xterm-256color")
	for name, value := range p.Variables(server.URL) {
		command.Env = append(command.Env, name+"="+value)
	}
	return testkit.StartTerminal(t, command, 100, 30)
}

func TestATerminalGetsOnlyWhatTheProgramSends(t *testing.T) {
	type step struct{ keys, until string }
	signIn := []step{{"", "E-mail"}, {"a@b.cd" + tab + "demo" + enter, "2 domains"}, {enter, "3 Device login"}}
	lists := []step{
		{"", "row 1 of 3"}, {"y", "Copied"}, {enter, "{5}"}, {esc, "row 1 of 3"}, {"e", "Format"}, {esc, "row 1 of 3"}, {"2", "row 1 of 1"},
		{"3", "Device name"}, {esc, "edit"}, {"4", "not verified"}, {"5", "entries"}, {"?", "Keys on"}, {esc, "entries"}, {"\x10", "go to:"}, {esc, "entries"},
	}
	refused := []step{{"", "✗"}, {"5", "entries"}, {enter, "Answer"}}
	for name, c := range map[string]struct {
		parrot testkit.Parrot
		steps  []step
	}{
		"in every field":            {testkit.Parrot{Text: everything}, lists},
		"in bytes that are no text": {testkit.Parrot{Text: "\x9b31m\x9d0;x\x9c\xff\u009b31m\u202e\x7f", Way: testkit.Raw}, lists},
		"in errors":                 {testkit.Parrot{Text: "\u009b31m\u202e\x9b2J", Way: testkit.Refused}, refused},
		"in the place of HTTP":      {testkit.Parrot{Text: everything, Way: testkit.Wire}, []step{{"5", "entries"}}},
		"in a redirect":             {testkit.Parrot{Text: "http://other.example/\u202e\x9b2J", Way: testkit.Redirect}, refused},
		"where nobody asked":        {testkit.Parrot{Text: everything, Way: testkit.Unasked}, []step{{"5", "entries"}, {"1", "0 shares"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			term := parrot(t, c.parrot)
			for _, s := range append(signIn[:len(signIn):len(signIn)], c.steps...) {
				term.Type(s.keys)
				term.WaitFor(s.until)
			}
			term.Type("\x03")
			if err := term.Wait(); err != nil {
				t.Error(err)
			}
			stream := string(term.Raw())
			if err := testkit.CheckStream(stream); err != nil {
				t.Error(err)
			}
			if strings.Contains(stream, "Unsolicited") {
				t.Error("a library wrote over the screen")
			}
		})
	}
}
