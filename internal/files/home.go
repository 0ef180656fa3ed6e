package files

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/adrg/xdg"
)

// AdoptHome sets HOME to this user's home directory in the user database if it is not set to an
// absolute path, as under cron, in a service or in a container. It is called when the program
// starts, so that all that look for the home directory later, including libraries and other
// programs, find the same one.
func AdoptHome() {
	if hasHome() {
		return
	}
	entry, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil || !filepath.IsAbs(entry.HomeDir) {
		return
	}
	_ = os.Setenv("HOME", entry.HomeDir) // the value of a path never has a NUL
	xdg.Reload()
}

// Relative returns the variables of base directories that are set to relative paths. They are
// ignored, as the XDG specification says, and people should be told. It is called before
// [AdoptHome].
func Relative() (variables []string) {
	names := []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME"}
	if runtime.GOOS != "windows" {
		names = append([]string{"HOME"}, names...)
	}
	for _, name := range names {
		if value := os.Getenv(name); value != "" && !filepath.IsAbs(value) {
			variables = append(variables, name)
		}
	}
	return variables
}

// hasHome reports whether the environment names a home directory. Windows and macOS keep the
// directories of a user elsewhere, or in HOME as well.
func hasHome() bool {
	return runtime.GOOS == "windows" || filepath.IsAbs(os.Getenv("HOME"))
}

// BaseDir returns a base directory of the XDG specification: the value of its variable or, if that
// is not an absolute path, the usual directory below the home directory. It returns "" if there is
// no home directory either.
func BaseDir(variable string, usual func() string) string {
	switch {
	case filepath.IsAbs(variable):
		return variable
	case hasHome():
		return usual()
	}
	return ""
}

// StateDir returns the directory for the files of the program, $XDG_STATE_HOME/gatehouse, or "" if
// there is no home directory, see [BaseDir].
func StateDir() string {
	// Package xdg only knows the values at the start of the program.
	base := BaseDir(os.Getenv("XDG_STATE_HOME"), func() string { return xdg.StateHome })
	if base == "" {
		return ""
	}
	return filepath.Join(base, "gatehouse")
}
