//go:build unix

package e2e

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestCommandsOverSSH(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, everyone...)
	before := s.goroutines()
	for _, tc := range []struct {
		stdin  string
		args   []string
		code   int
		stdout string // a part of it; "" is nothing at all
		stderr string // a part of it
	}{
		{"", []string{"lookup", "ada@harbor.example", "-o", "csv"}, 0, "ada@harbor.example,harbor.example,\r\n", ""},
		{"demo\n", []string{"whoami -u ada@harbor.example --password-stdin"}, 0, `"ada@harbor.example"`, ""},
		{"wrong", []string{"shares -u ben@harbor.example --password-stdin"}, 1, "", "password"},
		{"", []string{"whoami"}, 3, "", "--email"},
		{"", []string{"--", "--version"}, 0, "gatehouse ", ""},
		{"", []string{"config", "show"}, 2, "", "Unknown command"},
		{"", []string{"sh -c id"}, 2, "", "sh"},
		{"", nil, 2, "", "terminal"},
	} {
		got := s.run(tc.stdin, append([]string{host}, tc.args...)...)
		if got.code != tc.code || !strings.Contains(got.stdout, tc.stdout) || tc.stdout == "" && got.stdout != "" {
			t.Errorf("%q: exit code %d, stdout %.300q, stderr %q", tc.args, got.code, got.stdout, got.stderr)
		}
		if !strings.Contains(got.stderr, tc.stderr) || strings.Contains(got.stdout+got.stderr, "\x1b") {
			t.Errorf("%q: stderr %q", tc.args, got.stderr)
		}
	}

	term, command := s.open(100, 30, "-t", host, "domains -u ada@harbor.example")
	term.WaitFor("Password for ")
	term.Type("demo" + enter)
	term.WaitFor("harbor.example", "primary")
	_ = term.Wait()
	if command.ProcessState.ExitCode() != 0 || strings.Contains(string(term.Raw()), "demo") {
		t.Errorf("exit code %d, %q", command.ProcessState.ExitCode(), term.Raw())
	}
	s.requireNoLeak(before)
}

// TestCertificatesOfOpenSSH has ssh-keygen sign certificates and ssh present them.
func TestCertificatesOfOpenSSH(t *testing.T) {
	t.Parallel()
	authority, unknown := sshKey(t), sshKey(t)
	revocations := authorize(t)
	s := serveSSH(t, nil, "--demo", "--user-ca", authorize(t, authority), "--revoked-keys", revocations)
	sign := func(authority string, args ...string) string {
		key := sshKey(t)
		keygen(t, append(append([]string{"-q", "-s", authority, "-I", "ada@harbor", "-n", "visitor"}, args...), key+".pub")...)
		return key
	}
	good := sign(authority, "-V", "-1h:+1h", "-O", "source-address=127.0.0.0/8")
	if got := s.run("", "-i", good, host, "lookup", "ada@harbor.example"); got.code != 0 {
		t.Errorf("a good one: %+v\n%s", got, s.log())
	}
	forced := sign(authority, "-O", "force-command=lookup ada@harbor.example -o csv")
	if got := s.run("", "-i", forced, host, "help"); got.code != 0 || !strings.Contains(got.stdout, "ada@harbor.example,") {
		t.Errorf("with force-command: %+v", got)
	}
	line, err := os.ReadFile(good + ".pub")
	if err == nil {
		err = os.WriteFile(revocations, line, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]string{"expired": sign(authority, "-V", "20200101:20200102"), "of an unknown authority": sign(unknown), "revoked": good} {
		if got := s.run("", "-i", key, host, "help"); got.code != 255 || got.stdout != "" || !strings.Contains(got.stderr, "Permission denied (publickey)") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

var ticketLine = regexp.MustCompile(`(?m)^Ticket ([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})\n\z`)

// TestTheSupportDeskOverSSH has somebody without a key run a check, and the desk read it.
func TestTheSupportDeskOverSSH(t *testing.T) {
	t.Parallel()
	desk, other := sshKey(t), sshKey(t)
	s := serveSSH(t, nil, "--demo", "--authorized-keys", authorize(t, desk, other), "--desk-keys", authorize(t, desk), "--open-check")
	if got := s.run("", checkHost, "lookup", "ada@harbor.example"); got.code != 2 || got.stdout != "" {
		t.Errorf("another command: %+v", got)
	}
	checked := s.run("demo", checkHost, "check lena@harbor.example --sign-in --password-stdin")
	found := ticketLine.FindStringSubmatch(checked.stderr)
	if checked.code != 1 || !strings.Contains(checked.stdout, `"certificate"`) || found == nil {
		t.Fatalf("a check: %+v", checked)
	}
	ticket := found[1]
	if got := s.run("", "-i", desk, host, "ticket", ticket); got.code != 0 || got.stdout != checked.stdout {
		t.Errorf("the desk reads %+v, want %s", got, checked.stdout)
	}
	if got := s.run("", "-i", other, host, "ticket", ticket); got.code != 1 || got.stdout != "" {
		t.Errorf("somebody else reads %+v", got)
	}
	if got := s.run("", checkHost, "ticket", ticket, "--delete"); got.code != 0 {
		t.Errorf("its owner deletes it: %+v", got)
	}
	if got := s.run("", "-i", desk, host, "ticket", ticket); got.code != 1 {
		t.Errorf("a deleted ticket: %+v", got)
	}
	if strings.Contains(s.log(), ticket) || strings.Contains(s.log(), "harbor.example") {
		t.Errorf("the log has the ticket or the account:\n%s", s.log())
	}
}

// TestTheServerOffersNoOutdatedAlgorithm asks ssh-audit, which knows the weak ones.
func TestTheServerOffersNoOutdatedAlgorithm(t *testing.T) {
	t.Parallel()
	audit, err := exec.LookPath("ssh-audit")
	if err != nil {
		t.Skip("there is no ssh-audit here")
	}
	for _, kind := range []string{"ed25519", "rsa"} {
		key := filepath.Join(t.TempDir(), "key")
		keygen(t, "-q", "-t", kind, "-N", "", "-C", "host", "-f", key)
		s := serveSSH(t, nil, append([]string{"--host-key", key}, everyone...)...)
		address, port, err := net.SplitHostPort(s.address)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := exec.Command(audit, "-n", "-p", port, address).CombinedOutput() // it fails after any warning
		report := string(out)
		for _, offered := range []string{"(kex) mlkem768x25519-sha256", "(kex) curve25519-sha256", "(enc) aes256-gcm@openssh.com", "(mac) hmac-sha2-256-etm@openssh.com", "(key) "} {
			if !strings.Contains(report, "\n"+offered) {
				t.Errorf("%s: no line begins with %s:\n%s", kind, offered, report)
			}
		}
		for line := range strings.Lines(report) {
			unknown := strings.Contains(line, "[warn] unknown algorithm") // an older ssh-audit knows no ML-KEM
			if strings.Contains(line, "[fail]") || strings.Contains(line, "[warn]") && !unknown || strings.HasPrefix(line, "(rec) -") {
				t.Errorf("%s: %s", kind, strings.TrimSpace(line))
			}
		}
	}
}
