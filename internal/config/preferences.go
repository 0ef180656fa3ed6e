package config

import (
	"os"
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
