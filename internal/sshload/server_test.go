//go:build linux

package sshload

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// server is the built program in a process of its own, so that what it takes of the
// machine is told apart from what its visitors take.
type server struct {
	b       *testing.B
	process *os.Process
	address string // of the SSH listener
	metrics string // host:port
}

// startServer builds the program and serves the demo to everybody, without limits on
// how many come.
func startServer(b *testing.B) *server {
	b.Helper()
	dir := b.TempDir()
	binary := filepath.Join(dir, "gatehouse")
	if out, err := exec.Command("go", "build", "-o", binary, "gatehouse").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	s := &server{b: b, metrics: freeAddress(b)}
	command := exec.Command(binary, "serve", "--demo", "--anyone", "--listen", "127.0.0.1:0", "--metrics", s.metrics,
		"--grace", "1s", "--max-connections", "0", "--max-per-address", "0", "--rate-per-address", "0")
	command.Env = []string{"HOME=" + dir, "XDG_STATE_HOME=" + dir + "/state", "XDG_CONFIG_HOME=" + dir + "/config"}
	messages, err := command.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	s.process = command.Process
	lines := bufio.NewScanner(messages)
	listening := regexp.MustCompile(`listens on (\S+?)\.? `)
	for s.address == "" && lines.Scan() {
		if found := listening.FindSubmatch(append(lines.Bytes(), ' ')); found != nil {
			s.address = string(found[1])
		}
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		for lines.Scan() { // the log, which must not fill the pipe
		}
	}()
	b.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		<-drained
		_ = command.Wait()
	})
	if s.address == "" {
		b.Fatal("the server does not say where it listens")
	}
	return s
}

func freeAddress(b *testing.B) string {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// resident is the memory of the server, in bytes.
func (s *server) resident() float64 {
	s.b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Pid))
	if err != nil {
		s.b.Fatal(err)
	}
	_, line, _ := bytes.Cut(status, []byte("VmRSS:"))
	kilobytes, _, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
	size, err := strconv.ParseFloat(kilobytes, 64)
	if err != nil {
		s.b.Fatal(err)
	}
	return size * 1024
}

// processor is the time that the server has spent computing.
func (s *server) processor() time.Duration {
	s.b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.process.Pid))
	if err != nil {
		s.b.Fatal(err)
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 wherever Go runs on Linux
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var ticks time.Duration
	for _, field := range fields[11:13] { // utime and stime
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			s.b.Fatal(err)
		}
		ticks += time.Duration(n)
	}
	return ticks * tick
}

// goroutines and heap ask the server for what it has of them.
func (s *server) goroutines() float64 { return s.metric("go_goroutines") }
func (s *server) heap() float64       { return s.metric("go_memstats_heap_alloc_bytes") }

func (s *server) metric(name string) float64 {
	s.b.Helper()
	answer, err := http.Get("http://" + s.metrics + "/metrics")
	if err != nil {
		s.b.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if given, value, _ := strings.Cut(lines.Text(), " "); given == name {
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				s.b.Fatal(err)
			}
			return n
		}
	}
	s.b.Fatalf("the server does not tell %s", name)
	return 0
}
