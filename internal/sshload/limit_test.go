//go:build linux

package sshload

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// limitMemory limits the memory of a server from outside, and returns how: with a group of
// control if this machine lets the test make one, else with a limit of what the process
// may write to.
func (s *server) limitMemory(bytes int64) string {
	s.t.Helper()
	for _, group := range []struct{ name, root, limit string }{
		{"cgroup memory.max", "/sys/fs/cgroup", "memory.max"},
		{"cgroup memory.limit_in_bytes", "/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
	} {
		if s.limitGroup(group.root, group.limit, bytes) {
			return group.name
		}
	}
	prlimit := exec.Command("prlimit", "--pid", strconv.Itoa(s.process.Pid), "--data="+strconv.FormatInt(bytes, 10))
	if out, err := prlimit.CombinedOutput(); err != nil {
		s.t.Fatalf("there is no way to limit the memory of a process: %v, %s", err, out)
	}
	return "prlimit --data"
}

// limitGroup makes a group of control for the server, and reports whether it could.
func (s *server) limitGroup(root, limit string, bytes int64) bool {
	group, err := os.MkdirTemp(root, "gatehouse-test-")
	if err != nil {
		return false
	}
	s.group = group
	write := func(name string, value int64) bool {
		return os.WriteFile(filepath.Join(group, name), []byte(strconv.FormatInt(value, 10)), 0) == nil
	}
	if _, err := os.Stat(filepath.Join(group, limit)); err != nil {
		return false // it controls something else
	}
	return write(limit, bytes) && write("cgroup.procs", int64(s.process.Pid))
}

// most is the largest size of the server's memory so far, in bytes.
func (s *server) most() float64 { return s.status("VmHWM:") }

// resident is the memory of the server, in bytes.
func (s *server) resident() float64 { return s.status("VmRSS:") }

func (s *server) status(field string) float64 {
	s.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Pid))
	if err != nil {
		s.t.Fatalf("the server is gone: %v", err)
	}
	_, line, _ := bytes.Cut(status, []byte(field))
	kilobytes, _, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
	size, err := strconv.ParseFloat(kilobytes, 64)
	if err != nil {
		s.t.Fatalf("the server is gone: %v", err)
	}
	return size * 1024
}
