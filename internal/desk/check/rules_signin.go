package check

import (
	"net/http"
	"slices"

	"gatehouse/api"
	"gatehouse/internal/text/problem"
)

// signInRefused returns the condition that the authority refused the sign-in, and also holds.
func signInRefused(also predicate) condition {
	return where(shows(SignIn, outcomeRefused), also)
}

// forReason returns the condition that the authority refused the sign-in for a reason.
func forReason(reason api.Reason) condition {
	return signInRefused(because(reason))
}

// because reports whether the words of the service give a reason.
func because(reason api.Reason) predicate {
	return func(_ *scene, o *observation) bool { return o.reason == reason }
}

// badToken returns the condition that the answer of the authority is as it should be, except for a
// fault of the token.
func badToken(fault api.TokenFault) condition {
	return where(shows(SignIn, outcomeForeign), func(_ *scene, o *observation) bool {
		return o.token == fault && o.reason == api.ReasonNone
	})
}

// bar is a reason, in the words of the service, that keeps a person out whatever the password is.
type bar struct {
	reason api.Reason
	id     string // of the cause
}

// cause returns the cause of a verdict with that reason.
func (b bar) cause() cause { return cause{id: b.id, title: b.reason.Advice().Title} }

// bars are all such reasons.
var bars = []bar{
	{api.ReasonLocked, "account-locked"},
	{api.ReasonPasswordEnded, "password-expired"},
	{api.ReasonSuspended, "account-suspended"},
	{api.ReasonSecondFactor, "second-factor-needed"},
	{api.ReasonSingleSignOn, "single-sign-on-needed"},
	{api.ReasonTerms, "terms-to-accept"},
	{api.ReasonCaptcha, "captcha-needed"},
	{api.ReasonUnverified, "address-not-verified"},
	{api.ReasonDevice, "device-not-trusted"},
	{api.ReasonLicence, "no-valid-licence"},
	{api.ReasonPlace, "not-allowed-from-here"},
	{api.ReasonHours, "not-allowed-at-this-time"},
}

// barredScope returns the scope of a reason. Words about where a request came from are about this
// network.
func barredScope(reason api.Reason) func(*scene, Check) Scope {
	if reason == api.ReasonPlace {
		return always(ScopeHere)
	}
	return always(ScopePerson)
}

// barredClaims returns what a verdict with that reason claims.
func barredClaims(reason api.Reason) []claim {
	if reason == api.ReasonPlace {
		return perhaps(nil, factNetworkHere)
	}
	return sure(factAccountBarred)
}

// ofService reports whether a refusal is about the service, and not about the person who asks.
func (o *observation) ofService() bool {
	return o.reason == api.ReasonMaintenance || o.reason == api.ReasonTooMany
}

// withCode returns the condition that the authority refused the sign-in with one of these OAuth
// errors (RFC 6749 section 5.2).
func withCode(codes ...string) condition {
	return signInRefused(func(_ *scene, o *observation) bool {
		return slices.Contains(codes, o.code())
	})
}

// barredRules returns the rules for reasons other than a wrong password. They come before the others:
// the words of the service decide, even if the status says that a limit was reached.
func barredRules() (list []rule) {
	for _, bar := range bars {
		reason, advice := bar.reason, bar.reason.Advice()
		list = append(list, rule{
			code: SignInRefused, state: Fail, cause: bar.cause(), scope: barredScope(reason),
			claims: barredClaims(reason),
			when:   where(shows(SignIn, outcomeRefused, outcomeBusy), because(reason)),
			what:   "{host} refuses the sign-in of {email}[ and says: {said}][ with {bare-code}].[ {works}; nothing behind the sign-in could be checked.]",
			known:  "The authority answered {answer}, and gives this reason in its own words. It does not say that the password is wrong.",
			next:   []Step{{said: plain(advice.Next)}},
			user:   advice.User + "[ It says: {said}.]",
		})
	}
	return list
}

// signInRules are the rules for a sign-in that the authority refused.
var signInRules = append(barredRules(), []rule{
	{
		code: UnknownAddress, state: Fail,
		claims: perhaps(sure(factLookupWrong), factPasswordWrong),
		when: func(s *scene) (Check, bool) {
			lookup := s.of(Lookup)
			o := lookup.seen()
			findsNothing := o.outcome == outcomeAnswered && o.AnsweredFor == "" && s.lookedUp() == ""
			return lookup, s.rejectsPassword() && findsNothing
		},
		what:  "The global service finds no primary domain for {email}, and the authority rejects its sign-in: perhaps there is no account with this address.",
		known: "The look-up answered with the address and no domain, as it does for an unknown address and for a person without a primary domain. The authority does not say which of the two is wrong.",
		next:  say("Ask the person to spell the address they sign in with", "If the spelling is right, ask an administrator of the service whether the person has an account and a primary domain"),
		user:  "We cannot find an account for {email}. Is that the address you sign in with?",
	},
	{
		code: UnknownAddress, state: Fail, claims: perhaps(nil, factLookupWrong, factPasswordWrong),
		cause: otherAddressAnswered,
		when: func(s *scene) (Check, bool) {
			lookup := s.of(Lookup)
			return lookup, s.rejectsPassword() && lookup.seen().AnsweredFor != ""
		},
		what:  "The look-up of {email} was answered for another address, {answered-for}, and the authority rejects the sign-in of {email}: it may be an alias of {answered-for}, and the sign-in may need that one.",
		known: "The global service answered \"{answered}\". Gatehouse signed in as {email} alone. The password may be wrong as well.",
		next:  []Step{do("Ask the person whether {answered-for} is also their address; if it is, to sign in as {answered-for}, with the same password"), {Text: "Check {answered-for} in place of {email}", Kind: StepOtherAddress, Email: "{answered-for}"}},
		user:  "When we ask the service about your address, it answers for {answered-for}. Is that an address of yours? If it is, please try to sign in with it.",
	},
	{
		code: WrongPassword, state: Fail,
		claims: perhaps(nil, factPasswordWrong, factAccountBarred),
		when:   forReason(api.ReasonCredentials),
		what:   "{host} rejects the sign-in of {email}[ and says: {said}][ with {bare-code}]: usually the e-mail address or the password is wrong, and some services answer the same for a locked or disabled account.[ {works}.]",
		known:  "The authority answered {answer} and gives no other reason. In OAuth 2.0 (RFC 6749, section 5.2) invalid_grant is about the password; the service's documentation lists no errors for this request.",
		next: say(
			"Ask the person to type the address and the password again, with caps lock off and the right keyboard layout",
			"If that fails once more, ask an administrator of the service whether the account is locked or disabled",
			"Do not keep trying: many services lock an account after a few wrong passwords. This service does not document whether it does",
		),
		user: "Your sign-in was not accepted. Please type your e-mail address and password again, once. If you still cannot get in, your account may be locked; we will look into it and call you back.",
	},
	{
		code: ClientRefused, state: Fail, scope: always(ScopeHere), claims: sure(factClientWrong),
		cause: cause{id: "no-client-secret", title: "No client secret"},
		when:  signInRefused(func(_ *scene, o *observation) bool { return o.NoClientSecret && o.reason == api.ReasonNone }),
		what:  "{host} rejects this profile's client {client} ({code}): no client secret is set.[ It says: {said}.]",
		known: "In OAuth 2.0 (RFC 6749, section 5.2), {code} is about the client, not the person.",
		next:  []Step{{Help: problem.HelpSetClientSecret}},
		user:  userProfile,
	},
	{
		code: ClientRefused, state: Fail, scope: always(ScopeInstallation),
		claims: sure(factClientWrong),
		when:   withCode("invalid_client"),
		what:   "{host} rejects this profile's client {client} ({code})[ and says: {said}].",
		known:  "In OAuth 2.0 (RFC 6749, section 5.2), {code} is about the client, not the person.",
		next: []Step{
			{Text: "{client-hint}", Help: problem.HelpCheckClient},
			do("Ask the operator of the service whether this client may use password sign-in"),
		},
		user: userProfile,
	},
	{
		code: ClientRefused, state: Fail, scope: always(ScopeInstallation),
		claims: sure(factClientWrong),
		cause:  cause{id: "password-sign-in-not-allowed", title: "Password sign-in not allowed"},
		when:   withCode("unauthorized_client", "unsupported_grant_type"),
		what:   "{host} knows this profile's client {client}, and does not let it sign people in with a password ({code})[. It says: {said}].",
		known:  "In OAuth 2.0 (RFC 6749, section 5.2), {code} means that the client was recognised and may not use this way of signing in.",
		next:   say("Ask the operator of the service to allow password sign-in for the client {client}, or for another client"),
		user:   userProfile,
	},
	{
		code: ClientRefused, state: Fail, scope: always(ScopeInstallation),
		claims: sure(factClientWrong),
		cause:  cause{id: "scope-refused", title: "Scope refused"},
		when:   withCode("invalid_scope"),
		what:   "{host} refuses the scope that this profile asks for[, {scopes}] ({code})[, and says: {said}].",
		known:  "In OAuth 2.0 (RFC 6749, section 5.2), {code} is about the scope of the request, not the person. The service's documentation (section 4.1) calls openid profile domain_api offline_access always usable.",
		next:   say("Check the scope of the profile", "If it is right, ask the operator of {operator} what the client {client} may ask for"),
		user:   userProfile,
	},
	{
		code: SignInRefused, state: Fail, scope: always(ScopeNone),
		claims: perhaps(nil, factAccountBarred, factClientWrong, factPasswordWrong, factNetworkHere),
		cause:  refusedByPage,
		when:   signInRefused(func(_ *scene, o *observation) bool { return o.page && o.reason == api.ReasonNone }),
		what:   "{host} answers the sign-in of {email} with a page ({answer})[, titled {said}], and not as an authority does: the authority may have refused it, or something in between, such as a filter or a proxy.[ {works}.]",
		known:  "An authority answers a program in JSON (RFC 6749, section 5.2). Who wrote this page is not known.",
		next:   []Step{tryElsewhere, {Text: "Report it to the operator of the authority, with the id of this report and the title of the page", Kind: StepReport}},
		user:   "Something refuses your sign-in, and it may not be about your account. We will find out what it is and call you back.",
	},
	{
		code: SignInRefused, state: Fail,
		claims: perhaps(nil, factAccountBarred, factClientWrong, factPasswordWrong),
		when:   signInRefused(func(_ *scene, o *observation) bool { return o.sentence() != "" && !o.ofService() }),
		what:   "{host} refuses the sign-in of {email} and says: {said}.[ {works}; nothing behind the sign-in could be checked.]",
		known:  "The authority answered {answer}. Gatehouse repeats its words and does not interpret them.",
		next:   say("Ask an administrator of the service what this means for {email}, with the id of this report"),
		user:   "The service did not accept your sign-in and says: {said}. We will ask what that means for your account and call you back.",
	},
	{
		code: SignInRefused, state: Fail,
		claims: perhaps(nil, factAccountBarred, factClientWrong, factPasswordWrong),
		cause:  cause{id: "refused-without-reason", title: "Sign-in refused without a reason"},
		when:   signInRefused(func(_ *scene, o *observation) bool { return !o.ofService() }),
		what:   "{host} refused the sign-in of {email} without a reason ({answer})[: {bare-code}]: the password, a locked account, or this profile's client[; it also answers a harmless request with {same-status}, so something in between may refuse everybody].[ {works}.]",
		known:  "The answer does not say which. The service's documentation lists no errors for this request.",
		next: say(
			"Ask an administrator of the service whether the account is locked or disabled, and its operator whether this client may sign people in",
			"Do not keep trying: many services lock an account after a few wrong passwords",
			"Check from another network",
		),
		user: "The service did not accept your sign-in and gave no reason. We will look into it and call you back.",
	},
	{
		code: ServiceFailing, state: Fail, scope: always(ScopeAuthority),
		claims: sure(factPasswordRight, factTokenWrong),
		cause:  cause{id: "token-of-another-type", title: "Token of another type"},
		when:   badToken(api.TokenOfOtherType),
		what:   "{host} accepts the sign-in of {email}, and sends a token that this program cannot use: it is no Bearer token[, but one of the type {token-type}].[ {works}.]",
		known:  "The service's documentation (section 2.1) gives Bearer as the only type of token.",
		next:   []Step{{Text: "Ask the operator of the authority, with the id of this report, to give the client {client} Bearer tokens", Kind: StepReport}},
		user:   "Your password is correct. The service answers our program in a way that it cannot use, which may not be why you cannot get in. We will report it and call you back.",
	},
	{
		code: ServiceFailing, state: Fail, scope: always(ScopeAuthority),
		claims: sure(factHostDown),
		cause:  cause{id: "no-token", title: "No token in the answer"},
		when:   badToken(api.TokenMissing),
		what:   "The authority {host} answers the sign-in of {email} without a token and without an error[: {told}].[ {works}.]",
		known:  "By the service's documentation (section 2.1) the answer has an access token. Whether the password is right is not known.",
		next:   []Step{do("Check {key} in the profile"), reportStep},
		user:   userHost,
	},
}...)

// theClaims names the claims of a token that names no primary domain. The name of a claim counts to the
// letter (RFC 7519, section 4).
const theClaims = "[ Its claims are {claims}; the case of a claim's name counts.]"

// claimRules are the rules for a token that names no domain, or cannot be used.
var claimRules = []rule{
	{
		code: ServiceFailing, state: Fail, scope: always(ScopeAuthority),
		claims: sure(factTokenWrong, factPasswordRight),
		cause:  cause{id: "token-ended-on-arrival", title: "Tokens that have ended"},
		when: func(s *scene) (Check, bool) {
			c, shares := s.of(Claims), s.of(DomainPrefix+s.wanted())
			isRefused := shares.Status == http.StatusUnauthorized
			wasAsked := s.asked(shares.ID) && shares.seen().outcome >= outcomeNoWay
			return c, s.signsIn() && c.seen().ended && !s.reads(s.wanted()) && (isRefused || !wasAsked)
		},
		what:  "{email} can sign in, but the authority issues a token that has already ended, so nothing behind it can be read.[ {gateway-says}.]",
		known: "The end of the token[ ({ended-at})] lies before the answer that brought it. Programs sign the person out at once.",
		next:  []Step{{Text: "Report it to the operator of the authority, with the id of this report: its tokens end as they are issued, or its clock is wrong", Kind: StepReport}},
		user:  "Your password is correct. The service ends your sign-in at once, which is an error on its side. We will report it and call you back.",
	},
	{
		code: Clock, state: Fail, scope: always(ScopeAuthority),
		claims: sure(factTokenWrong, factPasswordRight),
		cause:  cause{id: "token-begins-later", title: "Tokens that begin later"},
		when: func(s *scene) (Check, bool) {
			c, shares := s.of(Claims), s.of(DomainPrefix+s.wanted())
			return c, s.signsIn() && c.seen().early > 0 && shares.Status == http.StatusUnauthorized
		},
		what:  "{email} can sign in, but the token of the authority begins {valid-in} after it was issued, and the gateway does not accept it.[ {gateway-says}.]",
		known: "The token is valid from {valid-from} on. The clock of the authority is probably ahead.",
		next:  []Step{{Text: "Report it to the operator of the authority, with the id of this report: its clock is ahead, or its tokens begin too late", Kind: StepReport}},
		user:  "Your password is correct. A clock of the service is wrong, so your sign-in is not accepted yet. We will report it and call you back.",
	},
	{
		code: NoPrimaryDomain, state: Fail, claims: sure(factPasswordRight, factTokenWrong),
		when: func(s *scene) (Check, bool) {
			c := s.of(Claims)
			o := c.seen()
			return c, o.readable && o.PrimaryDomain == "" && len(o.NotDomains) > 0 && s.working() == ""
		},
		what:  "{email} can sign in, but the token names as a domain what cannot be read as one: {unread-domains}.",
		known: "A token should name the primary domain (service documentation, section 2.2). Gatehouse sends a token only to a host name that it can read without doubt.",
		next:  []Step{{Text: "Report it to the operator of the authority, with the id of this report and the value of the claim", Kind: StepReport}},
		user:  "Your password is correct, but the service describes your domain in a way that programs cannot read. We will report it and call you back.",
	},
	{
		code: NoPrimaryDomain, state: Fail, claims: sure(factPasswordRight),
		when: func(s *scene) (Check, bool) {
			c := s.of(Claims)
			o := c.seen()
			return c, o.readable && o.PrimaryDomain == "" && len(o.NotDomains) == 0 && s.working() == ""
		},
		what:  "{email} can sign in, but the token names no primary domain.[ {works}.]",
		known: "A token should always name the primary domain, in the claim primary_domain (service documentation, section 2.2)." + theClaims,
		next:  []Step{askAdmin},
		user:  "Your password is correct, but your account is not fully set up. We will ask an administrator to correct it.",
	},
}
