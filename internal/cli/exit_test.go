package cli

import (
	"bytes"
	"strings"
	"testing"
)

func TestAPanicOfACommandIsToldWithoutWhatItSays(t *testing.T) {
	var stdout, stderr bytes.Buffer
	env := newDesk(t).environment(&stdout, &stderr)
	env.LookupEnv = func(string) (string, bool) { panic("canary") }
	if code := Execute(t.Context(), []string{"whoami"}, env); code != exitFailed || stdout.Len() > 0 {
		t.Errorf("exit code %d, stdout %q", code, &stdout)
	}
	if said := stderr.String(); !strings.Contains(said, "because of a bug") || !strings.Contains(said, "_test.go:") || strings.Contains(said, "canary") || strings.Contains(said, "goroutine") {
		t.Errorf("it says %q", said)
	}
}
