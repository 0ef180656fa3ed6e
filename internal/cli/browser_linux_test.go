package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnAddressReachesTheBrowserAsOneArgument(t *testing.T) {
	dir, lookup := desktop(t, `for argument; do echo "<$argument>"; done > "$0.arguments"; env > "$0.environment"`, "xdg-open")
	t.Setenv("GATEHOUSE_CLIENT_SECRET", "canary")
	const address = "https://harbor.example/a?b=c;touch%20x&d=$(id)"
	if err := desktopBrowser(lookup)(address); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "xdg-open.arguments")); err != nil || string(got) != "<"+address+">\n" {
		t.Errorf("it was given %q, %v", got, err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "xdg-open.environment")); err != nil || strings.Contains(string(got), "canary") {
		t.Errorf("its environment holds a secret, or cannot be read: %v", err)
	}
}
