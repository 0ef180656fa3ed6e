package ui

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

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
	}
	r.kept, _ = r.stack.Take().(*domainPage)
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
