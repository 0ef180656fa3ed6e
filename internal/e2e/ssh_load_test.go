//go:build linux

package e2e

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
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
)

// settling is how long a server has to clear up after those who left.
const settling = 2 * time.Second

// loadedServer is a server that any number of visitors may enter.
func loadedServer(b *testing.B, env []string, args ...string) *sshServer {
	b.Helper()
	return serveSSH(b, env, append([]string{"--anyone", "--max-connections", "0", "--max-per-address", "0", "--grace", "1s"}, args...)...)
}

// metric is one number of what a server tells its operator.
func (s *sshServer) metric(name string) float64 {
	s.t.Helper()
	for line := range strings.Lines(s.get("/metrics")) {
		if given, value, _ := strings.Cut(strings.TrimSpace(line), " "); given == name {
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

// BenchmarkSSHLoad has many visitors sign in to a service in a process of its own and look
// at the shares of a domain, each on a connection of its own, and measures what that costs
// the server. The visitors run on the same machine, so rates and times have their part in them.
func BenchmarkSSHLoad(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the visitors' share of the machine
	for b.Loop() {
		s := loadedServer(b, demoService(b)[len(home(b)):], "--expose-sign-in")
		spent := func() time.Duration { return processorTime(b, s.process.Process.Pid) }
		resident := func() float64 { return float64(memory(b, s.process, "VmRSS")) }
		leaveAll(b, arrive(b, s, 1)) // what is made once is not the next one's
		waitFor(b.Context(), settling)
		memoryBefore, goroutinesBefore := resident(), s.metric("go_goroutines")

		began := time.Now()
		visitors := arrive(b, s, *sessions)
		n := float64(len(visitors))
		b.ReportMetric(n/time.Since(began).Seconds(), "sessions/s")
		var firstFrames []time.Duration
		for _, v := range visitors {
			firstFrames = append(firstFrames, v.firstFrame)
		}
		reportTimes(b, "first-frame", firstFrames)

		before := spent()
		waitFor(b.Context(), *period)
		b.ReportMetric(100*(spent()-before).Seconds()/period.Seconds(), "idle-%-of-a-core")
		b.ReportMetric((resident()-memoryBefore)/1e3/n, "kB/session")
		b.ReportMetric((s.metric("go_goroutines")-goroutinesBefore)/n, "goroutines/session")

		before, began = spent(), time.Now()
		times := press(b, visitors[:min(len(visitors), *busy)])
		b.ReportMetric(100*(spent()-before).Seconds()/time.Since(began).Seconds(), "busy-%-of-a-core")
		reportTimes(b, "key", times)

		// After the first crowd the runtime keeps descriptors for the next one: what there is more of
		// after another one has been left behind.
		leaveAll(b, visitors)
		waitFor(b.Context(), settling)
		memoryBefore = resident()
		leaveAll(b, arrive(b, s, *sessions))
		waitFor(b.Context(), settling)
		b.ReportMetric(100*resident()/memoryBefore-100, "memory-left-%")
	}
}

// BenchmarkListsThatNobodyReads has visitors ask for the same long list and read nothing of it.
func BenchmarkListsThatNobodyReads(b *testing.B) {
	for b.Loop() {
		s := loadedServer(b, nil, "--demo")
		before := memory(b, s.process, "VmRSS")
		ctx, leave := context.WithCancel(b.Context())
		var coming errgroup.Group
		for range *unreadLists {
			coming.Go(func() error {
				client, err := connect(ctx, s.address)
				if err != nil {
					return err
				}
				session, err := client.NewSession()
				if err != nil {
					return err
				}
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
		took := memory(b, s.process, "VmHWM") - before
		b.ReportMetric(float64(took)/1e6/float64(*unreadLists), "MB/connection")
		leave()
	}
}

// arrive has visitors come and go to the shares of a domain, a few at a time.
func arrive(b *testing.B, s *sshServer, n int) []*visitor {
	b.Helper()
	visitors := make([]*visitor, n)
	group, ctx := errgroup.WithContext(b.Context())
	group.SetLimit(8)
	for i := range visitors {
		group.Go(func() (err error) {
			ctx, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			if visitors[i], err = visit(ctx, s.address); err != nil {
				return err
			}
			return visitors[i].browse(ctx)
		})
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
	return visitors
}

func leaveAll(b *testing.B, visitors []*visitor) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), patience)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	for _, v := range visitors {
		group.Go(func() error { return v.leave(ctx) })
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
}

// press has each visitor press a key now and then, and returns how long it took until
// something came to the screens.
func press(b *testing.B, visitors []*visitor) []time.Duration {
	b.Helper()
	times := make([][]time.Duration, len(visitors))
	group, ctx := errgroup.WithContext(b.Context())
	end := time.Now().Add(*period)
	for i, v := range visitors {
		group.Go(func() error {
			waitFor(ctx, rand.N(*between))
			for n := 0; n == 0 || time.Now().Before(end); n++ {
				pressed := time.Now()
				took, err := v.press(ctx, []string{"\x1b[B", "\x1b[A"}[n%2])
				if err != nil {
					return err
				}
				times[i] = append(times[i], took)
				waitFor(ctx, *between-time.Since(pressed))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
	return slices.Concat(times...)
}

// waitFor lets time pass.
func waitFor(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func reportTimes(b *testing.B, what string, times []time.Duration) {
	slices.Sort(times)
	for percent, name := range map[int]string{50: "p50", 99: "p99"} {
		b.ReportMetric(milliseconds(times[min(len(times)*percent/100, len(times)-1)]), what+"-"+name+"-ms")
	}
}

// visitor is one connection with the UI on its terminal.
type visitor struct {
	client *ssh.Client
	keys   io.Writer
	// shown gets what comes to the screen until the visitor is settled; done is closed
	// with the connection.
	shown         chan []byte
	settled, done chan struct{}
	// pressed is when the last key was pressed to which nothing has come yet, in
	// nanoseconds since the epoch; 0 if there is none. took is of the answers so far.
	pressed atomic.Int64
	took    chan time.Duration

	firstFrame time.Duration // since the connection was begun
}

// connect connects with SSH until the context ends.
func connect(ctx context.Context, address string) (*ssh.Client, error) {
	client, err := ssh.Dial("tcp", address, &ssh.ClientConfig{User: "visitor", HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	if err == nil {
		context.AfterFunc(ctx, func() { client.Close() })
	}
	return client, err
}

// visit connects, and waits for the form.
func visit(ctx context.Context, address string) (*visitor, error) {
	began := time.Now()
	client, err := connect(context.WithoutCancel(ctx), address)
	if err != nil {
		return nil, err
	}
	v := &visitor{
		client: client,
		shown:  make(chan []byte), settled: make(chan struct{}), done: make(chan struct{}),
		took: make(chan time.Duration, 1),
	}
	if err = v.open(); err == nil {
		err = v.waitFor(ctx, "E-mail")
	}
	if err != nil {
		v.client.Close()
		return nil, err
	}
	v.firstFrame = time.Since(began)
	return v, nil
}

func (v *visitor) open() error {
	session, err := v.client.NewSession()
	if err != nil {
		return err
	}
	screen, err := session.StdoutPipe()
	if err != nil {
		return err
	}
	if v.keys, err = session.StdinPipe(); err != nil {
		return err
	}
	if err := errors.Join(session.RequestPty("xterm-256color", 40, 120, nil), session.Shell()); err != nil {
		return err
	}
	go v.watch(screen)
	return nil
}

// watch reads the screen until the connection ends.
func (v *visitor) watch(screen io.Reader) {
	defer close(v.done)
	buffer := make([]byte, 8<<10)
	for {
		n, err := screen.Read(buffer)
		if pressed := v.pressed.Swap(0); pressed > 0 && n > 0 {
			v.took <- time.Since(time.Unix(0, pressed))
		}
		select {
		case v.shown <- bytes.Clone(buffer[:n]):
		case <-v.settled:
		}
		if err != nil {
			return
		}
	}
}

// waitFor reads the screen until a text has come.
func (v *visitor) waitFor(ctx context.Context, text string) error {
	var came []byte
	for !bytes.Contains(came, []byte(text)) {
		select {
		case part := <-v.shown:
			came = append(came, part...)
		case <-v.done:
			return fmt.Errorf("the connection ended before %q", text)
		case <-ctx.Done():
			return fmt.Errorf("%q did not come: %w; the last to come was %q", text, context.Cause(ctx), came[max(0, len(came)-300):])
		}
	}
	return nil
}

// browse signs in by typing and goes to the shares of the first domain.
func (v *visitor) browse(ctx context.Context) error {
	for _, step := range []struct{ keys, brings string }{
		{"ada@harbor.example\tdemo\r", "drydock.example"},
		{"\r", "copy rows"}, // which is there with the rows, and drawn at once
	} {
		if _, err := io.WriteString(v.keys, step.keys); err != nil {
			return err
		}
		if err := v.waitFor(ctx, step.brings); err != nil {
			return err
		}
	}
	close(v.settled)
	return nil
}

// press presses a key and returns how long it takes until something comes.
func (v *visitor) press(ctx context.Context, key string) (time.Duration, error) {
	v.pressed.Store(time.Now().UnixNano())
	if _, err := io.WriteString(v.keys, key); err != nil {
		return 0, err
	}
	select {
	case took := <-v.took:
		return took, nil
	case <-v.done:
		return 0, errors.New("the connection ended")
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// leave quits as a person does, and waits until the server ends the connection.
func (v *visitor) leave(ctx context.Context) error {
	defer v.client.Close()
	if _, err := io.WriteString(v.keys, "\x03"); err != nil { // ctrl+c, from wherever it is
		return err
	}
	select {
	case <-v.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
