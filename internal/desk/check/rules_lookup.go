package check

import (
	"net/http"

	"gatehouse/api"
)

// lookupAnswered returns the condition that the look-up was answered, and also holds.
func lookupAnswered(also predicate) condition {
	return where(shows(Lookup, outcomeAnswered), also)
}

// lookupRules are the rules for what the global service says about the person.
var lookupRules = []rule{
	{
		code: OtherPrimaryDomain, state: Fail, claims: sure(factGetsIn, factLookupWrong),
		cause: twoPrimaryDomains,
		when: func(s *scene) (Check, bool) {
			c := s.of(Claims)
			named := c.seen().PrimaryDomain
			return c, named != "" && s.lookedUp() != "" && named != s.lookedUp() && s.reads(named)
		},
		what:  "{email} signs in and reads shares at {claimed}; the look-up still names {looked-up} as the primary domain, and programs that go by the look-up fail.",
		known: "The token names {claimed}, and its gateway gave the shares just now. The global service answered {looked-up}.",
		next:  []Step{do("Ask an administrator of the service to correct the entry of the look-up: {claimed} in place of {looked-up}"), {Text: "Open {claimed} with your own session", Kind: StepOpenDomain, Domain: "{exact-claimed}"}},
		user:  "Your account works at {claimed}. Programs that ask the service for your domain are still sent to {looked-up}. We will have that corrected.",
	},
	{
		code: OtherPrimaryDomain, state: Fail,
		claims: perhaps(sure(factPasswordRight), factLookupWrong),
		cause:  twoPrimaryDomains,
		when: func(s *scene) (Check, bool) {
			c := s.of(Claims)
			named := c.seen().PrimaryDomain
			return c, named != "" && s.lookedUp() != "" && named != s.lookedUp()
		},
		what:  "{email} can sign in, but the look-up names {looked-up} as the primary domain and the token names {claimed}.",
		known: "The global service and the authority answered just now.",
		next:  []Step{askWhich},
		user:  "Your password is correct. The service names two domains for your account, {looked-up} and {claimed}. We will have that corrected.",
	},
	{
		code: NoPrimaryDomain, state: Fail, claims: sure(factPasswordRight, factLookupWrong),
		cause: cause{id: "not-found-by-lookup", title: "Not found by the look-up"},
		when: lookupAnswered(func(s *scene, o *observation) bool {
			return s.claims().PrimaryDomain != "" && s.lookedUp() == "" && o.AnsweredFor == ""
		}),
		what:  "{email} can sign in, and the token names {claimed} as the primary domain; the global service finds none.[ {works}.]",
		known: "The global service answered with the address, without a domain. Programs that look the domain up by e-mail address cannot find it.",
		next:  say("Ask an administrator of the service to correct the entry of the look-up for {email}: the primary domain is {claimed}"),
		user:  "Your password is correct.[ Your account itself works, at {working}.] Programs that ask the service for your domain do not find it. We will have that corrected.",
	},
	{
		code: NoPrimaryDomain, state: Fail, claims: sure(factPasswordRight, factLookupWrong),
		when: lookupAnswered(func(s *scene, o *observation) bool {
			return s.signsIn() && s.lookedUp() == "" && o.AnsweredFor == ""
		}),
		what:  "{email} can sign in, but the global service finds no primary domain.[ {works}.]",
		known: "The global service answered with the address, without a domain. Programs that look the domain up by e-mail address cannot find it.",
		next:  []Step{askAdmin},
		user:  "Your password is correct, but your account is not fully set up. We will ask an administrator to correct it.",
	},
	{
		code: UnknownAddress, state: Fail,
		claims: perhaps(sure(factPasswordRight), factLookupWrong),
		cause:  otherAddressAnswered,
		when:   lookupAnswered(func(s *scene, o *observation) bool { return s.signsIn() && o.AnsweredFor != "" }),
		what:   "{email} can sign in, and the look-up of it was answered for another address, {answered-for}: {email} may be an alias of it, or the answer is wrong.[ {works}.]",
		known:  "The global service answered \"{answered}\". Gatehouse does not take the domain of another address for that of this one.",
		next: []Step{
			do("Ask the person whether {answered-for} is also their address, and whether they sign in with it elsewhere"),
			{Text: "Check {answered-for} in place of {email}", Kind: StepOtherAddress, Email: "{answered-for}"},
			{Text: "If {answered-for} is not theirs, report it to the operator of the service, with the id of this report", Kind: StepReport},
		},
		user: "Your password is correct.[ Your account itself works, at {working}.] When programs ask the service about your address, it answers for {answered-for}. Is that an address of yours as well?",
	},
	{
		code: UnknownAddress, state: Fail, claims: perhaps(nil, factLookupWrong),
		cause: otherAddressAnswered,
		when:  lookupAnswered(func(_ *scene, o *observation) bool { return o.AnsweredFor != "" }),
		what:  "The look-up of {email} was answered for another address, {answered-for}: {email} may be an alias of it, or the answer is wrong.",
		known: "The global service answered \"{answered}\". Gatehouse does not take the domain of another address for that of this one.",
		next: []Step{
			{Text: "Check {answered-for} in place of {email}", Kind: StepOtherAddress, Email: "{answered-for}"},
			do("Ask the person whether {answered-for} is also their address; if it is, to sign in as {answered-for}"),
			{Text: "If {answered-for} is not theirs, report it to the operator of the service, with the id of this report", Kind: StepReport},
		},
		user: "When we ask the service about your address, it answers for {answered-for}. Is that an address of yours? If it is, please try to sign in with it.",
	},
	{
		code: UnknownAddress, state: Fail, claims: perhaps(nil, factLookupWrong),
		cause: cause{id: "no-domain-found", title: "No primary domain found"},
		when:  lookupAnswered(func(s *scene, _ *observation) bool { return s.lookedUp() == "" }),
		what:  "The global service finds no primary domain for {email}: the address is unknown, or the person has no primary domain.",
		known: "The service answers both cases in the same way: with the address and no domain. A sign-in that succeeds would show that the person has an account.",
		next: []Step{
			do("Ask the person to spell the address they sign in with"), signInNext,
			do("If the spelling is right, ask an administrator of the service whether the person has an account and a primary domain"),
		},
		user: "We cannot find a domain for {email}. Is that the address you sign in with?",
	},
	{
		code: OtherPrimaryDomain, state: Fail, claims: sure(factLookupWrong),
		cause: twoPrimaryDomains,
		when:  where(shows(Lookup, outcomeForeign), func(_ *scene, o *observation) bool { return len(o.Several) > 0 }),
		what:  "The look-up of {email} names several primary domains: {several}.[ {works}.]",
		known: "The answer has one primary domain by the service's documentation (section 2.3). Gatehouse does not choose between several; other programs may take either.",
		next:  []Step{askWhich},
		user:  "The service names several domains for your account: {several}.[ Your account itself works, at {working}.] We will have that corrected.",
	},
	{
		code: ServiceFailing, state: Fail, scope: always(ScopePerson),
		claims: sure(factLookupWrong),
		cause:  cause{id: "plus-as-blank", title: "A + read as a blank"},
		when:   where(shows(Lookup, outcomeForeign), func(_ *scene, o *observation) bool { return o.blankForPlus }),
		what:   "The global service reads the + in {email} as a blank: it answered the look-up for \"{answered-for}\".[ {works}.]",
		known:  "Gatehouse sent the + as %2B, as URLs have it. The service decodes it twice, so it finds no address with a +; addresses without one are not concerned.",
		next:   []Step{{Text: "Report it to the operator of the service, with the id of this report: getuserdomain.aspx must decode %2B once", Kind: StepReport}},
		user:   "The service does not read the + in your address, so programs that ask it for your domain do not find it.[ Your account itself works, at {working}.] We will report it and call you back.",
	},
	{
		code: ServiceFailing, state: Fail, scope: always(ScopePerson),
		claims: sure(factLookupWrong),
		cause:  cause{id: "lookup-not-usable", title: "Look-up not usable"},
		when:   where(shows(Lookup, outcomeForeign), func(_ *scene, o *observation) bool { return o.Answered != "" }),
		what:   "The look-up of {email} names \"{answered}\" as the primary domain, which is no domain name.[ {works}.]",
		known:  "A primary domain is a host name (service documentation, section 2.3). Gatehouse asks no host that it cannot name without doubt.",
		next:   []Step{{Text: "Report it to the operator of the service, with the id of this report and the value", Kind: StepReport}},
		user:   "The service has a wrong entry for your domain, so programs that ask for it fail.[ Your account itself works, at {working}.] We will report it and call you back.",
	},
	{
		code: UnknownAddress, state: Fail,
		claims: perhaps(sure(factHostUp), factLookupWrong, factNetworkHere),
		cause:  cause{id: "nothing-found-by-lookup", title: "Nothing found by the look-up"},
		when:   where(shows(Lookup, outcomeMissing), func(_ *scene, o *observation) bool { return o.sentence() != "" && !o.page }),
		what:   "{Place} answers the look-up of {email} with {answer} and says: {said}.[ {works}.]",
		known:  "This is about the address, or about the URL in global_url of the profile: the answer does not say which. Gatehouse repeats the words of the service and does not interpret them.",
		next: say(
			"[Ask the person to spell {unproven} they sign in with]",
			"Look up an address that is known to have an account. If that fails in the same way, check global_url in the profile; if it does not, ask an administrator of the service to correct the entry of {email}",
		),
		user: "The service does not find a domain for {email}.[ Your account itself works, at {working}, but some programs may not find it. We will report that.][ Is {unproven} right?]",
	},
	{
		code: ServiceFailing, state: Fail, scope: ofHost, claims: sure(factHostUp),
		cause: cause{id: "lookup-asks-sign-in", title: "Look-up asks for a sign-in"},
		when: where(shows(Lookup, outcomeRefused), func(_ *scene, o *observation) bool {
			return o.probe.Status == http.StatusUnauthorized && o.reason != api.ReasonMaintenance
		}),
		what:  "{Place} asks for credentials before it answers the look-up ({answer})[ and says: {said}].[ {works}.]",
		known: "The look-up is sent without any, as the service's documentation has it (section 4.4): this is not about {email}.",
		next:  []Step{reportStep},
		user:  userHost,
	},
	{
		code: ServiceFailing, state: Fail, scope: ofHost,
		claims: perhaps(nil, factHostUp, factNetworkHere),
		cause:  refusedByPage,
		when: where(shows(Lookup, outcomeRefused), func(_ *scene, o *observation) bool {
			return o.page && o.reason == api.ReasonNone
		}),
		what:  "{Place} answers the look-up of {email} with a page ({answer})[, titled {said}]: the service may have refused it, or something in between, such as a filter.[ {works}.]",
		known: "The look-up is sent without credentials. Who wrote this page is not known.",
		next:  []Step{tryElsewhere, {Text: "Report it to the operator of the service, with the id of this report and the title of the page", Kind: StepReport}},
		user:  "Something refuses our question about your account, and it may not be about you." + userWorks + " We will find out what it is and call you back.",
	},
	{
		code: ServiceFailing, state: Fail, scope: always(ScopePerson), claims: sure(factHostUp),
		cause: cause{id: "lookup-refused", title: "Look-up refused"},
		when: where(shows(Lookup, outcomeRefused), func(_ *scene, o *observation) bool {
			return o.sentence() != "" && o.reason != api.ReasonMaintenance
		}),
		what:  "{Place} refuses the look-up of {email} ({answer}) and says: {said}.[ {works}.]",
		known: "Gatehouse repeats the words of the service and does not interpret them.",
		next:  say("Ask an administrator of the service what this means for {email}, with the id of this report"),
		user:  "The service does not tell us about your account and says: {said}. We will ask what that means and call you back.",
	},
}
