//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
	"golang.org/x/sys/unix"
)

// terminal runs a program on a pseudo-terminal and keeps the screen that a person would see.
type terminal struct {
	t       testing.TB
	pty     *os.File
	screen  vt10x.Terminal
	changed chan struct{}
	ended   chan struct{}
	err     error // of the program, once ended

	mu     sync.Mutex
	raw    []byte
	lastAt time.Time // when the newest bytes of raw came
}

// startTerminal starts a command on a terminal of a size. The program is ended with the test.
func startTerminal(t testing.TB, command *exec.Cmd, width, height int) *terminal {
	t.Helper()
	file, err := pty.StartWithSize(command, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	if err != nil {
		t.Fatalf("start on a pseudo-terminal: %v", err)
	}
	screen := vt10x.New(vt10x.WithSize(width, height), vt10x.WithWriter(file))
	term := &terminal{t: t, pty: file, screen: screen, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	go func() {
		_, _ = io.Copy(term, file) // a pseudo-terminal whose program is gone answers EIO
		term.err = command.Wait()
		close(term.ended)
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-term.ended
		_ = file.Close()
	})
	return term
}

// Write takes what the program has written.
func (term *terminal) Write(p []byte) (int, error) {
	term.mu.Lock()
	term.raw, term.lastAt = append(term.raw, p...), time.Now()
	term.mu.Unlock()
	_, _ = term.screen.Write(p)
	select {
	case term.changed <- struct{}{}:
	default:
	}
	return len(p), nil
}

// Type sends keys as the terminal would.
func (term *terminal) Type(keys string) {
	term.t.Helper()
	if _, err := io.WriteString(term.pty, keys); err != nil {
		term.t.Fatalf("type %q: %v", keys, err)
	}
}

// Signal sends a signal to what runs in the foreground.
func (term *terminal) Signal(signal syscall.Signal) {
	term.t.Helper()
	raw, err := term.pty.SyscallConn()
	if err != nil {
		term.t.Fatal(err)
	}
	var group int
	if failed := raw.Control(func(fd uintptr) { group, err = unix.IoctlGetInt(int(fd), unix.TIOCGPGRP) }); failed != nil || err != nil {
		term.t.Fatalf("the foreground of the terminal: %v, %v", failed, err)
	}
	if err := syscall.Kill(-group, signal); err != nil {
		term.t.Fatalf("send %v: %v", signal, err)
	}
}

// Click waits for a text and clicks on its first character.
func (term *terminal) Click(text string) {
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
func (term *terminal) WaitFor(texts ...string) {
	term.t.Helper()
	term.WaitUntil(strings.Join(texts, ", "), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	})
}

// WaitGone waits until a text no longer stands on the screen.
func (term *terminal) WaitGone(text string) {
	term.t.Helper()
	term.WaitUntil("the end of "+text, func(screen string) bool { return !strings.Contains(screen, text) })
}

// WaitUntil waits until the screen is as it should be.
func (term *terminal) WaitUntil(what string, done func(screen string) bool) {
	term.t.Helper()
	for deadline := time.After(patience); !done(term.Screen()); {
		select {
		case <-term.changed:
		case <-deadline:
			term.t.Fatalf("waiting for %s: the screen is\n%s", what, term.Screen())
		case <-term.ended:
			if !done(term.Screen()) {
				term.t.Fatalf("waiting for %s: the program ended (%v); the screen is\n%s", what, term.err, term.Screen())
			}
		}
	}
}

// Screen is what stands on the screen now.
func (term *terminal) Screen() string { return term.screen.String() }

// Resize changes the size of the terminal.
func (term *terminal) Resize(width, height int) {
	term.t.Helper()
	term.screen.Resize(width, height)
	if err := pty.Setsize(term.pty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		term.t.Fatalf("resize: %v", err)
	}
}

// Wait waits for the end of the program and returns its error.
func (term *terminal) Wait() error {
	term.t.Helper()
	select {
	case <-term.ended:
	case <-time.After(patience):
		term.t.Fatalf("the program did not end; the screen is\n%s", term.Screen())
	}
	return term.err
}

// Raw is every byte that the program has written.
func (term *terminal) Raw() []byte {
	term.mu.Lock()
	defer term.mu.Unlock()
	return bytes.Clone(term.raw)
}

// Answer types keys and returns how long after them the last byte of the program's answer came,
// and of how many bytes it was. The answer ends when nothing has come for as long as quiet; one
// without a byte took no time.
func (term *terminal) Answer(keys string, quiet time.Duration) (took time.Duration, bytes int) {
	term.t.Helper()
	before, start := len(term.Raw()), time.Now()
	term.Type(keys)
	for {
		select {
		case <-term.changed:
			continue
		case <-time.After(quiet):
		case <-term.ended:
		}
		term.mu.Lock()
		defer term.mu.Unlock()
		if len(term.raw) == before {
			return 0, 0
		}
		return term.lastAt.Sub(start), len(term.raw) - before
	}
}
