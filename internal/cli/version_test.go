package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheVersionIsOnePlainLine(t *testing.T) {
	got := newDesk(t).run("--version")
	if diff := cmp.Diff(outcome{stdout: thisBuild().String() + "\n"}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
