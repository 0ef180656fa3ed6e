package screen

import (
	"slices"
)

// KeyEntry is what people read of an action.
type KeyEntry struct {
	// ID names the action: "grid.down", "browse.sort".
	ID string
	// Keys are the bound keys as [Press] takes them.
	Keys []string
	// Title is the word or two in the footer, Description the sentence in the help.
	Title, Description string
	// Quiet keeps the action out of the footer.
	Quiet bool
	// Typing marks an action that works while a field has the focus.
	Typing bool
	// standard are the keys as the table has them.
	standard []string
}

// KeyGroup is a part of the table under one heading.
type KeyGroup struct {
	Title   string
	Entries []KeyEntry
}

// KeyMap is the one table of everything that can be done in the UI, with the keys
// of one person and the words for it. The footer, the help, the palette and the
// README are made from it. A nil KeyMap is the table as it
// comes, without tabs. It does not change
// after it was made.
type KeyMap struct {
	groups []KeyGroup
	// index finds an entry: its group and its place there.
	index map[string][2]int
}

// DefaultKeys is the table as it comes, with the entries of the tabs.
func DefaultKeys(tabs ...KeyEntry) *KeyMap {
	m := &KeyMap{groups: table(tabs), index: map[string][2]int{}}
	for g := range m.groups {
		for e := range m.groups[g].Entries {
			entry := &m.groups[g].Entries[e]
			entry.standard = entry.Keys
			m.index[entry.ID] = [2]int{g, e}
		}
	}
	return m
}

// Groups lists the table in the order in which people look for things.
func (m *KeyMap) Groups() []KeyGroup { return m.orDefault().groups }

// IDs lists the names of all actions, in the order of the table.
func (m *KeyMap) IDs() []string {
	ids := []string{}
	for _, g := range m.Groups() {
		for _, e := range g.Entries {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Fill gives the actions of a list their keys and words, in place. Words that an
// action brings along it keeps; keys it has from the table alone, so that an action
// that the table does not know has none.
func (m *KeyMap) Fill(list []Action) []Action {
	m = m.orDefault()
	for i := range list {
		list[i].Keys = nil
		if first := m.Key(list[i].First); first != "" {
			list[i].Reason += "; press " + first + " first"
		}
		if e := m.entry(list[i].ID); e != nil {
			e.fill(&list[i])
		}
	}
	return list
}

func (e *KeyEntry) fill(a *Action) {
	a.Keys = e.Keys
	if a.Title == "" {
		a.Title = e.Title
	}
	if a.Description == "" {
		a.Description = e.Description
	}
	a.Quiet = a.Quiet || e.Quiet
	a.Typing = a.Typing || e.Typing
}

// Key is the first key of an action, as people read it; empty for an action that
// the table does not know.
func (m *KeyMap) Key(id string) string {
	if e := m.orDefault().entry(id); e != nil {
		return KeyName(e.Keys[0])
	}
	return ""
}

// Standard is the key that an action has before anybody binds another: the one
// that a widget understands by itself. It is empty for an unknown action.
func (m *KeyMap) Standard(id string) string {
	if e := m.orDefault().entry(id); e != nil {
		return e.standard[0]
	}
	return ""
}

func (m *KeyMap) orDefault() *KeyMap {
	if m == nil {
		return DefaultKeys()
	}
	return m
}

// clone is a copy whose entries can be bound to other keys.
func (m *KeyMap) clone() *KeyMap {
	c := &KeyMap{groups: slices.Clone(m.groups), index: m.index}
	for i := range c.groups {
		c.groups[i].Entries = slices.Clone(c.groups[i].Entries)
	}
	return c
}

func (m *KeyMap) entry(id string) *KeyEntry {
	at, ok := m.index[id]
	if !ok {
		return nil
	}
	return &m.groups[at[0]].Entries[at[1]]
}

// entries are all of the table.
func (m *KeyMap) entries() []*KeyEntry {
	list := make([]*KeyEntry, 0, len(m.index))
	for _, id := range m.IDs() {
		list = append(list, m.entry(id))
	}
	return list
}

// has reports whether the entry is bound to a key.
func (e *KeyEntry) has(key string) bool { return slices.Contains(e.Keys, key) }

// had reports whether it was before anybody bound another.
func (e *KeyEntry) had(key string) bool { return slices.Contains(e.standard, key) }
