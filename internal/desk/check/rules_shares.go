package check

import (
	"net/http"
	"slices"

	"gatehouse/api"
)

// accessRefused returns the condition that the gateway of the wanted domain refused the token, and
// also holds.
func accessRefused(also predicate) condition {
	return where(link{check: wantedShares}.met(outcomeRefused), also)
}

// hasStatus reports whether a host answered with a status of HTTP.
func hasStatus(status int) predicate {
	return func(_ *scene, o *observation) bool { return o.probe.Status == status }
}

// refusesEverybody reports whether a gateway refuses requests without a token in the same way.
func refusesEverybody(_ *scene, o *observation) bool {
	return o.probe.Status == http.StatusForbidden && o.StatusWithoutToken == o.probe.Status
}

// saysWhy reports whether a gateway gives a reason in its own words, other than maintenance.
func saysWhy(o *observation) bool {
	return o.sentence() != "" && o.reason != api.ReasonMaintenance
}

// ofPersonOrDomain returns the scope of a refusal: the scope of the host if others are refused in the
// same way, or else the person.
func ofPersonOrDomain(s *scene, c Check) Scope {
	if slices.Contains(s.seen(Control).FailsToo, c.ID) || refusesEverybody(s, c.seen()) {
		return s.hostScope(c)
	}
	return ScopePerson
}

// Response codes of an envelope, as public clients of such services have seen them.
const (
	codeDenied   = "0"
	codeNoServer = "8"
)

// hasResponseCode reports whether the envelope of an answer has a code, and its words do not say that
// the service is being maintained.
func hasResponseCode(code string) predicate {
	return func(_ *scene, o *observation) bool {
		return o.ResponseCode == code && o.reason != api.ReasonMaintenance
	}
}

// fewerScopes is added if the token of a refused request has fewer scopes than the profile asks for, or
// is of another address.
const fewerScopes = ofOther + "[ The token is not for {missing}, which the profile asks for: that may be the reason.]"

// ofOther is added if the token of a refused request is of another address.
const ofOther = "[ The token names another address, {subject}, and the refusal may be about that one.]"

var askForScopes = do("[Ask the operator of the authority why the client is not granted {missing}]")

// barredFromShares returns the rules for a gateway whose words give a reason. A gateway without words
// is judged by its status.
func barredFromShares() (list []rule) {
	for _, bar := range bars {
		reason, advice := bar.reason, bar.reason.Advice()
		scope := ofPersonOrDomain
		if reason == api.ReasonPlace {
			scope = always(ScopeHere)
		}
		list = append(list, rule{
			code: NoAccess, state: Fail, scope: scope, cause: bar.cause(),
			claims: sure(factPasswordRight),
			when:   accessRefused(because(reason)),
			what:   "{host} refuses {email} the shares in {domain} and says: {said}.[ {works}.]",
			known:  "The token was issued just now; the gateway answered {answer}. The words are the service's own." + ofOther,
			next:   []Step{{said: plain(advice.Next)}, do("Ask an administrator of {domain} about what the service says")},
			user:   "Your password is correct, but {domain} does not let you in and says: {said}.[ Your account works at {domains-read}.] An administrator of {domain} can help.",
		})
	}
	return list
}

// shareRules are the rules for a gateway that does not let the person read their shares.
var shareRules = slices.Concat([]rule{
	{
		code: Clock, state: Fail, scope: ofHost,
		claims: perhaps(sure(factPasswordRight), factHostDown),
		cause:  cause{id: "clock-of-gateway", title: "Clock of the gateway wrong"},
		when: accessRefused(func(s *scene, o *observation) bool {
			_, off := clockOff(o)
			return o.probe.Status == http.StatusUnauthorized && off
		}),
		what:  "{host} does not accept the token of {email} ({answer})[ and says: {said}]; its clock is {skew} the clock of this machine, so the token may look expired or not yet valid there.",
		known: "The token was issued just now. The difference is taken from the Date header of the gateway.",
		next:  say("Compare the clock of this machine with another one. If this machine is right, ask the operator of {operator} to correct the clock of {host}"),
		user:  "Your password is correct, but {domain} does not accept your sign-in, perhaps because its clock is wrong. We will report it.",
	},
	{
		code: NoAccess, state: Fail, scope: ofPersonOrDomain,
		claims: perhaps(sure(factPasswordRight), factHostDown, factTokenWrong),
		when:   accessRefused(hasStatus(http.StatusUnauthorized)),
		what:   "{host} does not accept the token of {email} for {domain} ({answer})[ and says: {said}], although it was issued just now.[ {works}.]",
		known:  "According to the service's documentation, section 7, 401 means that a token has expired or is invalid.[ Without a token the gateway answers {without-token}.]" + fewerScopes,
		next:   []Step{askForScopes, {Text: "Report it to the operator of {domain}, with the id of this report: the gateway does not accept the authority's token", Kind: StepReport}},
		user:   "Your password is correct, but {domain} does not accept your sign-in. We will report it.",
	},
	{
		code: NoAccess, state: Fail, scope: ofPersonOrDomain,
		claims: perhaps(sure(factPasswordRight, factOthersToo), factNetworkHere),
		cause:  cause{id: "refused-for-everybody", title: "Refused for everybody here"},
		when:   accessRefused(refusesEverybody),
		what:   "{host} refuses access to {domain} ({answer}), with the token of {email} and without a token[; it says: {said}].[ {works}.]",
		known:  "Gatehouse asked the gateway with and without credentials just now.",
		next:   say("Ask the operator of {domain} whether the gateway refuses this network, or all requests"),
		user:   "Your password is correct, but {domain} refuses all requests from here at the moment[ and says: {said}]. We will report it.",
	},
	{
		code: NoAccess, state: Fail, scope: ofPersonOrDomain,
		claims: perhaps(sure(factPasswordRight), factNoAccess),
		when:   accessRefused(func(_ *scene, o *observation) bool { return o.emptied }),
		what:   "{host} answers the list of shares of {email} in {domain} with an empty list and says: {said}[{bare-code}]. It probably refuses access.[ {works}.]",
		known:  "The token was issued just now. The answer has no response code, so its words alone show a refusal.[ Without a token the gateway answers {without-token}.]" + fewerScopes,
		next:   []Step{do("Ask an administrator of {domain} about what the service says, and whether {email} should have access"), askForScopes},
		user:   "Your password is correct, but {domain} shows no shares[ and says: {said}].[ Your account works at {domains-read}.] An administrator of {domain} can help.",
	},
	{
		code: ServiceFailing, state: Fail, scope: ofPersonOrDomain,
		claims: perhaps(sure(factPasswordRight), factHostDown, factTokenWrong),
		cause:  cause{id: "request-too-large", title: api.ReasonTooLarge.Advice().Title},
		when:   accessRefused(because(api.ReasonTooLarge)),
		what:   "{host} finds the request for the shares of {email} in {domain} too large ({answer})[ and says: {said}]: it does not read as long headers as the token makes.[ {works}.]",
		known:  "The token is the only long header of the request. A token grows with the domains and groups that it names, so that others may get in.",
		next:   []Step{{said: plain(api.ReasonTooLarge.Advice().Next)}, reportStep},
		user:   "Your password is correct, but {domain} cannot read what the service sends with your account, which is not your mistake.[ Your account works at {domains-read}.] We will report it and call you back.",
	},
}, barredFromShares(), []rule{
	{
		code: NoAccess, state: Fail, scope: always(ScopeNone),
		claims: perhaps(sure(factPasswordRight), factNoAccess, factNetworkHere),
		cause:  refusedByPage,
		when: accessRefused(func(_ *scene, o *observation) bool {
			return o.page && o.probe.Status != http.StatusUnauthorized && o.reason == api.ReasonNone
		}),
		what:  "{host} answers the list of shares of {email} in {domain} with a page ({answer})[, titled {said}], and not as a gateway does: the gateway may have refused it, or something in between, such as a filter.[ {works}.]",
		known: "The token was issued just now.[ Without a token the gateway answers {without-token}.] A gateway answers a program in JSON; who wrote this page is not known." + fewerScopes,
		next: []Step{
			tryElsewhere, do("Ask an administrator of {domain} whether {email} should have access"),
			{Text: "Report it to the operator of {operator}, with the id of this report and the title of the page", Kind: StepReport},
		},
		user: "Your password is correct, but something refuses to show your shares at {domain}. We will find out what it is and call you back.",
	},
	{
		code: ServiceFailing, state: Fail, scope: ofHost, claims: sure(factPasswordRight),
		when:  accessRefused(hasResponseCode(codeNoServer)),
		what:  "{host} could not give {email} the shares in {domain} ({answer})[ and says: {said}].[ {works}.]",
		known: "Services of this kind send this code where they fail to talk to another server. It says nothing about the person.",
		next:  []Step{reportStep},
		user:  userHost,
	},
	{
		code: ServiceFailing, state: Fail, scope: ofPersonOrDomain, claims: sure(factPasswordRight),
		cause: undocumentedRefusal,
		when: accessRefused(func(_ *scene, o *observation) bool {
			isUndocumented := o.ResponseCode != "" && o.ResponseCode != codeDenied
			return isUndocumented && saysWhy(o)
		}),
		what:  "{host} does not give {email} the shares in {domain} ({answer}) and says: {said}.[ {works}.]",
		known: "The token was issued just now. The service's documentation does not explain the code; Gatehouse repeats the words of the service and does not interpret them." + ofOther,
		next:  say("Ask an administrator of {domain} about what the service says, with the id of this report"),
		user:  "Your password is correct, but {domain} does not show your shares and says: {said}. We will ask what that means and call you back.",
	},
	{
		code: NoAccess, state: Fail, scope: ofPersonOrDomain, claims: sure(factPasswordRight),
		when:  accessRefused(func(_ *scene, o *observation) bool { return saysWhy(o) }),
		what:  "{host} refuses {email} the shares in {domain} ({answer}) and says: {said}.[ {works}.]",
		known: "The token was issued just now.[ Without a token the gateway answers {without-token}.] Gatehouse repeats the words of the service and does not interpret them." + fewerScopes,
		next:  []Step{do("Ask an administrator of {domain} about what the service says, and whether {email} should have access"), askForScopes},
		user:  "Your password is correct, but {domain} does not let you in and says: {said}.[ Your account works at {domains-read}.] An administrator of {domain} can help.",
	},
	{
		code: NoAccess, state: Fail, scope: ofPersonOrDomain,
		claims: perhaps(sure(factPasswordRight), factNoAccess),
		when: accessRefused(func(_ *scene, o *observation) bool {
			return o.probe.Status == http.StatusForbidden || o.inBody
		}),
		what:  "{host} answers, but refuses {email} access to {domain} ({answer})[: {bare-code}].[ {works}.]",
		known: "The token was issued just now.[ Without a token the gateway answers {without-token}.] The service's documentation does not explain this refusal." + fewerScopes,
		next:  []Step{do("Ask an administrator of {domain} whether {email} should have access"), askForScopes},
		user:  "Your password is correct, but {domain} does not give your account access.[ Your account works at {domains-read}.] We will find out with an administrator of that domain why, and call you back.",
	},
	{
		code: ServiceFailing, state: Fail, claims: sure(factPasswordRight, factHostUp),
		cause: cause{id: "nothing-found-by-gateway", title: "Nothing found by the gateway"},
		when: where(link{check: wantedShares}.met(outcomeMissing), func(_ *scene, o *observation) bool {
			return o.sentence() != "" && !o.page && o.reason != api.ReasonMaintenance
		}),
		what:  "{host} answers the list of shares of {email} in {domain} with {answer} and says: {said}.[ {works}.]",
		known: "The token was issued just now. This is about the person, or about the URL in base_url of the profile: Gatehouse repeats the words of the service and does not interpret them." + ofOther,
		next:  say("Ask an administrator of {domain} about what the service says", "If others fail in the same way, check base_url in the profile"),
		user:  "Your password is correct, but {domain} does not show your shares and says: {said}. We will ask what that means and call you back.",
	},
	{
		code: ServiceFailing, state: Fail, scope: ofPersonOrDomain, claims: sure(factPasswordRight),
		cause: cause{id: "message-without-list", title: "A message and no list"},
		when: where(link{check: wantedShares}.met(outcomeForeign), func(_ *scene, o *observation) bool {
			return o.noList && o.reason != api.ReasonMaintenance
		}),
		what:  "{host} answers the list of shares of {email} in {domain} with a message and no list[, and says: {said}][: {bare-code}].[ {works}.]",
		known: "The token was issued just now, and the status was one of success. Gatehouse repeats the words of the service and does not interpret them." + ofOther,
		next:  say("Ask an administrator of {domain} about what the service says, with the id of this report"),
		user:  "Your password is correct, but {domain} does not show your shares[ and says: {said}]. We will ask what that means and call you back.",
	},
	{
		code: ServiceFailing, state: Fail, scope: ofPersonOrDomain, claims: sure(factPasswordRight),
		cause: undocumentedRefusal,
		when:  accessRefused(func(_ *scene, o *observation) bool { return o.reason != api.ReasonMaintenance }),
		what:  "{host} refuses the list of shares of {email} in {domain} ({answer})[: {bare-code}] and gives no reason.[ {works}.]",
		known: "The token was issued just now.[ Without a token the gateway answers {without-token}.] The service's documentation does not explain this answer." + ofOther,
		next:  []Step{reportStep},
		user:  "Your password is correct, but {domain} does not answer as it should. We will report it and call you back.",
	},
})
