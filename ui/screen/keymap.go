package screen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gatehouse/internal/config"
)

// KeyGroup is a part of the key map under one heading: of actions what is the same on every
// screen.
type KeyGroup struct {
	Title   string
	Entries []Action
	// Alone is set for the actions of a screen that can never be done together with those of
	// another one that is alone.
	Alone bool
}

// KeyMap is the table of everything that can be done in the UI, with a person's key
// bindings and the texts. Footer, help, palette and docs/keys.md are made from it. It is
// immutable.
type KeyMap struct {
	groups   []KeyGroup
	byID     map[string]*Action
	standard map[string]*Action // with the default keys
	inWords  bool
	spoken   bool
}

// DefaultKeys is the default key map, with the entries of the tabs.
func DefaultKeys(tabs ...Action) *KeyMap {
	m := newKeyMap(table(tabs))
	m.standard = m.byID
	return m
}

func newKeyMap(groups []KeyGroup) *KeyMap {
	m := &KeyMap{groups: groups, byID: map[string]*Action{}}
	for _, g := range groups {
		for i := range g.Entries {
			m.byID[g.Entries[i].ID] = &g.Entries[i]
		}
	}
	return m
}

// Groups lists the key map in the order in which people look for things.
func (m *KeyMap) Groups() []KeyGroup { return m.groups }

// IDs lists the IDs of all actions in order.
func (m *KeyMap) IDs() []string {
	ids := []string{}
	for _, g := range m.groups {
		for _, e := range g.Entries {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Fill sets keys and texts of actions, in place. Texts that an action already has are
// kept; keys come from the key map alone, so an unknown action has none.
func (m *KeyMap) Fill(list []Action) []Action {
	for i := range list {
		list[i].Keys = nil
		if first := m.Key(list[i].First); first != "" {
			list[i].Reason += "; press " + first + " first"
		}
		a := &list[i]
		if e := m.byID[a.ID]; e != nil {
			a.Keys, a.Title, a.Description = e.Keys, cmp.Or(a.Title, e.Title), cmp.Or(a.Description, e.Description)
			a.Quiet, a.Typing = a.Quiet || e.Quiet, a.Typing || e.Typing
		}
		a.inWords = m.inWords
	}
	return list
}

// Key is the first key of an action, for display; empty for an unknown action.
func (m *KeyMap) Key(id string) string {
	e := m.byID[id]
	switch {
	case e == nil:
		return ""
	case m.spoken:
		return `"` + Word(id, e.Title) + `"`
	}
	return keyName(e.Keys[0], m.inWords)
}

// Standard is the default key of an action, which is the one that a widget understands.
// It is empty for an unknown action.
func (m *KeyMap) Standard(id string) string {
	if e := m.standard[id]; e != nil {
		return e.Keys[0]
	}
	return ""
}

// InWords is the key map for a terminal without arrows: it names "down" what others show as an
// arrow, for which the nearest plain character is the letter of another key.
func (m *KeyMap) InWords() *KeyMap {
	words := *m
	words.inWords = true
	return &words
}

// Spoken is the key map for people who type what an action is called in place of a key.
func (m *KeyMap) Spoken() *KeyMap {
	words := *m
	words.spoken = true
	return &words
}

// GroupOf is the title of the group of an action; empty for an unknown action.
func (m *KeyMap) GroupOf(id string) string { return m.group(id).Title }

func (m *KeyMap) group(id string) KeyGroup {
	for _, g := range m.groups {
		if slices.ContainsFunc(g.Entries, func(e Action) bool { return e.ID == id }) {
			return g
		}
	}
	return KeyGroup{}
}

// CanMeet reports whether two actions may be live at the same time.
func (m *KeyMap) CanMeet(id, other string) bool {
	a, b := m.group(id), m.group(other)
	return a.Title == b.Title || !a.Alone || !b.Alone
}

// GoesBack reports whether an action goes back, whatever key it is bound to now.
func (m *KeyMap) GoesBack(id string) bool {
	return m.hasByDefault(id, "esc")
}

// hasByDefault reports whether a key is one of the defaults.
func (m *KeyMap) hasByDefault(id, key string) bool {
	e := m.standard[id]
	return e != nil && slices.Contains(e.Keys, key)
}

// Bind returns the key map with a person's bindings. An unknown action, an unknown key,
// and a key of another action that may be live at once are a [*config.Error] with its origin.
func (m *KeyMap) Bind(bindings []config.Binding) (*KeyMap, error) {
	if len(bindings) == 0 {
		return m, nil
	}
	groups := slices.Clone(m.groups)
	for i := range groups {
		groups[i].Entries = slices.Clone(groups[i].Entries)
	}
	bound := newKeyMap(groups)
	bound.standard = m.standard
	for _, b := range bindings {
		e := bound.byID[b.Action]
		if e == nil {
			want := "docs/keys.md lists their names"
			if similar := config.Nearest(b.Action, bound.IDs()); similar != "" {
				want = fmt.Sprintf("did you mean %q?", similar)
			}
			return nil, refuse(b, fmt.Sprintf("there is no action %.60q", b.Action), want)
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

func checkKeys(b config.Binding, e *Action) error {
	if len(b.Keys) == 0 {
		return refuse(b, e.ID+" has no key", `want at least one, such as "ctrl+s"`)
	}
	for _, key := range b.Keys {
		if _, ok := Press(key); !ok {
			return refuse(b, fmt.Sprintf("%s: there is no key %.30q", e.ID, key),
				`want a sign such as "s" or "G", or a name such as "enter", "pgdown", "f2", "ctrl+s", "alt+x"`)
		}
		if same := sameKeys[key]; same != "" {
			return refuse(b, fmt.Sprintf("%s: terminals send %q for %q", e.ID, same, key), "want another key")
		}
	}
	if e.Typing && !slices.ContainsFunc(b.Keys, func(key string) bool { return !IsText(key) }) {
		return refuse(b, fmt.Sprintf("%s works in fields, where %s is text", e.ID, strings.Join(b.Keys, ", ")),
			`want one more key that is no text, such as "ctrl+s"`)
	}
	return nil
}

// sameKeys are the keys that most terminals send for others.
var sameKeys = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+j": "enter", "ctrl+[": "esc"}

// checkClash finds another action that has one of the binding's keys and can be live at
// the same time. Two that share the key by default are allowed to.
func (m *KeyMap) checkClash(b config.Binding) error {
	e := m.byID[b.Action]
	for _, id := range m.IDs() {
		other := m.byID[id]
		for _, key := range e.Keys {
			byDefault := m.hasByDefault(e.ID, key) && m.hasByDefault(id, key)
			if id != e.ID && slices.Contains(other.Keys, key) && !byDefault && m.CanMeet(e.ID, id) {
				return refuse(b, fmt.Sprintf("%q is bound to both %s (%s) and %s (%s)", key, e.ID, e.Description, other.ID, other.Description),
					"want a different key for each")
			}
		}
	}
	return nil
}
