package screen

import (
	"strings"
	"unicode"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
)

// NewInput makes an empty input line of at most limit characters. [DrawTyped] draws it.
func NewInput(limit int) textinput.Model {
	input := textinput.New()
	input.Prompt, input.CharLimit = "", limit
	return input
}

// DrawTyped draws an input line in at most room cells, and returns the cell of the caret in it.
// position is how many characters are before the caret. The line has at least one cell. A text
// that is too long scrolls by half of the room at a time, so that what is on both sides of the
// caret can be read.
func DrawTyped(style styles.Style, line string, position, room int) (text string, caret int) {
	room = max(room, 1)
	runes := []rune(line)
	position = min(position, len(runes))
	before, after := string(runes[:position]), string(runes[position:])
	caret = Cells(before)
	if last, half := room-1, max(room/2, 1); caret > last {
		before = safetext.CutLeft(before, (caret-last+half-1)/half*half)
		caret = Cells(before)
	}
	if after == "" {
		after = " " // for the caret
	}
	return style.Render(safetext.Cut(before+after, room, "")), caret
}

// DamagedMsg says that something that was typed or pasted got lost. The field with the focus has
// not the text that the person means, and must not be sent.
type DamagedMsg struct{}

// CleanInput removes what must not reach a terminal from a key press or a paste, and
// returns other messages unchanged. Fields show their text as it is, and text copied from
// elsewhere can contain invisible characters.
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

// CleanText removes format characters that are not part of words, such as those that
// reverse the reading order or select the emoji form of a character that has none.
// Control characters are left to the field, which decides what a newline becomes.
func CleanText(text string) string {
	before := ""
	return strings.Map(func(r rune) rune {
		character := string(r)
		isUnusable := r == emojiForm && before != "" && safetext.Line(before+character) != before+character
		if isUnusable || !isPlain(r) {
			return -1
		}
		before = character
		return r
	}, text)
}

// Proposal returns text from outside for the initial value of a field, or "" if the field
// cannot show it exactly: nobody should send something that looks like something else.
func Proposal(text string) string {
	if safetext.Line(text) != text {
		return ""
	}
	return text
}

// emojiForm selects the emoji form of the character before it.
const emojiForm = '\ufe0f'

// isPlain reports whether a character may be in a field: it is no format character, but for those
// that words and emoji need.
func isPlain(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.IsMark(r):
		return true
	case r == '\u200c', r == '\u200d': // joiners, which words and emoji need
		return true
	}
	return safetext.Line(string(r)) == string(r)
}
