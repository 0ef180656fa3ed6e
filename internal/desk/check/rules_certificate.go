package check

import (
	"crypto/x509"
	"slices"

	"gatehouse/api"
)

// certificateFault is a fault for which a certificate is refused, and what is said about it. The
// texts are templates.
type certificateFault struct {
	kind  api.CertificateFaultKind
	also  predicate // nil always holds
	cause cause
	what  string // the end of the sentence that says what happened
	known string // more evidence
	next  []Step // what to do
}

const (
	browsersWork     = " Browsers often work all the same: they keep such certificates from other visits, or fetch them."
	sendIntermediate = "Ask the operator of {operator} to send the intermediate certificate[ of {certificate-signer}] with that of {host}"

	userCertificate = "The connection to part of the service is not secure at the moment, so programs refuse it. We will report it. Please do not click through certificate warnings."
)

// sentAlone reports whether a host sent its own certificate without its signer's.
func sentAlone(_ *scene, o *observation) bool { return o.way.Certificate.Alone }

// sentElsewhere reports whether another host sent the certificate of the signer, in a chain that this
// machine accepts.
func sentElsewhere(s *scene, o *observation) bool {
	refused := o.probe.Certificate
	if refused == nil || !o.way.Certificate.Alone {
		return false
	}
	hasSigned := func(issuer *x509.Certificate) bool {
		return refused.CheckSignatureFrom(issuer) == nil
	}
	return slices.ContainsFunc(s.checks, func(c Check) bool {
		return slices.ContainsFunc(c.seen().probe.Issuers, hasSigned)
	})
}

// certificateFaults are all faults; the first that holds counts. Each has its own advice: to trust a
// signer does not help against a certificate that has expired.
var certificateFaults = []certificateFault{
	{
		kind:  api.FaultExpired,
		cause: cause{id: "certificate-expired", title: "Certificate expired"},
		what:  "its certificate expired[ on {certificate-time}]",
		next:  say("Ask the operator of {operator} to renew the certificate of {host}", "[If it is valid for others, check {own-clock}]"),
	},
	{
		kind:  api.FaultNotYetValid,
		cause: cause{id: "certificate-not-yet-valid", title: "Certificate not valid yet"},
		what:  "its certificate is not valid yet[: it begins on {certificate-time}]",
		next:  say("[Check {own-clock}: if it is slow, set it and check again]", "Ask the operator of {operator} to install a certificate that is valid now"),
	},
	{
		kind:  api.FaultOtherNames,
		cause: cause{id: "certificate-other-names", title: "Certificate for other names"},
		what:  "its certificate is for other names[: {certificate-names}]",
		next:  say("Check {key} in the profile, and the domain in it", "If the address is right, ask the operator of {operator} to install a certificate for {host}"),
	},
	{
		kind:  api.FaultNoName,
		cause: cause{id: "certificate-no-name", title: "Certificate without a name"},
		what:  "its certificate names no host in the field that programs read (subject alternative name)",
		next:  say("Ask the operator of {operator} to install a certificate with {host} as a subject alternative name"),
	},
	{
		kind:  api.FaultSelfSigned,
		cause: cause{id: "certificate-self-signed", title: "Certificate signed by itself"},
		what:  "its certificate is signed by itself, so nobody vouches for it",
		next:  say("Ask the operator of {operator} to install a certificate of a known authority, or for the certificate, to name it in ca_file of the profile"),
	},
	{
		kind: api.FaultUnknownSigner, also: sentElsewhere,
		cause: incompleteChain,
		what:  "it does not send the certificate that vouches for its own[, of {certificate-signer}]: the chain is incomplete",
		known: " Another host of the service sends that certificate, and this machine accepts it." + browsersWork,
		next:  say(sendIntermediate),
	},
	{
		kind: api.FaultUnknownSigner, also: sentAlone,
		cause: unknownAuthority,
		what:  "its certificate is signed by an authority that this machine does not know[, {certificate-signer}], and no certificate of that authority was sent with it",
		known: " Either the host leaves out an intermediate certificate, or this machine does not trust the authority. In the first case browsers often work all the same: they keep such certificates from other visits, or fetch them.",
		next: say(
			"If browsers open {host} without a warning, ask the operator of {operator} to send the intermediate certificate[ of {certificate-signer}] with that of {host}",
			"If that authority is your own, or belongs to a proxy of your organisation, name its certificate in ca_file of the profile",
			"Otherwise ask the operator of {operator} to install a certificate of a known authority",
		),
	},
	{
		kind:  api.FaultUnknownSigner,
		cause: unknownAuthority,
		what:  "its certificate is signed by an authority that this machine does not know[: {certificate-signer}]",
		next: say(
			"If that authority is your own, or belongs to a proxy of your organisation, name its certificate in ca_file of the profile",
			"Otherwise ask the operator of {operator} to install a certificate of a known authority",
		),
	},
	{
		kind:  api.FaultIncompleteChain,
		cause: incompleteChain,
		what:  "it does not send the certificate that vouches for its own[, of {certificate-signer}]: the chain is incomplete",
		known: browsersWork,
		next:  say(sendIntermediate),
	},
	{
		kind:  api.FaultIntermediateExpired,
		cause: cause{id: "certificate-intermediate-expired", title: "Intermediate certificate expired"},
		what:  "its own certificate is valid, and an intermediate one that vouches for it has expired[ on {certificate-time}][: {of-certificate}]",
		next:  say("Ask the operator of {operator} to replace the expired intermediate certificate[ of {of-certificate}] that {host} sends"),
	},
	{
		kind:  api.FaultWeakSignature,
		cause: cause{id: "certificate-weak-signature", title: "Certificate too weak"},
		what:  "its certificate is signed in a way that is no longer accepted[ ({certificate-detail})]",
		next:  say("Ask the operator of {operator} to install a certificate with a current signature"),
	},
	{
		kind:  api.FaultUnreadable,
		cause: cause{id: "certificate-unreadable", title: "Certificate unreadable"},
		what:  "its certificate cannot be read[: {certificate-detail}]",
		next:  say("Ask the operator of {operator} to replace the certificate of {host}: it does not follow the rules for certificates"),
	},
	{
		kind: api.FaultOther,
		what: "its certificate was rejected[: {certificate-detail}]",
		next: say("Ask the operator of {operator} to install a valid certificate for {host}"),
	},
}

// isOf reports whether a certificate was refused for the fault.
func (f *certificateFault) isOf(s *scene, o *observation) bool {
	isOfKind := o.way.Certificate != nil && o.way.Certificate.Kind == f.kind
	return isOfKind && (f.also == nil || f.also(s, o))
}

// certificateFault returns the fault for which a certificate was refused; nil if it was not refused.
func (s *scene) certificateFault(o *observation) *certificateFault {
	for i := range certificateFaults {
		if certificateFaults[i].isOf(s, o) {
			return &certificateFaults[i]
		}
	}
	return nil
}

// certificateRules returns the rules for a host whose certificate was refused.
func certificateRules(l link) (rules []rule) {
	for i, fault := range certificateFaults {
		rules = append(rules, rule{
			code: Certificate, state: Fail, scope: ofHost, cause: fault.cause,
			claims: perhaps(sure(factCertificate), factNetworkHere),
			when: where(l.met(outcomeCertificate), func(s *scene, o *observation) bool {
				return s.certificateFault(o) == &certificateFaults[i]
			}),
			what:  "The connection to {place} is not secure: " + fault.what + ".[ {works}.]",
			known: "Gatehouse closed the connection before it sent anything[, to {address}]." + fault.known + "[ {clocks-agree}.]",
			next:  fault.next,
			user:  userCertificate,
		})
	}
	return rules
}
