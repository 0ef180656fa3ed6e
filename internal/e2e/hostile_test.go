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
	t.Parallel()
	type step struct{ keys, until, gone string }
	signIn := []step{{keys: "", until: "E-mail"}, {keys: "a@b.cd" + tab + "demo" + enter, until: "2 domains"}, {keys: enter, until: "3 Device login"}}
	lists := []step{
		{keys: "", until: "row 1 of 3"}, {keys: "y", until: "Copied"}, {keys: enter, until: "What it is"}, {keys: esc, until: "row 1 of 3"},
		{keys: "e", until: "File"}, {keys: esc, gone: "File"}, {keys: "2", until: "row 1 of 1"},
		{keys: "3", until: "Device name"}, {keys: "4", until: "not verified"}, {keys: "5", until: "entries"},
		{keys: "?", until: "Keys on"}, {keys: esc, gone: "Keys on"}, {keys: "\x10", until: "where to go"}, {keys: esc, gone: "where to go"},
	}
	for name, c := range map[string]struct {
		parrot testkit.Parrot
		steps  []step
	}{
		"in every field":            {testkit.Parrot{Text: everything}, lists},
		"in bytes that are no text": {testkit.Parrot{Text: "\x9b31m\x9d0;x\x9c\xff\u009b31m\u202e\x7f", Way: testkit.Raw}, lists},
		"in errors": {testkit.Parrot{Text: "\u009b31m\u202e\x9b2J", Way: testkit.Refused}, []step{
			{keys: "", until: "✗"}, {keys: "5", until: "entries"}, {keys: enter, until: "Answer"},
		}},
		"where nobody asked": {testkit.Parrot{Text: everything, Way: testkit.Unasked}, []step{{keys: "5", until: "entries"}, {keys: "1", until: "0 shares"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			term := parrot(t, c.parrot)
			for _, s := range append(signIn[:len(signIn):len(signIn)], c.steps...) {
				term.Type(s.keys)
				term.WaitFor(s.until)
				if s.gone != "" {
					term.WaitGone(s.gone)
				}
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
