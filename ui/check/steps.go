package check

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/check"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// steps are the actions that the verdict leads to, in the order of the card.
func (c *card) steps() []screen.Action {
	domain := screen.Action{ID: "check.domain", Reason: "the domain is not the problem"}
	enter := screen.Action{ID: "check.enter", Reason: "there is no domain to open"}
	again := screen.Action{ID: "root.signin", Reason: "the sign-in of this program is not the problem"}
	var steps []screen.Action
	for _, step := range c.report.Verdict.Next {
		switch step.Kind {
		case check.StepSignIn:
			password := c.passwordAction()
			password.Title = step.Text
			steps = append(steps, password)
		case check.StepOtherDomain:
			domain.Title, domain.Reason = c.otherDomainTitle(step.Domain), ""
			domain.Run = func() tea.Cmd { return c.otherDomain(step.Domain) }
		case check.StepOpenDomain:
			enter.Title, enter.Reason = "open "+readable(step.Domain), ""
			enter.Run = func() tea.Cmd { return c.env.Root.EnterDomain(step.Domain) }
			if !c.desk.reaches(step.Domain) {
				enter.Reason = "your session does not reach " + readable(step.Domain)
			}
		case check.StepSignInAgain:
			again.Reason = ""
			again.Run = func() tea.Cmd { return c.env.Root.SignInAgain(c, "", nil) }
			if !c.desk.signedIn() {
				again.Reason = "no session to compare with"
			}
		}
	}
	user := screen.Action{ID: "check.user", Reason: c.notYet(), Run: c.copySentence}
	if user.Reason == "" && c.report.Verdict.User == "" {
		user.Reason = "there is nothing to tell the user"
	}
	ticket := screen.Action{ID: "check.ticket", Reason: c.notYet(), Run: c.copyTicket}
	return append(steps, domain, enter, again, ticket, user)
}

func (c *card) otherDomainTitle(domain string) string {
	if wantsDevice(c.request) {
		return "log in again with " + readable(domain)
	}
	return "check again with " + readable(domain)
}

// otherDomain checks the same with another domain.
func (c *card) otherDomain(domain string) tea.Cmd {
	r := c.request
	r.Domain = domain
	return c.repeat(r, "Again with the domain "+readable(domain)+": type the password.")
}

// passwordAction leads to a check with a sign-in.
func (c *card) passwordAction() screen.Action {
	a := screen.Action{ID: "check.password", Reason: c.notYet(), Run: c.withPassword}
	if c.signIn {
		a.Reason, a.Quiet = "this check already has a sign-in", true
	}
	return a
}

// withPassword leads to the form, to check the same with a sign-in.
func (c *card) withPassword() tea.Cmd {
	return c.desk.again(c, c.request, withSignIn(c.request.Email))
}

// withSignIn says that the password of an address is to be typed.
func withSignIn(email string) string {
	return "With a sign-in as " + safetext.Clip(email, maxName) + ": type the password."
}

func (c *card) copySentence() tea.Cmd {
	return c.env.Root.Copy(safetext.Line(c.report.Verdict.User), "what to tell the user")
}

func (c *card) copyTicket() tea.Cmd {
	return c.env.Root.CopyDocument(c.report.Markdown(), "the report for a ticket")
}
