//go:build unix

package e2e

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

const (
	clear = "\x15" // ctrl+u
	ctrlD = "\x1b[100;5u"
	ctrlG = "\x1b[103;5u"
)

// newcomer is somebody without a profile, and the addresses of a service that runs.
type newcomer struct {
	*testkit.Terminal
	command *exec.Cmd
	env     []string
	service map[string]string
	file    string
}

// meet starts the program for somebody without a profile.
func meet(t *testing.T, args ...string) *newcomer {
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
	n.start(t, args...)
	return n
}

// start starts the program, perhaps once more.
func (n *newcomer) start(t *testing.T, args ...string) {
	t.Helper()
	n.command = exec.Command(binary, args...)
	n.command.Env = n.env
	n.Terminal = testkit.StartTerminal(t, n.command, 80, 24)
}

// known fills in the first step.
func (n *newcomer) known(email string) {
	n.WaitFor("Installation", "Client id")
	n.Type(tab + n.service["client_id"] + tab + email + tab + enter)
	n.WaitFor("Global service")
}

func TestANewcomerIsSignedInFromTheFirstStart(t *testing.T) {
	t.Parallel()
	n := meet(t)
	n.WaitFor("No installation at hand?")
	n.known("ada@harbor.example")
	n.Type(n.service["global_url"] + tab + n.service["auth_url"] + tab + clear + n.service["base_url"] + enter)
	n.WaitFor("Every part that can be tried now has answered.")
	n.Type(enter)
	n.WaitFor("goes into the keyring")
	n.Type(n.service["client_secret"] + enter)
	n.WaitFor("There is no keyring", "GATEHOUSE_CLIENT_SECRET", "in memory")
	n.Type(ctrlG)
	n.WaitFor("This becomes", `client_id = "gatehouse-demo"`)
	n.Type(enter)
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

	// Started again it shows what changes, and esc leads out of every step.
	n.start(t, "config", "init")
	n.WaitFor("the profile main")
	n.Type(clear + "another" + tab + tab + enter)
	n.WaitFor(n.service["global_url"], "depends on the domain")
	n.Type(tab + tab + enter)
	n.WaitFor("goes into the keyring")
	n.Type(enter)
	n.WaitFor(`- client_id = "gatehouse-demo"`, `+ client_id = "another"`)
	for _, before := range []string{"goes into the keyring", "Global service", "another", "enter edit", "Leave Gatehouse?"} {
		n.Type(esc)
		n.WaitFor(before)
	}
	n.Type("q")
	_ = n.Wait()
	requireRestored(t, n.Terminal)
	if after, err := os.ReadFile(n.file); err != nil || !bytes.Equal(after, document) || n.command.ProcessState.ExitCode() != 2 {
		t.Errorf("exit code %d, %v\n%s", n.command.ProcessState.ExitCode(), err, after)
	}
}

func TestTheFirstStartHasTheDemoInOneKey(t *testing.T) {
	t.Parallel()
	n := meet(t)
	n.WaitFor("starts the demo")
	n.Type(ctrlD)
	n.WaitFor("Demo accounts")
	n.Type("ada" + tab + "demo" + enter)
	n.WaitFor("4 domains")
}

func TestControlCPutsTheTerminalBackAtEveryStepOfSettingUp(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"Installation", "Addresses", "Client secret", "Profile file"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			n := meet(t)
			n.WaitFor("Installation")
			if step != "Installation" {
				n.known("")
			}
			if step == "Client secret" || step == "Profile file" {
				n.Type(n.service["global_url"] + tab + n.service["auth_url"] + tab + clear + n.service["base_url"] + enter)
				n.WaitFor("has answered")
				n.Type(enter)
				n.WaitFor("goes into the keyring")
			}
			if step == "Profile file" {
				n.Type(enter)
				n.WaitFor("This becomes")
			}
			n.Type(ctrlC)
			_ = n.Wait()
			requireRestored(t, n.Terminal)
			if _, err := os.Stat(n.file); !os.IsNotExist(err) {
				t.Errorf("a file was written: %v", err)
			}
		})
	}
}

func TestEachPartThatIsDownIsNamedWhileSettingUp(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + listener.Addr().String()
	_ = listener.Close()
	parts := []string{"global_url", "auth_url", "base_url"}
	for name, down := range map[string][]string{"global": parts[:1], "authority": parts[1:2], "gateway": parts[2:], "all": parts} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := meet(t)
			n.known("")
			n.service["base_url"] = strings.ReplaceAll(n.service["base_url"], "{domain}", "harbor.example")
			for _, key := range down {
				n.service[key] = closed
			}
			n.Type(n.service["global_url"] + tab + n.service["auth_url"] + tab + clear + n.service["base_url"] + enter)
			n.WaitUntil("what each part answers", func(screen string) bool {
				return strings.Count(screen, "✗ the connection was refused") == len(down) && strings.Count(screen, "✓ answers") == 3-len(down)
			})
			n.WaitFor("Correct the URL, or go on all the same")
			n.Type(ctrlC)
			_ = n.Wait()
			requireRestored(t, n.Terminal)
		})
	}
}
