package check

import (
	"net/http"
	"slices"
)

// entry has the sentences for a cause: what happened, how it is known, what to do, and what to
// tell the user. Of the entries of a code the first that fits is used. Words in braces are
// filled in; see values. A test walks through all entries.
//
// A check looks from one place and knows only what was answered. A sentence claims no more.
type entry struct {
	code  Code
	when  func(judgement) bool // nil: the usual case
	title string               // "" is that of the code
	what  string
	known string
	next  []Step
	user  string
}

func do(text string) Step { return Step{Text: text} }

func say(texts ...string) (steps []Step) {
	for _, text := range texts {
		steps = append(steps, do(text))
	}
	return steps
}

// Steps and sentences of several entries.
var (
	tellOperator  = do("Tell the operator of the service, and give the id of this report.")
	tellDomain    = do("Tell the operator of {domain}, and give the id of this report.")
	tellAuthority = do("Tell the operator of the authority, and give the id of this report.")
	tryLater      = do("Check again in a few minutes.")
	tryElsewhere  = do("Check from another network before you tell anybody that it is down.")
	mendHere      = do("Check the network, the proxy and the name servers of this machine, then check again.")
	spellAddress  = do("Ask the person to spell the address that they sign in with.")
	askAccount    = do("If it is right, ask an administrator of the service whether the person has an account and a primary domain.")
	askAddress    = do("Ask the person for the e-mail address of the account.")
	signInNext    = Step{Text: "check again with a sign-in", Kind: StepSignIn}
	primaryNext   = Step{Text: "log in with {primary}", Kind: StepOtherDomain, Domain: "{primary}"}
	correctDomain = do("Ask an administrator of the service to correct the primary domain of {email}, then check again.")
)

const (
	userNotFromHere = "We cannot reach the service from our side at the moment, so we cannot say yet what is wrong. We will call you back."
	userNoAccount   = "We find no account for {email}. Is that the address that you sign in with?"
	userTellAddress = "Please tell us the e-mail address that you sign in with."
	userNoDomain    = "Your account has no primary domain yet. An administrator has to assign one; we will pass it on."
	userIncomplete  = "Your password is right, but your account is not set up completely. An administrator has to correct that; we will pass it on."
	userSetUp       = "This is not your mistake: our program is not set up correctly. We will correct it."
	userGlobal      = "We cannot reach a part of the service at the moment. We will report it; please try again later."
	userAuthority   = "The part of the service that signs people in does not answer us as it should; this says nothing about your password. Please try again later."
	userDomain      = "{domain} does not answer us as it should at the moment. We will report it; please try again later."
	userAgain       = "Please try again; if it fails, tell us the time and the message that you see."
)

var entries = []entry{
	{
		code: LooksFine, when: func(j judgement) bool { return !j.asked(SignIn) && j.state == Warn }, title: "Answers slowly",
		what:  "No fault of {email} is seen from outside, but {place} is slow: it took {took} to answer.",
		known: "An answer that takes more than a second is slow. The password, the claims and the shares were not tried.",
		next:  []Step{signInNext, tryLater},
		user:  "A part of the service answers slowly at the moment. Please give it a few seconds; if you cannot get in, call us.",
	},
	{
		code: LooksFine, when: func(j judgement) bool { return !j.asked(SignIn) }, title: "No fault seen from outside",
		what:  "No fault of {email} is seen from outside: {domain} is the primary domain, and all hosts answer.",
		known: "The look-up and the hosts were asked a moment ago. The password, the claims and the shares were not tried.",
		next:  []Step{signInNext},
		user:  "From outside we see no fault. If you still cannot get in, call us, so that we can look at the sign-in together.",
	},
	{
		code: LooksFine, when: func(j judgement) bool { return j.state == Warn }, title: "Works, slowly",
		what:  "The sign-in of {email} works, slowly: {place} took {took} to answer.",
		known: "Every check succeeded. An answer that takes more than a second is slow.",
		next:  say("Check again in a few minutes; if {host} is still slow, tell its operator, and give the id of this report."),
		user:  "Your account works, but a part of the service answers slowly at the moment. Please give it a few seconds.",
	},
	{
		code:  LooksFine,
		what:  "Nothing keeps {email} out: the sign-in works, the claims agree with the look-up, and {domain} answers with the person's shares.",
		known: "Each check was made a moment ago, with the person's own password.",
		next:  say("Ask the person for the exact time, the program and the message of the failure, and check again if it comes back."),
		user:  "We have signed in to your account from here, and everything works. " + userAgain,
	},
	{
		code: UnknownAddress, when: func(j judgement) bool { return j.Email == "" },
		what:  "No e-mail address was given.",
		known: "No host was asked for it.",
		next:  []Step{askAddress},
		user:  userTellAddress,
	},
	{
		code: UnknownAddress, when: func(j judgement) bool { return j.check.finding().Failure == failureAddress },
		what:  "{email} is not an e-mail address: {reason}.",
		known: "It does not have the form of one, so no host was asked for it.",
		next:  []Step{askAddress},
		user:  userTellAddress,
	},
	{
		code: UnknownAddress, when: func(j judgement) bool { return j.of(SignIn).Code == WrongPassword && isPlainRefusal(j.of(SignIn)) },
		what:  "The service seems not to know {email}: the look-up names no primary domain, and the sign-in is refused.",
		known: "The global service answered with the address and no domain, and the authority refused the address or the password. Neither answer is documented to mean that the address is unknown; together they suggest it.",
		next:  []Step{spellAddress, askAccount},
		user:  userNoAccount,
	},
	{
		code: UnknownAddress, when: func(j judgement) bool { return j.of(SignIn).Code == WrongPassword },
		what:  "The look-up names no primary domain for {email}, and the authority refuses the sign-in, adding: {said}.",
		known: "The global service answered with the address and no domain. What the authority adds is its own text.",
		next:  []Step{spellAddress, do("Read what the authority adds; if it does not speak of a wrong address or password, ask its operator what it means.")},
		user:  "The service did not accept your sign-in, and gives a reason that we have to look into. We will call you back.",
	},
	{
		code:  UnknownAddress,
		what:  "The global service names no primary domain for {email}: it does not know the address, or the person has no primary domain.",
		known: "It answered with the address and no domain, which does not tell the two apart.",
		next:  []Step{spellAddress, askAccount},
		user:  userNoAccount,
	},
	{
		code: NoPrimaryDomain, when: func(j judgement) bool { return j.check.ID == Device },
		what:  "The device login of {email} answered {code}: the person has no primary domain.",
		known: "The documentation of the service, section 7, gives {code} that meaning.",
		next:  []Step{correctDomain},
		user:  userNoDomain,
	},
	{
		code: NoPrimaryDomain, when: func(j judgement) bool { return j.check.ID == Claims && j.of(Lookup).finding().PrimaryDomain != "" },
		what:  "The token of {email} names no primary domain, although the look-up names {primary}.",
		known: "Both were asked a moment ago. The documentation of the service, section 2.2, says that a token always names the primary domain.",
		next:  []Step{correctDomain},
		user:  userIncomplete,
	},
	{
		code: NoPrimaryDomain, when: func(j judgement) bool { return j.check.ID == Claims && j.of(Lookup).Code != UnknownAddress },
		what:  "The token of {email} names no primary domain; whether the look-up names one is not known.",
		known: "The documentation of the service, section 2.2, says that a token always names the primary domain. The look-up could not be completed.",
		next:  []Step{tryLater, correctDomain},
		user:  userIncomplete,
	},
	{
		code: NoPrimaryDomain, when: func(j judgement) bool { return j.check.ID == Lookup && j.claims().PrimaryDomain != "" },
		what:  "The global service names no primary domain for {email}, although the token names {claimed}.",
		known: "Both were asked a moment ago. Programs that find the domain by e-mail address cannot find it.",
		next:  []Step{correctDomain},
		user:  userIncomplete,
	},
	{
		code: NoPrimaryDomain, when: func(j judgement) bool { return j.check.ID == Lookup && j.of(Claims).State != Fail },
		what:  "The global service names no primary domain for {email}, who can sign in; whether the token names one is not known.",
		known: "It answered with the address and no domain, and the claims of the token could not be read.",
		next:  []Step{correctDomain},
		user:  userIncomplete,
	},
	{
		code:  NoPrimaryDomain,
		what:  "{email} can sign in, but has no primary domain: neither the look-up nor the token names one.",
		known: "The documentation of the service, section 2.2, says that a token always names the primary domain.",
		next:  []Step{do("Ask an administrator of the service to give {email} a primary domain, then check again.")},
		user:  "Your password is right. " + userNoDomain,
	},
	{
		code: OtherPrimaryDomain, when: judgement.namesNoDomain,
		what:  "The device login of {email} answered {code}, wrong domain, and no answer names the primary domain.",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next:  []Step{tellOperator},
		user:  "The service refuses your device because of its domain. We have to find out which one is right, and will call you back.",
	},
	{
		code: OtherPrimaryDomain, when: judgement.namesAnotherDomain,
		what:  "The device login of {email} answered {code} and names {primary} as the primary domain; the look-up or the token names {known}.",
		known: "{meaning}All of them were asked a moment ago.",
		next:  []Step{do("Ask an administrator of the service which of the two is right, and to correct the other one.")},
		user:  userIncomplete,
	},
	{
		code: OtherPrimaryDomain, when: judgement.namesTheDomainAskedFor, title: "Contradictory answer",
		what:  "The device login of {email} answered {code}, wrong domain, but names {primary} as the primary domain, which is the one asked for: the answer contradicts itself.",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next:  []Step{tellOperator},
		user:  "The service gives a contradictory answer about your domain. We have to ask those who run it, and will call you back.",
	},
	{
		code: OtherPrimaryDomain, when: func(j judgement) bool { return j.check.ID == Device && j.Domain != "" && !isGUID(j.Domain) },
		what:  "The person asks for {asked}; the primary domain of {email} is {primary} ({code}).",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next: []Step{
			{Text: "log in again with {primary}", Kind: StepOtherDomain, Domain: "{primary}"},
		},
		user: "Please sign in with the domain {primary}.",
	},
	{
		code: OtherPrimaryDomain, when: func(j judgement) bool { return j.check.ID == Device && j.Domain == "" },
		what:  "The device login of {email} answered {code}, wrong domain, although it named none; the primary domain is {primary}.",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next: say(
			"Ask which domain the person's device is set to; if it is not {primary}, have it set to {primary}.",
			"If it is, tell the operator of the service, and give the id of this report.",
		),
		user: "Please sign in with the domain {primary}.",
	},
	{
		code: OtherPrimaryDomain, when: func(j judgement) bool { return j.check.ID == Device },
		what:  "The device login of {email} answered {code}, wrong domain; the primary domain is {primary}.",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next: []Step{
			{Text: "log in again with {primary}", Kind: StepOtherDomain, Domain: "{primary}"},
		},
		user: "Please sign in with the domain {primary}.",
	},
	{
		code:  OtherPrimaryDomain,
		what:  "The look-up names {primary} as the primary domain of {email}, the token names {claimed}.",
		known: "Both were asked a moment ago: the look-up by e-mail address, the token with the person's password.",
		next: []Step{
			{Text: "log in with {claimed}", Kind: StepOtherDomain, Domain: "{claimed}"},
			do("Ask an administrator of the service which of the two is right, and to correct the other one."),
		},
		user: "Your account is registered with two domains, {primary} and {claimed}. An administrator has to correct that; we will pass it on.",
	},
	{
		code: WrongPassword, when: func(j judgement) bool { return !isPlainRefusal(j.check) }, title: "Sign-in refused",
		what:  "{host} refuses the sign-in of {email} with {code}, and adds: {said}.",
		known: "OAuth 2.0 (RFC 6749, section 5.2) gives {code} the meaning that the e-mail address or the password is wrong. What the authority adds is its own text, and may mean something else.",
		next: say(
			"Read what the authority adds; if it does not speak of a wrong password, ask its operator what it means.",
			"Do not try often: many services lock an account after a few wrong passwords, and whether this one does is not documented.",
		),
		user: "The service did not accept your sign-in, and gives a reason that we have to look into. We will call you back.",
	},
	{
		code:  WrongPassword,
		what:  "{host} refuses the e-mail address or the password of {email}.",
		known: "It answered {code} to the one sign-in, which has that meaning in OAuth 2.0 (RFC 6749, section 5.2); the documentation of the service shows no errors of this endpoint. It does not say which of the two is wrong.{description}",
		next: say(
			"Ask the person to type both again, with caps lock off and the right keyboard language.",
			"Do not try often: many services lock an account after a few wrong passwords, and whether this one does is not documented.",
		),
		user: "Your e-mail address or your password was not accepted. Please type both again, or have the password reset.",
	},
	{
		code: ClientRefused, when: func(j judgement) bool { return j.check.finding().NoClientSecret },
		what:  "{host} refuses the client {client} of this profile with {code}, for every user: no client secret is set.",
		known: "The request had no client secret, and OAuth 2.0 (RFC 6749, section 5.2) gives {code} the meaning that the client did not prove who it is.",
		next:  say("Set the client secret with config set-secret client-secret or, without a keyring, in GATEHOUSE_CLIENT_SECRET; then check again."),
		user:  userSetUp,
	},
	{
		code:  ClientRefused,
		what:  "{host} refuses the client {client} of this profile with {code}, for every user.",
		known: "OAuth 2.0 (RFC 6749, section 5.2) gives {code} a meaning of the client, not of the person.{description}",
		next: say(
			"Check client_id, client_auth and the client secret of the profile.",
			"Ask the operator of the service whether this client may sign people in with a password.",
		),
		user: "This is not your mistake: the service does not accept our program at the moment. We will correct that.",
	},
	{
		code: DeviceNotValidated, when: func(j judgement) bool { return j.check.finding().DeviceCreated },
		what:  "The device login of {email} answered {code}, not validated, for the device that this check created.",
		known: "The check created the device {device} to log in with, so the answer says that new devices are not validated by themselves. Whether the person's own device is validated is not known.",
		next: say(
			"Check again with the id of the person's own device in place of a name.",
			"If that one is not validated either, ask an administrator of the service to validate it.",
		),
		user: "Your password is right. New devices may have to be approved by an administrator; please tell us the id of your device.",
	},
	{
		code:  DeviceNotValidated,
		what:  "The device of {email} is not validated: the device login answered {code}.",
		known: "The documentation of the service, section 7, gives {code} that meaning. How a device is validated is not documented.",
		next:  say("Ask an administrator of the service to validate the device {device}."),
		user:  "Your password is right, but an administrator has to approve this device first. We will pass it on.",
	},
	{
		code: WipeOrdered, when: func(j judgement) bool { return j.check.finding().DeviceCreated },
		what:  "The service orders the device that this check created for {email} to erase its data.",
		known: "The result of the device login has Wipe set (documentation of the service, section 2.4). The check created the device {device}, and ignores the order; the person's own program may not.",
		next:  say("Find out from an administrator of the service who ordered it, before the person signs in on a new device."),
		user:  "Please do not sign in on a new device until we have called you back: the service orders new devices to erase their data.",
	},
	{
		code:  WipeOrdered,
		what:  "The service orders the device of {email} to erase its data.",
		known: "The result of the device login has Wipe set (documentation of the service, section 2.4). Gatehouse ignores the order; the person's own program may not.",
		next:  say("Find out from an administrator of the service who ordered it, before the person signs in on that device again."),
		user:  "Please do not sign in on that device until we have called you back: the service orders it to erase its data.",
	},
	{
		code: UndocumentedCode, when: judgement.isComplete,
		what:  "Looks fine; the code {code} of the device login is undocumented.",
		known: "The result has a domain, a token and a device, which is all that a device login is for. No code for success is documented.",
		next:  say("If the person still cannot get in, ask the operator of the service what {code} means."),
		user:  "Your device can log in from here. " + userAgain,
	},
	{
		code:  UndocumentedCode,
		what:  "The device login of {email} answered {code}, which is undocumented, and its result is not complete.",
		known: "The documentation of the service, section 7, explains U103, U105 and U107 alone.",
		next:  say("Ask the operator of the service what {code} means."),
		user:  "The service answers your device with {code}, which we have to ask about first. We will call you back.",
	},
	{
		code: NoAccess, when: func(j judgement) bool { return j.check.Status == http.StatusUnauthorized },
		what:  "{host} does not accept the token of {email} for {domain} ({status}), although it was issued a moment ago.",
		known: "The documentation of the service, section 7, gives {status} the meaning that a token has expired or is invalid.{without}",
		next:  say("Tell the operator of {domain} that the gateway does not accept what the authority issues, and give the id of this report."),
		user:  "Your password is right, but {domain} does not accept your sign-in. We will report it.",
	},
	{
		code: NoAccess, when: judgement.refusesEverybody,
		what:  "{host} refuses access to {domain} ({status}), with the token of {email} and without any.",
		known: "The same gateway was asked with and without credentials, a moment apart.",
		next:  say("Ask the operator of {domain} whether the gateway refuses this network, or all requests."),
		user:  "Your password is right, but {domain} refuses everything that we ask from here at the moment. We will report it.",
	},
	{
		code:  NoAccess,
		what:  "{host} answers, but refuses {email} access to {domain} ({status}).",
		known: "The token is a moment old.{without} The documentation of the service does not explain {status}.",
		next:  say("Ask an administrator of {domain} to give {email} access."),
		user:  "Your password is right, but your account has no access to {domain}. An administrator of that domain can give it.",
	},
	{
		code: OtherDomains, when: func(j judgement) bool { return j.check.State == Unknown && j.check.ID == DomainPrefix+j.Domain },
		what:  "{primary}, the primary domain of {email}, works; whether {asked} does is not known: {reason}.",
		known: "Each domain that the token names was asked for the person's shares. A check that could not be completed says nothing about the domain.",
		next:  say("{wait} check again."),
		user:  "Your primary domain, {primary}, works. We could not find out yet whether {asked} does, and will call you back.",
	},
	{
		code: OtherDomains, when: func(j judgement) bool { return j.check.State == Unknown },
		what:  "{domain} works for {email}; whether {minor} is not known: {reason}.",
		known: "Each domain that the token names was asked for the person's shares. A check that could not be completed says nothing about the domain.",
		next:  say("{wait} check again."),
		user:  "Your primary domain, {domain}, works. If you are missing {minors}: we could not find out yet, and will call you back.",
	},
	{
		code: OtherDomains, when: func(j judgement) bool { return j.check.State == Fail },
		what:  "{domain} works for {email}, but {minor} not: {reason}.",
		known: "Each domain that the token names was asked for the person's shares.{unsure}",
		next:  say("If the complaint is about {minors}, tell the administrator of that domain, and give the id of this report."),
		user:  "Your primary domain, {domain}, works. If you are missing {minors}: we have seen that you do not get in there, and will report it.",
	},
	{
		code: OtherDomains, when: func(j judgement) bool { return !j.claims().readable },
		what:  "The person asks for {asked}; the primary domain of {email} is {primary}.",
		known: "The look-up names {primary}. Whether {asked} is one of the person's other domains shows only after a sign-in.",
		next:  []Step{signInNext, primaryNext},
		user:  "Your account belongs to {primary}. Please sign in there.",
	},
	{
		code: OtherDomains, when: func(j judgement) bool { return !slices.Contains(j.claims().OtherDomains, j.Domain) },
		what:  "{asked} is not one of the domains of {email}; the primary domain is {primary}.",
		known: "The token names the person's domains, and {asked} is not among them (documentation of the service, section 2.2).",
		next: []Step{
			primaryNext,
			do("If the person should have access to {asked}, ask an administrator of that domain."),
		},
		user: "Your account belongs to {primary}, and has no access to {asked}. Please sign in with {primary}.",
	},
	{
		code:  OtherDomains,
		what:  "{asked} is one of the domains of {email}, but the primary domain is {primary}.",
		known: "The token names {primary} as the primary domain, and {asked} among the others (documentation of the service, section 2.2).",
		next: []Step{
			primaryNext,
			{Text: "open {asked}", Kind: StepOpenDomain, Domain: "{asked}"},
		},
		user: "Your account belongs to {primary}. Please sign in there; {asked} is among your other domains.",
	},
	{
		code: GlobalUnreachable, when: func(j judgement) bool { return j.isRefusedAlike() && j.isHere() }, title: "Nothing can be reached from here",
		what:  "The service on this machine takes no connections: {reason}.",
		known: "{hosts} refuse alike, and {host} is an address of this machine.",
		next:  say("Start the service on this machine, or correct the addresses of the profile, then check again."),
		user:  userNotFromHere,
	},
	{
		code: GlobalUnreachable, when: judgement.isRefusedAlike,
		what:  "No host of the service takes connections from here: {reason}.",
		known: "{hosts} refuse in the same way. The refusal comes from the host, or from a proxy in front of it.",
		next:  []Step{tellOperator, tryElsewhere},
		user:  userNotFromHere,
	},
	{
		code: GlobalUnreachable, when: func(j judgement) bool { return j.isHere() && j.alike() >= serversAlike }, title: "Nothing can be reached from here",
		what:  "No host of the service can be reached from here: {reason}.",
		known: "{hosts} fail alike, so this machine or its network is the likely cause.",
		next:  []Step{mendHere, tryElsewhere},
		user:  userNotFromHere,
	},
	{
		code: GlobalUnreachable, when: judgement.isHere, title: "Nothing can be reached from here",
		what:  "The global service {host} cannot be reached from here: {reason}.",
		known: "No other host answers either, so this machine or its network is the likely cause.",
		next:  []Step{mendHere, tryElsewhere},
		user:  userNotFromHere,
	},
	{
		code: GlobalUnreachable, when: func(j judgement) bool { return isServerError(j.check) },
		what:  "The global service {host} answers everything with an error of its own ({status}).",
		known: "Every request of this check got this answer, even one without credentials.",
		next:  []Step{tellOperator, tryLater},
		user:  "The service answers us with errors at the moment. We will report it; please try again later.",
	},
	{
		code:  GlobalUnreachable,
		what:  "The global service {host} cannot be reached from here: {reason}.",
		known: "It was asked without credentials, a moment ago.{beside}",
		next:  []Step{tryElsewhere, tellOperator},
		user:  userGlobal,
	},
	{
		code: AuthorityUnreachable, when: judgement.isHere,
		what:  "The authority {host} cannot be reached from here: {reason}.",
		known: "No other host answers either, so this machine or its network is the likely cause.",
		next:  []Step{mendHere},
		user:  userNotFromHere,
	},
	{
		code: AuthorityUnreachable, when: func(j judgement) bool { return isServerError(j.check) },
		what:  "The authority {host} answers everything with an error of its own ({status}).",
		known: "Every request of this check got this answer, even one without credentials.",
		next:  []Step{tellAuthority, tryLater},
		user:  userAuthority,
	},
	{
		code:  AuthorityUnreachable,
		what:  "The authority {host} cannot be reached from here: {reason}.",
		known: "It was asked without credentials, a moment ago.{beside}",
		next:  []Step{tryElsewhere, tellAuthority},
		user:  userAuthority,
	},
	{
		code: GatewayUnreachable, when: judgement.isHere,
		what:  "The gateway of {domain}, {host}, cannot be reached from here: {reason}.",
		known: "No other host answers either, so this machine or its network is the likely cause.",
		next:  []Step{mendHere},
		user:  userNotFromHere,
	},
	{
		code: GatewayUnreachable, when: func(j judgement) bool { return isServerError(j.check) },
		what:  "The gateway of {domain}, {host}, answers everything with an error of its own ({status}).",
		known: "Every request of this check got this answer, even one without credentials.{beside}",
		next:  []Step{tellDomain, tryLater},
		user:  userDomain,
	},
	{
		code:  GatewayUnreachable,
		what:  "The gateway of {domain}, {host}, cannot be reached from here: {reason}.",
		known: "It was asked without credentials, a moment ago.{beside}",
		next:  []Step{tryElsewhere, tellDomain},
		user:  userDomain,
	},
	{
		code: Certificate, when: judgement.isHere,
		what:  "This machine refuses the certificates of all hosts alike: {reason}.",
		known: "{hosts} fail alike, so the clock of this machine, or a proxy that opens encrypted connections, is the likely cause.",
		next:  say("Check the clock of this machine, and whether a proxy is in between whose certificate authority it has to trust."),
		user:  userNotFromHere,
	},
	{
		code: Certificate, when: func(j judgement) bool { return j.state == Warn }, title: "Certificate expires soon",
		what:  "Nothing that was checked keeps {email} out, but the certificate of {place} expires on {date}, in {days}.",
		known: "The host showed it a moment ago. From that day on programs refuse to connect.",
		next:  say("Ask the operator of {host} to renew the certificate before {date}."),
		user:  "Everything that we can see works. " + userAgain,
	},
	{
		code: Certificate, when: judgement.hasExpired, title: "Certificate expired",
		what:  "The certificate of {place} expired on {date}.",
		known: "The host showed it a moment ago, and the connection was closed before anything was sent.{beside}",
		next:  say("Ask the operator of {host} to renew the certificate."),
		user:  "The service's certificate has expired, so your program refuses to connect. We will report it; please do not click through certificate warnings.",
	},
	{
		code:  Certificate,
		what:  "The certificate of {place} is not accepted: {reason}.",
		known: "The connection was closed before anything was sent.{beside}",
		next: say(
			"Ask the operator of {host} for a certificate that is valid for this name.",
			"If a proxy is in between, or the certificate authority is your own, make this machine trust it.",
		),
		user: "The connection to the service is not secure at the moment, so programs refuse it. We will report it; please do not click through certificate warnings.",
	},
	{
		code: Clock, when: func(j judgement) bool { return j.state == Warn && j.getsIn() },
		what:  "{email} gets in, but the clock of {place} is {skew} this machine's.",
		known: "The header Date of its answer says so; half the time of the request is taken off. The sign-in and the shares worked in spite of it.",
		next:  say("Compare this machine's clock with another one; if it is right, ask the operator of {host} to set theirs."),
		user:  "We have signed in to your account from here, and it works. " + userAgain,
	},
	{
		code: Clock, when: judgement.isHere,
		what:  "The clock of this machine is off: those of all hosts are {skew} it.",
		known: "{hosts} agree with each other, by the header Date of their answers.",
		next: say(
			"Set the clock of this machine, then check again.",
			"If the person's own machine has the same time source, its clock is off as well.",
		),
		user: "The clock of the machine from which we look is wrong, so we cannot say yet what is wrong with your sign-in. We will call you back.",
	},
	{
		code:  Clock,
		what:  "The clock of {place} is {skew} this machine's.",
		known: "The header Date of its answer says so; half the time of the request is taken off.{beside} Tokens may be taken for expired, or for not valid yet.",
		next:  say("Ask the operator of {host} to set the clock, unless it is this machine's that is wrong."),
		user:  "A clock differs, so that sign-ins can fail. We will report it; please try again later.",
	},
	{
		code:  BadProfile,
		what:  "The profile of this program is not usable: {reason}.",
		known: "The profile itself shows it; no host was asked.",
		next:  say("Correct the profile, then check again."),
		user:  userSetUp,
	},
	{
		code: Undecided, when: func(j judgement) bool { return j.check.ID == SignIn && j.check.finding().code() != "" },
		what:  "{host} refused the sign-in of {email} with {code}, and what that means for this person is not documented.",
		known: "OAuth 2.0 (RFC 6749, section 5.2) ties only invalid_grant to the password, and only invalid_client and unauthorized_client to the client.{description}",
		next: say(
			"Ask the operator of the authority what {code} means here.",
			"Check the scope of the profile if the code is invalid_scope.",
		),
		user: "The service refused the sign-in for a reason that we have to ask about first. We will call you back.",
	},
	{
		code: Undecided, when: judgement.getsIn,
		what:  "{email} can sign in, and {working} answers, but {check} could not be completed: {reason}.",
		known: "A check that could not be completed says nothing about what it asks for.",
		next:  say("{wait} check again."),
		user:  "We have signed in to your account from here, and {working} answers. One part of the check is missing; we will try again and call you back.",
	},
	{
		code: Undecided, when: func(j judgement) bool { return j.works(SignIn) },
		what:  "The sign-in of {email} is accepted, but {check} could not be completed: {reason}.",
		known: "A check that could not be completed says nothing about what it asks for.",
		next:  say("{wait} check again."),
		user:  "Your password is right. We could not find out yet whether everything behind it works; we will try again and call you back.",
	},
	{
		code:  Undecided,
		what:  "It is not known why {email} cannot get in; {check} could not be completed: {reason}.",
		known: "Nothing else that was found explains the complaint, and a check that could not be completed says nothing about what it asks for.",
		next:  say("{wait} check again."),
		user:  "We could not find out yet what is wrong: a part of the service did not give us an answer. We will try again and call you back.",
	},
}
