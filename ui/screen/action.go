package screen

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Action is something that a person can do now. Keys, footer and help use the same list of
// actions, so that they always agree. A screen sets ID and Run, and Reason if the action cannot be
// done; the key map adds the rest.
type Action struct {
	// ID names the action.
	ID ActionID
	// Keys are the bound keys as [tea.KeyPressMsg] prints them: "enter", "ctrl+r", "G".
	// Only the key map sets them.
	Keys []string
	// Title is the word or two in the footer, Description the sentence in the help. A
	// screen sets them only if they vary.
	Title, Description string
	// SaysTitle means that the description contains the title, so that a person who hears the UI
	// hears the description alone: "compare", "compare the two marked rows".
	SaysTitle bool
	// TitleOnly means that the description says no more than the title, so that a list that shows
	// both shows the title alone.
	TitleOnly bool
	// Reason says why the action is disabled; empty means enabled. A disabled action
	// stays in the help, and its key shows the reason.
	Reason string
	// Never means that nothing that the person does can enable the action, such as writing a file
	// on the server of a visitor.
	Never bool
	// First is an action that would enable this one: the key map appends its key to the
	// reason.
	First ActionID
	// Quiet hides it from the footer, but not from the help.
	Quiet bool
	// Typing marks an action that works while a field has the focus.
	Typing bool
	// ForEyes, Aside and Within are those of its [KeyEntry]. Only the key map sets them.
	ForEyes, Aside, Within bool
	// Run performs the action. The [Stack] adds that of [RootBack] if it is nil, which closes the
	// screen.
	Run func() tea.Cmd
	// inWords means that its keys are written in words, see [KeyMap.InWords].
	inWords bool
}

// If returns text if the condition holds, or else "". With it a list of actions says under which
// conditions they are disabled.
func If(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

// Do makes an [Action.Run] of a change that needs no command.
func Do(change func()) func() tea.Cmd {
	return func() tea.Cmd {
		change()
		return nil
	}
}

// Enabled reports whether the action can be done now.
func (a Action) Enabled() bool { return a.Reason == "" }

// keyName is the name of a key for display. Those of the arrow keys are arrows, or words with
// inWords.
func keyName(key string, inWords bool) string {
	if inWords {
		return key
	}
	switch key {
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	}
	return key
}

// KeyName is the name of the first key of an action for display.
func (a Action) KeyName() string { return keyName(a.Keys[0], a.inWords) }

// KeyNames are the names of all keys of an action for display: "↓/j".
func (a Action) KeyNames() string {
	names := make([]string, len(a.Keys))
	for i, key := range a.Keys {
		names[i] = keyName(key, a.inWords)
	}
	return strings.Join(names, "/")
}

// FindAction returns the first action bound to a key. While a field has the focus it only
// considers actions marked Typing, and keys that are text match none.
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

// ShownActions returns the actions whose keys work now, without actions all of whose keys
// belong to earlier ones. Each has only the keys that trigger it.
func ShownActions(actions []Action, typing bool) iter.Seq[Action] {
	return func(yield func(Action) bool) {
		taken := make(map[string]bool, 2*len(actions))
		isUseless := func(key string) bool { return taken[key] || typing && IsText(key) }
		for _, a := range actions {
			if typing && !a.Typing {
				continue
			}
			if slices.ContainsFunc(a.Keys, isUseless) {
				a.Keys = slices.DeleteFunc(slices.Clone(a.Keys), isUseless)
			}
			for _, k := range a.Keys {
				taken[k] = true
			}
			if len(a.Keys) > 0 && !yield(a) {
				return
			}
		}
	}
}

// namedKeys are the codes of the keys with a name.
var namedKeys = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "insert": tea.KeyInsert,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4,
	"f5": tea.KeyF5, "f6": tea.KeyF6, "f7": tea.KeyF7, "f8": tea.KeyF8,
	"f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12,
}

// modifiers are the modifiers of a key, in the order in which its name has them.
var modifiers = []struct {
	prefix string
	mod    tea.KeyMod
}{
	{"ctrl+", tea.ModCtrl},
	{"alt+", tea.ModAlt},
	{"shift+", tea.ModShift},
}

// Press returns the key press for a name: "enter", "ctrl+r", "G". It reports false if no
// key press has that name.
func Press(name string) (tea.KeyPressMsg, bool) {
	var key tea.Key
	rest := name
	for _, m := range modifiers {
		if after, ok := strings.CutPrefix(rest, m.prefix); ok {
			key.Mod, rest = key.Mod|m.mod, after
		}
	}
	code, isNamed := namedKeys[rest]
	if !isNamed {
		if utf8.RuneCountInString(rest) != 1 {
			return tea.KeyPressMsg{}, false
		}
		code, _ = utf8.DecodeRuneInString(rest)
		isShifted := key.Mod&tea.ModShift != 0
		// With a modifier terminals send the small letter.
		isCapital := key.Mod != 0 && unicode.ToLower(code) != code
		if !unicode.IsGraphic(code) || isShifted || isCapital {
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

// IsText reports whether a key types text while a field has the focus.
func IsText(key string) bool { return key == "space" || utf8.RuneCountInString(key) == 1 }
