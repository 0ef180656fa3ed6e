package domains

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/ui/menu"
	"gatehouse/ui/screen"
)

// showAddresses shows where a domain can be reached, to open or copy that.
func (m *Model) showAddresses() tea.Cmd {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	root, name := m.env.Root, m.domains[row]
	entry := func(kind, note, url string) menu.Entry {
		return menu.Entry{
			Group: kind + ", " + note, Title: url, Drawn: screen.Link(m.env.Theme, safetext.Clip(url, maxAddress), url),
			Run:  func() tea.Cmd { return root.OpenLink(url) },
			Copy: func() tea.Cmd { return root.Copy(url, "the "+strings.ToLower(kind)+" address") },
		}
	}
	entries := []menu.Entry{entry("Browser", "guessed from the name; a device login shows the real one", "https://"+name)}
	if gateway := m.addresses[row]; gateway != "" {
		entries = append(entries, entry("Gateway", "for programs such as this one", gateway))
	}
	list := menu.New(m.env, "URLs of "+safetext.Clip(hostname.Readable(name), maxAddress), "open", entries)
	list.Stays, list.Opener = true, "domains.address"
	return root.Push(m, list)
}

// maxAddress is how many cells of an address are shown.
const maxAddress = 66
