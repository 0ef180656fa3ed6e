package ui

import (
	"fmt"
	"image/color"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
)

// sizes are those of the golden frames.
var sizes = []struct{ width, height int }{{80, 24}, {120, 40}}

func TestEveryScreenLooksAsItShould(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			golden := func(d *driver, name string) {
				t.Helper()
				d.Golden(fmt.Sprintf("ui/%s-%dx%d", name, size.width, size.height))
				d.goldenLooks(fmt.Sprintf("looks/%s-%dx%d", name, size.width, size.height))
			}
			d := open(t, s, size.width, size.height)
			d.Expect("E-mail")
			golden(d, "signin")
			d.Type("ada@harbor.example").Press("tab").Expect("✓ harbor.example")
			golden(d, "signin-domain")
			d.Type("wrong").Press("enter").Expect("Wrong e-mail")
			golden(d, "signin-wrong")
			d.submit()
			d.Until("four gateways to answer", func() bool {
				return strings.Count(d.Frame(), "● <1 ms") == 3 && strings.Contains(d.Frame(), "✗ no access")
			})
			golden(d, "domains")
			d.Press("?")
			golden(d, "help")
			d.Press("esc", "enter").Expect("shares", "row 1 of")
			golden(d, "shares")
			d.Press("/").Type("board").Expect("1 of 42 shares").Pass(100 * time.Millisecond) // the preview follows
			golden(d, "shares-filter")
			d.Press("enter", "esc", "enter")
			golden(d, "shares-detail")
			d.Press("esc", "2").Expect("companies", "row 1 of")
			golden(d, "companies")
			d.Press("3")
			golden(d, "device-form")
			d.Press("enter", "tab", "tab", "tab", "tab")
			d.submit()
			d.Expect("U100")
			golden(d, "device-result")
			d.Press("4")
			golden(d, "token")
			d.Press("ctrl+p")
			golden(d, "palette")
			d.Type("fjo")
			golden(d, "palette-found")
			d.Press("esc", "esc", "esc")
			golden(d, "leave")
		}))
	}
}

// goldenLooks compares the frame with its styles, as each kind of terminal gets it.
func (d *driver) goldenLooks(name string) {
	d.t.Helper()
	for _, look := range []struct {
		name       string
		background color.Color
		profile    colorprofile.Profile
	}{
		{"light", color.White, colorprofile.TrueColor},
		{"no-colour", color.Black, colorprofile.ASCII},
		{"dark", color.Black, colorprofile.TrueColor}, // the last: it stays
	} {
		d.Update(tea.BackgroundColorMsg{Color: look.background})
		d.Update(tea.ColorProfileMsg{Profile: look.profile})
		frame := uitest.Steady(textOf(d.model.root.frame))
		testkit.Golden(d.t, name+"-"+look.name, strings.ReplaceAll(frame, "\x1b", "␛")+"\n")
	}
}

func TestTheFrameFitsEverySize(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.signIn("ada")
		check := func(name string) {
			t.Helper()
			d.FitsEverySize(name, 80, 24)
		}
		check("domains")
		d.Press("?")
		check("help")
		d.Press("esc", "esc")
		check("leave")
		d.Press("esc", "enter").Expect("row 1 of")
		check("shares")
		d.Press("enter")
		check("detail")
		d.Press("esc", "2").Expect("companies", "row 1 of")
		check("companies")
		d.Press("i")
		check("companies form")
		d.Press("esc", "3")
		check("device form")
		d.Press("ctrl+o")
		check("device form unfolded")
		d.Press("esc")
		for _, tab := range Tabs() {
			d.Press(tab.Keys[0])
			check(tab.Title)
		}
	})
}

func TestTheWayInTheHeaderShrinksToTheDomain(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 200, 24)
		d.goInto("ada")
		d.Press("enter")
		name := d.model.root.domain().inside()[0]
		for _, c := range []struct {
			width int
			want  string
		}{
			{120, "Gatehouse › harbor.example › Shares › " + name + " "},
			{83, " harbor.example › Shares › " + name + " "},
			{40, " harbor.example › … › " + name + " "},
			{30, " harbor.example "},
		} {
			d.Resize(c.width, 10)
			if first, _, _ := strings.Cut(d.Frame(), "\n"); !strings.Contains(first+" ", c.want) {
				t.Errorf("%d cells: %q, want %q", c.width, first, c.want)
			}
		}
	})
}
