package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// withoutBus is the environment of somebody with no session bus who asks for no
// store, and has a program that would start a bus.
func withoutBus(t testing.TB) (env []string, started string) {
	t.Helper()
	home := t.TempDir()
	started = filepath.Join(home, "started")
	launcher := "#!/bin/sh\ntouch '" + started + "'\n"
	if err := os.WriteFile(filepath.Join(home, "dbus-launch"), []byte(launcher), 0o700); err != nil {
		t.Fatal(err)
	}
	env = newService(t).env(home)
	for i, variable := range env {
		if strings.HasPrefix(variable, "GATEHOUSE_STORE=") {
			env[i] = "PATH=" + home + ":/usr/bin:/bin"
		}
	}
	return env, started
}

func TestWithoutASessionBusNoneIsStarted(t *testing.T) {
	env, started := withoutBus(t)
	if got := gatehouse(t, env, "", "whoami"); got.code != 3 || got.stdout != "" {
		t.Errorf("whoami: %+v", got)
	}
	if _, err := os.Stat(started); !os.IsNotExist(err) {
		t.Errorf("a bus was started: %v", err)
	}
}

// A start takes a few hundredths of a second; a second is the limit.
func BenchmarkStartWithoutASessionBus(b *testing.B) {
	env, _ := withoutBus(b)
	for b.Loop() {
		command := exec.CommandContext(b.Context(), binary, "whoami")
		command.Env = env
		if err := command.Run(); command.ProcessState.ExitCode() != 3 {
			b.Fatal(err)
		}
	}
}
