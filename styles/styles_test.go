package styles

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// The backgrounds a theme is read on: the terminals' usual ones.
var backgrounds = map[string][]colour{
	"dark":  {"#000000", "#1e1e1e", "#282c34"},
	"light": {"#ffffff", "#fdf6e3", "#f5f5f5"},
}

func TestEveryTextColourIsReadable(t *testing.T) {
	for _, built := range []struct {
		name, on string
		palette  palette
		contrast float64
	}{
		{"dark", "dark", darkPalette, 4.5},
		{"light", "light", lightPalette, 4.5},
		{"high contrast, dark", "dark", darkContrastPalette, 7},
		{"high contrast, light", "light", lightContrastPalette, 7},
	} {
		p := built.palette
		require := func(what string, front, back colour) {
			t.Helper()
			if ratio := contrast(front, back); ratio < built.contrast {
				t.Errorf("%s: %s, %s on %s, has a contrast of %.2f, want %.1f", built.name, what, front, back, ratio, built.contrast)
			}
		}
		for _, back := range backgrounds[built.on] {
			for _, name := range []string{"muted", "faint", "accent", "good", "warn", "bad"} {
				require(name, *p.byName()[name], back)
			}
		}
		require("bar", p.barText, p.bar)
		require("bar warning", p.barWarn, p.bar)
		require("selection", p.selectedText, p.selected)
	}
}

func TestWithoutColourFocusShowsByShape(t *testing.T) {
	theme := New(Options{NoColor: true})
	for name, drawn := range map[string]string{
		"selected": theme.Selected.Render("x"), "tab": theme.TabActive.Render("x"), "match": theme.Match.Render("x"),
	} {
		if drawn == "x" {
			t.Errorf("%s cannot be told from ordinary text without colour", name)
		}
		if strings.Contains(drawn, "38;") || strings.Contains(drawn, "48;") {
			t.Errorf("%s has a colour: %q", name, drawn)
		}
	}
}

func TestSixteenColoursAreNeverPutOnEachOther(t *testing.T) {
	theme := New(Options{Basic: true})
	for name, drawn := range map[string]string{
		"selected": theme.Selected.Render("x"), "bar": theme.Bar.Render("x"), "toast": theme.Toast.Render("x"), "bad": theme.ToastBad.Render("x"),
	} {
		if strings.Contains(drawn, "48;") || strings.Contains(drawn, "[4") || drawn == "x" {
			t.Errorf("%s: %q", name, drawn)
		}
	}
	if !strings.Contains(theme.Bad.Render("x"), "31m") {
		t.Errorf("a failure is drawn as %q", theme.Bad.Render("x"))
	}
}

func TestEveryGlyphIsOneCellWide(t *testing.T) {
	g := New(Options{}).Glyphs
	single := append([]string{
		g.Primary, g.Bullet, g.Cursor, g.Open, g.Closed, g.Ascending, g.Descending, g.Warning, g.Good, g.Bad,
		g.Separator, g.Crumb, g.More, g.BarFull, g.BarEmpty, g.MissingValue,
	}, g.Spinner...)
	for _, s := range single {
		if ansi.StringWidth(s) != 1 {
			t.Errorf("%q is %d cells wide", s, ansi.StringWidth(s))
		}
	}
}

// contrast is the ratio that WCAG 2 defines.
func contrast(front, back colour) float64 {
	a, b := luminance(front), luminance(back)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

func luminance(c colour) float64 {
	var r, g, b uint8
	if _, err := fmt.Sscanf(string(c), "#%02x%02x%02x", &r, &g, &b); err != nil {
		panic(err)
	}
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
