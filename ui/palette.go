package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/palette"
	"gatehouse/ui/screen"
)

// paletteOverlay is the palette over a screen.
type paletteOverlay struct{ *palette.Model }

// showPalette opens the palette on everything that can be reached from here.
func (r *root) showPalette() tea.Cmd {
	return r.cover(paletteOverlay{palette.New(r.env.Theme, r.reachable())})
}

func (p paletteOverlay) actions(r *root) []screen.Action {
	return p.Actions(func(item palette.Item) tea.Cmd { return r.choose(item) }, r.uncover)
}

func (p paletteOverlay) view(_ *styles.Theme, width, height int) string { return p.View(width, height) }

func (p paletteOverlay) update(msg tea.Msg) tea.Cmd {
	p.Update(msg)
	return nil
}

func (p paletteOverlay) click(r *root, _, y int) tea.Cmd {
	item, ok := p.At(y)
	if !ok {
		return nil
	}
	return r.choose(item)
}

func (p paletteOverlay) wheel(lines int) { p.Move(lines) }

// choose closes the palette and does what was chosen in it.
func (r *root) choose(item palette.Item) tea.Cmd {
	r.uncover()
	return item.Run()
}

// reachable lists what the palette leads to: the records opened last, what can be
// done here, the screens, the domains, and at the end the mere movements.
func (r *root) reachable() []palette.Item {
	main, quiet := r.doable()
	items := []palette.Item{}
	if r.overlay() == nil && r.signIn() == nil && r.domains() != nil {
		items = append(items, r.recentItems()...)
		items = append(items, main...)
		items = append(items, r.screenItems()...)
		items = append(items, r.domainItems()...)
	} else {
		items = main
	}
	return append(items, quiet...)
}

// doable are the actions that can be done now, apart from those that the footer
// keeps quiet about.
func (r *root) doable() (main, quiet []palette.Item) {
	list := r.actions()
	for i, a := range list {
		again := slices.ContainsFunc(list[:i], func(b screen.Action) bool { return a.ID == b.ID })
		if again || !a.Enabled() || a.ID == "root.palette" || isTab(a.ID) {
			continue
		}
		item := palette.Item{Kind: "action", Title: a.Title, Note: a.Description, Keys: a.KeyNames(), Run: func() tea.Cmd { return r.perform(a) }}
		if a.Quiet {
			quiet = append(quiet, item)
		} else {
			main = append(main, item)
		}
	}
	return main, quiet
}

// isTab reports whether an action leads to a tab, which the palette lists as a
// screen.
func isTab(id string) bool { return len(id) == len("root.tab1") && id[:8] == "root.tab" }

func (r *root) recentItems() []palette.Item {
	items := []palette.Item{}
	for _, v := range r.recent.visits {
		items = append(items, palette.Item{
			Kind: "record", Title: v.title, Note: v.place.tabs[v.tab].Title() + " of " + hostname.Readable(v.place.domain),
			Run: func() tea.Cmd { return r.revisit(v) },
		})
	}
	return items
}

// screenItems are the tabs of the domain that the person is in, was in, or has
// first.
func (r *root) screenItems() []palette.Item {
	items := []palette.Item{}
	domain := r.nearestDomain()
	if domain != "" {
		for i, title := range tabTitles {
			items = append(items, palette.Item{
				Kind: "screen", Title: title, Note: safetext.Line(hostname.Readable(domain)), Keys: r.tabKey(i),
				Run: func() tea.Cmd { return r.goTo(domain, i) },
			})
		}
	}
	if r.place() != nil {
		items = append(items, palette.Item{Kind: "screen", Title: r.domains().Title(), Run: r.back})
	}
	return items
}

// tabKey is the key of a tab where it works.
func (r *root) tabKey(tab int) string {
	if r.place() == nil || r.typing() {
		return ""
	}
	return r.env.Keys.Key(tabID(tab))
}

func (r *root) nearestDomain() string {
	if places := r.places(); len(places) > 0 {
		return places[0].domain
	}
	if all := r.service.Session.Status().Claims.AllDomains(); len(all) > 0 {
		return all[0]
	}
	return ""
}

// goTo shows a tab of a domain.
func (r *root) goTo(domain string, tab int) tea.Cmd {
	entered := r.EnterDomain(domain)
	if tab == r.place().active {
		return entered
	}
	return tea.Batch(entered, r.place().show(tab))
}

func (r *root) domainItems() []palette.Item {
	items := []palette.Item{}
	for _, domain := range r.service.Session.Status().Claims.AllDomains() {
		items = append(items, palette.Item{
			Kind: "domain", Title: safetext.Line(hostname.Readable(domain)), Run: func() tea.Cmd { return r.EnterDomain(domain) },
		})
	}
	return items
}
