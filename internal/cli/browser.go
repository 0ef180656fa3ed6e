package cli

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// desktopBrowser returns a function that opens an https address in the browser of the
// local desktop. It is nil if there is no desktop or no command for it, or if the person
// is connected over SSH. lookup looks up an environment variable.
func desktopBrowser(lookup func(string) (string, bool)) func(address string) error {
	if !atDesktop(lookup) {
		return nil
	}
	command := browserCommand(isSet(lookup))
	if command == nil {
		return nil
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return nil
	}
	return func(address string) error {
		return openAddress(path, append(command[1:len(command):len(command)], address))
	}
}

// browserCommand is the command to which an address is passed, nil without a desktop. None
// goes through a shell.
func browserCommand(set func(string) bool) []string {
	switch {
	case runtime.GOOS == "darwin":
		return []string{"open"}
	case runtime.GOOS == "windows":
		return []string{"rundll32.exe", "url.dll,FileProtocolHandler"}
	case set("WAYLAND_DISPLAY"), set("DISPLAY"):
		return []string{"xdg-open"}
	}
	return nil
}

// openAddress runs the command and waits for its end, which may be that of the browser:
// it has no time limit, and is not ended with the program.
func openAddress(path string, args []string) error {
	command := exec.Command(path, args...)
	command.Env = withoutOwnVariables(os.Environ())
	if err := command.Run(); err != nil {
		return fmt.Errorf("open with %s: %w", path, err)
	}
	return nil
}

// isSet reports whether an environment variable has a value.
func isSet(lookup func(string) (string, bool)) func(name string) bool {
	return func(name string) bool {
		value, _ := lookup(name)
		return value != ""
	}
}

// atDesktop reports whether the person may be at the desktop of this machine: not if they
// are connected over SSH.
func atDesktop(lookup func(string) (string, bool)) bool {
	set := isSet(lookup)
	return !set("SSH_CONNECTION") && !set("SSH_TTY")
}
