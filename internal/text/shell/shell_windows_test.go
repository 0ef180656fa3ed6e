package shell

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A command that is typed is no line of a file: cmd reads % in another way there.
func TestCmdPassesTheWordsOn(t *testing.T) {
	words := slices.Sorted(maps.Values(awkward))
	command := exec.CommandContext(t.Context(), "cmd")
	line := Cmd.Join(append([]string{os.Args[0]}, words...)...)
	command.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /d /s /c "` + line + `"`}
	command.Env = append(os.Environ(), "SHELL_TEST_SHOW=arguments")
	out, err := command.Output()
	got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if diff := cmp.Diff(words, got); err != nil || diff != "" {
		t.Errorf("%s: %v (-want +got):\n%s", line, err, diff)
	}
}

// TestTheShellAboveIsFound asks a process that cmd has started.
func TestTheShellAboveIsFound(t *testing.T) {
	got := interpreterOf(t, Cmd).run(t, "shell", "@"+Cmd.Join(os.Args[0])+"\r\n")
	if want := []string{string(Cmd)}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
