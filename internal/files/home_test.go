package files_test

import (
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"gatehouse/internal/files"
	"gatehouse/internal/testkit"
)

func TestTheHomeDirectoryIsThatOfTheUserDatabaseWhereTheEnvironmentHasNone(t *testing.T) {
	testkit.SkipOnWindows(t, "HOME")
	entry, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil {
		t.Skipf("this user has no entry: %v", err)
	}
	elsewhere := t.TempDir()
	t.Cleanup(xdg.Reload)
	for given, want := range map[string]string{"": entry.HomeDir, "relative/home": entry.HomeDir, elsewhere: elsewhere} {
		t.Setenv("XDG_STATE_HOME", "")
		t.Setenv("HOME", elsewhere)
		xdg.Reload() // as at the start of a program
		t.Setenv("HOME", given)
		files.AdoptHome()
		if got := os.Getenv("HOME"); got != want {
			t.Errorf("HOME=%q became %q, want %q", given, got, want)
		}
		if got := files.StateDir(); !strings.HasPrefix(got, want+"/") {
			t.Errorf("HOME=%q: the state is in %q, which is not below %q", given, got, want)
		}
	}
}

func TestWithoutAHomeDirectoryNoPathBeginsThere(t *testing.T) {
	testkit.SkipOnWindows(t, "HOME")
	t.Setenv("HOME", "")
	if path, err := files.ExpandHome("~/x"); err == nil || path != "" {
		t.Errorf("%q, %v", path, err)
	}
}

func TestVariablesWithARelativePathAreListed(t *testing.T) {
	testkit.SkipOnWindows(t, "HOME")
	t.Setenv("HOME", "~")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", "./state")
	if got := files.Relative(); !slices.Equal(got, []string{"HOME", "XDG_STATE_HOME"}) {
		t.Errorf("got %v", got)
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", "")
	if got := files.Relative(); len(got) > 0 {
		t.Errorf("with absolute paths: %v", got)
	}
}

func TestABaseDirectoryIsAnAbsolutePathOrNone(t *testing.T) {
	testkit.SkipOnWindows(t, "HOME")
	usual := func() string { return "/usual" }
	for _, tt := range []struct{ home, variable, want string }{
		{"/home/ann", "", "/usual"},
		{"/home/ann", "relative", "/usual"},
		{"/home/ann", "/state", "/state"},
		{"", "/state", "/state"},
		{"", "", ""},
		{"relative", "relative", ""},
	} {
		t.Setenv("HOME", tt.home)
		if got := files.BaseDir(tt.variable, usual); got != tt.want {
			t.Errorf("with HOME=%q, %q is %q, want %q", tt.home, tt.variable, got, tt.want)
		}
		t.Setenv("XDG_STATE_HOME", tt.variable)
		if got := files.StateDir(); got != "" && !filepath.IsAbs(got) || (got == "") != (tt.want == "") {
			t.Errorf("with HOME=%q, the state is in %q", tt.home, got)
		}
	}
}
