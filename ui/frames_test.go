package ui

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit"
)

// sizes are those of the golden frames.
var sizes = []struct{ width, height int }{{80, 24}, {120, 40}}

func TestEveryScreenLooksAsItShould(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden := func(d *driver, name string) {
				t.Helper()
				d.golden(fmt.Sprintf("ui/%s-%dx%d", name, size.width, size.height))
				d.goldenLooks(fmt.Sprintf("looks/%s-%dx%d", name, size.width, size.height))
			}
			d := open(t, demoVariables(t), size.width, size.height)
			d.wait("E-mail")
			golden(d, "signin")
			d.write("ada@harbor.example")
			d.press("tab")
			d.wait("Primary domain: harbor.example")
			golden(d, "signin-domain")
			d.write("wrong")
			d.press("enter")
			d.wait("wrong e-mail")
			golden(d, "signin-wrong")
			d.submit()
			d.until("four gateways to answer", func() bool { return strings.Count(d.frame(), "reachable") == 4 })
			golden(d, "domains")
			d.press("?")
			golden(d, "help")
			d.press("esc", "enter")
			d.wait("shares", "row 1 of")
			golden(d, "shares")
			d.press("/")
			d.write("board")
			d.wait("1 of 42 shares")
			golden(d, "shares-filter")
			d.press("enter", "esc", "enter")
			golden(d, "shares-detail")
			d.press("esc", "2")
			d.wait("companies", "row 1 of")
			golden(d, "companies")
			d.press("3")
			golden(d, "device-form")
			d.press("tab", "tab", "tab", "tab")
			d.submit()
			d.wait("U100")
			golden(d, "device-result")
			d.press("4")
			golden(d, "token")
			d.press("ctrl+p")
			golden(d, "palette")
			d.write("fjo")
			golden(d, "palette-found")
			d.press("esc", "esc", "esc")
			golden(d, "leave")
		})
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
		d.update(tea.BackgroundColorMsg{Color: look.background})
		d.update(tea.ColorProfileMsg{Profile: look.profile})
		frame := d.steady(d.model.frame.Content)
		testkit.Golden(d.t, name+"-"+look.name, strings.ReplaceAll(frame, "\x1b", "␛")+"\n")
	}
}

func TestTheFrameFitsEverySize(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.signIn("ada")
	check := func(name string) {
		t.Helper()
		for _, w := range []int{1, 2, 5, 12, 20, 40, 79, 80, 132, 250} {
			for _, h := range []int{1, 2, 3, 4, 5, 7, 8, 10, 14, 24, 70} {
				d.update(tea.WindowSizeMsg{Width: w, Height: h})
				requireBox(t, fmt.Sprintf("%s at %dx%d", name, w, h), d.model.frame.Content, w, h)
			}
		}
		d.update(tea.WindowSizeMsg{Width: 80, Height: 24})
	}
	check("domains")
	d.press("?")
	check("help")
	d.press("esc", "esc")
	check("leave")
	d.press("esc", "enter")
	d.wait("row 1 of")
	check("shares")
	d.press("enter")
	check("detail")
	d.press("esc", "2")
	d.wait("companies", "row 1 of")
	check("companies")
	d.press("i")
	check("companies form")
	d.press("esc", "3")
	check("device form")
	d.press("ctrl+o")
	check("device form unfolded")
	d.press("esc", "4")
	check("token")
	d.press("5")
	check("activity")
}

func TestTheWayInTheHeaderShrinksToTheDomain(t *testing.T) {
	d := open(t, demoVariables(t), 200, 24)
	d.goInto("ada")
	d.press("enter")
	name := d.model.root.current().Title()
	for _, c := range []struct {
		width int
		want  string
	}{
		{120, "Gatehouse › harbor.example › Shares › " + name + " "},
		{83, " harbor.example › Shares › " + name + " "},
		{44, " harbor.example › … › " + name + " "},
		{30, " harbor.example "},
	} {
		d.update(tea.WindowSizeMsg{Width: c.width, Height: 10})
		if first, _, _ := strings.Cut(d.frame(), "\n"); !strings.Contains(first+" ", c.want) {
			t.Errorf("%d cells: %q, want %q", c.width, first, c.want)
		}
	}
}

func requireBox(t *testing.T, what, frame string, width, height int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Errorf("%s: %d lines", what, len(lines))
	}
	for _, line := range lines {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("%s: a line of %d cells: %q", what, w, ansi.Strip(line))
		}
	}
}

func TestTheHeaderAlwaysSaysWhoAndHowLong(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.signIn("ada")
	first := strings.SplitN(d.frame(), "\n", 2)[0]
	for _, want := range []string{"ada@harbor.example", "24h 0m", d.model.root.service.Profile.Name} {
		if !strings.Contains(first, want) {
			t.Errorf("the header %q lacks %q", first, want)
		}
	}
}

func TestASmallScreenShowsTheFieldAndWhatWentWrong(t *testing.T) {
	for _, size := range []struct{ width, height int }{{40, 10}, {60, 12}, {24, 6}} {
		d := open(t, demoVariables(t), size.width, size.height)
		d.wait("E-mail")
		d.write("ada@harbor.example")
		d.wait("ada@harbor")
		d.press("enter")
		d.write("wrong")
		d.press("enter")
		d.wait("✗ Could not sign in")
	}
}

func TestTheSmallestScreenSaysWhyAPasswordWasRefused(t *testing.T) {
	d := open(t, demoVariables(t), 30, 8)
	d.wait("E-mail")
	d.write("ada@harbor.example")
	d.press("enter")
	d.write("wrong")
	d.press("enter")
	d.wait("wrong", "address or password.")
	d.write("d")
	d.wait("Password")
}
