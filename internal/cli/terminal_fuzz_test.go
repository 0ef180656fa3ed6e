package cli

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
)

// FuzzCommands lets a service say any bytes in any field, and looks at what every
// command writes of it, to a terminal and to a pipe.
func FuzzCommands(f *testing.F) {
	for i, text := range testkit.HostileTexts() {
		f.Add(text, byte(i%2)) // spelled or raw
	}
	for way := testkit.Refused; int(way) < testkit.Ways; way++ {
		f.Add("\x1b[2J\u202e\u009b31m \x9b \u200b", byte(way))
	}
	f.Fuzz(func(t *testing.T, text string, way byte) {
		if len(text) > 4<<10 {
			return // long texts have tests of their own
		}
		p := testkit.Parrot{Text: text, Way: testkit.Way(way % byte(testkit.Ways))}
		if p.Way == testkit.Wire {
			return // a dropped connection is tried again after a while
		}
		runParrot(t, p)
	})
}

// conversation goes through the accessible UI: shares, companies, a device login,
// the token's claims, the activity.
const conversation = "a@b.cd\ndemo\n1\n1\nnext\n1\nback\n2\n\n1\nback\n3\na@b.cd\n1\nlaptop\n\n\ndemo\nback\nback\n1\n4\n1\nback\n5\nquit\n"

func runParrot(t *testing.T, p testkit.Parrot) {
	server := httptest.NewServer(p)
	defer server.Close()
	d := newDesk(t)
	maps.Copy(d.variables, p.Variables(server.URL))
	maps.Copy(d.variables, map[string]string{"GATEHOUSE_STORE": "file", "GATEHOUSE_STORE_PASSPHRASE": "a long passphrase"})
	d.stdin = "demo\n"
	requireLines(t, "login", d.run("login", "--email", "a@b.cd", "--password-stdin").stderr)
	for _, args := range [][]string{
		{"whoami"}, {"domains"}, {"shares"}, {"companies"}, {"lookup", "a@b.cd"}, {"device-login", "--email", "a@b.cd", "--device-name", "x", "--password-stdin"},
	} {
		for _, form := range formats {
			run := func(terminal int) outcome {
				d.stdin, d.terminal = "demo\n", terminal
				got := d.run(append(args, "-o", form)...)
				requireLines(t, args[0]+" "+form+", messages", got.stderr)
				return got
			}
			shown, piped := run(60), run(0)
			requireLines(t, args[0]+" "+form+" on a terminal", shown.stdout)
			if shown.code != piped.code {
				t.Errorf("%s %s: exit codes %d and %d", args[0], form, shown.code, piped.code)
			}
			if piped.code == exitDone {
				requireForm(t, args[0], form, shown.stdout, piped.stdout)
			}
		}
	}
	d.stdin, d.terminal = conversation, 80
	got := d.run("--accessible")
	requireLines(t, "the conversation", got.stdout)
	requireLines(t, "the conversation's messages", got.stderr)
}

// requireForm checks what goes to a pipe, and that a terminal gets the same value.
func requireForm(t *testing.T, what, form, shown, piped string) {
	t.Helper()
	switch form {
	case lists.AsTable.Name:
		requireLines(t, what+" as a table in a pipe", piped)
	case lists.AsCSV.Name:
		if _, err := csv.NewReader(strings.NewReader(piped)).ReadAll(); err != nil {
			t.Errorf("%s: %v in %q", what, err, piped)
		}
	case lists.AsNDJSON.Name:
		pipedLines, shownLines := strings.Split(piped, "\n"), strings.Split(shown, "\n")
		if len(pipedLines) != len(shownLines) {
			t.Fatalf("%s: %d lines, and %d on a terminal", what, len(pipedLines), len(shownLines))
		}
		for i, line := range pipedLines[:len(pipedLines)-1] {
			requireForm(t, what, lists.AsJSON.Name, shownLines[i], line)
		}
	case lists.AsJSON.Name:
		var a, b any
		if err := json.Unmarshal([]byte(piped), &a); err != nil {
			t.Fatalf("%s: %v in %q", what, err, piped)
		}
		if err := json.Unmarshal([]byte(shown), &b); err != nil {
			t.Fatalf("%s on a terminal: %v in %q", what, err, shown)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s has another value on a terminal (-piped +shown):\n%s", what, diff)
		}
	}
}

func requireLines(t *testing.T, what, text string) {
	t.Helper()
	own := strings.NewReplacer("\r\n", "\n", "\x1b[1m", "", "\x1b[m", "") // line ends of CSV, bold headings
	if err := testkit.CheckText(own.Replace(text)); err != nil {
		t.Errorf("%s: %v\n%q", what, err, text)
	}
}
