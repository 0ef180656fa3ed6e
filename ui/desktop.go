package ui

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// maxCopy is how many bytes the clipboards of terminals accept: many stop reading at
// 100,000 bytes of Base64.
const maxCopy = 74_994

// Copy implements [screen.Root]. A line break in a value could make a shell run what it is
// pasted into.
func (t *terminal) Copy(text, what string) tea.Cmd { return t.copy(lineBreaks.Replace(text), what) }

func (t *terminal) CopyDocument(text, what string) tea.Cmd { return t.copy(text, what) }

var lineBreaks = strings.NewReplacer("\n", safetext.Line("\n"), "\r", safetext.Line("\r"))

// copy puts text on the clipboard of the person's terminal. A terminal does not confirm
// that, so the text also goes to the desktop's clipboard if there is one.
func (t *terminal) copy(text, what string) tea.Cmd {
	if text = visibleControls(text); text == "" {
		return t.news.Say("Not copied: "+what+" is empty.", false)
	}
	if t.news.hear(strings.Split(text, "\n")...) {
		return nil
	}
	own, fits := variablesOf(t.options.Environ).clipboard(), len(text) <= maxCopy
	if fits && own != noCopies {
		t.painter.Copy(text)
	}
	native := t.options.Clipboard
	if native == nil {
		return t.sayCopied(own, len(text), what)
	}
	done := "Copied " + what + "."
	if fits && own == takesCopies {
		also := func() tea.Msg {
			_ = native(t.env.Context, text) // the terminal has it
			return nil
		}
		return tea.Batch(also, t.news.Say(done, false))
	}
	return screen.Reply(nil, func() error { return native(t.env.Context, text) }, func(err error) tea.Cmd {
		if err != nil {
			return t.news.Say("Not copied: the clipboard did not take "+what+".", true)
		}
		return t.news.Say(done, false)
	})
}

// sayCopied says what has become of so many bytes for the clipboard of the terminal alone.
func (t *terminal) sayCopied(own clipboard, size int, what string) tea.Cmd {
	switch {
	case own == noCopies:
		return t.news.Say("Not copied: this terminal has no clipboard for programs."+t.howToSelect(), true)
	case size > maxCopy:
		return t.news.Say(fmt.Sprintf("Not copied: %s is more than the %s that a terminal's clipboard takes.",
			human.Bytes(int64(size)), human.Bytes(maxCopy)), true)
	case own == dropsCopies:
		return t.news.Say("Copied "+what+" (in tmux only with set-clipboard on).", false)
	}
	return t.news.Say("Copied "+what+".", false)
}

// howToSelect says how text is copied without the program, where the mouse is not left to the terminal.
func (t *terminal) howToSelect() string {
	if !t.env.Clicks {
		return ""
	}
	return " " + t.env.Keys.Key(screen.RootMouse) + " leaves the mouse to it, so that you can select text."
}

// visibleControls replaces control characters by visible ones, except those that lay out
// text: pasting into a terminal must not run a command.
func visibleControls(text string) string {
	var b strings.Builder
	for _, c := range text {
		if unicode.IsControl(c) && c != '\n' && c != '\r' && c != '\t' {
			b.WriteString(safetext.Line(string(c)))
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// maxAddress is how many bytes of an address are opened, and maxShown how many
// cells of it a toast shows.
const maxAddress, maxShown = 2000, 60

// OpenLink implements [screen.Root]. The address comes from outside, and is an argument of
// a command of the desktop: what is not plainly an https address is not passed on.
func (t *terminal) OpenLink(address string) tea.Cmd {
	browse := t.options.Browser
	switch {
	case !isWebAddress(address):
		return t.news.Say("Not opened: this is not a plain https address.", true)
	case browse == nil:
		return t.news.Say("Not opened: no desktop can be reached from here. "+t.env.Keys.Key(screen.TreeCopy)+" copies the URL.", true)
	}
	shown := safetext.Clip(hostname.ReadableURL(address), maxShown)
	opened := func(err error) tea.Cmd {
		if err == nil {
			return nil
		}
		return t.news.Say("Not opened: the desktop did not take "+shown+".", true)
	}
	return tea.Batch(t.news.Say("Opening "+shown+" in the browser.", false), screen.Reply(nil, func() error { return browse(address) }, opened))
}

// isWebAddress reports whether text is an https URL with a host and without a user, in
// printable ASCII.
func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	strange := strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' })
	return err == nil && !strange && len(text) <= maxAddress && u.Scheme == "https" && u.Host != "" && u.User == nil
}
