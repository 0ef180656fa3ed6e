package uitest

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// Root is a [screen.Root] that remembers what it was asked for: a value of one of the
// types below, the last one last. Of all requests it carries out Push and Pop, where
// its screens stand on a stack, and does not list them.
type Root struct {
	Told []any

	stack *screen.Stack
}

// The requests, as the methods of [screen.Root] take them.
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

func (r *Root) asked(request any) tea.Cmd {
	r.Told = append(r.Told, request)
	return nil
}

func (r *Root) EnterDomain(domain string) tea.Cmd { return r.asked(EnterDomain{domain}) }

func (r *Root) SignedIn() tea.Cmd { return r.asked(SignedIn{}) }

func (r *Root) SignInAgain(from screen.Screen, reason string, then func() tea.Cmd) tea.Cmd {
	return r.asked(SignInAgain{from, reason, then})
}

func (r *Root) Copy(text, what string) tea.Cmd { return r.asked(Copy{text, what}) }

func (r *Root) CopyDocument(text, what string) tea.Cmd { return r.asked(Copy{text, what}) }

func (r *Root) Check(address string) tea.Cmd { return r.asked(Check{address}) }

func (r *Root) CheckSignIn(address string) tea.Cmd { return r.asked(Check{address}) }

func (r *Root) OpenLink(address string) tea.Cmd { return r.asked(OpenLink{address}) }

func (r *Root) Say(text string, bad bool) tea.Cmd { return r.asked(Say{text, bad}) }

// CompanyName implements [screen.Root]: no companies have been listed.
func (r *Root) CompanyName(string) string { return "" }

func (r *Root) ShowCompanies(resellerID, companyID string) tea.Cmd {
	return r.asked(ShowCompanies{resellerID, companyID})
}

func (r *Root) Push(_, pushed screen.Screen) tea.Cmd {
	if r.stack == nil {
		return nil
	}
	return r.stack.Push(pushed)
}

func (r *Root) Pop(popped screen.Screen) tea.Cmd {
	if r.stack != nil {
		r.stack.Pop(popped)
	}
	return nil
}
