package uitest

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// Root is a [screen.Root] that only remembers its requests. Push and Pop are carried out if there
// is a stack, and not remembered.
type Root struct {
	// Told are the requests in their order, as values of the types below.
	Told []any

	stack *screen.Stack
}

// The requests, with the arguments of the methods of [screen.Root].
type (
	EnterDomain struct{ Domain string }
	SignedIn    struct{}
	SignInAgain struct {
		From   screen.Screen
		Reason string
		Then   func() tea.Cmd
	}
	Copy struct{ Text, What string }
	Say  struct {
		Text string
		Bad  bool
	}
	OpenLink      struct{ Address string }
	Check         struct{ Address string }
	ShowCompanies struct{ ResellerID, CompanyID string }
)

// asked remembers a request.
func (r *Root) asked(request any) tea.Cmd {
	r.Told = append(r.Told, request)
	return nil
}

// EnterDomain implements [screen.Root].
func (r *Root) EnterDomain(domain string) tea.Cmd { return r.asked(EnterDomain{domain}) }

// SignedIn implements [screen.Root].
func (r *Root) SignedIn() tea.Cmd { return r.asked(SignedIn{}) }

// SignInAgain implements [screen.Root].
func (r *Root) SignInAgain(from screen.Screen, reason string, then func() tea.Cmd) tea.Cmd {
	return r.asked(SignInAgain{from, reason, then})
}

// Copy implements [screen.Root].
func (r *Root) Copy(text, what string) tea.Cmd { return r.asked(Copy{text, what}) }

// CopyDocument implements [screen.Root].
func (r *Root) CopyDocument(text, what string) tea.Cmd { return r.asked(Copy{text, what}) }

// Check implements [screen.Root].
func (r *Root) Check(address string) tea.Cmd { return r.asked(Check{address}) }

// CheckSignIn implements [screen.Root].
func (r *Root) CheckSignIn(address string) tea.Cmd { return r.asked(Check{address}) }

// OpenLink implements [screen.Root].
func (r *Root) OpenLink(address string) tea.Cmd { return r.asked(OpenLink{address}) }

// Say implements [screen.Root].
func (r *Root) Say(text string, bad bool) tea.Cmd { return r.asked(Say{text, bad}) }

// CompanyName implements [screen.Root]. It knows no company.
func (r *Root) CompanyName(string) string { return "" }

// ShowCompanies implements [screen.Root].
func (r *Root) ShowCompanies(resellerID, companyID string) tea.Cmd {
	return r.asked(ShowCompanies{resellerID, companyID})
}

// Push implements [screen.Root].
func (r *Root) Push(_, pushed screen.Screen) tea.Cmd {
	if r.stack == nil {
		return nil
	}
	return r.stack.Push(pushed)
}

// Pop implements [screen.Root].
func (r *Root) Pop(popped screen.Screen) tea.Cmd {
	if r.stack != nil {
		r.stack.Pop(popped)
	}
	return nil
}
