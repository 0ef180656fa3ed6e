//go:build linux

package e2e

import (
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit"
)

// A walk uses a part of the program, in a world of its own.
type walk struct {
	name   string
	run    func(w *world)
	issued []string // the secrets that the service must have issued, as it calls them
	shown  []shown
}

// shown is a place where a secret stands on purpose.
type shown struct{ place, secret, why string }

// Each face of the program has its walk. A further one starts its processes with
// world.command, or with world.env, and keeps with world.keep what they leave.
var walks = []walk{
	{"commands", walkCommands, []string{"access_token", "refresh_token", "id_token", "UserDomainToken", "ConfirmKey"}, []shown{
		{"stdout of token", "access_token", "it is what the command prints"},
		{"stdout of device-login --reveal", "UserDomainToken", "it was asked for"},
		{"stdout of device-login --reveal", "ConfirmKey", "it was asked for"},
	}},
	{"commands that fail", walkFailures, []string{"access_token", "refresh_token"}, nil},
	{"screens", walkScreens, []string{"access_token", "refresh_token", "id_token", "UserDomainToken"}, nil},
	{"screens that fail", walkFaults, []string{"access_token", "refresh_token"}, nil},
	{"screens that reveal", walkReveal, []string{"access_token", "UserDomainToken"}, []shown{
		{"terminal", "access_token", "v on Token reveals it"},
		{"screen", "access_token", "v on Token reveals it"},
		{"clipboard", "access_token", "y on a revealed value copies it"},
		{"terminal", "UserDomainToken", "v on an answer reveals it"},
		{"screen", "UserDomainToken", "v on an answer reveals it"},
		{"clipboard", "UserDomainToken", "y on a revealed value copies it"},
	}},
	{"a server", walkServer, []string{"access_token", "refresh_token", "UserDomainToken"}, []shown{
		{"file " + hostKeyFile, "key of the host", "it is kept there"},
		{"terminal", "access_token", "v on Token reveals it"},
		{"screen", "access_token", "v on Token reveals it"},
		{"clipboard", "access_token", "y on a revealed value copies it"},
	}},
	{"a server of the demo", walkDemoServer, []string{"access_token"}, []shown{
		{"file " + hostKeyFile, "key of the host", "it is kept there"},
		{"terminal", "access_token", "v on Token reveals it"},
		{"clipboard", "access_token", "y on a revealed value copies it"},
	}},
	{"questions and answers", walkConversation, []string{"access_token", "refresh_token", "id_token", "UserDomainToken"}, nil},
	{"prompts", walkPrompts, []string{"access_token", "refresh_token"}, nil},
	{"a crash", walkCrash, []string{"access_token"}, []shown{
		{"clipboard", "access_token", "the copy that the program crashes in has reached the terminal"},
	}},
}

// Nothing that the program prints, writes or sends to a wrong place holds a
// secret, in any spelling. What is out of reach of the program is out of this
// test: its memory, and so what a core dump has of it; and the environment in
// which a person has started it.
func TestNoSecretIsWhereItDoesNotBelong(t *testing.T) {
	for _, walk := range walks {
		t.Run(walk.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			walk.run(w)
			for _, name := range walk.issued {
				if !w.hasIssued(name) {
					t.Errorf("no %s was issued, so that none could be found", name)
				}
			}
			w.keepFiles()
			w.searchRemnants(walk.shown)
		})
	}
}

// keepFiles keeps the files of the home, which others must not be able to read,
// and what the tool for the clipboard was told.
func (w *world) keepFiles() {
	w.t.Helper()
	files := 0
	err := filepath.WalkDir(w.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == w.home {
			return err
		}
		name, _ := filepath.Rel(w.home, path)
		if info, err := entry.Info(); err != nil || info.Mode().Perm()&0o077 != 0 && !strings.HasPrefix(name, "work/") {
			w.t.Errorf("%s has mode %v, %v", name, info.Mode(), err)
		}
		w.keep("the name of a file", name)
		if name == "tls-keys" {
			w.t.Error("the keys of connections are written to a file")
		}
		if entry.IsDir() {
			return nil
		}
		files++
		content, err := os.ReadFile(path)
		w.keep("file "+name, string(content))
		return err
	})
	if err != nil || files == 0 {
		w.t.Fatalf("%d files were written, %v", files, err)
	}
	w.keep("arguments and environment of xclip", w.onDesk("told"))
	w.keep("clipboard", w.onDesk("copied"))
}

// searchRemnants reports each secret that is found and not shown on purpose, and
// what is said to be shown and is not.
func (w *world) searchRemnants(onPurpose []shown) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	found := map[shown]bool{}
	for _, r := range w.remnants {
	hits:
		for _, hit := range w.search.Find(r.text) {
			for _, s := range onPurpose {
				if s.secret == hit.Secret && (r.place == s.place || strings.HasPrefix(r.place, s.place+" ")) {
					found[s] = true
					continue hits
				}
			}
			w.t.Errorf("%s: the %s, %s:\n%s", r.place, hit.Secret, hit.Form, excerpt(r.text, hit.At))
		}
	}
	for _, s := range onPurpose {
		if !found[s] {
			w.t.Errorf("the %s is not in %s, though %s", s.secret, s.place, s.why)
		}
	}
}

func excerpt(text string, at int) string {
	return strings.ToValidUTF8(text[max(at-200, 0):min(at+100, len(text))], "?")
}

// osc52 is what a terminal is sent to put on its clipboard.
var osc52 = regexp.MustCompile(`\x1b\]52;[a-z]*;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\)`)

// keepTerminal keeps all that a terminal was sent.
func (w *world) keepTerminal(term *testkit.Terminal) {
	w.t.Helper()
	w.keepTerminalOf("", term)
}

// keepTerminalOf keeps what somebody's terminal was sent, "another visitor's ": as
// it came, as the text that a person saw come, and what went to the clipboard.
func (w *world) keepTerminalOf(whose string, term *testkit.Terminal) {
	w.t.Helper()
	raw := string(term.Raw())
	for _, copied := range copiesIn(w.t, raw) {
		w.keep(whose+"clipboard", copied)
	}
	raw = osc52.ReplaceAllString(raw, "")
	w.keep(whose+"terminal", raw)
	w.keep(whose+"terminal without sequences", ansi.Strip(raw))
}

// copiesIn are the texts that a terminal was given for its clipboard.
func copiesIn(t *testing.T, raw string) []string {
	t.Helper()
	var copies []string
	for _, found := range osc52.FindAllStringSubmatch(raw, -1) {
		text, err := base64.StdEncoding.DecodeString(found[1])
		if err != nil {
			t.Error(err)
		}
		copies = append(copies, string(text))
	}
	return copies
}
