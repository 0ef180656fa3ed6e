package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/activity"
	"gatehouse/ui/companies"
	"gatehouse/ui/device"
	"gatehouse/ui/screen"
	"gatehouse/ui/shares"
	"gatehouse/ui/token"
)

// place is a domain that somebody went into: its tabs, each with its state.
type place struct {
	domain    string
	tabs      []screen.Screen
	started   []bool
	active    int
	companies *companies.Model
}

// enter goes into a domain. The place that was left last is kept as it was, so
// that coming back to it finds everything in order.
func (r *root) enter(domain string) tea.Cmd {
	r.inside = true
	if r.place != nil && r.place.domain == domain {
		return nil
	}
	r.leavePlace()
	r.place = r.newPlace(domain)
	return r.place.show(0)
}

func (r *root) newPlace(domain string) *place {
	profile := r.service.Profile
	reseller := profile.ResellerID
	if reseller == "" {
		reseller = r.reseller
	}
	p := &place{domain: domain}
	p.companies = companies.New(r.env, r.service, companies.Options{
		Domain: domain, ResellerID: reseller, HasKey: !profile.APIKey.IsEmpty(),
	})
	p.tabs = []screen.Screen{
		shares.New(r.env, r.service, domain),
		p.companies,
		device.New(r.env, r.service, r.service.Session.Status().Username),
		token.New(r.env, r.service.Session),
		activity.New(r.env, r.options.Activity),
	}
	p.started = make([]bool, len(p.tabs))
	return p
}

// leavePlace ends the work of the place that was gone into last.
func (r *root) leavePlace() {
	if r.place == nil {
		return
	}
	for _, tab := range r.place.tabs {
		tab.Close()
	}
	r.place = nil
}

func (p *place) current() screen.Screen { return p.tabs[p.active] }

// show brings a tab to the front; its first time begins its work.
func (p *place) show(tab int) tea.Cmd {
	p.active = (tab + len(p.tabs)) % len(p.tabs)
	if p.started[p.active] {
		return nil
	}
	p.started[p.active] = true
	return p.current().Init()
}

// found passes on a reseller's id that a device login brought to light, and
// reports whether there was use for it.
func (p *place) found(resellerID string) bool {
	if p == nil || !p.companies.Found(resellerID) {
		return false
	}
	p.started[slices.Index(p.tabs, screen.Screen(p.companies))] = false
	return true
}
