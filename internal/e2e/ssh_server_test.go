//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// sshServer is the program serving its UI over SSH.
type sshServer struct {
	t       testing.TB
	home    string
	clients string // the home of those who connect
	process *exec.Cmd
	address string
	metrics string
	killed  bool // by the test, see kill
	ended   chan struct{}

	mu   sync.Mutex
	said bytes.Buffer // on standard error, the log included
	more chan struct{}
}

var (
	listensOn  = regexp.MustCompile(`(?:127\.[0-9.]+|\[::1\]):[0-9]+`)
	goroutines = regexp.MustCompile(`(?m)^\w*goroutines (\d+)`)
)

// serveSSH starts a server and ends it with the test. Without OpenSSH the test is skipped.
func serveSSH(t testing.TB, env []string, args ...string) *sshServer {
	t.Helper()
	if _, err := exec.LookPath("ssh"); err != nil {
		t.Skip("there is no ssh here")
	}
	s := &sshServer{t: t, home: t.TempDir(), clients: t.TempDir(), metrics: testkit.FreeAddress(t), ended: make(chan struct{}), more: make(chan struct{}, 1)}
	all := append([]string{"serve", "--listen", "127.0.0.1:0", "--metrics", s.metrics, "--log-format", "json", "--rate-per-address", "0"}, args...)
	s.process = exec.Command(binary, all...)
	s.process.Env = append([]string{"HOME=" + s.home, "XDG_CONFIG_HOME=" + s.home + "/config", "XDG_STATE_HOME=" + s.home + "/state", "TMPDIR=" + s.home}, env...)
	messages, err := s.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	go s.listen(messages)
	t.Cleanup(s.stop)
	s.waitFor("an address", func(said string) bool {
		_, sentence, _ := strings.Cut(said, "Gatehouse listens on ")
		s.address = listensOn.FindString(sentence)
		return s.address != ""
	})
	return s
}

// listen keeps what the server says until it ends.
func (s *sshServer) listen(messages io.Reader) {
	defer close(s.ended)
	lines := bufio.NewReader(messages)
	for {
		line, err := lines.ReadBytes('\n')
		s.mu.Lock()
		s.said.Write(line)
		s.mu.Unlock()
		select {
		case s.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// log is what the server has said so far.
func (s *sshServer) log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.String()
}

// waitFor waits until the server has said what is wanted.
func (s *sshServer) waitFor(what string, done func(said string) bool) {
	s.t.Helper()
	deadline := time.After(patience)
	for !done(s.log()) {
		select {
		case <-s.more:
		case <-s.ended:
			if !done(s.log()) {
				s.t.Fatalf("waiting for %s: the server ended:\n%s", what, s.log())
			}
		case <-deadline:
			s.t.Fatalf("waiting for %s: the server said\n%s", what, s.log())
		}
	}
}

// patience is how long a test waits for a server or a screen, on a busy machine.
const patience = time.Minute

// stop ends the server as an init system does.
func (s *sshServer) stop() {
	_ = s.process.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.t.Error("the server did not end")
		_ = s.process.Process.Kill()
		<-s.ended
	}
	if err := s.process.Wait(); err != nil && !s.killed {
		s.t.Errorf("the server ended with %v:\n%s", err, s.log())
	}
}

// end ends the server before the test does.
func (s *sshServer) end() {
	_ = s.process.Process.Signal(syscall.SIGTERM)
	<-s.ended
}

// kill ends the server as a power failure does.
func (s *sshServer) kill() {
	s.t.Helper()
	s.killed = true
	if err := s.process.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	<-s.ended
}

// goroutines is how many the server has.
func (s *sshServer) goroutines() int {
	s.t.Helper()
	text := s.get("/metrics")
	found := goroutines.FindStringSubmatch(text)
	if found == nil {
		s.t.Fatalf("the metrics do not count goroutines:\n%s", text)
	}
	n, _ := strconv.Atoi(found[1])
	return n
}

// get reads from the listener for the operator.
func (s *sshServer) get(path string) string {
	s.t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // a kept connection has goroutines
	answer, err := client.Get("http://" + s.metrics + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// requireNoLeak waits until the server has no more goroutines than before.
func (s *sshServer) requireNoLeak(before int) {
	s.t.Helper()
	for deadline := time.Now().Add(patience); s.goroutines() > before; {
		if time.Now().After(deadline) {
			s.t.Fatalf("%d goroutines, and there were %d\n%s", s.goroutines(), before, s.get("/metrics"))
		}
	}
}

// The addresses of a server: as anybody, and as somebody without a key who wants a check.
const (
	host      = "visitor@127.0.0.1"
	checkHost = "check@127.0.0.1"
)

// client is OpenSSH with none of the settings of this machine.
func (s *sshServer) client(args ...string) *exec.Cmd {
	s.t.Helper()
	_, port, err := net.SplitHostPort(s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	options := []string{
		"-F", "none", "-p", port,
		"-o", "UserKnownHostsFile=" + filepath.Join(s.clients, "known_hosts"), "-o", "GlobalKnownHostsFile=none",
		"-o", "StrictHostKeyChecking=accept-new", "-o", "IdentityAgent=none", "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes",
	}
	command := exec.Command("ssh", append(options, args...)...)
	command.Env = []string{"HOME=" + s.clients, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color"}
	return command
}

// run runs a command over SSH, without a terminal.
func (s *sshServer) run(stdin string, args ...string) finished {
	s.t.Helper()
	return finish(s.t, s.client(args...), stdin)
}

// open opens a terminal over SSH.
func (s *sshServer) open(width, height int, args ...string) (*terminal, *exec.Cmd) {
	s.t.Helper()
	command := s.client(args...)
	return startTerminal(s.t, command, width, height), command
}

// keygen runs ssh-keygen.
func keygen(t testing.TB, args ...string) {
	t.Helper()
	if out, err := exec.Command("ssh-keygen", args...).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen %q: %v: %s", args, err, out)
	}
}

// sshKey makes a key and returns the file of its private half.
func sshKey(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("there is no ssh-keygen here")
	}
	file := filepath.Join(t.TempDir(), "key")
	keygen(t, "-q", "-t", "ed25519", "-N", "", "-C", "visitor", "-f", file)
	return file
}

// authorize writes the public halves of keys into a file.
func authorize(t testing.TB, keys ...string) string {
	t.Helper()
	var lines []byte
	for _, key := range keys {
		line, err := os.ReadFile(key + ".pub")
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line...)
	}
	file := filepath.Join(t.TempDir(), "authorized_keys")
	if err := os.WriteFile(file, lines, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// everyone serves the demo to anybody.
var everyone = []string{"--demo", "--anyone"}
