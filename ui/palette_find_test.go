package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/uitest"
)

// paletteOf opens a palette on a few items, each of which leaves its title.
func paletteOf(t *testing.T, o styles.Options) (p *palette, chosen *string) {
	items := []item{
		{kind: "record", title: "Ships' logs"},
		{kind: "action", title: "sort", note: "sort by the marked column", keys: "s"},
		{kind: "domain", title: "東京.example"},
		{kind: "domain", title: "a\x1b[31mb.example"},
	}
	chosen = new(string)
	for i := range items {
		items[i].run = func() tea.Cmd {
			*chosen = items[i].title
			return nil
		}
	}
	r := newRoot(t.Context(), Options{}, nil)
	*r.env.Theme = *styles.New(o)
	p = newPalette(r, items)
	r.stack.Push(p)
	return p, chosen
}

func (p *palette) write(text string) {
	for _, r := range text {
		p.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// press does an action, if it can be done.
func (p *palette) press(id string) {
	for _, a := range p.Actions() {
		if a.ID == id && a.Enabled() {
			a.Run()
		}
	}
}

func TestAFewLettersFindAnItem(t *testing.T) {
	for typed, want := range map[string]string{"": "Ships' logs", "shlo": "Ships' logs", "mark col": "sort", "SRT": "sort", "京": "東京.example", "zzz": ""} {
		p, chosen := paletteOf(t, styles.Options{})
		p.write(typed)
		if p.press("palette.run"); *chosen != want {
			t.Errorf("%q finds %q, want %q", typed, *chosen, want)
		}
	}
}

func TestMovingInThePaletteStaysInsideTheList(t *testing.T) {
	p, chosen := paletteOf(t, styles.Options{})
	p.press("palette.up")
	for range 9 {
		p.press("palette.down")
	}
	if p.press("palette.run"); *chosen != p.items[3].title {
		t.Errorf("the last one is %q", *chosen)
	}
}

func TestAClickInThePaletteMeansTheLineThatIsDrawn(t *testing.T) {
	p, chosen := paletteOf(t, styles.Options{})
	p.Wheel(0, 0, 3)
	lines := strings.Split(ansi.Strip(uitest.Draw(p, 60, 4)), "\n")
	for y, line := range append(lines, "") {
		*chosen = ""
		p.Click(0, y)
		if hit := *chosen != ""; hit != (y == 2 || y == 3) || hit && !strings.Contains(line, safetext.Line(*chosen)) {
			t.Errorf("line %d, %q, is %q", y, line, *chosen)
		}
	}
}

func TestThePaletteFitsEverySizeAndIsSafe(t *testing.T) {
	for _, o := range []styles.Options{{}, {NoColor: true}} {
		p, _ := paletteOf(t, o)
		for _, typed := range []string{"", "e", "x"} {
			p.write(typed)
			for _, w := range []int{1, 10, 40, 120} {
				for _, h := range []int{1, 3, 10} {
					view := uitest.Draw(p, w, h)
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
