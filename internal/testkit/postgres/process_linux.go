package postgres

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

const (
	kill   = syscall.SIGKILL
	freeze = syscall.SIGSTOP
	thaw   = syscall.SIGCONT
)

// programs finds the newest installation, and a user for it: servers refuse to run as root.
func programs() (installation, error) {
	dirs, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // Debian has them in no PATH
	version := func(dir string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
		return n
	}
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
	if path, err := exec.LookPath("initdb"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	for _, dir := range dirs {
		if _, err := exec.LookPath(filepath.Join(dir, "initdb")); err == nil {
			i := installation{bin: dir}
			return i, i.become()
		}
	}
	return installation{}, errors.New("initdb is neither in PATH nor in /usr/lib/postgresql/*/bin")
}

// become chooses the user to run as.
func (i *installation) become() error {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			i.uid, _ = strconv.Atoi(u.Uid)
			i.gid, _ = strconv.Atoi(u.Gid)
			return nil
		}
	}
	return errors.New("it refuses to run as root, and there is no user postgres or nobody")
}

func (i installation) attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGQUIT}
	if i.uid != 0 {
		a.Credential = &syscall.Credential{Uid: uint32(i.uid), Gid: uint32(i.gid)}
	}
	return a
}

// signal sends a signal to the postmaster, first, so that it starts no others, and to
// all its children: each is the leader of a group of its own.
func (s *Server) signal(signal syscall.Signal) error {
	if s.process == nil {
		return fmt.Errorf("server %s does not run", s.Name)
	}
	children := s.children()
	err := s.process.Process.Signal(signal)
	for _, pid := range append(children, s.children()...) {
		_ = syscall.Kill(pid, signal)
	}
	return err
}

// children are the processes that the postmaster has started.
func (s *Server) children() []int {
	var pids []int
	parent := s.process.Process.Pid
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(stat), ") ") // pid (name) state parent
		fields := strings.Fields(rest)
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			pids = append(pids, pid)
		}
	}
	return pids
}
