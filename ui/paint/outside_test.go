//go:build unix

package paint

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"golang.org/x/text/unicode/norm"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/safetext"
)

// TestEveryLetterIsThereInRealTerminals shows a list of names to terminals that people use, and to
// emulators with the tables of others.
func TestEveryLetterIsThereInRealTerminals(t *testing.T) {
	t.Parallel()
	pages := pagesOfNames(drawnNames())
	require := func(t *testing.T, pages []page, screens []string, leftOut func(rune) bool) {
		t.Helper()
		if len(screens) != len(pages) {
			t.Fatalf("%d screens of %d", len(screens), len(pages))
		}
		for i, page := range pages {
			requireLetters(t, screens[i], page.last, leftOut)
		}
	}
	size := []string{strconv.Itoa(namesWidth), strconv.Itoa(namesHeight)}

	t.Run("tmux", func(t *testing.T) {
		t.Parallel()
		require(t, pages, shownIn(t, tmux, pages), isMark)
	})
	t.Run("screen", func(t *testing.T) {
		t.Parallel()
		require(t, pages, shownIn(t, gnuScreen, pages), isMark)
	})
	t.Run("pyte", func(t *testing.T) {
		t.Parallel()
		const python = "/usr/bin/python3" // Debian's, for which Debian has pyte
		if exec.Command(python, "-c", "import pyte").Run() != nil {
			t.Skip("there is no pyte")
		}
		names := drawnNames()
		for i, name := range names {
			names[i] = safetext.Line(strings.Map(withoutFreeMarks, name))
		}
		pages := pagesOfNames(names)
		args := append(append([]string{"testdata/feed_pyte.py"}, size...), written(t, t.TempDir(), pages)...)
		require(t, pages, screensOf(t, exec.Command(python, args...)), isMark)
	})
	if modules := os.Getenv("GATEHOUSE_XTERM"); modules != "" || testkit.Long() {
		for _, version := range []string{"6", "11", "15-graphemes"} {
			t.Run("xterm.js with table "+version, func(t *testing.T) {
				t.Parallel()
				if modules == "" {
					t.Skip("GATEHOUSE_XTERM names no folder with @xterm/headless")
				}
				args := append(append([]string{"testdata/feed_xterm.js", modules, version}, size...), written(t, t.TempDir(), pages)...)
				require(t, pages, screensOf(t, exec.Command("node", args...)), nil)
			})
		}
	}
}

// written are the files that pages are written to, one each.
func written(t *testing.T, dir string, pages []page) (files []string) {
	t.Helper()
	for i, page := range pages {
		file := filepath.Join(dir, fmt.Sprintf("page-%02d", i))
		if err := os.WriteFile(file, page.written, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// withoutFreeMarks removes the marks and joiners that have no order among others: pyte drops all
// that follows one of them in a piece of text. It also composes letters, which are not used.
func withoutFreeMarks(r rune) rune {
	properties := norm.NFC.PropertiesString(string(r))
	if isMark(r) && properties.CCC() == 0 || properties.Decomposition() != nil {
		return -1
	}
	return r
}

// isMark finds marks and joiners, of which a terminal may keep only one or two for a letter.
func isMark(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) }

// screensOf are the screens that an emulator prints, with a form feed behind each.
func screensOf(t *testing.T, command *exec.Cmd) []string {
	t.Helper()
	out, err := command.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%v: %s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\f"), "\f")
}

// multiplexer is a program that holds the screen of another one.
type multiplexer struct {
	start []string // with the command that is shown behind it
	show  []string // prints the screen, or draws it again on the terminal
	end   []string
}

var (
	tmux = multiplexer{
		start: []string{"tmux", "-u", "-S", "socket", "-f", "tmux.conf", "new-session"},
		show:  []string{"tmux", "-S", "socket", "capture-pane", "-p"},
		end:   []string{"tmux", "-S", "socket", "kill-server"},
	}
	gnuScreen = multiplexer{
		start: []string{"screen", "-U", "-c", "/dev/null", "-S", "names"},
		show:  []string{"screen", "-S", "names", "-p", "0", "-X", "redisplay"},
		end:   []string{"screen", "-S", "names", "-X", "quit"},
	}
)

// showPages writes one page after the other, each when there is a file that asks for it.
const showPages = `stty -echo; for page in page-*; do cat $page; until [ -e next ]; do sleep 0.05; done; rm next; done`

// shownIn are the screens of a multiplexer after each page. It reads what it gets in its own time:
// a screen is looked at until it is as it should be, or for a while.
func shownIn(t *testing.T, m multiplexer, pages []page) (screens []string) {
	t.Helper()
	if _, err := exec.LookPath(m.start[0]); err != nil {
		t.Skip("there is no " + m.start[0])
	}
	dir := t.TempDir()
	if err := errors.Join(os.Chmod(dir, 0o700), os.WriteFile(filepath.Join(dir, "tmux.conf"), []byte("set -g status off\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	written(t, dir, pages)
	command := func(args ...string) *exec.Cmd {
		command := exec.Command(args[0], args[1:]...)
		command.Dir = dir
		command.Env = []string{"HOME=" + dir, "SCREENDIR=" + dir, "LANG=C.UTF-8", "TERM=xterm-256color", "PATH=" + os.Getenv("PATH")}
		return command
	}
	run := func(args ...string) string {
		out, _ := command(args...).Output()
		return string(out)
	}
	attached := command(append(m.start, "sh", "-c", showPages)...)
	terminal, err := pty.StartWithSize(attached, &pty.Winsize{Cols: namesWidth, Rows: namesHeight})
	if err != nil {
		t.Fatal(err)
	}
	var drawn lockedText
	go func() { _, _ = io.Copy(&drawn, terminal) }()
	t.Cleanup(func() {
		run(m.end...)
		_ = terminal.Close()
		_ = attached.Wait()
	})
	for _, page := range pages {
		screen := ""
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
			if screen = run(m.show...); screen == "" { // it draws its terminal again
				screen = ansi.Strip(drawn.String())
			}
			if missing(screen, page.last, isMark) == nil {
				break
			}
		}
		screens = append(screens, screen)
		drawn.Reset()
		if err := os.WriteFile(filepath.Join(dir, "next"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for gone := false; !gone; {
			_, err := os.Stat(filepath.Join(dir, "next"))
			gone = errors.Is(err, os.ErrNotExist)
		}
	}
	return screens
}

// lockedText is a text that grows while it is read.
type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *lockedText) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Reset()
}

// patience is how long a multiplexer may take for a page.
const patience = 5 * time.Second
