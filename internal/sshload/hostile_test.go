//go:build linux

package sshload

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sync/errgroup"

	"gatehouse/internal/testkit"
)

var (
	hostile = flag.Int("hostile", testkit.Either(60, len(behaviours)), "how many hostile connections come in all")
	hold    = flag.Duration("hold", testkit.Either(2*time.Second, time.Second), "how long each of them stays, at most")
)

const (
	gigabyte = 1 << 30
	// wave is how many hostile connections come at once: nearly as many as a server lets
	// in, from as many addresses as it wants.
	wave, perAddress = 190, 10
)

// behaviours are what hostile clients do once they are connected, until their time is up.
// They care for no error: whatever the server does about them is right, if it lives.
var behaviours = []struct {
	name string
	do   func(ctx context.Context, from, address string)
}{
	{"says nothing", func(ctx context.Context, from, address string) { raw(ctx, from, address, "") }},
	{"stops in the handshake", func(ctx context.Context, from, address string) {
		raw(ctx, from, address, "SSH-2.0-x\r\n\x00\x00\x04\x00\x05\x14")
	}},
	{"speaks something else", func(ctx context.Context, from, address string) {
		raw(ctx, from, address, strings.Repeat("GET / HTTP/1.1\r\n", 100_000))
	}},
	{"starts no session", func(ctx context.Context, from, address string) {
		if client, err := connect(ctx, from, address); err == nil {
			defer client.Close()
			<-ctx.Done()
		}
	}},
	{"does not read a list", func(ctx context.Context, from, address string) { unread(ctx, from, address, "json", nil) }},
	{"does not read a table", func(ctx context.Context, from, address string) { unread(ctx, from, address, "table", nil) }},
	{"does not read lines", func(ctx context.Context, from, address string) { unread(ctx, from, address, "ndjson", nil) }},
	{"reads a little", func(ctx context.Context, from, address string) {
		unread(ctx, from, address, "csv", func(out io.Reader) {
			drop := time.NewTicker(50 * time.Millisecond)
			defer drop.Stop()
			for buffer := make([]byte, 100); ctx.Err() == nil; <-drop.C {
				if _, err := out.Read(buffer); err != nil {
					return
				}
			}
		})
	}},
	{"cuts off", func(ctx context.Context, from, address string) {
		ctx, cancel := context.WithTimeout(ctx, rand.N(*hold))
		defer cancel()
		unread(ctx, from, address, "csv", nil)
	}},
	{"scrolls what it does not read", func(ctx context.Context, from, address string) {
		flood(ctx, from, address, 120, 40, "gus@harbor.example\tdemo\r", "\r"+strings.Repeat("jjjjGgs", 100))
	}},
	{"pastes without end", func(ctx context.Context, from, address string) {
		flood(ctx, from, address, 120, 40, "\x1b[200~", strings.Repeat("x", 32<<10))
	}},
	{"types a key a packet", func(ctx context.Context, from, address string) { flood(ctx, from, address, 120, 40, "", "j") }},
	{"has a huge terminal", func(ctx context.Context, from, address string) {
		flood(ctx, from, address, 1<<31-1, 1<<31-1, "ada@harbor.example\tdemo\r", "\x14")
	}},
	{"fills the input of a command", func(ctx context.Context, from, address string) { fill(ctx, from, address, 32<<10) }},
	{"fills it a byte a packet", func(ctx context.Context, from, address string) { fill(ctx, from, address, 1) }},
	{"opens channels", func(ctx context.Context, from, address string) {
		withClient(ctx, from, address, func(client *ssh.Client) bool {
			channel, requests, err := client.OpenChannel("session", []byte(strings.Repeat("x", 1000)))
			if err != nil {
				return client.Conn != nil && ctx.Err() == nil && alive(client)
			}
			go ssh.DiscardRequests(requests)
			_, err = channel.SendRequest("pty-req", false, nil)
			return err == nil
		})
	}},
	{"sends variables", func(ctx context.Context, from, address string) {
		withClient(ctx, from, address, func(client *ssh.Client) bool {
			session, err := client.NewSession()
			for err == nil {
				_, err = session.SendRequest("env", false, ssh.Marshal(struct{ Name, Value string }{"LANG", strings.Repeat("x", 200<<10)}))
			}
			return false
		})
	}},
	{"asks for a long command", func(ctx context.Context, from, address string) {
		withClient(ctx, from, address, func(client *ssh.Client) bool {
			if session, err := client.NewSession(); err == nil {
				_ = session.Run("lookup " + strings.Repeat("a@b.example ", 20_000))
			}
			return false
		})
	}},
}

func alive(client *ssh.Client) bool {
	_, _, err := client.SendRequest("keepalive@openssh.com", true, nil)
	return err == nil
}

// raw connects without SSH and sends a text.
func raw(ctx context.Context, from, address, text string) {
	conn, err := dial(ctx, from, address)
	if err != nil {
		return
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	if _, err := io.WriteString(conn, text); err == nil {
		<-ctx.Done()
	}
}

func withClient(ctx context.Context, from, address string, do func(*ssh.Client) (again bool)) {
	client, err := connect(ctx, from, address)
	if err != nil {
		return
	}
	defer client.Close()
	for ctx.Err() == nil && do(client) {
		continue
	}
}

// unread asks for a long list and reads of it what a function does; nil reads nothing.
func unread(ctx context.Context, from, address, form string, read func(io.Reader)) {
	withClient(ctx, from, address, func(client *ssh.Client) bool {
		channel, err := list(client, "gus@harbor.example", form)
		if err == nil && read != nil {
			read(channel)
		}
		<-ctx.Done()
		return false
	})
}

// list asks for the shares of a user.
func list(client *ssh.Client, user, form string) (ssh.Channel, error) {
	channel, requests, err := client.OpenChannel("session", nil)
	if err != nil {
		return nil, err
	}
	go ssh.DiscardRequests(requests)
	command := struct{ Command string }{fmt.Sprintf("shares -u %s --password-stdin -o %s", user, form)}
	if _, err := channel.SendRequest("exec", true, ssh.Marshal(command)); err != nil {
		return nil, err
	}
	if _, err = io.WriteString(channel, "demo\n"); err == nil {
		err = channel.CloseWrite()
	}
	return channel, err
}

// flood types into the UI, again and again, and reads nothing of it.
func flood(ctx context.Context, from, address string, width, height int, first, again string) {
	withClient(ctx, from, address, func(client *ssh.Client) bool {
		channel, requests, err := client.OpenChannel("session", nil)
		if err != nil {
			return false
		}
		go ssh.DiscardRequests(requests)
		terminal := struct {
			Term                                   string
			Columns, Rows, PixelColumns, PixelRows uint32
			Modes                                  string
		}{Term: "xterm-256color", Columns: uint32(width), Rows: uint32(height)}
		if _, err = channel.SendRequest("pty-req", true, ssh.Marshal(terminal)); err == nil {
			_, err = channel.SendRequest("shell", true, nil)
		}
		if err == nil {
			_, err = io.WriteString(channel, first)
		}
		for err == nil && ctx.Err() == nil {
			_, err = io.WriteString(channel, again)
		}
		return false
	})
}

// fill sends input to a command that reads none.
func fill(ctx context.Context, from, address string, packet int) {
	withClient(ctx, from, address, func(client *ssh.Client) bool {
		channel, requests, err := client.OpenChannel("session", nil)
		if err != nil {
			return false
		}
		go ssh.DiscardRequests(requests)
		_, err = channel.SendRequest("exec", true, ssh.Marshal(struct{ Command string }{"lookup ada@harbor.example"}))
		for piece := make([]byte, packet); err == nil && ctx.Err() == nil; {
			_, err = channel.Write(piece)
		}
		return false
	})
}

// TestAServerOutlivesHostileConnections has hostile clients come in waves to a server
// whose memory is limited from outside, while somebody ordinary is served. The whole of
// it: go test ./internal/sshload -run Hostile -hostile 3000 -hold 12s -timeout 20m.
func TestAServerOutlivesHostileConnections(t *testing.T) {
	s := startServer(t, nil, "--demo", "--anyone", "--auth-timeout", (2 * *hold).String())
	how := s.limitMemory(gigabyte)
	before, goroutines := s.resident(), s.goroutines()
	ordinary(t, s)
	for come := 0; come < *hostile; come += wave {
		n := min(wave, *hostile-come)
		began := time.Now()
		attack(t, s, come, n)
		t.Logf("%d of %d: %.0f MB at most so far (%s), lists %.0f MB, %v", come+n, *hostile, s.most()/1e6, how, s.metric("gatehouse_ssh_lists_bytes")/1e6, time.Since(began).Round(time.Second))
	}
	for deadline := time.Now().Add(patience); s.metric("gatehouse_ssh_connections_open") > 0 && time.Now().Before(deadline); {
		waitFor(t.Context(), settling/10)
	}
	ordinary(t, s)
	const most, more = 128e6, 20 // bytes and goroutines
	after, left := s.resident(), s.goroutines()
	for deadline := time.Now().Add(patience); (after > before+most || left > goroutines+more) && time.Now().Before(deadline); {
		waitFor(t.Context(), settling/10)
		after, left = s.resident(), s.goroutines()
	}
	t.Logf("%.0f MB before, %.0f MB at most, %.0f MB after; goroutines %.0f and %.0f", before/1e6, s.most()/1e6, after/1e6, goroutines, left)
	if after > before+most {
		t.Errorf("after all have left there are %.0f MB, want at most %.0f", after/1e6, (before+most)/1e6)
	}
	if left > goroutines+more {
		t.Errorf("after all have left there are %.0f goroutines, and were %.0f before", left, goroutines)
	}
}

// attack has so many hostile clients stay for their time, and somebody ordinary meanwhile.
func attack(t *testing.T, s *server, first, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), *hold)
	defer cancel()
	var clients errgroup.Group
	for i := first; i < first+n; i++ {
		address := fmt.Sprintf("127.1.%d.%d", i/perAddress/250, 1+i/perAddress%250)
		clients.Go(func() error {
			behaviours[i%len(behaviours)].do(ctx, address, s.address)
			return nil
		})
	}
	waitFor(ctx, *hold/4)
	ordinary(t, s)
	_ = clients.Wait()
}

// ordinary has somebody look at a list and leave.
func ordinary(t *testing.T, s *server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	began := time.Now()
	v, err := visit(ctx, "127.0.0.9", s.address)
	if err == nil {
		err = v.browse(ctx)
	}
	if err != nil {
		t.Errorf("somebody ordinary: %v", err)
		return
	}
	if err := v.leave(ctx); err != nil {
		t.Errorf("somebody ordinary does not get out: %v", err)
	}
	t.Logf("somebody ordinary was served in %v", time.Since(began).Round(10*time.Millisecond))
}
