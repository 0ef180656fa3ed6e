package config

import (
	"maps"
	"slices"
)

// Preferences are the UI settings of a profile file, which apply to all of its profiles.
type Preferences struct {
	// Origin is the file.
	Origin Origin
	// Mouse is false to leave the mouse to the terminal.
	Mouse bool
	// Keys are the lines of [keys], sorted by action. The UI checks that the actions and keys
	// exist.
	Keys []Binding
	// Theme is the name of the theme, or "" if the file does not set it. The UI checks that it
	// exists.
	Theme string
	// Themes are the user's own themes, [themes]: from theme to colour name to colour. The UI
	// checks the colours.
	Themes map[string]map[string]string
}

// Binding is one line of [keys]: the keys for one action.
type Binding struct {
	// Action is the name of the action, such as "browse.sort".
	Action string
	// Keys are spelled as in the file: "s", "ctrl+s", "pgdown".
	Keys   []string
	Origin Origin
}

// ReadPreferences reads the preferences from the profile file. Without a file it returns the
// defaults. The error is an [*Error].
func ReadPreferences(s Sources) (Preferences, error) {
	f, err := s.readFile()
	if err != nil {
		return Preferences{}, err
	}
	keys, err := f.bindings("", f.Keys)
	return Preferences{
		Origin: f.origin,
		Mouse:  f.Mouse,
		Keys:   keys,
		Theme:  f.Theme,
		Themes: f.Themes,
	}, err
}

// bindings returns the lines of a table below [keys], with the prefix before each name. The
// name of an action has a dot; if it is not quoted, TOML reads it as nested tables.
func (f *file) bindings(prefix string, table map[string]any) (bindings []Binding, err error) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		action := prefix + name
		if nested, ok := table[name].(map[string]any); ok {
			inner, err := f.bindings(action+".", nested)
			if err != nil {
				return nil, err
			}
			bindings = append(bindings, inner...)
			continue
		}
		keys := stringList(table[name])
		if keys == nil {
			return nil, f.invalid("keys."+action,
				"the keys of "+cut(action)+" are not a list of strings",
				`use lines such as "browse.sort" = ["s", "ctrl+s"] below [keys]`)
		}
		bindings = append(bindings, Binding{Action: action, Keys: keys, Origin: f.origin})
	}
	return bindings, nil
}

// stringList returns a string or an array of strings as a list, and nil for any other value.
func stringList(value any) []string {
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
