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

// desktopTools are the commands that write to the clipboard of the local desktop, and those that
// open its browser. Over SSH there are none but tmux's. Windows has none for the clipboard: its
// terminals take the text by escape sequence, and its own tool breaks Unicode.
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
			clipboard = append(clipboard, []string{"xclip", "-in", "-selection", "clipboard"}, []string{"xsel", "--input", "--clipboard"})
		}
	}
	if isSet("TMUX") { // which drops the escape sequence by default, and passes this on
		clipboard = append(clipboard, []string{"tmux", "load-buffer", "-w", "-"})
	}
	return clipboard, browser
}

// desktopClipboard returns a function that writes to the clipboard, nil if there is no tool for it.
func desktopClipboard(lookup func(string) (string, bool)) func(ctx context.Context, text string) error {
	clipboard, _ := desktopTools(lookup)
	tool := firstInstalled(clipboard)
	if tool == nil {
		return nil
	}
	return func(ctx context.Context, text string) error {
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		command := exec.CommandContext(ctx, tool[0], tool[1:]...)
		command.Stdin = strings.NewReader(text)    // other users can see arguments
		command.WaitDelay = 500 * time.Millisecond // for a process in the background to read the text
		return runTool(command)
	}
}

// desktopBrowser returns a function that opens an https address in the browser, nil if there is no
// command for it. No command goes through a shell. The function returns when the command ends,
// which may be when the browser does: it has no time limit.
func desktopBrowser(lookup func(string) (string, bool)) func(address string) error {
	_, browser := desktopTools(lookup)
	tool := firstInstalled(browser)
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
	command.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(strings.ToUpper(variable), "GATEHOUSE_")
	})
	return command.Run()
}
