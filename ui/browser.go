package ui

import (
	"net/url"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
)

// maxAddress is how many bytes of an address are opened, and maxShown how many
// cells of it a toast shows.
const maxAddress, maxShown = 2000, 60

// notBrowsedMsg tells that the desktop did not open an address.
type notBrowsedMsg struct{ shown string }

// OpenLink implements [screen.Root]. The address comes from outside, and is an argument of
// a command of the desktop: what is not plainly an https address is not passed on.
func (t *terminal) OpenLink(address string) tea.Cmd {
	browse := t.options.Browser
	switch {
	case !isWebAddress(address):
		return t.news.Say("Not opened: this is not a plain https address.", true)
	case browse == nil:
		return t.news.Say("Not opened: no desktop can be reached from here. "+t.env.Keys.Key("tree.copy")+" copies the address.", true)
	}
	shown := safetext.Clip(hostname.ReadableURL(address), maxShown)
	return tea.Batch(t.news.Say("Opening "+shown+" in the browser.", false), func() tea.Msg {
		if browse(address) != nil {
			return notBrowsedMsg{shown}
		}
		return nil
	})
}

func (t *terminal) notBrowsed(msg notBrowsedMsg) tea.Cmd {
	return t.news.Say("Not opened: the desktop did not take "+msg.shown+".", true)
}

// isWebAddress reports whether text is an https URL with a host and without a user, in
// printable ASCII.
func isWebAddress(text string) bool {
	for _, c := range []byte(text) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	u, err := url.Parse(text)
	return err == nil && len(text) <= maxAddress && u.Scheme == "https" && u.Host != "" && u.User == nil
}
