package ui

import (
	"iter"
	"net/url"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
	"gatehouse/ui/activity"
	"gatehouse/ui/browse"
	"gatehouse/ui/device"
	"gatehouse/ui/screen"
	"gatehouse/ui/token"
)

// domainPage is the screen of one domain. Each tab is a pane with its own stack, so that
// what is open there is still open on return.
type domainPage struct {
	screen.Base
	root   *root
	domain string
	panes  []*pane
	active int
}

// pane is a tab with the stack of the screens that are open in it.
type pane struct {
	Tab
	screen.Stack
	tab     tab  // zero until the pane is opened
	started bool // the screen was initialised
}

// tab is the screen of a tab, with what only some tabs have.
type tab struct {
	screen.Screen
	// companies makes the screen that shows the companies of a reseller, or one company if there
	// is an id; nil if the tab shows no companies.
	companies func(resellerID, companyID string) screen.Screen
	// companyName is the name of the company with an id, "" if it is not listed; nil if the tab
	// lists no companies.
	companyName func(id string) string
	// deviceForm is the form of a device login, over which its results open; nil if the tab has none.
	deviceForm *device.Model
	// actions are the actions of the tab while top is open over its screen; nil if there are none.
	actions func(top screen.Screen) []screen.Action
	// list is the list of records whose place is kept; nil if the tab has none.
	list placedList
}

func (r *root) newDomainPage(domain string) *domainPage {
	p := &domainPage{root: r, domain: domain}
	for _, tab := range Tabs() {
		p.panes = append(p.panes, &pane{Tab: tab})
	}
	return p
}

// opened returns a pane with its screen. The screen is made when it is first needed, as few people
// open all tabs.
func (p *domainPage) opened(tab int) *pane {
	opened := p.panes[tab]
	if len(opened.Screens()) == 0 {
		opened.tab = opened.open(p.root, p.domain)
		opened.Restore(opened.tab.Screen)
	}
	return opened
}

func (p *domainPage) pane() *pane { return p.opened(p.active) }

// show makes a tab active. The first time it initialises the screen of the tab; later the screen
// tries again what has failed. The number of the tab may be one beyond either end, and wraps
// around.
func (p *domainPage) show(tab int) tea.Cmd {
	p.active = (tab + len(p.panes)) % len(p.panes)
	if p.pane().started {
		return p.pane().Page().Retry()
	}
	p.pane().started = true
	return p.pane().Screens()[0].Init()
}

// tabTitles are the titles of the tabs, for a line of width cells. If there is no room for all,
// only the active tab has a title, and those of the others are "".
func (p *domainPage) tabTitles(width int) []string {
	const spaces = 4 // between the key and the title, and before the next tab
	titles, room := make([]string, len(p.panes)), width
	for i, pane := range p.panes {
		titles[i] = pane.Tab.Title
		room -= safetext.Width(p.root.env.Keys.Key(pane.ID)+titles[i]) + spaces
	}
	if room < 0 {
		clear(titles)
		titles[p.active] = p.pane().Tab.Title
	}
	return titles
}

// showCompanies shows the companies of a reseller, or one of them, over the screens of the active
// tab.
func (p *domainPage) showCompanies(resellerID, companyID string) tea.Cmd {
	for tab := range p.panes {
		if companies := p.opened(tab).tab.companies; companies != nil {
			return p.pane().Push(companies(resellerID, companyID))
		}
	}
	return nil
}

// showDevice shows the tab Device login, and opens a screen over its form.
func (p *domainPage) showDevice(open func(form *device.Model) tea.Cmd) tea.Cmd {
	for tab := range p.panes {
		if form := p.opened(tab).tab.deviceForm; form != nil {
			return tea.Batch(p.show(tab), open(form))
		}
	}
	return nil
}

// companyName is the name of the company with an id; "" if the companies were not listed yet.
func (p *domainPage) companyName(id string) string {
	for _, pane := range p.panes {
		if pane.tab.companyName != nil {
			return pane.tab.companyName(id)
		}
	}
	return ""
}

func (p *domainPage) Init() tea.Cmd { return p.show(p.active) }

func (p *domainPage) Update(msg tea.Msg) tea.Cmd { return p.pane().Top().Update(msg) }

func (p *domainPage) Actions() []screen.Action {
	show := func(tab int) func() tea.Cmd { return func() tea.Cmd { return p.show(tab) } }
	top := p.pane().Top()
	list := p.pane().Stack.Actions()
	if p.asks() {
		return list
	}
	if tab := p.pane().tab; tab.actions != nil && top != tab.Screen {
		list = append(list, tab.actions(top)...)
	}
	for i, pane := range p.panes {
		list = append(list, screen.Action{ID: pane.ID, Run: show(i)})
	}
	list = append(list,
		screen.Action{ID: screen.RootNext, Run: show(p.active + 1)},
		screen.Action{ID: screen.RootPrevious, Run: show(p.active - 1)},
	)
	if len(p.pane().Screens()) == 1 {
		list = append(list, screen.Action{
			ID:          screen.RootBack,
			Description: "go back to the list of domains",
			Run:         func() tea.Cmd { return p.root.env.Root.Pop(p) },
		})
	}
	return list
}

// asks reports whether a box is open, which has to be closed before another tab can be shown.
func (p *domainPage) asks() bool { return p.pane().Covers() }

// paletteEntries are the entries that the screens of all tabs add to the palette. Each shows its
// tab first.
func (p *domainPage) paletteEntries() (entries []screen.Entry) {
	for tab := range p.panes {
		palette := p.opened(tab).Views()[0].Palette
		if palette == nil {
			continue
		}
		for _, e := range palette() {
			run := e.Run
			e.Run = func() tea.Cmd { return tea.Batch(p.show(tab), run()) }
			entries = append(entries, e)
		}
	}
	return entries
}

// Settle implements [screen.Screen].
func (p *domainPage) Settle(room screen.Room) {
	p.pane().Layout(p.root.env.Theme, room.Width, room.Height)
}

// View implements [screen.Screen]: the screens of the tab that is shown, with their frames.
func (p *domainPage) View() screen.View {
	pane := p.pane()
	return screen.View{
		Title:   pane.Tab.Title,
		Inside:  p.inside,
		Body:    tabPart{pane},
		Wheel:   pane.Wheel,
		Typing:  pane.TopView().Typing,
		Palette: p.paletteEntries,
		Help:    p.help,
	}
}

// help is the help of the page in the active tab.
func (p *domainPage) help() []screen.HelpSection {
	if help := p.pane().PageView().Help; help != nil {
		return help()
	}
	return nil
}

// tabPart draws the screens of a tab as they were laid out last.
type tabPart struct{ *pane }

// Draw implements [screen.Part].
func (p tabPart) Draw(width, height int) screen.Drawing {
	spots := []screen.Spot{{Width: width, Height: height, Click: p.Click}}
	if x, y, typing := p.Caret(); typing {
		spots = append(spots, screen.CaretAt(x, y))
	}
	lines := strings.Split(p.Frame(), "\n")
	return screen.Drawing{
		Lines: lines,
		Spots: spots,
		Exact: len(lines) == height && p.IsLaidOut(width, height),
	}
}

// Say implements [screen.Part].
func (p tabPart) Say() iter.Seq[string] { return screen.Said(p.Top()) }

func (p *domainPage) Rest() {
	for _, pane := range p.panes {
		pane.Rest()
	}
}

func (p *domainPage) Close() {
	for _, pane := range p.panes {
		pane.Close()
	}
}

// inside are the titles of the screens that are open in the active tab, without that of the tab.
func (p *domainPage) inside() []string {
	names, last := []string{}, p.pane().Tab.Title
	for i, shown := range p.pane().Views() {
		if i > 0 && shown.Title != "" && shown.Title != last {
			names, last = append(names, shown.Title), shown.Title
		}
		names = append(names, shown.Names()[1:]...)
	}
	return names
}

// Tab is one of the tabs of a domain.
type Tab struct {
	screen.KeyEntry // the action that shows the tab, whose title is that of the tab
	open            func(r *root, domain string) tab
}

// Tabs lists the tabs from left to right, at most [screen.MaxTabs]. Everything that shows tabs
// follows from this list: their keys, their names in the config file, and their entries in the
// palette and in docs/keys.md.
func Tabs() []Tab {
	var tabs []Tab
	add := func(title string, open func(r *root, domain string) tab) {
		tabs = append(tabs, Tab{screen.TabEntry(len(tabs), title), open})
	}
	add("Shares", openShares)
	add("Companies", openCompanies)
	add("Device login", openDevice)
	add("Token", openToken)
	add("Activity", openActivity)
	return tabs
}

func openShares(r *root, domain string) tab {
	shares := browse.NewShares(r.env, r.service, domain)
	return tab{Screen: shares, list: shares}
}

func openCompanies(r *root, domain string) tab {
	profile := r.service.Profile
	companies := browse.NewCompanies(r.env, r.service, browse.CompaniesOptions{
		Domain: domain, ResellerID: profile.ResellerID, HasKey: !profile.APIKey.IsEmpty(),
	})
	return tab{
		Screen:      companies,
		companies:   companies.Linked,
		companyName: companies.NameOf,
		actions:     companies.TabActions,
		list:        companies,
	}
}

func openDevice(r *root, _ string) tab {
	host := ""
	if u, err := url.Parse(r.service.Profile.GlobalURL); err == nil {
		host = hostname.Readable(u.Host)
	}
	form := device.New(r.env, device.Options{
		Service:  r.service,
		Username: r.service.Session.Status().Username,
		Host:     host,
		History:  r.results,
		Complete: func(typed string) string { return session.Complete(typed, r.options.Tips) },
	})
	return tab{Screen: form, deviceForm: form}
}

func openToken(r *root, _ string) tab {
	return tab{Screen: token.New(r.env, r.service.Session, r.options.Key)}
}

func openActivity(r *root, _ string) tab {
	return tab{Screen: activity.New(r.env, r.options.Activity, r.options.Version)}
}

// KeyMap has the keys and texts of all actions.
type KeyMap = screen.KeyMap

// Keys is the default key map, which all UIs of a process share.
func Keys() *KeyMap { return defaultKeys() }

var defaultKeys = sync.OnceValue(func() *KeyMap {
	var tabs []screen.KeyEntry
	for _, t := range Tabs() {
		tabs = append(tabs, t.KeyEntry)
	}
	return screen.DefaultKeys(tabs...)
})
