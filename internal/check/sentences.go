package check

// entry is what is said of a code: what happened, how it is known, what to do, and what to
// tell the user. Words in braces are filled in; see values. The list is complete: a test
// walks through all situations.
type entry struct {
	code    Code
	variant string // "" is the usual case
	what    string
	known   string
	next    []Step
	user    string
}

var entries = []entry{
	{
		code:  LooksFine,
		what:  "Nothing keeps {email} out: the sign-in works, the claims agree with the look-up, and {domain} answers with the person's shares.",
		known: "Each check of this report was made a moment ago with the person's own password.",
		next: []Step{
			{Text: "Ask the person for the exact time, the program and the message of the failure, and check again if it comes back."},
		},
		user: "We have signed in to your account from here, and everything works. Please try again; if it fails, tell us the time and the message that you see.",
	},
	{
		code: LooksFine, variant: "outside",
		what:  "Nothing that can be seen without a password keeps {email} out: {domain} is the primary domain, and all hosts answer.",
		known: "The look-up and the hosts were asked a moment ago. Password, claims and shares were not.",
		next: []Step{
			{Text: "If the person still cannot get in, check again with a sign-in: the password, the claims and the shares are not known yet."},
		},
		user: "Your account is known, and the service works. Please try again; if it fails, call us, so that we can look at the sign-in together.",
	},
	{
		code:  UnknownAddress,
		what:  "The global service names no primary domain for {email}: it does not know the address, or the person has no primary domain.",
		known: "It answered with the address and no domain. The look-up does not tell the two apart; a sign-in does.",
		next: []Step{
			{Text: "Ask the person to spell the address with which they sign in."},
			{Text: "If it is right, ask an administrator of the service whether the person has an account and a primary domain."},
		},
		user: "We find no account for {email}. Is that the address with which you sign in?",
	},
	{
		code: UnknownAddress, variant: "refused",
		what:  "The service seems not to know {email}: the look-up names no primary domain, and the sign-in is refused.",
		known: "The global service answered with the address and no domain, and the authority refused the address or the password. Neither answer is documented to mean that the address is unknown; together they suggest it.",
		next: []Step{
			{Text: "Ask the person to spell the address with which they sign in."},
			{Text: "If it is right, ask an administrator of the service whether the person has an account and a primary domain."},
		},
		user: "We find no account for {email}. Is that the address with which you sign in?",
	},
	{
		code: UnknownAddress, variant: "nothing",
		what:  "No e-mail address was given.",
		known: "Nobody was asked for it.",
		next:  []Step{{Text: "Ask the person for the e-mail address of the account."}},
		user:  "Please tell us the e-mail address with which you sign in.",
	},
	{
		code: UnknownAddress, variant: "no address",
		what:  "{email} is not an e-mail address: {reason}.",
		known: "It does not have the form of one, so nobody was asked for it.",
		next:  []Step{{Text: "Ask the person for the e-mail address of the account."}},
		user:  "Please tell us the e-mail address with which you sign in.",
	},
	{
		code:  NoPrimaryDomain,
		what:  "{email} can sign in, but has no primary domain: neither the look-up nor the token names one.",
		known: "The documentation of the service, section 2.2, says that a token always names the primary domain.",
		next:  []Step{{Text: "Have an administrator of the service give {email} a primary domain, then check again."}},
		user:  "Your password is right, but your account has no domain of its own yet. An administrator has to assign one; we will see to it.",
	},
	{
		code: NoPrimaryDomain, variant: "look-up",
		what:  "The global service names no primary domain for {email}, although the token names {claimed}.",
		known: "Both were asked a moment ago. Programs that find the domain by e-mail address cannot find it.",
		next: []Step{
			{Text: "Have an administrator of the service correct the primary domain of {email}, then check again."},
		},
		user: "Your password is right, but your account is not set up completely. An administrator has to correct that; we will see to it.",
	},
	{
		code: NoPrimaryDomain, variant: "device",
		what:  "{email} has no primary domain: the device login answered {code}.",
		known: "The documentation of the service, section 7, explains {code} so.",
		next:  []Step{{Text: "Have an administrator of the service give {email} a primary domain, then check again."}},
		user:  "Your account has no domain of its own yet. An administrator has to assign one; we will see to it.",
	},
	{
		code:  OtherPrimaryDomain,
		what:  "The look-up names {primary} as the primary domain of {email}, the token names {claimed}.",
		known: "Both were asked a moment ago: the look-up by e-mail address, the token with the person's password.",
		next: []Step{
			{Text: "log in with {claimed}", Kind: StepOtherDomain, Domain: "{claimed}"},
			{Text: "Have an administrator of the service find out which of the two is right, and correct the other one."},
		},
		user: "Your account is registered with two domains, {primary} and {claimed}. Until that is corrected, please try {claimed}.",
	},
	{
		code: OtherPrimaryDomain, variant: "asked",
		what:  "The person asks for {asked}; the primary domain of {email} is {primary} ({code}).",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next: []Step{
			{Text: "log in again with {primary}", Kind: StepOtherDomain, Domain: "{primary}"},
		},
		user: "Please sign in on that device with the domain {primary}.",
	},
	{
		code: OtherPrimaryDomain, variant: "device",
		what:  "The device login of {email} answered {code}, wrong domain; the primary domain is {primary}.",
		known: "{meaning}The documentation of the service explains {code} in section 7.",
		next: []Step{
			{Text: "log in again with {primary}", Kind: StepOtherDomain, Domain: "{primary}"},
		},
		user: "Please sign in on that device with the domain {primary}.",
	},
	{
		code:  WrongPassword,
		what:  "{host} refuses the e-mail address or the password of {email}.",
		known: "It answered {code} to the one sign-in, which has that meaning in OAuth 2.0 (RFC 6749, section 5.2); the documentation of the service shows no errors of this endpoint. It does not say which of the two is wrong.",
		next: []Step{
			{Text: "Have the person type both again, with caps lock off and the right keyboard language."},
			{Text: "Do not try often: many services lock an account after a few wrong passwords, and whether this one does is not documented."},
		},
		user: "Your e-mail address or your password was not accepted. Please type both again, or have the password reset.",
	},
	{
		code:  ClientRefused,
		what:  "{host} refuses the client {client} of this profile with {code}, whoever signs in.",
		known: "OAuth 2.0 (RFC 6749, section 5.2) explains {code} as a matter of the client, not of the person.",
		next: []Step{
			{Text: "Check client_id, client_auth and the client secret of the profile."},
			{Text: "Ask the operator of the service whether this client may sign people in with a password."},
		},
		user: "This is not your mistake: our program is not accepted by the service at the moment. We will see to it.",
	},
	{
		code: ClientRefused, variant: "no secret",
		what:  "{host} refuses the client {client} of this profile with {code}, whoever signs in: no client secret is set.",
		known: "The request had no client secret, and OAuth 2.0 (RFC 6749, section 5.2) explains {code} as a client that did not prove who it is.",
		next: []Step{
			{Text: "Set the client secret with config set-secret client-secret or, without a keyring, in GATEHOUSE_CLIENT_SECRET; then check again."},
		},
		user: "This is not your mistake: our program is not set up correctly. We will see to it.",
	},
	{
		code:  DeviceNotValidated,
		what:  "The device of {email} is not validated: the device login answered {code}.",
		known: "The documentation of the service, section 7, explains {code} so. How a device is validated is not documented.",
		next: []Step{
			{Text: "Ask an administrator of the service to validate the device {device}."},
		},
		user: "Your password is right, but this device has to be approved by an administrator first. We pass it on.",
	},
	{
		code:  WipeOrdered,
		what:  "The service orders the device of {email} to erase its data.",
		known: "The result of the device login has Wipe set (documentation of the service, section 2.4). Gatehouse ignores the order; the person's own program may not.",
		next: []Step{
			{Text: "Find out from an administrator of the service who ordered it, before anybody signs in on that device again."},
		},
		user: "Please do not sign in on that device until we have called you back: the service orders it to erase its data.",
	},
	{
		code:  UndocumentedCode,
		what:  "The device login of {email} answered {code}, which is undocumented, and its result is not complete.",
		known: "The documentation of the service, section 7, explains U103, U105 and U107 alone.",
		next: []Step{
			{Text: "Ask the operator of the service what {code} means."},
		},
		user: "The service answers your device with {code}, which we first have to ask about. We will call you back.",
	},
	{
		code: UndocumentedCode, variant: "complete",
		what:  "Looks fine; the code {code} of the device login is undocumented.",
		known: "The result has a domain, a token and a device, which is all that a device login is for. No code for success is documented.",
		next: []Step{
			{Text: "If the person still cannot get in, ask the operator of the service what {code} means."},
		},
		user: "Your device can log in from here. Please try again; if it fails, tell us the time and the message that you see.",
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
			{Text: "Give the operator of {domain} the id of this report: the gateway does not accept what the authority issues."},
		},
		user: "Your password is right, but {domain} does not accept your sign-in. We pass it on to those who run it.",
	},
	{
		code: NoAccess, variant: "everybody",
		what:  "{host} refuses access to {domain} ({status}), with the token of {email} and without any.",
		known: "The same gateway was asked with and without credentials, a moment apart.",
		next: []Step{
			{Text: "Ask the operator of {domain} whether the gateway refuses this network, or everybody."},
		},
		user: "Your password is right, but {domain} refuses everything that we ask from here at the moment. We pass it on to those who run it.",
	},
	{
		code:  OtherDomains,
		what:  "{asked} is one of the domains of {email} and answers, but the primary domain is {primary}.",
		known: "The token names {primary} as the primary domain, and {asked} among the others (documentation of the service, section 2.2).",
		next: []Step{
			{Text: "log in with {primary}", Kind: StepOtherDomain, Domain: "{primary}"},
			{Text: "open {asked}", Kind: StepOpenDomain, Domain: "{asked}"},
		},
		user: "Your account belongs to {primary}. Please sign in there; {asked} is among your other domains.",
	},
	{
		code: OtherDomains, variant: "not reached",
		what:  "{asked} is not one of the domains of {email}; the primary domain is {primary}.",
		known: "The token names the person's domains, and {asked} is not among them (documentation of the service, section 2.2).",
		next: []Step{
			{Text: "log in with {primary}", Kind: StepOtherDomain, Domain: "{primary}"},
			{Text: "If the person should have access to {asked}, ask an administrator of that domain."},
		},
		user: "Your account belongs to {primary}, and has no access to {asked}. Please sign in with {primary}.",
	},
	{
		code: OtherDomains, variant: "outside",
		what:  "The person asks for {asked}; the primary domain of {email} is {primary}.",
		known: "The look-up names {primary}. Whether {asked} is one of the person's other domains shows only after a sign-in.",
		next: []Step{
			{Text: "log in with {primary}", Kind: StepOtherDomain, Domain: "{primary}"},
			{Text: "Check again with a sign-in, to see all domains of the person."},
		},
		user: "Your account belongs to {primary}. Please sign in there.",
	},
	{
		code: OtherDomains, variant: "minor",
		what:  "{domain} works for {email}, but {minor}: {reason}.",
		known: "Each domain that the token names was asked for the person's shares.",
		next: []Step{
			{Text: "If the complaint is about {minors}, check again with the domain in question."},
		},
		user: "Your own domain, {domain}, works. If you are missing {minors}: we have seen that you do not get in there, and pass it on.",
	},
	{
		code:  GlobalUnreachable,
		what:  "The global service {host} cannot be reached: {reason}.",
		known: "It was asked without credentials, and for the primary domain of {email}, a moment ago.{beside}",
		next: []Step{
			{Text: "Tell the operator of the service, with the id of this report."},
			{Text: "Check again in a few minutes."},
		},
		user: "The service has a fault that concerns everybody. We pass it on to those who run it; please try again later.",
	},
	{
		code: GlobalUnreachable, variant: "errors",
		what:  "The global service {host} answers everything with an error of its own ({status}).",
		known: "Each request of this check was answered so, also one without credentials.",
		next: []Step{
			{Text: "Tell the operator of the service, with the id of this report."},
			{Text: "Check again in a few minutes."},
		},
		user: "The service has a fault that concerns everybody. We pass it on to those who run it; please try again later.",
	},
	{
		code: GlobalUnreachable, variant: "all",
		what:  "No host of the service can be reached from here: {reason}.",
		known: "{hosts} fail alike, so this machine or its network is the likely cause.",
		next: []Step{
			{Text: "Check the network, the proxy and the name servers of this machine, then check again."},
			{Text: "Repeat the check from another network, before anybody is told that the service is down."},
		},
		user: "We cannot reach the service from our side at the moment, so we cannot say yet what is wrong. We will call you back.",
	},
	{
		code: GlobalUnreachable, variant: "refused",
		what:  "No host of the service takes connections: {reason}.",
		known: "{hosts} refuse alike. A refusal is an answer of the host, or of what stands in its place, so the network of this machine works.",
		next: []Step{
			{Text: "Tell the operator of the service, with the id of this report."},
			{Text: "Check again in a few minutes; if nobody else has trouble, check from another network, as a firewall can refuse too."},
		},
		user: "The service has a fault that concerns everybody. We pass it on to those who run it; please try again later.",
	},
	{
		code: GlobalUnreachable, variant: "refused here",
		what:  "The service on this machine takes no connections: {reason}.",
		known: "{hosts} refuse alike, and {host} is an address of this machine.",
		next: []Step{
			{Text: "Start the service on this machine, or correct the addresses of the profile, then check again."},
		},
		user: "We cannot reach the service from our side at the moment, so we cannot say yet what is wrong. We will call you back.",
	},
	{
		code: GlobalUnreachable, variant: "here",
		what:  "The global service {host} cannot be reached from here: {reason}.",
		known: "That is a matter of this machine or its network.{beside}",
		next: []Step{
			{Text: "Check the network, the proxy and the name servers of this machine, then check again."},
		},
		user: "We cannot reach the service from our side at the moment, so we cannot say yet what is wrong. We will call you back.",
	},
	{
		code:  AuthorityUnreachable,
		what:  "The authority {host} cannot be reached: {reason}.",
		known: "It was asked without credentials, a moment ago.{beside}",
		next: []Step{
			{Text: "Tell the operator of the authority, with the id of this report."},
			{Text: "Check again in a few minutes."},
		},
		user: "The part of the service that signs people in does not answer as it should at the moment; this says nothing about your password. Please try again later.",
	},
	{
		code: AuthorityUnreachable, variant: "errors",
		what:  "The authority {host} answers everything with an error of its own ({status}).",
		known: "Each request of this check was answered so, also one without credentials.",
		next: []Step{
			{Text: "Tell the operator of the authority, with the id of this report."},
			{Text: "Check again in a few minutes."},
		},
		user: "The part of the service that signs people in does not answer as it should at the moment; this says nothing about your password. Please try again later.",
	},
	{
		code: AuthorityUnreachable, variant: "here",
		what:  "The authority {host} cannot be reached from here: {reason}.",
		known: "That is a matter of this machine or its network.{beside}",
		next: []Step{
			{Text: "Check the network, the proxy and the name servers of this machine, then check again."},
		},
		user: "We cannot reach the service from our side at the moment, so we cannot say yet what is wrong. We will call you back.",
	},
	{
		code:  GatewayUnreachable,
		what:  "The gateway of {domain}, {host}, cannot be reached: {reason}.",
		known: "It was asked without credentials, a moment ago.{beside}",
		next: []Step{
			{Text: "Tell the operator of {domain}, with the id of this report."},
			{Text: "Check again in a few minutes."},
		},
		user: "{domain} has a fault that concerns everybody there. We pass it on to those who run it; please try again later.",
	},
	{
		code: GatewayUnreachable, variant: "errors",
		what:  "The gateway of {domain}, {host}, answers everything with an error of its own ({status}).",
		known: "Each request of this check was answered so, also one without credentials.{beside}",
		next: []Step{
			{Text: "Tell the operator of {domain}, with the id of this report."},
			{Text: "Check again in a few minutes."},
		},
		user: "{domain} has a fault that concerns everybody there. We pass it on to those who run it; please try again later.",
	},
	{
		code: GatewayUnreachable, variant: "here",
		what:  "The gateway of {domain}, {host}, cannot be reached from here: {reason}.",
		known: "That is a matter of this machine or its network.{beside}",
		next: []Step{
			{Text: "Check the network, the proxy and the name servers of this machine, then check again."},
		},
		user: "We cannot reach the service from our side at the moment, so we cannot say yet what is wrong. We will call you back.",
	},
	{
		code:  Certificate,
		what:  "The certificate of {place} is not accepted: {reason}.",
		known: "The connection was given up before anything was sent.{beside}",
		next: []Step{
			{Text: "Ask the operator of {host} for a certificate that is valid for this name."},
			{Text: "If a proxy is in between, or the authority is your own, see that this machine trusts it."},
		},
		user: "The connection to the service is not secure at the moment, so programs refuse it. We pass it on to those who run it; please do not click past a warning about it.",
	},
	{
		code: Certificate, variant: "ended",
		what:  "The certificate of {place} ended on {date}.",
		known: "The host showed it a moment ago, and the connection was given up before anything was sent.{beside}",
		next: []Step{
			{Text: "Have the operator of {host} renew the certificate."},
		},
		user: "A certificate of the service has run out, so programs refuse the connection. We pass it on to those who run it; please do not click past a warning about it.",
	},
	{
		code: Certificate, variant: "soon",
		what:  "Nothing that was checked keeps {email} out, but the certificate of {place} ends on {date}, in {days}.",
		known: "The host showed it a moment ago. From that day on programs refuse to connect.",
		next: []Step{
			{Text: "Have the operator of {host} renew the certificate before {date}."},
		},
		user: "Everything that we can see works. Please try again; if it fails, tell us the time and the message that you see.",
	},
	{
		code: Certificate, variant: "here",
		what:  "The certificates of all hosts are refused here alike: {reason}.",
		known: "{hosts} fail alike, so the clock of this machine, or a proxy that opens encrypted connections, is the likely cause.",
		next: []Step{
			{Text: "Check the clock of this machine, and whether a proxy is in between whose authority it has to trust."},
		},
		user: "We cannot reach the service from our side at the moment, so we cannot say yet what is wrong. We will call you back.",
	},
	{
		code:  Clock,
		what:  "The clock of {place} is {skew} this machine's.",
		known: "Its answer says so in the header Date; half the time of the request is taken off.{beside} Tokens may be taken for expired, or for not valid yet.",
		next: []Step{
			{Text: "Have the operator of {host} set the clock."},
		},
		user: "A clock of the service is wrong, so that sign-ins can fail. We pass it on to those who run it; please try again later.",
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
		known: "Nobody was asked: it shows in the profile itself.",
		next: []Step{
			{Text: "Correct the profile, then check again."},
		},
		user: "This is not your mistake: our program is not set up correctly. We will see to it.",
	},
	{
		code:  Undecided,
		what:  "It is not known why {email} cannot get in; {check} could not be completed: {reason}.",
		known: "Nothing else that was found explains the complaint, and a check that could not be completed says nothing about what it asks for.",
		next: []Step{
			{Text: "{wait} check again."},
		},
		user: "We could not find out yet what is wrong: a part of the service is not answering as it should. We will try again and call you back.",
	},
	{
		code: Undecided, variant: "oauth",
		what:  "{host} refused the sign-in of {email} with {code}, and what that means for this person is not documented.",
		known: "OAuth 2.0 (RFC 6749, section 5.2) ties only invalid_grant to the password, and only invalid_client and unauthorized_client to the client.{description}",
		next: []Step{
			{Text: "Ask the operator of the authority what {code} means here."},
			{Text: "Check the scope of the profile if the code is invalid_scope."},
		},
		user: "The service refused the sign-in for a reason that we first have to ask about. We will call you back.",
	},
}
