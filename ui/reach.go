package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// reachable lists the entries of the palette: what was used or opened recently, actions,
// screens, domains, the account, themes, and last the quiet actions.
func (r *root) reachable() []item {
	actions, account, quiet := r.actionItems()
	items := actions
	if !r.modal() && !r.signingIn() && r.domains() != nil {
		items = append(append(r.recentItems(), r.pageItems()...), actions...)
		items = append(items, r.screenItems()...)
		items = append(items, r.checkItems()...)
		items = append(items, r.domainItems()...)
		items = append(items, r.accountItems(account)...)
	} else {
		items = append(append(items, r.checkItems()...), account...)
	}
	return append(append(r.withUsed(items), r.themeItems()...), quiet...)
}

// pageItems are what the page brings itself.
func (r *root) pageItems() []item {
	var items []item
	if provider, ok := r.page().(screen.PaletteProvider); ok {
		for _, e := range provider.PaletteEntries() {
			items = append(items, item{group: e.Group, title: e.Title, note: e.Note, run: e.Run})
		}
	}
	return items
}

// actionItems are the actions that can be done now; account are those to sign in again,
// quiet those that the footer does not show.
func (r *root) actionItems() (main, account, quiet []item) {
	listed := map[string]bool{"root.palette": true, "root.check": true, "signin.check": true, "domains.check": true}
	for _, t := range Tabs() { // they are listed as screens
		listed[t.ID] = true
	}
	for _, a := range r.actions {
		again := listed[a.ID]
		listed[a.ID] = true
		if again || !a.Enabled() {
			continue
		}
		entry := item{group: "On this screen", title: capital(a.Title), note: a.Description, also: alsoCalled[a.ID], keys: shortKeyNames(a), run: func() tea.Cmd { return r.perform(a) }}
		switch {
		case a.ID == signInAgain:
			entry.group = accountGroup
			account = append(account, entry)
		case a.Quiet:
			entry.group = "Also here"
			quiet = append(quiet, entry)
		default:
			main = append(main, entry)
		}
	}
	return main, account, quiet
}

// shortKeyNames are the keys of an action as the footer writes them.
func shortKeyNames(a screen.Action) string {
	return strings.Join(a.ShortKeyNames(), "/")
}

const (
	// signInAgain is the action of screens that do so.
	signInAgain  = "root.signin"
	accountGroup = "Account"
	recentGroup  = "Recent"
)

// accountItems are signing out and in again.
func (r *root) accountItems(again []item) []item {
	items := []item{{group: accountGroup, title: "Sign out", note: "and forget the session", also: "logout log out exit", run: r.signOut}}
	if len(again) == 0 {
		page := r.page()
		again = []item{{
			group: accountGroup, title: "Sign in again", note: "refresh the session and the list of domains",
			run: func() tea.Cmd { return r.SignInAgain(page, "", nil) },
		}}
	}
	return append(items, again...)
}

// themeItems are the built-in themes but the current one.
func (r *root) themeItems() []item {
	items := []item{}
	for _, name := range styles.Themes() {
		choice, err := styles.Choose(name, nil)
		if err != nil || choice == r.styling.Choice {
			continue
		}
		title := strings.ReplaceAll(name, "-", " ")
		items = append(items, item{group: "Theme", title: capital(title), note: "colours, for this run", also: "settings preferences colors", run: func() tea.Cmd {
			r.styling.Choice = choice
			r.restyle()
			return r.Say("The colours are "+title+" for this run. theme = \""+name+"\" in the config file keeps them.", false)
		}})
	}
	return items
}

// withUsed moves the entries used last to the front.
func (r *root) withUsed(items []item) []item {
	front := []item{}
	for _, title := range r.used[:min(len(r.used), maxUsedShown)] {
		at := slices.IndexFunc(items, func(i item) bool { return i.title == title })
		if at < 0 || items[at].group == recentGroup {
			continue
		}
		used := items[at]
		used.home, used.group = used.group, recentGroup
		front = append(front, used)
		items = slices.Delete(items, at, at+1)
	}
	return append(front, items...)
}

// maxUsedShown is how many entries that were used stand at the front.
const maxUsedShown = 3

// use remembers the title of an entry that was used.
func (r *root) use(title string) {
	r.used = slices.DeleteFunc(r.used, func(old string) bool { return old == title })
	r.used = slices.Insert(r.used, 0, title)
	r.used = r.used[:min(len(r.used), maxRecent)]
}

func (r *root) recentItems() []item {
	items := []item{}
	for _, v := range r.recent {
		items = append(items, item{
			group: recentGroup, title: v.title, note: v.page.panes[v.tab].Title + " of " + hostname.Readable(v.page.domain),
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
				group: "Go to", title: tab.Title, note: safetext.Line(hostname.Readable(domain)), keys: r.tabKey(tab.ID),
				run: func() tea.Cmd { return r.goTo(domain, i) },
			})
		}
	}
	if r.domain() != nil || r.checking() {
		items = append(items, item{group: "Go to", title: r.domains().Title(), run: r.showDomains})
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
			group: "Domains", title: safetext.Line(hostname.Readable(domain)), run: func() tea.Cmd { return r.EnterDomain(domain) },
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
