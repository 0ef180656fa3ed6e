package ui

import (
	"fmt"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/human"
	"gatehouse/ui/screen"
)

// longestCopy is how many bytes the clipboards of terminals take: many stop
// reading at 100,000 bytes of Base64.
const longestCopy = 74_994

// copy puts text on the clipboard of the terminal the person sits at.
func (r *root) copy(request screen.Copy) tea.Cmd {
	text := harmless(request.Text)
	if size := len(text); size > longestCopy {
		return r.say(fmt.Sprintf("Not copied: %s is more than the %s that a terminal's clipboard takes.",
			human.Bytes(int64(size)), human.Bytes(longestCopy)), true)
	}
	return tea.Batch(tea.SetClipboard(text), r.say("Copied "+request.What+".", false))
}

// harmless makes control characters visible, but for those that lay out text:
// whoever pastes it into a terminal must not be talked into a command.
func harmless(text string) string {
	if !strings.ContainsFunc(text, isCommand) {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		if isCommand(c) {
			b.WriteString(safetext.Line(string(c)))
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func isCommand(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }
