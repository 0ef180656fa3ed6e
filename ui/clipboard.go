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
func (r *root) Copy(text, what string) tea.Cmd { return r.copy(lineBreaks.Replace(text), what) }

func (r *root) CopyDocument(text, what string) tea.Cmd { return r.copy(text, what) }

var lineBreaks = strings.NewReplacer("\n", safetext.Line("\n"), "\r", safetext.Line("\r"))

// copy puts text on the clipboard of the person's terminal. A terminal does not confirm
// that, so the text also goes to the desktop's clipboard if there is one.
func (r *root) copy(text, what string) tea.Cmd {
	text = visibleControls(text)
	if r.hear(strings.Split(text, "\n")...) {
		return nil
	}
	native, dropped := r.options.Clipboard, variablesOf(r.options.Environ).mayDropCopies()
	fits := len(text) <= maxCopy
	if fits {
		r.painter.Copy(text)
	}
	switch {
	case native == nil && !fits:
		return r.Say(fmt.Sprintf("Not copied: %s is more than the %s that a terminal's clipboard takes.",
			human.Bytes(int64(len(text))), human.Bytes(maxCopy)), true)
	case native == nil && dropped:
		return r.Say("Copied "+what+" (in tmux only with set-clipboard on).", false)
	case native == nil:
		return r.Say("Copied "+what+".", false)
	case fits && !dropped:
		also := func() tea.Msg {
			_ = native(r.env.Context, text) // the terminal has it
			return nil
		}
		return tea.Batch(also, r.Say("Copied "+what+".", false))
	default:
		return func() tea.Msg { return copiedMsg{what, native(r.env.Context, text)} }
	}
}

func (r *root) copied(msg copiedMsg) tea.Cmd {
	if msg.err != nil {
		return r.Say("Not copied: the clipboard did not take "+msg.what+".", true)
	}
	return r.Say("Copied "+msg.what+".", false)
}

// visibleControls replaces control characters by visible ones, except those that lay out
// text: pasting into a terminal must not run a command.
func visibleControls(text string) string {
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
