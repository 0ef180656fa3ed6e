package check

import (
	"slices"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
)

// How a verdict comes about. A rule says which observation it is about, what that shows, and what
// follows: its texts are templates, whose words are in fields.go. The rules stand in the order of
// evidence, and the first that holds is the verdict:
//
//	what makes a check impossible (no address, no profile, no network)
//	the person's own sign-in, in the order of its links: sign-in, claims, shares, device
//	what services say about the person: the look-up
//	what hosts answer to a harmless request
//	warnings, in the same order, and last that all is well
//
// An observation that a stronger one outranks leads to no rule; it is a remark of the verdict.

// rule leads from observations to a verdict.
type rule struct {
	code Code
	// when is the check that shows the cause, if the rule holds.
	when func(*scene) (shows Check, holds bool)
	// state is that of the verdict; "" is that of the check.
	state State
	scope func(*scene, Check) Scope // nil: of the person

	title string // a template, as the following are; "" is the title of the code
	what  string // what happened, in a sentence or two
	known string // how it is known
	next  []Step // their texts are templates
	user  string // what to tell the person

	// tellsSlow is set where the sentence says what was slow; else it is a remark.
	tellsSlow bool

	// claims are what the texts say, for the test that holds them against all that looks alike.
	claims []claim
}

// claim is something that a verdict says about the world.
type claim struct {
	fact     fact
	possible bool // it is said as a possibility
}

// fact is what a claim is about.
type fact string

// The facts that verdicts speak of.
const (
	factPasswordWrong  fact = "the address or the password is wrong"
	factPasswordRight  fact = "the address and the password are right"
	factAccountBarred  fact = "the account is kept out for another reason than its password"
	factClientWrong    fact = "the client of the profile is refused"
	factNetworkHere    fact = "the cause is this machine or its network"
	factHostDown       fact = "a host of the service does not do its work"
	factHostUp         fact = "the host that is named answers"
	factCertificate    fact = "a host of the service shows a certificate that is not valid"
	factNoAccess       fact = "the person may not read the domain"
	factOthersToo      fact = "others are affected, too"
	factGetsIn         fact = "the person gets in"
	factNoShares       fact = "no share is visible to the person"
	factLookupWrong    fact = "the entry of the look-up is missing or wrong"
	factTokenWrong     fact = "the authority issues a token that cannot be used"
	factDeviceRefused  fact = "the device is refused"
	factNotExplained   fact = "what the device login answered is explained nowhere"
	factDomainMistaken fact = "the person asks for another domain than the primary one"
)

// sure are claims that hold in every world that looks like this one.
func sure(facts ...fact) (list []claim) {
	for _, f := range facts {
		list = append(list, claim{fact: f})
	}
	return list
}

// perhaps adds claims that are said as a possibility.
func perhaps(before []claim, facts ...fact) []claim {
	for _, f := range facts {
		before = append(before, claim{f, true})
	}
	return before
}

// judge makes the verdict of checks. It does nothing else and asks nobody.
func judge(s *scene, checks []Check) Verdict {
	s.checks = checks
	r, shows := s.rule(rules)
	return s.write(r, shows)
}

// rule is the first one of a list that holds, and the check that shows it.
func (s *scene) rule(list []rule) (rule, Check) {
	for _, r := range list {
		if shows, holds := r.when(s); holds {
			return r, shows
		}
	}
	panic("the last rule always holds")
}

// write fills in the texts of a rule.
func (s *scene) write(r rule, shows Check) Verdict {
	values := s.fields(shows)
	state := r.state
	if state == "" {
		state = shows.State
	}
	scope := ScopePerson
	if r.scope != nil {
		scope = r.scope(s, shows)
	}
	title := r.title
	if title == "" {
		title = r.code.Title()
	}
	verdict := Verdict{
		State: state, Code: r.code, Scope: scope, Check: shows.ID,
		Title: fill(title, values).String(),
		Known: strings.TrimSpace(fill(r.known, values).String() + s.remarks(shows)),
		User:  strings.TrimSpace(fill(r.user, values).String()),
		Next:  s.steps(r, shows, values),
	}
	sentence := joined(fill(r.what, values), s.leftOut()).trimmed()
	if shows.seen().Remembered {
		verdict.Known += rememberedFailure
	}
	if slow := s.slowText(); slow != "" && !r.tellsSlow {
		verdict.Known += " Slow: " + slow + "."
	}
	if state == Warn && s.noShares() && len(s.minors(hasShares)) == 0 {
		sentence = joined(sentence, fill(besidesNoShares, s.fields(s.of(DomainPrefix+s.wanted()))))
		verdict.User += userNoShares
		verdict.Next = append(verdict.Next, askForOtherAddress)
	}
	verdict.Sentence, verdict.Parts = sentence.String(), sentence
	return verdict
}

// rememberedFailure is added where the cause is that of a request for somebody else.
const rememberedFailure = " Nobody was asked about this address: another look-up failed in this way less than a minute before."

// leftOut says that words of the service are not shown, and why.
func (s *scene) leftOut() (said phrase) {
	type omission struct {
		by     string
		reason api.Omission
	}
	known := map[omission]bool{}
	for _, c := range s.checks {
		left := omission{answeredBy(c).String(), c.seen().LeftOut}
		if left.reason == "" || c.ID == Control || known[left] {
			continue
		}
		known[left] = true
		said = joined(said, plain(" What "), answeredBy(c), plain(" adds is "+left.reason.String()+"."))
	}
	return said
}

// answeredBy is who answered a check.
func answeredBy(c Check) phrase {
	if c.ID == SignIn {
		return plain("the authority")
	}
	return named(hostname.Readable(c.Host)).or(plain("the service"))
}

// remarks are what else came out badly and is not the cause.
func (s *scene) remarks(shows Check) string {
	var list []string
	for _, c := range s.checks {
		if c.ID == shows.ID || c.ID == Control || !c.State.Failed() {
			continue
		}
		list = append(list, checkName(c.ID)+": "+c.Summary)
	}
	if len(list) == 0 {
		return ""
	}
	return " Also seen: " + strings.Join(list, "; ") + "."
}

// steps are the next steps of a rule that lead to something new.
func (s *scene) steps(r rule, shows Check, values map[string]phrase) []Step {
	steps := []Step{}
	for _, template := range r.next {
		step := Step{
			Text: fill(template.Text, values).String(), Kind: template.Kind, written: template.written,
			Domain: values[wordName(template.Domain)].String(), Email: values[wordName(template.Email)].String(),
		}
		if template.Domain != "" && step.Domain == "" || template.Email != "" && step.Email == "" { // nobody has named it
			continue
		}
		isAgain := func(other Step) bool { return other.Kind == StepAgain }
		if step.isEmpty() || step.Kind == StepAgain && slices.ContainsFunc(steps, isAgain) {
			continue
		}
		if step.Kind == StepAgain && s.Repeated && r.code != Undecided {
			step = Step{Text: fill(reportStep.Text, values).String(), Kind: StepReport}
		}
		if s.isPointless(step) || slices.ContainsFunc(steps, func(other Step) bool { return other.Sentence() == step.Sentence() }) {
			continue
		}
		step.Command = s.command(step)
		steps = append(steps, step)
	}
	if control := s.seen(Control); control.DiffersAt != "" && !control.worksHere {
		steps = append(steps, Step{Text: "Refresh your own sign-in", Kind: StepSignInAgain})
	}
	if shows.seen().outcome.answered() {
		steps = append(steps, s.stepsBeside(shows)...)
	}
	return append(steps, s.deviceStep(values)...)
}

// stepsBeside are what to do about certificates that are refused at other hosts than that of the cause:
// whoever gets past the cause meets them next.
func (s *scene) stepsBeside(shows Check) (steps []Step) {
	for _, c := range s.checks {
		if c.ID == shows.ID || c.Host == shows.Host || !isHost(c.ID) || c.seen().outcome != outcomeCertificate || s.outranked(c.ID) {
			continue
		}
		if fault := s.certificateFault(c.seen()); fault != nil {
			text := "Report the certificate of {host} to the operator of {operator} as well: " + fault.what
			steps = append(steps, do(fill(text, s.fields(c)).String()))
		}
	}
	return steps
}

// deviceStep is what to do about a device that this check may have made.
func (s *scene) deviceStep(values map[string]phrase) []Step {
	device := s.seen(Device)
	if device.DeviceName == "" || device.DeviceID == "" {
		return nil
	}
	values["returned"] = plain(device.DeviceID)
	return []Step{do(fill("The device login returned device {returned}. If the person does not use it, "+
		"ask an administrator of the service to remove it; it may have existed before this check", values).String())}
}

// command is the command that takes a step, "" if none is to be named.
func (s *scene) command(step Step) string {
	if s.Program == "" {
		return ""
	}
	switch step.Kind {
	case StepSignIn:
		command := s.Program + " check " + s.Shell.Join(s.Email) + " --sign-in"
		if step.Domain != "" {
			command += " --domain " + s.Shell.Join(step.Domain)
		}
		return command
	case StepOtherAddress:
		return s.Program + " check " + s.Shell.Join(step.Email)
	}
	return ""
}

// isPointless reports whether this check already took a step, or knows that it fails.
func (s *scene) isPointless(step Step) bool {
	switch step.Kind {
	case StepSignIn:
		return s.asked(SignIn) || s.localAuthority && s.lookedUp() == "" // which nobody can ask then
	case StepOpenDomain:
		return s.Program != "" // commands open nothing
	case StepOtherDomain, StepAskToSignIn:
		asked := s.Domain
		if asked == "" {
			asked = s.primary()
		}
		return strings.EqualFold(step.Domain, asked) || s.of(DomainPrefix+step.Domain).State == Fail
	}
	return false
}
