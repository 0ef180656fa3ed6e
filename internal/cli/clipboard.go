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
	// clipboardWaitDelay is how long to wait, after a tool has exited, for a background
	// process it left behind to read the text.
	clipboardWaitDelay = 500 * time.Millisecond
)

// desktopClipboard returns a function that writes to the clipboard of the local desktop
// with that desktop's tool, or in tmux with tmux's. It is nil if there is neither, or no
// tool. lookup looks up an environment variable.
func desktopClipboard(lookup func(string) (string, bool)) func(ctx context.Context, text string) error {
	for _, tool := range clipboardTools(lookup) {
		if path, err := exec.LookPath(tool[0]); err == nil {
			return func(ctx context.Context, text string) error { return writeClipboard(ctx, path, tool[1:], text) }
		}
	}
	return nil
}

// clipboardTools are the commands to try, in order. Those of a desktop are none if the
// person is connected over SSH. There is none for Windows: its terminals take the text by
// escape sequence, and its tool does not handle Unicode.
func clipboardTools(lookup func(string) (string, bool)) [][]string {
	list := [][]string{}
	set := isSet(lookup)
	switch {
	case !atDesktop(lookup):
	case runtime.GOOS == "darwin":
		list = append(list, []string{"pbcopy"})
	default:
		if set("WAYLAND_DISPLAY") {
			list = append(list, []string{"wl-copy"})
		}
		if set("DISPLAY") {
			list = append(list, []string{"xclip", "-in", "-selection", "clipboard"}, []string{"xsel", "--input", "--clipboard"})
		}
	}
	if set("TMUX") { // which drops the escape sequence by default, and passes this on
		list = append(list, []string{"tmux", "load-buffer", "-w", "-"})
	}
	return list
}

// writeClipboard passes the text to a tool on standard input, as other users can see
// arguments. The tool's output is discarded.
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

// ownVariablePrefix is the prefix of the program's own environment variables, some of
// which are secret. A clipboard tool can keep running, with its environment, after the
// program has exited.
const ownVariablePrefix = "GATEHOUSE_"

func withoutOwnVariables(environ []string) []string {
	return slices.DeleteFunc(environ, func(variable string) bool {
		return len(variable) >= len(ownVariablePrefix) && strings.EqualFold(variable[:len(ownVariablePrefix)], ownVariablePrefix)
	})
}
