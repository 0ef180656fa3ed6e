package ui

import (
	"io"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	engine "gatehouse/internal/desk/check"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/check"
	"gatehouse/ui/domains"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// screens are all the screens that are open.
type screens struct {
	// stack has, from the bottom, the list of domains, the current domain, the sign-in
	// form over either, and overlays. It is empty while the session is being opened or
	// closed.
	stack screen.Stack
	kept  *domainPage // the domain left last; nil: none
}

// openScreen is the screen of a type, shown or not; nil if there is none.
func openScreen[T screen.Screen](s *screens) (found T) {
	for _, shown := range s.stack.Screens() {
		if shown, ok := shown.(T); ok {
			return shown
		}
	}
	return found
}

// domains is the list of domains, shown or not; nil before signing in.
func (s *screens) domains() *domains.Model { return openScreen[*domains.Model](s) }

// openDomain is the page of the current domain, whatever lies over it; nil: there is none.
func (s *screens) openDomain() *domainPage { return openScreen[*domainPage](s) }

// signingIn reports whether a sign-in form is open, shown or not.
func (s *screens) signingIn() bool { return openScreen[*signin.Model](s) != nil }

// closeCheck closes the check that is open, and what is over it.
func (s *screens) closeCheck() { s.stack.Pop(openScreen[*check.Model](s)) }

func (s *screens) closeSignIn() { s.stack.Pop(s.signIn()) }

// close closes all screens.
func (s *screens) close() {
	s.stack.Close()
	if s.kept != nil {
		s.kept.Close()
	}
	s.kept = nil
}

// rest makes all screens drop what they have drawn.
func (s *screens) rest() {
	s.stack.Rest()
	if s.kept != nil {
		s.kept.Rest()
	}
}

// page is the uppermost screen that is not an overlay, nil if there is none.
func (s *screens) page() screen.Screen { return s.stack.Page() }

// names are the title of the page and of what is open inside it.
func (s *screens) names() []string {
	if s.page() == nil {
		return nil
	}
	shown := s.stack.PageView()
	return shown.Names()
}

// innermost is the page, or the page of its active tab.
func (s *screens) innermost() screen.Screen {
	return s.innermostStack().Page()
}

// shows reports whether a screen is shown, or below what is open in its tab.
func (s *screens) shows(of screen.Screen) bool {
	if inside := s.domain(); inside != nil {
		return inside.pane().Has(of)
	}
	return of == s.page()
}

// modal reports whether what is uppermost has to be answered or closed first.
func (s *screens) modal() bool { return s.stack.TopView().Modal }

// signIn is the sign-in form if it is shown, else nil.
func (s *screens) signIn() *signin.Model {
	form, _ := s.page().(*signin.Model)
	return form
}

// domain is the page of the current domain if it is shown, else nil.
func (s *screens) domain() *domainPage {
	inside, _ := s.page().(*domainPage)
	return inside
}

// domainPages are the current domain, shown or not, and the one left last.
func (s *screens) domainPages() []*domainPage {
	return slices.DeleteFunc([]*domainPage{s.openDomain(), s.kept}, func(p *domainPage) bool { return p == nil })
}

// stackOf is the stack that a screen is on, shown or not; nil if there is none.
func (s *screens) stackOf(of screen.Screen) *screen.Stack {
	if s.stack.Has(of) {
		return &s.stack
	}
	for _, p := range s.domainPages() {
		for _, pane := range p.panes {
			if pane.Has(of) {
				return &pane.Stack
			}
		}
	}
	return nil
}

func (s *screens) Push(over, pushed screen.Screen) tea.Cmd {
	if stack := s.stackOf(over); stack != nil {
		return stack.Push(pushed)
	}
	return nil
}

// closeOverlays removes everything above the page.
func (s *screens) closeOverlays() {
	for s.stack.Top() != s.page() {
		s.stack.Pop(s.stack.Top())
	}
}

func (s *screens) ShowCompanies(resellerID, companyID string) tea.Cmd {
	if inside := s.domain(); inside != nil {
		return inside.showCompanies(resellerID, companyID)
	}
	return nil
}

// CompanyName implements [screen.Root].
func (s *screens) CompanyName(id string) string {
	if inside := s.domain(); inside != nil {
		return inside.companyName(id)
	}
	return ""
}

// pass passes a message to the uppermost screen.
func (s *screens) pass(msg tea.Msg) tea.Cmd {
	if top := s.stack.Top(); top != nil {
		return top.Update(msg)
	}
	return nil
}

// typing reports whether keys are text.
func (s *screens) typing() bool { return s.stack.TopView().Typing }

// work is how far the long work of the current screen is.
func (s *screens) work() (p screen.Progress) {
	for _, shown := range slices.Backward(s.innermostStack().Views()) {
		if p = shown.Progress; p.Working {
			return p
		}
	}
	return p
}

// innermostStack is the stack of the innermost screen: that of the tab inside a domain.
func (s *screens) innermostStack() *screen.Stack {
	if inside := s.domain(); inside != nil {
		return &inside.pane().Stack
	}
	return &s.stack
}

// changed says that the screens that are shown may show something else than they did.
func (s *screens) changed() {
	s.stack.Changed()
	s.innermostStack().Changed()
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
		return r.stack.Push(kept)
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

// Check implements [screen.Root]. A check that is open is replaced.
func (r *root) Check(address string) tea.Cmd { return r.check(address, false) }

func (r *root) CheckSignIn(address string) tea.Cmd { return r.check(address, true) }

func (r *root) check(address string, signIn bool) tea.Cmd {
	if r.service == nil {
		return nil
	}
	r.closeOverlays()
	r.closeCheck()
	o := r.checkOptions()
	o.Address = o.Complete(address)
	whole := form.IsWholeEmail(o.Address)
	o.Begin, o.SignIn = whole && !signIn, whole && signIn
	return r.stack.Push(check.New(r.env, o))
}

// checkOptions are what a screen that checks addresses is made with.
func (r *root) checkOptions() check.Options {
	return check.Options{
		NewChecker: func() check.Checker { return engine.New(r.service) },
		Complete:   func(typed string) string { return session.Complete(typed, r.options.Tips) },
		Status:     r.service.Session.Status, History: r.checked, Draft: r.draft,
		WriteBundle: r.writeBundle,
	}
}

// writeBundle writes a report with the requests of its time, for a ticket.
func (r *root) writeBundle(w io.Writer, report engine.Report) error {
	end := report.At.Add(time.Duration(report.MS+1) * time.Millisecond)
	requests := slices.DeleteFunc(r.options.Activity.Requests(), func(x *api.Exchange) bool {
		return x.Start.Before(report.At) || x.Start.After(end)
	})
	return engine.WriteBundle(w, r.options.Version, report, requests)
}

// Mark is the sign of the state of a check, and its style.
func Mark(t *styles.Theme, s engine.State) (string, *styles.Style) { return check.Mark(t, s) }
