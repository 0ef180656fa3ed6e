package ui

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/menu"
	"gatehouse/ui/screen"
)

// showPalette opens the menu of everything that can be reached from here.
func (m menus) showPalette() tea.Cmd {
	entries := m.entries()
	for i, e := range entries {
		entries[i].Run = func() tea.Cmd {
			m.use(e.Title)
			return e.Run()
		}
	}
	return m.stack.Push(menu.NewPalette(m.env, entries))
}

// entries are those of the palette: what was used or opened recently, actions,
// screens, domains, the account, themes, and last the quiet actions.
func (m menus) entries() []menu.Entry {
	actions, account, quiet := m.actionItems()
	items := actions
	if !m.modal() && !m.signingIn() && m.domains() != nil {
		items = append(append(m.recentItems(), m.pageItems()...), actions...)
		items = append(items, m.screenItems()...)
		items = append(items, m.checkItems()...)
		items = append(items, m.domainItems()...)
		items = append(items, m.accountItems(account)...)
	} else {
		items = append(append(items, m.checkItems()...), account...)
	}
	return append(append(m.withUsed(items), m.themeItems()...), quiet...)
}

// pageItems are what the page brings itself.
func (m menus) pageItems() []menu.Entry {
	var items []menu.Entry
	if provider, ok := m.page().(screen.PaletteProvider); ok {
		for _, e := range provider.PaletteEntries() {
			items = append(items, menu.Entry{Group: e.Group, Title: e.Title, Note: e.Note, Run: e.Run})
		}
	}
	return items
}

// actionItems are the actions that can be done now; account are those to sign in again,
// quiet those that the footer does not show.
func (m menus) actionItems() (main, account, quiet []menu.Entry) {
	listed := map[string]bool{"root.palette": true, "root.check": true}
	for _, t := range Tabs() { // they are listed as screens
		listed[t.ID] = true
	}
	for _, a := range m.actions {
		again := listed[a.ID]
		listed[a.ID] = true
		if again || !a.Enabled() {
			continue
		}
		entry := menu.Entry{Group: "On this screen", Title: capital(a.Title), Note: a.Description, Also: alsoCalled[a.ID], Keys: a.ShortKeys(), Run: func() tea.Cmd { return m.perform(a) }}
		switch {
		case a.ID == signInAgain:
			entry.Group = accountGroup
			account = append(account, entry)
		case a.Quiet:
			entry.Group = "Also here"
			quiet = append(quiet, entry)
		default:
			main = append(main, entry)
		}
	}
	return main, account, quiet
}

// alsoCalled are other words by which people look for an action.
var alsoCalled = map[string]string{
	"root.help":         "help shortcuts",
	"root.quit":         "exit leave",
	"root.close":        "exit quit",
	"root.signin":       "login log in renew",
	"root.mouse":        "select text",
	"browse.export":     "download save csv excel",
	"browse.reload":     "refresh update",
	"browse.columns":    "settings fields quota size owner",
	"browse.values":     "count group statistics quota size owner",
	"filter.open":       "search find query",
	"search.open":       "find filter",
	"activity.export":   "download save har",
	"check.bundle":      "download save zip",
	"check.again":       "refresh retry",
	"domains.ask":       "reload update",
	"tree.copyall":      "clipboard json",
	"device.ticket":     "clipboard markdown",
	"check.ticket":      "clipboard markdown",
	"token.copywhole":   "clipboard",
	"token.renew":       "refresh",
	"record.tree":       "json raw",
	"device.results":    "history",
	"check.compare":     "diff",
	"device.compare":    "diff",
	"browse.preview":    "pane side",
	"browse.savefilter": "bookmark",
}

// capital begins a text with a capital letter.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

const (
	// signInAgain is the action of screens that do so.
	signInAgain  = "root.signin"
	accountGroup = "Account"
	recentGroup  = "Recent"
)

// accountItems are signing out and in again.
func (m menus) accountItems(again []menu.Entry) []menu.Entry {
	items := []menu.Entry{{Group: accountGroup, Title: "Sign out", Note: "and forget the session", Also: "account logout log out exit", Run: m.signOut}}
	if len(again) == 0 {
		page := m.page()
		again = []menu.Entry{{
			Group: accountGroup, Title: "Sign in again", Note: "refresh the session and the list of domains",
			Run: func() tea.Cmd { return m.SignInAgain(page, "", nil) },
		}}
	}
	return append(items, again...)
}

// themeItems are the built-in themes but the current one.
func (m menus) themeItems() []menu.Entry {
	items := []menu.Entry{}
	for _, name := range styles.Themes() {
		choice, err := styles.Choose(name, nil)
		if err != nil || choice == m.styling.Choice {
			continue
		}
		title := strings.ReplaceAll(name, "-", " ")
		items = append(items, menu.Entry{Group: "Theme", Title: capital(title), Note: "colours, for this run", Also: "theme settings preferences colors", Run: func() tea.Cmd {
			m.styling.Choice = choice
			m.restyle()
			return m.Say("The colours are "+title+" for this run. theme = \""+name+"\" in the config file keeps them.", false)
		}})
	}
	return items
}

// withUsed moves the entries used last to the front.
func (m menus) withUsed(items []menu.Entry) []menu.Entry {
	front := []menu.Entry{}
	for _, title := range m.used[:min(len(m.used), maxUsedShown)] {
		at := slices.IndexFunc(items, func(i menu.Entry) bool { return i.Title == title })
		if at < 0 || items[at].Group == recentGroup {
			continue
		}
		used := items[at]
		used.Group = recentGroup
		front = append(front, used)
		items = slices.Delete(items, at, at+1)
	}
	return append(front, items...)
}

// maxUsedShown is how many entries that were used stand at the front.
const maxUsedShown = 3

// use remembers the title of an entry that was used.
func (p *person) use(title string) {
	p.used = slices.DeleteFunc(p.used, func(old string) bool { return old == title })
	p.used = slices.Insert(p.used, 0, title)
	p.used = p.used[:min(len(p.used), maxRecent)]
}

func (m menus) recentItems() []menu.Entry {
	items := []menu.Entry{}
	for _, v := range m.recent {
		items = append(items, menu.Entry{
			Group: recentGroup, Title: v.title, Note: v.page.panes[v.tab].Title + " of " + hostname.Readable(v.page.domain),
			Run: func() tea.Cmd { return m.revisit(v) },
		})
	}
	return items
}

// screenItems are the tabs of the current domain, else of the last one, else of the
// primary one.
func (m menus) screenItems() []menu.Entry {
	items := []menu.Entry{}
	domain := m.nearestDomain()
	if domain != "" {
		for i, tab := range Tabs() {
			items = append(items, menu.Entry{
				Group: "Go to", Title: tab.Title, Note: safetext.Line(hostname.Readable(domain)), Keys: m.tabKey(tab.ID),
				Run: func() tea.Cmd { return m.goTo(domain, i) },
			})
		}
	}
	if m.domain() != nil || m.checking() {
		items = append(items, menu.Entry{Group: "Go to", Title: m.domains().Title(), Run: m.showDomains})
	}
	return items
}

// tabKey is the key of a tab, if it works now.
func (m menus) tabKey(id string) string {
	if m.domain() == nil || m.typing() {
		return ""
	}
	return m.env.Keys.Key(id)
}

func (m menus) nearestDomain() string {
	if pages := m.domainPages(); len(pages) > 0 {
		return pages[0].domain
	}
	if all := m.service.Session.Status().Claims.AllDomains(); len(all) > 0 {
		return all[0]
	}
	return ""
}

// goTo shows a tab of a domain.
func (m menus) goTo(domain string, tab int) tea.Cmd {
	entered := m.EnterDomain(domain)
	if tab == m.domain().active {
		return entered
	}
	return tea.Batch(entered, m.domain().show(tab))
}

func (m menus) domainItems() []menu.Entry {
	items := []menu.Entry{}
	for _, domain := range m.service.Session.Status().Claims.AllDomains() {
		items = append(items, menu.Entry{
			Group: "Domains", Title: safetext.Line(hostname.Readable(domain)), Run: func() tea.Cmd { return m.EnterDomain(domain) },
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
func (m menus) revisit(v visit) tea.Cmd {
	return tea.Batch(m.EnterDomain(v.page.domain), v.page.show(v.tab), v.open())
}

// checkItems is the entry of the palette that leads there, with the key of the screen.
func (m menus) checkItems() []menu.Entry {
	if m.service == nil || m.modal() {
		return nil
	}
	entry := menu.Entry{Group: "Go to", Title: "Check an address", Note: "why can't someone get in?", Run: func() tea.Cmd { return m.Check("") }}
	for _, a := range m.actions {
		if a.ID == "root.check" {
			entry.Keys, entry.Run = a.ShortKeys(), func() tea.Cmd { return m.perform(a) }
			break
		}
	}
	return []menu.Entry{entry}
}
