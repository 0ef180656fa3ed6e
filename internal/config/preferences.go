package config

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Preferences are the UI settings of a profile file, for all of its profiles.
type Preferences struct {
	// Mouse is false to leave the mouse to the terminal.
	Mouse bool
	// Keys are the lines of [keys], in order. The UI checks that their actions and keys
	// exist.
	Keys []Binding
	// Theme is the name of the theme, empty if not set. Themes are those of [themes], in
	// order. The UI checks names and colours.
	Theme       string
	ThemeOrigin Origin
	Themes      []Theme
}

// Theme is a theme of the person's own, a table of [themes].
type Theme struct {
	Name    string
	Colours []Colour
}

// Colour is one line of a theme.
type Colour struct {
	Name, Value string
	Origin      Origin
}

// Binding is one line of [keys]: the keys for one action.
type Binding struct {
	// Action is the name of the action, such as "browse.sort".
	Action string
	// Keys are written as people do: "s", "ctrl+s", "pgdown".
	Keys   []string
	Origin Origin
}

// ReadPreferences reads the preferences from the profile file; without a file they are
// the defaults. The error is an [*Error].
func ReadPreferences(s Sources) (Preferences, error) {
	f, err := s.readFile()
	if err != nil {
		return Preferences{}, err
	}
	return f.preferences, nil
}

// addKeys adds a line of [keys]. The name of an action has a dot; unless quoted, TOML
// reads it as nested tables.
func (f *file) addKeys(st statement) error {
	id := strings.Join(st.path[1:], ".")
	switch {
	case st.isTable():
		return nil
	case st.kind == unstable.String:
		st.list = []string{st.text}
	}
	if id == "" || st.list == nil {
		return f.wrong(st, "the keys of an action are not a list of strings", `want lines such as "browse.sort" = ["s", "ctrl+s"] below [keys]`)
	}
	f.preferences.Keys = append(f.preferences.Keys, Binding{Action: id, Keys: st.list, Origin: f.at(st)})
	return nil
}

// addColour adds a line of [themes.NAME].
func (f *file) addColour(st statement) error {
	const want = `want lines such as accent = "#0087ff" below [themes.mine]`
	switch {
	case len(st.path) == 1 && st.isTable():
		return nil
	case len(st.path) == 2 && st.isTable():
		f.theme(st.path[1])
		return nil
	case len(st.path) != 3 || st.kind != unstable.String:
		return f.wrong(st, "this is not a colour of a theme", want)
	}
	theme := f.theme(st.path[1])
	theme.Colours = append(theme.Colours, Colour{Name: st.path[2], Value: st.text, Origin: f.at(st)})
	return nil
}

// theme returns the theme of a name, and adds it if it is new.
func (f *file) theme(name string) *Theme {
	themes := &f.preferences.Themes
	at := slices.IndexFunc(*themes, func(t Theme) bool { return t.Name == name })
	if at < 0 {
		at = len(*themes)
		*themes = append(*themes, Theme{Name: name})
	}
	return &(*themes)[at]
}
