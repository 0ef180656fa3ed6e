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
	// stacks are those of its parts, shown or not.
	stacks() []*screen.Stack
}

// single is a page of one part.
type single struct{ stack screen.Stack }

func newSingle(s screen.Screen) *single {
	var made single
	made.stack.Restore(s)
	return &made
}

func (s *single) current() screen.Screen { return s.stack.Top() }

func (s *single) stacks() []*screen.Stack { return []*screen.Stack{&s.stack} }

// closePage ends the work of all screens of a page.
func closePage(p page) {
	for _, s := range p.stacks() {
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

func (r *root) pushPage(p page) { r.pages = append(r.pages, p) }

// popPage takes the page that is shown off the way.
func (r *root) popPage() page {
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

// stacks are those of all screens that are alive, shown or not.
func (r *root) stacks() []*screen.Stack {
	list := []*screen.Stack{}
	for _, p := range r.pages {
		list = append(list, p.stacks()...)
	}
	if r.kept != nil {
		list = append(list, r.kept.stacks()...)
	}
	return list
}

// stackOf is the stack that a screen is on, nil where there is none.
func (r *root) stackOf(s screen.Screen) *screen.Stack {
	for _, stack := range r.stacks() {
		if stack.Has(s) {
			return stack
		}
	}
	return nil
}

// Push implements [screen.Root].
func (r *root) Push(over, pushed screen.Screen) tea.Cmd {
	if stack := r.stackOf(over); stack != nil {
		return stack.Push(pushed)
	}
	return nil
}

// Pop implements [screen.Root].
func (r *root) Pop(popped screen.Screen) tea.Cmd {
	if stack := r.stackOf(popped); stack != nil {
		return stack.Pop(popped)
	}
	return nil
}

// signIn is the sign-in form if it is shown, else nil.
func (r *root) signIn() *signin.Model {
	form, _ := r.current().(*signin.Model)
	return form
}

// domains is the list of domains, shown or not; nil before somebody signed in.
func (r *root) domains() *domains.Model {
	for _, p := range r.pages {
		if list, ok := p.stacks()[0].Screens()[0].(*domains.Model); ok {
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
	switch left := r.popPage().(type) {
	case *place:
		r.keepPlace(left)
	default:
		closePage(left)
	}
	return nil
}

// EnterDomain implements [screen.Root]: it goes into a domain, out of the one that the person may be in.
func (r *root) EnterDomain(domain string) tea.Cmd {
	r.domains().Remember(domain)
	if inside := r.place(); inside != nil {
		if inside.domain == domain {
			return nil
		}
		r.back()
	}
	if kept := r.kept; kept != nil && kept.domain == domain {
		r.kept = nil
		r.pushPage(kept)
		return nil
	}
	entered := r.newPlace(domain)
	r.pushPage(entered)
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
	for _, s := range r.stacks() {
		s.Close()
	}
	r.pages, r.kept, r.recent = nil, nil, recent{}
}
