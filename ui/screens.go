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
	// left is the page of the domain that was left last, to be shown as it was; nil if there is
	// none.
	left *domainPage
}

// openScreen is the screen of a type on the stack, whether it is shown or not; nil if there is
// none.
func openScreen[T screen.Screen](s *screens) (found T) {
	for _, shown := range s.stack.Screens() {
		if shown, ok := shown.(T); ok {
			return shown
		}
	}
	return found
}

// domains is the list of domains, whether it is shown or not; nil before somebody signs in.
func (s *screens) domains() *domains.Model { return openScreen[*domains.Model](s) }

// openDomain is the page of the current domain, whether it is shown or not; nil if there is none.
func (s *screens) openDomain() *domainPage { return openScreen[*domainPage](s) }

// signingIn reports whether a sign-in form is open, whether it is shown or not.
func (s *screens) signingIn() bool { return openScreen[*signin.Model](s) != nil }

// closeCheck closes the check that is open, and the screens over it.
func (s *screens) closeCheck() { s.stack.Pop(openScreen[*check.Model](s)) }

// closeSignIn closes the sign-in form if it is shown.
func (s *screens) closeSignIn() { s.stack.Pop(s.signIn()) }

// close closes all screens.
func (s *screens) close() {
	s.stack.Close()
	if s.left != nil {
		s.left.Close()
	}
	s.left = nil
}

// rest has all screens drop what they have drawn.
func (s *screens) rest() {
	s.stack.Rest()
	if s.left != nil {
		s.left.Rest()
	}
}

// page is the uppermost screen that is not an overlay; nil if there is none.
func (s *screens) page() screen.Screen { return s.stack.Page() }

// names are the titles of the page and of the screens that are open inside it.
func (s *screens) names() []string {
	if s.page() == nil {
		return nil
	}
	shown := s.stack.PageView()
	return shown.Names()
}

// innermost is the page, or in a domain the page of the active tab; nil if there is none.
func (s *screens) innermost() screen.Screen {
	return s.innermostStack().Page()
}

// shows reports whether a screen is the page, or open in the active tab of a domain.
func (s *screens) shows(of screen.Screen) bool {
	if inside := s.domain(); inside != nil {
		return inside.pane().Has(of)
	}
	return of == s.page()
}

// modal reports whether the uppermost screen has to be answered or closed before anything else.
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

// domainPages are the pages of the current domain and of the one that was left last. Either may be
// missing.
func (s *screens) domainPages() []*domainPage {
	isNone := func(p *domainPage) bool { return p == nil }
	return slices.DeleteFunc([]*domainPage{s.openDomain(), s.left}, isNone)
}

// stackOf is the stack on which a screen is, whether it is shown or not; nil if it is not open.
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

// Push implements [screen.Root].
func (s *screens) Push(over, pushed screen.Screen) tea.Cmd {
	if stack := s.stackOf(over); stack != nil {
		return stack.Push(pushed)
	}
	return nil
}

// closeOverlays closes all screens over the page.
func (s *screens) closeOverlays() {
	for s.stack.Top() != s.page() {
		s.stack.Pop(s.stack.Top())
	}
}

// ShowCompanies implements [screen.Root].
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

// typing reports whether keys are text that the person types.
func (s *screens) typing() bool { return s.stack.TopView().Typing }

// work is how far the long work of the innermost screens is; zero if there is none.
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

// changed tells the stacks that their screens may show something else now.
func (s *screens) changed() {
	s.stack.Changed()
	s.innermostStack().Changed()
}

// Pop implements [screen.Root]. The screen of a tab is not closed: the domain is left.
func (r *root) Pop(popped screen.Screen) tea.Cmd {
	if inside := r.domain(); inside != nil {
		isTab := popped == inside.pane().Screens()[0]
		if isTab || popped == inside {
			return r.leaveDomain()
		}
	}
	if stack := r.stackOf(popped); stack != nil {
		stack.Pop(popped)
	}
	return nil
}

// EnterDomain implements [screen.Root]: it leaves the current domain, if any. The domain that was
// left last is shown as it was.
func (r *root) EnterDomain(domain string) tea.Cmd {
	r.closeCheck()
	r.domains().Remember(domain)
	if inside := r.domain(); inside != nil {
		if inside.domain == domain {
			return nil
		}
		r.leaveDomain()
	}
	if left := r.left; left != nil && left.domain == domain {
		r.left = nil
		return r.stack.Push(left)
	}
	return r.stack.Push(r.newDomainPage(domain))
}

// leaveDomain goes back to the list of domains. The page of the domain stays open; that of the
// domain that was left before is closed.
func (r *root) leaveDomain() tea.Cmd {
	r.closeOverlays()
	if r.left != nil {
		r.left.Close()
	}
	r.left, _ = r.stack.Take().(*domainPage)
	return nil
}

// Check implements [screen.Root]. It replaces a check that is open.
func (r *root) Check(address string) tea.Cmd { return r.check(address, false) }

// CheckSignIn implements [screen.Root]. It replaces a check that is open.
func (r *root) CheckSignIn(address string) tea.Cmd { return r.check(address, true) }

// check shows the form that checks an address, and begins the check if the address is whole. With
// signIn it asks for the password first.
func (r *root) check(address string, signIn bool) tea.Cmd {
	if r.service == nil {
		return nil
	}
	r.closeOverlays()
	r.closeCheck()
	o := r.checkOptions()
	o.Address = o.Complete(address)
	isWhole := form.IsWholeEmail(o.Address)
	o.Begin, o.SignIn = isWhole && !signIn, isWhole && signIn
	return r.stack.Push(check.New(r.env, o))
}

// newChecker makes a checker whose steps are taken by keys.
func (r *root) newChecker() check.Checker {
	checker := engine.New(r.service)
	checker.Face.Words = Face.Words
	return checker
}

// checkOptions are the options of all screens that check addresses.
func (r *root) checkOptions() check.Options {
	return check.Options{
		NewChecker:  r.newChecker,
		Complete:    func(typed string) string { return session.Complete(typed, r.options.Tips) },
		Status:      r.service.Session.Status,
		History:     r.checked,
		Draft:       r.draft,
		WriteBundle: r.writeBundle,
	}
}

// writeBundle writes a report, and the requests that were sent while it was made, for a ticket.
func (r *root) writeBundle(w io.Writer, report engine.Report) error {
	end := report.At.Add(time.Duration(report.MS+1) * time.Millisecond)
	requests := slices.DeleteFunc(r.options.Activity.Requests(), func(x *api.Exchange) bool {
		return x.Start.Before(report.At) || x.Start.After(end)
	})
	return engine.WriteBundle(w, r.options.Version, report, requests)
}

// Mark is the sign of the state of a check, and its style.
func Mark(t *styles.Theme, s engine.State) (string, *styles.Style) { return check.Mark(t, s) }
