package files

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/adrg/xdg"
)

// AdoptHome sets HOME to the home directory that the user database has for this user, where the
// environment has none or one that is no absolute path, as under cron, in a service or in a
// container. It is for the start of the program: everything that looks for the home directory
// later, libraries and other programs included, finds the same one.
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

// Relative lists the variables of the base directories whose values are no absolute paths. They are
// ignored, as the XDG specification says, which people should be told. It is for the start of the
// program, before [AdoptHome].
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

// BaseDir is a base directory of the XDG specification: the value of its variable or, if that is
// empty or a relative path, which the specification ignores, the usual one below the home
// directory. It is "" if there is no home directory either.
func BaseDir(variable string, usual func() string) string {
	switch {
	case filepath.IsAbs(variable):
		return variable
	case hasHome():
		return usual()
	}
	return ""
}

// StateDir is where the program keeps its files, $XDG_STATE_HOME/gatehouse; "" if there is no home
// directory, see [BaseDir].
func StateDir() string {
	// Package xdg only knows the values at the start of the program.
	base := BaseDir(os.Getenv("XDG_STATE_HOME"), func() string { return xdg.StateHome })
	if base == "" {
		return ""
	}
	return filepath.Join(base, "gatehouse")
}
