package check

import (
	"net/http"
	"slices"
	"strings"
)

// entry has the sentences for a cause: what happened, how it is known, what to do, and what to
// tell the user. Of the entries of a code the first that fits is used. Words in braces are
// filled in; see values. A test walks through all entries.
//
// A check looks from one place and knows only what was answered. A sentence claims no more.
type entry struct {
	code  Code
	when  func(diagnosis) bool // nil: the usual case
	title string               // "" is the title of the code
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
	tryElsewhere   = do("Check from another network.")
	signInNext     = Step{Text: "check again with a sign-in", Kind: StepSignIn}
	primaryNext    = Step{Text: "ask the person to sign in at {primary}", Kind: StepOtherDomain, Domain: "{primary}"}
	askForTime     = do("Ask the person when the problem occurred, in which program, and what the exact message was. Check again if the problem comes back.")
	correctDomain  = do("Ask an administrator of the service to assign or correct the primary domain of {email}, then check again.")
	askWhichDomain = do("Ask an administrator of the service which domain is right, and have the wrong entry corrected.")
)

const (
	notPrimary    = "Not the primary domain"
	wrongDomainIs = "According to section 7 of the service's documentation, {code} means that the primary domain differs from the domain in the request."

	userNotFromHere = "We cannot reach the service from here at the moment, so we cannot tell what is wrong yet. We will call you back."
	userIncomplete  = "Your password is correct, but your account is not fully set up. We will ask an administrator to correct it."
	userOurProblem  = "We could not check your account because of a problem on our side. That may not be why you cannot get in. We will call you back."
	userDeviceSetUp = "Which domain is set in the program on your device? It should be {primary}."
	userAgain       = "Please try again. If it fails, tell us the time and the exact message."
)

var entries = slices.Concat([]entry{
	{
		code: LooksFine, when: func(d diagnosis) bool { return !d.asked(SignIn) }, title: "No fault seen from outside",
		what:  "Seen from outside, nothing is wrong with {email}: {domain} is the primary domain, and all hosts answer.{slowly}",
		known: "The look-up and the hosts answered just now. Password, claims and shares were not checked.",
		next:  []Step{signInNext},
		user:  "As far as we can see without signing in, nothing is wrong{slow}. Let us go through the sign-in together.",
	},
	{
		code: LooksFine, when: func(d diagnosis) bool { return d.state == Warn }, title: "Works, but slowly",
		what:  "The sign-in of {email} works, but slowly: {place} took {took} to answer.",
		known: "Every check was completed. An answer is slow if it takes more than a second.",
		next:  say("Check again in a few minutes. If it is still slow, report it to the operator of {operator}, with the id of this report."),
		user:  "Your account works, but part of the service is slow at the moment. Please give it a few seconds.",
	},
	{
		code:  LooksFine,
		what:  "Everything works for {email}: the sign-in succeeds, the claims match the look-up, and {domain} lists the person's shares.",
		known: "Every check ran just now, with the person's own password.",
		next:  []Step{askForTime},
		user:  "We signed in to your account from here, and everything works. " + userAgain,
	},
	{
		code: UnknownAddress, when: func(d diagnosis) bool { return d.check.finding().Failure == failureAddress }, title: "Not an e-mail address",
		what:  "{email} is not an e-mail address: {reason}.",
		known: "The address was not looked up.",
		next:  say("Ask the person for the e-mail address of the account."),
		user:  "Please tell us the e-mail address you sign in with.",
	},
	{
		code: UnknownAddress, title: "No primary domain found",
		what:  "The global service finds no primary domain for {email}: the address is unknown, or the person has no primary domain.",
		known: "The service answers both cases in the same way: with the address and no domain.{rejected}{description} A sign-in that succeeds would show that the person has an account.",
		next: []Step{
			do("Ask the person to spell the address they sign in with."), signInNext,
			do("If the spelling is right, ask an administrator of the service whether the person has an account and a primary domain."),
		},
		user: "We cannot find a domain for {email}. Is that the address you sign in with?",
	},
	{
		code: NoPrimaryDomain, when: func(d diagnosis) bool { return d.check.ID == Device },
		what:  "The device login of {email} failed with {code}: the person has no primary domain.",
		known: "Section 7 of the service's documentation defines {code} as \"user has no primary domain\".",
		next:  []Step{correctDomain},
		user:  "Your account has no primary domain yet. We will ask an administrator to assign one.",
	},
	{
		code: NoPrimaryDomain, when: func(d diagnosis) bool { return d.check.ID == Claims },
		what:  "{email} can sign in, but the token names no primary domain.",
		known: "A token should always name the primary domain (service documentation, section 2.2).{listed}",
		next:  []Step{correctDomain},
		user:  userIncomplete,
	},
	{
		code:  NoPrimaryDomain,
		what:  "{email} can sign in, but the global service finds no primary domain.",
		known: "The global service answered with the address, without a domain. Programs that look the domain up by e-mail address cannot find it.",
		next:  []Step{correctDomain},
		user:  userIncomplete,
	},
	{
		code: OtherPrimaryDomain, when: diagnosis.doubtsDomain,
		what:  "The device login of {email} failed with {code}, wrong domain, and it is not certain which domain is the primary one.",
		known: "Primary domain according to the look-up or the token: {known}; according to the device login: {named}. " + wrongDomainIs,
		next:  []Step{askWhichDomain},
		user:  "The service refuses your device because of the domain that is set on it. We will find out which domain is right and call you back.",
	},
	{
		code: OtherPrimaryDomain, when: func(d diagnosis) bool {
			return d.check.ID == Device && isGUID(d.Domain) && strings.EqualFold(d.Domain, d.check.finding().DomainID)
		}, title: "Contradictory answer",
		what:  "The device login of {email} failed with {code}, wrong domain, but names the requested domain {primary} as the primary one: the answer contradicts itself.",
		known: wrongDomainIs,
		next:  say("Report it to the operator of the service, with the id of this report."),
		user:  "The service contradicts itself about your domain. We will ask its operator and call you back.",
	},
	{
		code: OtherPrimaryDomain, when: func(d diagnosis) bool { return d.check.ID == Device && !isGUID(d.Domain) },
		what:  "The device login of {email} failed with {code}, wrong domain, although Gatehouse sent no domain with it. The primary domain is {primary}.",
		known: "A device login can name a domain only by its id, and Gatehouse sent none.{unsent} " + wrongDomainIs,
		next: []Step{
			do("Ask which domain is set on the person's device. If it is not {primary}, ask for it to be changed to {primary}."),
			do("If it is already {primary}, report the {code} response to the operator of the service, with the id of this report."),
		},
		user: userDeviceSetUp,
	},
	{
		code: OtherPrimaryDomain, when: func(d diagnosis) bool { return d.check.ID == Device },
		what:  "The device login of {email} failed with {code}, wrong domain. The primary domain is {primary}.",
		known: wrongDomainIs,
		next:  []Step{{Text: "check again with the domain {primary}", Kind: StepOtherDomain, Domain: "{primary}"}},
		user:  userDeviceSetUp,
	},
	{
		code: OtherPrimaryDomain, title: "Two primary domains",
		what:  "{email} can sign in, but the look-up names {primary} as the primary domain and the token names {claimed}.",
		known: "The global service and the authority answered just now.",
		next:  []Step{askWhichDomain},
		user:  "Your password is correct. The service names two domains for your account, {primary} and {claimed}. We will have that corrected.",
	},
	{
		code:  WrongPassword,
		what:  "{host} rejects the sign-in of {email}.{usually}{description}",
		known: "The authority answered {code}. In OAuth 2.0 (RFC 6749, section 5.2), this usually means that the e-mail address or the password is wrong; some services give the same answer for a locked or disabled account. The service's documentation lists no errors for this request.",
		next: say(
			"Unless the authority gives another reason, ask the person to type the address and the password again, with caps lock off and the right keyboard layout.",
			"If that fails, or the authority gives another reason, ask an administrator of the service whether the account is locked or disabled.",
			"Do not keep trying: many services lock an account after a few wrong passwords. This service does not document whether it does.",
		),
		user: "Your sign-in was not accepted. {rejection} If you still cannot get in, we will look into it and call you back.",
	},
	{
		code:  ClientRefused,
		what:  "{host} rejects this profile's client {client} ({code}){unset}.",
		known: "In OAuth 2.0 (RFC 6749, section 5.2), {code} is about the client, not the person.{description}",
		next: say(
			"Check client_id, client_auth and the client secret of the profile. `gatehouse config set-secret client-secret` sets the secret in the keyring; GATEHOUSE_CLIENT_SECRET takes precedence.",
			"Ask the operator of the service whether this client may use password sign-in.",
		),
		user: userOurProblem,
	},
	{
		code: DeviceNotValidated, when: func(d diagnosis) bool { return d.check.finding().DeviceName != "" }, // which may be that of a new device or not
		what:  "The device login of {email} failed with {code}, not validated.",
		known: "The check sent the name of a device and no id, so the answer may be about a new device. The person's own device may already be validated.",
		next: say(
			"Ask an administrator of the service for the id of the person's own device, then check again with that id instead of a name.",
			"If that device is not validated either, ask an administrator of the service to validate it.",
		),
		user: "Your password is correct. An administrator may have to approve new devices. We will ask about yours and call you back.",
	},
	{
		code:  DeviceNotValidated,
		what:  "The device login of {email} with the device id {device} failed with {code}, not validated.",
		known: "Section 7 of the service's documentation defines {code} as \"the device is not validated\". How a device is validated is not documented.",
		next:  say("Make sure that this is the id of the person's own device, then ask an administrator of the service to validate it."),
		user:  "Your password is correct, but the device whose id we have is not approved yet. Once we know that it is yours, we will ask an administrator to approve it.",
	},
	{
		code:  WipeOrdered,
		what:  "In its answer to the device login of {email}, the service orders the device to erase its data.",
		known: "The answer contains a wipe order (service documentation, section 2.4), which Gatehouse ignores. The person's own devices may get the same order and obey it.",
		next:  say("Find out from an administrator of the service who ordered the wipe, and why, before the person signs in on any device."),
		user:  "Please do not sign in on any device until we call you back. The service may order the device to erase its data.",
	},
	{
		code: UndocumentedCode, when: diagnosis.isComplete, title: "Device login looks fine",
		what:  "The device login of {email} looks fine, although its code {code} is undocumented.",
		known: "The answer has a domain, a token and a device. No code for success is documented.",
		next:  []Step{askForTime},
		user:  "We logged in to your account as a device, and the service accepted it. " + userAgain,
	},
	{
		code:  UndocumentedCode,
		what:  "The device login of {email} answered with the undocumented code {code} and an incomplete result.",
		known: "The service's documentation explains only U103, U105 and U107 (section 7).",
		next:  say("Ask the operator of the service what {code} means."),
		user:  "The service answers your device with {code}. We will ask what that means and call you back.",
	},
	{
		code: NoAccess, when: func(d diagnosis) bool { return d.check.Status == http.StatusUnauthorized },
		what:  "{host} does not accept the token of {email} for {domain} ({status}), although it was issued just now.",
		known: "According to the service's documentation, section 7, {status} means that a token has expired or is invalid.{without}",
		next:  say("Tell the operator of {domain} that the gateway rejects the authority's tokens, with the id of this report."),
		user:  "Your password is correct, but {domain} does not accept your sign-in. We will report it.",
	},
	{
		code: NoAccess, when: diagnosis.refusesEverybody,
		what:  "{host} refuses access to {domain} ({status}), with the token of {email} and without a token.",
		known: "Gatehouse asked the gateway with and without credentials just now.",
		next:  say("Ask the operator of {domain} whether the gateway refuses this network, or all requests."),
		user:  "Your password is correct, but {domain} refuses all requests from here at the moment. We will report it.",
	},
	{
		code:  NoAccess,
		what:  "{host} answers, but refuses {email} access to {domain} ({status}).",
		known: "The token was issued just now.{without} The service's documentation does not explain {status}.",
		next:  say("Ask an administrator of {domain} whether {email} should have access."),
		user:  "Your password is correct, but your account has no access to {domain}. An administrator of that domain can grant it.",
	},
	{
		code: OtherDomains, when: func(d diagnosis) bool { return d.check.State == Unknown }, title: "Another domain not checked",
		what:  "{working} works for {email}. It is not known whether {minor}: {reason}.",
		known: "Gatehouse asked each domain listed in this report for the person's shares. An incomplete check proves nothing either way.",
		next:  say("{again}."),
		user:  "{working} works. We have not been able to check {minors} yet and are trying again.",
	},
	{
		code: OtherDomains, when: func(d diagnosis) bool { return d.check.State == Fail }, title: "Another domain fails",
		what:  "{working} works for {email}, but {minor} not: {reason}.",
		known: "Gatehouse asked each domain listed in this report for the person's shares.",
		next:  say("If the complaint is about {minors}, ask an administrator of that domain to look into it, with the id of this report."),
		user:  "{working} works for your account, but {minor} not. An administrator of that domain can help.",
	},
	{
		code: OtherDomains, when: func(d diagnosis) bool { return !d.claims().readable }, title: notPrimary,
		what:  "The person asked for {asked}, but the primary domain of {email} is {primary}.",
		known: "The look-up names {primary}. Only a sign-in shows whether {asked} is one of the person's other domains.",
		next:  []Step{{Text: signInNext.Text, Kind: StepSignIn, Domain: "{asked}"}, primaryNext},
		user:  "The primary domain of your account is {primary}. Please try signing in there. We cannot see yet whether you have access to {asked}.",
	},
	{
		code: OtherDomains, when: diagnosis.mayBeUnread, title: notPrimary,
		what:  "The primary domain of {email} is {primary}. The token lists more domains than Gatehouse reads; {asked} is not among those that were read.",
		known: "Only a token with fewer domains shows whether {asked} is one of the person's other domains.",
		next:  []Step{primaryNext, do("Ask the operator of the authority for a token with fewer domains.")},
		user:  "Your account belongs to {primary}. Please sign in there. We cannot see whether you have access to {asked}.",
	},
	{
		code: OtherDomains, when: func(d diagnosis) bool { return !slices.Contains(d.claims().OtherDomains, d.Domain) }, title: "Not the person's domain",
		what:  "{asked} is not one of the domains of {email}; the primary domain is {primary}.",
		known: "The token lists the person's domains (service documentation, section 2.2), and {asked} is not among them.",
		next: []Step{
			primaryNext,
			do("If the person should have access to {asked}, ask an administrator of that domain to grant it."),
		},
		user: "Your account belongs to {primary} and has no access to {asked}. Please sign in at {primary}.",
	},
	{
		code: OtherDomains, title: notPrimary,
		what:  "{asked} is one of the domains of {email}, but the primary domain is {primary}.",
		known: "The token names {primary} as the primary domain and {asked} as another one (service documentation, section 2.2).",
		next: []Step{
			{Text: primaryNext.Text + ", then open {asked}", Kind: StepOtherDomain, Domain: "{primary}"},
			{Text: "open {asked} with your own session", Kind: StepOpenDomain, Domain: "{asked}"},
		},
		user: "Your account belongs to {primary}. Please sign in there. {asked} is one of your other domains.",
	},
	{
		code: Certificate, when: diagnosis.isHere,
		what:  "This machine refuses the certificates of all hosts: {reason}.",
		known: "Every host we tried failed in the same way, so the cause is probably the clock of this machine or a proxy that decrypts connections.",
		next:  say("Check the clock of this machine. If a proxy decrypts connections, make this machine trust its certificate authority."),
		user:  userNotFromHere,
	},
	{
		code: Certificate, when: func(d diagnosis) bool { return d.state == Warn }, title: "Certificate expires soon",
		what:  "Everything that was checked works for {email}, but the certificate of {place} expires on {date}.",
		known: "The host presented this certificate just now. From that day on, programs refuse to connect.",
		next:  say("Ask the operator of {operator} to renew the certificate before {date}."),
		user:  "Everything we can see works. " + userAgain,
	},
	{
		code:  Certificate,
		what:  "The connection to {place} is not secure: {reason}.",
		known: "Gatehouse closed the connection before sending a request.",
		next: say(
			"Ask the operator of {operator} to install a valid certificate for {host}.",
			"If there is a proxy, or you run your own certificate authority, make this machine trust it.",
		),
		user: "The connection to the service is not secure at the moment, so programs refuse it. We will report it. Please do not click through certificate warnings.",
	},
	{
		code: Clock, when: diagnosis.isHere,
		what:  "The clock of this machine is wrong: the clocks of all hosts are {skew} it.",
		known: "The Date headers of all hosts we tried agree with each other.",
		next: say(
			"Set the clock of this machine, then check again.",
			"If the person's machine uses the same time source, its clock is wrong as well.",
		),
		user: "The clock of our machine is wrong, so we cannot tell yet what is wrong with your sign-in. We will call you back.",
	},
	{
		code:  Clock,
		what:  "The clock of {place} is {skew} the clock of this machine.{works}",
		known: "The difference is taken from the Date header of the answer, corrected by half the round-trip time. With a clock that far off, tokens can look expired or not yet valid.",
		next:  say("Compare the clock of this machine with another one. If this machine is right, ask the operator of {operator} to correct that clock."),
		user:  "A clock of the service differs from ours, which can make sign-ins fail or end a session early. We will look into it.",
	},
	{
		code:  BadProfile,
		what:  "The profile of this program cannot be used: {reason}.",
		known: "No request was sent for {step}.",
		next:  say("Correct the profile, then check again."),
		user:  userOurProblem,
	},
	{
		code: Undecided, when: func(d diagnosis) bool { return d.check.ID == SignIn && d.check.finding().code() != "" },
		what:  "{host} rejected the sign-in of {email} with {code}. Its meaning for this person is not documented.",
		known: "In OAuth 2.0 (RFC 6749, section 5.2), invalid_grant is about the password, and invalid_client and unauthorized_client are about the client.{description}",
		next: say(
			"Ask the operator of the authority what {code} means here.",
			"If the code is invalid_scope, check the scope of the profile.",
		),
		user: "The service rejected the sign-in. We will ask its operator for the reason and call you back.",
	},
	{
		code:  Undecided,
		what:  "The check of {email} is inconclusive, because {step} could not be completed: {reason}.",
		known: "An incomplete check proves nothing either way.",
		next:  say("{again}."),
		user:  "We have not been able to find out what is wrong yet, because part of the service did not answer as expected. We are trying again.",
	},
},
	unreachableEntries(GlobalUnreachable, "The global service {host}", "the service", "Part of the service is not working at the moment. We will report it; please try again later."),
	unreachableEntries(AuthorityUnreachable, "The authority {host}", "the authority", "The sign-in part of the service is not working properly at the moment. Your password may be fine. Please try again later."),
	unreachableEntries(GatewayUnreachable, "The gateway of {domain}, {host},", "{domain}", "{domain} is not working properly at the moment. We will report it; please try again later."),
)

// unreachableEntries are the entries of a host that cannot be reached, which begins the sentences. user
// hears that it is not working only where it answers that itself.
func unreachableEntries(code Code, host, operator, user string) []entry {
	return []entry{
		{
			code: code, when: diagnosis.isHere, title: "Nothing reachable from here",
			what:  host + " cannot be reached from here: {reason}.",
			known: "No host that was asked answers.",
			next:  []Step{do("Check the network, the proxy and the name servers of this machine, and the URLs of the profile, then check again."), tryElsewhere},
			user:  userNotFromHere,
		},
		{
			code: code, when: func(d diagnosis) bool { return isServerError(d.check) }, title: strings.Replace(code.Title(), "unreachable", "failing", 1),
			what:  host + " answers every request with an error ({status}).",
			known: "These requests carried no credentials, so the person's account is not the cause.",
			next:  []Step{do("Check again in a few minutes."), reportIf("it still fails", operator)},
			user:  user,
		},
		{
			code:  code,
			what:  host + " cannot be reached from here: {reason}.",
			known: "This check asked {host} just now, from this network alone. Whether other networks reach it is not known.",
			next:  []Step{do("Check {key} in the profile."), tryElsewhere, reportIf("it fails there too", operator)},
			user:  userNotFromHere,
		},
	}
}

func reportIf(condition, operator string) Step {
	return do("If " + condition + ", report it to the operator of " + operator + ", with the id of this report.")
}
