package ui

import (
	"fmt"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
)

// maxCopy is how many bytes the clipboards of terminals accept: many stop reading at
// 100,000 bytes of Base64.
const maxCopy = 74_994

// copiedMsg is the result of copying to the desktop's clipboard, where the terminal's is not
// enough.
type copiedMsg struct {
	what string
	err  error
}

// Copy implements [screen.Root]. A line break in a value could make a shell run what it is
// pasted into.
func (t *terminal) Copy(text, what string) tea.Cmd { return t.copy(lineBreaks.Replace(text), what) }

func (t *terminal) CopyDocument(text, what string) tea.Cmd { return t.copy(text, what) }

var lineBreaks = strings.NewReplacer("\n", safetext.Line("\n"), "\r", safetext.Line("\r"))

// copy puts text on the clipboard of the person's terminal. A terminal does not confirm
// that, so the text also goes to the desktop's clipboard if there is one.
func (t *terminal) copy(text, what string) tea.Cmd {
	text = visibleControls(text)
	if t.news.hear(strings.Split(text, "\n")...) {
		return nil
	}
	native, dropped := t.options.Clipboard, variablesOf(t.options.Environ).mayDropCopies()
	fits := len(text) <= maxCopy
	if fits {
		t.painter.Copy(text)
	}
	switch {
	case native == nil && !fits:
		return t.news.Say(fmt.Sprintf("Not copied: %s is more than the %s that a terminal's clipboard takes.",
			human.Bytes(int64(len(text))), human.Bytes(maxCopy)), true)
	case native == nil && dropped:
		return t.news.Say("Copied "+what+" (in tmux only with set-clipboard on).", false)
	case native == nil:
		return t.news.Say("Copied "+what+".", false)
	case fits && !dropped:
		also := func() tea.Msg {
			_ = native(t.env.Context, text) // the terminal has it
			return nil
		}
		return tea.Batch(also, t.news.Say("Copied "+what+".", false))
	default:
		return func() tea.Msg { return copiedMsg{what, native(t.env.Context, text)} }
	}
}

func (t *terminal) copied(msg copiedMsg) tea.Cmd {
	if msg.err != nil {
		return t.news.Say("Not copied: the clipboard did not take "+msg.what+".", true)
	}
	return t.news.Say("Copied "+msg.what+".", false)
}

// visibleControls replaces control characters by visible ones, except those that lay out
// text: pasting into a terminal must not run a command.
func visibleControls(text string) string {
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
