//go:build linux

package clipboard_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/clipboard"
)

// A tool may stay in the background for hours, and its environment can be read.
func TestAToolIsToldNoSecretOfTheEnvironment(t *testing.T) {
	dir, lookup := desktop(t, `env > "$0.environment"; cat > /dev/null`, "xclip")
	t.Setenv("GATEHOUSE_CLIENT_SECRET", "canary")
	t.Setenv("GATEHOUSE_STORE_PASSPHRASE", "canary")
	t.Setenv("gatehouse_api_key", "canary")
	t.Setenv("XAUTHORITY", "needed")
	if err := clipboard.Native(lookup)(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "xclip.environment"))
	if err != nil || strings.Contains(string(got), "canary") || !strings.Contains(string(got), "XAUTHORITY=needed") {
		t.Errorf("the tool is told %s, %v", got, err)
	}
}

// What a tool leaves in the background holds its input open, and reads nothing.
func TestAToolThatLeavesAnotherBehindIsNotWaitedFor(t *testing.T) {
	_, lookup := desktop(t, "exec 3<&0\nsleep 20 <&3 >/dev/null 2>&1 &\nexit 0", "xclip")
	copied := make(chan error, 1)
	go func() { copied <- clipboard.Native(lookup)(t.Context(), strings.Repeat("x", 1<<20)) }()
	select {
	case err := <-copied:
		if err == nil {
			t.Error("a text that nobody read is said to be copied")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it is still waited for")
	}
}

func TestAToolThatHangsIsEnded(t *testing.T) {
	_, lookup := desktop(t, "exec sleep 20", "xclip")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := clipboard.Native(lookup)(ctx, "x"); err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestWhatAToolSaysIsNotTold(t *testing.T) {
	_, lookup := desktop(t, `cat; cat >&2; echo canary; echo canary >&2; exit 1`, "xclip")
	if err := clipboard.Native(lookup)(t.Context(), "canary"); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("got %v", err)
	}
}
