package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	gossh "golang.org/x/crypto/ssh"
)

func TestACommandGetsItsWordsStreamsAndExitCode(t *testing.T) {
	h := serve(t, func(_ context.Context, c *Connection) int {
		text, err := io.ReadAll(c.Stdin)
		fmt.Fprintf(c.Stdout, "%q %s %v %v\n", c.Args, text, err, c.Terminal)
		fmt.Fprintf(c.Stderr, "to %s\n", c.User)
		return 3
	}, func(o *Options) { o.Commands = []string{"lookup"} })
	v := h.visitor()
	if err := v.Start(`lookup 'a b' "c\"d" '' e\ f`); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(v.stdin, "typed")
	_ = v.stdin.Close()
	if code := v.code(); code != 3 {
		t.Errorf("exit code %d", code)
	}
	if got, want := v.stdout.String(), `["lookup" "a b" "c\"d" "" "e f"] typed <nil> <nil>`+"\n"; got != want {
		t.Errorf("stdout is %q, want %q", got, want)
	}
	if got := v.stderr.String(); got != "to visitor\n" {
		t.Errorf("stderr is %q", got)
	}
	h.log.find(t, "start", "kind=lookup")
	h.log.find(t, "end", "reason=done", "exit=3")
	if strings.Contains(h.log.String(), "a b") || strings.Contains(h.log.String(), "typed") {
		t.Errorf("the log has what a visitor wrote:\n%s", h.log)
	}
}

func TestATerminalGetsWhatItsHandlerNeeds(t *testing.T) {
	connections := make(chan *Connection, 1)
	h := serve(t, func(_ context.Context, c *Connection) int { connections <- c; return 0 })
	v := h.visitor()
	for name, value := range map[string]string{"LANG": "da_DK.UTF-8", "LC_ALL": "C", "LC_CTYPE": "POSIX", "NO_COLOR": "1", "COLORTERM": "truecolor"} {
		if err := v.Setenv(name, value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, value := range map[string]string{
		"PATH": "/tmp", "LD_PRELOAD": "x", "GATEHOUSE_API_KEY": "x", "LANG": "a\x1b[2J", "COLORTERM": strings.Repeat("a", 65), "NO_COLOR": "../x",
	} {
		if err := v.Setenv(name, value); err == nil {
			t.Errorf("%s=%q was taken", name, value)
		}
	}
	v.pty().shell()
	if code := v.code(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	c := <-connections
	slices.Sort(c.Environ)
	if diff := cmp.Diff([]string{"COLORTERM=truecolor", "LANG=da_DK.UTF-8", "LC_ALL=C", "LC_CTYPE=POSIX", "NO_COLOR=1", "TERM=xterm-256color"}, c.Environ); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
	if c.Terminal == nil || c.Terminal.Width != 80 || c.Terminal.Height != 24 || len(c.Args) != 0 || c.Address != "127.0.0.1" || c.Fingerprint != "" {
		t.Errorf("the connection is %+v", c)
	}
	h.log.find(t, "start", "kind=ui")

	v = h.visitor()
	if err := v.RequestPty("../../etc/passwd\x1b]0;x\a", 24, 80, nil); err != nil {
		t.Fatal(err)
	}
	v.shell().code()
	if got := (<-connections).Environ; !slices.Equal(got, []string{"TERM=unknown"}) {
		t.Errorf("the environment is %q", got)
	}
}

func TestSizesStayWithinBounds(t *testing.T) {
	for asked, want := range map[Size]Size{
		{1, 1}:           {1, 1},
		{80, 24}:         {80, 24},
		{0, 0}:           {80, 24},
		{10_000, 10_000}: {maxWidth, maxHeight},
		{1<<32 - 1, 5}:   {maxWidth, 5},
	} {
		if got := clampSize(uint32(asked.Width), uint32(asked.Height)); got != want {
			t.Errorf("%v became %v, want %v", asked, got, want)
		}
	}
}

func TestOfManyWindowChangesTheNewestIsThere(t *testing.T) {
	h := serve(t, func(ctx context.Context, c *Connection) int {
		for {
			select {
			case size := <-c.Terminal.Resizes:
				if size == (Size{101, 77}) {
					return 0
				}
			case <-ctx.Done():
				return 1
			}
		}
	})
	v := h.visitor().pty().shell()
	for i := range 2000 {
		_ = v.WindowChange(20+i%50, 100)
	}
	_ = v.WindowChange(77, 101)
	if code := v.code(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestWhatIsNotServedIsRefused(t *testing.T) {
	h := serve(t, untilOver)
	client := h.client()
	v := h.visitorOf(client)
	for _, request := range []string{"subsystem", "auth-agent-req@openssh.com", "x11-req", "signal", "break", "xon-xoff"} {
		ok, err := v.SendRequest(request, true, gossh.Marshal(struct{ Name string }{"sftp"}))
		if ok || err != nil {
			t.Errorf("%s: %v, %v", request, ok, err)
		}
	}
	for _, request := range []string{"tcpip-forward", "streamlocal-forward@openssh.com", "cancel-tcpip-forward", "keepalive@openssh.com"} {
		if ok, _, err := client.SendRequest(request, true, nil); ok || err != nil {
			t.Errorf("%s: %v, %v", request, ok, err)
		}
	}
	for _, channel := range []string{"direct-tcpip", "direct-streamlocal@openssh.com", "x11", "auth-agent@openssh.com", "tun@openssh.com", "session"} {
		if _, _, err := client.OpenChannel(channel, nil); err == nil {
			t.Errorf("a channel of the type %s was opened", channel)
		}
	}
	v.pty()
	if err := v.RequestPty("xterm", 24, 80, nil); err == nil {
		t.Error("a second terminal was given")
	}
	v.shell()
	for _, request := range []string{"shell", "exec", "env", "pty-req"} {
		if ok, err := v.SendRequest(request, true, gossh.Marshal(struct{ Name, Value string }{"LANG", "C"})); ok || err != nil {
			t.Errorf("%s after the start: %v, %v", request, ok, err)
		}
	}
}

func TestAFloodOfWhatIsRefusedEndsTheConnection(t *testing.T) {
	for name, ask := range map[string]func(*visitor, *gossh.Client) error{
		"requests": func(v *visitor, _ *gossh.Client) error {
			_, err := v.SendRequest("nonsense", false, nil)
			return err
		},
		"channels": func(_ *visitor, client *gossh.Client) error {
			_, _, err := client.OpenChannel("direct-tcpip", nil)
			if _, refused := errors.AsType[*gossh.OpenChannelError](err); refused {
				return nil
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, untilOver)
			client := h.client()
			v := h.visitorOf(client).pty().shell()
			for range 10 * maxRefusals {
				if ask(v, client) != nil {
					break
				}
			}
			h.log.find(t, "end", "reason=flood of requests")
		})
	}
}

func TestWhatCannotBeStartedIsRefusedInASentence(t *testing.T) {
	const noTerminal, notUnderstood = "No terminal.", "The command line cannot be parsed: "
	h := serve(t, hello)
	for command, want := range map[string]string{
		"": noTerminal, "  ": noTerminal, "lookup 'a": notUnderstood, `lookup "a`: notUnderstood, `lookup \`: notUnderstood,
		strings.Repeat("a", maxCommand+1): notUnderstood,
	} {
		v := h.visitor()
		start := func() int { return v.run(command) }
		if command == "" {
			start = func() int { return v.shell().code() }
		}
		if code := start(); code != exitUsage || !strings.HasPrefix(v.stderr.String(), want) || v.stdout.Len() != 0 {
			t.Errorf("%.20q: %d %q %q", command, code, v.stderr.String(), v.stdout.String())
		}
	}
}

func TestLinesOfACommandEndAsATerminalWantsThem(t *testing.T) {
	h := serve(t, func(_ context.Context, c *Connection) int {
		for _, text := range []string{"a\nb\r\nc\r", "\nd\n", "e\r", "\n"} {
			fmt.Fprint(c.Stdout, text)
		}
		return 0
	})
	v := h.visitor().pty()
	v.run("lookup")
	if got := v.stdout.String(); got != "a\r\nb\r\nc\r\nd\r\ne\r\n" {
		t.Errorf("it reads %q", got)
	}
	v = h.visitor().pty().shell()
	v.code()
	if got := v.stdout.String(); got != "a\nb\r\nc\r\nd\ne\r\n" {
		t.Errorf("the UI's bytes became %q", got)
	}
}

func TestAPanicAtTheDoorEndsOneConnectionAlone(t *testing.T) {
	var calls atomic.Int64
	h := serve(t, hello, limits(func(l *Limits) { l.PerSecond = 100 }), func(o *Options) {
		o.Now = func() time.Time { // which the gate asks
			if calls.Add(1) == 1 {
				panic("canary")
			}
			return time.Now()
		}
	})
	if _, err := h.dial(); err == nil {
		t.Error("the first one is let in")
	}
	h.log.find(t, "panic", "in=connection", "panic=string")
	if code := h.visitor().run("x"); code != 0 {
		t.Errorf("the next one ends with %d", code)
	}
	if strings.Contains(h.log.String(), "canary") {
		t.Errorf("the log says what the panic said: %s", h.log)
	}
}

func TestAPanicEndsOneConnectionAlone(t *testing.T) {
	h := serve(t, func(ctx context.Context, c *Connection) int {
		switch {
		case slices.Contains(c.Args, "beside"):
			c.Go(func() { panic("a mistake") })
			<-ctx.Done()
			return 0
		case len(c.Args) > 0:
			panic("a mistake")
		}
		one := make([]byte, 1)
		_, _ = io.ReadFull(c.Stdin, one)
		fmt.Fprintf(c.Stdout, "still here, %s", one)
		return 0
	})
	other := h.visitor().pty().shell()
	for command, where := range map[string]string{"panic": "handler", "beside": "beside the handler"} {
		v := h.visitor().pty()
		if code := v.run(command); code != exitFailed {
			t.Errorf("%s: exit code %d", command, code)
		}
		if got := v.stdout.String(); !strings.Contains(got, "\x1b[?1049l") || !strings.Contains(got, "The program failed") || strings.Contains(got, "a mistake") {
			t.Errorf("%s: the visitor reads %q", command, got)
		}
		h.log.find(t, "panic", "in="+where, "panic=string")
	}
	if n := h.metrics.panics.Get(); n != 2 {
		t.Errorf("%d panics are counted, of two", n)
	}
	if strings.Contains(h.log.String(), "a mistake") { // it could be what somebody typed
		t.Errorf("the log says what the panic said: %s", h.log)
	}
	h.log.find(t, "end", "reason=panic")
	fmt.Fprint(other.stdin, "x")
	if code := other.code(); code != 0 || other.stdout.String() != "still here, x" {
		t.Errorf("the other one: %d %q", code, other.stdout.String())
	}
}

func TestAClientThatHangsUpEndsItsHandler(t *testing.T) {
	ended := make(chan error, 1)
	h := serve(t, func(ctx context.Context, c *Connection) int {
		fmt.Fprintln(c.Stdout, "welcome")
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return 0
	})
	client := h.client()
	h.visitorOf(client).pty().shell()
	h.log.find(t, "start")
	_ = client.Close()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the handler goes on")
	}
	h.log.find(t, "end", "reason=gone")
}

func TestASlowClientReadsAllOfACommandThatIsDone(t *testing.T) {
	const size = 1 << 20
	inBubble(t, func(_ context.Context, c *Connection) int {
		if _, err := c.Stdout.Write(make([]byte, size)); err != nil {
			return 1
		}
		return 7
	}, func(t *testing.T, h *host) {
		line := &blockedLine{Conn: h.raw(), free: make(chan struct{})}
		conn, channels, requests, err := gossh.NewClientConn(line, "", &gossh.ClientConfig{HostKeyCallback: gossh.FixedHostKey(h.key.PublicKey())})
		if err != nil {
			t.Fatal(err)
		}
		v := h.visitorOf(gossh.NewClient(conn, channels, requests))
		if err := v.Start("list"); err != nil {
			t.Fatal(err)
		}
		line.blocked.Store(true)
		<-time.After(closeDelay + time.Second)
		close(line.free)
		if code := v.code(); code != 7 || v.stdout.Len() != size {
			t.Errorf("%d of %d bytes came, and exit code %d", v.stdout.Len(), size, code)
		}
	})
}

// blockedLine is a connection on which nothing comes for a while.
type blockedLine struct {
	net.Conn
	blocked atomic.Bool
	free    chan struct{}
}

func (l *blockedLine) Read(p []byte) (int, error) {
	if l.blocked.Load() {
		<-l.free
	}
	return l.Conn.Read(p)
}

// Package io takes a short count for an error.
func TestWhatIsWrittenInChunksIsCountedInFull(t *testing.T) {
	const size = 3*chunkSize + 1
	counted := make(chan int, 1)
	h := serve(t, func(_ context.Context, c *Connection) int {
		n, err := c.Stdout.Write(make([]byte, size))
		counted <- n
		if err != nil {
			return 1
		}
		return 0
	}, limits(func(l *Limits) { l.Stalled = patience }))
	v := h.visitor()
	if code, n := v.run("x"), <-counted; code != 0 || n != size || v.stdout.Len() != size {
		t.Errorf("%d of %d bytes, the visitor has %d, and the code is %d", n, size, v.stdout.Len(), code)
	}
}
