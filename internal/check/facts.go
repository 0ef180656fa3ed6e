package check

// Names of facts that the verdict reads. Every other fact is for people alone.
const (
	// FactFailure says why a host did not do what it should, one of the words below.
	FactFailure = "failure"
	// FactReason says that in words, as the end of a sentence.
	FactReason = "reason"
	// FactCertificateEnds is the end of the host's certificate, a time.
	FactCertificateEnds = "certificate_ends"
	// FactClockSkew is by how many seconds the host's clock is ahead of this one, a float64.
	FactClockSkew = "clock_skew_seconds"

	// FactPrimaryDomain is what look-up or claims name: a host name.
	FactPrimaryDomain = "primary_domain"
	// FactDomains are the other domains of the claims.
	FactDomains = "other_domains"
	// FactErrorCode is the ErrorCode of a device login, or the error of the token endpoint.
	FactErrorCode = "error_code"
	// FactMeaning is what the documentation says of it.
	FactMeaning = "meaning"
	// FactKnownBy is how the outcome of a check is known.
	FactKnownBy = "known_by"
	// FactRetryAfter is how many seconds the service asks to wait, an int64.
	FactRetryAfter = "retry_after_seconds"
	// FactComplete says that a device login with an undocumented code got all that it is for.
	FactComplete = "complete"
	// FactWithout is the status that the gateway answers without a token, an int64.
	FactWithout = "status_without_token"
	// FactDiffersAt is the id of the first check that came out otherwise for whoever is
	// signed in.
	FactDiffersAt = "differs_at"
)

// The words of [FactFailure].
const (
	FailureName        = "name"        // there is no host with this name
	FailureResolution  = "resolution"  // names cannot be resolved
	FailureNetwork     = "network"     // there is no way to the host
	FailureRefused     = "refused"     // nothing listens there
	FailureTimeout     = "timeout"     // no answer in time
	FailureProxy       = "proxy"       // the proxy of this machine
	FailureTLS         = "tls"         // the handshake failed otherwise than over the certificate
	FailureCertificate = "certificate" // not valid: ended, of another host, of an unknown authority
	FailureStatus      = "status"      // an answer of 429 or from 500 on
	FailureAnswer      = "answer"      // an answer that is not what the interface promises
	FailureAddress     = "address"     // the e-mail address is none
	FailureOther       = "other"
)
