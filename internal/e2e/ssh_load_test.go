//go:build linux

package e2e

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sync/errgroup"
)

// What visitors cost a server, for example of a thousand:
//
//	go test ./internal/e2e -run '^$' -bench SSHLoad -benchtime 1x -sessions 1000 -busy 200 -period 20s
var (
	sessions    = flag.Int("sessions", 20, "how many visitors are connected at once")
	busy        = flag.Int("busy", 200, "how many of them press keys, at most")
	between     = flag.Duration("pause", time.Second, "time between two keys of a visitor")
	period      = flag.Duration("period", time.Second, "how long they do so, and how long all are idle before")
	unreadLists = flag.Int("unread", 4, "how many visitors do not read the same long list")
	kept        = flag.Int("kept", 32, "how many visitors come back to a kept session, each again and again")
)

// loadedServer is a server that any number of visitors may enter.
func loadedServer(b *testing.B, env []string, args ...string) *sshServer {
	b.Helper()
	return serveSSH(b, env, append([]string{"--anyone", "--max-connections", "0", "--max-per-address", "0", "--grace", "1s"}, args...)...)
}

// BenchmarkSSHLoad has many visitors look at the shares of a domain, and measures what that costs
// the server. The service has a process of its own. The visitors run on the same machine, so
// rates and times have their part in them.
func BenchmarkSSHLoad(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the visitors' share of the machine
	for b.Loop() {
		s := loadedServer(b, demoService(b)[len(home(b)):], "--expose-sign-in")
		leaveAll(arrive(b, s, 1, toTheShares)) // warms the server up
		waitFor(b.Context(), 2*time.Second)
		before := memory(b, s.process, "VmRSS")

		began := time.Now()
		visitors := arrive(b, s, *sessions, toTheShares)
		defer leaveAll(visitors)
		n := float64(len(visitors))
		b.ReportMetric(n/time.Since(began).Seconds(), "sessions/s")
		var firstFrames []time.Duration
		for _, v := range visitors {
			firstFrames = append(firstFrames, v.firstFrame)
		}
		reportTimes(b, "first-frame", firstFrames)

		spent := processorTime(b, s.process)
		waitFor(b.Context(), *period)
		b.ReportMetric(100*(processorTime(b, s.process)-spent).Seconds()/period.Seconds(), "idle-%-of-a-core")
		b.ReportMetric(1e3*(memory(b, s.process, "VmRSS")-before)/n, "kB/session")

		pressAll(b, s, visitors[:min(len(visitors), *busy)])
	}
}

// BenchmarkSignInForm has visitors fill in the accounts of the demo, one after the other.
func BenchmarkSignInForm(b *testing.B) {
	for b.Loop() {
		s := loadedServer(b, nil, "--demo")
		visitors := arrive(b, s, *busy, toTheShares[:1])
		defer leaveAll(visitors)
		pressAll(b, s, visitors)
	}
}

// BenchmarkListsThatNobodyReads has visitors ask for the same long list and read nothing of it.
func BenchmarkListsThatNobodyReads(b *testing.B) {
	for b.Loop() {
		s := loadedServer(b, nil, "--demo")
		before := memory(b, s.process, "VmRSS")
		var coming errgroup.Group
		for range *unreadLists {
			coming.Go(func() error {
				client, session, err := connect(s.address, nil)
				if err != nil {
					return err
				}
				b.Cleanup(func() { _ = client.Close() })
				session.Stdin = strings.NewReader("demo\n")
				list, err := session.StdoutPipe()
				if err == nil {
					err = session.Start("shares -u gus@harbor.example --password-stdin -o json")
				}
				if err == nil {
					_, err = list.Read(make([]byte, 1)) // the list is there
				}
				return err
			})
		}
		if err := coming.Wait(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric((memory(b, s.process, "VmHWM")-before)/float64(*unreadLists), "MB/connection")
	}
}

// arrive has visitors come and take some steps, a few at a time.
func arrive(b *testing.B, s *sshServer, n int, steps []move) []*visitor {
	b.Helper()
	visitors := make([]*visitor, n)
	var group errgroup.Group
	group.SetLimit(8)
	for i := range visitors {
		group.Go(func() (err error) {
			visitors[i], err = visit(s.address, nil, steps)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
	return visitors
}

func leaveAll(visitors []*visitor) {
	for _, v := range visitors {
		_, _ = io.WriteString(v.keys, "\x03")
	}
	for _, v := range visitors {
		<-v.done
		_ = v.client.Close()
	}
}

// pressAll has each visitor press a key now and then, and measures how long it takes until
// something comes to the screens, and what it costs the server.
func pressAll(b *testing.B, s *sshServer, visitors []*visitor) {
	b.Helper()
	spent, began := processorTime(b, s.process), time.Now()
	times := make([][]time.Duration, len(visitors))
	group, ctx := errgroup.WithContext(b.Context())
	end := began.Add(*period)
	for i, v := range visitors {
		group.Go(func() error {
			waitFor(ctx, rand.N(*between))
			for n := 0; n == 0 || time.Now().Before(end); n++ {
				took, err := v.press([]string{"\x1b[B", "\x1b[A"}[n%2], "")
				if err != nil {
					return err
				}
				times[i] = append(times[i], took)
				waitFor(ctx, *between-took)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(100*(processorTime(b, s.process)-spent).Seconds()/time.Since(began).Seconds(), "busy-%-of-a-core")
	reportTimes(b, "key", slices.Concat(times...))
}

// waitFor lets time pass.
func waitFor(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// connect connects with SSH, without a key if it is nil.
func connect(address string, key ssh.Signer) (*ssh.Client, *ssh.Session, error) {
	config := &ssh.ClientConfig{User: "visitor", HostKeyCallback: ssh.InsecureIgnoreHostKey()}
	if key != nil {
		config.Auth = []ssh.AuthMethod{ssh.PublicKeys(key)}
	}
	client, err := ssh.Dial("tcp", address, config)
	if err != nil {
		return nil, nil, err
	}
	session, err := client.NewSession()
	return client, session, err
}

// visitor is a connection with the UI on its terminal.
type visitor struct {
	client     *ssh.Client
	keys       io.Writer
	firstFrame time.Duration // since the connection was begun

	mu   sync.Mutex
	came []byte        // since the last key
	more chan struct{} // holds one when there is more
	done chan struct{} // closed with the connection
}

// move is what a visitor types, and what that brings to the screen.
type move struct{ keys, brings string }

// toTheShares are the steps of somebody who signs in and goes to the shares of the first domain.
var toTheShares = []move{
	{"", "E-mail"},
	{"ada@harbor.example\tdemo\r", "drydock.example"},
	{"\r", "copy rows"}, // which comes with the rows
}

// The steps of somebody whose session is kept, the first time and after that.
var (
	fromTheDomains  = []move{{"", "drydock.example"}, toTheShares[2]}
	backAtTheShares = []move{{"", "copy rows"}}
)

// visit connects and takes some steps.
func visit(address string, key ssh.Signer, steps []move) (*visitor, error) {
	began := time.Now()
	client, session, err := connect(address, key)
	if err != nil {
		return nil, err
	}
	v := &visitor{client: client, more: make(chan struct{}, 1), done: make(chan struct{})}
	screen, err := session.StdoutPipe()
	if err == nil {
		v.keys, err = session.StdinPipe()
	}
	if err = errors.Join(err, session.RequestPty("xterm-256color", 40, 120, nil), session.Shell()); err != nil {
		return nil, err
	}
	go v.watch(screen)
	for _, step := range steps {
		if _, err := v.press(step.keys, step.brings); err != nil {
			return nil, err
		}
		if v.firstFrame == 0 {
			v.firstFrame = time.Since(began)
		}
	}
	return v, nil
}

// keepFor signs in and has the session kept for a key.
func keepFor(address string, key ssh.Signer) error {
	client, session, err := connect(address, key)
	if err != nil {
		return err
	}
	defer client.Close()
	session.Stdin = strings.NewReader("demo\n")
	return session.Run("login -u ada@harbor.example --password-stdin --keep")
}

// comeBack connects, takes some steps, and leaves.
func comeBack(address string, key ssh.Signer, steps []move) error {
	v, err := visit(address, key, steps)
	if err != nil {
		return err
	}
	leaveAll([]*visitor{v})
	return nil
}

// BenchmarkReconnections has visitors come back to the list where they were, again and again.
func BenchmarkReconnections(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the visitors' share of the machine
	keys, authorized := make([]ssh.Signer, *kept), new(bytes.Buffer)
	for i := range keys {
		_, private, err := ed25519.GenerateKey(nil)
		if err == nil {
			keys[i], err = ssh.NewSignerFromKey(private)
		}
		if err != nil {
			b.Fatal(err)
		}
		authorized.Write(ssh.MarshalAuthorizedKey(keys[i].PublicKey()))
	}
	file := filepath.Join(b.TempDir(), "authorized_keys")
	if err := os.WriteFile(file, authorized.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		args := append(keptIn(b), "--authorized-keys", file, "--max-connections", "0", "--max-per-address", "0", "--grace", "1s")
		s := serveSSH(b, demoService(b)[len(home(b)):], args...)
		for _, key := range keys { // one after the other: sign-ins to one account are limited
			if err := errors.Join(keepFor(s.address, key), comeBack(s.address, key, fromTheDomains)); err != nil {
				b.Fatal(err)
			}
		}
		var coming errgroup.Group
		var came atomic.Int64
		spent, began := processorTime(b, s.process), time.Now()
		for _, key := range keys {
			coming.Go(func() error {
				for time.Since(began) < *period {
					if err := comeBack(s.address, key, backAtTheShares); err != nil {
						return err
					}
					came.Add(1)
				}
				return nil
			})
		}
		if err := coming.Wait(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(came.Load())/time.Since(began).Seconds(), "reconnections/s")
		b.ReportMetric(1e3*(processorTime(b, s.process)-spent).Seconds()/float64(came.Load()), "ms-of-a-core/reconnection")
	}
}

// watch reads the screen until the connection ends.
func (v *visitor) watch(screen io.Reader) {
	defer close(v.done)
	buffer := make([]byte, 8<<10)
	for {
		n, err := screen.Read(buffer)
		v.mu.Lock()
		v.came = append(v.came, buffer[:n]...)
		v.mu.Unlock()
		select {
		case v.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// press presses keys and returns how long it takes until a text comes, or anything.
func (v *visitor) press(keys, brings string) (time.Duration, error) {
	if keys != "" {
		v.mu.Lock()
		v.came = v.came[:0]
		v.mu.Unlock()
	}
	pressed := time.Now()
	if _, err := io.WriteString(v.keys, keys); err != nil {
		return 0, err
	}
	for deadline := time.After(patience); ; {
		v.mu.Lock()
		came := len(v.came) > 0 && bytes.Contains(v.came, []byte(brings))
		v.mu.Unlock()
		if came {
			return time.Since(pressed), nil
		}
		select {
		case <-v.more:
		case <-v.done:
			return 0, fmt.Errorf("the connection ended before %q", brings)
		case <-deadline:
			return 0, fmt.Errorf("%q did not come", brings)
		}
	}
}
