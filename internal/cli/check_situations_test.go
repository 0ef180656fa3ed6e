package cli

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"gatehouse/internal/demo"
	"gatehouse/internal/testkit"
)

// situation is a row of the table in docs/demo.md of what `gatehouse check` shows in the demo.
type situation struct{ arguments, shows string }

func situations(t *testing.T) []situation {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "demo.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n| `gatehouse check` | what it shows | verdict |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var all []situation
	for row := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(row, "| \n"), " | ")
		all = append(all, situation{strings.Trim(cells[0], "`"), cells[1]})
	}
	if len(all) < 10 {
		t.Fatalf("docs/demo.md has %d situations", len(all))
	}
	return all
}

// desk is the desk at which a situation shows, and the arguments of the command.
func (s situation) desk(d *desk) (*desk, []string) {
	own := *d
	own.variables = maps.Clone(d.variables)
	args := append([]string{"check"}, strings.Fields(s.arguments)...)
	if slices.Contains(args, "--sign-in") {
		args, own.stdin = append(args, "--password-stdin"), "demo\n"
	}
	if strings.Contains(s.shows, "a password other") {
		own.stdin = "another"
	}
	if _, variable, ok := strings.Cut(s.shows, "the variable `"); ok {
		variable, _, _ = strings.Cut(variable, "`")
		name, value, _ := strings.Cut(variable, "=")
		own.variables[name] = value
	}
	return &own, args
}

// TestTheSituationsOfTheDemo shows the card of each call of the table in docs/demo.md, and holds
// its JSON against the schema. The demo waits where it shows a slow service, so all of them run
// at once.
func TestTheSituationsOfTheDemo(t *testing.T) {
	d, schema, all := demoDesk(t), reportSchema(t), situations(t)
	cards := make([]string, len(all))
	var running errgroup.Group
	running.SetLimit(8) // each has seconds for what it does
	for i, s := range all {
		running.Go(func() error {
			desk, args := s.desk(d)
			requireValid(t, schema, s.arguments, desk.inTime(append(args, "-o", "json")...).stdout)
			return nil
		})
		running.Go(func() error {
			desk, args := s.desk(d)
			card := desk.inTime(append(args, "-o", "table")...)
			cards[i] = "$ gatehouse " + strings.Join(args, " ") + "\n# " + s.shows + ". Exit code " + string('0'+rune(card.code)) + ".\n" + card.stderr + card.stdout
			return nil
		})
	}
	_ = running.Wait()
	testkit.Golden(t, "cli-check-situations", stable(strings.Join(cards, "\n"), d))
}

// tries is how often a check is run on a machine that may be busy with something else.
const tries = 5

// inTime runs a check, and again where the machine did not get to something in time: none of
// the situations is one in which that happens.
func (d *desk) inTime(args ...string) (got outcome) {
	for range tries {
		if got = d.run(args...); !strings.Contains(got.stdout, "not completed in time") {
			break
		}
	}
	return got
}

// varying is what differs from run to run of the demo.
var varying = regexp.MustCompile(`[0-9A-Z]{4}-[0-9A-Z]{4}\b|<?\b\d+ ms|\b\d+\.\d s\b|127\.0\.0\.1:\d+|\b[0-9a-f]{32}\b`)

// stable is a text with the same in place of what differs from run to run: ids, times,
// ports.
func stable(text string, d *desk) string {
	text = strings.ReplaceAll(text, d.now.UTC().Format(time.DateTime), "NOW")
	return varying.ReplaceAllStringFunc(text, func(found string) string {
		switch {
		case strings.HasSuffix(found, "s"):
			return "N ms"
		case strings.HasPrefix(found, "127"):
			return "127.0.0.1:PORT"
		case strings.Contains(found, "-"):
			return "XXXX-XXXX"
		}
		return "DEVICE"
	})
}

func TestAnInterruptedCheckPrintsWhatIsKnown(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	d := fakeDesk(t, func(_ http.ResponseWriter, r *http.Request) {
		interrupt()
		select {
		case <-r.Context().Done():
		case <-t.Context().Done():
		}
	})
	var stdout, stderr bytes.Buffer
	code := Execute(ctx, []string{"check", "ada@x.example", "-o", "table"}, d.environment(&stdout, &stderr))
	for _, want := range []string{"unknown: Check interrupted ada@x.example", "ok profile", "unknown lookup stopped before it was completed", "Tell the user"} {
		if !strings.Contains(testkit.OneBlank(stdout.String()), want) {
			t.Errorf("there is no %q in\n%s", want, &stdout)
		}
	}
	if code != exitFailed || stderr.String() != "Interrupted. Checks that did not complete are unknown.\n" || strings.Contains(stdout.String(), "failed ") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

func TestTheControlNeedsASession(t *testing.T) {
	d := demoDesk(t)
	d.stdin = "demo"
	got := d.run("check", "finn@harbor.example", "--control")
	if got.code != exitSignIn || got.stdout != "" || !strings.Contains(got.stderr, "gatehouse login") {
		t.Errorf("without a session: %+v", got)
	}
	d.login("ada@harbor.example")
	got = d.run("check", "finn@harbor.example", "--control", "-o", "ndjson")
	if got.code != exitDone || !strings.Contains(got.stdout, `{"id":"control","state":"info"`) {
		t.Errorf("with one: %+v", got)
	}
	if got := d.mustRun("whoami"); !strings.Contains(got, "ada@harbor.example") {
		t.Errorf("the session is now %s", got)
	}
}

func TestADeviceLoginSaysBeforeThatItCreatesADevice(t *testing.T) {
	d := demoDesk(t)
	d.person = &person{answers: []string{"demo"}}
	got := d.run("check", "ada@harbor.example", "--sign-in", "--device-name", "front desk\x1b[31m")
	creates, asked := strings.Index(got.stderr, "creates a device named front desk␛[31m"), strings.Index(got.stderr, "Password for ")
	if got.code != exitDone || creates < 0 || asked < creates || !strings.Contains(got.stdout, `"id": "device"`) {
		t.Errorf("%+v", got)
	}
	d.stdin, d.person = "demo", nil
	got = d.run("check", "cleo@harbor.example", "--sign-in", "--password-stdin", "--device-id", demo.KnownDeviceID)
	if got.code != exitDone || strings.Contains(got.stderr, "create") {
		t.Errorf("with a device that exists: %+v", got)
	}
}
