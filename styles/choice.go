package styles

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Choice is the theme that a person has chosen. Choices can be compared with ==. The zero Choice is
// [Auto].
type Choice struct {
	base string  // a built-in theme; "" for Auto
	own  palette // the colours that replace those of base
}

// The built-in themes.
const (
	// Auto is Dark or Light, as suits the background of the terminal.
	Auto  = "auto"
	Dark  = "dark"
	Light = "light"
	// HighContrast has a contrast of at least 7 for all text, on either background.
	HighContrast = "high-contrast"
)

// Themes lists the names of the built-in themes.
func Themes() []string { return []string{Auto, Dark, Light, HighContrast} }

// baseKey is the key of a custom theme that names the built-in theme whose colours it changes.
const baseKey = "base"

// byName returns the colours of the palette by their names in the configuration.
func (p *palette) byName() map[string]*colour {
	return map[string]*colour{
		"muted": &p.muted, "faint": &p.faint, "accent": &p.accent, "link": &p.link,
		"good": &p.good, "warn": &p.warn, "bad": &p.bad, "number": &p.number, "match": &p.match,
		"bar": &p.bar, "bar_text": &p.barText, "bar_warn": &p.barWarn,
		"selected": &p.selected, "selected_text": &p.selectedText,
		"box": &p.box, "box_text": &p.boxText,
	}
}

// ThemeError says what is wrong with a theme.
type ThemeError struct {
	Theme string
	// Key and Value are the entry of a custom theme that is wrong; "" if the name of the theme is.
	Key, Value string
	// Want says what would be accepted.
	Want string
}

// Problem is the error without what would be accepted.
func (e *ThemeError) Problem() string {
	if e.Key == "" {
		return fmt.Sprintf("there is no theme %.60q", e.Theme)
	}
	return fmt.Sprintf("%.60q of theme %.60q is %.60q", e.Key, e.Theme, e.Value)
}

// Error says what is wrong, and what would be accepted.
func (e *ThemeError) Error() string { return e.Problem() + "; use " + e.Want }

// Choose returns the theme with a name; "" is [Auto]. own are the custom themes by their names:
// their colours by name, as "#0087ff" or the number of one of the 256 colours of a terminal, and in
// "base" the built-in theme for all other colours. The error is a [*ThemeError].
func Choose(name string, own map[string]map[string]string) (Choice, error) {
	if colours, ok := own[name]; ok {
		return chooseCustom(name, colours)
	}
	if name != "" && !slices.Contains(Themes(), name) {
		known := slices.Concat(Themes(), slices.Sorted(maps.Keys(own)))
		return Choice{}, &ThemeError{Theme: name, Want: "one of " + strings.Join(known, ", ")}
	}
	return Choice{base: builtIn(name)}, nil
}

// builtIn is the base of a choice for the name of a built-in theme. Auto and "" are the same, so
// that choices can be compared.
func builtIn(name string) string {
	if name == Auto {
		return ""
	}
	return name
}

// chooseCustom returns a custom theme, given by its entries.
func chooseCustom(name string, colours map[string]string) (Choice, error) {
	var c Choice
	byName := c.own.byName()
	for _, key := range slices.Sorted(maps.Keys(colours)) {
		value := colours[key]
		wrong := &ThemeError{Theme: name, Key: key, Value: value}
		switch target := byName[key]; {
		case key == baseKey && slices.Contains(Themes(), value):
			c.base = builtIn(value)
		case key == baseKey:
			wrong.Want = "one of " + strings.Join(Themes(), ", ")
			return Choice{}, wrong
		case target == nil:
			keys := append([]string{baseKey}, slices.Sorted(maps.Keys(byName))...)
			wrong.Want = "a key among " + strings.Join(keys, ", ")
			return Choice{}, wrong
		case !isColour(value):
			wrong.Want = `"#rrggbb" or a number from 0 to 255`
			return Choice{}, wrong
		default:
			*target = colour(value)
		}
	}
	return c, nil
}

var hexColour = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// isColour reports whether a text is a colour of a custom theme.
func isColour(text string) bool {
	if hexColour.MatchString(text) {
		return true
	}
	n, err := strconv.ParseUint(text, 10, 8)
	return err == nil && strconv.FormatUint(n, 10) == text
}

// palette is the palette of the choice on a light or a dark background.
func (c Choice) palette(light bool) palette {
	p := c.builtInPalette(light)
	target := p.byName()
	for name, own := range c.own.byName() {
		*target[name] = cmp.Or(*own, *target[name])
	}
	return p
}

// builtInPalette is the palette of the base of the choice.
func (c Choice) builtInPalette(light bool) palette {
	switch {
	case c.base == HighContrast && light:
		return lightContrastPalette
	case c.base == HighContrast:
		return darkContrastPalette
	case c.base == Light, c.base == "" && light:
		return lightPalette
	}
	return darkPalette
}
