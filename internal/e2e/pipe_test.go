//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestAReaderThatHasGoneIsAnOrdinaryEnd(t *testing.T) {
	t.Parallel()
	s := newService(t)
	env := s.env(t.TempDir())
	signInYesterday(t, env)
	for _, arguments := range []string{"shares -o ndjson", "shares -o json", "shares -o csv", "shares -o table", "companies --reseller r1 -o json", "token", "whoami", "domains", "--help"} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = reader.Close()
		var messages strings.Builder
		command := exec.CommandContext(t.Context(), binary, strings.Fields(arguments)...)
		command.Env, command.Stdout, command.Stderr = env, writer, &messages
		if err := command.Run(); err != nil || messages.String() != "" {
			t.Errorf("%s: %v, %q", arguments, err, messages.String())
		}
		_ = writer.Close()
	}
}
