package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheVersionIsOnePlainLine(t *testing.T) {
	got := newDesk(t).run("--version")
	if diff := cmp.Diff(outcome{stdout: thisBuild().String() + "\n"}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := string(jsonLine(thisBuild())) + "\n"
	if got := newDesk(t).mustRun("--version", "-o", "json"); got != want || !strings.Contains(want, `"modified":`) {
		t.Errorf("as JSON: %s, want %s", got, want)
	}
}
