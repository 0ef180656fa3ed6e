//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// keptIn are the arguments of a server that keeps sessions in a directory of its own.
func keptIn(t testing.TB, further ...string) []string {
	t.Helper()
	home := t.TempDir()
	key := filepath.Join(home, "session.key")
	if out, err := exec.Command(binary, "serve", "--new-key", key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return append([]string{"--sessions", filepath.Join(home, "sessions"), "--session-key", key}, further...)
}

// keep signs the person of a service in, to be kept for a key.
func (s *sshServer) keep(key string) {
	s.t.Helper()
	got := s.run(thePassword, "-i", key, host, "login -u "+thePerson+" --password-stdin --keep")
	if got.code != 0 || got.stdout != "" || !strings.Contains(got.stderr, "Signed in as "+thePerson+". The session is kept for ") {
		s.t.Fatalf("login: %+v\n%s", got, s.log())
	}
}

// requireKept wants a session to be kept for a key, or none.
func (s *sshServer) requireKept(when, key string, kept bool) {
	s.t.Helper()
	got := s.run("", "-i", key, host, "whoami -o csv")
	switch {
	case kept && (got.code != 0 || !strings.Contains(got.stdout, thePerson)):
		s.t.Errorf("%s: %+v\n%s", when, got, s.log())
	case !kept && (got.code != 3 || got.stdout != "" || !strings.Contains(got.stderr, "login --email EMAIL --keep") || strings.Contains(got.stderr, thePerson)):
		s.t.Errorf("%s: %+v\n%s", when, got, s.log())
	}
}

// requireNoForm wants the UI to have come up without asking for a password.
func requireNoForm(t *testing.T, term *terminal) {
	t.Helper()
	if raw := string(term.Raw()); strings.Contains(raw, "E-mail") || strings.Contains(raw, "Password") {
		t.Errorf("the form was shown:\n%q", raw)
	}
}

func TestASessionIsKeptForAKeyOverSSH(t *testing.T) {
	t.Parallel()
	service, ann, other := newService(t), sshKey(t), sshKey(t)
	kept, keys := keptIn(t), authorize(t, ann, other)
	start := func() *sshServer {
		return serveSSH(t, service.env(t.TempDir())[4:], append(kept, "--authorized-keys", keys)...)
	}
	s := start()
	s.requireKept("before the sign-in", ann, false)
	s.keep(ann)
	s.requireKept("another connection", ann, true)
	s.requireKept("another key", other, false)
	if got := s.run("", "-i", sshKey(t), host, "whoami"); got.code != 255 || !strings.Contains(got.stderr, "Permission denied") {
		t.Errorf("a key that is not listed: %+v", got)
	}
	term, _ := s.open(100, 30, "-i", ann, host)
	term.WaitFor("Gateway", "› Domains", thePerson)
	requireNoForm(t, term)
	s.kill()
	_ = term.Wait()
	s = start()
	s.requireKept("after kill -9", ann, true)
	if got := s.run("", "-i", ann, host, "logout"); got.code != 0 || !strings.Contains(got.stderr, "Signed out") {
		t.Errorf("logout: %+v", got)
	}
	s.requireKept("after logout", ann, false)

	s.keep(ann)
	s.end() // a directory is for one process
	fingerprint := finish(t, exec.Command("ssh-keygen", "-l", "-f", ann+".pub"), "").stdout
	if got := gatehouse(t, home(t), "", append([]string{"serve", "--forget", strings.Fields(fingerprint)[1]}, kept...)...); got.code != 0 || !strings.Contains(got.stderr, "Deleted 1 session") {
		t.Errorf("--forget: %+v", got)
	}
	s = start()
	s.requireKept("what was forgotten", ann, false)
	entries, err := os.ReadDir(s.home + "/state/gatehouse")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.Contains(entry.Name(), "key") {
			t.Errorf("visitors left %s on the server", entry.Name())
		}
	}
}

// TestAPersonIsWhereTheyWereAtTheNextConnection has somebody come back after the server has sent
// them home, and have the session forgotten.
func TestAPersonIsWhereTheyWereAtTheNextConnection(t *testing.T) {
	t.Parallel()
	var variables []string
	for _, variable := range demoService(t) {
		if strings.HasPrefix(variable, "GATEHOUSE_") {
			variables = append(variables, variable)
		}
	}
	ada := sshKey(t)
	args := keptIn(t, "--authorized-keys", authorize(t, ada), "--grace", "300ms")
	s := serveSSH(t, variables, args...)
	term, _ := s.open(100, 30, "-i", ada, host)
	term.WaitFor("Sign in", "E-mail", "[ ] Keep me signed in with this key")
	term.Type("ada@harbor.example" + tab + "demo" + tab + " ")
	term.WaitFor("[x] Keep me signed in")
	term.Type(enter)
	term.WaitFor("4 domains", "ada@harbor.example")
	term.Type(enter)
	term.WaitFor("42 shares", "row 1 of 42")
	term.Type("/board" + enter)
	term.WaitFor("Board minutes", "of 42 shares")
	s.end()
	_ = term.Wait()

	s = serveSSH(t, variables, args...)
	term, command := s.open(100, 30, "-i", ada, host)
	term.WaitFor("Board minutes", "of 42 shares", "› Shares")
	requireNoForm(t, term)
	term.Type("4")
	term.WaitFor("not verified")
	if got := s.run("", "-i", ada, host, "logout"); got.code != 0 {
		t.Errorf("signing out: %+v", got)
	}
	if got := s.run("", "-i", ada, host, "whoami"); got.code != 3 || got.stdout != "" {
		t.Errorf("after signing out: %+v\n%s", got, term.Screen())
	}
	term.Type("\x03")
	requireGone(t, term, command, 0)
}

// TestAServerThatEndsWaitsForARenewal has the service answer when the visitor is gone, and later
// than a server ends that has nothing to save.
func TestAServerThatEndsWaitsForARenewal(t *testing.T) {
	t.Parallel()
	service, ann := newService(t), sshKey(t)
	service.arrived, service.answer = make(chan struct{}, 1), make(chan struct{})
	args := keptIn(t, "--authorized-keys", authorize(t, ann), "--grace", "100ms")
	s := serveSSH(t, service.env(t.TempDir())[4:], args...)
	s.keep(ann)
	term, _ := s.open(100, 30, "-i", ann, host)
	term.WaitFor("Gateway", "› Domains", thePerson)
	term.Type(enter)
	term.WaitFor("1 share")
	term.Type("4")
	term.WaitFor("not verified")
	term.Type("R")
	<-service.arrived
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = term.Wait()
	select {
	case <-s.ended:
		t.Errorf("the server has ended:\n%s", s.log())
	case <-time.After(4 * time.Second):
	}
	close(service.answer)
	<-s.ended
	s = serveSSH(t, service.env(t.TempDir())[4:], args...)
	if got := s.run("", "-i", ann, host, "sessions -o csv"); !strings.Contains(got.stdout, ",1,0\r\n") {
		t.Errorf("sessions: %+v", got)
	}
	if service.renewals != 1 || service.again != 0 {
		t.Errorf("%d renewals, and %d tokens that were spent before", service.renewals, service.again)
	}
}
