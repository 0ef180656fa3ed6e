package screen

import (
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
}

// KeyMap is the table of everything that can be done in the UI, with a person's key
// bindings and the texts. Footer, help, palette and docs/keys.md are made from it. It is
// immutable.
type KeyMap struct {
	groups []KeyGroup
	// index locates an entry: its group and its position in it.
	index   map[string][2]int
	inWords bool
	spoken  bool
}

// DefaultKeys is the default key map, with the entries of the tabs.
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

// Groups lists the key map in the order in which people look for things.
func (m *KeyMap) Groups() []KeyGroup { return m.groups }

// IDs lists the IDs of all actions in order.
func (m *KeyMap) IDs() []string {
	ids := []string{}
	for _, g := range m.Groups() {
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
		if e := m.entry(list[i].ID); e != nil {
			e.fill(&list[i])
		}
		list[i].inWords = m.inWords
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

// Key is the first key of an action, for display; empty for an unknown action.
func (m *KeyMap) Key(id string) string {
	e := m.entry(id)
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
	if e := m.entry(id); e != nil {
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
func (m *KeyMap) GroupOf(id string) string {
	if at, ok := m.index[id]; ok {
		return m.groups[at[0]].Title
	}
	return ""
}

// GoesBack reports whether an action goes back, whatever key it is bound to now.
func (m *KeyMap) GoesBack(id string) bool {
	e := m.entry(id)
	return e != nil && e.hasByDefault("esc")
}

// clone is a copy whose entries can be rebound.
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

// entries are all entries in order.
func (m *KeyMap) entries() []*KeyEntry {
	list := make([]*KeyEntry, 0, len(m.index))
	for _, id := range m.IDs() {
		list = append(list, m.entry(id))
	}
	return list
}

// has reports whether the entry is bound to a key.
func (e *KeyEntry) has(key string) bool { return slices.Contains(e.Keys, key) }

// hasByDefault reports whether a key is one of the defaults.
func (e *KeyEntry) hasByDefault(key string) bool { return slices.Contains(e.standard, key) }
