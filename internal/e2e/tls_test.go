//go:build unix && !darwin

package e2e

import (
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// On macOS and Windows the system decides whom to trust, and no variable does.
func TestAnOwnAuthorityIsTrustedWhereTheEnvironmentNamesIt(t *testing.T) {
	t.Parallel()
	authority := testkit.NewAuthority(t)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, thePerson+",harbor.example")
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{authority.Issue(nil)}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	dir := t.TempDir()
	file := filepath.Join(dir, "authority.pem")
	if err := os.WriteFile(file, authority.PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{
		"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "GATEHOUSE_STORE=memory", "GATEHOUSE_CLIENT_ID=client",
		"GATEHOUSE_AUTH_URL=" + server.URL, "GATEHOUSE_BASE_URL=" + server.URL, "GATEHOUSE_GLOBAL_URL=" + server.URL,
	}
	refused := gatehouse(t, env, "", "lookup", thePerson)
	if refused.code != 1 || !strings.Contains(refused.stderr, "signed by an unknown authority.") || !strings.Contains(refused.stderr, "GATEHOUSE_CA_FILE") {
		t.Errorf("without: %+v", refused)
	}
	for _, variable := range []string{"SSL_CERT_FILE", "GATEHOUSE_CA_FILE"} {
		trusted := gatehouse(t, append(env, variable+"="+file), "", "lookup", thePerson)
		if trusted.code != 0 || !strings.Contains(trusted.stdout, "harbor.example") {
			t.Errorf("with %s: %+v", variable, trusted)
		}
	}
}
