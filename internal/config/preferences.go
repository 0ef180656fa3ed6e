package config

import (
	"maps"
	"slices"
)

// Preferences are the UI settings of a profile file, for all of its profiles.
type Preferences struct {
	// Origin is the file.
	Origin Origin
	// Mouse is false to leave the mouse to the terminal.
	Mouse bool
	// Keys are the lines of [keys], by action. The UI checks that their actions and keys
	// exist.
	Keys []Binding
	// Theme names the theme; it is empty if it is not set. Themes are the person's own,
	// those of [themes], by name, with their colours by name. The UI checks all of these.
	Theme  string
	Themes map[string]map[string]string
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
	keys, err := f.bindings("", f.Keys)
	return Preferences{Origin: f.origin, Mouse: f.Mouse, Keys: keys, Theme: f.Theme, Themes: f.Themes}, err
}

// bindings are the lines of [keys]. The name of an action has a dot; unless quoted, TOML reads
// it as nested tables.
func (f *file) bindings(prefix string, table map[string]any) (bindings []Binding, err error) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		action := prefix + name
		var inner []Binding
		if nested, ok := table[name].(map[string]any); ok {
			if inner, err = f.bindings(action+".", nested); err != nil {
				return nil, err
			}
		} else if keys := texts(table[name]); keys != nil {
			inner = []Binding{{Action: action, Keys: keys, Origin: f.origin}}
		} else {
			return nil, f.wrong("keys."+action, "the keys of "+cut(action)+" are not a list of strings", `use lines such as "browse.sort" = ["s", "ctrl+s"] below [keys]`)
		}
		bindings = append(bindings, inner...)
	}
	return bindings, nil
}

// texts are the texts of a string or of an array of strings; nil for everything else.
func texts(value any) []string {
	switch value := value.(type) {
	case string:
		return []string{value}
	case []any:
		list := []string{}
		for _, element := range value {
			text, ok := element.(string)
			if !ok {
				return nil
			}
			list = append(list, text)
		}
		return list
	}
	return nil
}
