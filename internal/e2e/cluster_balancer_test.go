//go:build linux

package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// balancerConfig is the configuration that the documentation is about.
const balancerConfig = "../../.deploy/haproxy.cfg"

// startHAProxy starts HAProxy with the documented configuration in front of servers, of
// which nothing but addresses and a limit is changed, and returns its address.
func startHAProxy(t testing.TB, servers []*member) string {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		t.Skip("there is no haproxy here")
	}
	text, err := os.ReadFile(balancerConfig)
	if err != nil {
		t.Fatal(err)
	}
	address, config := testkit.FreeAddress(t), string(text)
	replace := func(from, to string) {
		if strings.Count(config, from) != 1 {
			t.Fatalf("the configuration has not one %q:\n%s", from, config)
		}
		config = strings.Replace(config, from, to, 1)
	}
	replace("bind :22\n", "bind "+address+"\n")
	replace("maxconn 10000\n", "maxconn 4000\n") // as many files as may be open here
	for i, name := range []string{"one", "two", "three"} {
		line := fmt.Sprintf("    server %s 192.0.2.1%d:2222 check\n", name, i+1)
		if i < len(servers) {
			replace(line, strings.Replace(line, fmt.Sprintf("192.0.2.1%d:2222", i+1), servers[i].address, 1))
		} else {
			replace(line, "")
		}
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := os.Create(file + ".log")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	process := exec.CommandContext(ctx, program, "-db", "-f", file)
	process.Stdout, process.Stderr = said, said
	process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = process.Wait()
		_ = said.Close()
		if text, _ := os.ReadFile(file + ".log"); t.Failed() {
			t.Logf("haproxy said at last:\n%s", text[max(0, len(text)-4000):])
		}
	})
	waitUntilGreeted(t, address)
	return address
}

// waitUntilGreeted waits until a server greets at an address.
func waitUntilGreeted(t testing.TB, address string) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); ; <-tick.C {
		greeting := make([]byte, 4)
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.SetDeadline(time.Now().Add(patience))
			_, err = io.ReadFull(conn, greeting)
			_ = conn.Close()
		}
		if err == nil && string(greeting) == "SSH-" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("nobody greets behind the balancer: %q, %v", greeting, err)
		}
	}
}
