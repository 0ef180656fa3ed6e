//go:build unix

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// newcomer is somebody without a profile, and the addresses of a service that runs.
type newcomer struct {
	*testkit.Terminal
	env     []string
	service map[string]string
	file    string
}

// meet starts the program for somebody without a profile.
func meet(t *testing.T) *newcomer {
	t.Helper()
	n := &newcomer{service: map[string]string{}, env: append(home(t), "TERM=xterm-256color")}
	for _, variable := range demoService(t) {
		name, value, _ := strings.Cut(variable, "=")
		n.service[strings.ToLower(strings.TrimPrefix(name, "GATEHOUSE_"))] = value
	}
	for _, variable := range n.env {
		if dir, ok := strings.CutPrefix(variable, "XDG_CONFIG_HOME="); ok {
			n.file = filepath.Join(dir, "gatehouse", "config.toml")
		}
	}
	command := exec.Command(binary)
	command.Env = n.env
	n.Terminal = testkit.StartTerminal(t, command, 80, 24)
	return n
}

func TestANewcomerIsSignedInFromTheFirstStart(t *testing.T) {
	t.Parallel()
	n := meet(t)
	for _, step := range []struct{ asked, answer string }{
		{"Start the demo", "setup"}, {"Name of the profile", ""}, {"Address of the installation", ""}, {"Client id", n.service["client_id"]},
		{"Global service", n.service["global_url"]}, {"E-mail address", "ada@harbor.example"}, {"Authority to sign in at", ""},
		{"Main authority", n.service["auth_url"]}, {"Client gateway", n.service["base_url"]}, {"Client secret", n.service["client_secret"]}, {"Write ", ""},
	} {
		n.WaitFor(step.asked)
		n.Type(step.answer + enter)
	}
	n.WaitFor("Sign in", "ada@harbor.example", "Password")
	n.Type("demo" + enter)
	n.WaitFor("4 domains")
	n.Type("q")
	if err := n.Wait(); err != nil {
		t.Fatalf("the program ended with %v", err)
	}
	requireRestored(t, n.Terminal)
	if bytes.Contains(n.Raw(), []byte(n.service["client_secret"])) {
		t.Error("the client secret was on the screen")
	}
	document, err := os.ReadFile(n.file)
	if err != nil || strings.Contains(string(document), n.service["client_secret"]) || !strings.Contains(string(document), n.service["base_url"]) {
		t.Errorf("%v\n%s", err, document)
	}
	if got := gatehouse(t, n.env, "", "whoami"); got.code != 0 || !strings.Contains(got.stdout, "ada@harbor.example") {
		t.Errorf("whoami: %+v", got)
	}
}
