//go:build unix

package e2e

import (
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheServerOffersNoOutdatedAlgorithm asks ssh-audit, which knows what was found weak.
func TestTheServerOffersNoOutdatedAlgorithm(t *testing.T) {
	t.Parallel()
	audit, err := exec.LookPath("ssh-audit")
	if err != nil {
		t.Skip("there is no ssh-audit here")
	}
	for _, kind := range []string{"ed25519", "rsa"} {
		t.Run(kind, func(t *testing.T) {
			key := filepath.Join(t.TempDir(), "key")
			keygen(t, "-q", "-t", kind, "-N", "", "-C", "host", "-f", key)
			s := serveSSH(t, nil, append([]string{"--host-key", key}, everyone...)...)
			host, port, err := net.SplitHostPort(s.address)
			if err != nil {
				t.Fatal(err)
			}
			out, _ := exec.Command(audit, "-n", "-p", port, host).CombinedOutput() // which fails with any warning
			report := string(out)
			for _, offered := range []string{"(kex) mlkem768x25519-sha256", "(kex) curve25519-sha256", "(enc) aes256-gcm@openssh.com", "(mac) hmac-sha2-256-etm@openssh.com", "(key) "} {
				if !strings.Contains(report, "\n"+offered) {
					t.Errorf("there is no line that begins with %s:\n%s", offered, report)
				}
			}
			for line := range strings.Lines(report) {
				unknown := strings.Contains(line, "[warn] unknown algorithm") // an older ssh-audit knows no ML-KEM
				if strings.Contains(line, "[fail]") || strings.Contains(line, "[warn]") && !unknown || strings.HasPrefix(line, "(rec) -") {
					t.Error(strings.TrimSpace(line))
				}
			}
		})
	}
}
