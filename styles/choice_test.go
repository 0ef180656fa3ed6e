package styles

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestABuiltInThemeIsChosenByName(t *testing.T) {
	for _, test := range []struct {
		name  string
		light bool
		want  palette
	}{
		{name: "", want: darkPalette},
		{name: "", light: true, want: lightPalette},
		{name: Auto, light: true, want: lightPalette},
		{name: Dark, light: true, want: darkPalette},
		{name: Light, want: lightPalette},
		{name: HighContrast, want: darkContrastPalette},
		{name: HighContrast, light: true, want: lightContrastPalette},
	} {
		choice, err := Choose(test.name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Options{Light: test.light, Choice: choice}).palette(); got != test.want {
			t.Errorf("%q, light %v: %+v", test.name, test.light, got)
		}
	}
}

func TestAnOwnThemeChangesTheColoursItNames(t *testing.T) {
	own := map[string]map[string]string{"harbour": {"base": "light", "accent": "#102030", "selected": "254"}}
	choice, err := Choose("harbour", own)
	if err != nil {
		t.Fatal(err)
	}
	want := lightPalette
	want.accent, want.selected = "#102030", "254"
	if got := (Options{Choice: choice}).palette(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAnOwnThemeGivesWayToATerminalWithoutColours(t *testing.T) {
	choice, err := Choose("mine", map[string]map[string]string{"mine": {"bad": "#ff0000"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := (Options{NoColor: true, Choice: choice}).palette(); got != (palette{}) {
		t.Errorf("without colours it has %+v", got)
	}
	if got := (Options{Basic: true, Choice: choice}).palette(); got != basicPalette {
		t.Errorf("with sixteen colours it has %+v", got)
	}
	for _, o := range []Options{{Basic: true, Light: true}, {Basic: true, Choice: Choice{base: Light}}} {
		if got := o.palette(); got != basicLightPalette {
			t.Errorf("on a light background with 16 colours the palette is %v", got)
		}
	}
}

func TestAThemeThatCannotBeUsedSaysWhatWould(t *testing.T) {
	own := map[string]map[string]string{
		"hue":   {"accent": "blue"},
		"range": {"accent": "256"},
		"role":  {"acent": "#000000"},
		"base":  {"base": "solarized"},
	}
	const colours = `"#rrggbb" or a number from 0 to 255`
	const bases = "one of auto, dark, light, high-contrast"
	for name, want := range map[string]ThemeError{
		"hue":   {Theme: "hue", Key: "accent", Value: "blue", Want: colours},
		"range": {Theme: "range", Key: "accent", Value: "256", Want: colours},
		"role": {Theme: "role", Key: "acent", Value: "#000000",
			Want: "a key among base, accent, bad, bar, bar_text, bar_warn, box, box_text, faint, good, link, match, muted, number, selected, selected_text, warn"},
		"base":  {Theme: "base", Key: "base", Value: "solarized", Want: bases},
		"ocean": {Theme: "ocean", Want: bases + ", base, hue, range, role"},
	} {
		_, err := Choose(name, own)
		got, ok := errors.AsType[*ThemeError](err)
		if !ok {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, *got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
