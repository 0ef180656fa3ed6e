//go:build linux

package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// desktop makes the tools of a desktop that can be found, and the variables of a
// person at it.
func desktop(t *testing.T, script string, tools ...string) (dir string, lookup func(string) (string, bool)) {
	t.Helper()
	dir = t.TempDir()
	for _, tool := range tools {
		if err := os.WriteFile(filepath.Join(dir, tool), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	variables := map[string]string{"DISPLAY": ":0"}
	return dir, func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}
}

func TestTextReachesTheToolOnItsInputAlone(t *testing.T) {
	dir, lookup := desktop(t, `cat > "$0.text"; echo "$@" > "$0.arguments"`, "xsel")
	if err := desktopClipboard(lookup)(t.Context(), "a secret\n"); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"xsel.text": "a secret\n", "xsel.arguments": "--input --clipboard\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, file)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", file, got, err)
		}
	}
}

// tmux by default drops what a program copies by escape sequence, also over SSH.
func TestInTmuxTextIsGivenToTmux(t *testing.T) {
	dir, _ := desktop(t, `cat > "$0.text"; echo "$@" > "$0.arguments"`, "tmux", "xclip")
	variables := map[string]string{"TMUX": "/tmp/tmux-0/default,1,0", "SSH_TTY": "/dev/pts/1", "DISPLAY": ":0"}
	clipboard := desktopClipboard(func(name string) (string, bool) { value, ok := variables[name]; return value, ok })
	if err := clipboard(t.Context(), "text"); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"tmux.text": "text", "tmux.arguments": "load-buffer -w -\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, file)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", file, got, err)
		}
	}
}

// A tool may stay in the background for hours, and its environment can be read.
func TestAToolIsToldNoSecretOfTheEnvironment(t *testing.T) {
	dir, lookup := desktop(t, `env > "$0.environment"; cat > /dev/null`, "xclip")
	t.Setenv("GATEHOUSE_CLIENT_SECRET", "canary")
	t.Setenv("GATEHOUSE_STORE_PASSPHRASE", "canary")
	t.Setenv("gatehouse_api_key", "canary")
	t.Setenv("XAUTHORITY", "needed")
	if err := desktopClipboard(lookup)(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "xclip.environment"))
	if err != nil || strings.Contains(string(got), "canary") || !strings.Contains(string(got), "XAUTHORITY=needed") {
		t.Errorf("the tool is told %s, %v", got, err)
	}
}

func TestAToolThatHangsIsEnded(t *testing.T) {
	_, lookup := desktop(t, "exec sleep 20", "xclip")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := desktopClipboard(lookup)(ctx, "x"); err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
