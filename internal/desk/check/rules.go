package check

import "slices"

// rules are all rules in the order of evidence; see verdict.go.
var rules = slices.Concat(
	impossible,
	networkRules,
	signInRules,
	troubleRules(link{check: SignIn, code: AuthorityUnreachable, what: "the sign-in"}),
	claimRules,
	shareRules,
	troubleRules(link{check: wantedShares, code: GatewayUnreachable, what: "the list of shares"}),
	deviceRules,
	deviceDoubts,
	troubleRules(link{check: Device, code: GlobalUnreachable, what: "the device login"}),
	lookupRules,
	troubleRules(link{check: Lookup, code: GlobalUnreachable, what: "the look-up"}),
	troubleRules(link{check: Authority, code: AuthorityUnreachable, what: harmless}),
	troubleRules(link{check: Gateway, code: GatewayUnreachable, what: harmless}),
	troubleRules(link{check: wantedGateway, code: GatewayUnreachable, what: harmless}),
	troubleRules(link{check: Global, code: GlobalUnreachable, what: harmless}),
	interrupted,
	warnings,
	fine,
)

// shows returns the condition that a check, by its id, has one of these outcomes.
func shows(id string, outcomes ...outcome) condition {
	return func(s *scene) (Check, bool) {
		c := s.of(id)
		return c, c.ID != "" && slices.Contains(outcomes, c.seen().outcome)
	}
}

// where returns the condition that when and also both hold.
func where(when condition, also predicate) condition {
	return func(s *scene) (Check, bool) {
		c, holds := when(s)
		return c, holds && also(s, c.seen())
	}
}

// always returns a scope that does not depend on what was seen.
func always(scope Scope) func(*scene, Check) Scope {
	return func(*scene, Check) Scope { return scope }
}

// ofHost returns the scope of trouble with the host of a check.
func ofHost(s *scene, c Check) Scope { return s.hostScope(c) }

// do returns a step that a person has to take.
func do(text string) Step { return Step{Text: text} }

// say returns steps that a person has to take.
func say(texts ...string) (steps []Step) {
	for _, text := range texts {
		steps = append(steps, do(text))
	}
	return steps
}

// Steps of several rules.
var (
	tryElsewhere = do("Check from another network")
	reportStep   = Step{Text: "Report it to the operator of {operator}, with the id of this report", Kind: StepReport}
	signInNext   = Step{Text: "Check again with a sign-in", Kind: StepSignIn}
	primaryNext  = Step{Text: "Ask the person to sign in at {primary}", Kind: StepAskToSignIn, Domain: "{exact-primary}"}
	askAdmin     = do("Ask an administrator of the service to assign or correct the primary domain of {email}, then check again")
	askWhich     = do("Ask an administrator of the service which domain is right, and have the wrong entry corrected")
	askForTime   = do("Ask the person when the problem occurred, in which program, and what the exact message was")
)

// Sentences of several rules.
const (
	userNotFromHere = "We cannot reach the service from here at the moment, so we cannot tell what is wrong yet. We will call you back."
	userHost        = "Part of the service is not working as it should at the moment." + userWorks + " We will report it and call you back."
	// userWorks is added if the person can do without the part that fails.
	userWorks   = "[ Your account itself works, at {working}.]"
	userProfile = "We could not check your account because of a problem on our side. That may not be why you cannot get in. We will call you back."
)

// Causes of several rules.
var (
	twoPrimaryDomains    = cause{id: "two-primary-domains", title: "Two primary domains"}
	notPrimaryDomain     = cause{id: "not-the-primary-domain", title: "Not the primary domain"}
	otherAddressAnswered = cause{id: "another-address-answered", title: "Another address answered"}
	contradiction        = cause{id: "contradictory-answer", title: "Contradictory answer"}
	foreignAnswer        = cause{id: "foreign-answer", title: "Another answer than the service's"}
	refusedByPage        = cause{id: "refused-by-page", title: "Refused by a page"}
	undocumentedRefusal  = cause{id: "undocumented-refusal", title: "Undocumented refusal"}
	incompleteChain      = cause{id: "certificate-chain-incomplete", title: "Certificate chain incomplete"}
	unknownAuthority     = cause{
		id: "certificate-unknown-authority", title: "Certificate of an unknown authority",
	}
)

// impossible are the rules for what cannot be checked at all.
var impossible = []rule{
	{
		code: UnknownAddress, state: Fail, scope: always(ScopeNone),
		cause: cause{id: "no-address", title: "No e-mail address"},
		when: func(s *scene) (Check, bool) {
			c := s.of(Lookup)
			return c, c.seen().Failure == failureAddress && s.Email == ""
		},
		what:  "There is no e-mail address to look up.",
		known: "Nothing was looked up.",
		next:  say("Ask the person for the e-mail address of the account"),
		user:  "Please tell us the e-mail address you sign in with.",
	},
	{
		code: UnknownAddress, state: Fail, scope: always(ScopeNone),
		cause: cause{id: "not-an-address", title: "Not an e-mail address"},
		when: func(s *scene) (Check, bool) {
			c := s.of(Lookup)
			return c, c.seen().Failure == failureAddress
		},
		what:  "{email} is not an e-mail address: {reason}.",
		known: "The address was not looked up.",
		next:  say("Ask the person for the e-mail address of the account"),
		user:  "Please tell us the e-mail address you sign in with.",
	},
	{
		code: BadProfile, scope: always(ScopeHere), claims: sure(factNetworkHere),
		when: func(s *scene) (Check, bool) {
			return s.firstOfAll(func(c Check) bool {
				return c.seen().outcome == outcomeUnusable && c.State == Fail
			})
		},
		what:  "The profile of this program cannot be used: {reason}.",
		known: "No request was sent for it.",
		next:  say("Correct the profile, then check again"),
		user:  userProfile,
	},
	{
		code: WipeOrdered, state: Fail,
		when:  where(shows(Device, outcomeAnswered), func(_ *scene, o *observation) bool { return o.Wipe != nil && *o.Wipe }),
		what:  "In its answer to the device login of {email}, the service orders the device to erase its data.",
		known: "The answer contains a wipe order (service documentation, section 2.4), which Gatehouse ignores. The person's own devices may get the same order and obey it.",
		next:  say("Find out from an administrator of the service who ordered the wipe, and why, before the person signs in on any device"),
		user:  "Please do not sign in on any device until we call you back. The service may order the device to erase its data.",
	},
}

// interrupted are the rules for a check that somebody ended, or that this program did not finish.
var interrupted = []rule{
	{
		code: SignInRefused, state: Unknown, scope: always(ScopeHere),
		cause: cause{id: "password-withheld", title: "No password was sent"},
		when: func(s *scene) (Check, bool) {
			return s.first(func(c Check) bool { return c.seen().outcome == outcomeWithheld })
		},
		what:  "Gatehouse did not send the password of {email}: {reason}.",
		known: "What could be seen without the password is listed. Nothing is known about the sign-in.",
		next:  say("Wait as long as the limit says, then check once more with a sign-in"),
		user:  "We have not tried to sign in to your account. We will call you back.",
	},
	{
		code: Undecided, state: Unknown, scope: always(ScopeNone),
		when: func(s *scene) (Check, bool) {
			return s.first(func(c Check) bool {
				o := c.seen().outcome
				isUnfinished := o == outcomeStopped || o == outcomeLate || o == outcomeBroken
				return isUnfinished && !s.isMinor(c)
			})
		},
		what:  "The check of {email} was not finished: {place} was not asked to the end ({reason}).[ {works}.]",
		known: "What had been seen until then is listed. It proves nothing about the rest.",
		next:  []Step{{Text: "Check again: this check was ended before it was done", Kind: StepAgain}},
		user:  "We have not been able to find out what is wrong yet. We will call you back.",
	},
}
