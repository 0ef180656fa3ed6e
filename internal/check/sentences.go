package check

// entry is what is said of a code: what happened, how it is known, what to do, and what to
// tell the user. Words in braces are filled in; see values. The list is complete: a test
// walks through all situations.
//
// A check looks from one place and knows only what was answered. A sentence claims no more.
type entry struct {
	code    Code
	variant string // "" is the usual case
	title   string // "" is that of the code
	what    string
	known   string
	next    []Step
	user    string
}

// Steps and sentences of several entries.
var (
	tellOperator  = Step{Text: "Tell the operator of the service, and give the id of this report."}
	tellDomain    = Step{Text: "Tell the operator of {domain}, and give the id of this report."}
	tellAuthority = Step{Text: "Tell the operator of the authority, and give the id of this report."}
	tryLater      = Step{Text: "Check again in a few minutes."}
	tryElsewhere  = Step{Text: "Check from another network before you tell anybody that it is down."}
	mendHere      = Step{Text: "Check the network, the proxy and the name servers of this machine, then check again."}
	spellAddress  = Step{Text: "Ask the person to spell the address that they sign in with."}
	askAccount    = Step{Text: "If it is right, ask an administrator of the service whether the person has an account and a primary domain."}
	askAddress    = Step{Text: "Ask the person for the e-mail address of the account."}
	signInNext    = Step{Text: "check again with a sign-in", Kind: StepSignIn}
	primaryNext   = Step{Text: "log in with {primary}", Kind: StepOtherDomain, Domain: "{primary}"}
	correctDomain = Step{Text: "Ask an administrator of the service to correct the primary domain of {email}, then check again."}
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
		code:  LooksFine,
		what:  "Nothing keeps {email} out: the sign-in works, the claims agree with the look-up, and {domain} answers with the person's shares.",
		known: "Each check was made a moment ago, with the person's own password.",
		next: []Step{
			{Text: "Ask the person for the exact time, the program and the message of the failure, and check again if it comes back."},
		},
		user: "We have signed in to your account from here, and everything works. " + userAgain,
	},
	{
		code: LooksFine, variant: "slow", title: "Works, slowly",
		what:  "The sign-in of {email} works, slowly: {place} took {took} to answer.",
		known: "Every check succeeded. An answer that takes more than a second is slow.",
		next: []Step{
			{Text: "Check again in a few minutes; if {host} is still slow, tell its operator, and give the id of this report."},
		},
		user: "Your account works, but a part of the service answers slowly at the moment. Please give it a few seconds.",
	},
	{
		code: LooksFine, variant: "outside", title: "No fault seen from outside",
		what:  "No fault of {email} is seen from outside: {domain} is the primary domain, and all hosts answer.",
		known: "The look-up and the hosts were asked a moment ago. The password, the claims and the shares were not tried.",
		next:  []Step{signInNext},
		user:  "From outside we see no fault. If you still cannot get in, call us, so that we can look at the sign-in together.",
	},
	{
		code: LooksFine, variant: "slow outside", title: "Answers slowly",
		what:  "No fault of {email} is seen from outside, but {place} is slow: it took {took} to answer.",
		known: "An answer that takes more than a second is slow. The password, the claims and the shares were not tried.",
		next:  []Step{signInNext, tryLater},
		user:  "A part of the service answers slowly at the moment. Please give it a few seconds; if you cannot get in, call us.",
	},
	{
		code:  UnknownAddress,
		what:  "The global service names no primary domain for {email}: it does not know the address, or the person has no primary domain.",
		known: "It answered with the address and no domain, which does not tell the two apart.",
		next:  []Step{spellAddress, askAccount},
		user:  userNoAccount,
	},
	{
		code: UnknownAddress, variant: "refused",
		what:  "The service seems not to know {email}: the look-up names no primary domain, and the sign-in is refused.",
		known: "The global service answered with the address and no domain, and the authority refused the address or the password. Neither answer is documented to mean that the address is unknown; together they suggest it.",
		next:  []Step{spellAddress, askAccount},
		user:  userNoAccount,
	},
	{
		code: UnknownAddress, variant: "described",
		what:  "The look-up names no primary domain for {email}, and the authority refuses the sign-in, adding: {said}.",
		known: "The global service answered with the address and no domain. What the authority adds is its own text.",
		next:  []Step{spellAddress, {Text: "Read what the authority adds; if it does not speak of a wrong address or password, ask its operator what it means."}},
		user:  "The service did not accept your sign-in, and gives a reason that we have to look into. We will call you back.",
	},
	{
		code: UnknownAddress, variant: "nothing",
		what:  "No e-mail address was given.",
		known: "No host was asked for it.",
		next:  []Step{askAddress},
		user:  userTellAddress,
	},
	{
		code: UnknownAddress, variant: "no address",
		what:  "{email} is not an e-mail address: {reason}.",
		known: "It does not have the form of one, so no host was asked for it.",
		next:  []Step{askAddress},
		user:  userTellAddress,
	},
	{
		code:  NoPrimaryDomain,
		what:  "{email} can sign in, but has no primary domain: neither the look-up nor the token names one.",
		known: "The documentation of the service, section 2.2, says that a token always names the primary domain.",
		next:  []Step{{Text: "Ask an administrator of the service to give {email} a primary domain, then check again."}},
		user:  "Your password is right. " + userNoDomain,
	},
	{
		code: NoPrimaryDomain, variant: "token",
		what:  "The token of {email} names no primary domain, although the look-up names {primary}.",
		known: "Both were asked a moment ago. The documentation of the service, section 2.2, says that a token always names the primary domain.",
		next:  []Step{correctDomain},
		user:  userIncomplete,
	},
	{
		code: NoPrimaryDomain, variant: "token alone",
		what:  "The token of {email} names no primary domain; whether the look-up names one is not known.",
		known: "The documentation of the service, section 2.2, says that a token always names the primary domain. The look-up could not be completed.",
		next:  []Step{tryLater, correctDomain},
		user:  userIncomplete,
	},
	{
		code: NoPrimaryDomain, variant: "look-up",
		what:  "The global service names no primary domain for {email}, although the token names {claimed}.",
		known: "Both were asked a moment ago. Programs that find the domain by e-mail address cannot find it.",
		next:  []Step{correctDomain},
		user:  userIncomplete,
	},
	{
		code: NoPrimaryDomain, variant: "look-up alone",
		what:  "The global service names no primary domain for {email}, who can sign in; whether the token names one is not known.",
		known: "It answered with the address and no domain, and the claims of the token could not be read.",
		next:  []Step{correctDomain},
		user:  userIncomplete,
	},
	{
		code: NoPrimaryDomain, variant: "device",
		what:  "The device login of {email} answered {code}: the person has no primary domain.",
		known: "The documentation of the service, section 7, gives {code} that meaning.",
		next:  []Step{correctDomain},
		user:  userNoDomain,
	},
	{
		code:  OtherPrimaryDomain,
		what:  "The look-up names {primary} as the primary domain of {email}, the token names {claimed}.",
		known: "Both were asked a moment ago: the look-up by e-mail address, the token with the person's password.",
		next: []Step{
			{Text: "log in with {claimed}", Kind: StepOtherDomain, Domain: "{claimed}"},
			{Text: "Ask an administrator of the service which of the two is right, and to correct the other one."},
		},
		user: "Your account is registered with two domains, {primary} and {claimed}. An administrator has to correct that; we will pass it on.",
	},
	{
		code: OtherPrimaryDomain, variant: "asked",
		what:  "The person asks for {asked}; the primary domain of {email} is {primary} ({code}).",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next: []Step{
			{Text: "log in again with {primary}", Kind: StepOtherDomain, Domain: "{primary}"},
		},
		user: "Please sign in with the domain {primary}.",
	},
	{
		code: OtherPrimaryDomain, variant: "same", title: "Contradictory answer",
		what:  "The device login of {email} answered {code}, wrong domain, but names {primary} as the primary domain, which is the one asked for: the answer contradicts itself.",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next:  []Step{tellOperator},
		user:  "The service gives a contradictory answer about your domain. We have to ask those who run it, and will call you back.",
	},
	{
		code: OtherPrimaryDomain, variant: "none asked",
		what:  "The device login of {email} answered {code}, wrong domain, although it named none; the primary domain is {primary}.",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next: []Step{
			{Text: "Ask which domain the person's device is set to; if it is not {primary}, have it set to {primary}."},
			{Text: "If it is, tell the operator of the service, and give the id of this report."},
		},
		user: "Please sign in with the domain {primary}.",
	},
	{
		code: OtherPrimaryDomain, variant: "sources",
		what:  "The device login of {email} answered {code} and names {primary} as the primary domain; the look-up or the token names {known}.",
		known: "{meaning}All of them were asked a moment ago.",
		next:  []Step{{Text: "Ask an administrator of the service which of the two is right, and to correct the other one."}},
		user:  userIncomplete,
	},
	{
		code: OtherPrimaryDomain, variant: "nameless",
		what:  "The device login of {email} answered {code}, wrong domain, and no answer names the primary domain.",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next:  []Step{tellOperator},
		user:  "The service refuses your device because of its domain. We have to find out which one is right, and will call you back.",
	},
	{
		code: OtherPrimaryDomain, variant: "device",
		what:  "The device login of {email} answered {code}, wrong domain; the primary domain is {primary}.",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next: []Step{
			{Text: "log in again with {primary}", Kind: StepOtherDomain, Domain: "{primary}"},
		},
		user: "Please sign in with the domain {primary}.",
	},
	{
		code:  WrongPassword,
		what:  "{host} refuses the e-mail address or the password of {email}.",
		known: "It answered {code} to the one sign-in, which has that meaning in OAuth 2.0 (RFC 6749, section 5.2); the documentation of the service shows no errors of this endpoint. It does not say which of the two is wrong.{description}",
		next: []Step{
			{Text: "Ask the person to type both again, with caps lock off and the right keyboard language."},
			{Text: "Do not try often: many services lock an account after a few wrong passwords, and whether this one does is not documented."},
		},
		user: "Your e-mail address or your password was not accepted. Please type both again, or have the password reset.",
	},
	{
		code: WrongPassword, variant: "described", title: "Sign-in refused",
		what:  "{host} refuses the sign-in of {email} with {code}, and adds: {said}.",
		known: "OAuth 2.0 (RFC 6749, section 5.2) gives {code} the meaning that the e-mail address or the password is wrong. What the authority adds is its own text, and may mean something else.",
		next: []Step{
			{Text: "Read what the authority adds; if it does not speak of a wrong password, ask its operator what it means."},
			{Text: "Do not try often: many services lock an account after a few wrong passwords, and whether this one does is not documented."},
		},
		user: "The service did not accept your sign-in, and gives a reason that we have to look into. We will call you back.",
	},
	{
		code:  ClientRefused,
		what:  "{host} refuses the client {client} of this profile with {code}, whoever signs in.",
		known: "OAuth 2.0 (RFC 6749, section 5.2) gives {code} a meaning of the client, not of the person.{description}",
		next: []Step{
			{Text: "Check client_id, client_auth and the client secret of the profile."},
			{Text: "Ask the operator of the service whether this client may sign people in with a password."},
		},
		user: "This is not your mistake: the service does not accept our program at the moment. We will correct that.",
	},
	{
		code: ClientRefused, variant: "no secret",
		what:  "{host} refuses the client {client} of this profile with {code}, whoever signs in: no client secret is set.",
		known: "The request had no client secret, and OAuth 2.0 (RFC 6749, section 5.2) gives {code} the meaning that the client did not prove who it is.",
		next: []Step{
			{Text: "Set the client secret with config set-secret client-secret or, without a keyring, in GATEHOUSE_CLIENT_SECRET; then check again."},
		},
		user: userSetUp,
	},
	{
		code:  DeviceNotValidated,
		what:  "The device of {email} is not validated: the device login answered {code}.",
		known: "The documentation of the service, section 7, gives {code} that meaning. How a device is validated is not documented.",
		next: []Step{
			{Text: "Ask an administrator of the service to validate the device {device}."},
		},
		user: "Your password is right, but an administrator has to approve this device first. We will pass it on.",
	},
	{
		code: DeviceNotValidated, variant: "own",
		what:  "The device login of {email} answered {code}, not validated, for the device that this check created.",
		known: "The check created the device {device} to log in with, so the answer says that new devices are not validated by themselves. Whether the person's own device is validated is not known.",
		next: []Step{
			{Text: "Check again with the id of the person's own device in place of a name."},
			{Text: "If that one is not validated either, ask an administrator of the service to validate it."},
		},
		user: "Your password is right. New devices may have to be approved by an administrator; please tell us the id of your device.",
	},
	{
		code:  WipeOrdered,
		what:  "The service orders the device of {email} to erase its data.",
		known: "The result of the device login has Wipe set (documentation of the service, section 2.4). Gatehouse ignores the order; the person's own program may not.",
		next: []Step{
			{Text: "Find out from an administrator of the service who ordered it, before the person signs in on that device again."},
		},
		user: "Please do not sign in on that device until we have called you back: the service orders it to erase its data.",
	},
	{
		code: WipeOrdered, variant: "own",
		what:  "The service orders the device that this check created for {email} to erase its data.",
		known: "The result of the device login has Wipe set (documentation of the service, section 2.4). The check created the device {device}, and ignores the order; the person's own program may not.",
		next: []Step{
			{Text: "Find out from an administrator of the service who ordered it, before the person signs in on a new device."},
		},
		user: "Please do not sign in on a new device until we have called you back: the service orders new devices to erase their data.",
	},
	{
		code:  UndocumentedCode,
		what:  "The device login of {email} answered {code}, which is undocumented, and its result is not complete.",
		known: "The documentation of the service, section 7, explains U103, U105 and U107 alone.",
		next: []Step{
			{Text: "Ask the operator of the service what {code} means."},
		},
		user: "The service answers your device with {code}, which we have to ask about first. We will call you back.",
	},
	{
		code: UndocumentedCode, variant: "complete",
		what:  "Looks fine; the code {code} of the device login is undocumented.",
		known: "The result has a domain, a token and a device, which is all that a device login is for. No code for success is documented.",
		next: []Step{
			{Text: "If the person still cannot get in, ask the operator of the service what {code} means."},
		},
		user: "Your device can log in from here. " + userAgain,
	},
	{
		code:  NoAccess,
		what:  "{host} answers, but refuses {email} access to {domain} ({status}).",
		known: "The token is a moment old.{without} The documentation of the service does not explain {status}.",
		next: []Step{
			{Text: "Ask an administrator of {domain} to give {email} access."},
		},
		user: "Your password is right, but your account has no access to {domain}. An administrator of that domain can give it.",
	},
	{
		code: NoAccess, variant: "token",
		what:  "{host} does not accept the token of {email} for {domain} ({status}), although it was issued a moment ago.",
		known: "The documentation of the service, section 7, gives {status} the meaning that a token has expired or is invalid.{without}",
		next: []Step{
			{Text: "Tell the operator of {domain} that the gateway does not accept what the authority issues, and give the id of this report."},
		},
		user: "Your password is right, but {domain} does not accept your sign-in. We will report it.",
	},
	{
		code: NoAccess, variant: "everybody",
		what:  "{host} refuses access to {domain} ({status}), with the token of {email} and without any.",
		known: "The same gateway was asked with and without credentials, a moment apart.",
		next: []Step{
			{Text: "Ask the operator of {domain} whether the gateway refuses this network, or all requests."},
		},
		user: "Your password is right, but {domain} refuses everything that we ask from here at the moment. We will report it.",
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
		code: OtherDomains, variant: "not reached",
		what:  "{asked} is not one of the domains of {email}; the primary domain is {primary}.",
		known: "The token names the person's domains, and {asked} is not among them (documentation of the service, section 2.2).",
		next: []Step{
			primaryNext,
			{Text: "If the person should have access to {asked}, ask an administrator of that domain."},
		},
		user: "Your account belongs to {primary}, and has no access to {asked}. Please sign in with {primary}.",
	},
	{
		code: OtherDomains, variant: "outside",
		what:  "The person asks for {asked}; the primary domain of {email} is {primary}.",
		known: "The look-up names {primary}. Whether {asked} is one of the person's other domains shows only after a sign-in.",
		next:  []Step{signInNext, primaryNext},
		user:  "Your account belongs to {primary}. Please sign in there.",
	},
	{
		code: OtherDomains, variant: "minor",
		what:  "{domain} works for {email}, but {minor} not: {reason}.",
		known: "Each domain that the token names was asked for the person's shares.{unsure}",
		next: []Step{
			{Text: "If the complaint is about {minors}, tell the administrator of that domain, and give the id of this report."},
		},
		user: "Your primary domain, {domain}, works. If you are missing {minors}: we have seen that you do not get in there, and will report it.",
	},
	{
		code: OtherDomains, variant: "not known",
		what:  "{domain} works for {email}; whether {minor} is not known: {reason}.",
		known: "Each domain that the token names was asked for the person's shares. A check that could not be completed says nothing about the domain.",
		next: []Step{
			{Text: "{wait} check again."},
		},
		user: "Your primary domain, {domain}, works. If you are missing {minors}: we could not find out yet, and will call you back.",
	},
	{
		code: OtherDomains, variant: "asked not known",
		what:  "{primary}, the primary domain of {email}, works; whether {asked} does is not known: {reason}.",
		known: "Each domain that the token names was asked for the person's shares. A check that could not be completed says nothing about the domain.",
		next: []Step{
			{Text: "{wait} check again."},
		},
		user: "Your primary domain, {primary}, works. We could not find out yet whether {asked} does, and will call you back.",
	},
	{
		code:  GlobalUnreachable,
		what:  "The global service {host} cannot be reached from here: {reason}.",
		known: "It was asked without credentials, a moment ago.{beside}",
		next:  []Step{tryElsewhere, tellOperator},
		user:  userGlobal,
	},
	{
		code: GlobalUnreachable, variant: "errors",
		what:  "The global service {host} answers everything with an error of its own ({status}).",
		known: "Every request of this check got this answer, even one without credentials.",
		next:  []Step{tellOperator, tryLater},
		user:  "The service answers us with errors at the moment. We will report it; please try again later.",
	},
	{
		code: GlobalUnreachable, variant: "all", title: "Nothing can be reached from here",
		what:  "No host of the service can be reached from here: {reason}.",
		known: "{hosts} fail alike, so this machine or its network is the likely cause.",
		next:  []Step{mendHere, tryElsewhere},
		user:  userNotFromHere,
	},
	{
		code: GlobalUnreachable, variant: "refused",
		what:  "No host of the service takes connections from here: {reason}.",
		known: "{hosts} refuse alike. A refusal is an answer of the host, or of what stands in its place.",
		next:  []Step{tellOperator, tryElsewhere},
		user:  userNotFromHere,
	},
	{
		code: GlobalUnreachable, variant: "refused here", title: "Nothing can be reached from here",
		what:  "The service on this machine takes no connections: {reason}.",
		known: "{hosts} refuse alike, and {host} is an address of this machine.",
		next: []Step{
			{Text: "Start the service on this machine, or correct the addresses of the profile, then check again."},
		},
		user: userNotFromHere,
	},
	{
		code: GlobalUnreachable, variant: "here", title: "Nothing can be reached from here",
		what:  "The global service {host} cannot be reached from here: {reason}.",
		known: "No other host answers either, so this machine or its network is the likely cause.",
		next:  []Step{mendHere, tryElsewhere},
		user:  userNotFromHere,
	},
	{
		code:  AuthorityUnreachable,
		what:  "The authority {host} cannot be reached from here: {reason}.",
		known: "It was asked without credentials, a moment ago.{beside}",
		next:  []Step{tryElsewhere, tellAuthority},
		user:  userAuthority,
	},
	{
		code: AuthorityUnreachable, variant: "errors",
		what:  "The authority {host} answers everything with an error of its own ({status}).",
		known: "Every request of this check got this answer, even one without credentials.",
		next:  []Step{tellAuthority, tryLater},
		user:  userAuthority,
	},
	{
		code: AuthorityUnreachable, variant: "here",
		what:  "The authority {host} cannot be reached from here: {reason}.",
		known: "No other host answers either, so this machine or its network is the likely cause.",
		next:  []Step{mendHere},
		user:  userNotFromHere,
	},
	{
		code:  GatewayUnreachable,
		what:  "The gateway of {domain}, {host}, cannot be reached from here: {reason}.",
		known: "It was asked without credentials, a moment ago.{beside}",
		next:  []Step{tryElsewhere, tellDomain},
		user:  userDomain,
	},
	{
		code: GatewayUnreachable, variant: "errors",
		what:  "The gateway of {domain}, {host}, answers everything with an error of its own ({status}).",
		known: "Every request of this check got this answer, even one without credentials.{beside}",
		next:  []Step{tellDomain, tryLater},
		user:  userDomain,
	},
	{
		code: GatewayUnreachable, variant: "here",
		what:  "The gateway of {domain}, {host}, cannot be reached from here: {reason}.",
		known: "No other host answers either, so this machine or its network is the likely cause.",
		next:  []Step{mendHere},
		user:  userNotFromHere,
	},
	{
		code:  Certificate,
		what:  "The certificate of {place} is not accepted: {reason}.",
		known: "The connection was closed before anything was sent.{beside}",
		next: []Step{
			{Text: "Ask the operator of {host} for a certificate that is valid for this name."},
			{Text: "If a proxy is in between, or the certificate authority is your own, make this machine trust it."},
		},
		user: "The connection to the service is not secure at the moment, so programs refuse it. We will report it; please do not click through certificate warnings.",
	},
	{
		code: Certificate, variant: "ended", title: "Certificate expired",
		what:  "The certificate of {place} expired on {date}.",
		known: "The host showed it a moment ago, and the connection was closed before anything was sent.{beside}",
		next: []Step{
			{Text: "Ask the operator of {host} to renew the certificate."},
		},
		user: "The service's certificate has expired, so your program refuses to connect. We will report it; please do not click through certificate warnings.",
	},
	{
		code: Certificate, variant: "soon", title: "Certificate expires soon",
		what:  "Nothing that was checked keeps {email} out, but the certificate of {place} expires on {date}, in {days}.",
		known: "The host showed it a moment ago. From that day on programs refuse to connect.",
		next: []Step{
			{Text: "Ask the operator of {host} to renew the certificate before {date}."},
		},
		user: "Everything that we can see works. " + userAgain,
	},
	{
		code: Certificate, variant: "here",
		what:  "This machine refuses the certificates of all hosts alike: {reason}.",
		known: "{hosts} fail alike, so the clock of this machine, or a proxy that opens encrypted connections, is the likely cause.",
		next: []Step{
			{Text: "Check the clock of this machine, and whether a proxy is in between whose certificate authority it has to trust."},
		},
		user: userNotFromHere,
	},
	{
		code:  Clock,
		what:  "The clock of {place} is {skew} this machine's.",
		known: "The header Date of its answer says so; half the time of the request is taken off.{beside} Tokens may be taken for expired, or for not valid yet.",
		next: []Step{
			{Text: "Ask the operator of {host} to set the clock, unless it is this machine's that is wrong."},
		},
		user: "A clock differs, so that sign-ins can fail. We will report it; please try again later.",
	},
	{
		code: Clock, variant: "harmless",
		what:  "{email} gets in, but the clock of {place} is {skew} this machine's.",
		known: "The header Date of its answer says so; half the time of the request is taken off. The sign-in and the shares worked in spite of it.",
		next: []Step{
			{Text: "Compare this machine's clock with another one; if it is right, ask the operator of {host} to set theirs."},
		},
		user: "We have signed in to your account from here, and it works. " + userAgain,
	},
	{
		code: Clock, variant: "here",
		what:  "The clock of this machine is off: those of all hosts are {skew} it.",
		known: "{hosts} agree with each other, by the header Date of their answers.",
		next: []Step{
			{Text: "Set the clock of this machine, then check again."},
			{Text: "If the person's own machine has the same time source, its clock is off as well."},
		},
		user: "The clock of the machine from which we look is wrong, so we cannot say yet what is wrong with your sign-in. We will call you back.",
	},
	{
		code:  BadProfile,
		what:  "The profile of this program is not usable: {reason}.",
		known: "The profile itself shows it; no host was asked.",
		next: []Step{
			{Text: "Correct the profile, then check again."},
		},
		user: userSetUp,
	},
	{
		code:  Undecided,
		what:  "It is not known why {email} cannot get in; {check} could not be completed: {reason}.",
		known: "Nothing else that was found explains the complaint, and a check that could not be completed says nothing about what it asks for.",
		next: []Step{
			{Text: "{wait} check again."},
		},
		user: "We could not find out yet what is wrong: a part of the service did not give us an answer. We will try again and call you back.",
	},
	{
		code: Undecided, variant: "gets in",
		what:  "{email} can sign in, and {working} answers, but {check} could not be completed: {reason}.",
		known: "A check that could not be completed says nothing about what it asks for.",
		next: []Step{
			{Text: "{wait} check again."},
		},
		user: "We have signed in to your account from here, and {working} answers. One part of the check is missing; we will try again and call you back.",
	},
	{
		code: Undecided, variant: "accepted",
		what:  "The sign-in of {email} is accepted, but {check} could not be completed: {reason}.",
		known: "A check that could not be completed says nothing about what it asks for.",
		next: []Step{
			{Text: "{wait} check again."},
		},
		user: "Your password is right. We could not find out yet whether everything behind it works; we will try again and call you back.",
	},
	{
		code: Undecided, variant: "oauth",
		what:  "{host} refused the sign-in of {email} with {code}, and what that means for this person is not documented.",
		known: "OAuth 2.0 (RFC 6749, section 5.2) ties only invalid_grant to the password, and only invalid_client and unauthorized_client to the client.{description}",
		next: []Step{
			{Text: "Ask the operator of the authority what {code} means here."},
			{Text: "Check the scope of the profile if the code is invalid_scope."},
		},
		user: "The service refused the sign-in for a reason that we have to ask about first. We will call you back.",
	},
}
