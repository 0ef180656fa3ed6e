package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

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
