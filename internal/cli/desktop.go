package cli

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// desktopTools returns the commands, with their arguments, that write to the clipboard of the local
// desktop, and those that open its browser, the best first. Over SSH there is only that of tmux.
// Windows has none for the clipboard: its terminals take the text from an escape sequence, and its
// own tool breaks Unicode.
func desktopTools(lookup func(string) (string, bool)) (clipboard, browser [][]string) {
	isSet := func(name string) bool {
		value, _ := lookup(name)
		return value != ""
	}
	wayland, x11 := isSet("WAYLAND_DISPLAY"), isSet("DISPLAY")
	switch {
	case isSet("SSH_CONNECTION") || isSet("SSH_TTY"):
	case runtime.GOOS == "darwin":
		clipboard, browser = [][]string{{"pbcopy"}}, [][]string{{"open"}}
	case runtime.GOOS == "windows":
		browser = [][]string{{"rundll32.exe", "url.dll,FileProtocolHandler"}}
	case wayland || x11:
		browser = [][]string{{"xdg-open"}}
		if wayland {
			clipboard = append(clipboard, []string{"wl-copy"})
		}
		if x11 {
			clipboard = append(clipboard,
				[]string{"xclip", "-in", "-selection", "clipboard"},
				[]string{"xsel", "--input", "--clipboard"},
			)
		}
	}
	if isSet("TMUX") { // by default it drops the escape sequence, but passes this text on
		clipboard = append(clipboard, []string{"tmux", "load-buffer", "-w", "-"})
	}
	return clipboard, browser
}

// desktopClipboard returns a function that writes to the clipboard; nil if no tool for it is
// installed.
func desktopClipboard(
	lookup func(string) (string, bool),
) func(ctx context.Context, text string) error {
	const (
		limit           = 2 * time.Second
		backgroundLimit = 500 * time.Millisecond // for a process that stays to read the text
	)
	clipboard, _ := desktopTools(lookup)
	tool := firstInstalled(clipboard)
	if tool == nil {
		return nil
	}
	return func(ctx context.Context, text string) error {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		command := exec.CommandContext(ctx, tool[0], tool[1:]...)
		command.Stdin = strings.NewReader(text) // other users can see arguments
		command.WaitDelay = backgroundLimit
		return runTool(command)
	}
}

// desktopBrowser returns a function that opens an https URL in the browser; nil if no tool for it is
// installed. No shell reads the URL. The function returns when the tool ends, which may be when the
// browser is closed: there is no time limit.
func desktopBrowser(lookup func(string) (string, bool)) func(url string) error {
	_, browser := desktopTools(lookup)
	tool := firstInstalled(browser)
	if tool == nil {
		return nil
	}
	return func(url string) error {
		arguments := slices.Concat(tool[1:], []string{url})
		return runTool(exec.Command(tool[0], arguments...))
	}
}

// firstInstalled returns the first command that is installed, with the path of its program in place
// of the name; nil if none is.
func firstInstalled(commands [][]string) []string {
	for _, command := range commands {
		if path, err := exec.LookPath(command[0]); err == nil {
			return append([]string{path}, command[1:]...)
		}
	}
	return nil
}

// runTool runs a tool of the desktop. The tool does not get the variables of this program, some of
// which are secret: it may keep running, with its environment, after the program has ended.
func runTool(command *exec.Cmd) error {
	command.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(strings.ToUpper(variable), "GATEHOUSE_")
	})
	return command.Run()
}
