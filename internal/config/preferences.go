package config

import (
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
	// Theme names the theme; its text is empty if it is not set. Themes are the person's own,
	// those of [themes], by name, with their colours by name. The UI checks all of these.
	Theme  Value
	Themes map[string]map[string]Value
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
		return f.wrong(st, "the keys of an action are not a list of strings", `use lines such as "browse.sort" = ["s", "ctrl+s"] below [keys]`)
	}
	f.preferences.Keys = append(f.preferences.Keys, Binding{Action: id, Keys: st.list, Origin: f.at(st)})
	return nil
}

// addColour adds a line of [themes.NAME], or such a table.
func (f *file) addColour(st statement) error {
	isTable := st.isTable() && len(st.path) <= 2
	if !isTable && (len(st.path) != 3 || st.kind != unstable.String) {
		return f.wrong(st, "this is not a colour of a theme", `use lines such as accent = "#0087ff" below [themes.mine]`)
	}
	if len(st.path) == 1 {
		return nil
	}
	name, themes := st.path[1], f.preferences.Themes
	if themes[name] == nil {
		themes[name] = make(map[string]Value)
	}
	if !isTable {
		colour := st.path[2]
		themes[name][colour] = Value{colour, st.text, f.at(st)}
	}
	return nil
}
