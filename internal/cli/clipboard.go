package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

const (
	// clipboardTimeout is how long a tool may take.
	clipboardTimeout = 2 * time.Second
	// clipboardWaitDelay is how long the text is still offered to what a tool has left in
	// the background, after it has ended.
	clipboardWaitDelay = 500 * time.Millisecond
)

// desktopClipboard returns what writes to the clipboard of the desktop that the program
// runs on, through the tool that the desktop has for it, or nil where there is none: no
// desktop, no tool, or a person who sits at another machine. lookup looks an
// environment variable up.
func desktopClipboard(lookup func(string) (string, bool)) func(ctx context.Context, text string) error {
	set := func(name string) bool {
		value, _ := lookup(name)
		return value != ""
	}
	if set("SSH_CONNECTION") || set("SSH_TTY") {
		return nil
	}
	for _, tool := range clipboardTools(set) {
		if path, err := exec.LookPath(tool[0]); err == nil {
			return func(ctx context.Context, text string) error { return writeClipboard(ctx, path, tool[1:], text) }
		}
	}
	return nil
}

// clipboardTools are the commands to try. There is none for Windows, whose terminals take
// text themselves and whose tool knows no Unicode.
func clipboardTools(set func(string) bool) [][]string {
	list := [][]string{}
	if runtime.GOOS == "darwin" {
		return append(list, []string{"pbcopy"})
	}
	if set("WAYLAND_DISPLAY") {
		list = append(list, []string{"wl-copy"})
	}
	if set("DISPLAY") {
		list = append(list, []string{"xclip", "-in", "-selection", "clipboard"}, []string{"xsel", "--input", "--clipboard"})
	}
	return list
}

// writeClipboard gives the text to a tool on its standard input: arguments can be read by
// everybody. What the tool says is not read.
func writeClipboard(ctx context.Context, path string, args []string, text string) error {
	ctx, cancel := context.WithTimeout(ctx, clipboardTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, path, args...)
	command.Stdin = strings.NewReader(text)
	command.Env = withoutOwnVariables(os.Environ())
	command.WaitDelay = clipboardWaitDelay
	if err := command.Run(); err != nil {
		return fmt.Errorf("copy with %s: %w", path, err)
	}
	return nil
}

// ownVariablePrefix begins the names of the program's own variables, some of which are
// secret. A tool that keeps the clipboard lives on with its environment.
const ownVariablePrefix = "GATEHOUSE_"

func withoutOwnVariables(environ []string) []string {
	return slices.DeleteFunc(environ, func(variable string) bool {
		return len(variable) >= len(ownVariablePrefix) && strings.EqualFold(variable[:len(ownVariablePrefix)], ownVariablePrefix)
	})
}
