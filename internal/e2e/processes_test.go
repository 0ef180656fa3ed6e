package e2e

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

// signInYesterday leaves a session in a home directory whose token has expired.
func signInYesterday(t testing.TB, env []string) {
	t.Helper()
	variables := map[string]string{}
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		variables[name] = value
	}
	profile, err := config.Resolve(config.Sources{LookupEnv: func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}})
	if err != nil {
		t.Fatal(err)
	}
	passphrase := func(context.Context) (secret.Text, error) { return secret.New(thePhrase), nil }
	before := session.NewService(session.ServiceOptions{
		Profile: profile,
		Vault:   session.NewFileVault(filepath.Join(variables["XDG_STATE_HOME"], "gatehouse", filepath.Base(session.StatePath(profile.Name))), passphrase),
		Now:     func() time.Time { return time.Now().Add(-25 * time.Hour) },
	})
	if err := before.Session.SignIn(t.Context(), session.SignIn{Username: thePerson, Password: secret.New(thePassword)}); err != nil {
		t.Fatal(err)
	}
}

func TestTwentyProcessesWithAnExpiredTokenCostOneRenewal(t *testing.T) {
	t.Parallel()
	s := newService(t)
	env := s.env(t.TempDir())
	signInYesterday(t, env)

	processes := make([]*exec.Cmd, 20)
	answers := make([]struct{ stdout, stderr bytes.Buffer }, len(processes))
	for i := range processes {
		processes[i] = exec.CommandContext(t.Context(), binary, "token")
		processes[i].Env, processes[i].Stdout, processes[i].Stderr = env, &answers[i].stdout, &answers[i].stderr
		if err := processes[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i, process := range processes {
		if err := process.Wait(); err != nil {
			t.Errorf("process %d: %v: %s", i, err, answers[i].stderr.String())
		}
		if got := answers[i].stdout.String(); got != accessToken(2)+"\n" {
			t.Errorf("process %d prints %q, want the second token", i, got)
		}
	}
	if s.renewals != 1 || s.again != 0 {
		t.Errorf("%d renewals were asked for, and %d with a spent token", s.renewals, s.again)
	}
}
