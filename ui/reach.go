package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
)

// reachable lists the entries of the palette: records opened recently, actions, screens,
// domains, and last the quiet actions.
func (r *root) reachable() []item {
	main, quiet := r.actionItems()
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

// actionItems are the actions that can be done now; quiet are those that the footer does
// not show.
func (r *root) actionItems() (main, quiet []item) {
	listed := map[string]bool{"root.palette": true}
	for _, t := range Tabs() { // they are listed as screens
		listed[t.ID] = true
	}
	for _, a := range r.actions {
		again := listed[a.ID]
		listed[a.ID] = true
		if again || !a.Enabled() {
			continue
		}
		entry := item{kind: "action", title: a.Title, note: a.Description, keys: a.KeyNames(), run: func() tea.Cmd { return r.perform(a) }}
		if a.Quiet {
			quiet = append(quiet, entry)
		} else {
			main = append(main, entry)
		}
	}
	return main, quiet
}

func (r *root) recentItems() []item {
	items := []item{}
	for _, v := range r.recent {
		items = append(items, item{
			kind: "record", title: v.title, note: v.page.panes[v.tab].Title + " of " + hostname.Readable(v.page.domain),
			run: func() tea.Cmd { return r.revisit(v) },
		})
	}
	return items
}

// screenItems are the tabs of the current domain, else of the last one, else of the
// primary one.
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

// tabKey is the key of a tab, if it works now.
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
	// maxRecent is how many records are remembered.
	maxRecent = 20
	// maxVisit is the maximum width of a name in cells.
	maxVisit = 100
)

// visit is a record and where it was opened.
type visit struct {
	page  *domainPage
	tab   int
	title string
	open  func() tea.Cmd
}

// Visited implements [screen.Root]. A record that is remembered already moves to the
// front.
func (r *root) Visited(title string, open func() tea.Cmd) tea.Cmd {
	p := r.domain()
	if p == nil {
		return nil
	}
	v := visit{p, p.active, safetext.Clip(title, maxVisit), open}
	r.recent = slices.DeleteFunc(r.recent, func(old visit) bool {
		return old.page == v.page && old.tab == v.tab && old.title == v.title
	})
	r.recent = slices.Insert(r.recent, 0, v)
	r.recent = r.recent[:min(len(r.recent), maxRecent)]
	return nil
}

// revisit opens a record again where it was opened.
func (r *root) revisit(v visit) tea.Cmd {
	return tea.Batch(r.EnterDomain(v.page.domain), v.page.show(v.tab), v.open())
}
