package sshd

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/testkit"
)

// atOnce runs something on several goroutines, which begin together, and waits for them.
func atOnce(goroutines int, do func(n int)) {
	var ready, over sync.WaitGroup
	ready.Add(goroutines)
	for n := range goroutines {
		over.Go(func() {
			ready.Done()
			ready.Wait()
			do(n)
		})
	}
	over.Wait()
}

func TestNothingIsLostOfManyWhoComeAndGoAtOnce(t *testing.T) {
	const goroutines, times = 8, 2000
	g := newGate(Limits{}, time.Now)
	source := g.source(sourceOf(netip.MustParseAddr("192.0.2.1")))
	atOnce(goroutines, func(n int) {
		for range times {
			v := &visit{address: netip.MustParseAddr("192.0.2.1")}
			if _, refused := g.enter(v); refused != nil {
				t.Error(refused)
				return
			}
			if n%2 == 0 {
				g.markSession(v)
			}
			if n == 1 {
				g.all()
			}
			g.leave(v)
		}
	})
	if g.open != 0 || source.open != 0 || source.waiting != 0 || len(g.all()) != 0 {
		t.Errorf("%d are open, of the source %d, and %d wait", g.open, source.open, source.waiting)
	}
}

func TestAFileOfKeysIsParsedOnceForManyWhoAskAtOnce(t *testing.T) {
	var text bytes.Buffer
	key := newKey(t)
	path := writeKeys(t, "", line("", key))
	list, err := OpenKeyFile(path, "test keys", slog.New(slog.NewTextHandler(&text, nil)))
	if err != nil {
		t.Fatal(err)
	}
	visitor := &Connection{Fingerprint: gossh.FingerprintSHA256(key.PublicKey())}
	const changes = 5
	for n := range changes {
		writeKeys(t, path, line("", key), fmt.Sprintf("# %d\n", n), strings.Repeat("# much to read\n", 5000))
		atOnce(16, func(int) {
			if !list.Holds(visitor, time.Now()) {
				t.Error("the key is not held")
			}
		})
	}
	if got := strings.Count(text.String(), "test keys read"); got != 1+changes {
		t.Errorf("it was parsed %d times, want %d", got, 1+changes)
	}
}

// slow is a writer that lets others go first.
type slow struct{ text bytes.Buffer }

func (w *slow) Write(p []byte) (int, error) {
	for range 10 {
		runtime.Gosched()
	}
	return w.text.Write(p)
}

func TestWhatIsWrittenAtOnceIsNotMixed(t *testing.T) {
	v := strandedVisit(t, newServer(Options{Limits: Limits{Stalled: time.Hour}, Log: slog.New(slog.DiscardHandler)}))
	to := &slow{}
	out := &output{Writer: to, visit: v, chunkSize: 10}
	atOnce(4, func(n int) { _, _ = out.Write([]byte(strings.Repeat(fmt.Sprint(n), 1000))) })
	for n := range 4 {
		if want := strings.Repeat(fmt.Sprint(n), 1000); !strings.Contains(to.text.String(), want) {
			t.Errorf("what %d has written is mixed with others", n)
		}
	}
}

func TestAllVisitorsWhoComeAtOnceCountForTheReleaseOfMemory(t *testing.T) {
	const goroutines, times = 8, 5000
	t.Setenv("GOGC", "100")
	m := &memoryRelease{ended: true}
	atOnce(goroutines, func(int) {
		for range times {
			m.visitorsChanged(1)
		}
	})
	if m.changes != goroutines*times {
		t.Errorf("%d of %d are counted", m.changes, goroutines*times)
	}
}

// A timer of hours would keep all that a connection has held.
func TestNothingOfAVisitStaysInMemory(t *testing.T) {
	h := serve(t, hello, func(o *Options) { o.Access.Open, o.Access.Anyone = "visitor", false })
	client := h.client()
	var visitor weak.Pointer[visit]
	for _, v := range h.gate.all() {
		visitor = weak.Make(v)
	}
	if visitor.Value() == nil {
		t.Fatal("nobody is there")
	}
	h.visitorOf(client).run("hello")
	_ = client.Close()
	h.log.find(t, "end")
	for deadline := time.Now().Add(patience); visitor.Value() != nil; runtime.GC() {
		if time.Now().After(deadline) {
			t.Fatal("it is still there")
		}
	}
}

func TestWhatIsSharedIsChangedByOneAtATime(t *testing.T) {
	server := newServer(Options{Log: slog.New(slog.DiscardHandler)})
	v := strandedVisit(t, server)
	address := netip.MustParseAddr("192.0.2.2")
	testkit.RequireWaits(t, &server.gate.mu, map[string]func(){
		"enter":       func() { _, _ = server.gate.enter(&visit{address: address}) },
		"markSession": func() { server.gate.markSession(v) },
		"leave":       func() { server.gate.leave(v) },
		"all":         func() { server.gate.all() },
	})
	list, err := OpenKeyFile(writeKeys(t, "", line("", newKey(t))), "keys", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	testkit.RequireWaits(t, &list.mu, map[string]func(){"current": func() { _, _ = list.current() }})
	out := &output{Writer: &bytes.Buffer{}, visit: v, chunkSize: chunkSize}
	testkit.RequireWaits(t, &out.mu, map[string]func(){"Write": func() { _, _ = out.Write([]byte("x")) }})
	m := &memoryRelease{free: func() {}}
	t.Setenv("GOGC", "100")
	testkit.RequireWaits(t, &m.mu, map[string]func(){
		"visitorsChanged": func() { m.visitorsChanged(1) },
		"release":         m.release,
		"stop":            m.stop,
	})
	testkit.RequireWaits(t, &v.conn.mu, map[string]func(){
		"closeWhenSilent": func() { v.conn.closeWhenSilent(time.Hour) },
		"restartSilence":  v.conn.restartSilence,
		"closeWithin":     func() { v.conn.closeWithin(time.Hour) },
	})
}
