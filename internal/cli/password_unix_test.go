//go:build unix

package cli

import (
	"strings"
	"testing"

	"github.com/creack/pty"
)

func TestAPasswordIsNotReadFromATerminalThatWouldShowIt(t *testing.T) {
	person, program, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = person.Close(); _ = program.Close() })
	d := demoDesk(t)
	var stdout, stderr strings.Builder
	env := d.environment(&stdout, &stderr) // standard error is no terminal, so nobody can be asked
	env.Stdin = program
	code := Execute(t.Context(), []string{"login", "--username", "ada@harbor.example", "--password-stdin"}, env)
	if code != exitUsage || !strings.Contains(stderr.String(), "Standard input is a terminal") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}
