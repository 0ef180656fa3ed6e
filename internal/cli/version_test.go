package cli

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheVersionIsOnePlainLine(t *testing.T) {
	got := newDesk(t).run("--version")
	if diff := cmp.Diff(outcome{stdout: thisBuild().sentence() + "\n"}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
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
