package check

import (
	"slices"
	"strings"
)

// hostEntries are those of hosts, which may keep everybody out, of the profile, and of a check that
// could not be completed.
var hostEntries = slices.Concat([]entry{
	{
		code: GlobalUnreachable, when: func(d diagnosis) bool { return d.alike() > 0 }, title: "Nothing can be reached from here",
		what:  "No host of the service can be reached from here: {reason}.",
		known: "All hosts that were asked fail in the same way.",
		next:  []Step{mendHere, tryElsewhere, tellOperator},
		user:  userNotFromHere,
	},
}, unreachableEntries(GlobalUnreachable, "The global service {host}", tellOperator, userGlobal),
	unreachableEntries(AuthorityUnreachable, "The authority {host}", tellAuthority, userAuthority),
	unreachableEntries(GatewayUnreachable, "The gateway of {domain}, {host},", tellDomain, userDomain),
	[]entry{
		{
			code: Certificate, when: diagnosis.isHere,
			what:  "This machine refuses the certificates of all hosts: {reason}.",
			known: "All hosts that were asked fail in the same way, so the cause is probably the clock of this machine or a proxy that decrypts connections.",
			next:  say("Check the clock of this machine. If a proxy decrypts connections, make this machine trust its certificate authority."),
			user:  userNotFromHere,
		},
		{
			code: Certificate, when: func(d diagnosis) bool { return d.state == Warn }, title: "Certificate expires soon",
			what:  "Everything that was checked works for {email}, but the certificate of {place} expires on {date}, in {days}.",
			known: "The host presented this certificate just now. From that day on, programs refuse to connect.",
			next:  say("Ask the operator of {host} to renew the certificate before {date}."),
			user:  "Everything we can see works. " + userAgain,
		},
		{
			code: Certificate, when: diagnosis.hasExpired, title: "Certificate expired",
			what:  "The certificate of {place} expired on {date}.",
			known: "The host presented this certificate just now. Gatehouse closed the connection before sending anything.",
			next:  say("Ask the operator of {host} to renew the certificate."),
			user:  "The service's certificate has expired, so your program refuses to connect. We will report it. Please do not click through certificate warnings.",
		},
		{
			code:  Certificate,
			what:  "The certificate of {place} is not accepted: {reason}.",
			known: "Gatehouse closed the connection before sending anything.",
			next: say(
				"Ask the operator of {host} to install a certificate for this name.",
				"If there is a proxy, or you run your own certificate authority, make this machine trust it.",
			),
			user: "The connection to the service is not secure at the moment, so programs refuse it. We will report it. Please do not click through certificate warnings.",
		},
		{
			code: Clock, when: func(d diagnosis) bool { return d.state == Warn && d.works(SignIn) && d.working() != "" },
			what:  "{email} gets in, but the clock of {place} is {skew} the clock of this machine.",
			known: "The Date header of the answer shows the difference, corrected for half the round-trip time.{others} The sign-in and the shares work all the same. Elsewhere tokens can look expired, or not yet valid.",
			next:  say("Compare the clock of this machine with another one. If this machine is right, ask the operator of {host} to correct its clock."),
			user:  "We signed in to your account from here, and it works. The clock of the service differs from ours, though, which can end a session early. " + userAgain,
		},
		{
			code: Clock, when: diagnosis.isHere,
			what:  "The clock of this machine is wrong: the clocks of all hosts are {skew} it.",
			known: "All hosts that were asked agree with each other in the Date headers of their answers.",
			next: say(
				"Set the clock of this machine, then check again.",
				"If the person's machine uses the same time source, its clock is wrong as well.",
			),
			user: "The clock of our machine is wrong, so we cannot tell yet what is wrong with your sign-in. We will call you back.",
		},
		{
			code:  Clock,
			what:  "The clock of {place} is {skew} the clock of this machine.",
			known: "The Date header of the answer shows the difference, corrected for half the round-trip time.{others} Tokens can look expired, or not yet valid.",
			next:  say("Unless the clock of this machine is wrong, ask the operator of {host} to correct its clock."),
			user:  "One of the service's clocks is wrong, so sign-ins can fail. We will report it; please try again later.",
		},
		{
			code:  BadProfile,
			what:  "The profile of this program cannot be used: {reason}.",
			known: "No host was asked.",
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
			code: Undecided, when: diagnosis.isNotFound, title: "Address in the profile answers 404",
			what:  "The cause for {email} could not be determined: the address that the profile has for {check}, {host}, answers 404 (not found).",
			known: "The host was reached, but has nothing there. The service's documentation does not explain 404.",
			next: []Step{
				do("Check {key} in the profile, then check again."),
				do("If {key} is right, report it to the operator of the service, with the id of this report."),
			},
			user: "We could not find out yet what is wrong: our program may have a wrong address for part of the service. We will look into it and call you back.",
		},
		{
			code: Undecided, when: func(d diagnosis) bool { return d.works(SignIn) },
			what:  "The sign-in of {email} was accepted, but {check} could not be completed: {reason}.",
			known: "An incomplete check shows neither that something is wrong nor that all is well.",
			next:  say("{again}."),
			user:  "Your password is correct. We have not been able to check everything yet and are trying again.",
		},
		{
			code:  Undecided,
			what:  "The cause for {email} could not be determined, because {check} could not be completed: {reason}.",
			known: "Nothing else explains the complaint, and an incomplete check shows neither that something is wrong nor that all is well.",
			next:  say("{again}."),
			user:  "We could not find out yet what is wrong, because part of the service did not answer as expected. We are trying again.",
		},
	})

// unreachableEntries are those of a host that cannot be reached, which begins the sentences. user
// hears that it is not working only where it answers that itself.
func unreachableEntries(code Code, host string, tell Step, user string) []entry {
	return []entry{
		{
			code: code, when: diagnosis.isHere, title: "Nothing can be reached from here",
			what:  host + " cannot be reached from here: {reason}.",
			known: "No other host answers either, so the cause is probably this machine or its network.",
			next:  []Step{mendHere, tryElsewhere},
			user:  userNotFromHere,
		},
		{
			code: code, when: func(d diagnosis) bool { return isServerError(d.check) }, title: strings.Replace(code.Title(), "unreachable", "failing", 1),
			what:  host + " answers every request with an error ({status}).",
			known: "Requests without credentials get the same error, so the person's account is not the cause.",
			next:  []Step{tryFirst, tell},
			user:  user,
		},
		{
			code:  code,
			what:  host + " cannot be reached from here: {reason}.",
			known: "This check asked {host} just now, from this network alone. Whether other networks reach it is not known.",
			next:  []Step{tryElsewhere, tell},
			user:  userNotFromHere,
		},
	}
}
