//go:build unix

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestANewcomerIsSignedInFromTheFirstStart(t *testing.T) {
	t.Parallel()
	service := map[string]string{}
	for _, variable := range demoService(t) {
		name, value, _ := strings.Cut(variable, "=")
		service[name] = value
	}
	secret, env := service["GATEHOUSE_CLIENT_SECRET"], append(home(t), "TERM=xterm-256color")
	command := exec.Command(binary)
	command.Env = env
	term := startTerminal(t, command, 80, 24)
	for _, step := range []struct{ asked, answer string }{
		{"Try the demo", "s"}, {"Address of the service", ""}, {"Client id", service["GATEHOUSE_CLIENT_ID"]},
		{"Global service", service["GATEHOUSE_GLOBAL_URL"]}, {"E-mail address", "ada@harbor.example"}, {"Authority (the server that", ""},
		{"URL of the authority", service["GATEHOUSE_AUTH_URL"]}, {"Client gateway", service["GATEHOUSE_BASE_URL"]}, {"Client secret", secret}, {"Write ", ""},
	} {
		term.WaitFor(step.asked)
		term.Type(step.answer + enter)
	}
	term.WaitFor("Sign in", "ada@harbor.example", "Password")
	term.Type("demo" + enter)
	term.WaitFor("4 domains")
	term.Type("q")
	if err := term.Wait(); err != nil {
		t.Fatalf("the program ended with %v", err)
	}
	requireRestored(t, term)
	if bytes.Contains(term.Raw(), []byte(secret)) {
		t.Error("the client secret was on the screen")
	}
	files, _ := filepath.Glob(strings.TrimPrefix(env[0], "HOME=") + "/config/gatehouse/config.toml")
	if len(files) != 1 {
		t.Fatalf("the files are %q", files)
	}
	document, err := os.ReadFile(files[0])
	if err != nil || strings.Contains(string(document), secret) || !strings.Contains(string(document), service["GATEHOUSE_BASE_URL"]) {
		t.Errorf("%v\n%s", err, document)
	}
	if got := gatehouse(t, env, "", "whoami"); got.code != 0 || !strings.Contains(got.stdout, "ada@harbor.example") {
		t.Errorf("whoami: %+v", got)
	}
}
