// Package keymap is the one table of everything that can be done in the UI, with
// the keys and words for it. The footer, the help, the palette and the README are
// made from it, and a person can bind other keys to any entry.
package keymap

import (
	"slices"

	"gatehouse/ui/action"
)

// Entry is what people read of an action.
type Entry struct {
	// ID names the action: "grid.down", "browse.sort".
	ID string
	// Keys are the bound keys as [action.Press] takes them.
	Keys []string
	// Title is the word or two in the footer, Description the sentence in the help.
	Title, Description string
	// Quiet keeps the action out of the footer.
	Quiet bool
	// Typing marks an action that works while a field has the focus.
	Typing bool
	// where are the scenes in which the action can be live; 0 are those of its group.
	where scene
	// standard are the keys as the table has them.
	standard []string
}

// Group is a part of the table under one heading.
type Group struct {
	Title   string
	Entries []Entry
	where   scene
}

// Map is the table with the keys of one person. A nil Map is the table as it
// comes. It does not change after it was made.
type Map struct {
	groups []Group
	// index finds an entry: its group and its place there.
	index map[string][2]int
}

// Default is the table as it comes.
func Default() *Map {
	m := &Map{groups: table(), index: map[string][2]int{}}
	for g := range m.groups {
		for e := range m.groups[g].Entries {
			entry := &m.groups[g].Entries[e]
			entry.standard = entry.Keys
			if entry.where == 0 {
				entry.where = m.groups[g].where
			}
			m.index[entry.ID] = [2]int{g, e}
		}
	}
	return m
}

// Groups lists the table in the order in which people look for things.
func (m *Map) Groups() []Group { return m.orDefault().groups }

// IDs lists the names of all actions, in the order of the table.
func (m *Map) IDs() []string {
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
func (m *Map) Fill(list []action.Action) []action.Action {
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

func (e *Entry) fill(a *action.Action) {
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
func (m *Map) Key(id string) string {
	if e := m.orDefault().entry(id); e != nil {
		return action.KeyName(e.Keys[0])
	}
	return ""
}

// Standard is the key that an action has before anybody binds another: the one
// that a widget understands by itself. It is empty for an unknown action.
func (m *Map) Standard(id string) string {
	if e := m.orDefault().entry(id); e != nil {
		return e.standard[0]
	}
	return ""
}

func (m *Map) orDefault() *Map {
	if m == nil {
		return Default()
	}
	return m
}

func (m *Map) entry(id string) *Entry {
	at, ok := m.index[id]
	if !ok {
		return nil
	}
	return &m.groups[at[0]].Entries[at[1]]
}

// entries are all of the table.
func (m *Map) entries() []*Entry {
	list := make([]*Entry, 0, len(m.index))
	for _, id := range m.IDs() {
		list = append(list, m.entry(id))
	}
	return list
}

// has reports whether the entry is bound to a key.
func (e *Entry) has(key string) bool { return slices.Contains(e.Keys, key) }

// had reports whether it was before anybody bound another.
func (e *Entry) had(key string) bool { return slices.Contains(e.standard, key) }
