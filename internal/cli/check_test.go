package cli

import (
	"context"
	"strings"
	"testing"

	"gatehouse/ui"
)

func TestACheckThatMakesNoSenseIsRefusedBeforeAnythingIsAsked(t *testing.T) {
	d := newDesk(t) // which has no service, nor a profile
	d.stdin = "demo"
	for call, want := range map[string]string{
		"":                         "no e-mail address",
		"ada ben --sign-in":        "takes one address only",
		"ada ben --password-stdin": "takes one address only",
		"ada ben --bundle x.zip":   "one person",
		"ada --password-stdin":     "needs `--sign-in`",
		"ada --device-name laptop": "needs the person's password",
		"ada --device-id 1":        "needs the person's password",
		"ada --device-type Pc":     "needs a device",
		"ada --sign-in --device-name a --device-id b":     "cannot be combined",
		"ada --sign-in --device-name a --device-type Toy": "WindowsPhone",
		"ada --domain //harbor.example":                   "--domain: \"//harbor.example\" is not a domain",
		"ada -o yaml":                                     "json, ndjson, csv, xlsx or markdown",
		"ada --bundle " + t.TempDir():                     "not a regular file",
	} {
		got := d.run(append([]string{"check"}, strings.Fields(call)...)...)
		wantCode := exitUsage
		if want == "not a regular file" {
			wantCode = exitFailed
		}
		if got.code != wantCode || !strings.Contains(strings.ToLower(got.stderr), strings.ToLower(want)) || got.stdout != "" {
			t.Errorf("check %s: %+v", call, got)
		}
	}
}

func TestOnlyCheckWritesMarkdown(t *testing.T) {
	d := demoDesk(t)
	if got := d.run("lookup", "ada@harbor.example", "-o", "markdown"); got.code != exitUsage || !strings.Contains(got.stderr, "--output cannot be \"markdown\"") {
		t.Errorf("lookup: %+v", got)
	}
	if got := d.mustRun("check", "ada@harbor.example", "-o", "markdown"); !strings.HasPrefix(got, "**`ada@harbor.example`: ") {
		t.Errorf("check: %s", got)
	}
	if got := d.run("__complete", "check", "-o", "m"); !strings.Contains(got.stdout, "markdown") {
		t.Errorf("check -o offers %s", got.stdout)
	}
	if got := d.run("__complete", "lookup", "-o", ""); strings.Contains(got.stdout, "markdown") {
		t.Errorf("lookup -o offers %s", got.stdout)
	}
}

func TestWithoutAnAddressATerminalGetsTheScreen(t *testing.T) {
	d, began := demoDesk(t), 0
	d.terminal = 80
	d.ui = runsUI(func(_ context.Context, o *ui.Options, _ ui.Opened) error {
		if o.Check {
			began++
		}
		return nil
	})
	if d.mustRun("check"); began != 1 {
		t.Error("the UI does not begin with the check")
	}
	for _, args := range [][]string{{"check", "-o", "json"}, {"check", "--sign-in"}, {"check", "--domain", "harbor.example"}} {
		if got := d.run(args...); began != 1 || got.code == exitDone {
			t.Errorf("%q: %+v", args, got)
		}
	}
	d.ui = nil
	if got := d.run("check"); got.code != exitUsage || !strings.Contains(got.stderr, "No e-mail address given") {
		t.Errorf("without a terminal: %+v", got)
	}
}

func TestWithoutAnAddressLineModeBeginsWithItsCheck(t *testing.T) {
	wants := func(d *desk, args ...string) {
		t.Helper()
		d.stdin = "lena@harbor.example\nback\nback\nquit\n"
		got := d.run(args...)
		question, verdict := strings.Index(got.stdout, "Without signing in, Gatehouse checks the address"), strings.Index(got.stdout, "Fail: Certificate expired")
		if sign := strings.Index(got.stdout, "Sign in."); got.code != exitDone || question < 0 || verdict < question || sign < verdict {
			t.Errorf("%q: exit code %d, %s\n%s", args, got.code, got.stderr, got.stdout)
		}
	}
	wants(demoDesk(t), "check", "--accessible") // no terminal is needed
	d := demoDesk(t)
	d.terminal, d.variables["GATEHOUSE_ACCESSIBLE"] = 80, "1"
	d.ui = func(context.Context, *ui.Options) error { t.Error("the screen was opened"); return nil }
	wants(d, "check")
	d.ui = nil
	if got := d.run("check"); got.code != exitUsage {
		t.Errorf("a script that gives no address: %+v", got)
	}
	if got := d.run("check", "ada@harbor.example", "--accessible", "-o", "table"); got.code != exitDone || !strings.HasPrefix(got.stdout, "ok: No fault seen from outside") {
		t.Errorf("with an address: %+v", got)
	}
}

func TestTheCheckThatIsAdvisedAsksForTheSameDomain(t *testing.T) {
	d := demoDesk(t)
	got := d.run("check", "olaf@harbor.example", "--domain", "minato.example", "-o", "table")
	if !strings.Contains(got.stdout, "check olaf@harbor.example --sign-in --domain minato.example`.\n") {
		t.Error(got.stdout)
	}
}
