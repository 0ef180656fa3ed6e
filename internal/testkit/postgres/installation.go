package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
)

// installation is where the programs are, and who runs them.
type installation struct {
	bin      string
	uid, gid int
}

// programs finds the newest installation, and a user for it: servers refuse to run as root.
func programs() (installation, error) {
	i := installation{uid: os.Geteuid(), gid: os.Getegid()}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // Debian has them in no PATH
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append([]string{path}, found...)
	}
	if len(found) == 0 {
		return i, errors.New("initdb is neither in PATH nor in /usr/lib/postgresql/*/bin")
	}
	i.bin = filepath.Dir(found[len(found)-1])
	if i.uid != 0 {
		return i, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			i.uid, _ = strconv.Atoi(u.Uid)
			i.gid, _ = strconv.Atoi(u.Gid)
			return i, nil
		}
	}
	return i, errors.New("it refuses to run as root, and there is no user postgres or nobody")
}

// command is one of PostgreSQL's programs, or one with a path, run as the right user and without settings
// of the environment. It dies with the tests.
func (i installation) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	if !filepath.IsAbs(program) {
		program = filepath.Join(i.bin, program)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
	cmd.Dir = os.TempDir()
	cmd.SysProcAttr = i.attributes()
	return cmd
}

// run runs one of PostgreSQL's programs to its end.
func (i installation) run(ctx context.Context, program string, args ...string) error {
	if out, err := i.command(ctx, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return nil
}

// own gives a file to the user that the servers run as.
func (i installation) own(path string) error { return os.Chown(path, i.uid, i.gid) }
