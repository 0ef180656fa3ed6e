package paint

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// typed is a frame with a line that is typed in, and a list that it filters.
func typed(text string, rows ...string) Frame {
	f := Frame{Width: 40, Height: 6, Content: "/ " + text + "\n" + strings.Join(rows, "\n")}
	f.Caret = Caret{X: 2 + len(text), Y: 0, Shown: true}
	return f
}

func (e *emulator) requireCursor(what string, want Caret) {
	e.t.Helper()
	at := e.term.Cursor()
	if shown := e.term.CursorVisible(); shown != want.Shown || shown && (at.X != want.X || at.Y != want.Y) {
		e.t.Errorf("%s: the cursor is at %d, %d, shown: %v; want %+v", what, at.X, at.Y, shown, want)
	}
}

func TestTheCursorStandsWhereSomethingIsTyped(t *testing.T) {
	e := newEmulator(t, 40, 6)
	steps := []struct {
		what string
		Frame
		most int // bytes
	}{
		{"nothing is typed", Frame{Width: 40, Height: 6, Content: "a list"}, 200},
		{"a field is opened", typed("", "alpha", "beta"), 200},
		{"a letter", typed("a", "alpha", "beta"), 1},
		{"a letter that filters", typed("al", "alpha"), 15},
		{"the same again", typed("al", "alpha"), 0},
		{"the field is left", Frame{Width: 40, Height: 6, Content: "/ al\nalpha"}, len(ansi.ResetModeTextCursorEnable)},
	}
	for _, step := range steps {
		if n := e.paint(step.Frame); n > step.most {
			t.Errorf("%s: %d bytes, want at most %d", step.what, n, step.most)
		}
		e.requireCursor(step.what, step.Caret)
	}
	moved := typed("al", "alpha")
	e.paint(moved)
	moved.Caret.X--
	if n := e.paint(moved); n > 5 {
		t.Errorf("the cursor goes to the left by %d bytes", n)
	}
	e.requireCursor("to the left", moved.Caret)
	moved.Redraw++
	e.paint(moved)
	e.requireCursor("everything is drawn again", moved.Caret)
	if restored := string(e.Leave()); !strings.Contains(restored, ansi.SetModeTextCursorEnable) {
		t.Errorf("the terminal is left with %q", restored)
	}
}
