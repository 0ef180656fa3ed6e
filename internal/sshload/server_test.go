//go:build linux

package sshload

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
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

	"gatehouse/internal/demo"
	"gatehouse/internal/testkit"
)

// program is a program to measure in the place of this one.
var program = flag.String("program", "", "program to measure (default: the one of this source)")

// server is the built program in a process of its own, so that what it takes of the
// machine is told apart from what its visitors take.
type server struct {
	t       testing.TB
	process *os.Process
	address string // of the SSH listener
	metrics string // host:port
	group   string // of control, to be removed at the end
	ended   chan struct{}
}

// unlimited lets any number of visitors come from one address.
var unlimited = []string{"--max-connections", "0", "--max-per-address", "0", "--rate-per-address", "0"}

// builds is a directory for the program of this source.
var builds string

func TestMain(m *testing.M) { os.Exit(runIn(m)) }

func runIn(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gatehouse-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	builds = dir
	return m.Run()
}

// built is the program of this source, which is built once for all tests.
var built = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(builds, "gatehouse")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, "../..").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return binary, nil
})

// measured is the program to measure.
func measured() (string, error) {
	if *program != "" {
		return *program, nil
	}
	return built()
}

// startServer builds the program and serves with these flags and variables.
func startServer(t testing.TB, environ []string, args ...string) *server {
	t.Helper()
	dir := t.TempDir()
	binary, err := measured()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, metrics: testkit.FreeAddress(t), ended: make(chan struct{})}
	command := exec.Command(binary, append([]string{"serve", "--listen", "127.0.0.1:0", "--metrics", s.metrics, "--grace", "1s"}, args...)...)
	command.Env = append([]string{"HOME=" + dir, "XDG_STATE_HOME=" + dir + "/state", "XDG_CONFIG_HOME=" + dir + "/config"}, environ...)
	messages, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	s.process = command.Process
	lines := bufio.NewScanner(messages)
	listening := regexp.MustCompile(`listens on (\S+?)\.? `)
	for s.address == "" && lines.Scan() {
		if found := listening.FindSubmatch(append(lines.Bytes(), ' ')); found != nil {
			s.address = string(found[1])
		}
	}
	go func() {
		defer close(s.ended)
		for lines.Scan() { // the log, which must not fill the pipe
			if bytes.Contains(lines.Bytes(), []byte("panic")) {
				t.Errorf("the server: %s", lines.Bytes())
			}
		}
		_ = command.Wait()
	}()
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		<-s.ended
		if s.group != "" {
			_ = os.Remove(s.group)
		}
	})
	if s.address == "" {
		t.Fatal("the server does not say where it listens")
	}
	return s
}

// service is the demo service in a process of its own.
type service struct {
	process *os.Process
	environ []string // the variables of a profile that signs in to it
}

// startService starts the service.
func startService(t testing.TB) *service {
	t.Helper()
	binary, err := measured()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	variables, err := os.Create(filepath.Join(dir, "variables"))
	if err != nil {
		t.Fatal(err)
	}
	defer variables.Close()
	command := exec.Command(binary, "demo", "--listen", "127.0.0.1:0")
	command.Env = []string{"HOME=" + dir, "XDG_STATE_HOME=" + dir, "XDG_CONFIG_HOME=" + dir}
	command.Stdout = variables
	messages, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	})
	if _, err := bufio.NewReader(messages).ReadString('\n'); err != nil { // it says so when it listens
		t.Fatal(err)
	}
	text, err := os.ReadFile(variables.Name())
	if err != nil {
		t.Fatal(err)
	}
	s := &service{process: command.Process}
	for _, found := range regexp.MustCompile(`export (\w+)='([^']*)'`).FindAllSubmatch(text, -1) {
		s.environ = append(s.environ, fmt.Sprintf("%s=%s", found[1], found[2]))
	}
	return s
}

// serviceOf starts a service whose access tokens live so long, 0 for that of the demo, and
// returns its variables.
func serviceOf(t testing.TB, life time.Duration) []string {
	t.Helper()
	if life == 0 {
		return startService(t).environ
	}
	s, err := demo.Start(t.Context(), demo.Options{AccessLife: life})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	var environ []string
	for _, e := range s.Env() {
		environ = append(environ, e.Name+"="+e.Value)
	}
	return environ
}

// processor is the time that the server has spent computing.
func (s *server) processor() time.Duration { return processor(s.t, s.process.Pid) }

// processor is the time that a process has spent computing.
func processor(t testing.TB, pid int) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 wherever Go runs on Linux
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var ticks time.Duration
	for _, field := range fields[11:13] { // utime and stime
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		ticks += time.Duration(n)
	}
	return ticks * tick
}

// goroutines and heap ask the server for what it has of them.
func (s *server) goroutines() float64 { return s.metric("go_goroutines") }
func (s *server) heap() float64       { return s.metric("go_memstats_heap_alloc_bytes") }

// parts are the memory of the server in kB, resident and by what it is for, and its
// goroutines. Spans are those of the heap without what is in use in them.
func (s *server) parts() map[string]float64 {
	s.t.Helper()
	heap := s.heap()
	return map[string]float64{
		"kB":         s.resident() / 1e3,
		"heap-kB":    heap / 1e3,
		"spans-kB":   (s.metric("go_memstats_heap_inuse_bytes") - heap) / 1e3,
		"stacks-kB":  s.metric("go_memstats_stack_inuse_bytes") / 1e3,
		"goroutines": s.goroutines(),
	}
}

func (s *server) metric(name string) float64 {
	s.t.Helper()
	answer, err := http.Get("http://" + s.metrics + "/metrics")
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if given, value, _ := strings.Cut(lines.Text(), " "); given == name {
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				s.t.Fatal(err)
			}
			return n
		}
	}
	s.t.Fatalf("the server does not tell %s", name)
	return 0
}
