package sshd

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/testkit"
)

// What is written about limits, in the documentation and for the person who meets one.
func TestTheBoundsOfAServer(t *testing.T) {
	const kibi, mebi = 1 << 10, 1 << 20
	for name, tt := range map[string]struct{ got, want int }{
		"connections that a source may open at once": {burst, 10},
		"sources that are remembered":                {maxSources, 8192},
		"refusals that are sent at once":             {refusalsAtOnce, 64},
		"bytes that are read of who is refused":      {refusalInput, 64 * kibi},
		"refused requests":                           {maxRefusals, 100},
		"bytes of a command line":                    {maxCommand, 8 * kibi},
		"columns of a terminal":                      {maxWidth, 640},
		"rows of a terminal":                         {maxHeight, 200},
		"bytes of a chunk":                           {chunkSize, 16 * kibi},
		"bytes of a chunk of a screen":               {screenChunkSize, 2 * kibi},
		"bytes that may come at once":                {inputBurst, mebi},
		"bytes that may come a second":               {inputPerSecond, 128 * kibi},
		"bytes that nobody has read":                 {maxUnread, 4 * mebi},
		"bytes of all that nobody has read":          {maxUnreadOfAll, 64 * mebi},
		"bytes of one where all have too many":       {maxUnreadShare, 256 * kibi},
		"bytes of a host key":                        {maxHostKey, 64 * kibi},
		"bytes of ballast":                           {ballastBytes, 16 * mebi},
		"bytes that are read at once":                {readBuffer, 256},
		"seconds to restore a terminal":              {int(closeDelay / time.Second), 3},
		"seconds of a refusal":                       {int(refusalTimeout / time.Second), 2},
		"seconds until memory is given back":         {int(releaseDelay / time.Second), 15},
		"seconds of silence after a session":         {int(maxSilence / time.Second), 30},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %d, want %d", name, tt.got, tt.want)
		}
	}
}

func TestASourceMayOpenTenConnectionsAtOnceAndThenAsItsRateSays(t *testing.T) {
	now := time.Now()
	g := newGate(Limits{PerSecond: 0.5}, func() time.Time { return now })
	admitted := func() (n int) {
		for range 20 {
			if _, _, refused := enter(g, "192.0.2.1"); refused == nil {
				n++
			}
		}
		return n
	}
	for _, want := range []int{10, 0} {
		if got := admitted(); got != want {
			t.Errorf("%d are admitted, want %d", got, want)
		}
	}
	now = now.Add(2 * time.Second)
	if got := admitted(); got != 1 {
		t.Errorf("two seconds later %d are admitted", got)
	}
}

func TestAHundredRequestsMayBeRefusedAndThenOneASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := strandedVisit(t, newServer(Options{Log: slog.New(slog.DiscardHandler)}))
		for range 100 {
			v.countRefusal("request")
		}
		if v.why() != nil {
			t.Errorf("after a hundred: %v", v.why())
		}
		<-time.After(time.Second)
		if v.countRefusal("channel"); v.why() != nil {
			t.Errorf("a second later: %v", v.why())
		}
		if v.countRefusal("channel"); v.why() != endFlood {
			t.Errorf("after one more: %v", v.why())
		}
		for kind, want := range map[string]uint64{"request": 100, "channel": 2} {
			name := fmt.Sprintf("gatehouse_ssh_refused_requests_total{kind=%q}", kind)
			if got := v.server.metrics.set.GetOrCreateCounter(name).Get(); got != want {
				t.Errorf("%d refused %ss are counted, want %d", got, kind, want)
			}
		}
	})
}

// Without a number there is no limit: the library would take zero for a limit of its own.
func TestWithoutALimitAnyNumberOfKeysMayBeTried(t *testing.T) {
	mine := newKey(t)
	h := serve(t, hello, withKeys(writeKeys(t, "", line("", mine))), limits(func(l *Limits) { l.Tries = 0 }))
	var keys []gossh.Signer
	for range 20 {
		keys = append(keys, newKey(t))
	}
	h.client(append(keys, mine)...)
}

// The unread bytes of a client are counted until the handler has read all that there is.
func TestInputCountsAsUnreadUntilAllOfItIsRead(t *testing.T) {
	v := strandedVisit(t, newServer(Options{Log: slog.New(slog.DiscardHandler)}))
	v.unread.Store(1000)
	in := input{strings.NewReader("abcdef"), v}
	piece := make([]byte, 3)
	for range 2 {
		if n, err := in.Read(piece); n != 3 || err != nil {
			t.Fatal(n, err)
		}
		if got := v.unread.Load(); got != 1000 {
			t.Errorf("%d bytes are unread while there may be more", got)
		}
	}
	if _, err := in.Read(piece); !errors.Is(err, io.EOF) || v.unread.Load() != 0 {
		t.Errorf("at the end %d bytes are unread, %v", v.unread.Load(), err)
	}
}

// A handler that reads beyond the end of the input is not somebody who types.
func TestWhoHasClosedTheInputIsIdle(t *testing.T) {
	const idle = time.Minute
	synctest.Test(t, func(t *testing.T) {
		v := strandedVisit(t, newServer(Options{Limits: Limits{Idle: idle}, Log: slog.New(slog.DiscardHandler)}))
		v.idleTimer = v.after(idle, endIdle(idle))
		defer v.idleTimer.Stop()
		in, began := input{strings.NewReader("x"), v}, time.Now()
		for v.ctx.Err() == nil && time.Since(began) < time.Hour {
			_, _ = in.Read(make([]byte, 1))
			<-time.After(time.Second)
		}
		if took := time.Since(began); took > idle+time.Second {
			t.Errorf("the visit ends after %v", took)
		}
	})
}

// More than the burst could never pass the limit of the rate.
func TestNoMoreIsReadAtOnceThanTheRateAllows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := strandedVisit(t, newServer(Options{Log: slog.New(slog.DiscardHandler)}))
		v.conn.reader.Reset(bytes.NewReader(make([]byte, 3*inputBurst)))
		if n, err := v.conn.Read(make([]byte, 2*inputBurst)); n != inputBurst || err != nil {
			t.Errorf("%d bytes are read, %v", n, err)
		}
	})
}

func TestNoMoreThanAFewMegabytesOfKeysAreRead(t *testing.T) {
	const maxKeyBytes = 4 << 20
	for size, isRead := range map[int]bool{maxKeyBytes: true, maxKeyBytes + 1: false} {
		path := writeKeys(t, "", strings.Repeat("#", size-1), "\n")
		_, err := OpenKeyFile(path, "keys", slog.New(slog.DiscardHandler))
		if (err == nil) != isRead {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

func TestAKeyExpiresAtItsTime(t *testing.T) {
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	options := keyOptions{expires: at}
	for now, isGood := range map[time.Time]bool{at.Add(-1): true, at: false, at.Add(1): false} {
		if err := options.check(netip.Addr{}, now); (err == nil) != isGood {
			t.Errorf("%v from it: %v", now.Sub(at), err)
		}
	}
}

func TestAHostKeyIsForTheServerAlone(t *testing.T) {
	testkit.SkipOnWindows(t, "has access lists in place of modes")
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	if _, err := loadHostKey(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	own := defaultHostKey()
	for mode, isRead := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o644: false, 0o620: false, 0o604: false} {
		if err := os.Chmod(own, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := loadHostKey(t.Context(), own); (err == nil) != isRead {
			t.Errorf("with mode %o: %v", mode, err)
		}
	}
}

func TestAHostKeyHasNoPassphraseAndIsNotLong(t *testing.T) {
	private := newPrivateKey(t)
	plain, err := gossh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	encrypted, err := gossh.MarshalPrivateKeyWithPassphrase(private, "", []byte("canary"))
	if err != nil {
		t.Fatal(err)
	}
	padded := func(text string, size int) string { return text + strings.Repeat("\n", size-len(text)) }
	for name, tt := range map[string]struct {
		content string
		want    string
	}{
		"a key":              {string(pem.EncodeToMemory(plain)), ""},
		"with a passphrase":  {string(pem.EncodeToMemory(encrypted)), "is not a private key without a passphrase"},
		"as long as may be":  {padded(string(pem.EncodeToMemory(plain)), maxHostKey), ""},
		"longer than may be": {padded(string(pem.EncodeToMemory(plain)), maxHostKey+1), "too large"},
	} {
		path := filepath.Join(t.TempDir(), "host_key")
		if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := loadHostKey(t.Context(), path)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWithoutADirectoryThereIsNoHostKey(t *testing.T) {
	testkit.SkipOnWindows(t, "finds the home directory without HOME")
	for _, name := range []string{"XDG_STATE_HOME", "HOME", "LOCALAPPDATA", "USERPROFILE"} {
		t.Setenv(name, "")
	}
	if _, err := loadHostKey(t.Context(), ""); !errors.Is(err, errNoStateDir) {
		t.Errorf("the error is %v", err)
	}
}

// Sequences that restore a terminal are for one that a panic has left behind.
func TestATerminalIsRestoredAfterAPanicAlone(t *testing.T) {
	mistake := func(context.Context, *Connection) int { panic("a mistake") }
	for name, tt := range map[string]struct {
		handler  Handler
		terminal bool
		want     bool
	}{
		"a panic":                    {mistake, true, true},
		"a panic without a terminal": {mistake, false, false},
		"a limit":                    {untilOver, true, false},
		"nothing":                    {hello, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, tt.handler, func(t *testing.T, h *host) {
				v := h.visitor()
				if tt.terminal {
					v.pty()
				}
				v.run("x")
				got := strings.Contains(v.stdout.String()+v.stderr.String(), "\x1b[?1049l")
				if got != tt.want {
					t.Errorf("it reads %q and %q", &v.stdout, &v.stderr)
				}
			}, limits(func(l *Limits) { l.Idle = 10 * time.Second }))
		})
	}
}

func TestOfAVariableTheLastValueCounts(t *testing.T) {
	v := &visit{}
	for _, name := range []string{
		"TERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "COLORTERM", "ACCESSIBLE", "GATEHOUSE_AMBIGUOUS_WIDTH",
	} {
		if !v.setVariable(name, "first") || !v.setVariable(name, "second") {
			t.Errorf("%s is not taken", name)
		}
		if got := strings.Join(v.Environ, " "); !strings.HasSuffix(got, name+"=second") || strings.Contains(got, "first") {
			t.Errorf("the variables are %s", got)
		}
	}
	if v.setVariable("LC_TIME", "C") || v.setVariable("LANG", "a/b") {
		t.Errorf("the variables are %q", v.Environ)
	}
}

func TestALineFromWindowsIsACommandLine(t *testing.T) {
	words, err := splitWords("lookup 'a b'\r\r")
	if err != nil || strings.Join(words, "|") != "lookup|a b" {
		t.Errorf("it is split into %q, %v", words, err)
	}
}

// The library keeps two buffers of the size of the largest chunk for each visitor.
func TestAScreenIsWrittenInSmallChunks(t *testing.T) {
	for name, tt := range map[string]struct {
		terminal     bool
		command      string
		stdout, errs int
	}{
		"a screen":                {true, "", screenChunkSize, chunkSize},
		"a command in a terminal": {true, "list", chunkSize, chunkSize},
		"a command":               {false, "list", chunkSize, chunkSize},
	} {
		h := serve(t, func(_ context.Context, c *Connection) int {
			stdout, stderr := c.Stdout.(*output), c.Stderr.(*output)
			if stdout.chunkSize != tt.stdout || stderr.chunkSize != tt.errs {
				t.Errorf("%s: chunks of %d and %d bytes", name, stdout.chunkSize, stderr.chunkSize)
			}
			return 0
		})
		v := h.visitor()
		if tt.terminal {
			v.pty()
		}
		if tt.command == "" {
			v.shell().code()
		} else {
			v.run(tt.command)
		}
	}
}

// A listener that is not TCP has no address to limit.
func TestAPeerWithoutAnAddressCountsAsOneSource(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	if address := addressOf(ours); address.IsValid() || sourceOf(address).IsValid() {
		t.Errorf("it comes from %v of %v", address, sourceOf(address))
	}
}

// Whoever asks for metrics is on this machine, and sends little.
func TestTheHeadersOfTheOperatorAreShort(t *testing.T) {
	const maxHeader = 8 << 10
	const spare = 4 << 10 // of the HTTP server
	for size, want := range map[int]string{maxHeader: "HTTP/1.1 200", maxHeader + spare: "HTTP/1.1 431"} {
		askOperations(t, func(client net.Conn) {
			go func() {
				_, _ = fmt.Fprintf(client, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n", strings.Repeat("x", size))
			}()
			answer := make([]byte, len(want))
			if _, err := io.ReadFull(client, answer); err != nil || string(answer) != want {
				t.Errorf("%d bytes: %q, %v", size, answer, err)
			}
			_, _ = io.Copy(io.Discard, client)
		})
	}
}
