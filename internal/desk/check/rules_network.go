package check

import (
	"net/http"
	"net/netip"
	"slices"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
)

// networkRules are the rules for what is wrong between this machine and all of the service. They
// come first: a request that reached no host says nothing about any host.
var networkRules = []rule{
	{
		code: Network, state: Fail, scope: always(ScopeHere), claims: sure(factNetworkHere),
		cause: cause{id: "network-sign-in", title: "This network asks for a sign-in"},
		when: func(s *scene) (Check, bool) {
			return s.onTheWay(func(c Check) bool { return c.seen().outcome == outcomePortal })
		},
		what:  "This network asks for a sign-in before it lets anything through ({answer})[: {said}].",
		known: "Status 511 comes from a network, not from the service (RFC 6585, section 6).",
		next:  []Step{do("Open any page in a browser, sign in to the network there, then check again"), tryElsewhere},
		user:  "The network that we checked from asks for a sign-in of its own first, so we cannot tell what is wrong yet. If you are in it, too, please open any page in your browser and sign in to the network there.",
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere), claims: sure(factNetworkHere),
		cause: cause{id: "answered-in-between", title: "Something in between answers for the service"},
		when:  func(s *scene) (Check, bool) { return s.stranger(sameCertificate) },
		what:  "Several hosts of the service show a certificate of the same stranger[, for {certificate-names}][, signed by {certificate-signer}]: something between here and the service answers for them.",
		known: "Gatehouse refused these certificates and sent nothing. Hosts of different names do not share a certificate that fits none of them. This may be the sign-in page of this network, or a filter in it.",
		next: say(
			"If this is a guest network, open any page in a browser and sign in to the network there, then check again",
			"Check from another network",
		),
		user: userInBetween,
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere), claims: perhaps(nil, factNetworkHere),
		cause: cause{id: "signed-by-stranger", title: "Signed by a stranger"},
		when:  func(s *scene) (Check, bool) { return s.stranger(sameSigner) },
		what:  "The certificates of several hosts of the service are signed by the same authority, which this machine does not know[: {certificate-signer}].",
		known: "Gatehouse refused these certificates and sent nothing. Either something in this network decrypts connections, such as a proxy or a filter, or the service has a certificate authority of its own.",
		next: say(
			"If a proxy of your organisation decrypts connections, or the service has its own certificate authority, name its certificate in ca_file of the profile",
			"If you know of neither, do not trust it: check from another network",
		),
		user: userInBetween,
	},
	{
		code: Certificate, state: Fail, scope: always(ScopeInstallation), claims: perhaps(sure(factCertificate), factNetworkHere),
		cause: cause{id: "all-certificates-expired", title: "Certificates expired"},
		when:  func(s *scene) (Check, bool) { return s.certificatesOutOfTime((*scene).expiredTogether) },
		what:  "The certificates of all hosts that were asked expired[ on {certificate-time}].",
		known: "They ended at the same time, as those do that are renewed together. If others reach the service without a warning, the clock of this machine is wrong.",
		next:  say("Check the clock of this machine; if it is wrong, set it and check again", "If it is right, ask the operator of the service to renew the certificates"),
		user:  userCertificate,
	},
	{
		code: Certificate, state: Fail, scope: always(ScopeHere), claims: perhaps(nil, factNetworkHere),
		cause: cause{id: "all-certificates-out-of-time", title: "Certificates out of time"},
		when:  func(s *scene) (Check, bool) { return s.certificatesOutOfTime(nil) },
		what:  "The certificates of all hosts are expired or not valid yet, by the clock of this machine ({host}: {reason}).",
		known: "Every host that was asked shows such a certificate. If they are not all wrong, the clock of this machine is.",
		next:  say("Check the clock of this machine, then check again", "If the clock is right, report it to the operator of the service, with the id of this report"),
		user:  userNotFromHere,
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere), claims: sure(factNetworkHere),
		cause: cause{id: "proxy-unreachable", title: "Proxy unreachable"},
		when:  byProxy(func(o *observation) bool { return o.way.Proxy != nil && o.way.Proxy.Cause != api.CauseOther }),
		what:  "{Proxy-name}, through which this machine is set to reach {host}, cannot be reached: {proxy-fault}.[ {works}.]",
		known: "Nothing reached the service.",
		next: say(
			"Check HTTPS_PROXY: the proxy may have another name or port now. NO_PROXY names hosts that need no proxy",
			"Ask the administrator of this network which proxy to use",
		),
		user: userNotFromHere,
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere), claims: sure(factNetworkHere),
		cause: cause{id: "proxy-asks-sign-in", title: "A proxy asks for a sign-in"},
		when:  byProxy(proxySays(api.ProxySignInMissing)),
		what:  "{Proxy-name} asks for a user name and a password before it lets Gatehouse reach {host}: {proxy-reply}.[ {works}.]",
		known: "The request went to the proxy that HTTPS_PROXY names and no further. Nothing reached the service.",
		next: say(
			"Put a user name and a password for the proxy into HTTPS_PROXY, as {proxy-kind}://USER:PASSWORD@HOST:PORT",
			"If you have none, ask the administrator of the proxy",
		),
		user: userNotFromHere,
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere), claims: sure(factNetworkHere),
		cause: cause{id: "proxy-rejects-sign-in", title: "A proxy rejects the sign-in"},
		when:  byProxy(proxySays(api.ProxySignInRejected)),
		what:  "{Proxy-name} does not accept the user name and the password that it gets from Gatehouse, and does not let it reach {host}: {proxy-reply}.[ {works}.]",
		known: "The request went to the proxy that HTTPS_PROXY names, with the user name and the password of that setting, and no further. Nothing reached the service.",
		next: say(
			"Correct the user name and the password in HTTPS_PROXY, as {proxy-kind}://USER:PASSWORD@HOST:PORT",
			"Ask the administrator of the proxy whether it takes a password at all, or wants another way of signing in",
		),
		user: userNotFromHere,
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere), claims: sure(factNetworkHere),
		cause: cause{id: "proxy-refuses", title: "A proxy refuses"},
		when:  byProxy(func(o *observation) bool { return !proxyPassesBlame(o) }),
		what:  "{Proxy-name} does not let Gatehouse reach {host}: {proxy-reply}.[ {works}.]",
		known: "The request went to the proxy that HTTPS_PROXY names and no further. Nothing reached the service.",
		next: say(
			"Check HTTPS_PROXY, with a user name and a password if the proxy asks for them, and NO_PROXY for hosts that need no proxy",
			"Ask the administrator of the proxy to let requests to {host} through",
		),
		user: userNotFromHere,
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere), claims: perhaps(nil, factNetworkHere, factHostDown),
		cause: cause{id: "name-blocked", title: "Name blocked"},
		when: func(s *scene) (Check, bool) {
			return s.onTheWay(func(c Check) bool { return c.seen().outcome == outcomeNoWay && leadsNowhere(c) })
		},
		what:  "The name {host} leads to {address}, which is no address of a host elsewhere: a filter of names in this network may block it.[ {works}.]",
		known: "Filters answer so for the names that they block. No connection to {host} came about.",
		next:  []Step{do("Ask the administrator of this network, or of its name servers, whether {host} is blocked"), tryElsewhere, do("If other networks get the same address, report it to the operator of {operator}, with the id of this report")},
		user:  userNotFromHere,
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere), claims: perhaps(nil, factNetworkHere, factHostDown),
		cause: cause{id: "no-secure-connection", title: "No secure connection from here"},
		when:  func(s *scene) (Check, bool) { return s.noneSecure() },
		what:  "No secure connection to any host of the service comes about from here: {reason} ({host}[, {address}]).",
		known: "Several hosts were connected, and the TLS handshake failed with each: something between here and the service is probably the cause, such as the sign-in page or a firewall of this network. Nothing was sent.",
		next: []Step{
			do("If this is a guest network, open any page in a browser and sign in to the network there, then check again"),
			tryElsewhere, do("If other networks have the same trouble, report it to the operator of the service, with the id of this report"),
		},
		user: userInBetween,
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere), claims: perhaps(nil, factNetworkHere, factHostDown),
		cause: cause{id: "proxy-reaches-nothing", title: "A proxy reaches no host"},
		when: func(s *scene) (Check, bool) {
			c, found := s.nothingReachable()
			return c, found && c.seen().outcome == outcomeProxy
		},
		what:  "{Proxy-name} reaches no host of the service that was asked for: for {host}, {proxy-reply}.",
		known: "The requests went to the proxy that HTTPS_PROXY names. It says that it could not reach the hosts, so the cause is probably the proxy or what lies behind it.",
		next: []Step{
			do("Ask the administrator of the proxy whether it reaches {host}"),
			do("Check HTTPS_PROXY, and NO_PROXY for hosts that need no proxy"),
			tryElsewhere,
		},
		user: userNotFromHere,
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere), claims: sure(factNetworkHere),
		cause: cause{id: "nothing-reachable", title: "Nothing reachable from here"},
		when:  func(s *scene) (Check, bool) { return s.nothingReachable() },
		what:  "No host of the service can be reached from here: {reason} ({host}[, {address}]).",
		known: "No connection to any host came about, so this says nothing about the service or the person.[ The requests went through {proxy}.]",
		next: []Step{
			do("Check the network and the name servers of this machine, and the URLs of the profile, then check again"),
			do("If this network needs a proxy, set HTTPS_PROXY to it"),
			tryElsewhere,
		},
		user: userNotFromHere,
	},
	{
		code: ServiceFailing, state: Fail, scope: always(ScopeInstallation), claims: sure(factHostDown),
		cause: cause{id: "service-maintenance", title: "Maintenance of the service"},
		when:  func(s *scene) (Check, bool) { return s.maintenanceEverywhere() },
		what:  "The whole service says that it is being worked on[: {said}][, and asks to wait {wait}].",
		known: "All parts of the service that were asked fail, and those that say why say the same. It says nothing about the person.",
		next:  []Step{do("Wait until the maintenance has ended, or ask the operator of the service how long it takes")},
		user:  userMaintenance + " Please try again later.",
	},
}

// userMaintenance is what to tell people about a service that is being worked on.
const userMaintenance = "The service says that it is being worked on at the moment[: {said-time}][, and asks to wait {wait}]."

// userInBetween is what to tell people if something is between this machine and the service.
const userInBetween = "Our network does not let us reach the service directly, so we cannot tell what is wrong yet. We will call you back."

// byProxy returns the condition that a host which the person needs was not reached because of a
// proxy, for which also holds.
func byProxy(also func(*observation) bool) condition {
	return func(s *scene) (Check, bool) {
		return s.onTheWay(func(c Check) bool {
			o := c.seen()
			return o.outcome == outcomeProxy && also(o)
		})
	}
}

// proxySays reports whether a proxy says this about the user name and the password.
func proxySays(what api.ProxySignIn) func(*observation) bool {
	return func(o *observation) bool { return o.way.Proxy != nil && o.way.Proxy.SignIn == what }
}

// leadsNowhere reports whether the name of a host has only addresses of this machine itself, or
// unspecified ones, as filters give to names that they block.
func leadsNowhere(c Check) bool {
	o := c.seen()
	isMeant := hostname.IsLoopback(nameIn(c.Host))
	if len(o.way.Dialled) == 0 || o.way.Proxy != nil || isMeant {
		return false
	}
	mayBeElsewhere := func(d api.Dialled) bool {
		to, err := netip.ParseAddrPort(d.Address)
		if err != nil {
			return true
		}
		address := to.Addr().Unmap()
		return !address.IsUnspecified() && !address.IsLoopback()
	}
	return !slices.ContainsFunc(o.way.Dialled, mayBeElsewhere)
}

// onTheWay returns the first check, of those that the person needs, that matches. If the person gets
// in, there is none.
func (s *scene) onTheWay(matches func(Check) bool) (Check, bool) {
	if s.working() != "" {
		return Check{}, false
	}
	return s.first(func(c Check) bool {
		isNeeded := !s.isMinor(c) && !s.outranked(c.ID)
		return isNeeded && matches(c)
	})
}

// first returns the first check, in causal order, that matches. It leaves out the control, which is
// about another person.
func (s *scene) first(matches func(Check) bool) (Check, bool) {
	return s.firstOfAll(func(c Check) bool { return c.ID != Control && matches(c) })
}

// firstOfAll returns the first check, in causal order, that matches. It may be the control.
func (s *scene) firstOfAll(matches func(Check) bool) (Check, bool) {
	i := slices.IndexFunc(s.checks, matches)
	if i < 0 {
		return Check{}, false
	}
	return s.checks[i], true
}

// proxyPassesBlame reports whether a proxy says that it could not reach the host itself, so that
// either may be at fault.
func proxyPassesBlame(o *observation) bool {
	statuses := []int{
		http.StatusBadGateway,
		http.StatusServiceUnavailable,
		http.StatusGatewayTimeout,
	}
	return o.way.Proxy != nil && slices.Contains(statuses, o.way.Proxy.Status)
}

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

// afterSilence returns a sentence on what the silence of the host means for a password that was sent,
// or "".
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
		code: l.code, state: Fail, scope: ofHost, claims: perhaps(nil, factHostDown, factNetworkHere),
		when:  l.met(outcomeNoWay),
		what:  "{Place} cannot be reached from here: {reason}[ ({address})].[ {works}.]",
		known: "No connection to {host} came about. This check asked from this network alone; whether other networks reach it is not known.[ {only-ipv6}.][ {private} is a private address, which is reached only inside its own network.]",
		next:  []Step{do("[If {private} is in a network of your organisation, connect to that, as over a VPN, then check again]"), do("Check {key} in the profile"), tryElsewhere, reportStep},
		user:  "We cannot reach part of the service from here." + userWorks + " We will find out why and call you back.",
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
			code: ServiceFailing, state: Fail, scope: ofHost, claims: perhaps(nil, factHostDown, factNetworkHere),
			cause: cause{id: "answer-broken-off", title: "Answer broken off"},
			when:  where(l.met(outcomeSilent, outcomeDropped), func(_ *scene, o *observation) bool { return o.cut }),
			what:  "{Place} began to answer " + l.what + ", and did not finish[ within {patience}][: {broken-off}].[ {works}.]",
			known: "Part of the answer came[, from {address}], and not its end. The host may have stopped, or something in between.",
			next:  []Step{tryElsewhere, reportStep},
			user:  userHost,
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

// answeredElse returns the rules for a host that answers with something other than what it was asked
// for: a redirect, a page, nothing at this address, or a refusal.
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
			code: ServiceFailing, state: Fail, scope: ofHost, claims: perhaps(sure(factHostUp), factNetworkHere),
			when:  where(l.met(outcomeMissing), func(*scene, *observation) bool { return l.what != harmless }),
			what:  "{Place} answers, and has nothing at the address that was asked for " + l.what + " ({answer})[: {said}].[ {works}.]",
			known: "A host that does this work answers something else.",
			next:  []Step{do("Check {key} in the profile"), reportStep},
			user:  "Part of the service does not answer us as it should." + userWorks + " We will find out why and call you back.",
		},
		{
			code: ServiceFailing, state: Fail, scope: ofHost, claims: sure(factHostUp),
			when:  where(l.met(outcomeRefused), func(*scene, *observation) bool { return l.check == Lookup || l.check == Device }),
			what:  "{Place} refuses " + l.what + " ({answer})[ and says: {said}].[ {works}.]",
			known: "The service's documentation explains no such refusal.",
			next:  []Step{reportStep},
			user:  "The service refuses to answer about your account[ and says: {said}]." + userWorks + " We will ask its operator for the reason and call you back.",
		},
	}
}
