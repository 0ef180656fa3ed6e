package sshd

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// certified is the clock of the tests of certificates.
var certified = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

// certify returns a key with a certificate for it, which is good for the name visitor
// unless change says otherwise.
func certify(t testing.TB, authority, key gossh.Signer, change func(*gossh.Certificate)) gossh.Signer {
	t.Helper()
	c := &gossh.Certificate{
		Key:             key.PublicKey(),
		Serial:          7,
		CertType:        gossh.UserCert,
		KeyId:           "ada@harbor",
		ValidPrincipals: []string{"visitor", "staff"},
		ValidAfter:      uint64(certified.Add(-time.Hour).Unix()),
		ValidBefore:     uint64(certified.Add(time.Hour).Unix()),
		Permissions:     gossh.Permissions{CriticalOptions: map[string]string{}, Extensions: map[string]string{permitPty: ""}},
	}
	if change != nil {
		change(c)
	}
	sign(t, c, authority)
	signer, err := gossh.NewCertSigner(c, key)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// sign signs a certificate, also one without a principal, which the library refuses to make.
func sign(t testing.TB, c *gossh.Certificate, authority gossh.Signer) {
	t.Helper()
	if len(c.ValidPrincipals) > 0 {
		if err := c.SignCert(rand.Reader, authority); err != nil {
			t.Fatal(err)
		}
		return
	}
	c.Nonce = make([]byte, 32)
	if _, err := rand.Read(c.Nonce); err != nil {
		t.Fatal(err)
	}
	c.SignatureKey = authority.PublicKey()
	c.Signature = nil
	const lengthOfNoSignature = 4
	unsigned := c.Marshal()
	unsigned = unsigned[:len(unsigned)-lengthOfNoSignature]
	signature, err := authority.Sign(rand.Reader, unsigned)
	if err != nil {
		t.Fatal(err)
	}
	c.Signature = signature
}

// withCA lets the owners of certificates of these authorities in.
func withCA(t testing.TB, authorities ...gossh.Signer) func(*Options) {
	t.Helper()
	path := writeKeys(t, "", "# who vouches for visitors\n\n", linesOf(authorities...))
	return func(o *Options) {
		o.Access = Access{UserCA: path}
		o.Now = func() time.Time { return certified }
	}
}

func access(change func(*Access)) func(*Options) {
	return func(o *Options) { change(&o.Access) }
}

func linesOf(keys ...gossh.Signer) string {
	var text strings.Builder
	for _, key := range keys {
		text.WriteString(line("", key))
	}
	return text.String()
}

// newRSA is a key that signs with one algorithm.
func newRSA(t testing.TB, algorithm string) gossh.Signer {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	key, err := gossh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := gossh.NewSignerWithAlgorithms(key.(gossh.AlgorithmSigner), []string{algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// requireDial connects with a key, and wants it to be accepted or refused for a reason.
func (h *host) requireDial(key gossh.Signer, reason string) {
	h.t.Helper()
	client, err := h.dial(key)
	if err == nil {
		_ = client.Close()
	}
	switch {
	case reason == "" && err != nil:
		h.t.Errorf("it was refused: %v\n%s", err, h.log)
	case reason != "" && err == nil:
		h.t.Errorf("it was accepted, and should not be: %s", reason)
	case reason != "":
		if strings.Contains(err.Error(), reason) {
			h.t.Errorf("the visitor is told why: %v", err)
		}
		if !strings.Contains(h.log.String(), `"result":"refused","reason":"`+reason) {
			h.t.Errorf("want %q in the log:\n%s", reason, h.log)
		}
	}
}

func TestWhichCertificatesAreAccepted(t *testing.T) {
	trusted := newKey(t)
	option := func(name, value string) func(*gossh.Certificate) {
		return func(c *gossh.Certificate) { c.CriticalOptions[name] = value }
	}
	principals := func(names ...string) func(*gossh.Certificate) {
		return func(c *gossh.Certificate) { c.ValidPrincipals = names }
	}
	valid := func(after, before time.Duration) func(*gossh.Certificate) {
		return func(c *gossh.Certificate) {
			c.ValidAfter, c.ValidBefore = uint64(certified.Add(after).Unix()), uint64(certified.Add(before).Unix())
		}
	}
	for name, test := range map[string]struct {
		change    func(*gossh.Certificate)
		authority gossh.Signer // the trusted one
		needs     []string     // principals
		refused   string
	}{
		"good":                     {},
		"expired":                  {change: valid(-time.Hour, -time.Second), refused: "ssh: cert has expired"},
		"not yet valid":            {change: valid(time.Second, time.Hour), refused: "ssh: cert is not yet valid"},
		"another name":             {change: principals("ada"), refused: "the certificate has no principal that is accepted"},
		"no principals":            {change: principals(), refused: "the certificate has no principal that is accepted"},
		"a wanted principal":       {change: principals("ops"), needs: []string{"staff", "ops"}},
		"not the wanted principal": {change: principals("visitor"), needs: []string{"staff", "ops"}, refused: "the certificate has no principal that is accepted"},
		"of a host":                {change: func(c *gossh.Certificate) { c.CertType = gossh.HostCert }, refused: "the certificate is not a user certificate"},
		"unknown authority":        {authority: newKey(t), refused: "no trusted authority signed the certificate"},
		"this network":             {change: option(sourceAddress, "2001:db8::/32,127.0.0.0/8")},
		"another network":          {change: option(sourceAddress, "192.0.2.0/24,::1"), refused: "ssh: remote address"},
		"a command":                {change: option(forceCommand, "lookup x")},
		"a command without an end": {change: option(forceCommand, "lookup 'x"), refused: "force-command of the certificate cannot be split into words: a quote is not closed"},
		"a command of no words":    {change: option(forceCommand, " "), refused: "force-command of the certificate is empty"},
		"an unknown option":        {change: option("launch@harbor.example", "x"), refused: `ssh: unsupported critical option \"launch@harbor.example\" in certificate`},
	} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, hello, withCA(t, newKey(t), trusted), access(func(a *Access) { a.Principals = test.needs }))
			authority := trusted
			if test.authority != nil {
				authority = test.authority
			}
			h.requireDial(certify(t, authority, newKey(t), test.change), test.refused)
		})
	}
}

func TestACertificateIsSignedWithoutSHA1(t *testing.T) {
	for algorithm, refused := range map[string]string{
		gossh.KeyAlgoRSASHA256: "",
		gossh.KeyAlgoRSASHA512: "",
		gossh.KeyAlgoRSA:       `the certificate is signed with \"ssh-rsa\", which is not accepted`,
	} {
		authority := newRSA(t, algorithm)
		h := serve(t, hello, withCA(t, authority))
		h.requireDial(certify(t, authority, newKey(t), nil), refused)
	}
}

func TestACertificateLimitsWhatItsOwnerMayDo(t *testing.T) {
	authority, key := newKey(t), newKey(t)
	h := serve(t, func(_ context.Context, c *Connection) int {
		fmt.Fprintf(c.Stdout, "%q %s", c.Args, c.Fingerprint)
		return 0
	}, withCA(t, authority))
	forced := certify(t, authority, key, func(c *gossh.Certificate) { c.CriticalOptions[forceCommand] = `lookup "a b"` })
	fingerprint := gossh.FingerprintSHA256(key.PublicKey()) // and not that of the certificate, which changes with each
	for _, asked := range []string{"shares", ""} {
		v := h.visitorOf(h.client(forced))
		if v.run(asked); v.stdout.String() != `["lookup" "a b"] `+fingerprint {
			t.Errorf("%q ran %s", asked, v.stdout.String())
		}
	}
	h.log.find(t, "auth", "result=accepted", "fingerprint="+fingerprint, "key_id=ada@harbor", "serial=7",
		"authority="+gossh.FingerprintSHA256(authority.PublicKey()))

	bare := certify(t, authority, key, func(c *gossh.Certificate) { c.Extensions = nil })
	if err := h.visitorOf(h.client(bare)).RequestPty("xterm", 24, 80, nil); err == nil {
		t.Error("a certificate without permit-pty got a terminal")
	}
	h.visitorOf(h.client(certify(t, authority, key, nil))).pty().shell().code()
}

// TestAHandlerKnowsWhoAVisitorIs is about what is kept for whom: a key is known by its
// fingerprint, a certificate by its key id and authority, whatever key it is for.
func TestAHandlerKnowsWhoAVisitorIs(t *testing.T) {
	first, second, key, other := newKey(t), newKey(t), newKey(t), newKey(t)
	keys := writeKeys(t, "", linesOf(key))
	called := func(id string) func(*gossh.Certificate) {
		return func(c *gossh.Certificate) { c.KeyId = id }
	}
	h := serve(t, func(_ context.Context, c *Connection) int {
		fmt.Fprintf(c.Stdout, "%s", c.Fingerprint)
		if c.Certificate != nil {
			fmt.Fprintf(c.Stdout, " %q %s", c.Certificate.KeyID, c.Certificate.Authority)
		}
		return 0
	}, withCA(t, first, second), access(func(a *Access) { a.AuthorizedKeys = keys }))
	of := func(key gossh.Signer) string { return gossh.FingerprintSHA256(key.PublicKey()) }
	expired := certify(t, first, other, func(c *gossh.Certificate) { c.ValidBefore = uint64(certified.Unix()) })
	for name, test := range map[string]struct {
		keys []gossh.Signer
		want string
	}{
		"a key":                        {[]gossh.Signer{key}, of(key)},
		"a certificate":                {[]gossh.Signer{certify(t, first, key, nil)}, of(key) + ` "ada@harbor" ` + of(first)},
		"of another authority":         {[]gossh.Signer{certify(t, second, key, nil)}, of(key) + ` "ada@harbor" ` + of(second)},
		"with sequences in its key id": {[]gossh.Signer{certify(t, first, key, called("\x1b[2J"))}, of(key) + ` "\x1b[2J" ` + of(first)},
		"a key behind a refused one":   {[]gossh.Signer{expired, other, key}, of(key)},
	} {
		v := h.visitorOf(h.client(test.keys...))
		if v.run("help"); v.stdout.String() != test.want {
			t.Errorf("%s: %s, want %s", name, v.stdout.String(), test.want)
		}
	}
}

func TestRevokedKeysAreRefused(t *testing.T) {
	trusted, revokedCA, key, revoked := newKey(t), newKey(t), newKey(t), newKey(t)
	keys := writeKeys(t, "", linesOf(key, revoked))
	list := writeKeys(t, "", "# lost\n", linesOf(revoked, revokedCA))
	h := serve(t, hello, withCA(t, trusted, revokedCA), access(func(a *Access) { a.AuthorizedKeys, a.RevokedKeys = keys, list }))
	h.requireDial(key, "")
	h.requireDial(certify(t, trusted, key, nil), "")
	h.requireDial(revoked, "the key is revoked")
	h.requireDial(certify(t, trusted, revoked, nil), "the key is revoked")
	h.requireDial(certify(t, revokedCA, key, nil), "the key of the certificate's authority is revoked")

	certificate := certify(t, trusted, key, nil)
	writeKeys(t, list, line("", certificate)) // stands for its key
	h.requireDial(certificate, "the key is revoked")
	h.requireDial(key, "the key is revoked")
	h.requireDial(revoked, "")

	writeKeys(t, list, linesOf(revoked), "ssh-ed25519 broken\n")
	requireNobody := func(without string) {
		t.Helper()
		for _, signer := range []gossh.Signer{key, certificate} {
			if _, err := h.dial(signer); err == nil {
				t.Errorf("%s somebody gets in", without)
			}
		}
	}
	requireNobody("with a broken list of revoked keys")
	h.log.find(t, "file of keys cannot be used", "holds=revoked keys", "error=line 2 of "+list+" is not a key")
	if err := os.Remove(list); err != nil {
		t.Fatal(err)
	}
	requireNobody("without the list of revoked keys")
	writeKeys(t, list, "")
	h.requireDial(certificate, "")
}
