//go:build linux

package clipboard_test

import (
	"os"
	"path/filepath"
	"testing"

	"gatehouse/internal/clipboard"
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
	if err := clipboard.Native(lookup)(t.Context(), "a secret\n"); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"xsel.text": "a secret\n", "xsel.arguments": "--input --clipboard\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, file)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", file, got, err)
		}
	}
}

func TestAToolThatFailsIsAnError(t *testing.T) {
	_, lookup := desktop(t, "exit 1", "xclip")
	if err := clipboard.Native(lookup)(t.Context(), "x"); err == nil {
		t.Error("no error")
	}
}

func TestWithoutADesktopThereIsNoClipboard(t *testing.T) {
	_, lookup := desktop(t, "", "xclip", "wl-copy")
	for name, variables := range map[string]map[string]string{
		"no display": {}, "over SSH": {"DISPLAY": ":0", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}, "on a terminal of SSH": {"DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"},
	} {
		if clipboard.Native(func(name string) (string, bool) { value, ok := variables[name]; return value, ok }) != nil {
			t.Errorf("%s: there is a clipboard", name)
		}
	}
	if clipboard.Native(lookup) == nil {
		t.Error("with a display there is none")
	}
}
