package sshd

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// startHAProxy starts HAProxy with the deployed configuration, in front of a server, and
// returns its address.
func startHAProxy(t *testing.T, server net.Addr) string {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		t.Skip("there is no haproxy here")
	}
	text, err := os.ReadFile("../../.deploy/haproxy.cfg")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := ours.Addr().String()
	_ = ours.Close()
	config := string(text)
	for from, to := range map[string]string{
		"bind :22":                                 "bind " + address,
		"server one 192.0.2.11:2222":               "server one " + server.String(),
		"    server two 192.0.2.12:2222 check\n":   "",
		"    server three 192.0.2.13:2222 check\n": "",
		"inter 2s":      "inter 20ms",
		"maxconn 10000": "maxconn 100", // file descriptors
	} {
		if !strings.Contains(config, from) {
			t.Fatalf("the configuration has no %q:\n%s", from, config)
		}
		config = strings.ReplaceAll(config, from, to)
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
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = process.Wait()
		_ = said.Close()
		if text, _ := os.ReadFile(file + ".log"); t.Failed() {
			t.Logf("haproxy said:\n%s", text)
		}
	})
	return address
}

// dialFrom connects through an address as a client that has another one.
func (h *host) dialFrom(from, to string, key gossh.Signer) (*gossh.Client, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: patience}
	c, err := dialer.Dial("tcp", to)
	if err != nil {
		return nil, err
	}
	h.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	client, err := h.over(c, "visitor", key)
	if err != nil {
		return nil, fmt.Errorf("as %s: %w", from, err)
	}
	return client, nil
}

func TestBehindHAProxyAVisitorHasTheirOwnAddress(t *testing.T) {
	key := newKey(t)
	h := serve(t, untilOver, behind("127.0.0.1/32"), limits(func(l *Limits) { l.PerAddress = 1 }),
		withKeys(writeKeys(t, "", line(`from="127.0.0.3,127.0.0.4"`, key))))
	address := startHAProxy(t, h.Addr())

	var first *gossh.Client
	for deadline := time.Now().Add(patience); first == nil; { // HAProxy starts
		client, err := h.dialFrom("127.0.0.3", address, key)
		if err != nil && time.Now().After(deadline) {
			t.Fatal(err)
		}
		first = client
	}
	h.visitorOf(first).pty().shell()
	h.log.find(t, "connect", "address=127.0.0.3")
	if _, err := h.dialFrom("127.0.0.3", address, key); err == nil || !strings.Contains(err.Error(), "the limit is 1") {
		t.Errorf("a second time: %v", err)
	}
	second, err := h.dialFrom("127.0.0.4", address, key)
	if err != nil {
		t.Fatal(err)
	}
	h.visitorOf(second).pty().shell()
	if _, err := h.dialFrom("127.0.0.5", address, key); err == nil || !strings.Contains(err.Error(), "unable to authenticate") {
		t.Errorf("with a key that is not for this address: %v", err)
	}
	h.log.find(t, "auth", "result=refused")
	h.log.find(t, "connect", "address=127.0.0.5")
	if log := h.log.String(); strings.Contains(log, `"127.0.0.1"`) || refusedHeaders(h) != 0 {
		t.Errorf("the health checks of HAProxy fill the log:\n%s", log)
	}
}
