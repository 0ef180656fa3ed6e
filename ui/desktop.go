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

// maxCopy is how many bytes of text are sent to the clipboard of a terminal: many terminals stop
// reading at 100,000 bytes of Base64.
const maxCopy = 74_994

// Copy implements [screen.Root]. It replaces line breaks: a shell into which the value is pasted
// would run the line.
func (t *terminal) Copy(text, what string) tea.Cmd {
	return t.copy(visibleLineBreaks.Replace(text), what)
}

// CopyDocument implements [screen.Root].
func (t *terminal) CopyDocument(text, what string) tea.Cmd { return t.copy(text, what) }

var visibleLineBreaks = strings.NewReplacer("\n", safetext.Line("\n"), "\r", safetext.Line("\r"))

// copy puts text on the clipboard of the person's terminal. A terminal does not confirm
// that, so the text also goes to the desktop's clipboard if there is one. what names the text in
// the sentence that says whether it was copied.
func (t *terminal) copy(text, what string) tea.Cmd {
	if text = visibleControls(text); text == "" {
		return t.news.Say("Not copied: "+what+" is empty.", false)
	}
	if t.news.hear(strings.Split(text, "\n")...) {
		return nil
	}
	own := variablesOf(t.options.Environ).clipboard()
	fits := len(text) <= maxCopy
	if fits && own != noCopies {
		t.painter.Copy(text)
	}
	desktop := t.options.Clipboard
	if desktop == nil {
		return t.sayCopied(own, len(text), what)
	}
	done := "Copied " + what + "."
	if fits && own == takesCopies {
		also := func() tea.Msg {
			_ = desktop(t.env.Context, text) // the terminal has it
			return nil
		}
		return tea.Batch(also, t.news.Say(done, false))
	}
	put := func() error { return desktop(t.env.Context, text) }
	return screen.Reply(nil, put, func(err error) tea.Cmd {
		if err != nil {
			return t.news.Say("Not copied: the clipboard did not take "+what+".", true)
		}
		return t.news.Say(done, false)
	})
}

// sayCopied says whether a text was copied, where there is only the clipboard of the terminal. size
// is that of the text in bytes.
func (t *terminal) sayCopied(own clipboard, size int, what string) tea.Cmd {
	switch {
	case own == noCopies:
		failed := "Not copied: this terminal has no clipboard for programs." + t.howToSelect()
		return t.news.Say(failed, true)
	case size > maxCopy:
		tooLarge := "Not copied: %s is more than the %s that a terminal's clipboard takes."
		failed := fmt.Sprintf(tooLarge, human.Bytes(int64(size)), human.Bytes(maxCopy))
		return t.news.Say(failed, true)
	case own == dropsCopies:
		return t.news.Say("Copied "+what+" (in tmux only with set-clipboard on).", false)
	}
	return t.news.Say("Copied "+what+".", false)
}

// howToSelect says how to select text with the mouse; "" if the terminal has the mouse already.
func (t *terminal) howToSelect() string {
	if !t.env.Clicks {
		return ""
	}
	key := t.env.Keys.Key(screen.RootMouse)
	return " " + key + " leaves the mouse to it, so that you can select text."
}

// visibleControls replaces control characters by visible ones, except line breaks and tabs:
// pasting the text into a terminal must not run a command.
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

const (
	maxURL      = 2000 // bytes of a URL that is opened
	maxShownURL = 60   // cells of it in a toast
)

// OpenLink implements [screen.Root]. The URL comes from outside and becomes an argument of a
// command of the desktop, so only a plain https URL is passed on.
func (t *terminal) OpenLink(address string) tea.Cmd {
	browse := t.options.Browser
	switch {
	case !isPlainURL(address):
		return t.news.Say("Not opened: this is not a plain https address.", true)
	case browse == nil:
		key := t.env.Keys.Key(screen.TreeCopy)
		failed := "Not opened: no desktop can be reached from here. " + key + " copies the URL."
		return t.news.Say(failed, true)
	}
	shown := safetext.Clip(hostname.ReadableURL(address), maxShownURL)
	opened := func(err error) tea.Cmd {
		if err == nil {
			return nil
		}
		return t.news.Say("Not opened: the desktop did not take "+shown+".", true)
	}
	opening := t.news.Say("Opening "+shown+" in the browser.", false)
	return tea.Batch(opening, screen.Reply(nil, func() error { return browse(address) }, opened))
}

// isPlainURL reports whether text is an https URL of at most maxURL bytes, with a host and
// without a user, in printable ASCII.
func isPlainURL(text string) bool {
	isPrintable := func(c rune) bool { return c > ' ' && c <= '~' }
	for _, c := range text {
		if !isPrintable(c) {
			return false
		}
	}
	u, err := url.Parse(text)
	if err != nil || len(text) > maxURL {
		return false
	}
	return u.Scheme == "https" && u.Host != "" && u.User == nil
}
