package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/domains"
	"gatehouse/ui/menu"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// page is the uppermost screen that is not an overlay, nil if there is none.
func (r *root) page() screen.Screen { return r.stack.Page() }

// innermost is the page, or the page of its active tab.
func (r *root) innermost() screen.Screen {
	if inside := r.domain(); inside != nil {
		return inside.pane().Page()
	}
	return r.page()
}

// modal reports whether what is uppermost has to be answered or closed first.
func (r *root) modal() bool {
	switch top := r.stack.Top().(type) {
	case *menu.Menu:
		return top.Typing()
	case *menu.Help, *screen.Question:
		return true
	}
	return false
}

// signIn is the sign-in form if it is shown, else nil.
func (r *root) signIn() *signin.Model {
	form, _ := r.page().(*signin.Model)
	return form
}

// signingIn reports whether a sign-in form is open, shown or not.
func (r *root) signingIn() bool {
	return slices.ContainsFunc(r.stack.Screens(), func(s screen.Screen) bool {
		_, is := s.(*signin.Model)
		return is
	})
}

// domain is the page of the current domain if it is shown, else nil.
func (r *root) domain() *domainPage {
	inside, _ := r.page().(*domainPage)
	return inside
}

// domains is the list of domains, shown or not; nil before signing in.
func (r *root) domains() *domains.Model {
	for _, s := range r.stack.Screens() {
		if list, ok := s.(*domains.Model); ok {
			return list
		}
	}
	return nil
}

// domainPages are the current domain, shown or not, and the one left last.
func (r *root) domainPages() []*domainPage {
	list := []*domainPage{}
	for _, s := range r.stack.Screens() {
		if inside, ok := s.(*domainPage); ok {
			list = append(list, inside)
		}
	}
	if r.kept != nil {
		list = append(list, r.kept)
	}
	return list
}

// stackOf is the stack that a screen is on, shown or not; nil if there is none.
func (r *root) stackOf(s screen.Screen) *screen.Stack {
	if r.stack.Has(s) {
		return &r.stack
	}
	for _, p := range r.domainPages() {
		for _, pane := range p.panes {
			if pane.Has(s) {
				return &pane.Stack
			}
		}
	}
	return nil
}

func (r *root) Push(over, pushed screen.Screen) tea.Cmd {
	if stack := r.stackOf(over); stack != nil {
		return stack.Push(pushed)
	}
	return nil
}

// Pop implements [screen.Root]. With the screen of a tab the domain is left, and kept.
func (r *root) Pop(popped screen.Screen) tea.Cmd {
	if inside := r.domain(); inside != nil && (popped == inside || popped == inside.pane().Screens()[0]) {
		return r.leaveDomain()
	}
	if stack := r.stackOf(popped); stack != nil {
		stack.Pop(popped)
	}
	return nil
}

// EnterDomain implements [screen.Root]: it leaves the current domain, if any. The domain
// left last is restored as it was.
func (r *root) EnterDomain(domain string) tea.Cmd {
	r.closeCheck()
	r.domains().Remember(domain)
	if inside := r.domain(); inside != nil {
		if inside.domain == domain {
			return nil
		}
		r.leaveDomain()
	}
	if kept := r.kept; kept != nil && kept.domain == domain {
		r.kept = nil
		r.stack.Restore(kept)
		return nil
	}
	return r.stack.Push(r.newDomainPage(domain))
}

// leaveDomain goes back to the list of domains, and keeps the page that is left; the one
// kept before is closed.
func (r *root) leaveDomain() tea.Cmd {
	r.closeOverlays()
	if r.kept != nil {
		r.kept.Close()
		r.recent = slices.DeleteFunc(r.recent, func(v visit) bool { return v.page == r.kept })
	}
	r.kept, _ = r.stack.Take().(*domainPage)
	r.keptAt = string(r.placeIn(nil).encode())
	return nil
}

// showDomains goes back to the list of domains from wherever the person is.
func (r *root) showDomains() tea.Cmd {
	r.closeCheck()
	if r.domain() == nil {
		return nil
	}
	return r.leaveDomain()
}

// closeOverlays removes everything above the page.
func (r *root) closeOverlays() {
	for r.stack.Top() != r.page() {
		r.stack.Pop(r.stack.Top())
	}
}

// closeScreens closes all screens.
func (r *root) closeScreens() {
	r.stack.Close()
	if r.kept != nil {
		r.kept.Close()
	}
}

func (r *root) ShowCompanies(resellerID, companyID string) tea.Cmd {
	if inside := r.domain(); inside != nil {
		return inside.showCompanies(resellerID, companyID)
	}
	return nil
}

// FoundReseller implements [screen.Root]: it passes a reseller's id on to the lists of
// companies that lack one.
func (r *root) FoundReseller(id string) tea.Cmd {
	r.reseller = id
	used := false
	for _, p := range r.domainPages() {
		used = p.setReseller(id) || used
	}
	if !used {
		return nil
	}
	return r.Say("Open the Companies tab to see the companies of this reseller.", false)
}
