//go:build unix

package e2e

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// walked are keys that open, move and close. None of them writes a file or ends the program.
var walked = []string{
	"j", "j", "j", "k", "G", "g", "s", "p", "b", "t", "/", "a", "1", "2", "4", "5", enter, enter, tab,
	"\x1b[C", "\x1b[D", "\x1b[B", "\x1b[6~", "\x1b[5~", plainEsc, plainEsc,
}

// passing is what changes on a screen without a key.
var passing = regexp.MustCompile(`\d+h \d+m|\d+m \d+s|\d+ (s|min) ago`)

// working is said while a list is loaded, filtered, sorted or counted, and then replaced.
var working = regexp.MustCompile(`\b(loading|filtering|sorting|counting)\b`)

// message is a sentence above the last line. It goes by itself after four seconds.
var message = regexp.MustCompile(`\n \S.*\. *\n.*\n*$`)

// tmux and screen hold the screen of a program themselves, the latter also with two cells for
// characters of ambiguous width. After random keys it must be what it is once everything is drawn again,
// which a change of the size leads to.
func TestEmulatorsShowWhatAFullRedrawShows(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]struct {
		capture, end []string
		config       string
	}{
		"tmux": {
			[]string{"tmux", "-S", "socket", "capture-pane", "-p"}, []string{"tmux", "-S", "socket", "kill-server"},
			"set -s escape-time 0\n", // it takes esc for the beginning of a key for half a second
		},
		"screen": {
			[]string{"screen", "-S", "house", "-p", "0", "-X", "hardcopy", "hardcopy"}, []string{"screen", "-S", "house", "-X", "quit"},
			"",
		},
		"wide screen": {
			[]string{"screen", "-S", "house", "-p", "0", "-X", "hardcopy", "hardcopy"}, []string{"screen", "-S", "house", "-X", "quit"},
			"cjkwidth on\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(do.capture[0]); err != nil {
				t.Skip("there is no " + do.capture[0])
			}
			dir := t.TempDir()
			config := filepath.Join(dir, "config")
			// screen wants its directory alone
			if err := errors.Join(os.Chmod(dir, 0o700), os.WriteFile(config, []byte(do.config), 0o600)); err != nil {
				t.Fatal(err)
			}
			inside := func(args ...string) *exec.Cmd {
				command := exec.Command(args[0], args[1:]...)
				command.Dir = dir
				command.Env = []string{"HOME=" + dir, "SCREENDIR=" + dir, "LANG=C.UTF-8", "TERM=xterm-256color", "PATH=" + os.Getenv("PATH")}
				return command
			}
			start := map[string]*exec.Cmd{
				"tmux":   inside("tmux", "-S", "socket", "-f", config, "new-session", binary, "demo"),
				"screen": inside("screen", "-U", "-c", config, "-S", "house", binary, "demo"),
			}[do.capture[0]]
			term := startTerminal(t, start, 100, 30)
			t.Cleanup(func() { _ = inside(do.end...).Run() })
			held := func() string {
				out, err := inside(do.capture...).Output()
				for do.capture[0] == "screen" && len(out) == 0 && err == nil && t.Context().Err() == nil { // it writes the file later
					out, _ = os.ReadFile(filepath.Join(dir, "hardcopy"))
				}
				if err != nil {
					t.Fatal(err)
				}
				_ = os.Remove(filepath.Join(dir, "hardcopy"))
				return passing.ReplaceAllString(string(out), "")
			}
			const quiet = 200 * time.Millisecond
			settled := func() (screen string) {
				for before := "none"; before != screen || working.MatchString(screen); {
					term.Answer("", quiet)
					before, screen = screen, held()
				}
				return screen
			}
			term.WaitFor("E-mail")
			term.Type("gus" + tab + "demo" + enter)
			term.WaitFor("1 domain")
			term.Type(enter)
			term.WaitFor("row 1 of 100,000")
			seed := uint64(time.Now().UnixNano())
			t.Logf("seed %d", seed)
			random := rand.New(rand.NewPCG(seed, 0))
			var keys []string
			for range 6 {
				for range 1 + random.IntN(8) {
					keys = append(keys, walked[random.IntN(len(walked))])
					term.Answer(keys[len(keys)-1], quiet/4)
				}
				got := settled()
				if message.MatchString(got) { // it would go while everything is drawn again
					term.Answer("", 5*time.Second)
					got = settled()
				}
				for _, width := range []int{101, 100} {
					term.Resize(width, 30)
					term.Answer("", quiet)
				}
				if diff := cmp.Diff(settled(), got); diff != "" {
					t.Fatalf("after %q (-drawn again +after the keys):\n%s", keys, diff)
				}
			}
		})
	}
}
