//go:build linux

package sshload

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sync/errgroup"
)

var (
	kept     = flag.Int("kept", 20, "how many keys have a kept session")
	again    = flag.Int("again", 5, "how often each of them connects again")
	together = flag.Int("together", atOnce, "how many of them do so at the same time: with few the machine waits for them, with many they wait for each other")
)

// BenchmarkReconnect has visitors with kept sessions connect again with a handshake of their
// own until the list where they were is on their screen, and disconnect. As soon as one has
// left the next one comes. The server keeps the sessions in a directory.
func BenchmarkReconnect(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the visitors' share of the machine
	for b.Loop() {
		service := startService(b)
		s, owners := startKeeping(b, service, *kept)
		keepAll(b, s, owners)
		reconnect(b, s, service, owners)
	}
}

// startKeeping starts a server that keeps the sessions of so many keys.
func startKeeping(b *testing.B, service *service, n int) (*server, []ssh.Signer) {
	b.Helper()
	dir := b.TempDir()
	owners, authorized := make([]ssh.Signer, n), new(bytes.Buffer)
	for i := range owners {
		_, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			b.Fatal(err)
		}
		if owners[i], err = ssh.NewSignerFromKey(private); err != nil {
			b.Fatal(err)
		}
		authorized.Write(ssh.MarshalAuthorizedKey(owners[i].PublicKey()))
	}
	keys, sealing := filepath.Join(dir, "authorized_keys"), filepath.Join(dir, "session.key")
	if err := os.WriteFile(keys, authorized.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	binary, err := measured()
	if err != nil {
		b.Fatal(err)
	}
	if out, err := exec.Command(binary, "serve", "--new-key", sealing).CombinedOutput(); err != nil {
		b.Fatalf("make a key: %v\n%s", err, out)
	}
	return startServer(b, service.environ, append(unlimited, "--authorized-keys", keys, "--session-key", sealing, "--sessions", filepath.Join(dir, "sessions"))...), owners
}

// forAll does something for all owners of keys, so many at a time.
func forAll(b *testing.B, owners []ssh.Signer, together int, do func(ctx context.Context, owner ssh.Signer) error) {
	b.Helper()
	group, ctx := errgroup.WithContext(b.Context())
	group.SetLimit(together)
	for _, owner := range owners {
		group.Go(func() error {
			ctx, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			return do(ctx, owner)
		})
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
}

// keepAll has the owners keep a session, and go to a list.
func keepAll(b *testing.B, s *server, owners []ssh.Signer) {
	b.Helper()
	forAll(b, owners, atOnce, func(ctx context.Context, owner ssh.Signer) error {
		if err := keep(ctx, s.address, owner); err != nil {
			return err
		}
		v, err := comeTo(ctx, "", s.address, "drydock.example", owner)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(v.keys, "\r"); err != nil {
			return err
		}
		if err := v.waitFor(ctx, "copy rows"); err != nil {
			return err
		}
		close(v.settled)
		return v.leave(ctx)
	})
}

// keep signs in with a command, and has the session kept.
func keep(ctx context.Context, address string, owner ssh.Signer) error {
	client, err := connect(ctx, "", address, owner)
	if err != nil {
		return err
	}
	defer client.Close()
	session, err := client.NewSession()
	if err != nil {
		return err
	}
	session.Stdin = bytes.NewBufferString("demo\n")
	if out, err := session.CombinedOutput("login -u ada@harbor.example --password-stdin --keep"); err != nil {
		return fmt.Errorf("keep a session: %w\n%s", err, out)
	}
	return nil
}

// reconnect has all owners connect again, and again.
func reconnect(b *testing.B, s *server, service *service, owners []ssh.Signer) {
	b.Helper()
	var mu sync.Mutex
	var times []time.Duration
	computed := func() [3]time.Duration {
		return [3]time.Duration{s.processor(), processor(b, service.process.Pid), processor(b, os.Getpid())}
	}
	began, spent := time.Now(), computed()
	forAll(b, slices.Repeat(owners, *again), *together, func(ctx context.Context, owner ssh.Signer) error {
		v, err := comeTo(ctx, "", s.address, "copy rows", owner)
		if err != nil {
			return err
		}
		mu.Lock()
		times = append(times, v.firstFrame)
		mu.Unlock()
		close(v.settled)
		return v.leave(ctx)
	})
	n, took := float64(len(times)), time.Since(began)
	b.ReportMetric(n, "reconnections")
	b.ReportMetric(n/took.Seconds(), "reconnections/s")
	now := computed()
	for i, of := range []string{"server", "service", "visitors"} { // all share this machine
		b.ReportMetric(float64((now[i]-spent[i]).Microseconds())/1000/n, of+"-cpu-ms/reconnection")
	}
	reportTimes(b, "restored", times)
}
