//go:build unix

package e2e

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	embedded "gatehouse/internal/demo"
	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
)

// faulty starts a service whose faults are the test's, and returns the environment
// of a person who uses it.
func faulty(t *testing.T) (*hostile.Faults, []string) {
	t.Helper()
	faults := &hostile.Faults{}
	server, err := embedded.Start(t.Context(), embedded.Options{Wrap: faults.Wrap})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	env := append(home(t), "TERM=xterm-256color")
	for _, variable := range server.Env() {
		env = append(env, variable.Name+"="+variable.Value)
	}
	return faults, env
}

// TestFaultsOfRealConnections has those faults that a network in memory can only
// act.
func TestFaultsOfRealConnections(t *testing.T) {
	faults, env := faulty(t)
	const dropped, cutOff = "the connection was dropped", "cut off after 0 of"
	for name, c := range map[string]struct {
		fault hostile.Fault
		says  string
	}{
		"a reset":                 {hostile.Reset(hostile.BeforeTheHead), dropped},
		"a reset in the head":     {hostile.Reset(hostile.InTheHead), dropped},
		"a reset behind the head": {hostile.Reset(hostile.BehindTheHead), cutOff},
		"cut off":                 {hostile.Cut(true), "cut off after"},
		"longer than it says":     {hostile.Miscounted(-20), "not JSON"},
		"a bomb":                  {hostile.Bomb, "more than the limit of 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			faults.Set(hostile.Rule{Fault: c.fault})
			got := gatehouse(t, env, "demo", "device-login", "--email", "cleo@harbor.example", "--device-name", "laptop", "--password-stdin")
			if got.code != 1 || got.stdout != "" || !strings.Contains(got.stderr, c.says) || strings.Count(got.stderr, "\n") != 2 || hostile.GoWords(got.stderr) != "" {
				t.Errorf("got %+v", got)
			}
			if met := faults.Met(); met != 1 {
				t.Errorf("the request was sent %d times", met)
			}
		})
	}
}

// TestNothingIsWrittenOverTheScreen meets an answer that goes on behind its end,
// which net/http would quote on standard error.
func TestNothingIsWrittenOverTheScreen(t *testing.T) {
	faults, env := faulty(t)
	command := exec.Command(binary)
	command.Env = env
	term := testkit.StartTerminal(t, command, 120, 30)
	term.WaitFor("E-mail")
	term.Type("cleo@harbor.example" + tab + "demo" + enter)
	term.WaitFor("1 domain")
	term.Type(enter)
	term.WaitFor("14 shares")
	term.Type("3")
	term.WaitFor("Device name")
	term.Type(strings.Repeat(tab, 4))
	faults.Set(hostile.Rule{Endpoint: hostile.DeviceLogin, Fault: hostile.Miscounted(-20)})
	term.Type("demo" + enter)
	term.WaitFor("something that is not JSON", "type the password")
	faults.Set()
	term.Type("demo" + enter)
	term.WaitFor("U100")
	if bytes.Contains(term.Raw(), []byte("nsolicited")) {
		t.Errorf("something is written over the screen:\n%s", term.Screen())
	}
}
