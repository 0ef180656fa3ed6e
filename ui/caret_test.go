package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/safetext"
)

// caretSizes are those at which each field is typed in.
var caretSizes = []Size{{100, 30}, {40, 10}}

// cellText is what stands on the screen from a cell on.
func (d *driver) cellText(x, y int) string {
	line := strings.Split(ansi.Strip(textOf(d.model.root.frame)), "\n")[y]
	return safetext.CutLeft(line, x)
}

// requireCaret wants the cursor where the next letter appears, and none where nothing is typed. It
// reports whether something is.
func (d *driver) requireCaret(what string) (typing bool) {
	d.t.Helper()
	before := d.model.root.frame
	caret := before.Caret
	d.Type("w").Settle()
	after := d.model.root.frame.Caret
	switch {
	case !caret.Shown:
		if after.Shown && d.model.root.frame.Content == before.Content {
			d.t.Errorf("%s: a letter shows the cursor", what)
		}
		return false
	case !after.Shown || after.X < 1:
		d.t.Errorf("%s: the cursor goes from %+v to %+v", what, caret, after)
		return true
	}
	shown := d.cellText(after.X-1, after.Y)
	if !strings.HasPrefix(shown, "w") && !strings.HasPrefix(shown, "•") {
		d.t.Errorf("%s: before the cursor at %+v is %q in\n%s", what, after, shown, d.Frame())
	}
	if after.X != caret.X+1 && after.X > caret.X {
		d.t.Errorf("%s: the letter that appears at %+v was expected at %+v", what, after, caret)
	}
	return true
}

// requireCarets goes through the fields as long as there is one to type in.
func (d *driver) requireCarets(size Size) {
	d.t.Helper()
	for field := 0; field < 8 && d.model.root.typing(); field++ {
		d.requireCaret(fmt.Sprintf("at %v, field %d", size, field))
		d.Press("tab").Settle()
	}
}

// TestTheCursorStandsWhereTheNextLetterAppears types a letter into each field of each scene.
func TestTheCursorStandsWhereTheNextLetterAppears(t *testing.T) {
	for _, in := range scenes() {
		t.Run(in.name, uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			for _, way := range in.ways {
				d, typed := in.play(t, s, way), false
				for _, size := range caretSizes {
					if typed {
						d = in.play(t, s, way) // with nothing typed, and the focus in the first field
					}
					d.Resize(size.Width, size.Height).Settle()
					if typed = d.model.root.typing(); typed {
						d.requireCarets(size)
					} else if d.model.root.frame.Caret.Shown {
						t.Errorf("at %v the cursor is shown where nothing is typed", size)
					}
				}
			}
		}))
	}
}

// TestTheCursorOfAScrolledFieldCanBeSeen goes through a text that is longer than its field.
func TestTheCursorOfAScrolledFieldCanBeSeen(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		for _, size := range caretSizes {
			d := open(t, s, 100, 30)
			d.goInto("ada")
			d.Resize(size.Width, size.Height)
			d.Press("/").Paste(strings.Repeat("日本 é ", 40)).Settle()
			for _, key := range []string{"left", "home", "right", "end", "ctrl+left", "ctrl+left"} {
				for range 7 {
					d.Press(key).Settle()
				}
				if !d.requireCaret(fmt.Sprintf("at %v, after %s", size, key)) {
					t.Errorf("at %v, after %s, there is no cursor", size, key)
				}
				if at := d.model.root.frame.Caret; at.X >= size.Width || at.Y >= size.Height {
					t.Errorf("at %v the cursor is at %+v", size, at)
				}
			}
			d.Press("enter").Settle()
			if d.model.root.frame.Caret.Shown {
				t.Errorf("at %v the cursor is shown beside a filter that is kept", size)
			}
		}
	})
}
