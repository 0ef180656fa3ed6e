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

// lookupEnv looks up an environment variable.
type lookupEnv = func(string) (string, bool)

const (
	// clipboardTimeout is how long a tool may take.
	clipboardTimeout = 2 * time.Second
	// clipboardWaitDelay is how long to wait, after a tool has exited, for a background
	// process it left behind to read the text.
	clipboardWaitDelay = 500 * time.Millisecond
)

// desktopClipboard returns a function that writes to the clipboard of the local desktop
// with that desktop's tool, or in tmux with tmux's. It is nil if there is neither, or no
// tool. Over SSH the tools of a desktop are left out. Windows has none: its terminals take
// the text by escape sequence, and its own tool breaks Unicode.
func desktopClipboard(lookup lookupEnv) func(ctx context.Context, text string) error {
	var tools [][]string
	switch {
	case !atDesktop(lookup):
	case runtime.GOOS == "darwin":
		tools = append(tools, []string{"pbcopy"})
	default:
		if isSet(lookup, "WAYLAND_DISPLAY") {
			tools = append(tools, []string{"wl-copy"})
		}
		if isSet(lookup, "DISPLAY") {
			tools = append(tools, []string{"xclip", "-in", "-selection", "clipboard"}, []string{"xsel", "--input", "--clipboard"})
		}
	}
	if isSet(lookup, "TMUX") { // which drops the escape sequence by default, and passes this on
		tools = append(tools, []string{"tmux", "load-buffer", "-w", "-"})
	}
	tool := firstInstalled(tools)
	if tool == nil {
		return nil
	}
	return func(ctx context.Context, text string) error {
		ctx, cancel := context.WithTimeout(ctx, clipboardTimeout)
		defer cancel()
		command := exec.CommandContext(ctx, tool[0], tool[1:]...)
		command.Stdin = strings.NewReader(text) // other users can see arguments
		command.WaitDelay = clipboardWaitDelay
		return runTool(command)
	}
}

// desktopBrowser returns a function that opens an https address in the browser of the
// local desktop. It is nil if there is no desktop or no command for it, or if the person
// is connected over SSH. No command goes through a shell. The function returns when the
// command ends, which may be when the browser does: it has no time limit.
func desktopBrowser(lookup lookupEnv) func(address string) error {
	var commands [][]string
	switch {
	case !atDesktop(lookup):
	case runtime.GOOS == "darwin":
		commands = [][]string{{"open"}}
	case runtime.GOOS == "windows":
		commands = [][]string{{"rundll32.exe", "url.dll,FileProtocolHandler"}}
	case isSet(lookup, "WAYLAND_DISPLAY"), isSet(lookup, "DISPLAY"):
		commands = [][]string{{"xdg-open"}}
	}
	tool := firstInstalled(commands)
	if tool == nil {
		return nil
	}
	return func(address string) error {
		return runTool(exec.Command(tool[0], append(tool[1:len(tool):len(tool)], address)...))
	}
}

// firstInstalled is the first command that is there, with the path of its program; nil for none.
func firstInstalled(commands [][]string) []string {
	for _, command := range commands {
		if path, err := exec.LookPath(command[0]); err == nil {
			return append([]string{path}, command[1:]...)
		}
	}
	return nil
}

// runTool runs a tool of the desktop without the program's own variables, some of which are
// secret: a tool can keep running, with its environment, after the program has exited.
func runTool(command *exec.Cmd) error {
	const own = "GATEHOUSE_"
	command.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return len(variable) >= len(own) && strings.EqualFold(variable[:len(own)], own)
	})
	if err := command.Run(); err != nil {
		return fmt.Errorf("run %s: %w", command.Path, err)
	}
	return nil
}

// isSet reports whether an environment variable has a value.
func isSet(lookup lookupEnv, name string) bool {
	value, _ := lookup(name)
	return value != ""
}

// atDesktop reports whether the person may be at the desktop of this machine: not if they
// are connected over SSH.
func atDesktop(lookup lookupEnv) bool {
	return !isSet(lookup, "SSH_CONNECTION") && !isSet(lookup, "SSH_TTY")
}
