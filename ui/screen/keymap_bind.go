package screen

import (
	"fmt"
	"slices"
	"strings"

	"gatehouse/internal/config"
)

// Bind returns the key map with a person's bindings. An unknown action, an unknown key,
// and a key of another action that may be live at once are a [*config.Error] with its origin.
func (m *KeyMap) Bind(bindings []config.Binding) (*KeyMap, error) {
	groups := slices.Clone(m.groups)
	for i := range groups {
		groups[i].Entries = slices.Clone(groups[i].Entries)
	}
	bound := newKeyMap(groups)
	for _, b := range bindings {
		e := bound.byID[b.Action]
		if e == nil {
			return nil, unknownAction(b, bound.IDs())
		}
		if err := checkKeys(b, e); err != nil {
			return nil, err
		}
		e.Keys = slices.Clone(b.Keys)
	}
	for _, b := range bindings {
		if err := bound.checkClash(b); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

func refuse(b config.Binding, problem, want string) error {
	return &config.Error{Origin: b.Origin, Key: "keys." + b.Action, Problem: problem, Want: want}
}

func unknownAction(b config.Binding, known []string) error {
	want := "docs/keys.md lists their names"
	if similar := config.Nearest(b.Action, known); similar != "" {
		want = fmt.Sprintf("did you mean %q?", similar)
	}
	return refuse(b, fmt.Sprintf("there is no action %.60q", b.Action), want)
}

func checkKeys(b config.Binding, e *KeyEntry) error {
	if len(b.Keys) == 0 {
		return refuse(b, e.ID+" has no key", `want at least one, such as "ctrl+s"`)
	}
	for _, key := range b.Keys {
		if _, ok := Press(key); !ok {
			return refuse(b, fmt.Sprintf("%s: there is no key %.30q", e.ID, key),
				`want a sign such as "s" or "G", or a name such as "enter", "pgdown", "f2", "ctrl+s", "alt+x"`)
		}
		if same := sameKey(key); same != "" {
			return refuse(b, fmt.Sprintf("%s: terminals send %q for %q", e.ID, same, key), "want another key")
		}
	}
	if e.Typing && !slices.ContainsFunc(b.Keys, func(key string) bool { return !IsText(key) }) {
		return refuse(b, fmt.Sprintf("%s works in fields, where %s is text", e.ID, strings.Join(b.Keys, ", ")),
			`want one more key that is no text, such as "ctrl+s"`)
	}
	return nil
}

// sameKey is the key that most terminals send for another one.
func sameKey(key string) string {
	switch key {
	case "ctrl+i":
		return "tab"
	case "ctrl+m", "ctrl+j":
		return "enter"
	case "ctrl+[":
		return "esc"
	}
	return ""
}

// checkClash finds another action that has one of the binding's keys and can be live at
// the same time. Two that share the key by default are allowed to.
func (m *KeyMap) checkClash(b config.Binding) error {
	e := m.byID[b.Action]
	for _, id := range m.IDs() {
		other := m.byID[id]
		for _, key := range e.Keys {
			byDefault := e.hasByDefault(key) && other.hasByDefault(key)
			if id != e.ID && slices.Contains(other.Keys, key) && !byDefault && m.CanMeet(e.ID, id) {
				return refuse(b, fmt.Sprintf("%q is bound to both %s (%s) and %s (%s)", key, e.ID, e.Description, other.ID, other.Description),
					"want a different key for each")
			}
		}
	}
	return nil
}
