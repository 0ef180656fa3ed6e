package menu

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// paletteOf opens a palette on a few items, each of which leaves its title.
func paletteOf(t *testing.T, o styles.Options) (p *Menu, chosen *string) {
	items := []screen.Entry{
		{Group: "Recent", Title: "Ships' logs"},
		{Group: "On this screen", Title: "Sort", Note: "sort by the marked column", Keys: "s"},
		{Group: "Domains", Title: "東京.example"},
		{Group: "Domains", Title: "a\x1b[31mb.example"},
	}
	chosen = new(string)
	for i := range items {
		items[i].Run = func() tea.Cmd {
			*chosen = items[i].Title
			return nil
		}
	}
	stage := uitest.NewStage(t, 120, 40)
	*stage.Env.Theme = *styles.New(o)
	p = NewPalette(stage.Env, items)
	stage.Show(p)
	return p, chosen
}

func write(p *Menu, text string) {
	for _, r := range text {
		p.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// press does an action, if it can be done.
func press(p *Menu, id screen.ActionID) {
	for _, a := range p.Actions() {
		if a.ID == id && a.Enabled() {
			a.Run()
		}
	}
}

func TestAFewLettersFindAnItem(t *testing.T) {
	for typed, want := range map[string]string{"": "Ships' logs", "shlo": "Ships' logs", "mark col": "Sort", "SRT": "Sort", "京": "東京.example", "zzz": ""} {
		p, chosen := paletteOf(t, styles.Options{})
		write(p, typed)
		if press(p, screen.MenuChoose); *chosen != want {
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
		write(p, typed.text)
		if size := p.Size(98, 30); size.Lines != searchHead+typed.want {
			t.Errorf("with %q it has %d lines, want %d", p.input.Value(), size.Lines, searchHead+typed.want)
		}
	}
}

func TestNamesOfDataStayAsTheyAre(t *testing.T) {
	p := NewPalette(uitest.NewStage(t, 120, 40).Env, []screen.Entry{{Group: "Filters of shares", Title: "big"}})
	if view := ansi.Strip(uitest.Drawn(p, 60, 7)); !strings.Contains(view, " big ") {
		t.Errorf("the filter is named\n%s", view)
	}
}

func TestMovingInThePaletteStaysInsideTheList(t *testing.T) {
	p, chosen := paletteOf(t, styles.Options{})
	press(p, screen.MenuUp)
	for range 9 {
		press(p, screen.GridDown)
	}
	if press(p, screen.MenuChoose); *chosen != p.entries[3].Title {
		t.Errorf("the last one is %q", *chosen)
	}
}

func TestAClickInThePaletteMeansTheLineThatIsDrawn(t *testing.T) {
	p, chosen := paletteOf(t, styles.Options{})
	p.Wheel(9)
	lines := strings.Split(ansi.Strip(uitest.Drawn(p, 60, 7)), "\n")
	clicked := 0
	for y, line := range append(lines, "") {
		*chosen = ""
		uitest.ClickOn(p, 60, 7, 0, y)
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

func TestNamesComeBeforeDescriptions(t *testing.T) {
	items := []screen.Entry{
		{Group: "Here", Title: "Reveal", Note: "show the sign"}, {Group: "Here", Title: "Design", Note: ""},
		{Group: "Account", Title: "Sign in again", Note: ""}, {Group: "Account", Title: "Sign out", Also: "account"},
		{Group: "Recent", Title: "Dark", Also: "theme"}, {Group: "Theme", Title: "High contrast", Also: "theme"},
	}
	for _, c := range []struct {
		typed, want string
	}{
		{"sign", "Sign in again, Sign out, Design, Reveal"},
		{"sign o", "Sign out, Reveal"},
		{"sgno", "Sign out"},
		{"show sign", "Reveal"},
		{"theme", "Dark, High contrast"},
		{"theme high", "High contrast"},
		{"acc", "Sign out"},
		{"zz", ""},
	} {
		names := []string{}
		for _, f := range find(items, c.typed) {
			names = append(names, items[f.entry].Title)
		}
		if got := strings.Join(names, ", "); got != c.want {
			t.Errorf("%q finds %q, want %q", c.typed, got, c.want)
		}
	}
}

func TestThePaletteFitsEverySizeAndIsSafe(t *testing.T) {
	for _, o := range []styles.Options{{}, {NoColor: true}} {
		p, _ := paletteOf(t, o)
		for _, typed := range []string{"", "e", "x"} {
			write(p, typed)
			for _, w := range []int{1, 10, 40, 120} {
				for _, h := range []int{1, 3, 10} {
					view := uitest.Drawn(p, w, h)
					for _, line := range strings.Split(view, "\n") {
						if safetext.Width(line) > w || strings.Contains(line, "\x1b[31mb") {
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
