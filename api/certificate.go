package api

import "time"

// CertificateFaultKind is what is wrong with a certificate.
type CertificateFaultKind uint8

// The faults of certificates.
const (
	FaultOther               CertificateFaultKind = iota // see Detail
	FaultExpired                                         // on At
	FaultNotYetValid                                     // before At
	FaultOtherNames                                      // it is for Names
	FaultNoName                                          // it names no host, except perhaps in its subject, which no longer counts
	FaultSelfSigned                                      // by itself, and it is not trusted
	FaultUnknownSigner                                   // Issuer, which this machine does not trust
	FaultIncompleteChain                                 // the certificate of Issuer was not sent with it
	FaultIntermediateExpired                             // that of Of, which signs it, on At
	FaultWeakSignature                                   // by an algorithm or with a key that nobody accepts any more
	FaultUnreadable                                      // see Detail
)

// CertificateFault is why a certificate was refused. Its texts come from outside; each is one
// line that is safe to show.
type CertificateFault struct {
	Kind    CertificateFaultKind
	Names   []string  // hosts and addresses that the certificate is for, at most 20
	Subject string    // of the certificate, such as "CN=gateway.example"
	Issuer  string    // who signed it: of the last certificate of the chain that was sent
	At      time.Time // when it expired or becomes valid
	Of      string    // whose certificate has expired, of an intermediate
	Detail  string    // what is wrong, in a few words, where the kind does not say it

	Fingerprint string // SHA-256 of the certificate in hexadecimal digits, "" if it cannot be read
	// SignerID is the same for certificates of one signer, "" if it is not known: two hosts of
	// different names with a foreign certificate of one signer are in fact something in between.
	SignerID string
}
