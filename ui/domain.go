package ui

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// domainPage is the screen of one domain. Each tab is a pane with its own stack, so that
// what is open there is still open on return.
type domainPage struct {
	domain string
	panes  []*pane
	active int
}

// pane is a tab and what is open in it.
type pane struct {
	Tab
	screen.Stack
	started bool
}

func (r *root) newDomainPage(domain string) *domainPage {
	p := &domainPage{domain: domain}
	for _, tab := range Tabs() {
		opened := &pane{Tab: tab}
		opened.Restore(tab.open(r, domain))
		p.panes = append(p.panes, opened)
	}
	return p
}

func (p *domainPage) pane() *pane { return p.panes[p.active] }

// show makes a tab active; the first time it initialises its screen.
func (p *domainPage) show(tab int) tea.Cmd {
	p.active = (tab + len(p.panes)) % len(p.panes)
	if p.pane().started {
		return nil
	}
	p.pane().started = true
	return p.pane().Screens()[0].Init()
}

// setReseller passes a reseller's id on to the tabs that need one, and reports whether
// any did. Such a tab is initialised again.
func (p *domainPage) setReseller(resellerID string) (used bool) {
	for _, pane := range p.panes {
		if taker, ok := pane.Screens()[0].(interface{ Found(resellerID string) bool }); ok && taker.Found(resellerID) {
			pane.started, used = false, true
		}
	}
	return used
}

// Title implements [screen.Screen].
func (p *domainPage) Title() string { return p.pane().Tab.Title }

// Init implements [screen.Screen].
func (p *domainPage) Init() tea.Cmd { return p.show(0) }

// Update implements [screen.Screen].
func (p *domainPage) Update(msg tea.Msg) tea.Cmd { return p.pane().Top().Update(msg) }

// Actions implements [screen.Screen].
func (p *domainPage) Actions() []screen.Action {
	show := func(tab int) func() tea.Cmd { return func() tea.Cmd { return p.show(tab) } }
	list := p.pane().Top().Actions()
	for i, pane := range p.panes {
		list = append(list, screen.Action{ID: pane.ID, Run: show(i)})
	}
	return append(list,
		screen.Action{ID: "root.next", Run: show(p.active + 1)},
		screen.Action{ID: "root.previous", Run: show(p.active - 1)},
	)
}

// Typing implements [screen.Screen].
func (p *domainPage) Typing() bool { return p.pane().Top().Typing() }

// Layout implements [screen.Screen].
func (p *domainPage) Layout(width, height int) { p.pane().Layout(width, height) }

// View implements [screen.Screen].
func (p *domainPage) View() string { return p.pane().Top().View() }

// Close implements [screen.Screen].
func (p *domainPage) Close() {
	for _, pane := range p.panes {
		pane.Close()
	}
}

// Click implements [screen.MouseHandler].
func (p *domainPage) Click(x, y int) tea.Cmd { return click(p.pane().Top(), x, y) }

// Wheel implements [screen.MouseHandler].
func (p *domainPage) Wheel(x, y, lines int) tea.Cmd { return wheel(p.pane().Top(), x, y, lines) }

// Breadcrumbs implements [screen.Breadcrumbs].
func (p *domainPage) Breadcrumbs() []string {
	var names []string
	for i, s := range p.pane().Screens() {
		if _, overlay := s.(screen.Overlay); i > 0 && !overlay {
			names = append(names, s.Title())
		}
		if open, ok := s.(screen.Breadcrumbs); ok {
			names = append(names, open.Breadcrumbs()...)
		}
	}
	return names
}

// Help implements [screen.HelpProvider].
func (p *domainPage) Help() []string {
	var lines []string
	for _, s := range p.pane().Screens() {
		if provider, ok := s.(screen.HelpProvider); ok {
			lines = append(lines, provider.Help()...)
		}
	}
	return lines
}
