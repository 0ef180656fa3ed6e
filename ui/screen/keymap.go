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

// KeyGroup is a group of the key map: a heading and the actions below it.
type KeyGroup struct {
	Title   string
	Entries []KeyEntry
	// Alone means that no action of the group can be done at the same time as one of another group
	// that is alone, so that they may have the same keys.
	Alone bool
}

// KeyEntry declares an action, with all that does not depend on the screen.
type KeyEntry struct {
	ID ActionID
	// Area is a part of the UI, and Short the name of the action there: "grid" and "down". Together
	// they are its [KeyEntry.Name].
	Area, Short string
	// Keys are the bound keys, as in [Action]. There is at least one.
	Keys []string
	// Title is the word or two in the footer, Description the sentence in the help.
	Title, Description string
	// SaysTitle is as in [Action].
	SaysTitle bool
	// TypesShort means that a person who types words in place of keys types Short for the action,
	// as its title is a phrase.
	TypesShort bool
	// Also are other words by which people find it in the palette, separated by spaces.
	Also string
	// Quiet and Typing are as in [Action].
	Quiet, Typing bool
	// ForEyes means that the action is useless to a person who hears the UI: it moves the cursor,
	// changes how something is drawn, or copies what was heard.
	ForEyes bool
	// Aside means that the action shows nothing new: it copies something, or stops some work.
	Aside bool
	// OpensRow means that the action opens the row under the cursor of a list.
	OpensRow bool
	// GoesBack means that the action goes back: it leaves the screen, or with Within only something
	// inside it, such as a field.
	GoesBack, Within bool
}

// Name is the name of the action in the config file and in docs/keys.md: "grid.down".
func (e *KeyEntry) Name() string { return e.Area + "." + e.Short }

// KeyMap has all actions of the UI, with their texts and the keys that the person has bound.
// Footer, help, palette and docs/keys.md are made from it. It is immutable.
type KeyMap struct {
	groups   []KeyGroup
	byID     map[ActionID]*KeyEntry
	standard map[ActionID]*KeyEntry // with the default keys
	inWords  bool                   // see [KeyMap.InWords]
	spoken   bool                   // see [KeyMap.Spoken]
}

// DefaultKeys is the default key map. The entries of the tabs are made with [TabEntry].
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

// Groups lists the groups of the key map in the order in which people look for actions.
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

// Entry is the declaration of an action; nil for [NoAction].
func (m *KeyMap) Entry(id ActionID) *KeyEntry { return m.byID[id] }

// named is the action with a [KeyEntry.Name]; nil if there is none.
func (m *KeyMap) named(name string) *KeyEntry {
	for e := range m.Entries() {
		if e.Name() == name {
			return e
		}
	}
	return nil
}

// Word is what a person types for an action in place of its key, in small letters: the title that
// it has on a screen, or its short name where the title is a phrase.
func (m *KeyMap) Word(id ActionID, title string) string {
	if e := m.byID[id]; e != nil && e.TypesShort {
		return e.Short
	}
	return strings.ToLower(title)
}

// ShortName is the name of an action within its area: "down"; "" for [NoAction].
func (m *KeyMap) ShortName(id ActionID) string {
	if e := m.byID[id]; e != nil {
		return e.Short
	}
	return ""
}

// Fill sets the keys and texts of actions, in place. It keeps texts that an action already has; its
// keys are always those of the key map.
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

// Key is the name of the first key of an action for display, or the word to type in a spoken key
// map; "" for [NoAction].
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

// Press begins a sentence about actions: "Press r", "Press / and up", or in a spoken key map
// "Type "reload"".
func (m *KeyMap) Press(ids ...ActionID) string {
	var keys []string
	for _, id := range ids {
		keys = append(keys, m.Key(id))
	}
	return Capital(m.Verb()) + " " + human.List(keys)
}

// Verb is what a person does with a key, "press", or with a word in a spoken key map, "type".
func (m *KeyMap) Verb() string {
	if m.spoken {
		return "type"
	}
	return "press"
}

// InWords is the key map for a terminal whose character set has no arrows. It names arrow keys by
// words, "down", as an ASCII character such as "v" is another key.
func (m *KeyMap) InWords() *KeyMap {
	words := *m
	words.inWords = true
	return &words
}

// Spoken is the key map for people who type the word of an action in place of its key.
func (m *KeyMap) Spoken() *KeyMap {
	words := *m
	words.spoken = true
	return &words
}

// Bound finds what a key does elsewhere. bound reports whether any action has the key. elsewhere is
// the action that has it in a group of a live action, or else the only one that has it; nil if
// several have.
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

// GroupOf is the group of an action; nil for [NoAction].
func (m *KeyMap) GroupOf(id ActionID) *KeyGroup {
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
	a, b := m.GroupOf(id), m.GroupOf(other)
	return a == b || a == nil || b == nil || !a.Alone || !b.Alone
}

// GoesBack reports whether an action goes back, see [KeyEntry].
func (m *KeyMap) GoesBack(id ActionID) bool {
	e := m.byID[id]
	return e != nil && e.GoesBack
}

// OpensRow reports whether an action opens a row of a list, see [KeyEntry].
func (m *KeyMap) OpensRow(id ActionID) bool {
	e := m.byID[id]
	return e != nil && e.OpensRow
}

// hasByDefault reports whether a key is a default key of an action.
func (m *KeyMap) hasByDefault(id ActionID, key string) bool {
	e := m.standard[id]
	return e != nil && slices.Contains(e.Keys, key)
}

// Bind returns the key map with the bindings of a person. The error is a [*config.Error] with the
// origin of the binding: there is no such action or key, or another action that can be live at the
// same time has the key.
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

// refuse says what is wrong with a binding, and what is wanted in its place.
func refuse(b config.Binding, problem, want string) error {
	return &config.Error{Origin: b.Origin, Key: "keys." + b.Action, Problem: problem, Want: want}
}

// checkKeys refuses a binding without keys, with keys that do not exist or that terminals do not
// send, and with text alone for an action that works while a field has the focus.
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
			problem := fmt.Sprintf("%s: terminals send %q for %q", e.Name(), same, key)
			return refuse(b, problem, "want another key")
		}
	}
	worksInField := slices.ContainsFunc(b.Keys, func(key string) bool { return !IsText(key) })
	if e.Typing && !worksInField {
		keys := strings.Join(b.Keys, ", ")
		return refuse(b, fmt.Sprintf("%s works in fields, where %s is text", e.Name(), keys),
			`want one more key that is no text, such as "ctrl+s"`)
	}
	return nil
}

// sameKeys are the keys that most terminals send as another key.
var sameKeys = map[string]string{
	"ctrl+i": "tab",
	"ctrl+m": "enter",
	"ctrl+j": "enter",
	"ctrl+[": "esc",
}

// checkClash refuses a binding if another action has one of its keys and can be live at the same
// time, unless both have the key by default.
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
