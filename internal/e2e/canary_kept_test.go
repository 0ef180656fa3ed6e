//go:build linux

package e2e

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The files of a server that keeps sessions, in the home.
const (
	keptKeyFile = "session.key"
	keptDir     = "sessions"
)

// walkKept has people keep their sessions, come back and sign out, while the service
// misbehaves, the store is put away and the server starts anew. In the end a session is there.
func walkKept(w *world) {
	known, other := sshKey(w.t), sshKey(w.t)
	w.newKeyFile()
	args := []string{"--authorized-keys", authorize(w.t, known, other), "--session-key", filepath.Join(w.home, keptKeyFile), "--sessions", filepath.Join(w.home, keptDir)}
	s := w.serve(args...)
	as := func(key, command string) []string { return []string{"-i", key, host, command} }
	const login = "login -u ada@harbor.example --password-stdin --keep"
	w.visit(s, 1, wrongPassword, as(known, login)...)
	w.visit(s, 2, givenPassword, as(known, "login -u ada@harbor.example --password-stdin")...)
	for _, name := range []string{"refuses", "breaks", "leads elsewhere", "is cut off"} {
		w.goWrong(faults[name], "")
		w.visit(s, 1, givenPassword, as(known, login)...)
		w.requireWrong()
	}
	w.goWrong(nil, "")
	w.visit(s, 0, givenPassword, as(known, login)...)
	for _, command := range []string{"whoami", "domains", "shares -o csv", "sessions", "sessions -o table"} {
		w.visit(s, 0, "", as(known, command)...)
	}
	w.visit(s, 3, "", as(other, "whoami")...)

	term, _ := s.open(120, 40, nil, "-i", known, host)
	w.do(term, see("", "4 domains"), see(enter, "row 1 of 42"), see("4", "not verified"), see("R", "renewed"))
	w.goWrong(faults["is cut off"], "/connect/token")
	w.do(term, see("R", "Could not renew"))
	w.requireWrong()
	w.goWrong(nil, "")
	w.quit(term)

	w.hideStore(func() {
		w.visit(s, 1, "", as(known, "whoami")...)
		w.visit(s, 1, givenPassword, as(known, login)...)
	})
	w.keepServer(s)
	s.stopNow()
	w.keep("log of the server", s.log())

	s = w.serve(args...)
	w.visit(s, 0, "", as(known, "whoami")...)
	w.visit(s, 0, "", as(known, "logout")...)
	w.visit(s, 3, "", as(known, "whoami")...)
	w.visit(s, 0, givenPassword, as(known, login)...)
	w.keepServer(s)
}

// newKeyFile makes the key file of a server, and canaries of the keys in it.
func (w *world) newKeyFile() {
	w.t.Helper()
	path := filepath.Join(w.home, keptKeyFile)
	out, err := exec.Command(binary, "serve", "--new-key", path).CombinedOutput()
	if err != nil {
		w.t.Fatalf("%v: %s", err, out)
	}
	w.keep("what is said of a new key file", string(out))
	file, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	keys := 0
	for _, word := range strings.Fields(string(file)) {
		if len(word) == 44 && strings.HasSuffix(word, "=") {
			w.take("key of the store", word)
			keys++
		}
	}
	if keys != 2 {
		w.t.Fatalf("%d keys in %s", keys, file)
	}
}

// hideStore puts a file in the place of the directory of the sessions for a while.
func (w *world) hideStore(meanwhile func()) {
	w.t.Helper()
	dir := filepath.Join(w.home, keptDir)
	if err := errors.Join(os.Rename(dir, dir+".away"), os.WriteFile(dir, nil, 0o600)); err != nil {
		w.t.Fatal(err)
	}
	meanwhile()
	if err := errors.Join(os.Remove(dir), os.Rename(dir+".away", dir)); err != nil {
		w.t.Fatal(err)
	}
}
