package ui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/check"
	"gatehouse/ui/device"
	"gatehouse/ui/menu"
	"gatehouse/ui/screen"
)

// showHelp shows the help: every key that works here, with the section of the screen first and
// the keys that work everywhere last.
func (r *root) showHelp() tea.Cmd {
	title, sections := "Keys", r.keySections()
	if r.page() != nil {
		shown := r.stack.PageView()
		title = "Keys on " + shown.Title
		if shown.Help != nil {
			afterScreen := min(1, len(sections))
			sections = slices.Insert(sections, afterScreen, shown.Help()...)
		}
	}
	return r.stack.Push(menu.NewHelp(r.env, title, append(sections, r.legend()), r.perform))
}

// keySections are the actions that work here, with a section for each of their groups.
func (r *root) keySections() []screen.HelpSection {
	var groups []*screen.KeyGroup
	actions := map[*screen.KeyGroup][]screen.Action{}
	for a := range screen.ShownActions(r.actions, r.typing()) {
		group := r.env.Keys.GroupOf(a.ID)
		if actions[group] == nil {
			groups = append(groups, group)
		}
		actions[group] = append(actions[group], a)
	}
	everywhere := r.env.Keys.GroupOf(screen.RootHelp)
	if at := slices.Index(groups, everywhere); at >= 0 {
		groups = append(slices.Delete(groups, at, at+1), everywhere)
	}
	var sections []screen.HelpSection
	for _, group := range groups {
		slices.SortStableFunc(actions[group], unavailableLast)
		section := screen.HelpSection{Actions: actions[group]}
		if group != nil {
			section.Title = group.Title
		}
		sections = append(sections, section)
	}
	return sections
}

// unavailableLast sorts actions that cannot be done behind the others.
func unavailableLast(a, b screen.Action) int {
	switch {
	case a.Enabled() == b.Enabled():
		return 0
	case a.Enabled():
		return -1
	}
	return 1
}

// legend is the section of the help that explains the signs for missing values, and the mouse.
func (r *root) legend() screen.HelpSection {
	g := r.env.Theme.Glyphs
	s := screen.HelpSection{Title: "Symbols", Notes: []screen.HelpNote{
		{Typed: g.MissingValue, Text: "the record has no such field"},
		{Typed: g.UnsetValue, Text: "the field is there, but was never set"},
	}}
	if r.env.Clicks {
		s.Notes = append(s.Notes, screen.HelpNote{Text: "Hold shift to select text with the mouse."})
	}
	return s
}

// askToLeave asks whether to quit or to sign out.
func (r *root) askToLeave() tea.Cmd {
	answers := []screen.Answer{{ID: screen.LeaveQuit, Text: r.quitText(), SaysTitle: true, Run: r.quit}}
	if r.signIn() == nil && r.domains() != nil {
		answers = append(answers, screen.Answer{
			ID: screen.LeaveSignOut, Text: "sign out and forget the session", SaysTitle: true, Run: r.signOut,
		})
	}
	stay := screen.Answer{ID: screen.QuestionNo, Title: "stay", Text: "stay here", SaysTitle: true}
	return r.stack.Push(&screen.Question{Env: r.env, Asks: "Leave Gatehouse?", Answers: append(answers, stay)})
}

// hasSession reports whether somebody is signed in, so that quitting does something to a session.
func (r *root) hasSession() bool { return r.service != nil && r.signIn() == nil }

// losesSession reports whether quitting loses the session.
func (r *root) losesSession() bool {
	if !r.hasSession() {
		return false
	}
	status := r.service.Session.Status()
	return status.State != session.SignedOut && status.State != session.Ended && !status.Saved
}

// quitText describes the action that quits, with what becomes of the session.
func (r *root) quitText() string {
	switch {
	case !r.hasSession():
		return "quit"
	case r.service.Session.Status().Saved:
		return "quit; the session stays saved"
	case r.service.Session.CanKeep():
		return "quit and lose this session (not kept for your " + r.keyKind() + ")"
	}
	return "quit and lose this session (kept in memory only)"
}

// notOpened says why the vault could not be opened, and asks how to go on without the session.
func (r *root) notOpened(err error) tea.Cmd {
	with := func(how Opener) func() tea.Cmd { return func() tea.Cmd { return r.open(how) } }
	described := screen.Describe(err)
	return r.stack.Push(&screen.Question{
		Env: r.env, Asks: "The saved session could not be opened", Cells: 72,
		Text: func() screen.Part { return screen.Trouble(r.env.Theme, described) },
		Answers: []screen.Answer{
			{ID: screen.ClosedRetry, Text: "open the saved session again", Run: with(r.options.OpenAgain)},
			{ID: screen.ClosedUnsaved, Text: "sign in without saving the session", Run: with(r.options.OpenUnsaved)},
			{ID: screen.RootBack, Title: "quit", Text: "quit, and keep the saved session", SaysTitle: true, Run: r.quit},
		},
	})
}

// showPalette opens the palette: the menu of all that can be reached from here. It remembers
// which entries are used.
func (r *root) showPalette() tea.Cmd {
	entries := r.entries()
	for i, e := range entries {
		entries[i].Run = func() tea.Cmd {
			isSame := func(used screen.EntryID) bool { return used == e.ID }
			others := slices.DeleteFunc(r.used, isSame)
			r.used = slices.Insert(others, 0, e.ID)
			r.used = r.used[:min(len(r.used), maxUsed)]
			return e.Run()
		}
	}
	return r.stack.Push(menu.NewPalette(r.env, entries))
}

// groups are the groups of the palette in their order. The groups of the page itself stand at "".
var groups = []string{
	recentGroup, "", "On this screen", "Go to", "Domains",
	check.ReportsGroup, device.ResultsGroup, accountGroup, "Theme", "Also here",
}

const (
	accountGroup = "Account"
	recentGroup  = "Recent"
)

// entries are the entries of the palette.
func (r *root) entries() []screen.Entry {
	list := r.actionItems()
	if !r.modal() && !r.signingIn() && r.domains() != nil {
		list = slices.Concat(r.pageItems(), r.screenItems(), r.accountItems(), list)
		for _, domain := range r.service.Session.Status().Claims.AllDomains() {
			list = append(list, screen.Entry{
				ID:    screen.EntryID{Kind: screen.DomainEntry, Name: domain},
				Group: "Domains",
				Title: safetext.Line(hostname.Readable(domain)),
				Run:   func() tea.Cmd { return r.EnterDomain(domain) },
			})
		}
	}
	list = slices.Concat(r.withUsed(list), r.reportItems(), r.resultItems(), r.themeItems())
	order := func(e screen.Entry) int {
		if at := slices.Index(groups, e.Group); at >= 0 {
			return at
		}
		return slices.Index(groups, "")
	}
	slices.SortStableFunc(list, func(a, b screen.Entry) int { return order(a) - order(b) })
	return list
}

// pageItems are the entries that the page adds.
func (r *root) pageItems() []screen.Entry {
	if palette := r.stack.PageView().Palette; palette != nil {
		return palette()
	}
	return nil
}

// actionItems are the entries of the actions that can be done now.
func (r *root) actionItems() []screen.Entry {
	var items []screen.Entry
	keys := map[screen.ActionID]string{} // the keys of each action that work now
	for a := range screen.ShownActions(r.actions, r.typing()) {
		keys[a.ID] = cmp.Or(keys[a.ID], a.KeyNames())
	}
	listed := map[screen.ActionID]bool{screen.RootPalette: true, screen.RootSignIn: true}
	for _, t := range Tabs() { // screenItems has them
		listed[t.ID] = true
	}
	for _, a := range r.actions {
		isListed := listed[a.ID]
		listed[a.ID] = true
		if isListed || !a.Enabled() {
			continue
		}
		entry := screen.Entry{
			ID:    screen.EntryID{Action: a.ID},
			Group: "On this screen",
			Title: screen.Capital(a.Title),
			Note:  screen.If(!a.TitleOnly, a.Description),
			Also:  r.env.Keys.Entry(a.ID).Also,
			Keys:  keys[a.ID],
			Run:   func() tea.Cmd { return r.perform(a) },
		}
		switch {
		case a.ID == screen.RootCheck:
			entry.Group, entry.Title, entry.Note = "Go to", "Check an address", "find out why someone can't get in"
		case a.Quiet:
			entry.Group = "Also here"
		}
		items = append(items, entry)
	}
	return items
}

// accountItems are the entries that sign out, and in again.
func (r *root) accountItems() []screen.Entry {
	items := []screen.Entry{{
		ID:    screen.EntryID{Action: screen.LeaveSignOut},
		Group: accountGroup,
		Title: "Sign out",
		Note:  "forget the session",
		Also:  "account logout log out exit",
		Run:   r.signOut,
	}}
	if at := slices.IndexFunc(r.actions, signsInAgain); at >= 0 {
		again := r.actions[at]
		items = append(items, screen.Entry{
			ID:        screen.EntryID{Action: again.ID},
			Group:     accountGroup,
			Title:     "Sign in again",
			Note:      again.Description,
			SaysTitle: again.SaysTitle,
			Also:      r.env.Keys.Entry(again.ID).Also,
			Keys:      screen.If(!r.typing(), again.KeyNames()),
			Run:       func() tea.Cmd { return r.perform(again) },
		})
	}
	return items
}

// signsInAgain reports whether an action signs in again and can be done.
func signsInAgain(a screen.Action) bool { return a.ID == screen.RootSignIn && a.Enabled() }

// themeItems are the entries of the built-in themes, without the current one.
func (r *root) themeItems() []screen.Entry {
	items := []screen.Entry{}
	for _, name := range styles.Themes() {
		choice, err := styles.Choose(name, nil)
		if err != nil || choice == r.styling.Choice {
			continue
		}
		title := strings.ReplaceAll(name, "-", " ")
		items = append(items, screen.Entry{
			ID:    screen.EntryID{Kind: screen.ThemeEntry, Name: name},
			Group: "Theme",
			Title: screen.Capital(title),
			Note:  "until you quit",
			Also:  "theme settings preferences colors",
			Run: func() tea.Cmd {
				r.styling.Choice = choice
				r.restyle()
				return r.Say(r.themed(name, title), false)
			},
		})
	}
	return items
}

// withUsed moves the entries that were used last to the front.
func (r *root) withUsed(items []screen.Entry) []screen.Entry {
	front := []screen.Entry{}
	for _, id := range r.used[:min(len(r.used), maxUsedShown)] {
		at := slices.IndexFunc(items, func(e screen.Entry) bool { return e.ID == id })
		if at < 0 {
			continue
		}
		used := items[at]
		used.Group = recentGroup
		front = append(front, used)
		items = slices.Delete(items, at, at+1)
	}
	return append(front, items...)
}

const (
	maxUsed      = 20 // how many used entries are remembered
	maxUsedShown = 3  // how many of them come first
)

// reportItems are the entries of the reports of this run.
func (r *root) reportItems() []screen.Entry {
	if r.service == nil || r.modal() {
		return nil
	}
	open := openScreen[*check.Model](&r.screens)
	return check.Entries(r.env, r.checkOptions(), open, func(shown *check.Model) tea.Cmd {
		r.closeOverlays()
		return r.stack.Push(shown)
	})
}

// resultItems are the entries of the results of device logins in this run. Each opens in the tab
// Device.
func (r *root) resultItems() []screen.Entry {
	if r.modal() || r.signingIn() || r.domains() == nil {
		return nil
	}
	domain := r.nearestDomain()
	if domain == "" {
		return nil
	}
	return device.Entries(r.env, r.results, func(open func(*device.Model) tea.Cmd) tea.Cmd {
		return tea.Batch(r.EnterDomain(domain), r.domain().showDevice(open))
	})
}

// nearestDomain is the domain that is open, or was last, or else the primary one; "" if there is
// none.
func (r *root) nearestDomain() string {
	if pages := r.domainPages(); len(pages) > 0 {
		return pages[0].domain
	}
	if all := r.service.Session.Status().Claims.AllDomains(); len(all) > 0 {
		return all[0]
	}
	return ""
}

// screenItems are the entries of the tabs of the nearest domain, and of the list of domains.
func (r *root) screenItems() []screen.Entry {
	items, domain := []screen.Entry{}, r.nearestDomain()
	if domain != "" {
		keysWork := r.domain() != nil && !r.typing()
		for i, tab := range Tabs() {
			items = append(items, screen.Entry{
				ID:    screen.EntryID{Action: tab.ID},
				Group: "Go to",
				Title: tab.Title,
				Note:  safetext.Line(hostname.Readable(domain)),
				Keys:  screen.If(keysWork, r.env.Keys.Key(tab.ID)),
				Run: func() tea.Cmd {
					return tea.Batch(r.EnterDomain(domain), r.domain().show(i))
				},
			})
		}
	}
	if r.domain() != nil || openScreen[*check.Model](&r.screens) != nil {
		items = append(items, screen.Entry{
			ID:    screen.EntryID{Kind: screen.DomainsEntry},
			Group: "Go to",
			Title: r.domains().View().Title,
			Run:   r.goToDomains,
		})
	}
	return items
}

// goToDomains goes back to the list of domains.
func (r *root) goToDomains() tea.Cmd {
	r.closeCheck()
	if r.domain() == nil {
		return nil
	}
	return r.leaveDomain()
}

// themed says how long a theme lasts, and that it does not suit the background of the terminal if
// that is so.
func (r *root) themed(name, title string) string {
	text := screen.Capital(title) + " theme until you quit"
	switch {
	case name == styles.Light && !r.styling.Light:
		text += "; the background of this terminal is dark, so some of it is hard to read"
	case name == styles.Dark && r.styling.Light:
		text += "; the background of this terminal is light, so some of it is hard to read"
	}
	return text + ". To keep it, put theme = \"" + name + "\" in the profile file."
}
