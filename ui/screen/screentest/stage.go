// Package screentest plays the part of the root and of a person for the tests
// of one screen.
package screentest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/files"
	"gatehouse/internal/testkit"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// patience is how long a test waits for something to appear.
const patience = 20 * time.Second

// Stage shows one screen, runs its commands and presses keys.
type Stage struct {
	// Env is what the screen is to be made with. Its clock stands still.
	Env *screen.Env
	// Root has the requests of the screen.
	*Root
	// Said are the reasons that keys answered with.
	Said []string

	t             testing.TB
	screen        screen.Screen
	messages      chan tea.Msg
	width, height int
}

// New makes a stage for a screen of a size, where it is always now.
func New(t testing.TB, now time.Time, width, height int) *Stage {
	s := &Stage{Root: new(Root), t: t, messages: make(chan tea.Msg, 1000), width: width, height: height}
	s.Env = &screen.Env{
		Context: t.Context(), Theme: styles.New(styles.Options{}), Now: func() time.Time { return now }, State: files.MemoryState(), Root: s.Root,
	}
	return s
}

// Show shows a screen for the first time; it is closed with the test.
func (s *Stage) Show(shown screen.Screen) {
	s.screen = shown
	s.t.Cleanup(shown.Close)
	s.Do(shown.Init())
}

// Resize changes the size of the screen.
func (s *Stage) Resize(width, height int) { s.width, s.height = width, height }

// Do runs a command of the screen; what it answers is handled by the next call.
func (s *Stage) Do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		select {
		case s.messages <- cmd():
		case <-s.t.Context().Done():
		}
	}()
}

func (s *Stage) handle(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			s.Do(cmd)
		}
	case screen.Addressed:
		if msg.To == s.screen {
			s.Do(s.screen.Update(msg.Msg))
		}
	}
}

// Settle handles the messages that are there.
func (s *Stage) Settle() {
	for {
		select {
		case msg := <-s.messages:
			s.handle(msg)
		default:
			return
		}
	}
}

// Press presses keys, named as the actions name them.
func (s *Stage) Press(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		s.Settle()
		msg, ok := screen.Press(k)
		if !ok {
			s.t.Fatalf("there is no key %q", k)
		}
		s.key(msg)
	}
}

// Write types text, one key for each character.
func (s *Stage) Write(text string) {
	s.t.Helper()
	for _, r := range text {
		s.key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func (s *Stage) key(msg tea.KeyPressMsg) {
	found, ok := screen.FindAction(s.Env.Keys.Fill(s.screen.Actions()), msg.String(), s.screen.Typing())
	switch {
	case !ok || found.Run == nil:
		s.Do(s.screen.Update(msg))
	case found.Enabled():
		s.Do(found.Run())
	default:
		s.Said = append(s.Said, found.Reason)
	}
	s.Frame()
}

// Frame is what a person sees, without colours.
func (s *Stage) Frame() string { return ansi.Strip(Draw(s.screen, s.width, s.height)) }

// Draw lays out what is drawn in a rectangle, and draws it.
func Draw(drawn interface {
	Layout(width, height int)
	View() string
}, width, height int) string {
	drawn.Layout(width, height)
	return drawn.View()
}

// Wait handles messages until every text stands in the frame.
func (s *Stage) Wait(texts ...string) {
	s.t.Helper()
	s.Until(fmt.Sprintf("%q in the frame", texts), func() bool {
		frame := s.Frame()
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(frame, text) })
	})
}

// Gone handles messages until a text no longer stands in the frame.
func (s *Stage) Gone(text string) {
	s.t.Helper()
	s.Until(fmt.Sprintf("no %q in the frame", text), func() bool { return !strings.Contains(s.Frame(), text) })
}

// Until handles messages until something is so.
func (s *Stage) Until(what string, done func() bool) {
	s.t.Helper()
	deadline := time.After(patience)
	for s.Settle(); !done(); {
		select {
		case msg := <-s.messages:
			s.handle(msg)
		case <-deadline:
			s.t.Fatalf("waiting for %s; the frame is\n%s", what, s.Frame())
		}
	}
}

// loopback is what differs from run to run.
var loopback = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// Golden compares the frame at 80x24 and at 120x40 with its golden files, but
// for the port of the service and the spaces at the ends of lines.
func (s *Stage) Golden(t *testing.T, name string) {
	t.Helper()
	width, height := s.width, s.height
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		s.Resize(size[0], size[1])
		s.Settle()
		frame := s.Frame()
		Box(t, frame, size[0], size[1])
		lines := strings.Split(loopback.ReplaceAllString(frame, "127.0.0.1:PORT"), "\n")
		for i, line := range lines {
			lines[i] = strings.TrimRight(line, " ")
		}
		testkit.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), strings.Join(lines, "\n")+"\n")
	}
	s.Resize(width, height)
}

// FitsEverySize checks the frame at many sizes.
func (s *Stage) FitsEverySize() {
	s.t.Helper()
	width, height := s.width, s.height
	for _, w := range []int{1, 2, 5, 12, 20, 40, 79, 80, 132, 250} {
		for _, h := range []int{1, 2, 3, 4, 5, 7, 8, 10, 14, 24, 70} {
			s.Resize(w, h)
			Box(s.t, s.Frame(), w, h)
		}
	}
	s.Resize(width, height)
}

// Box checks that a frame has exactly height lines of at most width cells.
func Box(t testing.TB, frame string, width, height int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Errorf("%d lines at %dx%d", len(lines), width, height)
	}
	for _, line := range lines {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("a line of %d cells at %dx%d: %q", w, width, height, ansi.Strip(line))
		}
	}
}

// Receive handles messages until something is received.
func (s *Stage) Receive(from <-chan struct{}) {
	s.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case <-from:
			return
		case msg := <-s.messages:
			s.handle(msg)
		case <-deadline:
			s.t.Fatalf("nothing was received; the frame is\n%s", s.Frame())
		}
	}
}
