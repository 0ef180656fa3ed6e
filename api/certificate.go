package api

import (
	"bytes"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// CertificateFaultKind is what is wrong with a certificate.
type CertificateFaultKind uint8

// The faults of certificates.
const (
	// FaultOther: Detail says what is wrong.
	FaultOther CertificateFaultKind = iota
	// FaultExpired: the certificate expired on At.
	FaultExpired
	// FaultNotYetValid: the certificate is not valid before At.
	FaultNotYetValid
	// FaultOtherNames: the certificate is for Names.
	FaultOtherNames
	// FaultNoName: the certificate names no host, or only in its subject, which no longer counts.
	FaultNoName
	// FaultSelfSigned: the certificate is signed by itself and not trusted.
	FaultSelfSigned
	// FaultUnknownSigner: this machine does not trust the Signer.
	FaultUnknownSigner
	// FaultIncompleteChain: the certificate of the Issuer was not sent.
	FaultIncompleteChain
	// FaultIntermediateExpired: the certificate of Of, higher up in the chain, expired on At.
	FaultIntermediateExpired
	// FaultWeakSignature: the algorithm or the key of a signature is no longer accepted.
	FaultWeakSignature
	// FaultUnreadable: the certificate cannot be parsed; see Detail.
	FaultUnreadable
)

// CertificateFault says why a certificate was refused. Its texts come from outside; each is one
// line that is safe to show.
type CertificateFault struct {
	Kind    CertificateFaultKind
	Names   []string  // hosts and addresses that the certificate is for, at most 20
	Subject string    // common name and organization of the certificate
	Issuer  string    // who signed it
	Signer  string    // who signed the last certificate of the chain that was sent
	Alone   bool      // the certificate of the issuer was not sent
	At      time.Time // when it expired or becomes valid
	Of      string    // the subject of the intermediate that is at fault; "" if it is not one
	Detail  string    // what is wrong in a few words, unless the kind says it

	Fingerprint string // SHA-256 of the certificate in hex, or "" if it cannot be read
	// SignerID is equal for all certificates of a signer, and "" if that is unknown. If two hosts
	// of different names have a foreign certificate of the same signer, something is in between.
	SignerID string
}

// What is shown of a certificate, and how much of a chain is read.
const (
	maxNames   = 20  // hosts and addresses
	maxName    = 253 // characters of each
	maxSubject = 200 // characters
	maxDetail  = 200 // characters
	maxPath    = 10  // certificates
)

// faultOf says why a handshake failed because of the other side's certificate, judged by a clock. It
// returns nil if the handshake failed for another reason.
func faultOf(err error, clock func() time.Time) *CertificateFault {
	if err == nil {
		return nil
	}
	var path []*x509.Certificate
	rejected, isRejected := errors.AsType[*tls.CertificateVerificationError](err)
	if isRejected {
		path = pathOf(rejected.UnverifiedCertificates)
	}
	f := describe(path)
	var (
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		authority x509.UnknownAuthorityError
	)
	switch {
	case errors.As(err, &name):
		f.Kind = FaultOtherNames
		if f.Names = namesOf(name.Certificate); len(f.Names) == 0 {
			f.Kind = FaultNoName
		}
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		f.outOfTime(path, invalid.Cert, clock())
	case errors.As(err, &invalid):
		f.Detail = invalidity[invalid.Reason]
	case errors.As(err, &authority):
		f.unknownSigner(path, clock())
	case !isRejected:
		return unverified(err)
	}
	return f
}

// pathOf orders the certificates that were sent: first the host's own, then its issuer's, then that
// one's issuer's, as far as there are any. It goes by names and key identifiers alone.
func pathOf(sent []*x509.Certificate) (path []*x509.Certificate) {
	if len(sent) == 0 {
		return nil
	}
	path = sent[:1:1]
	for len(path) < maxPath {
		last := path[len(path)-1]
		next := slices.IndexFunc(sent, func(c *x509.Certificate) bool {
			return !slices.Contains(path, c) && isIssuer(c, last)
		})
		if isSelfIssued(last) || next < 0 {
			break
		}
		path = append(path, sent[next])
	}
	return path
}

// isIssuer reports whether a certificate belongs to the issuer of another one.
func isIssuer(issuer, of *x509.Certificate) bool {
	if !bytes.Equal(issuer.RawSubject, of.RawIssuer) {
		return false
	}
	haveKeyIDs := len(of.AuthorityKeyId) > 0 && len(issuer.SubjectKeyId) > 0
	return !haveKeyIDs || bytes.Equal(of.AuthorityKeyId, issuer.SubjectKeyId)
}

func isSelfIssued(c *x509.Certificate) bool { return bytes.Equal(c.RawSubject, c.RawIssuer) }

// describe returns a fault without a kind, which has the names in a path of certificates and the
// fingerprint of the host's own.
func describe(path []*x509.Certificate) *CertificateFault {
	if len(path) == 0 {
		return &CertificateFault{}
	}
	leaf, last := path[0], path[len(path)-1]
	print := sha256.Sum256(leaf.Raw)
	return &CertificateFault{
		Names:       namesOf(leaf),
		Subject:     nameOf(leaf.Subject),
		Issuer:      nameOf(leaf.Issuer),
		Signer:      nameOf(last.Issuer),
		Alone:       len(path) == 1 && !isSelfIssued(leaf),
		Fingerprint: hex.EncodeToString(print[:]),
		SignerID:    signerID(leaf),
	}
}

// nameOf returns a distinguished name in one line, as people know it: "R11 (Let's Encrypt)".
func nameOf(name pkix.Name) string {
	text, of := name.CommonName, strings.Join(name.Organization, ", ")
	switch {
	case text == "" && of == "":
		text = name.String()
	case text == "":
		text = of
	case of != "" && of != text:
		text += " (" + of + ")"
	}
	return foreign(text, maxSubject)
}

// namesOf lists the hosts and addresses that a certificate is for.
func namesOf(c *x509.Certificate) (names []string) {
	if c == nil {
		return nil
	}
	for _, name := range c.DNSNames {
		names = append(names, foreign(name, maxName))
	}
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	return names[:min(len(names), maxNames)]
}

// signerID returns a hash of the name and the key of the signer of a certificate. If the certificate
// does not identify the key, the name alone counts; if it is self-signed, its own key does.
func signerID(c *x509.Certificate) string {
	key := c.AuthorityKeyId
	if isSelfIssued(c) {
		key = c.RawSubjectPublicKeyInfo
	}
	id := sha256.Sum256(append(slices.Clip(c.RawIssuer), key...))
	return hex.EncodeToString(id[:])
}

// outOfTime sets the fault for a path with a certificate that is not valid now. That is the first
// such certificate of the path, or else the one that package x509 blames, which may be nil.
func (f *CertificateFault) outOfTime(
	path []*x509.Certificate, blamed *x509.Certificate, now time.Time,
) {
	f.Kind = FaultExpired
	at := slices.IndexFunc(path, func(c *x509.Certificate) bool { return !isInTime(c, now) })
	if at >= 0 {
		blamed = path[at]
	}
	if blamed == nil {
		return
	}
	isEarly := now.Before(blamed.NotBefore)
	f.At = blamed.NotAfter
	if isEarly {
		f.Kind, f.At = FaultNotYetValid, blamed.NotBefore
	}
	isIntermediate := len(path) > 0 && blamed != path[0]
	if isIntermediate {
		f.Of = nameOf(blamed.Subject)
		if !isEarly {
			f.Kind = FaultIntermediateExpired
		}
	}
}

func isInTime(c *x509.Certificate, now time.Time) bool {
	return !now.Before(c.NotBefore) && !now.After(c.NotAfter)
}

// unknownSigner sets the fault for a path that leads to no trusted authority, an error that package
// x509 reports for several faults.
//
// A chain counts as incomplete if only the host's certificate was sent, and that certificate says
// where to fetch its issuer's, or has proofs of public logs. It then comes from a public authority,
// and these never sign with a certificate that machines trust by itself: there is another one, which
// the server has to send. Any other certificate that comes alone may be signed by a private
// authority that this machine does not know. A chain that lacks a certificate higher up looks like
// one of an unknown authority, since the certificate of an authority itself need not be sent.
func (f *CertificateFault) unknownSigner(path []*x509.Certificate, now time.Time) {
	f.Kind = FaultUnknownSigner
	if len(path) == 0 {
		return
	}
	leaf := path[0]
	late := slices.IndexFunc(path, func(c *x509.Certificate) bool { return !isInTime(c, now) })
	weak, detail := weakness(path)
	isFromPublicAuthority := len(leaf.IssuingCertificateURL) > 0 || isLogged(leaf)
	switch {
	case late == 0: // Windows checks the signer first, Go the time
		f.outOfTime(path, leaf, now)
	case isSelfIssued(leaf):
		f.Kind = FaultSelfSigned
	case weak:
		f.Kind, f.Detail = FaultWeakSignature, detail
	case slices.ContainsFunc(path[1:], mayNotSign):
		f.Kind, f.Detail = FaultOther, invalidity[x509.NotAuthorizedToSign]
	case late > 0:
		f.outOfTime(path, path[late], now)
	case len(path) == 1 && isFromPublicAuthority:
		f.Kind = FaultIncompleteChain
	}
}

// mayNotSign reports whether a certificate says that it must not sign others.
func mayNotSign(c *x509.Certificate) bool {
	isLeaf := c.Version == 3 && c.BasicConstraintsValid && !c.IsCA
	lacksUsage := c.KeyUsage != 0 && c.KeyUsage&x509.KeyUsageCertSign == 0
	return isLeaf || lacksUsage
}

// weakAlgorithms are the algorithms of signatures that browsers reject as well.
var weakAlgorithms = []x509.SignatureAlgorithm{
	x509.MD2WithRSA, x509.MD5WithRSA, x509.SHA1WithRSA, x509.DSAWithSHA1, x509.ECDSAWithSHA1,
}

// minRSA is the shortest key, in bits, whose signatures crypto/rsa accepts.
const minRSA = 1024

// weakness reports whether a signature in a path is too weak, and which algorithm or key it has.
// How an authority signs its own certificate does not matter.
func weakness(path []*x509.Certificate) (weak bool, detail string) {
	for i, c := range path {
		if !isSelfIssued(c) && slices.Contains(weakAlgorithms, c.SignatureAlgorithm) {
			return true, c.SignatureAlgorithm.String()
		}
		if key, ok := c.PublicKey.(*rsa.PublicKey); ok && i > 0 && key.N.BitLen() < minRSA {
			return true, fmt.Sprintf("an RSA key of %d bits", key.N.BitLen())
		}
	}
	return false, ""
}

// signedTimestamps is the extension with the proofs of public logs (RFC 6962 section 3.3).
var signedTimestamps = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 11129, 2, 4, 2}

// isLogged reports whether a certificate has proofs of public logs.
func isLogged(c *x509.Certificate) bool {
	isProof := func(e pkix.Extension) bool { return e.Id.Equal(signedTimestamps) }
	return slices.ContainsFunc(c.Extensions, isProof)
}

// invalidity puts into words why package x509 refuses a certificate.
var invalidity = map[x509.InvalidReason]string{
	x509.NotAuthorizedToSign:           "its issuer may not sign certificates",
	x509.CANotAuthorizedForThisName:    "its issuer may not sign for this name",
	x509.CANotAuthorizedForExtKeyUsage: "its issuer may not sign for servers",
	x509.TooManyIntermediates:          "its chain is too long",
	x509.IncompatibleUsage:             "it is not for servers",
	x509.NameMismatch:                  "the names in its chain do not match",
	x509.NameConstraintsWithoutSANs:    "its issuer has limits that it does not meet",
	x509.UnconstrainedName:             "its issuer has limits that it does not meet",
	x509.TooManyConstraints:            "its issuer has too many limits",
	x509.NoValidChains:                 "its chain is not valid",
}

// unverified returns the fault of a certificate that crypto/tls cannot read, or whose key is too
// short or too long, and nil for other errors. These errors have no types, so their texts decide.
func unverified(err error) *CertificateFault {
	const (
		unreadable = "tls: failed to parse certificate from server: "
		signature  = "tls: invalid signature by the server certificate: "
		tooLong    = "tls: server sent certificate containing RSA key larger than "
	)
	text := err.Error()
	if why, ok := strings.CutPrefix(text, unreadable); ok {
		detail := foreign(strings.TrimPrefix(why, "x509: "), maxDetail)
		return &CertificateFault{Kind: FaultUnreadable, Detail: detail}
	}
	if why, ok := strings.CutPrefix(text, signature); ok {
		why = strings.TrimPrefix(why, "crypto/rsa: ")
		if bits, _, ok := strings.Cut(why, "-bit keys are insecure"); ok {
			detail := foreign("an RSA key of "+bits+" bits", maxDetail)
			return &CertificateFault{Kind: FaultWeakSignature, Detail: detail}
		}
	}
	if bits, ok := strings.CutPrefix(text, tooLong); ok {
		return &CertificateFault{Detail: foreign("its RSA key is longer than "+bits, maxDetail)}
	}
	return nil
}

// faults are the words for each fault: its cause, what completes "the host: ..." and what to do.
var faults = [...]struct {
	cause      Cause
	name, text string
	hint       string
}{
	FaultOther: {CauseCertificate, "other", "its certificate was rejected",
		"Nothing was sent. Check the URLs of the profile, and look for a proxy in between; " +
			"ask the operator of the service."},
	FaultExpired:     {CauseClock, "expired", "its certificate expired", hintClock + hintReplace},
	FaultNotYetValid: {CauseClock, "not-yet-valid", "its certificate is not valid yet", hintClock + hintReplace},
	FaultOtherNames: {CauseCertificate, "other-names", "its certificate is for another host",
		"Nothing was sent. Check the URLs of the profile. If they are right, a proxy or the sign-in page " +
			"of this network may be in between, or " + hintReplace},
	FaultNoName: {CauseCertificate, "no-name", "its certificate names no host",
		"Nothing was sent. The operator of the service must replace the certificate by one with " +
			"a subject alternative name; a common name no longer counts."},
	FaultSelfSigned: {CauseAuthority, "self-signed",
		"its certificate is signed by itself, and this computer does not trust it", hintTrust},
	FaultUnknownSigner: {CauseAuthority, "unknown-signer",
		"its certificate is signed by an unknown authority", hintTrust},
	FaultIncompleteChain: {CauseAuthority, "incomplete-chain",
		"its certificate is signed by an authority whose own certificate was not sent with it",
		"Nothing was sent. The operator of the service must add the intermediate certificates to what " +
			"the server sends; a browser may work, as it fetches or knows them. " +
			"If the authority is your own, " + hintOwnAuthority},
	FaultIntermediateExpired: {CauseClock, "intermediate-expired",
		"the certificate of its issuer expired",
		hintClock + "the operator of the service must replace the intermediate certificate that the server sends."},
	FaultWeakSignature: {CauseCertificate, "weak-signature",
		"its certificate has a signature that is too weak", hintAnother},
	FaultUnreadable: {CauseCertificate, "unreadable", "its certificate cannot be read", hintAnother},
}

const (
	hintClock        = "Nothing was sent. Check the clock of this computer. If it is right, "
	hintReplace      = "the operator of the service must replace the certificate."
	hintAnother      = "Nothing was sent. The operator of the service must replace the certificate."
	hintOwnAuthority = "add it to the authorities that this computer trusts, " +
		"or name its file in ca_file of the profile."
	hintTrust = "Nothing was sent. If the authority is your own, " + hintOwnAuthority +
		" Otherwise a proxy may be in between: ask the operator of the service."
)

// String returns the fault in one word, for reports.
func (k CertificateFaultKind) String() string { return faults[k].name }

func (f *CertificateFault) cause() Cause { return faults[f.Kind].cause }

// Hint says what to do about the fault of a host's certificate.
func (f *CertificateFault) Hint() string { return faults[f.Kind].hint }

// brief completes "the host: ..." without any names that the certificate has.
func (f *CertificateFault) brief() string {
	text := faults[f.Kind].text
	switch {
	case f.At.IsZero() && f.Kind == FaultExpired: // or not valid yet
		return causes[CauseClock].text
	case f.At.IsZero():
		return text
	case f.Kind == FaultNotYetValid:
		return "its certificate is not valid before " + day(f.At)
	}
	return text + " on " + day(f.At)
}

func day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// text completes "the host: ..." with the names that matter.
func (f *CertificateFault) text() string {
	text := f.brief()
	if f.Of != "" {
		text += " (" + f.Of + ")"
	}
	said := f.Detail
	switch f.Kind {
	case FaultOtherNames:
		said = listed(f.Names)
	case FaultSelfSigned:
		said = f.Subject
	case FaultUnknownSigner, FaultIncompleteChain:
		said = f.Signer
	}
	if said == "" {
		return text
	}
	return text + ": " + said
}

// shownNames is how many names of a certificate an error shows.
const shownNames = 3

// listed lists the first few names.
func listed(names []string) string {
	text := strings.Join(names[:min(len(names), shownNames)], ", ")
	if len(names) > shownNames {
		text += ", …"
	}
	return text
}
