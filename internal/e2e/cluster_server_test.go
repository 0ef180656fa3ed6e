//go:build linux

package e2e

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// server is `gatehouse serve` at a fixed address, which can be killed and started again.
type server struct {
	t                testing.TB
	name             string
	address, metrics string
	command          []string
	environ          []string
	log              string // the file with what it says, of all starts

	process *exec.Cmd
	ended   chan struct{}
}

// newServer prepares a server; args are added to its own.
func newServer(t testing.TB, name string, environ []string, args ...string) *server {
	t.Helper()
	home := t.TempDir()
	s := &server{t: t, name: name, address: testkit.FreeAddress(t), metrics: testkit.FreeAddress(t), log: filepath.Join(home, "log")}
	s.command = append([]string{binary, "serve", "--listen", s.address, "--metrics", s.metrics, "--log-format", "json",
		"--max-connections", "0", "--max-per-address", "0", "--rate-per-address", "0"}, args...)
	s.environ = append([]string{"HOME=" + home, "XDG_STATE_HOME=" + home + "/state", "XDG_CONFIG_HOME=" + home + "/config", "TMPDIR=" + home, "PATH=" + os.Getenv("PATH")}, environ...)
	t.Cleanup(s.stop)
	return s
}

// start starts the server and waits until it is ready.
func (s *server) start() error {
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	process := exec.Command(s.command[0], s.command[1:]...)
	process.Env, process.Stderr = s.environ, log
	process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := process.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	s.process, s.ended = process, ended
	go func() {
		defer close(ended)
		_ = process.Wait()
	}()
	return s.waitReady()
}

func (s *server) waitReady() error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for {
		answer, err := http.Get("http://" + s.metrics + "/readyz")
		if err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-s.ended:
			return fmt.Errorf("server %s ended", s.name)
		case <-deadline:
			return fmt.Errorf("server %s is not ready: %w", s.name, err)
		}
	}
}

// kill ends the server at once, and end as an init system does.
func (s *server) kill() { s.endWith(syscall.SIGKILL) }
func (s *server) end()  { s.endWith(syscall.SIGTERM) }

func (s *server) endWith(signal syscall.Signal) {
	if s.process == nil {
		return
	}
	_ = s.process.Process.Signal(signal)
	select {
	case <-s.ended:
	case <-time.After(patience + 10*time.Second):
		s.t.Errorf("server %s did not end", s.name)
		_ = s.process.Process.Kill()
		<-s.ended
	}
}

func (s *server) stop() {
	s.end()
	text, _ := os.ReadFile(s.log)
	log := string(text)
	if strings.Contains(log, "panic") || strings.Contains(log, "internal error") {
		s.t.Errorf("server %s: %s", s.name, log)
	}
	if s.t.Failed() {
		s.t.Logf("server %s said at last:\n%s", s.name, log[max(0, len(log)-1500):])
	}
}
