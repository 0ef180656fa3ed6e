package screen

import (
	"cmp"
	"slices"
)

// KeyEntry is the part of an action that is the same on every screen.
type KeyEntry struct {
	// ID names the action: "grid.down", "browse.sort".
	ID string
	// Keys are the bound keys, see [Press].
	Keys []string
	// Title is the word or two in the footer, Description the sentence in the help.
	Title, Description string
	// Quiet hides the action from the footer.
	Quiet bool
	// Typing marks an action that works while a field has the focus.
	Typing bool
	// standard are the default keys.
	standard []string
}

// KeyGroup is a part of the key map under one heading.
type KeyGroup struct {
	Title   string
	Entries []KeyEntry
	// Alone is set for the actions of a screen that can never be done together with those of
	// another one that is alone.
	Alone bool
}

// KeyMap is the table of everything that can be done in the UI, with a person's key
// bindings and the texts. Footer, help, palette and docs/keys.md are made from it. It is
// immutable.
type KeyMap struct {
	groups  []KeyGroup
	byID    map[string]*KeyEntry
	inWords bool
	spoken  bool
}

// DefaultKeys is the default key map, with the entries of the tabs.
func DefaultKeys(tabs ...KeyEntry) *KeyMap {
	m := newKeyMap(table(tabs))
	for _, e := range m.byID {
		e.standard = e.Keys
	}
	return m
}

func newKeyMap(groups []KeyGroup) *KeyMap {
	m := &KeyMap{groups: groups, byID: map[string]*KeyEntry{}}
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
		if e := m.byID[list[i].ID]; e != nil {
			e.fill(&list[i])
		}
		list[i].inWords = m.inWords
	}
	return list
}

func (e *KeyEntry) fill(a *Action) {
	a.Keys, a.Title, a.Description = e.Keys, cmp.Or(a.Title, e.Title), cmp.Or(a.Description, e.Description)
	a.Quiet, a.Typing = a.Quiet || e.Quiet, a.Typing || e.Typing
}

// Key is the first key of an action, for display; empty for an unknown action.
func (m *KeyMap) Key(id string) string {
	e := m.byID[id]
	switch {
	case e == nil:
		return ""
	case m.spoken:
		return Word(id, e.Title)
	}
	return keyName(e.Keys[0], m.inWords)
}

// Standard is the default key of an action, which is the one that a widget understands.
// It is empty for an unknown action.
func (m *KeyMap) Standard(id string) string {
	if e := m.byID[id]; e != nil {
		return e.standard[0]
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
		if slices.ContainsFunc(g.Entries, func(e KeyEntry) bool { return e.ID == id }) {
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
	e := m.byID[id]
	return e != nil && e.hasByDefault("esc")
}

// hasByDefault reports whether a key is one of the defaults.
func (e *KeyEntry) hasByDefault(key string) bool { return slices.Contains(e.standard, key) }
