package testkit

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// patience is how long a test waits for something to appear on a screen, on a busy machine.
const patience = time.Minute

// Terminal runs a program on a pseudo-terminal and keeps the screen that a
// person would see.
type Terminal struct {
	t       testing.TB
	pty     *os.File
	screen  vt10x.Terminal
	changed chan struct{}
	ended   chan struct{}
	command *exec.Cmd
	err     error // of the program, once ended

	mu     sync.Mutex
	raw    bytes.Buffer
	lastAt time.Time // when the newest bytes of raw came
}

// StartTerminal starts a command on a terminal of a size. The program is ended
// with the test.
func StartTerminal(t testing.TB, command *exec.Cmd, width, height int) *Terminal {
	t.Helper()
	file, err := pty.StartWithSize(command, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	if err != nil {
		t.Fatalf("start on a pseudo-terminal: %v", err)
	}
	term := &Terminal{
		t: t, pty: file, command: command,
		screen:  vt10x.New(vt10x.WithSize(width, height), vt10x.WithWriter(file)),
		changed: make(chan struct{}, 1),
		ended:   make(chan struct{}),
	}
	go term.read()
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-term.ended
		_ = file.Close()
	})
	return term
}

// read follows the program's output until it ends.
func (term *Terminal) read() {
	defer close(term.ended)
	buffer := make([]byte, 64<<10)
	for {
		n, err := term.pty.Read(buffer)
		term.mu.Lock()
		term.raw.Write(buffer[:n])
		term.lastAt = time.Now()
		term.mu.Unlock()
		_, _ = term.screen.Write(buffer[:n])
		select {
		case term.changed <- struct{}{}:
		default:
		}
		if err != nil {
			// A pseudo-terminal whose program is gone answers EIO.
			term.err = term.command.Wait()
			return
		}
	}
}

// Type sends keys as the terminal would.
func (term *Terminal) Type(keys string) {
	term.t.Helper()
	if _, err := io.WriteString(term.pty, keys); err != nil {
		term.t.Fatalf("type %q: %v", keys, err)
	}
}

// Click waits for a text and clicks on its first character.
func (term *Terminal) Click(text string) {
	term.t.Helper()
	term.WaitFor(text)
	for y, line := range strings.Split(term.Screen(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			x := len([]rune(before)) // the screen has a character for each cell
			term.Type(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+1, y+1, x+1, y+1))
			return
		}
	}
}

// WaitFor waits until every text stands on the screen.
func (term *Terminal) WaitFor(texts ...string) {
	term.t.Helper()
	term.WaitUntil(strings.Join(texts, ", "), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	})
}

// WaitGone waits until a text no longer stands on the screen.
func (term *Terminal) WaitGone(text string) {
	term.t.Helper()
	term.WaitUntil("the end of "+text, func(screen string) bool { return !strings.Contains(screen, text) })
}

// WaitUntil waits until the screen is as it should be.
func (term *Terminal) WaitUntil(what string, done func(screen string) bool) {
	term.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for !done(term.Screen()) {
		select {
		case <-term.changed:
		case <-deadline.C:
			term.t.Fatalf("waiting for %s: the screen is\n%s", what, term.Screen())
		case <-term.ended:
			if !done(term.Screen()) {
				term.t.Fatalf("waiting for %s: the program ended (%v); the screen is\n%s", what, term.err, term.Screen())
			}
		}
	}
}

// Screen is what stands on the screen now.
func (term *Terminal) Screen() string { return term.screen.String() }

// Resize changes the size of the terminal.
func (term *Terminal) Resize(width, height int) {
	term.t.Helper()
	term.screen.Resize(width, height)
	if err := pty.Setsize(term.pty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		term.t.Fatalf("resize: %v", err)
	}
}

// Wait waits for the end of the program and returns its error.
func (term *Terminal) Wait() error {
	term.t.Helper()
	select {
	case <-term.ended:
		return term.err
	case <-time.After(patience):
		term.t.Fatalf("the program did not end; the screen is\n%s", term.Screen())
		return nil
	}
}

// Raw is every byte that the program has written.
func (term *Terminal) Raw() []byte {
	term.mu.Lock()
	defer term.mu.Unlock()
	return bytes.Clone(term.raw.Bytes())
}

// sent is how many bytes have come, and when the last of them did.
func (term *Terminal) sent() (bytes int, last time.Time) {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.raw.Len(), term.lastAt
}

// Answer types keys and returns how long after them the last byte of the program's answer came,
// and of how many bytes it was. The answer ends when nothing has come for as long as quiet; one
// without a byte took no time.
func (term *Terminal) Answer(keys string, quiet time.Duration) (took time.Duration, bytes int) {
	term.t.Helper()
	before, _ := term.sent()
	start := time.Now()
	term.Type(keys)
	for timer := time.NewTimer(quiet); ; timer.Reset(quiet) {
		select {
		case <-term.changed:
			continue
		case <-timer.C:
		case <-term.ended:
		}
		if after, last := term.sent(); after > before {
			return last.Sub(start), after - before
		}
		return 0, 0
	}
}
