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
		code: Certificate, state: Fail, scope: always(ScopeInstallation),
		claims: perhaps(sure(factCertificate), factNetworkHere),
		cause:  cause{id: "all-certificates-expired", title: "Certificates expired"},
		when:   func(s *scene) (Check, bool) { return s.certificatesOutOfTime((*scene).expiredTogether) },
		what:   "The certificates of all hosts that were asked expired[ on {certificate-time}].",
		known:  "They ended at the same time, as those do that are renewed together. If others reach the service without a warning, the clock of this machine is wrong.",
		next:   say("Check the clock of this machine; if it is wrong, set it and check again", "If it is right, ask the operator of the service to renew the certificates"),
		user:   userCertificate,
	},
	{
		code: Certificate, state: Fail, scope: always(ScopeHere),
		claims: perhaps(nil, factNetworkHere),
		cause:  cause{id: "all-certificates-out-of-time", title: "Certificates out of time"},
		when:   func(s *scene) (Check, bool) { return s.certificatesOutOfTime(nil) },
		what:   "The certificates of all hosts are expired or not valid yet, by the clock of this machine ({host}: {reason}).",
		known:  "Every host that was asked shows such a certificate. If they are not all wrong, the clock of this machine is.",
		next:   say("Check the clock of this machine, then check again", "If the clock is right, report it to the operator of the service, with the id of this report"),
		user:   userNotFromHere,
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
		code: Network, state: Fail, scope: always(ScopeHere),
		claims: perhaps(nil, factNetworkHere, factHostDown),
		cause:  cause{id: "name-blocked", title: "Name blocked"},
		when: func(s *scene) (Check, bool) {
			return s.onTheWay(func(c Check) bool { return c.seen().outcome == outcomeNoWay && leadsNowhere(c) })
		},
		what:  "The name {host} leads to {address}, which is no address of a host elsewhere: a filter of names in this network may block it.[ {works}.]",
		known: "Filters answer so for the names that they block. No connection to {host} came about.",
		next:  []Step{do("Ask the administrator of this network, or of its name servers, whether {host} is blocked"), tryElsewhere, do("If other networks get the same address, report it to the operator of {operator}, with the id of this report")},
		user:  userNotFromHere,
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere),
		claims: perhaps(nil, factNetworkHere, factHostDown),
		cause:  cause{id: "no-secure-connection", title: "No secure connection from here"},
		when:   func(s *scene) (Check, bool) { return s.noneSecure() },
		what:   "No secure connection to any host of the service comes about from here: {reason} ({host}[, {address}]).",
		known:  "Several hosts were connected, and the TLS handshake failed with each: something between here and the service is probably the cause, such as the sign-in page or a firewall of this network. Nothing was sent.",
		next: []Step{
			do("If this is a guest network, open any page in a browser and sign in to the network there, then check again"),
			tryElsewhere, do("If other networks have the same trouble, report it to the operator of the service, with the id of this report"),
		},
		user: userInBetween,
	},
	{
		code: Network, state: Fail, scope: always(ScopeHere),
		claims: perhaps(nil, factNetworkHere, factHostDown),
		cause:  cause{id: "proxy-reaches-nothing", title: "A proxy reaches no host"},
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
		code: ServiceFailing, state: Fail, scope: always(ScopeInstallation),
		claims: sure(factHostDown),
		cause:  cause{id: "service-maintenance", title: "Maintenance of the service"},
		when:   func(s *scene) (Check, bool) { return s.maintenanceEverywhere() },
		what:   "The whole service says that it is being worked on[: {said}][, and asks to wait {wait}].",
		known:  "All parts of the service that were asked fail, and those that say why say the same. It says nothing about the person.",
		next:   []Step{do("Wait until the maintenance has ended, or ask the operator of the service how long it takes")},
		user:   userMaintenance + " Please try again later.",
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

// onTheWay returns the first check that matches and that has to work for the person to get in. If
// the person gets in, there is none.
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
