package config

import (
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Preferences are what a profile file says of the UI, for all of its profiles.
type Preferences struct {
	// Mouse is false where the mouse is left to the terminal.
	Mouse bool
	// Keys are the lines of [keys], in order. Whether their actions and keys exist
	// is for the UI to say.
	Keys []Binding
	// Theme is the name of the theme, empty where the file does not say. Themes are
	// those of [themes], in order. Whether a name and colours can be used is for the
	// UI to say.
	Theme       string
	ThemeOrigin Origin
	Themes      []Theme
}

// Theme is a table of [themes]: a theme of the person's own.
type Theme struct {
	Name    string
	Colours []Colour
}

// Colour is a line of a theme.
type Colour struct {
	Name, Value string
	Origin      Origin
}

// Binding is a line of [keys]: the keys for one action.
type Binding struct {
	// Action is its name, such as "browse.sort".
	Action string
	// Keys are named as people write them: "s", "ctrl+s", "pgdown".
	Keys   []string
	Origin Origin
}

// ReadPreferences reads those of the profile file that the sources name; without
// a file they are the defaults. The error is an [*Error].
func ReadPreferences(s Sources) (Preferences, error) {
	if s.LookupEnv == nil {
		s.LookupEnv = os.LookupEnv
	}
	f, err := s.readFile()
	if err != nil {
		return Preferences{}, err
	}
	return f.preferences, nil
}

func (f *file) addMouse(st statement) error {
	if len(st.path) > 1 || st.kind != unstable.Bool {
		return f.wrong(st, "mouse is neither true nor false", "want mouse = false to leave the mouse to the terminal")
	}
	f.preferences.Mouse = st.text == "true"
	return nil
}

// addKeys takes a line of [keys]. The name of an action has a dot, so that TOML
// reads it as a table of tables where it is not quoted.
func (f *file) addKeys(st statement) error {
	id := strings.Join(st.path[1:], ".")
	switch st.kind {
	case unstable.Table, unstable.InlineTable:
		return nil
	case unstable.String:
		st.list = []string{st.text}
	}
	if id == "" || st.list == nil {
		return f.wrong(st, "the keys of an action are not a list of strings", `want lines such as "browse.sort" = ["s", "ctrl+s"] below [keys]`)
	}
	f.preferences.Keys = append(f.preferences.Keys, Binding{Action: id, Keys: st.list, Origin: f.at(st)})
	return nil
}

func (f *file) addTheme(st statement) error {
	if len(st.path) > 1 || st.kind != unstable.String {
		return f.wrong(st, "theme is not a string", `want a name such as theme = "high-contrast"`)
	}
	f.preferences.Theme, f.preferences.ThemeOrigin = st.text, f.at(st)
	return nil
}

// addColour takes a line of a theme of the person's own.
func (f *file) addColour(st statement) error {
	const want = `want lines such as accent = "#0087ff" below [themes.mine]`
	switch isTable := st.kind == unstable.Table || st.kind == unstable.InlineTable; {
	case len(st.path) == 1 && isTable:
		return nil
	case len(st.path) == 2 && isTable:
		f.theme(st.path[1])
		return nil
	case len(st.path) != 3 || st.kind != unstable.String:
		return f.wrong(st, "this is no colour of a theme", want)
	}
	theme := f.theme(st.path[1])
	theme.Colours = append(theme.Colours, Colour{Name: st.path[2], Value: st.text, Origin: f.at(st)})
	return nil
}

// theme gives the theme of a name, a new one if need be.
func (f *file) theme(name string) *Theme {
	themes := &f.preferences.Themes
	at := slices.IndexFunc(*themes, func(t Theme) bool { return t.Name == name })
	if at < 0 {
		at = len(*themes)
		*themes = append(*themes, Theme{Name: name})
	}
	return &(*themes)[at]
}
