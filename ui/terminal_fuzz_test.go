package ui

import (
	"maps"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit"
)

// FuzzScreens lets a service say any bytes in any field, and looks at every screen
// that shows them: only text and styles may be in a frame, of the size it is to have.
func FuzzScreens(f *testing.F) {
	for _, text := range testkit.HostileTexts() {
		f.Add(text, byte(testkit.Spelled), byte(0))
	}
	for way := testkit.Raw; int(way) < testkit.Ways; way++ {
		f.Add("\x1b[2J\u202e\u009b31m \x9b \u200b", byte(way), byte(0))
	}
	f.Add("HTTP/1.1 200 \x1b[2J\r\nX: \x1b]0;x\a", byte(testkit.Wire), byte(0))
	f.Add("http://other.example/\u202e", byte(testkit.Redirect), byte(0))
	f.Add("{\"error\":\"\\u001b[31m\"}", byte(testkit.Body), byte(0))
	f.Add("\x1b]0;owned\a", byte(testkit.Spelled), byte(4))
	f.Fuzz(func(t *testing.T, text string, way, only byte) {
		if len(text) > 4<<10 {
			return // long texts have tests of their own
		}
		walkParrot(t, testkit.Parrot{Text: text, Way: testkit.Way(way % byte(testkit.Ways)), Only: int(only) % (testkit.ParrotFields + 1)})
	})
}

// walkParrot signs in at a service and goes through the screens that show what it says.
func walkParrot(t *testing.T, p testkit.Parrot) {
	server := httptest.NewServer(p)
	defer server.Close()
	v := variables{"XDG_CONFIG_HOME": t.TempDir()}
	maps.Copy(v, p.Variables(server.URL))
	d := open(t, v, 80, 24)
	d.soon("E-mail")
	d.write("a@b.cd")
	d.press("tab")
	d.soon("Primary domain", "✗")
	d.look("sign in")
	d.submit()
	d.soon("2 domains", "✗")
	d.look("domains")
	d.walk(step{"o", nil}, step{"esc enter", []string{"row 1 of", "✗"}})
	if strings.Contains(d.frame(), "row 1 of") {
		d.walk(listSteps...)
	}
	d.walk(tabSteps...)
}

// step is some keys, and what tells that they are done.
type step struct {
	keys  string
	until []string
}

// Where an answer was refused a key may do something else, which is as good.
var (
	listSteps = []step{
		{"y", nil}, {"enter", nil}, {"/ e enter", nil}, {"esc esc c", nil}, {"esc right b", []string{"only these", "Not now"}},
		{"esc s", []string{"↑", "Not now"}}, {"e", nil}, {"esc / e enter", nil}, {"esc", nil},
	}
	tabSteps = []step{
		{"2", []string{"row 1 of", "✗"}}, {"enter", nil},
		{"3", nil}, {"tab tab tab tab x enter", []string{"result 1", "✗"}}, {"down enter", nil}, {"esc", nil},
		{"4", nil}, {"G", nil}, {"5", nil}, {"G enter", nil}, {"G", nil}, {"esc up enter", nil}, {"G", nil},
		{"?", nil}, {"esc ctrl+p", nil}, {"e", nil}, {"esc esc esc esc", nil},
	}
)

func (d *driver) walk(steps ...step) {
	d.t.Helper()
	for _, s := range steps {
		d.press(strings.Fields(s.keys)...)
		d.soon(s.until...)
		d.look(s.keys)
	}
}

// soon handles messages until one of the texts stands in the frame, or for a moment.
func (d *driver) soon(texts ...string) {
	moment := time.After(30 * time.Millisecond)
	for d.drain(); len(texts) > 0; {
		frame := d.frame()
		for _, text := range texts {
			if strings.Contains(frame, text) {
				return
			}
		}
		select {
		case msg := <-d.messages:
			d.update(msg)
		case <-moment:
			return
		}
	}
}

// look checks what the terminal would get, in two sizes.
func (d *driver) look(what string) {
	d.t.Helper()
	for _, size := range []tea.WindowSizeMsg{{Width: 46, Height: 13}, {Width: 100, Height: 30}} {
		d.update(size)
		frame, title := d.model.root.draw(), d.model.root.windowTitle()
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
			if width := ansi.StringWidth(line); width > size.Width {
				d.t.Fatalf("%s: %d cells of %d: %q", what, width, size.Width, line)
			}
		}
	}
}
