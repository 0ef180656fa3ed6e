package sshd

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/text/human"
)

func TestBeyondALimitTheVisitorReadsASentence(t *testing.T) {
	for name, test := range map[string]struct {
		set            func(*Limits)
		open           int
		word, sentence string
	}{
		"in all":           {func(l *Limits) { l.Connections = 2 }, 2, "full", "The server is full, with 2 connections. Try again later."},
		"from one address": {func(l *Limits) { l.PerAddress = 1 }, 1, "address", "Too many connections are open from your address: the limit is 1."},
		"a second":         {func(l *Limits) { l.PerSecond = 0.001 }, burst, "rate", "Too many new connections from your address."},
	} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, untilOver, limits(test.set))
			for range test.open {
				h.visitor().pty().shell()
			}
			_, err := h.dial()
			if err == nil || !strings.Contains(err.Error(), `disconnect, reason 12: "`+test.sentence) {
				t.Errorf("the next one reads %v", err)
			}
			h.log.find(t, "refused", "reason="+test.word, "address=127.0.0.1")
		})
	}
}

func TestARefusalThatWasSentMakesRoomForTheNext(t *testing.T) {
	h := serve(t, untilOver, limits(func(l *Limits) { l.Connections = 1 }))
	h.visitor().pty().shell()
	for n := range refusalsAtOnce + 1 {
		if _, err := h.dial(); err == nil || !strings.Contains(err.Error(), "The server is full") {
			t.Fatalf("visitor %d reads %v", n+1, err)
		}
	}
}

// Few refusals are sent at a time: one that nobody reads takes the place of another.
func TestARefusalThatNobodyReadsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stranger, conn := net.Pipe()
		defer stranger.Close()
		began := time.Now()
		sendRefusal(conn, "The server is full.")
		if took := time.Since(began); took != refusalTimeout {
			t.Errorf("it took %v", took)
		}
	})
}

func TestHalfOpenConnectionsKeepNobodyOut(t *testing.T) {
	h := serve(t, untilOver, limits(func(l *Limits) { l.Connections = 3 }))
	inside := h.visitor().pty().shell()
	h.log.find(t, "start")
	for range 20 {
		_, _ = h.raw().Read(make([]byte, 1)) // it is in once it is greeted
	}
	next := h.visitor().pty().shell()
	h.log.find(t, "end", "reason=room was needed")
	_, _ = inside.stdin.Write([]byte("x"))
	h.visitor().pty().shell()
	if _, err := h.dial(); err == nil || !strings.Contains(err.Error(), "The server is full") {
		t.Errorf("beside three sessions there is %v", err)
	}
	for _, v := range []*visitor{inside, next} {
		if _, err := v.SendRequest("window-change", true, nil); err != nil {
			t.Errorf("a session was ended for a newcomer: %v", err)
		}
	}
}

// enter has somebody enter a gate from an address.
func enter(g *gate, address string) (v, evicted *visit, refused *ending) {
	v = &visit{address: netip.MustParseAddr(address)}
	evicted, refused = g.enter(v)
	return v, evicted, refused
}

func TestWhoLeavesMakesRoom(t *testing.T) {
	g := newGate(Limits{Connections: 1, PerAddress: 1}, time.Now)
	for n := range 3 {
		v, _, refused := enter(g, "192.0.2.1")
		if refused != nil {
			t.Fatalf("visitor %d: %v", n+1, refused)
		}
		g.markSession(v)
		g.leave(v)
	}
}

func TestAnAddressCountsAsOneAndSoDoesANetworkOfIPv6(t *testing.T) {
	now := time.Now()
	g := newGate(Limits{PerAddress: 1, PerSecond: 1}, func() time.Time { return now })
	first, _, refused := enter(g, "2001:db8::1")
	if refused != nil {
		t.Fatal(refused)
	}
	for address, free := range map[string]bool{
		"2001:db8::ffff:1": false, "2001:db8:0:1::1": true, "192.0.2.1": true, "192.0.2.2": true, "::ffff:192.0.2.3": true,
	} {
		if _, _, refused := enter(g, address); (refused == nil) != free {
			t.Errorf("%s: %v", address, refused)
		}
	}
	if _, _, refused := enter(g, "192.0.2.3"); refused == nil {
		t.Error("an IPv4 address counts as two")
	}
	g.leave(first)
	g.leave(first) // counts once
	if _, _, refused := enter(g, "2001:db8::1"); refused != nil {
		t.Errorf("after it was left: %v", refused)
	}
}

func TestTheOldestOfTheLargestCrowdMakesRoom(t *testing.T) {
	g := newGate(Limits{Connections: 6}, time.Now)
	began := time.Now()
	at := func(address string, after time.Duration) *visit {
		t.Helper()
		v, evicted, refused := enter(g, address)
		if v.started = began.Add(after); evicted != nil || refused != nil {
			t.Fatal(evicted, refused)
		}
		return v
	}
	alone := at("192.0.2.1", 0)
	inside := at("192.0.2.2", time.Second)
	young, old, middle := at("192.0.2.2", 4*time.Second), at("192.0.2.2", 2*time.Second), at("192.0.2.2", 3*time.Second)
	other := at("192.0.2.3", time.Second)
	g.markSession(inside) // has a session
	// Then one is left of each, and the oldest of all goes.
	for i, want := range []*visit{old, middle, alone, other, young, nil} {
		v, evicted, refused := enter(g, "192.0.2.9")
		if evicted != want || (refused == nil) != (want != nil) {
			t.Errorf("newcomer %d takes another place: %v", i+1, refused)
		}
		if refused == nil {
			g.markSession(v)
		}
	}
}

func TestTheTableOfAddressesStaysSmall(t *testing.T) {
	g := newGate(Limits{PerSecond: 1}, time.Now)
	stay, _, _ := enter(g, "192.0.2.1")
	for i := range 3 * maxSources {
		v := &visit{address: netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})}
		if _, refused := g.enter(v); refused != nil {
			t.Fatal(refused)
		}
		g.leave(v)
	}
	if len(g.sources) > maxSources || g.sources[sourceOf(stay.address)] == nil {
		t.Errorf("it has %d sources", len(g.sources))
	}
}

func TestTimeEndsASessionWithASentence(t *testing.T) {
	const limit = 30 * time.Second
	for name, test := range map[string]struct {
		set            func(*Limits)
		word, sentence string
	}{
		"idle":  {func(l *Limits) { l.Idle = limit }, "idle", "nothing was typed for 30 seconds"},
		"total": {func(l *Limits) { l.Total = limit }, "total time", "connections last at most 30 seconds"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, untilOver, func(t *testing.T, h *host) {
				began := time.Now()
				v := h.visitor().pty().shell()
				if code, took := v.code(), time.Since(began); code != exitFailed || took != limit || !strings.Contains(v.stdout.String(), test.sentence) {
					t.Errorf("%d after %v, and reads %q", code, took, v.stdout.String())
				}
				h.log.find(t, "end", "reason="+test.word)
			}, limits(test.set))
		})
	}
}

func TestWhoHasNoKeyStaysForTwoMinutesWhateverOthersMay(t *testing.T) {
	for name, test := range map[string]struct{ total, want time.Duration }{
		"the default": {DefaultLimits().Total, 2 * time.Minute},
		"no limit":    {0, 2 * time.Minute},
		"an hour":     {time.Hour, 2 * time.Minute},
		"a minute":    {time.Minute, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			opened := func(o *Options) { o.Access.Open, o.Limits.Total, o.Limits.Idle = "check", test.total, 0 }
			inBubble(t, untilOver, func(t *testing.T, h *host) {
				began := time.Now()
				c, err := h.connect()
				if err != nil {
					t.Fatal(err)
				}
				client, err := h.over(c, "check")
				if err != nil {
					t.Fatal(err)
				}
				v := h.visitorOf(client).pty().shell()
				err = v.Wait()
				said := v.stdout.String()
				saysWhy := strings.Contains(said, "at most "+human.InWords(test.want)+".")
				if took := time.Since(began); err == nil || took != test.want || !saysWhy {
					t.Errorf("%v after %v: %s", err, took, said)
				}
			}, opened)
		})
	}
}

func TestWhoTypesIsNotIdle(t *testing.T) {
	const idle = 30 * time.Second
	inBubble(t, func(ctx context.Context, c *Connection) int {
		_, _ = io.ReadFull(c.Stdin, make([]byte, 4))
		if ctx.Err() != nil {
			return 1
		}
		return 0
	}, func(t *testing.T, h *host) {
		v := h.visitor().pty().shell()
		for range 4 {
			<-time.After(idle - time.Second)
			fmt.Fprint(v.stdin, "x")
		}
		if code := v.code(); code != 0 {
			t.Errorf("it was ended with %d: %s", code, v.stdout.String())
		}
	}, limits(func(l *Limits) { l.Idle = idle }))
}

func TestWhoDoesNotBeginIsEndedInTime(t *testing.T) {
	const soon = 20 * time.Second
	inBubble(t, hello, func(t *testing.T, h *host) {
		began := time.Now()
		half := h.raw()
		if _, err := io.Copy(io.Discard, half); err != nil {
			t.Errorf("a half-open connection: %v", err)
		}
		h.log.find(t, "end", "reason=no session in time")
		if err := h.client().Wait(); err == nil {
			t.Error("a connection without a session goes on")
		}
		client := h.client()
		h.visitorOf(client)
		if err := client.Wait(); err == nil {
			t.Error("a session without a start goes on")
		}
		if took := time.Since(began); took != 3*soon {
			t.Errorf("all three of them took %v", took)
		}
	}, limits(func(l *Limits) { l.Authenticate = soon }))
}

func TestWhoSpeaksNoSSHIsEnded(t *testing.T) {
	inBubble(t, hello, func(t *testing.T, h *host) {
		for text, want := range map[string]string{
			"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + strings.Repeat("x", 1000): "handshake",
			"SSH-2.0-x\r\n\xff\xff\xff\xff" + strings.Repeat("\x00", 100):   "handshake",
			"SSH-1.5-old\r\n":               "no session in time",
			strings.Repeat("\x00", 100_000): "handshake",
		} {
			before := strings.Count(h.log.String(), "reason\":\""+want)
			c := h.raw()
			go func() { _, _ = io.WriteString(c, text) }()
			if _, err := io.Copy(io.Discard, c); isTimeout(err) {
				t.Errorf("%.20q: the connection goes on", text)
			}
			synctest.Wait()
			if strings.Count(h.log.String(), "reason\":\""+want) == before {
				t.Errorf("%.20q: it did not end as %q:\n%s", text, want, h.log)
			}
		}
	})
}

func TestWhoTakesNothingIsEndedAndToldWhy(t *testing.T) {
	const stalled = 7 * time.Minute
	inBubble(t, func(ctx context.Context, c *Connection) int {
		for page := make([]byte, 64<<10); ; {
			if _, err := c.Stdout.Write(page); err != nil || ctx.Err() != nil {
				return 1
			}
		}
	}, func(t *testing.T, h *host) {
		channel, requests, err := h.client().OpenChannel("session", nil)
		if err != nil {
			t.Fatal(err)
		}
		go gossh.DiscardRequests(requests)
		if _, err := channel.SendRequest("exec", true, gossh.Marshal(commandRequest{"flood"})); err != nil {
			t.Fatal(err)
		}
		<-time.After(stalled + time.Second)
		go func() { _, _ = io.Copy(io.Discard, channel) }()
		said, _ := io.ReadAll(channel.Stderr())
		if want := "no output was read for 7 minutes"; !strings.Contains(string(said), want) {
			t.Errorf("told %q, want %q", said, want)
		}
		synctest.Wait()
		h.log.find(t, "end", "reason=stalled")
	}, limits(func(l *Limits) { l.Stalled, l.Idle = stalled, 0 }))
}

// taker takes output at its own pace.
type taker struct{ wait func(bytes int) time.Duration }

func (k taker) Write(p []byte) (int, error) {
	<-time.After(k.wait(len(p)))
	return len(p), nil
}

func TestWhoTakesOutputIsWaitedFor(t *testing.T) {
	const stalled, idle = 30 * time.Minute, 40 * time.Minute
	for name, test := range map[string]struct {
		wait  func(bytes int) time.Duration
		args  []string
		write int           // bytes
		every time.Duration // beside the waiting
		times int
		ended string
	}{
		"a pager in which somebody reads":     {func(int) time.Duration { return 25 * time.Minute }, []string{"shares"}, chunkSize, 0, 20, ""},
		"a pager in which nobody reads":       {func(int) time.Duration { return 31 * time.Minute }, []string{"shares"}, chunkSize, 0, 1, "stalled"},
		"a slow line":                         {func(n int) time.Duration { return time.Duration(n) * time.Second / 300 }, []string{"shares"}, 1000, 0, 3000, ""},
		"all of a long list on one":           {func(n int) time.Duration { return time.Duration(n) * time.Second / 3000 }, []string{"shares"}, 1 << 20, 0, 1, ""},
		"frames that nobody answers":          {func(int) time.Duration { return time.Second }, nil, 40, time.Minute, 60, "idle"},
		"quickly, whatever the size of it is": {func(int) time.Duration { return 0 }, nil, 1 << 20, 0, 50, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v := strandedVisit(t, newServer(Options{Limits: Limits{Stalled: stalled, Idle: idle}, Log: slog.New(slog.DiscardHandler)}))
				v.Args = test.args
				v.idleTimer = v.after(idle, &ending{reason: "idle"})
				defer v.idleTimer.Stop()
				out := &output{Writer: taker{test.wait}, visit: v, chunkSize: chunkSize}
				for n := 0; n < test.times && v.ctx.Err() == nil; n++ {
					if _, err := out.Write(make([]byte, test.write)); err != nil {
						t.Fatal(err)
					}
					<-time.After(test.every)
				}
				ended := ""
				if why := v.why(); why != nil {
					ended = why.reason
				}
				if ended != test.ended {
					t.Errorf("it was ended as %q, want %q", ended, test.ended)
				}
			})
		})
	}
}

// strandedVisit is a visit of somebody who has entered a server, and says nothing.
func strandedVisit(t *testing.T, server *Server) *visit {
	t.Helper()
	ours, theirs := net.Pipe()
	v := newVisit(server, ours, netip.MustParseAddr("192.0.2.1"))
	if _, refused := server.gate.enter(v); refused != nil {
		t.Fatal(refused)
	}
	t.Cleanup(func() {
		v.end(endGone)
		_ = theirs.Close()
	})
	return v
}

func TestAFloodOfInputIsSlowedDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		v := newVisit(newServer(Options{Log: slog.New(slog.DiscardHandler)}), ours, netip.Addr{})
		go func() { _, _ = theirs.Write(make([]byte, inputBurst+60*inputPerSecond)) }()
		piece, began := make([]byte, inputPerSecond), time.Now()
		for n := 0; n < inputBurst+9*inputPerSecond; n += len(piece) {
			if _, err := io.ReadFull(v.conn, piece); err != nil {
				t.Fatal(err)
			}
			v.unread.Store(0)
		}
		if took := time.Since(began); took.Round(time.Second) != 9*time.Second {
			t.Errorf("a megabyte and nine seconds' worth took %v", took)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = v.conn.Read(piece)
		}()
		synctest.Wait()
		began = time.Now()
		v.end(endGone)
		if <-ended; time.Since(began) != 0 {
			t.Errorf("the end waits for %v", time.Since(began))
		}
	})
}

func TestInputThatNobodyReadsIsBounded(t *testing.T) {
	server := newServer(Options{Log: slog.New(slog.DiscardHandler)})
	one := strandedVisit(t, server)
	one.countUnread(maxUnread)
	if one.why() != nil {
		t.Errorf("ended at the limit: %v", one.why())
	}
	if one.countUnread(1); one.why() != endInput {
		t.Errorf("past the limit: %v", one.why())
	}
	server.gate.leave(one)

	keen := strandedVisit(t, server)
	for range 3 {
		keen.countUnread(maxUnread)
		_, _ = input{strings.NewReader("all of it"), keen}.Read(make([]byte, 100))
	}
	if keen.why() != nil {
		t.Errorf("ended for input that was read: %v", keen.why())
	}
	server.gate.leave(keen)

	small, large, reads := strandedVisit(t, server), strandedVisit(t, server), strandedVisit(t, server)
	small.countUnread(maxUnreadShare)
	if large.countUnread(maxUnread - 1); large.why() != nil {
		t.Errorf("ended while there is room for all: %v", large.why())
	}
	strandedVisit(t, server).unread.Store(maxUnreadOfAll)
	reads.countUnread(maxUnreadShare)
	if large.countUnread(1); large.why() != endInput || small.why() != nil || reads.why() != nil {
		t.Errorf("past the limit of all: %v, and with little: %v, %v", large.why(), small.why(), reads.why())
	}
}

func TestAClientThatFillsTheInputOfACommandIsEnded(t *testing.T) {
	h := serve(t, untilOver)
	strandedVisit(t, h.Server).unread.Store(maxUnreadOfAll) // as others have done it
	v := h.visitor()
	if err := v.Start("reads nothing"); err != nil {
		t.Fatal(err)
	}
	_, _ = v.stdin.Write(make([]byte, 2*maxUnreadShare))
	h.log.find(t, "end", "reason=flood of input")
}

func TestKeysAreExchangedAFewTimesAlone(t *testing.T) {
	key, err := gossh.NewSignerWithAlgorithms(newKey(t).(gossh.AlgorithmSigner), []string{gossh.KeyAlgoED25519})
	if err != nil {
		t.Fatal(err)
	}
	s := newLimitedSigner(key)
	signed := 0
	for range 100 {
		if _, err := s.SignWithAlgorithm(nil, []byte("x"), gossh.KeyAlgoED25519); err == nil {
			signed++
		}
	}
	if signed != 6 { // a client that renews its keys in time needs one an hour
		t.Errorf("it has signed %d of 100 exchanges", signed)
	}
}

// deadlines is a connection that is about to end while its read deadline is being set.
type deadlines struct {
	net.Conn
	end   func()
	ended chan struct{}
	last  string
}

func (d *deadlines) SetReadDeadline(time.Time) error {
	go d.end()
	select {
	case <-d.ended:
	case <-time.After(50 * time.Millisecond): // the end waits for this deadline
	}
	d.last = "silence"
	return nil
}

func (d *deadlines) SetDeadline(time.Time) error {
	d.last = "end"
	close(d.ended)
	return nil
}

func TestTheDeadlineOfTheEndIsNotReplacedByThatOfSilence(t *testing.T) {
	d := &deadlines{ended: make(chan struct{})}
	c := &limitedConn{Conn: d}
	d.end = sync.OnceFunc(func() { c.closeWithin(closeDelay) })
	c.closeWhenSilent(time.Hour)
	<-d.ended
	c.restartSilence() // as each byte does that still comes
	if d.last != "end" {
		t.Errorf("the last deadline is that of the %s", d.last)
	}
}

func TestWithoutALimitOutputIsWaitedForForEver(t *testing.T) {
	inBubble(t, func(_ context.Context, c *Connection) int {
		fmt.Fprint(c.Stdout, "hello")
		<-time.After(time.Second)
		return 0
	}, func(t *testing.T, h *host) {
		v := h.visitor()
		if code := v.run("x"); code != 0 || v.stdout.String() != "hello" {
			t.Errorf("%d: %q, %s", code, v.stdout.String(), v.stderr.String())
		}
	}, limits(func(l *Limits) { l.Stalled = 0 }))
}

// Before the session there is nobody who could type.
func TestAVisitorIsIdleFromTheStartOfTheSessionOn(t *testing.T) {
	const idle = 10 * time.Second
	inBubble(t, untilOver, func(t *testing.T, h *host) {
		client := h.client()
		<-time.After(idle - time.Second)
		v := h.visitorOf(client).pty().shell()
		if got := took(func() { v.code() }); got != idle {
			t.Errorf("it is ended after %v", got)
		}
	}, limits(func(l *Limits) { l.Idle, l.Authenticate = idle, 0 }))
}

// Twice as much as one may have is too much for all only beyond the bound.
func TestInputIsAFloodBeyondTheBoundOfAllAlone(t *testing.T) {
	s := newServer(options(&logbook{}, hello, nil))
	others := strandedVisit(t, s)
	for unread, isFlood := range map[int64]bool{maxUnreadOfAll - 2*maxUnreadShare: false, maxUnreadOfAll: true} {
		others.unread.Store(unread)
		v := strandedVisit(t, s)
		v.countUnread(2 * maxUnreadShare)
		if got := v.why() == endInput; got != isFlood {
			t.Errorf("beside %d bytes of others it is a flood: %t", unread, got)
		}
		v.unread.Store(0)
	}
}
