package api

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/text/safetext"
)

// signer is a certificate and its key. Its parent is nil for a root.
type signer struct {
	parent *signer
	cert   *x509.Certificate
	key    crypto.Signer
}

// certify makes a certificate that parent signs, nil for one that signs itself. It is valid for an
// hour around now and for this machine, unless change says otherwise.
func certify(t *testing.T, parent *signer, name string, change func(*x509.Certificate)) *signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return certifyKey(t, parent, name, key, change)
}

func certifyKey(t *testing.T, parent *signer, name string, key crypto.Signer, change func(*x509.Certificate)) *signer {
	t.Helper()
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name, Organization: []string{"Harbor"}},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if change != nil {
		change(template)
	}
	above, aboveKey := template, key
	if parent != nil {
		above, aboveKey = parent.cert, parent.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, above, key.Public(), aboveKey)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &signer{parent, cert, key}
}

func asAuthority(c *x509.Certificate) {
	c.IsCA, c.KeyUsage, c.DNSNames, c.IPAddresses, c.ExtKeyUsage = true, x509.KeyUsageCertSign, nil, nil, nil
}

// both makes two changes.
func both(one, two func(*x509.Certificate)) func(*x509.Certificate) {
	return func(c *x509.Certificate) {
		one(c)
		two(c)
	}
}

func during(from, until time.Time) func(*x509.Certificate) {
	return func(c *x509.Certificate) { c.NotBefore, c.NotAfter = from, until }
}

func withIssuerURL(c *x509.Certificate) {
	c.IssuingCertificateURL = []string{"http://authority.example/issuer.crt"}
}

func withProof(c *x509.Certificate) {
	c.ExtraExtensions = append(c.ExtraExtensions, pkix.Extension{Id: signedTimestamps, Value: []byte{asn1.TagOctetString, 0}})
}

// sends is what a server sends: a certificate, and others after it.
func (s *signer) sends(others ...*signer) tls.Certificate {
	chain := [][]byte{s.cert.Raw}
	for _, other := range others {
		chain = append(chain, other.cert.Raw)
	}
	return tls.Certificate{Certificate: chain, PrivateKey: s.key}
}

// secureServer answers at an address with a certificate, which package httptest would have to read.
func secureServer(t *testing.T, config *tls.Config) (address string) {
	t.Helper()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: answer(401, "text/plain", ""), ErrorLog: quiet()}
	var running sync.WaitGroup
	running.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() {
		_ = server.Close()
		running.Wait()
	})
	return listener.Addr().String()
}

func showing(c tls.Certificate) *tls.Config { return &tls.Config{Certificates: []tls.Certificate{c}} }

// faultCase is a server whose certificate is refused, with what it is refused for.
type faultCase struct {
	name   string
	config *tls.Config
	want   CertificateFault // of it those fields that are set
	says   string
	hint   string
}

func faultCases(t *testing.T, root *signer) []faultCase {
	t.Helper()
	past, future := time.Now().Add(-48*time.Hour).UTC().Truncate(time.Second), time.Now().Add(48*time.Hour).UTC().Truncate(time.Second)
	middle := certify(t, root, "Middle", asAuthority)
	late := certify(t, root, "Late", both(asAuthority, during(past.Add(-time.Hour), past)))
	early := certify(t, root, "Early", both(asAuthority, during(future, future.Add(time.Hour))))
	stranger := certify(t, nil, "Stranger", asAuthority)
	strangerMiddle := certify(t, stranger, "Stranger's middle", asAuthority)
	sha1 := certify(t, root, "SHA-1", func(c *x509.Certificate) { c.SignatureAlgorithm = x509.ECDSAWithSHA1 })
	short := certifyKey(t, root, "Short", newShortKey(t), asAuthority)
	const replace, own = "must replace the certificate", "ca_file of the profile"
	day := func(at time.Time) string { return at.Format(time.DateOnly) }
	names := []string{"login.hotel.example", "*.hotel.example", "wifi.example", "d.example"}
	many := slices.Repeat([]string{"host.example"}, 30)
	return []faultCase{
		{"expired", showing(certify(t, root, "gateway", during(past.Add(-time.Hour), past)).sends()),
			CertificateFault{Kind: FaultExpired, At: past, Subject: "gateway (Harbor)", Issuer: "Root (Harbor)", Names: []string{"localhost", "127.0.0.1"}},
			"its certificate expired on " + day(past), "Check the clock"},
		{"not yet valid", showing(certify(t, root, "gateway", during(future, future.Add(time.Hour))).sends()),
			CertificateFault{Kind: FaultNotYetValid, At: future}, "its certificate is not valid before " + day(future), "Check the clock"},
		{"for other names", showing(certify(t, root, "gateway", func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = names, nil }).sends()),
			CertificateFault{Kind: FaultOtherNames, Names: names},
			"its certificate is for another host: login.hotel.example, *.hotel.example, wifi.example, …", "sign-in page of this network"},
		{"for many names", showing(certify(t, root, "gateway", func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = many, nil }).sends()),
			CertificateFault{Kind: FaultOtherNames, Names: many[:20]}, "its certificate is for another host: host.example, host.example, host.example, …", "Check the URLs"},
		{"a common name alone", showing(certify(t, root, "127.0.0.1", func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = nil, nil }).sends()),
			CertificateFault{Kind: FaultNoName, Subject: "127.0.0.1 (Harbor)"}, "its certificate names no host", "subject alternative name"},
		{"for other names, self-signed", showing(certify(t, nil, "portal", func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = names, nil }).sends()),
			CertificateFault{Kind: FaultOtherNames, Names: names}, "its certificate is for another host: login.hotel.example, *.hotel.example, wifi.example, …", "sign-in page"},
		{"self-signed", showing(certify(t, nil, "gateway", nil).sends()),
			CertificateFault{Kind: FaultSelfSigned, Signer: "gateway (Harbor)"},
			"its certificate is signed by itself, and this computer does not trust it: gateway (Harbor)", own},
		{"unknown signer, which is sent", showing(certify(t, stranger, "gateway", nil).sends(stranger)),
			CertificateFault{Kind: FaultUnknownSigner, Signer: "Stranger (Harbor)"}, "its certificate is signed by an unknown authority: Stranger (Harbor)", own},
		{"unknown signer, which is not sent", showing(certify(t, stranger, "gateway", nil).sends()),
			CertificateFault{Kind: FaultUnknownSigner, Signer: "Stranger (Harbor)"}, "its certificate is signed by an unknown authority: Stranger (Harbor)", own},
		{"unknown signer above", showing(certify(t, strangerMiddle, "gateway", withIssuerURL).sends(strangerMiddle)),
			CertificateFault{Kind: FaultUnknownSigner, Signer: "Stranger (Harbor)"}, "its certificate is signed by an unknown authority: Stranger (Harbor)", own},
		{"no intermediate, with the address of it", showing(certify(t, middle, "gateway", withIssuerURL).sends()),
			CertificateFault{Kind: FaultIncompleteChain, Signer: "Middle (Harbor)"},
			"its certificate is signed by an authority whose own certificate was not sent with it: Middle (Harbor)", "must add the intermediate"},
		{"no intermediate, with a proof", showing(certify(t, middle, "gateway", withProof).sends()),
			CertificateFault{Kind: FaultIncompleteChain, Signer: "Middle (Harbor)"},
			"its certificate is signed by an authority whose own certificate was not sent with it: Middle (Harbor)", "must add the intermediate"},
		{"another intermediate", showing(certify(t, middle, "gateway", withIssuerURL).sends(strangerMiddle)),
			CertificateFault{Kind: FaultIncompleteChain, Signer: "Middle (Harbor)"},
			"its certificate is signed by an authority whose own certificate was not sent with it: Middle (Harbor)", "must add the intermediate"},
		{"the intermediate has expired", showing(certify(t, late, "gateway", nil).sends(late)),
			CertificateFault{Kind: FaultIntermediateExpired, At: past, Of: "Late (Harbor)"},
			"the certificate of its issuer expired on " + day(past) + " (Late (Harbor))", "must replace the intermediate"},
		{"the intermediate is not valid yet", showing(certify(t, early, "gateway", nil).sends(early)),
			CertificateFault{Kind: FaultNotYetValid, At: future, Of: "Early (Harbor)"},
			"its certificate is not valid before " + day(future) + " (Early (Harbor))", "Check the clock"},
		{"a signature of SHA-1", showing(sha1.sends()),
			CertificateFault{Kind: FaultWeakSignature, Detail: "ECDSA-SHA1"}, "its certificate has a signature that is too weak: ECDSA-SHA1", replace},
		{"signed with a short key", showing(underShortKey(t, short).sends(short)),
			CertificateFault{Kind: FaultWeakSignature, Detail: "an RSA key of 512 bits"}, "its certificate has a signature that is too weak: an RSA key of 512 bits", replace},
		{"a short key", &tls.Config{MaxVersion: tls.VersionTLS12, Certificates: []tls.Certificate{certifyKey(t, root, "gateway", newShortKey(t), nil).sends()}},
			CertificateFault{Kind: FaultWeakSignature, Detail: "an RSA key of 512 bits"}, "its certificate has a signature that is too weak: an RSA key of 512 bits", replace},
		{"a negative serial number", showing(negative(t, root)),
			CertificateFault{Kind: FaultUnreadable, Detail: "negative serial number"}, "its certificate cannot be read: negative serial number", replace},
		{"not for servers", showing(certify(t, root, "gateway", func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }).sends()),
			CertificateFault{Kind: FaultOther, Detail: "it is not for servers"}, "its certificate was rejected: it is not for servers", "Check the URLs"},
		{"signed by what may not sign", showing(underLeaf(t, root)),
			CertificateFault{Kind: FaultOther, Detail: "its issuer may not sign certificates"}, "its certificate was rejected: its issuer may not sign certificates", "Check the URLs"},
	}
}

// underLeaf is signed by a certificate of a server.
func underLeaf(t *testing.T, root *signer) tls.Certificate {
	leaf := certify(t, root, "Leaf", nil)
	return certify(t, leaf, "gateway", nil).sends(leaf)
}

// underShortKey is signed with a short key, which package x509 makes only where it is told to.
func underShortKey(t *testing.T, short *signer) *signer {
	t.Helper()
	before := os.Getenv("GODEBUG")
	defer os.Setenv("GODEBUG", before)
	_ = os.Setenv("GODEBUG", "rsa1024min=0")
	return certify(t, short, "gateway", nil)
}

// negative has a serial number below zero, which some authorities have given out.
func negative(t *testing.T, parent *signer) tls.Certificate {
	t.Helper()
	c := certify(t, parent, "gateway", func(c *x509.Certificate) { c.SerialNumber = big.NewInt(1) }).sends()
	version := []byte{0xa0, 3, asn1.TagInteger, 1, 2}
	one, below := []byte{asn1.TagInteger, 1, 1}, []byte{asn1.TagInteger, 1, 0xff}
	before := slices.Concat(version, one)
	if bytes.Count(c.Certificate[0], before) != 1 {
		t.Fatal("there is no serial number")
	}
	c.Certificate[0] = bytes.Replace(c.Certificate[0], before, slices.Concat(version, below), 1)
	return c
}

// shortKey signs with an RSA key of 512 bits, which crypto/rsa no longer does.
type shortKey struct {
	public *rsa.PublicKey
	secret *big.Int
}

func newShortKey(t *testing.T) *shortKey {
	t.Helper()
	for {
		p, err := rand.Prime(rand.Reader, 256)
		q, err2 := rand.Prime(rand.Reader, 256)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		one, e := big.NewInt(1), big.NewInt(65537)
		n := new(big.Int).Mul(p, q)
		phi := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
		if secret := new(big.Int).ModInverse(e, phi); secret != nil && n.BitLen() == 512 {
			return &shortKey{&rsa.PublicKey{N: n, E: 65537}, secret}
		}
	}
}

func (k *shortKey) Public() crypto.PublicKey { return k.public }

// Sign makes a signature of SHA-256 in the form of PKCS #1 version 1.5.
func (k *shortKey) Sign(_ io.Reader, digest []byte, _ crypto.SignerOpts) ([]byte, error) {
	sha256Info := []byte{0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20}
	end := slices.Concat([]byte{0}, sha256Info, digest)
	padding := bytes.Repeat([]byte{0xff}, k.public.Size()-2-len(end))
	block := new(big.Int).SetBytes(slices.Concat([]byte{0, 1}, padding, end))
	return block.Exp(block, k.secret, k.public.N).FillBytes(make([]byte, k.public.Size())), nil
}

func TestEachFaultOfACertificateIsNamed(t *testing.T) {
	root := certify(t, nil, "Root", asAuthority)
	pool := x509.NewCertPool()
	pool.AddCert(root.cert)
	for _, tt := range faultCases(t, root) {
		t.Run(tt.name, func(t *testing.T) {
			server := secureServer(t, tt.config)
			client := NewTransport(Options{Roots: func() *x509.CertPool { return pool }})
			p, err := ProbeHost(t.Context(), client, GatewayPlace("https://"+server))
			failed, ok := errors.AsType[*TransportError](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			if failed.Reason() != tt.says {
				t.Errorf("it says %q, want %q", failed.Reason(), tt.says)
			}
			explained := failed.Explain()
			if !strings.Contains(explained.Hint, tt.hint) || !strings.HasPrefix(explained.Hint, "Nothing was sent.") {
				t.Errorf("the hint is %q, want one with %q", explained.Hint, tt.hint)
			}
			if !failed.Cause().IsTLS() || failed.Way.Stage != StageHandshake || failed.Way.Host != server {
				t.Errorf("the cause is %v, the way %+v", failed.Cause(), failed.Way)
			}
			checkFault(t, failed.Way.Certificate, tt)
			checkFault(t, p.Way.Certificate, tt)
			for name, call := range everyCallWith(client, "https://"+server) {
				again, ok := errors.AsType[*TransportError](call(t.Context()))
				if !ok || again.Way.Certificate == nil || again.Way.Certificate.Kind != tt.want.Kind || again.Way.Stage != StageHandshake {
					t.Errorf("%s: got %+v", name, again)
				}
			}
		})
	}
}

// checkFault compares the fields of a fault that a case sets.
func checkFault(t *testing.T, got *CertificateFault, tt faultCase) {
	t.Helper()
	want := tt.want
	if got == nil {
		t.Fatal("no fault")
	}
	if got.Kind != want.Kind || !got.At.Equal(want.At) || got.Of != want.Of || got.Detail != want.Detail ||
		want.Names != nil && !slices.Equal(got.Names, want.Names) || want.Subject != "" && got.Subject != want.Subject ||
		want.Issuer != "" && got.Issuer != want.Issuer || want.Signer != "" && got.Signer != want.Signer {
		t.Errorf("got %+v, want %+v", *got, want)
	}
	canRead := want.Kind != FaultUnreadable && tt.config.MaxVersion == 0
	if (len(got.Fingerprint) == 64) != canRead || (len(got.SignerID) == 64) != canRead {
		t.Errorf("got fingerprint %q and signer %q", got.Fingerprint, got.SignerID)
	}
}

// "Make this machine trust it" helps against a certificate that is in order otherwise, and against
// nothing else.
func TestTrustIsAHintAgainstUnknownSignersAlone(t *testing.T) {
	for kind := range faults {
		f := &CertificateFault{Kind: CertificateFaultKind(kind)}
		isUnknown := slices.Contains([]CertificateFaultKind{FaultSelfSigned, FaultUnknownSigner, FaultIncompleteChain}, f.Kind)
		if strings.Contains(f.Hint(), "ca_file of the profile") != isUnknown {
			t.Errorf("%v: the hint is %q", f.Kind, f.Hint())
		}
		if f.Kind.String() == "" || f.brief() == "" || !f.cause().IsTLS() {
			t.Errorf("%d has no words", kind)
		}
	}
}

func TestCertificatesOfOneSignerHaveOneID(t *testing.T) {
	one, other := certify(t, nil, "Stranger", asAuthority), certify(t, nil, "Stranger", asAuthority)
	id := func(s *signer) string { return describe([]*x509.Certificate{s.cert}).SignerID }
	a, b, c := certify(t, one, "a", nil), certify(t, one, "b", nil), certify(t, other, "a", nil)
	if id(a) != id(b) || id(a) == id(c) {
		t.Error("the signer is not told by its key")
	}
	alone, alike := certify(t, nil, "localhost", nil), certify(t, nil, "localhost", nil)
	if id(alone) == id(alike) {
		t.Error("two that sign themselves are not of one signer")
	}
	if describe([]*x509.Certificate{a.cert}).Fingerprint == describe([]*x509.Certificate{b.cert}).Fingerprint {
		t.Error("two certificates have one fingerprint")
	}
}

func TestTextsOfACertificateAreSafe(t *testing.T) {
	root := certify(t, nil, "Root", asAuthority)
	evil := "a\x1b[31m\u202eb\r\n" + strings.Repeat("x", 1000)
	server := secureServer(t, showing(certify(t, root, evil, nil).sends()))
	_, err := ProbeHost(t.Context(), NewTransport(Options{Roots: x509.NewCertPool}), GatewayPlace("https://"+server))
	failed, ok := errors.AsType[*TransportError](err)
	if !ok || failed.Way.Certificate == nil {
		t.Fatalf("got %v", err)
	}
	subject := failed.Way.Certificate.Subject
	if subject != safetext.Line(subject) || len(subject) > 250 || !strings.HasPrefix(subject, "a ") {
		t.Errorf("the subject is %q", subject)
	}
}

// Windows names an unknown signer where Go names a date. People are told of the date, which the owner of the
// host has to see to in any case.
func TestACertificateOfAnUnknownSignerThatHasExpiredHasExpired(t *testing.T) {
	ended := time.Now().Add(-time.Hour).Truncate(time.Second).UTC()
	late := certify(t, nil, "localhost", func(c *x509.Certificate) { c.NotAfter = ended })
	err := &tls.CertificateVerificationError{
		UnverifiedCertificates: []*x509.Certificate{late.cert},
		Err:                    x509.UnknownAuthorityError{Cert: late.cert},
	}
	got := faultOf(err, time.Now)
	if got == nil || got.Kind != FaultExpired || !got.At.Equal(ended) || got.Of != "" {
		t.Errorf("the fault is %+v", got)
	}
}

// The text of an error of crypto/tls is all there is for a certificate that it does not read.
func TestFaultsThatOnlyATextTells(t *testing.T) {
	for text, want := range map[string]*CertificateFault{
		"tls: failed to parse certificate from server: x509: negative serial number":                             {Kind: FaultUnreadable, Detail: "negative serial number"},
		"tls: failed to parse certificate from server: x509: malformed\x1b certificate":                          {Kind: FaultUnreadable, Detail: "malformed certificate"},
		"tls: invalid signature by the server certificate: crypto/rsa: 512-bit keys are insecure (see https://)": {Kind: FaultWeakSignature, Detail: "an RSA key of 512 bits"},
		"tls: server sent certificate containing RSA key larger than 8192 bits":                                  {Kind: FaultOther, Detail: "its RSA key is longer than 8192 bits"},
		"tls: invalid signature by the server certificate: crypto/rsa: verification error":                       nil,
		"EOF": nil,
	} {
		if got := faultOf(errors.New(text), time.Now); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}

func TestANameIsWhatPeopleKnow(t *testing.T) {
	for want, name := range map[string]pkix.Name{
		"R11 (Harbor)": {CommonName: "R11", Organization: []string{"Harbor"}},
		"Harbor":       {CommonName: "Harbor", Organization: []string{"Harbor"}},
		"R11":          {CommonName: "R11"},
		"Harbor, Quay": {Organization: []string{"Harbor", "Quay"}},
		"C=DK":         {Country: []string{"DK"}},
	} {
		if got := nameOf(name); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for want, names := range map[string][]string{"": nil, "a, b, c": {"a", "b", "c"}, "a, b, c, …": {"a", "b", "c", "d"}} {
		if got := listed(names); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAnIssuerIsKnownByItsNameAndItsKey(t *testing.T) {
	named := func(subject, issuer string, key, issuerKey []byte) *x509.Certificate {
		return &x509.Certificate{
			RawSubject: []byte(subject), RawIssuer: []byte(issuer), SubjectKeyId: key, AuthorityKeyId: issuerKey,
		}
	}
	leaf := named("leaf", "middle", nil, []byte("key"))
	bare := named("leaf", "middle", nil, nil)
	for name, tt := range map[string]struct {
		issuer, of *x509.Certificate
		want       bool
	}{
		"the same key":           {named("middle", "root", []byte("key"), nil), leaf, true},
		"another key":            {named("middle", "root", []byte("other"), nil), leaf, false},
		"another name":           {named("center", "root", []byte("key"), nil), leaf, false},
		"a key that is not told": {named("middle", "root", nil, nil), leaf, true},
		"no key that is wanted":  {named("middle", "root", []byte("key"), nil), bare, true},
		"no key at all":          {named("middle", "root", nil, nil), bare, true},
	} {
		if got := isIssuer(tt.issuer, tt.of); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}

	root := named("root", "root", []byte("root"), nil)
	middle := named("middle", "root", []byte("key"), []byte("root"))
	if path := pathOf([]*x509.Certificate{leaf, root, middle}); !slices.Equal(path, []*x509.Certificate{leaf, middle, root}) {
		t.Errorf("%d certificates are on the path", len(path))
	}
	// Two that vouch for each other lead nowhere.
	one, two := named("one", "two", nil, nil), named("two", "one", nil, nil)
	if path := pathOf([]*x509.Certificate{one, two}); len(path) != 2 {
		t.Errorf("%d certificates are on the path", len(path))
	}
	var long []*x509.Certificate
	for n := range maxPath + 1 {
		long = append(long, named(strings.Repeat("x", n+1), strings.Repeat("x", n+2), nil, nil))
	}
	if path := pathOf(long); len(path) != maxPath {
		t.Errorf("%d certificates are on the path", len(path))
	}
}

func TestWhoMayNotSign(t *testing.T) {
	const sign, other = x509.KeyUsageCertSign, x509.KeyUsageDigitalSignature
	for name, tt := range map[string]struct {
		of   x509.Certificate
		want bool
	}{
		"an authority":                     {x509.Certificate{Version: 3, BasicConstraintsValid: true, IsCA: true, KeyUsage: sign}, false},
		"one that does not say for what":   {x509.Certificate{Version: 3, BasicConstraintsValid: true, IsCA: true}, false},
		"one for something else":           {x509.Certificate{Version: 3, BasicConstraintsValid: true, IsCA: true, KeyUsage: other}, true},
		"a server":                         {x509.Certificate{Version: 3, BasicConstraintsValid: true}, true},
		"one of the time before it was so": {x509.Certificate{Version: 1, BasicConstraintsValid: true}, false},
		"one that does not say what it is": {x509.Certificate{Version: 3}, false},
	} {
		if got := mayNotSign(&tt.of); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWhichSignaturesAreWeak(t *testing.T) {
	key := func(bits uint) *rsa.PublicKey { return &rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), bits-1)} }
	leaf := &x509.Certificate{RawSubject: []byte("leaf"), RawIssuer: []byte("root"), PublicKey: key(minRSA - 1)}
	sha1 := &x509.Certificate{RawSubject: []byte("root"), RawIssuer: []byte("root"), SignatureAlgorithm: x509.SHA1WithRSA}
	for name, tt := range map[string]struct {
		above *x509.Certificate
		want  string
	}{
		"that of the shortest key":           {&x509.Certificate{RawIssuer: []byte("root"), PublicKey: key(minRSA)}, ""},
		"that of a shorter key":              {&x509.Certificate{RawIssuer: []byte("root"), PublicKey: key(minRSA - 1)}, "an RSA key of 1023 bits"},
		"that of an authority on its own":    {sha1, ""},
		"that of an authority under another": {&x509.Certificate{RawIssuer: []byte("root"), SignatureAlgorithm: x509.SHA1WithRSA}, "SHA1-RSA"},
	} {
		weak, detail := weakness([]*x509.Certificate{leaf, tt.above})
		if detail != tt.want || weak != (tt.want != "") {
			t.Errorf("%s: %v, %q", name, weak, detail)
		}
	}
}

func TestEachReasonOfX509HasWords(t *testing.T) {
	for reason := x509.NotAuthorizedToSign; reason <= x509.NoValidChains; reason++ {
		if reason != x509.Expired && invalidity[reason] == "" { // which has a date
			t.Errorf("%v has none", x509.CertificateInvalidError{Reason: reason})
		}
	}
}

func TestACertificateIsAloneWithoutThatOfItsSigner(t *testing.T) {
	root := certify(t, nil, "Root", asAuthority)
	leaf := certify(t, root, "gateway", nil)
	alone := certify(t, nil, "gateway", nil)
	for name, tt := range map[string]struct {
		path []*x509.Certificate
		want bool
	}{
		"alone":            {[]*x509.Certificate{leaf.cert}, true},
		"with its signer":  {[]*x509.Certificate{leaf.cert, root.cert}, false},
		"signed by itself": {[]*x509.Certificate{alone.cert}, false},
		"none":             {nil, false},
	} {
		if got := describe(tt.path).Alone; got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if names := namesOf(nil); names != nil {
		t.Errorf("without a certificate the names are %q", names)
	}
}

// Which certificate it is about depends on the system.
func TestACertificateThatIsOutOfTimeIsFound(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	valid := func(from, until time.Time, name string) *x509.Certificate {
		subject := pkix.Name{CommonName: name}
		return &x509.Certificate{NotBefore: from, NotAfter: until, Subject: subject, RawSubject: []byte(name), RawIssuer: []byte("x")}
	}
	inTime := valid(now, now, "in time")
	late := valid(now.Add(-time.Hour), now.Add(-time.Second), "late")
	early := valid(now.Add(time.Second), now.Add(time.Hour), "early")
	for c, want := range map[*x509.Certificate]bool{inTime: true, late: false, early: false} {
		if got := isInTime(c, now); got != want {
			t.Errorf("%s: %v", c.Subject, got)
		}
	}
	for name, tt := range map[string]struct {
		path   []*x509.Certificate
		blamed *x509.Certificate
		want   CertificateFault
	}{
		"nobody knows which":         {[]*x509.Certificate{late}, nil, CertificateFault{Kind: FaultExpired, At: late.NotAfter}},
		"another one is blamed":      {[]*x509.Certificate{inTime, late}, inTime, CertificateFault{Kind: FaultIntermediateExpired, At: late.NotAfter, Of: "late"}},
		"one that was not sent":      {[]*x509.Certificate{inTime}, late, CertificateFault{Kind: FaultIntermediateExpired, At: late.NotAfter, Of: "late"}},
		"one that is early":          {[]*x509.Certificate{inTime, early}, nil, CertificateFault{Kind: FaultNotYetValid, At: early.NotBefore, Of: "early"}},
		"nothing was sent":           {nil, late, CertificateFault{Kind: FaultExpired, At: late.NotAfter}},
		"nothing was sent or blamed": {nil, nil, CertificateFault{Kind: FaultExpired}},
	} {
		var got CertificateFault
		got.outOfTime(tt.path, tt.blamed, now)
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
	for _, tt := range []struct {
		path []*x509.Certificate
		want CertificateFaultKind
	}{
		{nil, FaultUnknownSigner},
		{[]*x509.Certificate{inTime}, FaultUnknownSigner},
		{[]*x509.Certificate{late}, FaultExpired},
		{[]*x509.Certificate{inTime, late}, FaultIntermediateExpired},
	} {
		var got CertificateFault
		if got.unknownSigner(tt.path, now); got.Kind != tt.want {
			t.Errorf("%d certificates of an unknown signer: %v, want %v", len(tt.path), got.Kind, tt.want)
		}
	}
}
