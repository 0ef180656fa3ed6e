package ui

import (
	"maps"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/safetext"
)

// FuzzScreens lets a service say any bytes in any field, and looks at every screen
// that shows them: only text and styles may be in a frame, of the size it is to have.
func FuzzScreens(f *testing.F) {
	texts := testkit.HostileTexts()
	for _, text := range []string{"ordinary", strings.Join(texts[2:6], " "), strings.Join(texts[6:16], " "), strings.Join(texts[16:], " ")} {
		f.Add(text, byte(testkit.Spelled))
	}
	for way := testkit.Raw; int(way) < testkit.Ways; way++ {
		f.Add("\x1b[2J\u202e\u009b31m \x9b \u200b", byte(way))
	}
	f.Add("HTTP/1.1 200 \x1b[2J\r\nX: \x1b]0;x\a", byte(testkit.Wire))
	f.Add("http://other.example/\u202e", byte(testkit.Redirect))
	f.Add("{\"error\":\"\\u001b[31m\"}", byte(testkit.Body))
	f.Fuzz(func(t *testing.T, text string, way byte) {
		if len(text) > 4<<10 {
			return // long texts have tests of their own
		}
		walkParrot(t, testkit.Parrot{Text: text, Way: testkit.Way(way % byte(testkit.Ways))})
	})
}

// walkParrot signs in at a service and goes through the screens that show what it says.
func walkParrot(t *testing.T, p testkit.Parrot) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		maps.Copy(s.Env, p.Variables(s.Handle(p)))
		d := open(t, s, 80, 24)
		d.Pass(moment).Type("a@b.cd").Press("tab").Pass(moment)
		d.look("sign in")
		d.submit()
		d.Pass(moment)
		d.look("domains")
		d.walk("o", "esc enter")
		if strings.Contains(d.Frame(), "row 1 of") {
			d.walk(listSteps...)
		}
		d.walk(tabSteps...)
	})
}

// moment is how long a screen has for what it does with what it was told.
const moment = 30 * time.Millisecond

// The keys of each step. Where an answer was refused a key may do something else, which is as good.
var (
	listSteps = []string{
		"y", "enter", "/ e enter", "esc esc c", "esc right b", "esc s", "e", "esc / e enter", "esc",
	}
	tabSteps = []string{
		"2", "enter", "3", "tab tab tab tab x enter", "down enter", "esc", "4", "G", "5", "G enter", "G", "esc up enter", "G",
		"?", "esc ctrl+p", "e", "esc esc esc esc",
	}
)

func (d *driver) walk(steps ...string) {
	d.t.Helper()
	for _, keys := range steps {
		d.Press(strings.Fields(keys)...).Pass(moment)
		d.look(keys)
	}
}

// look checks what the terminal would get, in two sizes.
func (d *driver) look(what string) {
	d.t.Helper()
	for _, size := range []tea.WindowSizeMsg{{Width: 46, Height: 13}, {Width: 100, Height: 30}} {
		d.Update(size)
		frame, title := textOf(d.model.root.view()), d.model.root.windowTitle()
		if err := testkit.CheckFrame(frame); err != nil {
			d.t.Fatalf("%s: %v\n%q", what, err, frame)
		}
		if err := testkit.CheckText(title); err != nil {
			d.t.Fatalf("%s: the title %q: %v", what, title, err)
		}
		lines := strings.Split(frame, "\n")
		if len(lines) != size.Height {
			d.t.Fatalf("%s: %d lines of %d:\n%s", what, len(lines), size.Height, ansi.Strip(frame))
		}
		for _, line := range lines {
			if width := safetext.Width(line); width > size.Width {
				d.t.Fatalf("%s: %d cells of %d: %q", what, width, size.Width, line)
			}
		}
	}
}
