package palette_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/styles"
	"gatehouse/ui/palette"
)

var items = []palette.Item{
	{Kind: "record", Title: "Ships' logs"},
	{Kind: "action", Title: "sort", Note: "sort by the marked column", Keys: "s"},
	{Kind: "domain", Title: "東京.example"},
	{Kind: "domain", Title: "a\x1b[31mb.example"},
}

func write(m *palette.Model, text string) {
	for _, r := range text {
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// press presses the key of an action.
func press(m *palette.Model, id string) (chosen palette.Item) {
	list := m.Actions(func(i palette.Item) tea.Cmd { chosen = i; return nil }, nil)
	for _, a := range list {
		if a.ID == id && a.Enabled() {
			a.Run()
		}
	}
	return chosen
}

func TestAFewLettersFindAnItem(t *testing.T) {
	for typed, want := range map[string]string{"": "Ships' logs", "shlo": "Ships' logs", "mark col": "sort", "SRT": "sort", "京": "東京.example", "zzz": ""} {
		m := palette.New(styles.New(styles.Options{}), items)
		write(m, typed)
		if got := press(m, "palette.run").Title; got != want {
			t.Errorf("%q finds %q, want %q", typed, got, want)
		}
	}
}

func TestMovingStaysInsideTheList(t *testing.T) {
	m := palette.New(styles.New(styles.Options{}), items)
	press(m, "palette.up")
	for range 9 {
		press(m, "palette.down")
	}
	if got := press(m, "palette.run").Title; got != items[3].Title {
		t.Errorf("the last one is %q", got)
	}
}

func TestAClickMeansTheLineThatIsDrawn(t *testing.T) {
	m := palette.New(styles.New(styles.Options{}), items)
	m.Move(3)
	lines := strings.Split(ansi.Strip(m.View(60, 4)), "\n")
	for y, line := range lines {
		item, ok := m.At(y)
		if ok != (y >= 2) || ok && !strings.Contains(line, item.Kind) {
			t.Errorf("line %d, %q, is %+v, %v", y, line, item, ok)
		}
	}
	if _, ok := m.At(4); ok {
		t.Error("something is below the last line")
	}
}

func TestItFitsEverySizeAndIsSafe(t *testing.T) {
	for _, o := range []styles.Options{{}, {NoColor: true}} {
		m := palette.New(styles.New(o), items)
		for _, typed := range []string{"", "e", "x"} {
			write(m, typed)
			for _, w := range []int{1, 10, 40, 120} {
				for _, h := range []int{1, 3, 10} {
					view := m.View(w, h)
					for _, line := range strings.Split(view, "\n") {
						if ansi.StringWidth(line) > w || strings.Contains(line, "\x1b[31mb") {
							t.Errorf("%dx%d: %q", w, h, line)
						}
					}
					if n := strings.Count(view, "\n") + 1; n != h {
						t.Errorf("%dx%d: %d lines", w, h, n)
					}
				}
			}
		}
	}
}
