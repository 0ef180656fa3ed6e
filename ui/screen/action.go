package screen

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Action is one thing a person can do now, as data: key matching, the footer and
// the help are all made from the same list, so they cannot disagree. A screen gives
// its ID, what it does and why it cannot be done; the key map fills in the rest.
type Action struct {
	// ID names the action in the key map: "grid.down", "domains.open".
	ID string
	// Keys are the bound keys as [tea.KeyPressMsg] prints them: "enter", "ctrl+r", "G".
	// The key map alone gives them.
	Keys []string
	// Title is the word or two in the footer, Description the sentence in the help.
	// A screen gives them only where they vary.
	Title, Description string
	// Reason says why it cannot be done now; empty means it can. An action that
	// cannot be done stays in the help, and its key answers with the reason.
	Reason string
	// First names the action that takes the reason away, where there is one: the key
	// map adds its key to the reason.
	First string
	// Quiet keeps it out of the footer; it stays in the help.
	Quiet bool
	// Typing marks an action that works while a field has the focus.
	Typing bool
	// Run does it; nil leaves it to the screen, which is given the key.
	Run func() tea.Cmd
}

// Enabled reports whether the action can be done now.
func (a Action) Enabled() bool { return a.Reason == "" }

// KeyNames writes the bound keys for people, as in "↓/j".
func (a Action) KeyNames() string {
	names := make([]string, len(a.Keys))
	for i, k := range a.Keys {
		names[i] = KeyName(k)
	}
	return strings.Join(names, "/")
}

// KeyName writes one key for people: arrows as arrows, the rest as typed.
func KeyName(key string) string {
	switch key {
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	case "space":
		return "␣"
	case "shift+tab":
		return "⇧tab"
	}
	return key
}

// FindAction returns the first action bound to a key. While a field has the focus
// only actions marked Typing are looked at, and a key that is text finds none.
func FindAction(actions []Action, key string, typing bool) (Action, bool) {
	if typing && IsText(key) {
		return Action{}, false
	}
	i := slices.IndexFunc(actions, func(a Action) bool {
		return (!typing || a.Typing) && slices.Contains(a.Keys, key)
	})
	if i < 0 {
		return Action{}, false
	}
	return actions[i], true
}

// ShownActions returns the actions whose keys answer now, without those that an
// earlier action of the list hides by taking all of their keys. Each has only
// the keys that are its own.
func ShownActions(actions []Action, typing bool) []Action {
	taken := make(map[string]bool, 2*len(actions))
	shown := make([]Action, 0, len(actions))
	for _, a := range actions {
		if typing && !a.Typing {
			continue
		}
		lost := func(key string) bool { return taken[key] || typing && IsText(key) }
		if slices.ContainsFunc(a.Keys, lost) {
			a.Keys = slices.DeleteFunc(slices.Clone(a.Keys), lost)
		}
		if len(a.Keys) == 0 {
			continue
		}
		for _, k := range a.Keys {
			taken[k] = true
		}
		shown = append(shown, a)
	}
	return shown
}

// named are the keys that have a name of their own.
func named(name string) (rune, bool) {
	switch name {
	case "enter":
		return tea.KeyEnter, true
	case "esc":
		return tea.KeyEscape, true
	case "tab":
		return tea.KeyTab, true
	case "space":
		return tea.KeySpace, true
	case "backspace":
		return tea.KeyBackspace, true
	case "delete":
		return tea.KeyDelete, true
	case "insert":
		return tea.KeyInsert, true
	case "up":
		return tea.KeyUp, true
	case "down":
		return tea.KeyDown, true
	case "left":
		return tea.KeyLeft, true
	case "right":
		return tea.KeyRight, true
	case "home":
		return tea.KeyHome, true
	case "end":
		return tea.KeyEnd, true
	case "pgup":
		return tea.KeyPgUp, true
	case "pgdown":
		return tea.KeyPgDown, true
	case "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9":
		return tea.KeyF1 + rune(name[1]-'1'), true
	case "f10", "f11", "f12":
		return tea.KeyF10 + rune(name[2]-'0'), true
	}
	return 0, false
}

// Press makes the key press that a name stands for: "enter", "ctrl+r", "G". It
// reports false for a name that no key press has.
func Press(name string) (tea.KeyPressMsg, bool) {
	var key tea.Key
	rest := name
	for _, m := range []struct {
		prefix string
		mod    tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if after, ok := strings.CutPrefix(rest, m.prefix); ok {
			key.Mod, rest = key.Mod|m.mod, after
		}
	}
	code, isNamed := named(rest)
	if !isNamed {
		if utf8.RuneCountInString(rest) != 1 {
			return tea.KeyPressMsg{}, false
		}
		code, _ = utf8.DecodeRuneInString(rest)
		// With a modifier the terminal sends the letter, not what shift makes of it.
		if !unicode.IsGraphic(code) || key.Mod&tea.ModShift != 0 || key.Mod != 0 && unicode.ToLower(code) != code {
			return tea.KeyPressMsg{}, false
		}
	}
	key.Code = code
	if key.Mod == 0 && (!isNamed || code == tea.KeySpace) {
		key.Text = string(code)
	}
	pressed := tea.KeyPressMsg(key)
	return pressed, pressed.String() == name
}

// IsText reports whether a key types something while a field has the focus.
func IsText(key string) bool { return key == "space" || utf8.RuneCountInString(key) == 1 }
