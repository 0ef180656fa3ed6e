package check

import (
	"cmp"
	"slices"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/problem"
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
// An observation that a stronger one outranks satisfies no rule; the verdict only remarks on it.

// rule leads from observations to a verdict.
type rule struct {
	code Code
	when condition
	// state is the state of the verdict; "" stands for the state of the check.
	state State
	scope func(*scene, Check) Scope // nil: [ScopePerson]

	cause cause // the zero cause stands for the cause of the code

	// The texts are templates.
	what  string // what happened, in a sentence or two
	known string // the evidence
	next  []Step // what to do; their texts are templates
	user  string // what to tell the person

	// tellsSlow: the sentence says what was slow, so no remark has to.
	tellsSlow bool

	// claims are what the texts claim. A test compares them with everything that may be true when
	// the same is observed.
	claims []claim
}

// cause is what a verdict names as its cause, more exactly than by its code. Rules may share one;
// no two causes have the same title, which is what people know them by.
type cause struct {
	id    string // for programs: "name-blocked". It stays when the title gets other words
	title string // a heading
}

// causeOrCode returns the cause that the verdict of a rule names: its own, or the one of its code.
func (r rule) causeOrCode() cause {
	if r.cause == (cause{}) {
		return cause{id: string(r.code), title: r.code.Title()}
	}
	return r.cause
}

// causeTitles has the titles of all causes by their ids.
var causeTitles = func() map[string]string {
	titles := map[string]string{}
	for _, r := range rules {
		cause := r.causeOrCode()
		titles[cause.id] = cause.title
	}
	return titles
}()

// condition reports whether a rule holds, and returns the check that shows the cause.
type condition func(*scene) (shows Check, holds bool)

// predicate narrows a condition: it reports whether the rule holds for what the check saw.
type predicate func(*scene, *observation) bool

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

// sure returns claims that hold in every world that looks like this one.
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

// judge returns the verdict on the checks. It sends no requests.
func judge(s *scene, checks []Check) Verdict {
	s.checks = checks
	r, shows := s.rule(rules)
	return s.write(r, shows)
}

// rule returns the first rule of a list that holds, and the check that shows the cause.
func (s *scene) rule(list []rule) (rule, Check) {
	for _, r := range list {
		if shows, holds := r.when(s); holds {
			return r, shows
		}
	}
	panic("the last rule always holds")
}

// write returns the verdict of a rule with its texts filled in.
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
	cause := r.causeOrCode()
	verdict := Verdict{
		State: state,
		Code:  r.code,
		Scope: scope,
		Check: shows.ID,
		Cause: cause.id,
		Title: cause.title,
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
	for _, step := range verdict.Next {
		verdict.Commands = append(verdict.Commands, step.phrase().commands()...)
	}
	return verdict
}

// rememberedFailure is added if the cause was seen in a request for somebody else.
const rememberedFailure = " Nobody was asked about this address:" +
	" another look-up failed in this way less than a minute before."

// leftOut says which words of the service are not shown, and why.
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

// answeredBy names who answered a check.
func answeredBy(c Check) phrase {
	if c.ID == SignIn {
		return plain("the authority")
	}
	return named(hostname.Readable(c.Host)).or(plain("the service"))
}

// remarks lists what else failed and is not the cause.
func (s *scene) remarks(shows Check) string {
	var list []string
	for _, c := range s.checks {
		if c.ID == shows.ID || c.ID == Control || !c.State.Failed() {
			continue
		}
		list = append(list, checkName(c.ID)+": "+c.Summary.String())
	}
	if len(list) == 0 {
		return ""
	}
	return " Also seen: " + strings.Join(list, "; ") + "."
}

// steps returns the next steps of a rule, without those that would lead to nothing new.
func (s *scene) steps(r rule, shows Check, values map[string]phrase) []Step {
	steps := []Step{}
	taken := map[stepKey]bool{}
	isAgain := func(step Step) bool { return step.Kind == StepAgain }
	for _, template := range r.next {
		step, ok := template.filled(values)
		if !ok || isAgain(step) && slices.ContainsFunc(steps, isAgain) {
			continue
		}
		if isAgain(step) && s.Repeated && r.code != Undecided {
			template = reportStep
			step, _ = template.filled(values)
		}
		if step.Kind == StepSignIn {
			step.Email = s.Email
		}
		key := keyOf(template, step)
		step = s.worded(step)
		if step.isEmpty() || s.isPointless(step) || taken[key] {
			continue
		}
		taken[key] = true
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

// stepKey is what a step is, whatever its words are: two steps with the same key are the same one.
type stepKey struct {
	kind          StepKind
	template      string // of its text
	help          problem.Help
	domain, email string
}

// keyOf returns what a step is that was made from a template.
func keyOf(template, step Step) stepKey {
	return stepKey{
		kind:     step.Kind,
		template: cmp.Or(template.Text, template.said.String()),
		help:     step.Help,
		domain:   step.Domain,
		email:    step.Email,
	}
}

// filled returns a step whose texts are templates with their words filled in. ok is false if it says
// nothing then, or lacks the domain or the address that it is about.
func (s Step) filled(values map[string]phrase) (step Step, ok bool) {
	step = Step{
		Text:   fill(s.Text, values).String(),
		Kind:   s.Kind,
		Help:   s.Help,
		said:   s.said,
		Domain: values[wordName(s.Domain)].String(),
		Email:  values[wordName(s.Email)].String(),
	}
	saysNothing := step.isEmpty() && step.Help == problem.HelpNone
	lacksDomain := s.Domain != "" && step.Domain == ""
	lacksEmail := s.Email != "" && step.Email == ""
	return step, !saysNothing && !lacksDomain && !lacksEmail
}

// stepsBeside returns what to do about certificates that are refused at other hosts than the one
// that shows the cause: people who get past the cause meet them next.
func (s *scene) stepsBeside(shows Check) (steps []Step) {
	for _, c := range s.checks {
		isOtherHost := isHost(c.ID) && c.ID != shows.ID && c.Host != shows.Host
		isRefused := c.seen().outcome == outcomeCertificate && !s.outranked(c.ID)
		if !isOtherHost || !isRefused {
			continue
		}
		if fault := s.certificateFault(c.seen()); fault != nil {
			text := "Report the certificate of {host} to the operator of {operator} as well: " +
				fault.what
			steps = append(steps, do(fill(text, s.fields(c)).String()))
		}
	}
	return steps
}

// deviceStep returns what to do about a device that this check may have created.
func (s *scene) deviceStep(values map[string]phrase) []Step {
	device := s.seen(Device)
	if device.DeviceName == "" || device.DeviceID == "" {
		return nil
	}
	values["returned"] = plain(device.DeviceID)
	const text = "The device login returned device {returned-device}. If the person does not use it, " +
		"ask an administrator of the service to remove it; it may have existed before this check"
	return []Step{do(fill(text, values).String())}
}

// worded returns a step as the face says it: with the command that takes it, and with the words for
// what helps.
func (s *scene) worded(step Step) Step {
	if s.face.Command != nil {
		step.Command = s.face.Command(step)
	}
	if step.Help != problem.HelpNone {
		words := ofFace(s.face.Words[step.Help])
		if step.Text != "" {
			words = joined(plain(step.Text+" "), words)
		}
		step.said = words.trimmed()
	}
	return step
}

// isPointless reports whether this check already took a step, or knows that it fails.
func (s *scene) isPointless(step Step) bool {
	switch step.Kind {
	case StepSignIn:
		authorityIsUnknown := s.localAuthority && s.lookedUp() == ""
		return s.asked(SignIn) || authorityIsUnknown
	case StepOpenDomain:
		return s.face.Command != nil // commands open nothing
	case StepOtherDomain, StepAskToSignIn:
		asked := s.Domain
		if asked == "" {
			asked = s.primary()
		}
		return strings.EqualFold(step.Domain, asked) || s.of(DomainPrefix+step.Domain).State == Fail
	}
	return false
}
