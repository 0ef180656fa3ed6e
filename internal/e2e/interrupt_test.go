//go:build unix

package e2e

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// stuckRenewal is a person whose next renewal the service never answers. It tells when
// that has been asked for.
func stuckRenewal(t *testing.T) (env []string, asked <-chan struct{}) {
	t.Helper()
	s, arrived, over := newService(t), make(chan struct{}, 9), make(chan struct{})
	stuck := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		if r.Form.Get("grant_type") == "refresh_token" {
			arrived <- struct{}{}
			<-over
			return
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(stuck.Close)
	t.Cleanup(func() { close(over) })
	for _, variable := range s.env(t.TempDir()) {
		env = append(env, strings.ReplaceAll(variable, s.URL, stuck.URL))
	}
	signInYesterday(t, env)
	return env, arrived
}

func TestASecondInterruptEndsTheUIThatWaitsForARenewal(t *testing.T) {
	t.Parallel()
	env, asked := stuckRenewal(t)
	command := exec.Command("sh", "-c", `trap : INT; "$0"; echo "exit code $?"`, binary)
	command.Env = append(env, "TERM=xterm-256color", "PATH="+os.Getenv("PATH"))
	term := testkit.StartTerminal(t, command, 100, 30)
	<-asked
	term.Type("\x03")
	term.WaitFor("Waiting until the session is saved")
	term.Type("\x03")
	term.WaitFor("exit code 130")
}
