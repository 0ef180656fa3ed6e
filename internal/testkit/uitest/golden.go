package uitest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/safetext"
)

// These find what differs from run to run: the port of the service, and the random ids that it
// makes.
var (
	loopback = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	randomID = regexp.MustCompile(`[A-Z2-7]{26}`)
)

// Steady is a frame without what differs from run to run.
func Steady(frame string) string {
	frame = loopback.ReplaceAllString(frame, "127.0.0.1:PORT")
	return randomID.ReplaceAllString(frame, "RANDOM")
}

// Golden lets all happen that happens before time passes, and compares the frame with its golden
// file: without what differs from run to run, without the spaces at the ends of lines, and without
// hidden texts.
func (d *Driver) Golden(name string, hidden ...string) *Driver {
	d.t.Helper()
	frame := Steady(d.Settle().Frame())
	for _, h := range hidden {
		frame = strings.ReplaceAll(frame, h, "HIDDEN")
	}
	lines := strings.Split(frame, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	testkit.Golden(d.t, name, strings.Join(lines, "\n")+"\n")
	return d
}

// FitsEverySize checks the frame in many sizes, and then sets a last one. what names the frame.
func (d *Driver) FitsEverySize(what string, width, height int) *Driver {
	d.t.Helper()
	for _, w := range []int{1, 2, 5, 12, 20, 40, 79, 80, 132, 250} {
		for _, h := range []int{1, 2, 3, 4, 5, 7, 8, 10, 14, 24, 70} {
			d.Resize(w, h)
			Box(d.t, fmt.Sprintf("%s at %dx%d", what, w, h), d.subject.View(), w, h)
		}
	}
	return d.Resize(width, height)
}

// Box checks that a frame has exactly height lines of at most width cells. what names the frame.
func Box(t testing.TB, what, frame string, width, height int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Errorf("%s: %d lines", what, len(lines))
	}
	for _, line := range lines {
		if w := safetext.Width(line); w > width {
			t.Errorf("%s: a line of %d cells: %q", what, w, ansi.Strip(line))
		}
	}
}
