package shell

import (
	"runtime"
	"strings"
)

// Here is the shell that the program was started from, as far as that can be told: the nearest
// process above it that is a shell, on Windows; PowerShell, which its terminal opens, if there is
// none. Elsewhere it is the shell of the system.
func Here() Shell {
	if runtime.GOOS != "windows" {
		return POSIX
	}
	return nearest(ancestors())
}

// programs are the shells of Windows by the names of their programs. Git and MSYS bring a bash.
var programs = map[string]Shell{
	"cmd.exe": Cmd, "powershell.exe": PowerShell, "pwsh.exe": PowerShell,
	"bash.exe": POSIX, "sh.exe": POSIX, "zsh.exe": POSIX, "dash.exe": POSIX, "fish.exe": POSIX,
}

// nearest is the first shell among the names of programs.
func nearest(names []string) Shell {
	for _, name := range names {
		if shell, ok := programs[strings.ToLower(name)]; ok {
			return shell
		}
	}
	return PowerShell
}
