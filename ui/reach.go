package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
)

// reachable lists what the palette leads to: the records opened last, what can be
// done here, the screens, the domains, and at the end the mere movements.
func (r *root) reachable() []item {
	main, quiet := r.doable()
	items := []item{}
	if !r.modal() && r.signIn() == nil && r.domains() != nil {
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
func (r *root) doable() (main, quiet []item) {
	listed := map[string]bool{"root.palette": true}
	for _, t := range Tabs() { // they are among the screens
		listed[t.ID] = true
	}
	for _, a := range r.actions {
		again := listed[a.ID]
		listed[a.ID] = true
		if again || !a.Enabled() {
			continue
		}
		done := item{kind: "action", title: a.Title, note: a.Description, keys: a.KeyNames(), run: func() tea.Cmd { return r.perform(a) }}
		if a.Quiet {
			quiet = append(quiet, done)
		} else {
			main = append(main, done)
		}
	}
	return main, quiet
}

func (r *root) recentItems() []item {
	items := []item{}
	for _, v := range r.recent.visits {
		items = append(items, item{
			kind: "record", title: v.title, note: v.page.panes[v.tab].Title + " of " + hostname.Readable(v.page.domain),
			run: func() tea.Cmd { return r.revisit(v) },
		})
	}
	return items
}

// screenItems are the tabs of the domain that the person is in, was in, or has
// first.
func (r *root) screenItems() []item {
	items := []item{}
	domain := r.nearestDomain()
	if domain != "" {
		for i, tab := range Tabs() {
			items = append(items, item{
				kind: "screen", title: tab.Title, note: safetext.Line(hostname.Readable(domain)), keys: r.tabKey(tab.ID),
				run: func() tea.Cmd { return r.goTo(domain, i) },
			})
		}
	}
	if r.domain() != nil {
		items = append(items, item{kind: "screen", title: r.domains().Title(), run: r.leaveDomain})
	}
	return items
}

// tabKey is the key of a tab where it works.
func (r *root) tabKey(id string) string {
	if r.domain() == nil || r.typing() {
		return ""
	}
	return r.env.Keys.Key(id)
}

func (r *root) nearestDomain() string {
	if pages := r.domainPages(); len(pages) > 0 {
		return pages[0].domain
	}
	if all := r.service.Session.Status().Claims.AllDomains(); len(all) > 0 {
		return all[0]
	}
	return ""
}

// goTo shows a tab of a domain.
func (r *root) goTo(domain string, tab int) tea.Cmd {
	entered := r.EnterDomain(domain)
	if tab == r.domain().active {
		return entered
	}
	return tea.Batch(entered, r.domain().show(tab))
}

func (r *root) domainItems() []item {
	items := []item{}
	for _, domain := range r.service.Session.Status().Claims.AllDomains() {
		items = append(items, item{
			kind: "domain", title: safetext.Line(hostname.Readable(domain)), run: func() tea.Cmd { return r.EnterDomain(domain) },
		})
	}
	return items
}

const (
	// mostRecent is how many records are remembered.
	mostRecent = 20
	// longestVisit is how many cells of a name are.
	longestVisit = 100
)

// recent are the records that were opened last, the newest first.
type recent struct{ visits []visit }

// visit is a record and where it was opened.
type visit struct {
	page  *domainPage
	tab   int
	title string
	open  func() tea.Cmd
}

// add remembers a record; one that is there already moves to the front.
func (l *recent) add(v visit) {
	l.visits = slices.DeleteFunc(l.visits, func(old visit) bool {
		return old.page == v.page && old.tab == v.tab && old.title == v.title
	})
	l.visits = slices.Insert(l.visits, 0, v)
	l.visits = l.visits[:min(len(l.visits), mostRecent)]
}

// forget drops what was opened in a domain that is kept no more.
func (l *recent) forget(p *domainPage) {
	l.visits = slices.DeleteFunc(l.visits, func(v visit) bool { return v.page == p })
}

// Visited implements [screen.Root].
func (r *root) Visited(title string, open func() tea.Cmd) tea.Cmd {
	if p := r.domain(); p != nil {
		r.recent.add(visit{p, p.active, safetext.Clip(title, longestVisit), open})
	}
	return nil
}

// revisit goes to where a record was opened and opens it again.
func (r *root) revisit(v visit) tea.Cmd {
	return tea.Batch(r.EnterDomain(v.page.domain), v.page.show(v.tab), v.open())
}
