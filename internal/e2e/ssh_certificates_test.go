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

// TestCertificatesOfOpenSSH has ssh-keygen sign certificates and ssh present them.
func TestCertificatesOfOpenSSH(t *testing.T) {
	t.Parallel()
	authority, unknown := sshKey(t), sshKey(t)
	revocations := authorize(t)
	s := serveSSH(t, nil, "--demo", "--user-ca", authorize(t, authority), "--revoked-keys", revocations)
	good := sign(t, authority, "ed25519", "-n", "visitor", "-V", "-1h:+1h", "-O", "source-address=127.0.0.0/8")
	for _, test := range []struct{ name, key, reason string }{ // no reason in the log: it gets in
		{"good", good, ""},
		{"expired", sign(t, authority, "ed25519", "-n", "visitor", "-V", "20200101:20200102"), "ssh: cert has expired"},
		{"another name", sign(t, authority, "ed25519", "-n", "ada"), "the visitor's name is none of the certificate's principals"},
		{"unknown authority", sign(t, unknown, "ed25519", "-n", "visitor"), "no trusted authority signed the certificate"},
	} {
		got := s.run("", "-i", test.key, host, "lookup", "ada@harbor.example", "-o", "csv")
		if test.reason == "" {
			if got.code != 0 || !strings.Contains(got.stdout, "ada@harbor.example") {
				t.Errorf("%s: %+v\n%s", test.name, got, s.log())
			}
			continue
		}
		if got.code != 255 || got.stdout != "" || !strings.Contains(got.stderr, "Permission denied (publickey)") || strings.Contains(got.stderr, test.reason) {
			t.Errorf("%s: %+v", test.name, got)
		}
		s.waitFor(test.reason, func(said string) bool { return strings.Contains(said, test.reason) })
	}

	forced := sign(t, authority, "ed25519", "-n", "visitor", "-O", "force-command=lookup ada@harbor.example -o csv")
	if got := s.run("", "-i", forced, host, "help"); got.code != 0 || !strings.Contains(got.stdout, "ada@harbor.example") {
		t.Errorf("with force-command: %+v", got)
	}
	bare := sign(t, authority, "ed25519", "-n", "visitor", "-O", "clear")
	if got := s.run("", "-tt", "-i", bare, host); got.code == 0 || !strings.Contains(got.stderr, "PTY allocation request failed") {
		t.Errorf("without permit-pty: %+v", got)
	}
	line, err := os.ReadFile(good + ".pub")
	if err == nil {
		err = os.WriteFile(revocations, line, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := s.run("", "-i", good, host, "help"); got.code != 255 {
		t.Errorf("after it is revoked: %+v", got)
	}
}
