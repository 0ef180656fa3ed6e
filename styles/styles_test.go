package styles

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// The backgrounds a theme is read on: the terminals' usual ones.
var backgrounds = map[string][]colour{
	"dark":  {"#000000", "#1e1e1e", "#282c34"},
	"light": {"#ffffff", "#fdf6e3", "#f5f5f5"},
}

func TestEveryTextColourIsReadable(t *testing.T) {
	for _, built := range builtIns {
		p := built.palette
		require := func(what string, front, back colour, least float64) {
			t.Helper()
			if ratio := contrast(front, back); ratio < least {
				t.Errorf("%s: %s, %s on %s, has a contrast of %.2f, want %.1f", built.name, what, front, back, ratio, least)
			}
		}
		grounds := append([]colour{p.bar, p.selected, p.box}, backgrounds[built.on]...)
		for _, back := range grounds {
			for _, name := range []string{"accent", "link", "good", "warn", "bad", "number", "match"} {
				require(name, *p.byName()[name], back, built.text)
			}
			require("muted", p.muted, back, built.muted)
		}
		require("text on the header", p.barText, p.bar, built.text)
		require("a failure on the header", p.barWarn, p.bar, built.text)
		require("text on the row under the cursor", p.selectedText, p.selected, built.text)
		require("text in a box", p.boxText, p.box, built.text)
	}
}

// builtIns are the built-in palettes, the background each is for, and the contrast that
// its text and its muted text have at the least.
var builtIns = []struct {
	name, on    string
	palette     palette
	text, muted float64
}{
	{"dark", "dark", darkPalette, 4.5, 3},
	{"light", "light", lightPalette, 4.5, 3},
	{"high contrast, dark", "dark", darkContrastPalette, 7, 7},
	{"high contrast, light", "light", lightContrastPalette, 7, 7},
}

func TestTheLinesOfHighContrastCanBeSeen(t *testing.T) {
	for _, built := range builtIns[2:] {
		for _, back := range append([]colour{built.palette.box}, backgrounds[built.on]...) {
			if ratio := contrast(built.palette.faint, back); ratio < 3 {
				t.Errorf("%s: a line on %s has a contrast of %.2f", built.name, back, ratio)
			}
		}
	}
}

func TestThe256ColoursKeepTheRolesApartAndReadable(t *testing.T) {
	rounded := func(c colour) colour {
		r, g, b, _ := colorprofile.ANSI256.Convert(c.lipgloss()).RGBA()
		return colour(fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8))
	}
	for _, built := range builtIns {
		p := built.palette.rounded()
		for _, name := range []string{"muted", "faint", "bar"} {
			if c := rounded(*p.byName()[name]); c[1:3] != c[3:5] || c[3:5] != c[5:7] {
				t.Errorf("%s: %s is no grey but %s", built.name, name, c)
			}
		}
		if c := rounded(p.selected); c[1:3] == c[3:5] && c[3:5] == c[5:7] {
			t.Errorf("%s: the row under the cursor is grey, %s", built.name, c)
		}
		bar, selected := rounded(p.bar), rounded(p.selected)
		if bar == selected {
			t.Errorf("%s: header and row under the cursor are both %s", built.name, bar)
		}
		names := []string{"accent", "good", "warn", "bad", "muted", "faint"}
		for i, name := range names {
			for _, other := range names[:i] {
				if rounded(*p.byName()[name]) == rounded(*p.byName()[other]) {
					t.Errorf("%s: %s and %s are the same", built.name, name, other)
				}
			}
			if name == "faint" {
				continue
			}
			for _, back := range append([]colour{bar, selected, rounded(p.box)}, backgrounds[built.on]...) {
				if ratio := contrast(rounded(*p.byName()[name]), back); ratio < 3 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", built.name, name, back, ratio)
				}
			}
		}
	}
}

func TestWithoutColourFocusShowsByShape(t *testing.T) {
	theme := New(Options{NoColor: true})
	for name, drawn := range map[string]string{
		"row": theme.Row.Fill("x"), "header": theme.Header.Fill("x"), "tab": theme.TabActive.Render("x"), "match": theme.Match.Render("x"),
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
		"row": theme.Row.Fill("x"), "header": theme.Header.Fill("x"), "toast": theme.Toast.Render("x"), "bad": theme.ToastBad.Render("x"),
	} {
		if strings.Contains(drawn, "48;") || strings.Contains(drawn, "[4") || drawn == "x" {
			t.Errorf("%s: %q", name, drawn)
		}
	}
	if !strings.Contains(theme.Bad.Render("x"), "31m") {
		t.Errorf("a failure is drawn as %q", theme.Bad.Render("x"))
	}
}

func TestEveryGlyphHasItsWidth(t *testing.T) {
	widths := map[string]int{"Logo": 2, "NullValue": 4}
	for _, ascii := range []bool{false, true} {
		glyphs := reflect.ValueOf(New(Options{ASCII: ascii}).Glyphs)
		for field, value := range glyphs.Fields() {
			list, isList := value.Interface().([]string)
			if !isList {
				list = []string{value.String()}
			}
			for _, s := range list {
				if ascii && field.Name == "BarHalf" && s == "" { // a bar of whole cells
					continue
				}
				if ansi.StringWidth(s) != max(1, widths[field.Name]) {
					t.Errorf("%s: %q is %d cells wide", field.Name, s, ansi.StringWidth(s))
				}
				if ascii && strings.ContainsFunc(s, func(r rune) bool { return r > '~' }) {
					t.Errorf("%s: %q is not ASCII", field.Name, s)
				}
			}
		}
	}
}

func TestTextKeepsItsStyleOnAGround(t *testing.T) {
	theme := New(Options{})
	const ground = "\x1b[38;2;214;218;224;48;2;26;51;63m"
	got := theme.Row.Fill("a" + theme.Good.Render("b") + "c" + theme.Strong.Render("d") + "e")
	want := ground + "a\x1b[38;2;126;211;133mb\x1b[m" + ground + "c\x1b[1md\x1b[m" + ground + "e\x1b[m"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	plain := New(Options{Basic: true})
	if got := plain.Row.Fill("a" + plain.Good.Render("b")); got != "\x1b[7mab\x1b[m" {
		t.Errorf("with sixteen colours it is %q", got)
	}
}

func TestTheGradientLeadsFromTheAccentToTheColourOfLinks(t *testing.T) {
	theme := New(Options{})
	row := theme.Gradient(5)
	if len(row) != 5 || row[0].Render("x") != theme.Accent.Render("x") {
		t.Errorf("it begins with %q", row[0].Render("x"))
	}
	if want := theme.Link.Underline(false).Render("x"); row[4].Render("x") != want {
		t.Errorf("it ends with %q, want %q", row[4].Render("x"), want)
	}
	basic := New(Options{Basic: true})
	if got := basic.Gradient(2)[1].Render("x"); got != basic.Accent.Render("x") {
		t.Errorf("with sixteen colours it ends with %q", got)
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

func TestWhatIsBetweenTwoTexts(t *testing.T) {
	for want, options := range map[string]Options{
		"Columns · 3": {}, "Columns - 3": {ASCII: true}, "Columns, 3": {Spoken: true},
	} {
		if got := "Columns" + New(options).Between() + "3"; got != want {
			t.Errorf("%+v: %q, want %q", options, got, want)
		}
	}
}
