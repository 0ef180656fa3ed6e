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
func (r *root) showPalette() tea.Cmd {
	entries := reach{r}.entries()
	for i, e := range entries {
		entries[i].Run = func() tea.Cmd {
			r.use(e.Title)
			return e.Run()
		}
	}
	return r.stack.Push(menu.NewPalette(r.env, entries, r.used))
}

// reach lists what can be reached from where a person is.
type reach struct{ *root }

// entries are those of the palette: what was used or opened recently, actions,
// screens, domains, the account, themes, and last the quiet actions.
func (r reach) entries() []menu.Entry {
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
func (r reach) pageItems() []menu.Entry {
	var items []menu.Entry
	if provider, ok := r.page().(screen.PaletteProvider); ok {
		for _, e := range provider.PaletteEntries() {
			items = append(items, menu.Entry{Group: e.Group, Title: e.Title, Note: e.Note, Run: e.Run})
		}
	}
	return items
}

// actionItems are the actions that can be done now; account are those to sign in again,
// quiet those that the footer does not show.
func (r reach) actionItems() (main, account, quiet []menu.Entry) {
	listed := map[string]bool{"root.palette": true, "root.check": true}
	for _, t := range Tabs() { // they are listed as screens
		listed[t.ID] = true
	}
	for _, a := range r.actions {
		again := listed[a.ID]
		listed[a.ID] = true
		if again || !a.Enabled() {
			continue
		}
		entry := menu.Entry{Group: "On this screen", Title: capital(a.Title), Note: a.Description, Also: alsoCalled[a.ID], Keys: a.ShortKeys(), Run: func() tea.Cmd { return r.perform(a) }}
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
func (r reach) accountItems(again []menu.Entry) []menu.Entry {
	items := []menu.Entry{{Group: accountGroup, Title: "Sign out", Note: "and forget the session", Also: "logout log out exit", Run: r.signOut}}
	if len(again) == 0 {
		page := r.page()
		again = []menu.Entry{{
			Group: accountGroup, Title: "Sign in again", Note: "refresh the session and the list of domains",
			Run: func() tea.Cmd { return r.SignInAgain(page, "", nil) },
		}}
	}
	return append(items, again...)
}

// themeItems are the built-in themes but the current one.
func (r reach) themeItems() []menu.Entry {
	items := []menu.Entry{}
	for _, name := range styles.Themes() {
		choice, err := styles.Choose(name, nil)
		if err != nil || choice == r.styling.Choice {
			continue
		}
		title := strings.ReplaceAll(name, "-", " ")
		items = append(items, menu.Entry{Group: "Theme", Title: capital(title), Note: "colours, for this run", Also: "settings preferences colors", Run: func() tea.Cmd {
			r.styling.Choice = choice
			r.restyle()
			return r.Say("The colours are "+title+" for this run. theme = \""+name+"\" in the config file keeps them.", false)
		}})
	}
	return items
}

// withUsed moves the entries used last to the front.
func (r reach) withUsed(items []menu.Entry) []menu.Entry {
	front := []menu.Entry{}
	for _, title := range r.used[:min(len(r.used), maxUsedShown)] {
		at := slices.IndexFunc(items, func(i menu.Entry) bool { return i.Title == title })
		if at < 0 || items[at].Group == recentGroup {
			continue
		}
		used := items[at]
		used.Home, used.Group = used.Group, recentGroup
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

func (r reach) recentItems() []menu.Entry {
	items := []menu.Entry{}
	for _, v := range r.recent {
		items = append(items, menu.Entry{
			Group: recentGroup, Title: v.title, Note: v.page.panes[v.tab].Title + " of " + hostname.Readable(v.page.domain),
			Run: func() tea.Cmd { return r.revisit(v) },
		})
	}
	return items
}

// screenItems are the tabs of the current domain, else of the last one, else of the
// primary one.
func (r reach) screenItems() []menu.Entry {
	items := []menu.Entry{}
	domain := r.nearestDomain()
	if domain != "" {
		for i, tab := range Tabs() {
			items = append(items, menu.Entry{
				Group: "Go to", Title: tab.Title, Note: safetext.Line(hostname.Readable(domain)), Keys: r.tabKey(tab.ID),
				Run: func() tea.Cmd { return r.goTo(domain, i) },
			})
		}
	}
	if r.domain() != nil || r.checking() {
		items = append(items, menu.Entry{Group: "Go to", Title: r.domains().Title(), Run: r.showDomains})
	}
	return items
}

// tabKey is the key of a tab, if it works now.
func (r reach) tabKey(id string) string {
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

func (r reach) domainItems() []menu.Entry {
	items := []menu.Entry{}
	for _, domain := range r.service.Session.Status().Claims.AllDomains() {
		items = append(items, menu.Entry{
			Group: "Domains", Title: safetext.Line(hostname.Readable(domain)), Run: func() tea.Cmd { return r.EnterDomain(domain) },
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

// checkItems is the entry of the palette that leads there, with the key of the screen.
func (r reach) checkItems() []menu.Entry {
	if r.service == nil || r.modal() {
		return nil
	}
	entry := menu.Entry{Group: "Go to", Title: "Check an address", Note: "why can't someone get in?", Run: func() tea.Cmd { return r.Check("") }}
	for _, a := range r.actions {
		if a.ID == "root.check" {
			entry.Keys, entry.Run = a.ShortKeys(), func() tea.Cmd { return r.perform(a) }
			break
		}
	}
	return []menu.Entry{entry}
}
