//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// sshKeyOf makes a key of a kind and returns the file of its private half.
func sshKeyOf(t testing.TB, kind string) string {
	t.Helper()
	file := sshKey(t) + "-" + kind
	keygen(t, "-q", "-t", kind, "-N", "", "-C", kind, "-f", file)
	return file
}

// keygen runs ssh-keygen; without OpenSSH the test is skipped.
func keygen(t testing.TB, args ...string) {
	t.Helper()
	requireOpenSSH(t)
	if out, err := exec.Command("ssh-keygen", args...).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen %q: %v: %s", args, err, out)
	}
}

func requireOpenSSH(t testing.TB) {
	t.Helper()
	for _, tool := range []string{"ssh", "ssh-keygen"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no " + tool + " here")
		}
	}
}

// sign has an authority sign a certificate for a new key, and returns the file of the
// key's private half.
func sign(t testing.TB, authority, kind string, args ...string) string {
	t.Helper()
	key := sshKeyOf(t, kind)
	keygen(t, append(append([]string{"-q", "-s", authority, "-I", "ada@harbor"}, args...), key+".pub")...)
	return key
}

// TestCertificatesOfOpenSSH has ssh-keygen sign certificates and ssh present them, which
// it does not do with those of hosts.
func TestCertificatesOfOpenSSH(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	first, second, revokedCA, unknown := sshKey(t), sshKeyOf(t, "rsa"), sshKey(t), sshKey(t)
	authorized := sshKey(t)
	revoked := sign(t, first, "ed25519", "-n", "visitor")
	byRevoked := sign(t, revokedCA, "ed25519", "-n", "visitor")
	s := serveSSH(t, nil, "--demo", "--user-ca", authorize(t, first, second, revokedCA), "--revoked-keys", authorize(t, revoked, revokedCA),
		"--authorized-keys", authorize(t, authorized), "--max-per-address", "0")
	wanted := serveSSH(t, nil, "--demo", "--user-ca", authorize(t, first), "--principals", "staff,support")

	for _, test := range []struct {
		name   string
		server *sshServer
		key    string
		reason string // in the log; none: it gets in
	}{
		{"good", s, sign(t, first, "ed25519", "-n", "visitor,ada", "-V", "-1h:+1h"), ""},
		{"for ever", s, sign(t, first, "ecdsa", "-n", "visitor"), ""},
		{"RSA by RSA", s, sign(t, second, "rsa", "-n", "visitor"), ""},
		{"RSA with SHA-256", s, sign(t, second, "ed25519", "-t", "rsa-sha2-256", "-n", "visitor"), ""},
		{"RSA with SHA-1", s, sign(t, second, "ed25519", "-t", "ssh-rsa", "-n", "visitor"), `the certificate is signed with \"ssh-rsa\", which is not accepted`},
		{"authorized", s, authorized, ""},
		{"expired", s, sign(t, first, "ed25519", "-n", "visitor", "-V", "20200101:20200102"), "ssh: cert has expired"},
		{"not yet valid", s, sign(t, first, "ed25519", "-n", "visitor", "-V", "+1d:+2d"), "ssh: cert is not yet valid"},
		{"another name", s, sign(t, first, "ed25519", "-n", "ada"), "the visitor's name is none of the certificate's principals"},
		{"no principal", s, sign(t, first, "ed25519"), "the certificate lists no principals"},
		{"unknown authority", s, sign(t, unknown, "ed25519", "-n", "visitor"), "no trusted authority signed the certificate"},
		{"revoked", s, revoked, "the key is revoked"},
		{"revoked authority", s, byRevoked, "the key of the certificate's authority is revoked"},
		{"from here", s, sign(t, first, "ed25519", "-n", "visitor", "-O", "source-address=127.0.0.0/8"), ""},
		{"from elsewhere", s, sign(t, first, "ed25519", "-n", "visitor", "-O", "source-address=192.0.2.0/24"), "the key may not be used from this address"},
		{"unknown option", s, sign(t, first, "ed25519", "-n", "visitor", "-O", "critical:launch@harbor.example=x"), `unsupported critical option \"launch@harbor.example\"`},
		{"unknown extension", s, sign(t, first, "ed25519", "-n", "visitor", "-O", "extension:launch@harbor.example=x"), ""},
		{"wanted principal", wanted, sign(t, first, "ed25519", "-n", "support"), ""},
		{"unwanted principal", wanted, sign(t, first, "ed25519", "-n", "visitor"), "none of the certificate's principals is accepted"},
	} {
		got := test.server.run("", "-i", test.key, host, "lookup", "ada@harbor.example", "-o", "csv")
		if test.reason == "" {
			if got.code != 0 || !strings.Contains(got.stdout, "ada@harbor.example") {
				t.Errorf("%s: %+v\n%s", test.name, got, test.server.log())
			}
			continue
		}
		if got.code != 255 || got.stdout != "" || !strings.Contains(got.stderr, "Permission denied (publickey)") {
			t.Errorf("%s: %+v", test.name, got)
		}
		test.server.waitFor(test.reason, func(said string) bool { return strings.Contains(said, test.reason) })
		if strings.Contains(got.stderr, test.reason) {
			t.Errorf("%s: the visitor reads why: %s", test.name, got.stderr)
		}
	}
}

func TestACertificateOfOpenSSHLimitsItsOwner(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	first := sshKey(t)
	s := serveSSH(t, nil, "--demo", "--user-ca", authorize(t, first))
	forced := sign(t, first, "ed25519", "-n", "visitor", "-O", "force-command=lookup ada@harbor.example -o csv")
	if got := s.run("", "-i", forced, host, "help"); got.code != 0 || !strings.Contains(got.stdout, "ada@harbor.example") {
		t.Errorf("with force-command: %+v", got)
	}
	shell := sign(t, first, "ed25519", "-n", "visitor", "-O", "force-command=/bin/sh -c id")
	if got := s.run("", "-i", shell, host, "help"); got.code == 0 || strings.Contains(got.stdout, "uid=") {
		t.Errorf("with a shell as force-command: %+v", got)
	}
	bare := sign(t, first, "ed25519", "-n", "visitor", "-O", "clear")
	if got := s.run("", "-tt", "-i", bare, host); got.code == 0 || !strings.Contains(got.stderr, "PTY allocation request failed") {
		t.Errorf("without permit-pty: %+v", got)
	}
}

func TestARevokedKeyIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	first := sshKey(t)
	revocations := authorize(t)
	s := serveSSH(t, nil, "--demo", "--user-ca", authorize(t, first), "--revoked-keys", revocations)
	lost := sign(t, first, "ed25519", "-n", "visitor")
	if got := s.run("", "-i", lost, host, "help"); got.code != 0 {
		t.Errorf("before it is revoked: %+v", got)
	}
	line, err := os.ReadFile(lost + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(revocations, line, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.run("", "-i", lost, host, "help"); got.code != 255 {
		t.Errorf("after it is revoked: %+v", got)
	}
}
