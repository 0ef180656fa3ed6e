package ui

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/domains"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// page is one step of the way from the outermost screen to the one that is shown:
// the domains, a place inside one of them, the sign-in form over either. Esc goes
// one step back.
type page interface {
	// current is the screen that the page shows.
	current() screen.Screen
	// screens are all that live in it, shown or not.
	screens() []screen.Screen
}

// single is a page of one screen.
type single struct{ screen.Screen }

func (s single) current() screen.Screen { return s.Screen }

func (s single) screens() []screen.Screen { return []screen.Screen{s.Screen} }

// closePage ends the work of all screens of a page.
func closePage(p page) {
	for _, s := range p.screens() {
		s.Close()
	}
}

// top is the page that is shown, or nil while there is something to wait for.
func (r *root) top() page {
	if len(r.pages) == 0 {
		return nil
	}
	return r.pages[len(r.pages)-1]
}

func (r *root) push(p page) { r.pages = append(r.pages, p) }

// pop takes the page that is shown off the way.
func (r *root) pop() page {
	last := r.top()
	r.pages = r.pages[:len(r.pages)-1]
	return last
}

// current is the screen that is shown, or nil while there is something to wait for.
func (r *root) current() screen.Screen {
	if r.top() == nil {
		return nil
	}
	return r.top().current()
}

// screens are all that are alive, shown or not.
func (r *root) screens() []screen.Screen {
	list := []screen.Screen{}
	for _, p := range r.pages {
		list = append(list, p.screens()...)
	}
	if r.kept != nil {
		list = append(list, r.kept.screens()...)
	}
	return list
}

// signIn is the sign-in form if it is shown, else nil.
func (r *root) signIn() *signin.Model {
	form, _ := r.current().(*signin.Model)
	return form
}

// domains is the list of domains, shown or not; nil before somebody signed in.
func (r *root) domains() *domains.Model {
	for _, p := range r.pages {
		if list, ok := p.current().(*domains.Model); ok {
			return list
		}
	}
	return nil
}

// place is the domain that the person is in, if it is shown.
func (r *root) place() *place {
	inside, _ := r.top().(*place)
	return inside
}

// places are the one that the person is in, shown or not, and the one left last.
func (r *root) places() []*place {
	list := []*place{}
	for _, p := range r.pages {
		if inside, ok := p.(*place); ok {
			list = append(list, inside)
		}
	}
	if r.kept != nil {
		list = append(list, r.kept)
	}
	return list
}

// back leaves the page that is shown. A place is kept as it is, so that coming
// back to it finds everything in order.
func (r *root) back() tea.Cmd {
	switch left := r.pop().(type) {
	case *place:
		r.keepPlace(left)
	default:
		closePage(left)
	}
	return nil
}

// enter goes into a domain, out of the one that the person may be in.
func (r *root) enter(domain string) tea.Cmd {
	r.domains().Remember(domain)
	if inside := r.place(); inside != nil {
		if inside.domain == domain {
			return nil
		}
		r.back()
	}
	if kept := r.kept; kept != nil && kept.domain == domain {
		r.kept = nil
		r.push(kept)
		return nil
	}
	entered := r.newPlace(domain)
	r.push(entered)
	return entered.show(0)
}

// keepPlace keeps the place that was left last, and no other.
func (r *root) keepPlace(p *place) {
	if r.kept != nil {
		r.closePlace(r.kept)
	}
	r.kept = p
}

func (r *root) closePlace(p *place) {
	closePage(p)
	r.recent.forget(p)
}

// closePages ends all screens: what another person saw is not kept.
func (r *root) closePages() {
	for _, s := range r.screens() {
		s.Close()
	}
	r.pages, r.kept, r.recent = nil, nil, recent{}
}
