package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/safetext"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/styles"
)

// neverOpens is a profile that stays closed.
func neverOpens(context.Context) (Opened, error) { return Opened{}, errors.New("not here") }

func TestThePaletteReachesActionsScreensAndDomains(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.signIn("ada")
		for typed, want := range map[string]string{
			"devlog":      "Device name",
			"token":       "not verified",
			"domains":     "4 domains",
			"sign out":    "4 domains", // no action of this screen
			"keyswrkhere": "Keys on",
		} {
			d.Press("ctrl+p").Expect("go to:")
			d.Type(typed).Press("enter")
			if typed == "sign out" {
				d.Press("esc")
			}
			d.Expect(want)
			if typed == "keyswrkhere" {
				d.Press("esc")
			}
			d.Gone("go to:")
			d.Press("esc")
			for !strings.Contains(d.Frame(), "4 domains") {
				d.Press("esc")
			}
			if strings.Contains(d.Frame(), "Leave Gatehouse?") {
				d.Press("esc")
			}
		}
	})
}

func TestThePaletteListsTheRecordsOpenedLastFirst(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("enter")
		opened := d.model.root.recent[0].title
		d.Expect(opened)
		d.Press("esc", "down", "enter", "esc", "4").Expect("not verified")
		d.Press("ctrl+p").Expect("record", opened)
		d.Press("down", "enter").Expect("Shares › "+opened, "esc back")
		if visits := d.model.root.recent; len(visits) != 2 {
			t.Errorf("%d records are remembered", len(visits))
		}
	})
}

func TestThePaletteOpensWhileAFieldHasTheFocus(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.Expect("E-mail")
		d.Type("ada").Press("ctrl+p").Type("quit").Expect("go to: quit")
		d.Press("esc").Expect("ada")
		d.Press("ctrl+p").Type("quit").Press("enter")
		d.Until("the end", func() bool { return d.Quit })
	})
}

func TestWhatAPersonOpenedIsForgottenWithTheirSession(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("enter", "esc", "esc", "esc", "o").Expect("E-mail")
		if n := len(d.model.root.recent); n != 0 {
			t.Errorf("%d records are remembered", n)
		}
	})
}

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
