package cli

import (
	"context"
	"crypto/ed25519"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/sshd"
)

// floods is how many clients send bad input at once.
const floods = 2

// BenchmarkAKeyBesideBadInput measures what a visitor at work waits for the answer
// to a key, alone and beside clients that do what no honest one does.
func BenchmarkAKeyBesideBadInput(b *testing.B) {
	for _, bad := range []struct {
		name    string
		prepare func(crowdedHost, context.Context) (send func() bool)
	}{
		{"alone", func(crowdedHost, context.Context) func() bool { return func() bool { return false } }},
		{"pastes", crowdedHost.paste},
		{"keys", crowdedHost.typeOn},
		{"windows", crowdedHost.resize},
		{"requests", crowdedHost.ask},
		{"wrong keys", crowdedHost.tryKeys},
		{"never reads", crowdedHost.scrollUnread},
		{"half open", crowdedHost.openHalf},
	} {
		b.Run(bad.name, func(b *testing.B) {
			h := startCrowded(b)
			ctx, end := context.WithCancel(b.Context())
			defer end()
			at := h.visitor(ctx, "ada", "42 shares")
			var running sync.WaitGroup
			for range floods {
				send := bad.prepare(h, ctx) // what it costs to come in is not what is measured
				running.Go(func() {
					for ctx.Err() == nil && send() {
						continue
					}
				})
			}
			var times []time.Duration
			pace := time.NewTicker(50 * time.Millisecond) // slower than frames are drawn
			defer pace.Stop()
			for b.Loop() {
				<-pace.C
				times = append(times, at.press("jk"[len(times)%2:][:1]))
			}
			end()
			running.Wait()
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2].Seconds()*1e3, "p50-ms")
			b.ReportMetric(times[len(times)*99/100].Seconds()*1e3, "p99-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// crowdedHost is a server of the demo to which crowds come.
type crowdedHost struct {
	testing.TB
	address string
	owner   gossh.Signer // of the key that lets in
}

func startCrowded(t testing.TB) crowdedHost {
	t.Helper()
	return startHost(t, visitorsAt(time.Now).OwnDemos())
}

// startHost starts a server with a handler.
func startHost(t testing.TB, handler sshd.Handler) crowdedHost {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	owner := newSigner(t)
	keys := filepath.Join(t.TempDir(), "authorized_keys")
	if err := os.WriteFile(keys, gossh.MarshalAuthorizedKey(owner.PublicKey()), 0o600); err != nil {
		t.Fatal(err)
	}
	limits := sshd.DefaultLimits()
	limits.PerAddress, limits.PerSecond = 0, 0 // they come from everywhere
	server, err := sshd.Start(t.Context(), sshd.Options{
		Listen: "127.0.0.1:0", Access: sshd.Access{AuthorizedKeys: keys}, Limits: limits,
		Log: slog.New(slog.DiscardHandler), Serve: handler,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Drain(context.Background()) })
	return crowdedHost{t, server.Addr().String(), owner}
}

func newSigner(t testing.TB) gossh.Signer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := gossh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

func (h crowdedHost) dial(key gossh.Signer) (*gossh.Client, error) {
	return gossh.Dial("tcp", h.address, &gossh.ClientConfig{
		User: "x", Auth: []gossh.AuthMethod{gossh.PublicKeys(key)}, HostKeyCallback: gossh.InsecureIgnoreHostKey(), // it is ours
	})
}

// terminal is the terminal of a client.
type terminal struct {
	h       crowdedHost
	session *gossh.Session
	keys    io.Writer
	frames  chan string
}

// open connects with a terminal until the context ends. What is drawn on it is
// read, or not at all.
func (h crowdedHost) open(ctx context.Context, read bool) *terminal {
	client, err := h.dial(h.owner)
	if err != nil {
		h.Fatal(err)
	}
	context.AfterFunc(ctx, func() { _ = client.Close() })
	session, err := client.NewSession()
	if err != nil {
		h.Fatal(err)
	}
	at := &terminal{h: h, session: session, frames: make(chan string, 1<<10)}
	at.keys, _ = session.StdinPipe()
	out, _ := session.StdoutPipe()
	if err := session.RequestPty("xterm-256color", 30, 100, nil); err != nil {
		h.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		h.Fatal(err)
	}
	if read {
		go at.read(ctx, out)
	}
	return at
}

func (at *terminal) read(ctx context.Context, from io.Reader) {
	defer close(at.frames)
	for page := make([]byte, 64<<10); ; {
		n, err := from.Read(page)
		if err != nil {
			return
		}
		select {
		case at.frames <- string(page[:n]):
		case <-ctx.Done():
			return
		}
	}
}

// visitor signs in and opens the list of shares.
func (h crowdedHost) visitor(ctx context.Context, name, shares string) *terminal {
	at := h.open(ctx, true)
	at.wait("Sign in")
	at.write(name + "@harbor.example\tdemo\r")
	at.wait("Domains")
	at.write("\r")
	at.wait(shares)
	return at
}

func (at *terminal) write(keys string) bool {
	_, err := io.WriteString(at.keys, keys)
	return err == nil
}

// wait waits until a text has been drawn.
func (at *terminal) wait(text string) {
	var drawn strings.Builder
	for deadline := time.After(20 * time.Second); ; {
		select {
		case frame := <-at.frames:
			if drawn.WriteString(frame); strings.Contains(ansi.Strip(drawn.String()), text) {
				return
			}
		case <-deadline:
			at.h.Fatalf("%q is not drawn", text)
		}
	}
}

// press returns how long the answer to a key takes.
func (at *terminal) press(key string) time.Duration {
	for len(at.frames) > 0 {
		<-at.frames
	}
	began := time.Now()
	at.write(key)
	select {
	case <-at.frames:
	case <-time.After(20 * time.Second):
		at.h.Error("no answer to a key")
	}
	return time.Since(began)
}

// What follows prepares a flood and returns what sends a piece of it, as long as
// there is somebody to send it to.

func (h crowdedHost) paste(ctx context.Context) func() bool {
	at := h.visitor(ctx, "ada", "42 shares")
	megabyte := "\x1b[200~" + strings.Repeat("x", 1<<20) + "\x1b[201~"
	return func() bool { return at.write(megabyte) }
}

func (h crowdedHost) typeOn(ctx context.Context) func() bool {
	at := h.visitor(ctx, "ada", "42 shares")
	keys := strings.Repeat("jk", 16<<10)
	return func() bool { return at.write(keys) }
}

func (h crowdedHost) resize(ctx context.Context) func() bool {
	at, size := h.visitor(ctx, "ada", "42 shares"), 0
	return func() bool {
		size++
		return at.session.WindowChange(10_000, 100+size%100) == nil
	}
}

func (h crowdedHost) ask(ctx context.Context) func() bool {
	at := h.visitor(ctx, "ada", "42 shares")
	return func() bool {
		_, err := at.session.SendRequest("env", false, nil)
		return err == nil
	}
}

func (h crowdedHost) scrollUnread(ctx context.Context) func() bool {
	at := h.open(ctx, false)
	at.write("gus@harbor.example\tdemo\r")
	return func() bool { return at.write("\r" + strings.Repeat("jjjjjjGg", 64)) }
}

func (h crowdedHost) tryKeys(context.Context) func() bool {
	key := newSigner(h)
	return func() bool {
		_, err := h.dial(key)
		return err != nil // it is not let in
	}
}

// openHalf opens connections at the rate of fifty addresses.
func (h crowdedHost) openHalf(ctx context.Context) func() bool {
	pace := time.NewTicker(time.Second / 25)
	context.AfterFunc(ctx, pace.Stop)
	return func() bool {
		select {
		case <-pace.C:
		case <-ctx.Done():
			return false
		}
		c, err := net.Dial("tcp", h.address)
		if err != nil {
			return false
		}
		_, _ = io.WriteString(c, "SSH-2.0-x\r\n")
		context.AfterFunc(ctx, func() { _ = c.Close() })
		return true
	}
}
