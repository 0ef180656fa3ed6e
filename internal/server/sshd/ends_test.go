package sshd

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/testkit"
)

// took is how long something takes.
func took(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

func TestARefusedConnectionIsClosed(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = io.Copy(io.Discard, client)
		_ = client.Close()
	}()
	sendRefusal(server, "no")
	if err := server.SetDeadline(time.Time{}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("it is open: %v", err)
	}
}

func TestARefusalThatCannotBeSentIsAClosedConnection(t *testing.T) {
	inBubble(t, untilOver, func(t *testing.T, h *host) {
		h.visitor().pty().shell()
		synctest.Wait() // until the server knows of the shell: who has none makes room for others
		for range refusalsAtOnce {
			h.refusals <- struct{}{}
		}
		c := h.raw()
		waited := took(func() {
			if got, _ := io.ReadAll(c); len(got) > 0 {
				t.Errorf("it reads %q", got)
			}
		})
		if waited > 0 {
			t.Errorf("it is open for %v", waited)
		}
	}, limits(func(l *Limits) { l.Connections = 1 }))
}

// RFC 4253, 6: a packet is a multiple of eight bytes, four or more of which are padding.
func TestARefusalIsAPacketOfSSH(t *testing.T) {
	for length := range 40 {
		sentence := strings.Repeat("x", length)
		packet := bytes.TrimPrefix(disconnect(sentence), []byte(serverVersion+"\r\n"))
		padding := int(packet[4])
		if len(packet)%8 != 0 || padding < 4 || padding > 11 {
			t.Errorf("a sentence of %d bytes: %d bytes with a padding of %d", length, len(packet), padding)
		}
		if got := int(binary.BigEndian.Uint32(packet)); got != len(packet)-4 {
			t.Errorf("a sentence of %d bytes: the length is %d of %d", length, got, len(packet))
		}
		var message struct {
			Reason   uint32 `sshtype:"1"`
			Message  string
			Language string
		}
		if err := gossh.Unmarshal(packet[5:len(packet)-padding], &message); err != nil || message.Message != sentence {
			t.Errorf("a sentence of %d bytes: %+v, %v", length, message, err)
		}
	}
}

// failing is a listener that fails at first.
type failing struct {
	net.Listener
	failures, tries atomic.Int32
}

func (f *failing) Accept() (net.Conn, error) {
	f.tries.Add(1)
	if f.failures.Add(-1) >= 0 {
		return nil, errors.New("too many open files")
	}
	return f.Listener.Accept()
}

func TestAServerThatLacksFilesTriesAgainTenTimesASecondAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &logbook{more: make(chan struct{}, 1)}
		server := newServer(options(log, hello, nil))
		f := &failing{Listener: testkit.NewNetwork().Listen()}
		f.failures.Store(20)
		server.setListener(f)
		server.tasks.Go(server.accept)
		<-time.After(450 * time.Millisecond)
		if got := f.tries.Load(); got != 5 {
			t.Errorf("it has tried %d times", got)
		}
		<-time.After(10 * time.Second)
		if got := f.tries.Load(); got != 21 {
			t.Errorf("it has tried %d times", got)
		}
		log.find(t, "no connection accepted", "error=too many open files")
		if lines := strings.Count(log.String(), "no connection accepted"); lines > burst+2 {
			t.Errorf("it is logged %d times", lines)
		}
		server.drainNow()
	})
}

func TestAHandlerThatGoesOnIsCutOff(t *testing.T) {
	var release chan struct{} // of the bubble
	deaf := func(context.Context, *Connection) int { <-release; return 0 }
	inBubble(t, deaf, func(t *testing.T, h *host) {
		release = make(chan struct{})
		client := h.client()
		h.visitorOf(client).pty().shell()
		if got := took(func() { _ = client.Wait() }); got != time.Minute+closeDelay {
			t.Errorf("the connection is closed after %v", got)
		}
		close(release)
	}, limits(func(l *Limits) { l.Idle = time.Minute }))
}

func TestAPeerThatDoesNotAnswerTheEndOfItsSessionIsHungUpOn(t *testing.T) {
	const second, idle = time.Second, 10 * time.Second
	soon := func(context.Context, *Connection) int { <-time.After(second); return 0 }
	slowly := func(ctx context.Context, _ *Connection) int { <-ctx.Done(); <-time.After(second); return 0 }
	for name, tt := range map[string]struct {
		handler Handler
		idle    time.Duration
		want    time.Duration
	}{
		"the session was done":          {soon, 0, second + maxSilence},
		"the session was ended at last": {untilOver, idle, idle + closeDelay},
		"the handler took its time":     {slowly, idle, idle + second + closeDelay},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, tt.handler, func(t *testing.T, h *host) {
				line := &blockedLine{Conn: h.raw(), free: make(chan struct{})}
				client, err := h.over(line, "visitor")
				if err != nil {
					t.Fatal(err)
				}
				if err := h.visitorOf(client).Start("x"); err != nil {
					t.Fatal(err)
				}
				line.blocked.Store(true)
				if got := took(func() { h.log.find(t, "end") }); got != tt.want {
					t.Errorf("the connection is closed after %v, want %v", got, tt.want)
				}
				close(line.free)
			}, limits(func(l *Limits) { l.Idle = tt.idle }))
		})
	}
}

func TestAClientThatClosesItsSessionIsGone(t *testing.T) {
	inBubble(t, hello, func(t *testing.T, h *host) {
		client := h.client()
		session, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		_ = session.Close()
		if got := took(func() { _ = client.Wait() }); got > 0 {
			t.Errorf("the connection is open for %v", got)
		}
	})
}

func TestDrainingDoesNotWaitForEverAndSaysSo(t *testing.T) {
	const grace = 10 * time.Second
	for finish, want := range map[time.Duration]time.Duration{
		0:           grace + closeDelay + time.Second,
		time.Minute: grace + time.Minute,
	} {
		var release chan struct{} // of the bubble
		deaf := func(context.Context, *Connection) int { <-release; return 0 }
		inBubble(t, deaf, func(t *testing.T, h *host) {
			release = make(chan struct{})
			h.visitor().pty().shell()
			if got := took(func() { h.Drain(t.Context()) }); got != want {
				t.Errorf("it takes %v, want %v", got, want)
			}
			h.log.find(t, "connections did not end", "count=1")
			if !h.memory.ended {
				t.Error("memory is given back after the end")
			}
			close(release)
		}, func(o *Options) { o.Grace, o.Finish = grace, finish })
	}
}

func TestWhoComesWhileTheServerDrainsIsSentAway(t *testing.T) {
	inBubble(t, hello, func(t *testing.T, h *host) {
		h.draining.Store(true)
		c := h.raw()
		if got := took(func() { _, _ = io.Copy(io.Discard, c) }); got > 0 {
			t.Errorf("the connection is open for %v", got)
		}
		h.draining.Store(false)
	})
}

func TestNothingIsKeptOfWhoHasLeft(t *testing.T) {
	inBubble(t, hello, func(t *testing.T, h *host) {
		client := h.client()
		h.visitorOf(client).run("hello")
		_ = client.Close()
		synctest.Wait()
		if left := h.gate.all(); len(left) > 0 || h.gate.open != 0 {
			t.Errorf("%d visits are left, %d are counted", len(left), h.gate.open)
		}
	})
}

// mined is a connection that panics when it is read.
type mined struct{ net.Conn }

func (mined) Read([]byte) (int, error) { panic("canary") }

// A panic where nobody expects one ends the visit, and is logged.
func TestAPanicOutsideTheHandlerEndsTheVisitAlone(t *testing.T) {
	log := &logbook{more: make(chan struct{}, 1)}
	server := newServer(options(log, hello, nil))
	server.key = newKey(t).(gossh.MultiAlgorithmSigner)
	ours, theirs := net.Pipe()
	go func() { _, _ = io.Copy(io.Discard, theirs) }() // ends with ours
	v := newVisit(server, mined{ours}, netip.MustParseAddr("192.0.2.7"))
	v.serve()
	log.find(t, "panic", "in=connection")
	log.find(t, "end", "reason=panic")

	v = newVisit(server, ours, netip.MustParseAddr("192.0.2.7"))
	v.serveRequest(nil)
	log.find(t, "panic", "in=session")
	if why := v.why(); why == nil || why.reason != reasonPanic {
		t.Errorf("the visit goes on, or ended with %v", why)
	}
}

// panicky is a log that panics at the start of a session.
type panicky struct{ slog.Handler }

func (p panicky) WithAttrs(attrs []slog.Attr) slog.Handler {
	return panicky{p.Handler.WithAttrs(attrs)}
}

func (p panicky) Handle(ctx context.Context, r slog.Record) error {
	if r.Message == "start" {
		panic("canary")
	}
	return p.Handler.Handle(ctx, r)
}

func TestAPanicBeforeTheHandlerEndsTheVisitAlone(t *testing.T) {
	h := serve(t, hello, func(o *Options) { o.Log = slog.New(panicky{o.Log.Handler()}) })
	client := h.client()
	if err := h.visitorOf(client).Start("hello"); err != nil {
		t.Fatal(err)
	}
	_ = client.Wait()
	h.log.find(t, "panic", "in=session")
	h.log.find(t, "end", "reason=panic")
}

func TestTheNewestValueTakesThePlaceOfOneThatNobodyTook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		newest := make(chan int, 1)
		replace(newest, 1)
		replace(newest, 2)
		if got := <-newest; got != 2 {
			t.Errorf("it is %d", got)
		}
	})
}

func TestATerminalHasTheSizeThatItHadAtTheStart(t *testing.T) {
	size := make(chan Size, 1)
	h := serve(t, func(_ context.Context, c *Connection) int {
		size <- Size{c.Terminal.Width, c.Terminal.Height}
		return 0
	})
	v := h.visitor().pty()
	if err := v.WindowChange(40, 100); err != nil {
		t.Fatal(err)
	}
	v.shell().code()
	if got := <-size; got != (Size{Width: 100, Height: 40}) {
		t.Errorf("it is %+v", got)
	}
}

func TestAKeyIsExchangedOnceAMinuteAfterTheFirstFew(t *testing.T) {
	key := newKey(t).(gossh.MultiAlgorithmSigner)
	synctest.Test(t, func(t *testing.T) {
		limited := newLimitedSigner(key)
		signs := func() bool {
			_, err := limited.SignWithAlgorithm(nil, nil, gossh.KeyAlgoED25519)
			return err == nil
		}
		for n := range exchangeBurst {
			if !signs() {
				t.Fatalf("exchange %d is refused", n+1)
			}
		}
		for range 3 {
			if signs() {
				t.Error("one more is allowed")
			}
			<-time.After(time.Minute)
			if !signs() {
				t.Error("a minute later none is allowed")
			}
		}
	})
}

func TestTheLongestCommandAndVariable(t *testing.T) {
	v := &visit{command: strings.Repeat("x", maxCommand)}
	if _, err := v.arguments(); err != nil {
		t.Error(err)
	}
	v.command += "x"
	if _, err := v.arguments(); err == nil {
		t.Error("a longer one is read")
	}
	maxValue := strings.Repeat("x", 64)
	if !v.setVariable("LANG", maxValue) || v.setVariable("LANG", maxValue+"x") {
		t.Errorf("the variables are %q", v.Environ)
	}
}

func TestTheOperatorIsAnsweredInWordsAndFormats(t *testing.T) {
	h := serve(t, hello, func(o *Options) { o.Metrics = "127.0.0.1:0" })
	for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ok\n"} {
		if code, text := h.get(path); code != http.StatusOK || text != want {
			t.Errorf("%s: %d %q", path, code, text)
		}
	}
	answer, err := http.Get("http://" + h.metricsAddr.String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got := answer.Header.Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("the metrics are %s", got)
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestARefusedKeyIsCounted(t *testing.T) {
	h := serve(t, hello, access(func(a *Access) {
		a.Anyone, a.AuthorizedKeys = false, writeKeys(t, "", line("", newKey(t)))
	}))
	if _, err := h.dial(newKey(t)); err == nil {
		t.Error("it gets in")
	}
	if n := h.metrics.set.GetOrCreateCounter(`gatehouse_ssh_auth_total{result="refused"}`).Get(); n == 0 {
		t.Error("none is counted")
	}
}

func TestMemoryWaitsUntilVisitorsHaveSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given atomic.Int64
		m := &memoryRelease{free: func() { given.Add(1) }}
		m.visitorsChanged(1)
		<-time.After(releaseDelay - time.Second)
		m.visitorsChanged(1) // from here on it waits
		<-time.After(releaseDelay - time.Second)
		if given.Load() != 0 {
			t.Error("memory is given back too early")
		}
		<-time.After(2 * time.Second)
		if given.Load() != 1 {
			t.Errorf("memory was given back %d times", given.Load())
		}
		m.stop()
	})
}

func TestAServerThatCannotServeItsOperatorListensNoMore(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	o := options(&logbook{}, hello, nil)
	o.Listen, o.Metrics = address, taken.Addr().String()
	if _, err := Start(t.Context(), o); err == nil {
		t.Fatal("it starts")
	}
	again, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatalf("the address is still taken: %v", err)
	}
	_ = again.Close()
}

func TestTheLimitsOfAHostOnTheInternet(t *testing.T) {
	want := Limits{
		Connections: 200, PerAddress: 10, PerSecond: 2, Tries: 6,
		Authenticate: 20 * time.Second, Idle: 30 * time.Minute, Stalled: 30 * time.Minute, Total: 12 * time.Hour,
	}
	if got := DefaultLimits(); got != want {
		t.Errorf("they are %+v", got)
	}
	if got := newServer(options(&logbook{}, hello, nil)).options.headerTimeout; got != time.Second {
		t.Errorf("a balancer has %v for its header", got)
	}
}
