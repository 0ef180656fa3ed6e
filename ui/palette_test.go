package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

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
			"devlog":    "Device name",
			"token":     "not verified",
			"fjord":     "fjord.example ›",
			"key every": "Keys on",
		} {
			d.Press("ctrl+p").Expect("run")
			d.Type(typed).Press("enter").Expect(want)
			if typed == "key every" {
				d.Press("esc")
			}
			d.Gone("run")
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
		d.Press("ctrl+p").Expect("Recent", opened)
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
		d.Type("ada").Press("ctrl+p").Type("quit").Expect("› quit")
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
		{group: "Recent", title: "Ships' logs"},
		{group: "On this screen", title: "Sort", note: "sort by the marked column", keys: "s"},
		{group: "Domains", title: "東京.example"},
		{group: "Domains", title: "a\x1b[31mb.example"},
	}
	chosen = new(string)
	for i := range items {
		items[i].run = func() tea.Cmd {
			*chosen = items[i].title
			return nil
		}
	}
	r := newRoot(t.Context(), &Options{}, nil)
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
	for typed, want := range map[string]string{"": "Ships' logs", "shlo": "Ships' logs", "mark col": "Sort", "SRT": "Sort", "京": "東京.example", "zzz": ""} {
		p, chosen := paletteOf(t, styles.Options{})
		p.write(typed)
		if p.press("palette.run"); *chosen != want {
			t.Errorf("%q finds %q, want %q", typed, *chosen, want)
		}
	}
}

func TestThePaletteIsAsHighAsWhatItFound(t *testing.T) {
	p, _ := paletteOf(t, styles.Options{})
	for _, typed := range []struct {
		text string
		want int
	}{{"", 9}, {"srt", 2}, {"zzz", 1}} {
		p.write(typed.text)
		if _, _, lines := p.Boxed(98, 30); lines != searchHead+typed.want {
			t.Errorf("with %q it has %d lines, want %d", p.input.Value(), lines, searchHead+typed.want)
		}
	}
}

func TestThePaletteStaysWhereItIs(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 31)
		d.signIn("ada")
		head := func() int {
			t.Helper()
			for y, line := range strings.Split(d.Frame(), "\n") {
				if strings.Contains(line, " of ") && strings.Contains(line, "│ › ") || strings.Contains(line, "do, or where to go") {
					return y
				}
			}
			t.Fatalf("there is no palette:\n%s", d.Frame())
			return 0
		}
		d.Press("ctrl+p").Expect("where to go")
		at := head()
		d.Type("theme").Expect("High contrast").Gone("Go to")
		if now := head(); now != at {
			t.Errorf("with less to show it moves from line %d to %d", at, now)
		}
		d.Press(d.model.root.env.Keys.Key("root.mouse")).Expect("Mouse off")
		if now := head(); now != at {
			t.Errorf("with a message it moves from line %d to %d", at, now)
		}
	})
}

func TestThePaletteCutsNoDescription(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 40)
		d.Expect("E-mail").Press("ctrl+p").Expect("where to go")
		for _, i := range d.model.root.stack.Top().(*palette).items {
			d.Type(i.title).Expect(i.title, i.note).Press("ctrl+u")
		}
		d.Type("zzz").Expect(nothingFound)
	})
}

func TestNamesOfDataStayAsTheyAre(t *testing.T) {
	p := newPalette(newRoot(t.Context(), &Options{}, nil), []item{{group: "Filters of shares", title: "big"}})
	if view := ansi.Strip(uitest.Draw(p, 60, 7)); !strings.Contains(view, " big ") {
		t.Errorf("the filter is named\n%s", view)
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
	lines := strings.Split(ansi.Strip(uitest.Draw(p, 60, 7)), "\n")
	clicked := 0
	for y, line := range append(lines, "") {
		*chosen = ""
		p.Click(0, y)
		if *chosen == "" {
			continue
		}
		clicked++
		if !strings.Contains(line, *chosen) {
			t.Errorf("line %d, %q, is %q", y, line, *chosen)
		}
	}
	if clicked != 3 {
		t.Errorf("%d lines can be clicked in\n%s", clicked, strings.Join(lines, "\n"))
	}
}

func TestNamesComeBeforeDescriptionsAndWhatWasUsedLastFirst(t *testing.T) {
	items := []item{
		{group: "Here", title: "Reveal", note: "show the sign"}, {group: "Here", title: "Design", note: ""},
		{group: "Account", title: "Sign in again", note: ""}, {group: "Account", title: "Sign out", note: ""},
		{group: "Recent", home: "Theme", title: "Dark"}, {group: "Theme", title: "High contrast"},
	}
	for _, c := range []struct {
		typed string
		used  []string
		want  string
	}{
		{"sign", nil, "Sign in again, Sign out, Design, Reveal"},
		{"sign", []string{"Sign out"}, "Sign out, Sign in again, Design, Reveal"},
		{"sign o", nil, "Sign out, Reveal"},
		{"sgno", nil, "Sign out"},
		{"show sign", nil, "Reveal"},
		{"theme", nil, "Dark, High contrast"},
		{"theme high", nil, "High contrast"},
		{"acc", nil, "Sign in again, Sign out"},
		{"ac", nil, ""},
		{"zz", nil, ""},
	} {
		names := []string{}
		for _, f := range findItems(items, c.typed, c.used) {
			names = append(names, items[f.item].title)
		}
		if got := strings.Join(names, ", "); got != c.want {
			t.Errorf("%q finds %q, want %q", c.typed, got, c.want)
		}
	}
}

func TestThePaletteKnowsTheAccountAndTheThemes(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.signIn("ada")
		d.Press("ctrl+p").Type("high").Expect("High contrast").Press("enter").Expect("for this run")
		if d.model.root.styling.Choice == (styles.Choice{}) {
			t.Error("the theme is the old one")
		}
		d.Press("ctrl+p").Type("address").Press("enter").Expect("Addresses of")
		d.Press("esc", "ctrl+p").Expect("Recent").Press("esc")
		d.Press("ctrl+p").Type("sign out").Press("enter").Expect("E-mail")
	})
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
