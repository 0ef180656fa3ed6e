package cli

import (
	"encoding/json"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheVersionIsOnePlainLine(t *testing.T) {
	got := newDesk(t).run("--version")
	if diff := cmp.Diff(outcome{stdout: thisBuild().sentence() + "\n"}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheVersionSaysWhatTheProgramWasBuiltFrom(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	at := debug.BuildSetting{Key: "vcs.time", Value: "2026-03-04T05:06:07Z"}
	modified := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, tc := range []struct {
		name     string
		release  string
		module   string
		settings []debug.BuildSetting
		want     string
	}{
		{"nothing is known", "", "(devel)", nil, "gatehouse devel"},
		{"a commit", "", "", []debug.BuildSetting{revision, at, {Key: "vcs.modified", Value: "false"}}, "gatehouse 0123456789ab (commit 0123456789ab of 2026-03-04T05:06:07Z)"},
		{"files that were changed", "", "", []debug.BuildSetting{revision, at, modified}, "gatehouse 0123456789ab-dirty (commit 0123456789ab of 2026-03-04T05:06:07Z, and changed since)"},
		{"a module", "", "v1.1.0", nil, "gatehouse v1.1.0"},
		{"a release", "v1.2.3", "v1.1.0", []debug.BuildSetting{revision, at}, "gatehouse v1.2.3 (commit 0123456789ab of 2026-03-04T05:06:07Z)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			info := &debug.BuildInfo{Main: debug.Module{Version: tc.module}, Settings: tc.settings}
			if got := buildOf(tc.release, info).sentence(); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestTheVersionAsJSON(t *testing.T) {
	var got map[string]any
	if err := json.Unmarshal([]byte(newDesk(t).mustRun("--version", "-o", "json")), &got); err != nil {
		t.Fatal(err)
	}
	for _, member := range []string{"version", "commit", "time", "modified", "go", "platform"} {
		if _, ok := got[member]; !ok {
			t.Errorf("there is no %s in %v", member, got)
		}
	}
}
