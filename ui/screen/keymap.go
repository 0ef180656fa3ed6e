package screen

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"gatehouse/internal/config"
	"gatehouse/internal/text/human"
)

// KeyGroup is a part of the key map under one heading: of actions what is the same on every
// screen.
type KeyGroup struct {
	Title   string
	Entries []KeyEntry
	// Alone is set for the actions of a screen that can never be done together with those of
	// another one that is alone.
	Alone bool
}

// KeyEntry declares an action: what holds wherever it can be done.
type KeyEntry struct {
	ID ActionID
	// Area is a part of the UI, and Short what the action does there: "grid" and "down". Together
	// they are its [KeyEntry.Name].
	Area, Short string
	// Keys are the bound keys, as in [Action]. There is at least one.
	Keys []string
	// Title is the word or two in the footer, Description the sentence in the help.
	Title, Description string
	// SaysTitle is as in [Action].
	SaysTitle bool
	// Also are other words by which people look for it in the palette, parted by blanks.
	Also string
	// Quiet and Typing are as in [Action].
	Quiet, Typing bool
	// ForEyes is set if the action is of no use to a person who hears the UI: it moves the
	// cursor, changes what is drawn where, or copies what has been heard.
	ForEyes bool
	// Aside is set if it leads nowhere: it copies what is known, or stops something.
	Aside bool
	// Within is set if the action goes back within what is typed or loaded, and leaves
	// no screen.
	Within bool
}

// Name is what the config file and docs/keys.md call the action: "grid.down".
func (e *KeyEntry) Name() string { return e.Area + "." + e.Short }

// KeyMap is the table of everything that can be done in the UI, with a person's key
// bindings and the texts. Footer, help, palette and docs/keys.md are made from it. It is
// immutable.
type KeyMap struct {
	groups   []KeyGroup
	byID     map[ActionID]*KeyEntry
	standard map[ActionID]*KeyEntry // with the default keys
	inWords  bool
	spoken   bool
}

// DefaultKeys is the default key map, with the entries of the tabs as [TabEntry] makes them.
func DefaultKeys(tabs ...KeyEntry) *KeyMap {
	m := newKeyMap(table(tabs))
	m.standard = m.byID
	return m
}

func newKeyMap(groups []KeyGroup) *KeyMap {
	m := &KeyMap{groups: groups, byID: map[ActionID]*KeyEntry{}}
	for _, g := range groups {
		for i := range g.Entries {
			m.byID[g.Entries[i].ID] = &g.Entries[i]
		}
	}
	return m
}

// Groups lists the key map in the order in which people look for things.
func (m *KeyMap) Groups() []KeyGroup { return m.groups }

// Entries lists all actions, in the order of the groups.
func (m *KeyMap) Entries() iter.Seq[*KeyEntry] {
	return func(yield func(*KeyEntry) bool) {
		for _, g := range m.groups {
			for i := range g.Entries {
				if !yield(&g.Entries[i]) {
					return
				}
			}
		}
	}
}

// Entry is the declaration of an action, which is nil for [NoAction].
func (m *KeyMap) Entry(id ActionID) *KeyEntry { return m.byID[id] }

// named is the action that has a name, nil if there is none.
func (m *KeyMap) named(name string) *KeyEntry {
	for e := range m.Entries() {
		if e.Name() == name {
			return e
		}
	}
	return nil
}

// Word is what a person types for an action in place of its key: the title that it has now, or
// where that is a sentence, its short name.
func (m *KeyMap) Word(id ActionID, title string) string { return OneWord(title, m.ShortName(id)) }

// OneWord is what a person types for an action: its title, or where that is a sentence, its
// short name.
func OneWord(title, short string) string {
	if strings.Count(title, " ") > 1 {
		title = short
	}
	return strings.ToLower(title)
}

// ShortName is what an action is called within its area: "down"; empty for [NoAction].
func (m *KeyMap) ShortName(id ActionID) string {
	if e := m.byID[id]; e != nil {
		return e.Short
	}
	return ""
}

// Fill sets keys and texts of actions, in place. Texts that an action already has are
// kept; keys come from the key map alone.
func (m *KeyMap) Fill(list []Action) []Action {
	for i := range list {
		a := &list[i]
		if first := m.Key(a.First); first != "" {
			a.Reason += "; " + m.Verb() + " " + first + " first"
		}
		a.Keys, a.inWords = nil, m.inWords
		e := m.byID[a.ID]
		if e == nil {
			continue
		}
		a.Keys = e.Keys
		a.SaysTitle = a.SaysTitle || e.SaysTitle && a.Title == "" && a.Description == ""
		a.Title, a.Description = cmp.Or(a.Title, e.Title), cmp.Or(a.Description, e.Description)
		a.Quiet, a.Typing = a.Quiet || e.Quiet, a.Typing || e.Typing
		a.ForEyes, a.Aside, a.Within = e.ForEyes, e.Aside, e.Within
	}
	return list
}

// Key is the first key of an action, for display; empty for [NoAction].
func (m *KeyMap) Key(id ActionID) string {
	e := m.byID[id]
	switch {
	case e == nil:
		return ""
	case m.spoken:
		return `"` + m.Word(id, e.Title) + `"`
	}
	return keyName(e.Keys[0], m.inWords)
}

// Press begins a sentence about actions with what a person does for them, in this order:
// "Press r", "Press / and up"; for those who type words: "Type "reload"".
func (m *KeyMap) Press(ids ...ActionID) string {
	var keys []string
	for _, id := range ids {
		keys = append(keys, m.Key(id))
	}
	return Capital(m.Verb()) + " " + human.List(keys)
}

// Verb is what a person does with a key, or with the word in its place: "press" or "type".
func (m *KeyMap) Verb() string {
	if m.spoken {
		return "type"
	}
	return "press"
}

// Standard is the default key of an action, which is the one that a widget understands.
// It is empty for [NoAction].
func (m *KeyMap) Standard(id ActionID) string {
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

// Bound is what a key does elsewhere: the action that has it in a group of which some of the live
// actions are, or else the only one that has it, nil if several have. bound reports whether any
// has it.
func (m *KeyMap) Bound(key string, live []Action) (elsewhere *KeyEntry, bound bool) {
	var all []*KeyEntry
	for _, g := range m.groups {
		isHere := slices.ContainsFunc(live, func(a Action) bool {
			return slices.ContainsFunc(g.Entries, func(e KeyEntry) bool { return e.ID == a.ID })
		})
		for i := range g.Entries {
			e := &g.Entries[i]
			if !slices.Contains(e.Keys, key) {
				continue
			}
			if isHere {
				return e, true
			}
			all = append(all, e)
		}
	}
	if len(all) == 1 {
		return all[0], true
	}
	return nil, len(all) > 0
}

// GroupOf is the title of the group of an action; empty for [NoAction].
func (m *KeyMap) GroupOf(id ActionID) string {
	if g := m.group(id); g != nil {
		return g.Title
	}
	return ""
}

// group is the group of an action; nil for [NoAction].
func (m *KeyMap) group(id ActionID) *KeyGroup {
	hasIt := func(g KeyGroup) bool {
		return slices.ContainsFunc(g.Entries, func(e KeyEntry) bool { return e.ID == id })
	}
	if at := slices.IndexFunc(m.groups, hasIt); at >= 0 {
		return &m.groups[at]
	}
	return nil
}

// CanMeet reports whether two actions may be live at the same time.
func (m *KeyMap) CanMeet(id, other ActionID) bool {
	a, b := m.group(id), m.group(other)
	return a == b || a == nil || b == nil || !a.Alone || !b.Alone
}

// GoesBack reports whether an action goes back, whatever key it is bound to now.
func (m *KeyMap) GoesBack(id ActionID) bool {
	return m.hasByDefault(id, "esc")
}

// hasByDefault reports whether a key is one of the defaults.
func (m *KeyMap) hasByDefault(id ActionID, key string) bool {
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
		e := bound.named(b.Action)
		if e == nil {
			want := "docs/keys.md lists their names"
			if similar := config.Nearest(b.Action, bound.names()); similar != "" {
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

// names are the names of all actions.
func (m *KeyMap) names() []string {
	var names []string
	for e := range m.Entries() {
		names = append(names, e.Name())
	}
	return names
}

func refuse(b config.Binding, problem, want string) error {
	return &config.Error{Origin: b.Origin, Key: "keys." + b.Action, Problem: problem, Want: want}
}

func checkKeys(b config.Binding, e *KeyEntry) error {
	if len(b.Keys) == 0 {
		return refuse(b, e.Name()+" has no key", `want at least one, such as "ctrl+s"`)
	}
	for _, key := range b.Keys {
		if _, ok := Press(key); !ok {
			return refuse(b, fmt.Sprintf("%s: there is no key %.30q", e.Name(), key),
				`want a sign such as "s" or "G", or a name such as "enter", "pgdown", "f2", "ctrl+s", "alt+x"`)
		}
		if same := sameKeys[key]; same != "" {
			return refuse(b, fmt.Sprintf("%s: terminals send %q for %q", e.Name(), same, key), "want another key")
		}
	}
	if e.Typing && !slices.ContainsFunc(b.Keys, func(key string) bool { return !IsText(key) }) {
		return refuse(b, fmt.Sprintf("%s works in fields, where %s is text", e.Name(), strings.Join(b.Keys, ", ")),
			`want one more key that is no text, such as "ctrl+s"`)
	}
	return nil
}

// sameKeys are the keys that most terminals send for others.
var sameKeys = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+j": "enter", "ctrl+[": "esc"}

// checkClash finds another action that has one of the binding's keys and can be live at
// the same time. Two that share the key by default are allowed to.
func (m *KeyMap) checkClash(b config.Binding) error {
	e := m.named(b.Action)
	for other := range m.Entries() {
		if other.ID == e.ID || !m.CanMeet(e.ID, other.ID) {
			continue
		}
		for _, key := range e.Keys {
			byDefault := m.hasByDefault(e.ID, key) && m.hasByDefault(other.ID, key)
			if slices.Contains(other.Keys, key) && !byDefault {
				return refuse(b, fmt.Sprintf("%q is bound to both %s (%s) and %s (%s)",
					key, e.Name(), e.Description, other.Name(), other.Description), "want a different key for each")
			}
		}
	}
	return nil
}
