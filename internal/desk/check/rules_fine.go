package check

import (
	"slices"
	"strings"
)

// hasMinor returns the condition that a check of a domain other than the wanted one has a state.
func hasMinor(state State) condition {
	return func(s *scene) (Check, bool) {
		list := s.minors(func(c Check) bool { return c.State == state })
		if len(list) == 0 {
			return Check{}, false
		}
		return list[0], true
	}
}

// minorScope returns the scope of trouble with a domain other than the wanted one.
func minorScope(s *scene, c Check) Scope {
	if c.seen().outcome == outcomeRefused {
		return ScopePerson
	}
	return s.hostScope(c)
}

// asksOther returns the condition that the person asks for another domain than the primary one, and
// also holds. The cause is the check that shows which domain is the primary one.
func asksOther(also func(*scene) bool) condition {
	return func(s *scene) (Check, bool) {
		c := s.of(Claims)
		if !c.seen().readable {
			c = s.of(Lookup)
		}
		primary := s.primary()
		isOther := s.asksOtherDomain() && primary != "" && s.Domain != primary
		return c, isOther && also(s)
	}
}

// warnings are the rules for trouble that does not keep the person out.
var warnings = []rule{
	undocumentedRule,
	{
		code: LooksFine, state: Warn, scope: ofHost, claims: sure(factGetsIn),
		cause: cause{id: "list-with-code", title: "A list with a code of its own"},
		when: func(s *scene) (Check, bool) {
			c := s.of(DomainPrefix + s.wanted())
			return c, c.seen().outcome == outcomeAnswered && c.seen().ResponseCode != ""
		},
		what:  "{email} signs in and reads shares at {domain}, but {host} sends the list with {answer}[ and says: {said}]: the list may not be whole.",
		known: "A list that is as it should be comes with the response code 1, where one was seen; the service's documentation explains none.",
		next:  say("Ask the person whether shares are missing", "Ask the operator of {operator} what the answer means, with the id of this report"),
		user:  "You can sign in, and we see shares at {domain}, but perhaps not all of them.[ The service says: {said}.] We will ask what that means.",
	},
	{
		code: OtherDomains, state: Warn, claims: sure(factDomainMistaken),
		cause: notPrimaryDomain,
		when:  asksOther(func(s *scene) bool { return !s.claims().readable }),
		what:  "The person asked for {asked}, but the primary domain of {email} is {primary}.[ {gateway-answers}.]",
		known: "The look-up names {primary}. Only a sign-in shows whether {asked} is one of the person's other domains.",
		next:  []Step{{Text: signInNext.Text, Kind: StepSignIn, Domain: "{exact-asked}"}, primaryNext},
		user:  "The primary domain of your account is {primary}. Please try signing in there. We cannot see yet whether you have access to {asked}.",
	},
	{
		code: OtherDomains, state: Warn,
		cause: notPrimaryDomain,
		when: asksOther(func(s *scene) bool {
			return s.claims().DomainsNotRead > 0 && !slices.Contains(s.claims().OtherDomains, s.Domain)
		}),
		what:  "The primary domain of {email} is {primary}. The token lists more domains than Gatehouse reads; {asked} is not among those that were read.",
		known: "Only a token with fewer domains shows whether {asked} is one of the person's other domains.",
		next:  []Step{primaryNext, do("Ask the operator of the authority for a token with fewer domains")},
		user:  "Your account belongs to {primary}. Please sign in there. We cannot see whether you have access to {asked}.",
	},
	{
		code: OtherDomains, state: Warn, claims: sure(factDomainMistaken),
		cause: cause{id: "not-a-domain-of-theirs", title: "Not the person's domain"},
		when:  asksOther(func(s *scene) bool { return !slices.Contains(s.claims().OtherDomains, s.Domain) }),
		what:  "{asked} is not one of the domains of {email}; the primary domain is {primary}.",
		known: "The token lists the person's domains (service documentation, section 2.2), and {asked} is not among them.",
		next: []Step{
			primaryNext,
			do("If the person should have access to {asked}, ask an administrator of that domain to grant it"),
		},
		user: "Your account belongs to {primary}; {asked} is not among its domains. Please sign in at {primary}.",
	},
	{
		code: OtherDomains, state: Warn, claims: sure(factDomainMistaken, factGetsIn),
		cause: notPrimaryDomain,
		when: asksOther(func(s *scene) bool {
			return s.reads(s.Domain) || s.of(DomainPrefix+s.Domain).State == Skipped
		}),
		what:  "{asked} is one of the domains of {email}, but the primary domain is {primary}.",
		known: "The token names {primary} as the primary domain and {asked} as another one (service documentation, section 2.2).",
		next: []Step{
			{Text: "Ask the person to sign in at {primary}, then open {asked}", Kind: StepAskToSignIn, Domain: "{exact-primary}"},
			{Text: "Open {asked} with your own session", Kind: StepOpenDomain, Domain: "{exact-asked}"},
		},
		user: "Your account belongs to {primary}. Please sign in there. {asked} is one of your other domains.",
	},
	{
		code: OtherDomains, state: Warn, scope: minorScope, claims: sure(factGetsIn),
		cause: cause{id: "another-domain-fails", title: "Another domain fails"},
		when:  hasMinor(Fail),
		what:  "{working} works for {email}, but not {troubles}.",
		known: "Gatehouse asked each domain listed in this report for the person's shares.",
		next: say(
			"[If the complaint is about {refusing}, ask an administrator there whether {email} should have access, with the id of this report]",
			"[If the complaint is about {failing}, report it to the operator of it, with the id of this report]",
		),
		user: "{working} works for your account, but not {minors}[, which says: {minors-say}].[ An administrator of {refusing} can help.][ We will report what is wrong with {failing}.]",
	},
	{
		code: OtherDomains, state: Warn, scope: minorScope, claims: sure(factGetsIn),
		cause: cause{id: "another-domain-not-checked", title: "Another domain not checked"},
		when:  hasMinor(Unknown),
		what:  "{working} works for {email}. Not known is whether the same holds for {troubles}.",
		known: "Gatehouse asked each domain listed in this report for the person's shares. An incomplete check proves nothing either way.",
		next:  []Step{{Text: "Check again in a minute: the domain did not answer to the end", Kind: StepAgain}},
		user:  "{working} works. We have not been able to check {minors}; we will call you back about it.",
	},
	{
		code: OtherDomains, state: Warn, claims: sure(factGetsIn),
		cause: cause{id: "domains-not-readable", title: "Domains not readable"},
		when: func(s *scene) (Check, bool) {
			c := s.of(Claims)
			return c, len(c.seen().NotDomains) > 0 && c.seen().PrimaryDomain != ""
		},
		what:  "{email} signs in{reading}, but the token names other domains that cannot be read as such: {unread-domains}.",
		known: "The interface describes the other domains as a name or a list of names (service documentation, section 2.2). What programs make of anything else differs.",
		next:  []Step{{Text: "Report it to the operator of the authority, with the id of this report and the value of the claim", Kind: StepReport}},
		user:  "Your account works[ at {working}]. Your other domains are described in a way that programs cannot read. We will report it.",
	},
	{
		code: NoPrimaryDomain, state: Warn, claims: sure(factGetsIn),
		cause: cause{id: "token-without-domain", title: "Token without a readable domain"},
		when: func(s *scene) (Check, bool) {
			c := s.of(Claims)
			return c, s.signsIn() && c.seen().PrimaryDomain == "" && s.working() != ""
		},
		what:  "{email} signs in and reads shares at {working}, which the look-up names; the token itself names no domain{unread-claim}.",
		known: "Programs that go by the token do not know where to go. Gatehouse asked the domain of the look-up." + theClaims,
		next:  []Step{{Text: "Report it to the operator of the authority, with the id of this report: the token should name the primary domain (service documentation, section 2.2)", Kind: StepReport}},
		user:  "Your account works at {working}. Some programs may not find it by themselves. We will report it.",
	},
	{
		code: LooksFine, state: Warn, claims: sure(factGetsIn),
		cause: cause{id: "signed-in-as-another", title: "Signed in as another address"},
		when: func(s *scene) (Check, bool) {
			c := s.of(Claims)
			return c, c.seen().Subject != "" && s.working() != ""
		},
		what:  "{email} signs in{reading}, but the token names another address, {subject}: {email} may be an alias of it.",
		known: "The claim sub of the token names {subject}. What is listed may belong to {subject}.",
		next: say(
			"Ask the person whether {subject} is also their address, and whether what they see belongs to it",
			"If it is not, report it to the operator of the authority at once, with the id of this report: it issues tokens of somebody else",
		),
		user: "You can sign in, and the service takes you for {subject}. Is that an address of yours?",
	},
	{
		code: NotRenewable, state: Warn, claims: sure(factGetsIn),
		when: func(s *scene) (Check, bool) {
			c := s.of(SignIn)
			renewable := c.seen().Renewable
			isRefused := renewable != nil && !*renewable
			return c, s.signsIn() && isRefused && slices.Contains(s.scopesAsked(), scopeOfRenewal)
		},
		what:  "{email} signs in{reading}, but the session cannot be renewed: the person has to sign in again [after {life}]{unknown-life}.",
		known: "The scope " + scopeOfRenewal + " was asked for, and no refresh token came (service documentation, section 2.1).",
		next:  say("Ask the operator of the authority why this client gets no refresh token"),
		user:  "Your account works, but the service makes you sign in again each time your session ends. We will ask whether that is intended.",
	},
	{
		code: LooksFine, state: Warn, claims: sure(factGetsIn),
		cause: cause{id: "fewer-scopes", title: "Fewer scopes granted"},
		when: func(s *scene) (Check, bool) {
			c := s.of(Claims)
			return c, len(c.seen().scopesMissing()) > 0
		},
		what:  "{email} signs in{reading}, but the token is for fewer scopes than were asked for. Missing: {missing}.",
		known: "The profile asks for these scopes; the answer of the authority, or the token, names those that it grants.",
		next:  say("If something does not work for the person, ask the operator of the authority why the client is not granted {missing}"),
		user:  "Your sign-in works. If something else does not, please tell us the time and the exact message.",
	},
	{
		code: Certificate, state: Warn, scope: ofHost,
		cause: cause{id: "certificate-expires-soon", title: "Certificate expires soon"},
		when: func(s *scene) (Check, bool) {
			return s.first(func(c Check) bool {
				probe, ends := c.seen().probe, c.seen().certificateEnds()
				hasCertificate := probe.TLS != 0 && !ends.IsZero()
				return works(c.State) && hasCertificate && ends.Sub(probe.At) < certificateWarning
			})
		},
		what:  "What was checked works for {email}, but the certificate of {place} expires on {certificate-ends}.",
		known: "The host presented this certificate just now. From that day on, programs refuse to connect.",
		next:  say("Ask the operator of {operator} to renew the certificate before {certificate-ends}"),
		user:  "What we can see works. If it fails, tell us the time and the exact message.",
	},
	{
		code: Clock, state: Warn, scope: always(ScopeHere), claims: perhaps(nil, factNetworkHere),
		cause: cause{id: "clock-of-this-machine", title: "Clock of this machine wrong"},
		when: func(s *scene) (Check, bool) {
			c, off := s.worstClock()
			return c, off && s.ownClockIsWrong()
		},
		what:  "The clock of this machine seems to be wrong: the clocks of all hosts are {skew} it.[ {works} all the same.]",
		known: "The Date headers of all hosts that answered agree with each other.",
		next:  say("Set the clock of this machine, then check again", "If the person's machine uses the same time source, its clock is wrong as well"),
		user:  "The clock of our machine may be wrong. We will check again and call you back.",
	},
	{
		code: Clock, state: Warn, scope: ofHost,
		when:  func(s *scene) (Check, bool) { return s.worstClock() },
		what:  "The clock of {place} is {skew} the clock of this machine.[ {works} all the same.]",
		known: "The difference is taken from the Date header of the answer, corrected by half the round-trip time. With a clock that far off, tokens can look expired or not yet valid.",
		next:  say("Compare the clock of this machine with another one. If this machine is right, ask the operator of {operator} to correct that clock"),
		user:  "A clock of the service differs from ours, which can make sign-ins fail or end a session early. We will look into it.",
	},
	{
		code: LooksFine, state: Warn, scope: ofHost,
		cause: cause{id: "address-silent", title: "An address does not answer"},
		when: func(s *scene) (Check, bool) {
			return s.first(func(c Check) bool {
				return works(c.State) && len(c.seen().silentAddresses(false)) > 0
			})
		},
		what:  "What was checked works for {email}, but {place} does not answer at one of its addresses ({silent-ipv4}).",
		known: "The name of the host leads to several addresses. Programs that try this one first wait, or fail.",
		next:  say("Ask the operator of {operator} to mend the address, or to take it out of the name servers", "Check from another network"),
		user:  "What we can see works. One address of the service does not answer, which can make programs slow. We will report it.",
	},
	{
		code: LooksFine, state: Warn, scope: ofHost,
		cause: cause{id: "ipv6-silent", title: "No answer over IPv6"},
		when: func(s *scene) (Check, bool) {
			return s.first(func(c Check) bool {
				return works(c.State) && len(c.seen().silentIPv6()) > 0
			})
		},
		what:  "What was checked works for {email} over IPv4, but {place} does not answer at its address of IPv6 ({silent-ipv6}).",
		known: "The name of the host leads to both kinds of addresses. Programs that try IPv6 first wait, or fail.",
		next:  say("Check whether IPv6 works from this network at all", "If it does, ask the operator of {operator} to correct the address of IPv6 of {host}"),
		user:  "What we can see works. One address of the service does not answer, which can make programs slow. We will report it.",
	},
	{
		code: LooksFine, state: Warn, scope: always(ScopeAuthority), claims: sure(factGetsIn),
		cause: cause{id: "token-ended-by-claim", title: "Token that has ended"},
		when: func(s *scene) (Check, bool) {
			c := s.of(Claims)
			return c, c.seen().ended && !c.seen().ExpiresAt.IsZero() && s.working() != ""
		},
		what:  "{email} signs in{reading}, although the token says that it ended at {ended-at}: programs that go by that sign the person out at once.",
		known: "The claim exp of the token says so. The gateway accepted the token all the same.",
		next:  []Step{{Text: "Report it to the operator of the authority, with the id of this report: its tokens end before they are issued, or its clock is wrong", Kind: StepReport}},
		user:  "Your account works[ at {working}], but some programs may sign you out at once. That is an error of the service; we will report it.",
	},
	{
		code: LooksFine, state: Warn, scope: always(ScopeAuthority), claims: sure(factGetsIn),
		cause: cause{id: "token-life-not-usable", title: "Life of the token not usable"},
		when: func(s *scene) (Check, bool) {
			c := s.of(SignIn)
			return c, c.seen().LifeSaid != "" && s.working() != ""
		},
		what:  "{email} signs in{reading}, although the authority gives the life of the token as {life-said} (expires_in), which is no time that a token can live: programs that go by it may sign the person out at once.",
		known: "The gateway accepted the token.[ By its own claims it is valid for {life}.]",
		next:  []Step{{Text: "Report it to the operator of the authority, with the id of this report and the value", Kind: StepReport}},
		user:  "Your account works[ at {working}], but some programs may sign you out at once. That is an error of the service; we will report it.",
	},
	{
		code: Network, state: Warn, scope: always(ScopeHere), tellsSlow: true,
		claims: sure(factGetsIn),
		cause:  cause{id: "slow-names", title: "Names are looked up slowly"},
		when: func(s *scene) (Check, bool) {
			c, slow := s.slowNames()
			return c, slow && s.working() != ""
		},
		what:  "Signing in and reading shares work for {email}, but slowly: looking up the names of hosts took {resolve}.",
		known: "All hosts answer soon after their names are known: the name servers that this machine asks are slow, and not the service.",
		next:  say("Check the name servers of this machine", "Check from another network"),
		user:  "Your account works. Our own network is slow at the moment; if it is slow for you as well, please tell us the time.",
	},
	{
		code: LooksFine, state: Warn, scope: always(ScopeNone), tellsSlow: true,
		claims: sure(factGetsIn),
		cause:  cause{id: "works-slowly", title: "Works, but slowly"},
		when: func(s *scene) (Check, bool) {
			c, slow := s.slowest()
			return c, slow && s.working() != ""
		},
		what:  "Signing in and reading shares work for {email}, but slowly: {slow}.",
		known: "Every check was completed. An answer is slow if it takes more than a second.",
		next:  []Step{{Text: "If it stays so, report it to the operator of {operator}, with the id of this report", Kind: StepReport}},
		user:  "Your account works, but part of the service is slow at the moment: it took {took} to answer. Please give it time.",
	},
	{
		code: LooksFine, state: Warn, scope: always(ScopeNone), tellsSlow: true,
		cause: cause{id: "slow-from-outside", title: "Slow, seen from outside"},
		when:  func(s *scene) (Check, bool) { return s.slowest() },
		what:  "Seen from outside, nothing is wrong with {email}[: {primary} is the primary domain], but an answer was slow: {slow}.",
		known: "An answer is slow if it takes more than a second.[ Not checked: {unchecked}.]",
		next:  []Step{signInNext, {Text: "If it stays slow, report it to the operator of {operator}, with the id of this report", Kind: StepReport}},
		user:  "As far as we can see, nothing is wrong, but part of the service is slow at the moment.",
	},
	{
		code: UndocumentedCode, state: Warn, scope: always(ScopeNone),
		claims: sure(factGetsIn, factNotExplained),
		when:   undocumented(true),
		what:   "The service answered the device login of {email} [with the code {code}, which its documentation does not explain]{no-code}; the result has a domain, a token and a device.[ The answer is about another device: {foreign-device}.][ {works}.]",
		known:  "The documentation explains only U103, U105 and U107 (section 7). What the service makes of this login is not documented.",
		next:   []Step{askForTime, do("If the person's own device fails with this code, ask the operator of the service what it means")},
		user:   "We tried a login with a device, and the service answered with what a device needs. If it fails for you, tell us the time and the exact message.",
	},
}

// These are added to the verdict about a person who gets in and sees no shares.
const (
	besidesNoShares = " No share is visible to this account at {domain}."
	userNoShares    = " Nothing is shared with this account: do you use another e-mail address as well?"
)

var askForOtherAddress = do("Ask the person whether they use another e-mail address as well, and check that one")

// fine are the rules for checks that have found nothing wrong. The last one always holds.
var fine = []rule{
	{
		code: LooksFine, state: Info, scope: always(ScopeNone), claims: sure(factGetsIn),
		cause: cause{id: "shares-elsewhere", title: "Signs in; shares only in another domain"},
		when: func(s *scene) (Check, bool) {
			return s.of(DomainPrefix + s.wanted()), s.noShares() && len(s.minors(hasShares)) > 0
		},
		what:  "{email} signs in at {domain}, and no share is visible there; shares are visible in {elsewhere}.[ The gateway says: {said}.]",
		known: "The gateways gave these lists just now, with the person's own token.[ Not checked: {unchecked}.]",
		next:  say("Ask the person to look in {elsewhere}", "Ask an administrator of {domain} whether something should be shared with {email} there"),
		user:  "You can sign in. Nothing is shared with this account in {domain}, but there are shares in {elsewhere}. Please look there.",
	},
	{
		code: LooksFine, state: Info, scope: always(ScopeNone),
		claims: sure(factGetsIn, factNoShares),
		cause:  cause{id: "no-shares", title: "Signs in; no share is visible"},
		when: func(s *scene) (Check, bool) {
			return s.of(DomainPrefix + s.wanted()), s.noShares()
		},
		what:  "{email} signs in at {domain}, and no share is visible to this account: nothing is shared with it, or the person means another address.[ The gateway says: {said}.]",
		known: "The gateway gave an empty list just now, with the person's own token.[ Not checked: {unchecked}.]",
		next:  []Step{askForOtherAddress, do("Ask an administrator of {domain} whether something should be shared with {email}")},
		user:  "You can sign in, but nothing is shared with this account.[ The service says: {said}.] Do you use another e-mail address as well?",
	},
	{
		code: LooksFine, state: OK, scope: always(ScopeNone), claims: sure(factGetsIn),
		when: func(s *scene) (Check, bool) {
			return Check{}, s.working() != ""
		},
		what:  "{email} signs in and reads shares at {working}; nothing that was checked is wrong.",
		known: "Every check listed here ran just now, with the person's own password.[ Not checked: {unchecked}.]",
		next:  []Step{askForTime},
		user:  "We signed in to your account from here, and it works. If it does not work for you, tell us the time, the program and the exact message.",
	},
	{
		code: LooksFine, state: OK, scope: always(ScopeNone),
		cause: cause{id: "fine-from-outside", title: "No fault seen from outside"},
		when:  func(*scene) (Check, bool) { return Check{}, true },
		what:  "Seen from outside, nothing is wrong with {email}[: {primary} is the primary domain], and the hosts that were asked answer.",
		known: "The look-up and the hosts answered just now.[ Not checked: {unchecked}.]",
		next:  []Step{signInNext, askForTime},
		user:  "As far as we can see without signing in, nothing is wrong. Let us go through the sign-in together.",
	},
}

// worstClock returns the check of the host whose clock differs most, if that is worth a warning.
func (s *scene) worstClock() (worst Check, isOff bool) {
	for _, id := range []string{Global, Authority, Gateway} { // in causal order
		c := s.of(id)
		probe := c.seen().probe
		_, state := ClockDifference(probe.Skew, probe.SkewWithin)
		isWorse := probe.Skew.Abs() > worst.seen().probe.Skew.Abs()
		if state != OK && (!isOff || isWorse) {
			worst, isOff = c, true
		}
	}
	return worst, isOff
}

// slowest returns the check whose answer took longest, if that is slow. The wanted domain goes first
// if it is slow, because the person waits for it.
func (s *scene) slowest() (slowest Check, isSlow bool) {
	wanted := s.of(DomainPrefix + s.wanted())
	if wanted.State == Warn && wanted.seen().waited > Slow {
		return wanted, true
	}
	for _, c := range s.checks {
		isSlower := c.seen().waited > slowest.seen().waited
		if isSlower && c.State == Warn && c.ID != Control {
			slowest, isSlow = c, true
		}
	}
	return slowest, isSlow
}

// slowNames returns the check of the host whose name took longest to look up, if slow look-ups of
// names are what made hosts slow. It returns none if a host was slow for another reason.
func (s *scene) slowNames() (worst Check, slow bool) {
	for _, id := range []string{Global, Authority, Gateway} {
		c := s.of(id)
		o := c.seen()
		if !o.outcome.answered() || o.probe.Resolve == 0 {
			continue
		}
		if o.probe.Resolve <= Slow || o.waited-o.probe.Resolve > Slow {
			return Check{}, false
		}
		if o.probe.Resolve > worst.seen().probe.Resolve {
			worst, slow = c, true
		}
	}
	return worst, slow
}

// noShares reports whether the wanted domain has sent a list, and the list is empty.
func (s *scene) noShares() bool {
	o := s.seen(DomainPrefix + s.wanted())
	return o.outcome == outcomeAnswered && o.Shares != nil && *o.Shares == 0
}

// hasShares reports whether shares were read.
func hasShares(c Check) bool { return c.seen().Shares != nil && *c.seen().Shares > 0 }

// scopesAsked returns the scopes that the profile asks for.
func (s *scene) scopesAsked() []string { return s.claims().ScopesAskedFor }

// unchecked lists what this check did not look at: "the password, a device".
func (s *scene) unchecked() string {
	var list []string
	if !s.asked(SignIn) {
		list = append(list, "the password", "the claims", "the shares")
	}
	if !s.asked(Device) {
		list = append(list, "a device")
	}
	return strings.Join(list, ", ")
}
