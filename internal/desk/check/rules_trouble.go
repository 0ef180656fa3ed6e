package check

import (
	"slices"

	"gatehouse/api"
)

// link is something that a host has to do for the person to get in, a link of a chain.
type link struct {
	check string // the id of the check, or wantedShares or wantedGateway
	code  Code   // of the verdict if the host cannot be reached
	what  string // what the host was asked for: "the sign-in"
}

// harmless is what a host was asked for to see whether it answers at all.
const harmless = "a harmless request"

// These stand for the id of a check that depends on the request.
const (
	wantedShares  = "shares of the wanted domain"
	wantedGateway = "gateway of the domain asked for"
)

// of returns the check of a link, and whether it can be a cause.
func (l link) of(s *scene) (Check, bool) {
	switch l.check {
	case wantedShares:
		c := s.of(DomainPrefix + s.wanted())
		return c, s.signsIn() && c.ID != ""
	case wantedGateway:
		c := s.of(DomainPrefix + s.Domain)
		return c, !s.signsIn() && c.ID != ""
	case Authority, Gateway, Global:
		return s.of(l.check), !s.outranked(l.check)
	}
	return s.of(l.check), true
}

// met returns the condition that the check of the link has one of these outcomes.
func (l link) met(outcomes ...outcome) condition {
	return func(s *scene) (Check, bool) {
		c, counts := l.of(s)
		return c, counts && c.ID != "" && slices.Contains(outcomes, c.seen().outcome)
	}
}

// busy is the condition that the host takes no more requests, by its status or in its own words.
func (l link) busy(s *scene) (Check, bool) {
	if c, isBusy := l.met(outcomeBusy)(s); isBusy {
		return c, true
	}
	return where(l.met(outcomeRefused), because(api.ReasonTooMany))(s)
}

// withCause reports whether a request without an answer failed for a cause.
func withCause(cause api.Cause) predicate {
	return func(_ *scene, o *observation) bool { return o.cause == cause }
}

// redirected reports whether a host answered with a redirect of a kind.
func redirected(kind api.RedirectKind) predicate {
	return func(_ *scene, o *observation) bool { return o.redirects && o.redirect == kind }
}

// afterSilence returns a sentence on what the silence of the host means for a password that was
// sent, or "".
func (l link) afterSilence() string {
	switch l.check {
	case SignIn:
		return " The password may be right: nobody has said anything about it."
	case Device:
		return " Whether the login was carried out is not known."
	}
	return ""
}

// whenSilent returns the steps after a host gave no answer. A device login is not sent again, because
// it could make another device.
func (l link) whenSilent() []Step {
	if l.check == Device {
		return []Step{reportStep}
	}
	return []Step{
		{Text: "Check again in a minute: the host may have been busy when it was asked", Kind: StepAgain},
		reportStep,
	}
}

// limited returns the rule for a host that takes no more requests. A host that signs people in may
// only limit the attempts of this person.
func (l link) limited() rule {
	r := rule{
		code: ServiceFailing, state: Unknown, scope: ofHost, claims: sure(factHostUp),
		cause: cause{id: "too-many-requests", title: "Too many requests"},
		when:  l.busy,
		what:  "{Place} does not take more requests at the moment ({answer})[, and asks to wait {wait}][: {said}].[ {works}.]",
		known: "The host limits how much it is asked. It says nothing about the person.",
		next: []Step{
			{Text: "[Wait {wait}, then check again: the host limits how much it is asked]", Kind: StepAgain},
			{Text: "Check again in a minute: the host limits how much it is asked", Kind: StepAgain},
		},
		user: "The service does not take more requests at the moment[, and asks to wait {wait}]." + userWorks + " We will check again then and call you back.",
	}
	if l.check != SignIn && l.check != Device {
		return r
	}
	r.cause = cause{id: "too-many-attempts", title: api.ReasonTooMany.Advice().Title}
	r.what = "{Place} does not take more requests or attempts to sign in at the moment ({answer})[, and asks to wait {wait}][: {said}].[ {works}.]"
	r.known = "The host limits requests or attempts: all of them, those from here, or those for this account. It says nothing about the password, and not that the account is locked."
	r.next = []Step{
		{Text: "[Wait {wait}, then check again once: more attempts may lengthen the wait]", Kind: StepAgain},
		{Text: "Wait as long as the service says, or some minutes, then check again once: more attempts may lengthen the wait", Kind: StepAgain},
	}
	r.user = "The service does not take more attempts to sign in at the moment[, and asks to wait {wait}]." + userWorks + " Please do not try again until then."
	return r
}

// troubleRules returns the rules for a host that does not do what a link of the chain needs.
func troubleRules(l link) []rule {
	return slices.Concat(
		certificateRules(l),
		l.unreached(),
		l.unanswered(),
		[]rule{l.limited()},
		l.failing(),
		l.answeredElse(),
	)
}

// unreached returns the rules for a host to which no connection came about.
func (l link) unreached() []rule {
	unreached := rule{
		code: l.code, state: Fail, scope: ofHost,
		claims: perhaps(nil, factHostDown, factNetworkHere),
		when:   l.met(outcomeNoWay),
		what:   "{Place} cannot be reached from here: {reason}[ ({address})].[ {works}.]",
		known:  "No connection to {host} came about. This check asked from this network alone; whether other networks reach it is not known.[ {only-ipv6}.][ {private} is a private address, which is reached only inside its own network.]",
		next:   []Step{do("[If {private} is in a network of your organisation, connect to that, as over a VPN, then check again]"), do("Check {key} in the profile"), tryElsewhere, reportStep},
		user:   "We cannot reach part of the service from here." + userWorks + " We will find out why and call you back.",
	}
	noName := unreached
	noName.when = where(unreached.when, func(_ *scene, o *observation) bool { return o.cause.IsOfName() })
	noName.what = "{Place} cannot be reached: {reason}.[ {works}.]"
	noName.known = "The name servers that this machine asks know no address for the name, neither of IPv4 nor of IPv6: there is no host with this name, or no address was entered for it. It was asked for as it stands, without a search domain."
	noName.next = []Step{do("Check {key} in the profile, and the spelling of the domain"), reportStep}
	noHost := noName
	noHost.when = where(unreached.when, withCause(api.CauseNoHost))
	noHost.known = "The name servers that this machine asks answer that there is no such name (NXDOMAIN). It was asked for as it stands, without a search domain."
	noAddress := noName
	noAddress.when = where(unreached.when, withCause(api.CauseNoAddress))
	noAddress.known = "The name servers that this machine asks answer that the name exists, with no address of IPv4 or of IPv6: none was entered, or these name servers hold it back."
	noAddress.next = []Step{tryElsewhere, {Text: "Report it to the operator of {operator}, with the id of this report: {host} needs an address in the name servers", Kind: StepReport}}
	nameFault := noName
	nameFault.when = where(unreached.when, func(_ *scene, o *observation) bool {
		return o.cause == api.CauseNameFault || o.cause == api.CauseNameRefused
	})
	nameFault.known = "The name servers that this machine asks answered for other hosts, and not for this one: either they, or those of the domain, are at fault."
	nameFault.next = []Step{tryElsewhere, do("Check the name servers of this machine"), {Text: "Report it to the operator of {operator}, with the id of this report: the entries of the domain in the name servers may be damaged", Kind: StepReport}}
	byProxy := unreached
	byProxy.when = l.met(outcomeProxy)
	byProxy.what = "{Place} cannot be reached through {proxy}: {reason}.[ {works}.]"
	byProxy.known = "The proxy answered that it could not reach the host. Whether the proxy or the host is at fault is not known."
	byProxy.next = []Step{tryElsewhere, do("Ask the administrator of the proxy whether it reaches {host}"), reportStep}
	handshake := unreached
	handshake.when = l.met(outcomeHandshake)
	handshake.what = "{Place} was connected[ at {address}], and no secure connection came about: {reason}.[ {works}.]"
	handshake.known = "The TLS handshake failed, so Gatehouse sent no request. Some firewalls end connections in this way, by the name that is asked for."
	handshake.next = []Step{tryElsewhere, do("Check {key} in the profile: the host or its port may be wrong"), reportStep}
	clientCertificate := handshake
	clientCertificate.when = where(handshake.when, withCause(api.CauseClientCertificate))
	clientCertificate.known = "The TLS handshake failed, so Gatehouse sent no request. Hosts ask for such a certificate where only certain programs or machines may connect."
	clientCertificate.next = []Step{do("Check {key} in the profile: {host} may be for other programs"), reportStep}
	oldTLS := handshake
	oldTLS.when = where(handshake.when, withCause(api.CauseOldTLS))
	oldTLS.known = "The TLS handshake failed, so Gatehouse sent no request. A proxy or a filter in between may be what speaks an old version."
	oldTLS.next = []Step{{Text: "Ask the operator of {operator} to offer TLS 1.2 or newer at {host}, with the id of this report", Kind: StepReport}, tryElsewhere}
	return []rule{
		clientCertificate,
		oldTLS,
		noHost,
		noAddress,
		nameFault,
		noName,
		unreached,
		byProxy,
		handshake,
	}
}

// unanswered returns the rules for a host that was connected and gave no answer, or only part of one.
func (l link) unanswered() []rule {
	return []rule{
		{
			code: ServiceFailing, state: Fail, scope: ofHost,
			claims: perhaps(nil, factHostDown, factNetworkHere),
			cause:  cause{id: "answer-broken-off", title: "Answer broken off"},
			when:   where(l.met(outcomeSilent, outcomeDropped), func(_ *scene, o *observation) bool { return o.cut }),
			what:   "{Place} began to answer " + l.what + ", and did not finish[ within {patience}][: {broken-off}].[ {works}.]",
			known:  "Part of the answer came[, from {address}], and not its end. The host may have stopped, or something in between.",
			next:   []Step{tryElsewhere, reportStep},
			user:   userHost,
		},
		{
			code: ServiceFailing, state: Fail, scope: ofHost, claims: perhaps(nil, factHostDown),
			cause: cause{id: "no-answer-in-time", title: "No answer in time"},
			when:  l.met(outcomeSilent),
			what:  "{Place} gave no answer to " + l.what + " within {silence}.[ {works}.]",
			known: "A connection to the host came about[, at {address}]; the answer did not." + l.afterSilence(),
			next:  l.whenSilent(),
			user:  userHost,
		},
		{
			code: ServiceFailing, state: Fail, scope: ofHost, claims: perhaps(nil, factHostDown),
			when:  l.met(outcomeDropped),
			what:  "{Place} was connected and did not answer " + l.what + ": {reason}.[ {works}.]",
			known: "A connection came about[, at {address}], and ended without an answer.",
			next:  []Step{tryElsewhere, reportStep},
			user:  userHost,
		},
	}
}

// failing returns the rules for a host that answers with an error of its own.
func (l link) failing() []rule {
	return []rule{
		{
			code: ServiceFailing, state: Fail, scope: ofHost, claims: sure(factHostDown),
			cause: cause{id: "maintenance", title: "Maintenance"},
			when: where(
				l.met(outcomeFailing, outcomeForeign, outcomeMissing, outcomeRefused),
				because(api.ReasonMaintenance),
			),
			what:  "{Place} says that it is being worked on[: {said}][, and asks to wait {wait}].[ {works}.]",
			known: "This is what the host answered to " + l.what + "[ ({status})].",
			next:  []Step{do("Wait until the maintenance has ended, or ask the operator of {operator} how long it takes")},
			user:  userMaintenance + userWorks + " Please try again later.",
		},
		{
			code: ServiceFailing, state: Fail, scope: ofHost, claims: sure(factHostDown),
			when:  where(l.met(outcomeFailing), func(_ *scene, o *observation) bool { return o.elsewhere }),
			what:  "{Place} has {reason}.[ {works}.]",
			known: "These requests carried no credentials, so the person's account is not the cause.",
			next:  []Step{reportStep},
			user:  userHost,
		},
		{
			code: ServiceFailing, state: Fail, scope: ofHost, claims: sure(factHostDown),
			when:  l.met(outcomeFailing),
			what:  "{Place} fails: it answers " + l.what + " with {answer}[ and says: {said}].[ {works}.]",
			known: "This is an error of the host itself. It says nothing about the person.[ It asks to wait {wait}.]",
			next:  []Step{reportStep},
			user:  userHost,
		},
	}
}

// answeredElse returns the rules for a host that answers with something other than what it was
// asked for: a redirect, a page, nothing at this address, or a refusal.
func (l link) answeredElse() []rule {
	return []rule{
		{
			code: ServiceFailing, state: Fail, scope: ofHost, claims: sure(factHostDown),
			cause: cause{id: "redirected-to-http", title: "Redirected to http"},
			when:  where(l.met(outcomeForeign), redirected(api.RedirectToHTTP)),
			what:  "{Place} {reason}: that address is not encrypted.[ {works}.]",
			known: "Gatehouse sends passwords and tokens only over https.",
			next:  []Step{{Text: "Report it to the operator of {operator}, with the id of this report: the redirect has to lead to https", Kind: StepReport}},
			user:  userHost,
		},
		{
			code: ServiceFailing, state: Fail, scope: ofHost, claims: sure(factHostDown),
			cause: cause{id: "redirected-to-page", title: "Redirected to another page"},
			when:  where(l.met(outcomeForeign), redirected(api.RedirectWithin)),
			what:  "{Place} answers " + l.what + " with a redirect of its own: it {reason}.[ {works}.]",
			known: "A request with a password is sent once, and no redirect is followed with it. Sites lead to their sign-in page so, where a browser is expected.",
			next:  []Step{do("Check {key} in the profile"), do("Ask the operator of {operator} whether programs may sign in there with a password"), reportStep},
			user:  userHost,
		},
		{
			code: ServiceFailing, state: Fail, scope: ofHost, claims: sure(factHostDown),
			cause: foreignAnswer,
			when:  where(l.met(outcomeForeign), func(_ *scene, o *observation) bool { return o.redirects }),
			what:  "{Place} {reason}.[ {works}.]",
			known: "Passwords and tokens go only to the hosts that the profile names.",
			next:  []Step{do("If the new address is right, put it into {key} of the profile"), reportStep},
			user:  userHost,
		},
		{
			code: ServiceFailing, state: Fail, scope: ofHost, claims: sure(factHostDown),
			cause: foreignAnswer,
			when:  l.met(outcomeForeign),
			what:  "{Place} {reason}[, titled {page-title}][: {told}].[ {works}.]",
			known: "The answer to " + l.what + " is not what the service's documentation promises.",
			next:  []Step{do("Check that {key} of the profile is the address of the service"), reportStep},
			user:  userHost,
		},
		{
			code: ServiceFailing, state: Fail, scope: ofHost,
			claims: perhaps(sure(factHostUp), factNetworkHere),
			when:   where(l.met(outcomeMissing), func(*scene, *observation) bool { return l.what != harmless }),
			what:   "{Place} answers, and has nothing at the address that was asked for " + l.what + " ({answer})[: {said}].[ {works}.]",
			known:  "A host that does this work answers something else.",
			next:   []Step{do("Check {key} in the profile"), reportStep},
			user:   "Part of the service does not answer us as it should." + userWorks + " We will find out why and call you back.",
		},
		{
			code: ServiceFailing, state: Fail, scope: ofHost, claims: sure(factHostUp),
			when: where(l.met(outcomeRefused), func(*scene, *observation) bool {
				return l.check == Lookup || l.check == Device
			}),
			what:  "{Place} refuses " + l.what + " ({answer})[ and says: {said}].[ {works}.]",
			known: "The service's documentation explains no such refusal.",
			next:  []Step{reportStep},
			user:  "The service refuses to answer about your account[ and says: {said}]." + userWorks + " We will ask its operator for the reason and call you back.",
		},
	}
}
