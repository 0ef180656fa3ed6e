package cli

import (
	"net/http"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

func TestWithoutAHomeDirectoryNothingIsKeptInAnotherPlace(t *testing.T) {
	testkit.SkipOnWindows(t, "HOME")
	for _, home := range []string{"", "relative"} {
		d := fakeDesk(t, http.NotFound)
		t.Setenv("HOME", home)
		t.Setenv("XDG_STATE_HOME", "relative")
		t.Setenv("XDG_CONFIG_HOME", "")
		delete(d.variables, "XDG_CONFIG_HOME")
		got := d.run("whoami")
		if said := strings.Contains(got.stderr, "HOME and XDG_STATE_HOME: not an absolute path"); said != (home != "") {
			t.Errorf("with HOME=%q the relative paths are said: %v\n%s", home, said, got.stderr)
		}
		if got.code != exitUsage || !strings.Contains(got.stderr, "no home directory") || !strings.Contains(got.stderr, "XDG_STATE_HOME") {
			t.Errorf("with HOME=%q: exit code %d\n%s", home, got.code, got.stderr)
		}
		d.variables["GATEHOUSE_STORE"] = "memory"
		if got := d.run("whoami"); got.code != exitSignIn {
			t.Errorf("with the store in memory: exit code %d\n%s", got.code, got.stderr)
		}
		clear(d.variables)
		if got := d.run("whoami"); got.code != exitUsage || !strings.Contains(got.stderr, "no home directory") {
			t.Errorf("without a profile: exit code %d\n%s", got.code, got.stderr)
		}
		if got := d.run("--version"); got.code != exitDone {
			t.Errorf("--version: exit code %d\n%s", got.code, got.stderr)
		}
	}
}
