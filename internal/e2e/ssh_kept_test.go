//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// keptIn are where a server keeps sessions, and the arguments that say so.
type keptIn struct{ dir, keyFile string }

// newKept makes a key file, as an operator does.
func newKept(t testing.TB) keptIn {
	t.Helper()
	home := t.TempDir()
	k := keptIn{filepath.Join(home, "sessions"), filepath.Join(home, "session.key")}
	if out, err := exec.Command(binary, "serve", "--new-key", k.keyFile).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return k
}

func (k keptIn) args(further ...string) []string {
	return append([]string{"--sessions", k.dir, "--session-key", k.keyFile}, further...)
}

// keep has OpenSSH sign the person of a service in, to be kept for a key.
func (s *sshServer) keep(key string) {
	s.t.Helper()
	got := s.run(thePassword, "-i", key, host, "login -u "+thePerson+" --password-stdin --keep")
	if got.code != 0 || got.stdout != "" || !strings.Contains(got.stderr, "Signed in as "+thePerson+". The session is kept for ") {
		s.t.Fatalf("login: %+v\n%s", got, s.log())
	}
}

// requireKept wants the kept session to be used, or none to be there.
func (s *sshServer) requireKept(what, key string, kept bool) {
	s.t.Helper()
	got := s.run("", "-i", key, host, "whoami -o csv")
	switch {
	case kept && (got.code != 0 || !strings.Contains(got.stdout, thePerson)):
		s.t.Errorf("%s: %+v\n%s", what, got, s.log())
	case !kept && (got.code != 3 || got.stdout != "" || !strings.Contains(got.stderr, "login --username EMAIL --keep") || strings.Contains(got.stderr, thePerson)):
		s.t.Errorf("%s: %+v\n%s", what, got, s.log())
	}
}

// restored opens the UI, which has to come without a question.
func (s *sshServer) restored(key string) (*testkit.Terminal, *exec.Cmd) {
	s.t.Helper()
	term, command := s.open(100, 30, nil, "-i", key, host)
	term.WaitFor("Gateway", "› Domains", thePerson)
	if raw := string(term.Raw()); strings.Contains(raw, "E-mail") || strings.Contains(raw, "Password") {
		s.t.Errorf("the form was shown:\n%s", raw)
	}
	return term, command
}

func TestASessionIsKeptForAKeyOverSSH(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	service, kept, ann, other := newService(t), newKept(t), sshKey(t), sshKey(t)
	keys := authorize(t, ann, other)
	start := func() *sshServer {
		return serveSSH(t, service.env(t.TempDir())[4:], kept.args("--authorized-keys", keys)...)
	}
	s := start()
	s.requireKept("before the sign-in", ann, false)
	s.keep(ann)
	s.requireKept("another connection", ann, true)
	s.requireKept("another key", other, false)
	got := s.run("", "-i", ann, host, "sessions")
	var list []map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &list); err != nil || len(list) != 1 || len(list[0]) != 5 ||
		list[0]["account"] != thePerson || list[0]["authority"] != "main" || list[0]["renewals"] != 0.0 || list[0]["in_doubt"] != 0.0 || list[0]["ends_at"] == nil {
		t.Errorf("sessions: %v, %+v", err, got)
	}
	if got := s.run("", "-i", other, host, "sessions"); got.code != 0 || strings.TrimSpace(got.stdout) != "[]" {
		t.Errorf("the sessions of another key: %+v", got)
	}
	if got := s.run("", "-i", ann, host, "shares -o csv"); got.code != 0 || !strings.Contains(got.stdout, "one") {
		t.Errorf("shares: %+v", got)
	}
	if got := s.run(thePassword, "-i", ann, host, "login -u "+thePerson+" --password-stdin"); got.code != 2 || !strings.Contains(got.stderr, "--keep") {
		t.Errorf("login without --keep: %+v", got)
	}
	if got := s.run("", "-i", ann, host, "token"); got.code != 2 || got.stdout != "" {
		t.Errorf("token: %+v", got)
	}

	term, command := s.restored(ann)
	term.Type("\x03")
	requireGone(t, term, command, 0)
	form, formLeaves := s.open(100, 30, nil, "-i", other, host)
	form.WaitFor("Sign in", "E-mail")
	if strings.Contains(form.Screen(), thePerson) {
		t.Errorf("another key is shown who has a session:\n%s", form.Screen())
	}
	form.Type("\x03")
	requireGone(t, form, formLeaves, 0)

	log := s.log()
	s.stopNow()
	s = start()
	s.requireKept("after a restart", ann, true)
	term, command = s.restored(ann)
	term.Type("\x03")
	requireGone(t, term, command, 0)
	if got := s.run("", "-i", ann, host, "logout"); got.code != 0 || !strings.Contains(got.stderr, "Signed out") {
		t.Errorf("logout: %+v", got)
	}
	s.requireKept("after logout", ann, false)

	s.keep(ann)
	fingerprint := fingerprintOf(t, ann)
	s.stopNow() // a directory is for one process
	if got := gatehouse(t, home(t), "", append([]string{"serve", "--forget", fingerprint}, kept.args()...)...); got.code != 0 || !strings.Contains(got.stderr, "One session") {
		t.Errorf("--forget: %+v", got)
	}
	s = start()
	s.requireKept("what was forgotten", ann, false)

	term, command = s.open(100, 30, nil, "-t", "-i", ann, host, "login -u "+thePerson+" --keep")
	term.WaitFor("Password: ")
	term.Type(thePassword + enter)
	term.WaitFor("is kept for the key")
	_ = term.Wait()
	if command.ProcessState.ExitCode() != 0 || strings.Contains(string(term.Raw()), thePassword) {
		t.Errorf("login on a terminal: exit code %d, %q", command.ProcessState.ExitCode(), term.Raw())
	}
	term, _ = s.restored(ann)
	log += s.log()
	s.kill()
	_ = term.Wait()
	s = start()
	s.requireKept("after kill -9", ann, true)
	search := keyringSecrets()
	for what, text := range map[string]string{"log": log + s.log(), "metrics": s.get("/metrics")} {
		if hits := search.Find(text); len(hits) > 0 || strings.Contains(text, thePerson) {
			t.Errorf("the %s has %+v:\n%s", what, hits, text)
		}
	}
	if searchHome(t, s.home) == 0 || searchHome(t, filepath.Dir(kept.dir)) < 2 {
		t.Error("there is no key file, or no session")
	}
	if strings.Contains(contents(t, kept.dir), thePerson) || strings.Contains(contents(t, kept.dir), strings.TrimPrefix(fingerprint, "SHA256:")) {
		t.Error("the store says whose session is in it")
	}
}

// stopNow ends the server before the test does.
func (s *sshServer) stopNow() {
	s.t.Helper()
	_ = s.process.Process.Signal(syscall.SIGTERM)
	<-s.ended
}

// fingerprintOf is that of a key, as ssh-keygen shows it.
func fingerprintOf(t testing.TB, key string) string {
	t.Helper()
	out, err := exec.Command("ssh-keygen", "-l", "-f", key+".pub").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))[1]
}

// contents are all files below a directory, with their names.
func contents(t testing.TB, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		all.WriteString(path + "\n" + string(content) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

func TestASessionIsKeptForTheKeyIDOfACertificate(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	service, kept, first, second := newService(t), newKept(t), sshKey(t), sshKey(t)
	s := serveSSH(t, service.env(t.TempDir())[4:], kept.args("--user-ca", authorize(t, first, second))...)
	today := sign(t, first, "ed25519", "-n", "visitor")
	s.keep(today)
	s.requireKept("the same certificate", today, true)
	s.requireKept("tomorrow's certificate, for another key", sign(t, first, "ecdsa", "-n", "visitor"), true)
	s.requireKept("the same key id of another authority", sign(t, second, "ed25519", "-n", "visitor"), false)
	ben := sshKeyOf(t, "ed25519")
	keygen(t, "-q", "-s", first, "-I", "ben@harbor", "-n", "visitor", ben+".pub")
	s.requireKept("another key id", ben, false)
	nameless := sshKeyOf(t, "ed25519")
	keygen(t, "-q", "-s", first, "-I", "", "-n", "visitor", nameless+".pub")
	if got := s.run(thePassword, "-i", nameless, host, "login -u "+thePerson+" --password-stdin --keep"); got.code != 2 || !strings.Contains(got.stderr, "key id") {
		t.Errorf("a certificate without key id: %+v", got)
	}
	forced := sign(t, first, "ed25519", "-n", "visitor", "-O", "force-command=whoami -o csv")
	if got := s.run("", "-i", forced, host, "logout"); got.code != 0 || !strings.Contains(got.stdout, thePerson) {
		t.Errorf("with force-command: %+v", got)
	}
	// An administrator forgets it beside the server.
	if got := gatehouse(t, home(t), "", append([]string{"serve", "--forget", "id:ada@harbor", "--user-ca", authorize(t, first)}, kept.args()...)...); got.code != 0 || !strings.Contains(got.stderr, "One session") {
		t.Errorf("--forget: %+v", got)
	}
	s.requireKept("what was forgotten", today, false)
}

// requirePresentations wants that so many refresh tokens were good, and that none came twice.
func (s *service) requirePresentations(t testing.TB, renewals int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.renewals != renewals || s.again != 0 {
		t.Errorf("%d renewals, and %d tokens that were spent before", s.renewals, s.again)
	}
}

// TestAServerThatEndsWaitsForARenewal has the service answer when the visitor is gone and the
// server has said farewell for longer than it would without a store.
func TestAServerThatEndsWaitsForARenewal(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	service, kept, ann := newService(t), newKept(t), sshKey(t)
	service.arrived, service.answer = make(chan struct{}, 1), make(chan struct{})
	args := kept.args("--authorized-keys", authorize(t, ann), "--grace", "100ms")
	s := serveSSH(t, service.env(t.TempDir())[4:], args...)
	s.keep(ann)
	term, _ := s.restored(ann)
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
	case <-time.After(5 * time.Second):
	}
	close(service.answer)
	<-s.ended
	s = serveSSH(t, service.env(t.TempDir())[4:], args...)
	s.requireKept("what the renewal has brought", ann, true)
	if got := s.run("", "-i", ann, host, "sessions -o csv"); !strings.Contains(got.stdout, ",1,0\r\n") {
		t.Errorf("sessions: %+v", got)
	}
	service.requirePresentations(t, 1)
}

func TestTheDemoKeepsSessionsUntilTheServerEnds(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	kept, ada := newKept(t), sshKey(t)
	args := kept.args("--demo", "--authorized-keys", authorize(t, ada))
	s := serveSSH(t, nil, args...)
	if got := s.run("demo", "-i", ada, host, "login -u ada --password-stdin --keep"); got.code != 0 {
		t.Fatalf("login: %+v", got)
	}
	term, command := s.open(100, 30, nil, "-i", ada, host)
	term.WaitFor("Gateway", "› Domains", "ada@harbor.example", "4 domains")
	term.Type("\x03")
	requireGone(t, term, command, 0)
	s.stopNow()
	s = serveSSH(t, nil, args...)
	if got := s.run("", "-i", ada, host, "whoami"); got.code != 3 || !strings.Contains(got.stderr, "sign in again") {
		t.Errorf("after a restart: %+v", got)
	}
}
