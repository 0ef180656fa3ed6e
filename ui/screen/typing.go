package screen

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
)

// CleanInput returns a key press or a paste without what must not reach a terminal,
// and any other message as it is. Fields show their text as it is, and what is copied
// from elsewhere can hold characters that nobody sees.
func CleanInput(msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		msg.Text = CleanText(msg.Text)
		return msg
	case tea.PasteMsg:
		msg.Content = CleanText(msg.Content)
		return msg
	}
	return msg
}

// CleanText returns a text without format characters that are no part of a word, such
// as those that turn the reading order around, or ask for the emoji of a character
// that has none. Control characters are left to the field, which knows what a
// newline becomes.
func CleanText(text string) string {
	before := ""
	return strings.Map(func(r rune) rune {
		character := string(r)
		if r == emojiForm && before != "" && safetext.Line(before+character) != before+character || !isPlain(r) {
			return -1
		}
		before = character
		return r
	}, text)
}

// Proposal returns a text from outside that a field holds at first, empty where the
// field cannot show it as it is: nobody is to send what looks like something else.
func Proposal(text string) string {
	if safetext.Line(text) != text {
		return ""
	}
	return text
}

// emojiForm is the character that asks for the emoji of the one before it.
const emojiForm = '\ufe0f'

func isPlain(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.IsMark(r):
		return true
	case r == '\u200c', r == '\u200d': // the joiners, which words and emoji are spelt with
		return true
	}
	return safetext.Line(string(r)) == string(r)
}
