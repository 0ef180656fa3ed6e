package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/hostile"
	"gatehouse/session"
)

// hal's access token lives for 20 seconds.
const hal = "hal@harbor.example"

// meeting is a command that calls an endpoint.
type meeting struct {
	endpoint hostile.Endpoint
	args     []string
}

var meetings = []meeting{
	{hostile.PasswordGrant, []string{"login", "--email", hal, "--password-stdin"}},
	{hostile.RefreshGrant, []string{"token"}},
	{hostile.RefreshGrant, []string{"shares", "-o", "table"}},
	{hostile.Shares, []string{"shares", "-o", "json"}},
	{hostile.Shares, []string{"shares", "-o", "csv"}},
	{hostile.Companies, []string{"companies", "-o", "table"}},
	{hostile.Lookup, []string{"lookup", hal}},
	{hostile.Lookup, []string{"login", "--authority", "domain", "--email", hal, "--password-stdin"}},
	{hostile.DeviceLogin, []string{"device-login", "--email", hal, "--device-name", "laptop", "--password-stdin"}},
}

// TestEveryFaultInEveryCommand walks through all that a service can do wrong, at
// each endpoint, with each command that calls it.
func TestEveryFaultInEveryCommand(t *testing.T) {
	for _, c := range hostile.Cases() {
		for _, m := range meetings {
			if c.On != nil && !slices.Contains(c.On, m.endpoint) || c.Opaque && m.args[0] == "shares" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s/%s", c.Name, m.endpoint, strings.Join(m.args, " ")), func(t *testing.T) {
				t.Parallel()
				hostile.Run(t, func(t *testing.T, w *hostile.World) { meet(t, w, c, m) })
			})
		}
	}
}

func meet(t *testing.T, w *hostile.World, c hostile.Case, m meeting) {
	d := hostileDesk(t, w)
	if got := d.run("login", "--email", hal, "--password-stdin"); got.code != exitDone {
		t.Fatalf("signing in: %+v", got)
	}
	if m.endpoint == hostile.RefreshGrant {
		time.Sleep(25 * time.Second) // hal's token has expired
	}
	w.Faults.Set(hostile.Rule{Endpoint: m.endpoint, Fault: c.Fault, Times: c.Times})
	want := c.Want(m.endpoint)
	start := time.Now()
	got := d.run(m.args...)
	if took := time.Since(start); took > want.Within {
		t.Errorf("it took %v, which is longer than %v", took, want.Within)
	}
	if sent := w.Faults.Met(); sent != want.Sent {
		t.Errorf("%d requests were sent, want %d", sent, want.Sent)
	}
	d.check(got, want, w)

	d.checkSession(want)
}

// hostileDesk is a desk with the clock and the network of a bubble.
func hostileDesk(t *testing.T, w *hostile.World) *hostileRuns {
	d := &desk{t: t, variables: w.Env, openVault: quickVaults(), keyring: &fakeKeyring{values: map[string]string{}}}
	d.variables["GATEHOUSE_STORE"] = "file"
	d.variables["GATEHOUSE_STORE_PASSPHRASE"] = "a long passphrase"
	d.stdin = hostile.Password + "\n"
	return &hostileRuns{d, w}
}

type hostileRuns struct {
	*desk
	world *hostile.World
}

func (d *hostileRuns) run(args ...string) outcome {
	var stdout, stderr bytes.Buffer
	env := d.environment(&stdout, &stderr)
	env.Now, env.Dial = time.Now, d.world.Dial
	code := Execute(d.t.Context(), args, env)
	return outcome{stdout.String(), stderr.String(), code}
}

// check compares what a command has left with what the interface and the design
// make of the fault.
func (d *hostileRuns) check(got outcome, want hostile.Outcome, w *hostile.World) {
	d.t.Helper()
	if code := codeOf(want.Ending); got.code != code {
		d.t.Errorf("exit code %d, want %d", got.code, code)
	}
	if found := w.Leaked(got.stderr); found != "" {
		d.t.Errorf("stderr shows the secret %q", found)
	}
	if found := hostile.GoWords(got.stderr); found != "" {
		d.t.Errorf("stderr has the word %q of a programmer", found)
	}
	if want.Ending == hostile.Works {
		return
	}
	if found := w.Leaked(got.stdout); found != "" {
		d.t.Errorf("stdout shows the secret %q", found)
	}
	sentence, hint, _ := strings.Cut(strings.TrimSuffix(got.stderr, "\n"), "\n")
	named := strings.Contains(sentence, w.Host()) || want.Ending == hostile.Over
	if !strings.HasPrefix(sentence, "gatehouse: ") || !named || !strings.Contains(sentence, want.Says) {
		d.t.Errorf("it says %q, which does not name the host or lacks %q", sentence, want.Says)
	}
	if hint == "" || strings.Contains(hint, "\n") {
		d.t.Errorf("the hint is %q, want one line", hint)
	}
	if got.stdout != "" && !json.Valid([]byte(got.stdout)) {
		d.t.Errorf("stdout has %q", got.stdout)
	}
}

func codeOf(e hostile.Ending) int {
	switch e {
	case hostile.Works:
		return exitDone
	case hostile.NeedsSignIn, hostile.Over:
		return exitSignIn
	}
	return exitFailed
}

// checkSession looks whether the session is there afterwards, as it must be unless
// it has really ended, and can be used once the service does as it should.
func (d *hostileRuns) checkSession(after hostile.Outcome) {
	d.t.Helper()
	vault, _, _ := d.openVault(d.t.Context(), session.VaultOptions{Kind: session.StoreFile})
	kept, err := vault.Load(d.t.Context())
	if err != nil || (kept.Ended != nil) != (after.Ending == hostile.Over) {
		d.t.Fatalf("the vault has %+v, %v", kept, err)
	}
	d.world.Faults.Set()
	got := d.run("whoami", "-o", "json")
	if after.Ending == hostile.Over || after.Spent {
		if got.code != exitSignIn {
			d.t.Errorf("the session is said to be over, and whoami ends with %d", got.code)
		}
		return
	}
	if got.code != exitDone || !strings.Contains(got.stdout, hal) {
		d.t.Errorf("the session is gone: %+v", got)
	}
}
