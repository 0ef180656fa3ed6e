package shell

import (
	"runtime"
	"strings"
)

// Here returns the shell that the program was probably started from. On Windows it is the nearest
// ancestor process that is a shell, or else PowerShell, which the terminal of Windows opens.
// Elsewhere it is [POSIX].
func Here() Shell {
	if runtime.GOOS != "windows" {
		return POSIX
	}
	return nearest(ancestors())
}

// programs are the shells on Windows by the names of their programs. Git and MSYS bring a bash.
var programs = map[string]Shell{
	"cmd.exe":        Cmd,
	"powershell.exe": PowerShell,
	"pwsh.exe":       PowerShell,
	"bash.exe":       POSIX,
	"sh.exe":         POSIX,
	"zsh.exe":        POSIX,
	"dash.exe":       POSIX,
	"fish.exe":       POSIX,
}

// nearest returns the first shell among the names of programs, or else [PowerShell].
func nearest(names []string) Shell {
	for _, name := range names {
		if shell, ok := programs[strings.ToLower(name)]; ok {
			return shell
		}
	}
	return PowerShell
}
