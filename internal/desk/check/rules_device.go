package check

import "strings"

// loginAnswered returns the condition that a device login was answered with a code, and also holds.
func loginAnswered(code string, also predicate) condition {
	return where(shows(Device, outcomeAnswered), func(s *scene, o *observation) bool {
		return o.code() == code && also(s, o)
	})
}

// anyway always holds.
func anyway(*scene, *observation) bool { return true }

// byName reports whether the device login had a name of a device. The answer may then be about a new
// device.
func byName(_ *scene, o *observation) bool { return o.DeviceName != "" }

const wrongDomainIs = "According to section 7 of the service's documentation, {code} means that the primary domain differs from the domain in the request."

// deviceRules are the rules for a device login that the service refused with a code that its
// documentation explains.
var deviceRules = []rule{
	{
		code: NoPrimaryDomain, state: Fail, claims: sure(factDeviceRefused),
		cause: contradiction,
		when:  loginAnswered(codeNoPrimaryDomain, func(s *scene, _ *observation) bool { return s.primary() != "" }),
		what:  "The device login of {email} failed with {code}, no primary domain, although {contradicted}: the answer contradicts them.",
		known: "Section 7 of the service's documentation defines {code} as \"user has no primary domain\".[ {works}.]",
		next:  []Step{{Text: "Report the {code} response to the operator of the service, with the id of this report", Kind: StepReport}},
		user:  "The service contradicts itself about your domain. We will ask its operator and call you back.",
	},
	{
		code: NoPrimaryDomain, state: Fail, claims: sure(factDeviceRefused),
		when:  loginAnswered(codeNoPrimaryDomain, anyway),
		what:  "The device login of {email} failed with {code}: the person has no primary domain.",
		known: "Section 7 of the service's documentation defines {code} as \"user has no primary domain\".",
		next:  []Step{askAdmin},
		user:  "Your account has no primary domain yet. We will ask an administrator to assign one.",
	},
	{
		code: OtherPrimaryDomain, state: Fail, claims: sure(factDeviceRefused),
		cause: cause{id: "domain-not-certain", title: "Which domain is not certain"},
		when: loginAnswered(codeWrongDomain, func(s *scene, o *observation) bool {
			return s.primary() == "" || o.PrimaryDomain != "" && !strings.EqualFold(o.PrimaryDomain, s.primary())
		}),
		what:  "The device login of {email} failed with {code}, wrong domain, and it is not certain which domain is the primary one.",
		known: "[According to the device login it is {named}. ][According to the look-up or the token it is {primary}. ]" + wrongDomainIs,
		next:  []Step{askWhich},
		user:  "The service refuses your device because of the domain that is set on it. We will find out which domain is right and call you back.",
	},
	{
		code: OtherPrimaryDomain, state: Fail, claims: sure(factDeviceRefused),
		cause: contradiction,
		when: loginAnswered(codeWrongDomain, func(s *scene, o *observation) bool {
			return isGUID(s.Domain) && strings.EqualFold(s.Domain, o.DomainID)
		}),
		what:  "The device login of {email} failed with {code}, wrong domain, but names the requested domain {primary} as the primary one: the answer contradicts itself.",
		known: wrongDomainIs,
		next:  []Step{{Text: "Report it to the operator of the service, with the id of this report", Kind: StepReport}},
		user:  "The service contradicts itself about your domain. We will ask its operator and call you back.",
	},
	{
		code: OtherPrimaryDomain, state: Fail, claims: sure(factDeviceRefused),
		when:  loginAnswered(codeWrongDomain, func(s *scene, _ *observation) bool { return !isGUID(s.Domain) }),
		what:  "The device login of {email} failed with {code}, wrong domain, although Gatehouse sent no domain with it. The primary domain is {primary}.",
		known: "A device login can name a domain only by its id, and Gatehouse sent none.[ The name {asked} was not sent.] " + wrongDomainIs,
		next: []Step{
			do("Ask which domain is set on the person's device. If it is not {primary}, ask for it to be changed to {primary}"),
			{Text: "If it is already {primary}, report the {code} response to the operator of the service, with the id of this report", Kind: StepReport},
		},
		user: "Which domain is set in the program on your device? It should be {primary}.",
	},
	{
		code: OtherPrimaryDomain, state: Fail, claims: sure(factDeviceRefused),
		when:  loginAnswered(codeWrongDomain, anyway),
		what:  "The device login of {email} failed with {code}, wrong domain. The primary domain is {primary}.",
		known: wrongDomainIs,
		next:  []Step{{Text: "Check again with the domain {primary}", Kind: StepOtherDomain, Domain: "{exact-primary}"}, do("Ask which domain is set on the person's device. It should be {primary}")},
		user:  "Which domain is set in the program on your device? It should be {primary}.",
	},
	{
		code: DeviceNotValidated, state: Fail, claims: sure(factDeviceRefused),
		cause: cause{id: "another-device-answered", title: "Another device answered"},
		when:  loginAnswered(codeDeviceNotValidated, func(_ *scene, o *observation) bool { return o.answersForOtherDevice() }),
		what:  "The device login of {email} with the device id {device} failed with {code}, not validated, and the answer is about another device: {foreign-device}.",
		known: "Section 7 of the service's documentation defines {code} as \"the device is not validated\". The id that came back is not the one that was sent: the id may belong to another person's device.",
		next: say(
			"Find out whether {device} is the person's own device: it may be registered for somebody else",
			"Ask an administrator of the service to validate the device that the person uses",
		),
		user: "The device that you use may still be registered for somebody else. We will ask an administrator to set it up for you.",
	},
	{
		code: DeviceNotValidated, state: Fail, claims: sure(factDeviceRefused),
		when:  loginAnswered(codeDeviceNotValidated, byName),
		what:  "The device login of {email} failed with {code}, not validated.",
		known: "The check sent the name of a device and no id, so the answer may be about a new device. The person's own device may already be validated.",
		next: say(
			"Ask an administrator of the service for the id of the person's own device, then check again with that id instead of a name",
			"If that device is not validated either, ask an administrator of the service to validate it",
		),
		user: "An administrator may have to approve new devices. We will ask about yours and call you back.",
	},
	{
		code: DeviceNotValidated, state: Fail, claims: sure(factDeviceRefused),
		when:  loginAnswered(codeDeviceNotValidated, anyway),
		what:  "The device login of {email} with the device id {device} failed with {code}, not validated.",
		known: "Section 7 of the service's documentation defines {code} as \"the device is not validated\". How a device is validated is not documented.",
		next:  say("Make sure that this is the id of the person's own device, then ask an administrator of the service to validate it"),
		user:  "The device whose id we have is not approved yet. Once we know that it is yours, we will ask an administrator to approve it.",
	},
}

// namesOtherDomain reports whether the primary domain in the answer to a device login differs from
// the one in the token or the look-up.
func namesOtherDomain(s *scene, o *observation) bool {
	named, err := ParseDomain(strings.ToLower(o.PrimaryDomain))
	isHostName := err == nil && strings.Contains(named, ".")
	primary := s.primary()
	return isHostName && primary != "" && named != primary
}

// deviceDoubts are the rules for a device login that was not refused, as far as the answer says, but
// whose answer is about something else.
var deviceDoubts = []rule{
	{
		code: ServiceFailing, state: Fail, scope: always(ScopePerson), claims: sure(factHostUp),
		cause: cause{id: "device-login-refused", title: "Device login refused"},
		when: where(shows(Device, outcomeRefused), func(_ *scene, o *observation) bool {
			return o.sentence() != "" && !o.page && !o.inBody && !o.ofService()
		}),
		what:  "{Place} refuses the device login of {email} ({answer}) and says: {said}.[ {works}.]",
		known: "The service's documentation explains no such refusal. Gatehouse repeats the words of the service and does not interpret them.",
		next:  say("Ask an administrator of the service what this means for {email}, with the id of this report"),
		user:  "The service does not accept the device and says: {said}." + userWorks + " We will ask what that means and call you back.",
	},
	{
		code: OtherPrimaryDomain, state: Fail,
		cause: twoPrimaryDomains,
		when:  where(shows(Device, outcomeAnswered), namesOtherDomain),
		what:  "The device login of {email} names {named} as the primary domain, although {contradicted}.[ {works}.]",
		known: "The service answered both just now[; the code of the device login is {code}]. Programs that log in with a device go to {named}.",
		next:  []Step{askWhich},
		user:  "The service names two domains for your account, {named} and {primary}.[ Your account itself works, at {working}.] We will have that corrected.",
	},
	{
		code: UndocumentedCode, state: Warn,
		cause: cause{id: "answer-about-another-device", title: "Answer about another device"},
		when:  where(shows(Device, outcomeAnswered), func(_ *scene, o *observation) bool { return o.answersForOtherDevice() }),
		what:  "The device login of {email} was sent for the device {device}, and the answer is about another one, {foreign-device}[ (code {code}, which is undocumented)].[ {works}.]",
		known: "The documentation explains only U103, U105 and U107 (section 7). What the service makes of {device} is not known.",
		next: say(
			"Find out whether {device} is the id of the person's own device: it may be registered for somebody else, or no longer exist",
			"Ask an administrator of the service which devices {email} has",
		),
		user: "The service does not answer for the device that we asked about. We will find out which device is yours and call you back.",
	},
}

// undocumented returns the condition that a device login was answered with an undocumented code.
// complete says whether the result has everything that a device needs.
func undocumented(complete bool) condition {
	return where(shows(Device, outcomeAnswered), func(_ *scene, o *observation) bool {
		return o.Complete != nil && *o.Complete == complete
	})
}

// undocumentedRule is the rule for a device login whose outcome is not known.
var undocumentedRule = rule{
	code: UndocumentedCode, state: Warn, scope: always(ScopeNone), claims: sure(factNotExplained),
	when:  undocumented(false),
	what:  "The service answered the device login of {email} [with the code {code}, which its documentation does not explain]{no-code}: whether the device may be used is not known.[ The answer is about another device: {foreign-device}.]",
	known: "The documentation explains only U103, U105 and U107 (section 7).[ The result has no {lacks}.]",
	next:  []Step{{Text: "Ask the operator of the service what the answer means, with the id of this report", Kind: StepReport}},
	user:  "The service answers your device with something that nobody has explained to us. We will ask what it means and call you back.",
}
