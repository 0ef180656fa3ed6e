package ui

import (
	"net/url"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/ui/activity"
	"gatehouse/ui/browse"
	"gatehouse/ui/device"
	"gatehouse/ui/screen"
	"gatehouse/ui/token"
)

// place is the page of a domain that somebody went into: its tabs, each with its
// state.
type place struct {
	domain    string
	tabs      []screen.Screen // the lowest of each stack
	panes     []*screen.Stack
	started   []bool
	active    int
	companies *browse.Companies
}

// tabTitles are the titles of the tabs, in order.
var tabTitles = [...]string{"Shares", "Companies", "Device login", "Token", "Activity"}

func (r *root) newPlace(domain string) *place {
	profile := r.service.Profile
	reseller := profile.ResellerID
	if reseller == "" {
		reseller = r.reseller
	}
	p := &place{domain: domain}
	p.companies = browse.NewCompanies(r.env, r.service, browse.CompaniesOptions{
		Domain: domain, ResellerID: reseller, HasKey: !profile.APIKey.IsEmpty(),
	})
	p.tabs = []screen.Screen{
		browse.NewShares(r.env, r.service, domain),
		p.companies,
		device.New(r.env, device.Options{
			Service: r.service, Username: r.service.Session.Status().Username, Host: hostOf(profile.GlobalURL), History: r.results,
		}),
		token.New(r.env, r.service.Session),
		activity.New(r.env, r.options.Activity, r.options.Version),
	}
	p.started = make([]bool, len(p.tabs))
	for _, tab := range p.tabs {
		pane := new(screen.Stack)
		pane.Restore(tab)
		p.panes = append(p.panes, pane)
	}
	return p
}

// hostOf is the host of an address of the profile, as a person reads it.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return hostname.Readable(u.Host)
}

func (p *place) current() screen.Screen { return p.panes[p.active].Top() }

func (p *place) stacks() []*screen.Stack { return p.panes }

// show brings a tab to the front; its first time begins its work.
func (p *place) show(tab int) tea.Cmd {
	p.active = (tab + len(p.tabs)) % len(p.tabs)
	if p.started[p.active] {
		return nil
	}
	p.started[p.active] = true
	return p.tabs[p.active].Init()
}

// found passes on a reseller's id that a device login brought to light, and
// reports whether there was use for it.
func (p *place) found(resellerID string) bool {
	if !p.companies.Found(resellerID) {
		return false
	}
	p.started[slices.Index(p.tabs, screen.Screen(p.companies))] = false
	return true
}
