package serve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/files"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/text/problem"
)

func TestTheDefaultsOfAServer(t *testing.T) {
	f, err := parse(t, "--demo", "--anyone")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ got, want any }{
		"listen":             {f.options.Listen, "127.0.0.1:2222"},
		"grace":              {f.options.Grace, 30 * time.Second},
		"max-records-memory": {f.maxListMiB, int64(64)},
		"max-memory":         {f.maxMemoryMiB, int64(512)},
		"sessions":           {f.sessions, "memory"},
		"log-format":         {f.logFormat, "text"},
		"renewals":           {finishTime, 90 * time.Second},
		"guesses":            {maxGuesses, 20},
		"checks":             {openTries, 5},
		"tickets":            {ticketTries, 60},
		"tries within":       {tryWithin, time.Hour},
		"memory of a server": {serverMemory, 200 << 20},
		"of a connection":    {connectionMemory, 1 << 20},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
	}
	for name, isOpen := range map[string]bool{
		"anyone": f.options.Access.Anyone, "demo": f.demo, "expose-sign-in": !f.exposeSignIn,
		"open-check": !f.openCheck, "rotate-key": !f.rotateKey, "help-all": !f.helpAll,
	} {
		if !isOpen {
			t.Errorf("--%s has another default", name)
		}
	}
}

func TestWhichFlagsOfAServerContradictEachOther(t *testing.T) {
	key := "SHA256:" + strings.Repeat("A", 43)
	for args, want := range map[string]string{
		"--demo --anyone":                                     "",
		"--demo --anyone --expose-sign-in":                    "",
		"--anyone":                                            "--anyone",
		"--anyone --expose-sign-in":                           "",
		"--demo":                                              "no one would be able to connect",
		"--authorized-keys F":                                 "",
		"--user-ca F":                                         "",
		"--user-ca F --principals staff":                      "",
		"--authorized-keys F --principals staff":              "--principals",
		"--user-ca F --principals staff,":                     "--principals",
		"--demo --anyone --authorized-keys F":                 "--anyone",
		"--demo --anyone --user-ca F":                         "--anyone",
		"--demo --anyone --revoked-keys F":                    "--anyone",
		"--demo --anyone --desk-keys F":                       "--anyone",
		"--demo --anyone --open-check":                        "--anyone",
		"--demo --anyone --sessions /d --session-key F":       "--anyone",
		"--authorized-keys F --log-format xml":                "--log-format",
		"--authorized-keys F --sessions /d":                   "--session-key is missing",
		"--authorized-keys F --sessions /d --session-key F":   "",
		"--authorized-keys F --session-key F":                 "--session-key has no effect",
		"--authorized-keys F --sessions d --session-key F":    "--sessions cannot be used",
		"--authorized-keys F --sessions postgres://a:b@db/x ": "--sessions cannot be used",
	} {
		_, err := parse(t, strings.Fields(args)...)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
	if _, err := parse(t, "--user-ca", "F", "--principals", ""); err == nil {
		t.Error("no principal is taken for any")
	}
	for args, want := range map[string]string{
		"--new-key F":                                               "",
		"--new-key F --session-key F":                               "cannot be combined",
		"--new-key F --rotate-key":                                  "cannot be combined",
		"--new-key F --forget all":                                  "cannot be combined",
		"--rotate-key --session-key F --forget all":                 "cannot be combined",
		"--rotate-key":                                              "--session-key is missing",
		"--rotate-key --session-key F":                              "",
		"--forget all":                                              "--forget needs the place",
		"--forget all --sessions /d":                                "",
		"--sessions /d --forget " + key:                             "--session-key is missing",
		"--sessions /d --session-key F --forget " + key:             "",
		"--sessions /d --session-key F --forget " + key[1:]:         "--forget is",
		"--sessions /d --session-key F --forget " + key + "A":       "--forget is",
		"--sessions /d --session-key F --forget SHA256:AAAA":        "--forget is",
		"--sessions /d --session-key F --forget id:ann":             "depends on its authority",
		"--sessions /d --session-key F --user-ca F --forget id:":    "--forget is",
		"--sessions /d --session-key F --user-ca F --forget id:ann": "",
	} {
		f, _ := parse(t, strings.Fields(args)...)
		err := f.checkSessions()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestWhatIsToldOfAStoreThatCannotBeUsed(t *testing.T) {
	const database, dir = "postgres://db/sessions", "/var/lib/sessions"
	gone := errors.New("gone")
	for name, tt := range map[string]struct {
		where          string
		err            error
		kind           problem.Kind
		sentence, hint string
	}{
		"a directory":     {dir, gone, problem.Failed, "the sessions in /var/lib/sessions cannot be used: gone", "Use a directory for nothing but sessions"},
		"a database":      {database, gone, problem.Failed, "the sessions in PostgreSQL cannot be used: gone", "Check that `psql` reaches it"},
		"a URL":           {database, sessionstore.ErrURL, problem.Usage, "the sessions in PostgreSQL cannot be used: ", "Write postgres://"},
		"another server":  {dir, sessionstore.ErrNotAlone, problem.Failed, "the sessions in /var/lib/sessions cannot be used: another server uses it", "Stop that server first"},
		"a newer program": {dir, files.CheckVersion(2, 1), problem.Failed, "the sessions in /var/lib/sessions cannot be used: ", "Nothing was changed or started"},
	} {
		p := problem.Describe(storeProblem(tt.where, tt.err), problem.Face{})
		text := storeProblem(tt.where, tt.err).Error()
		if p.Kind != tt.kind || !strings.HasPrefix(text, tt.sentence) || !strings.HasPrefix(p.Hint, tt.hint) {
			t.Errorf("%s: %q with %q", name, text, p.Hint)
		}
	}
	for name, tt := range map[string]struct {
		err  error
		hint string
	}{
		"another mode": {gone, "It must belong to root or to the server's user"},
		"no file":      {fmt.Errorf("read it: %w", os.ErrNotExist), "Create one with `gatehouse serve --new-key FILE`"},
		"another file": {sessionstore.ErrNotKeyFile, "Create one with `gatehouse serve --new-key FILE`"},
		"a newer one":  {files.CheckVersion(2, 1), "Nothing was changed"},
	} {
		p := problem.Describe(keyFileProblem(tt.err), problem.Face{})
		if p.Kind != problem.Usage || !strings.HasPrefix(p.Hint, tt.hint) {
			t.Errorf("a key file, %s: %+v", name, p)
		}
	}
}

// administered is what the operator is told by a command that serves nobody.
func administered(t *testing.T, f *serveFlags, now time.Time) string {
	t.Helper()
	var said strings.Builder
	p := &Program{Stderr: &said, Now: func() time.Time { return now }}
	if err := p.administer(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	return said.String()
}

func TestAnAdministratorIsToldWhatIsSealedWithWhichKey(t *testing.T) {
	path, dir := filepath.Join(t.TempDir(), "session.key"), t.TempDir()
	if said := administered(t, &serveFlags{newKey: path, sessions: sessionstore.InMemory}, time.Now()); !strings.Contains(said, "Created "+path) {
		t.Errorf("of a new key it says %s", said)
	}
	keys, err := sessionstore.OpenKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sessionstore.OpenDirectory(dir)
	if err != nil {
		t.Fatal(err)
	}
	prefix := "SHA256:" + strings.Repeat("A", 42)
	fingerprints := []string{prefix + "A", prefix + "E", prefix + "I"}
	for n, k := range []*sessionstore.Keys{keys, keys, sessionstore.NewKeys()} {
		sealed, err := k.Seal([]byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		owner := sessionstore.Owner{Fingerprint: fingerprints[n]}
		row := sessionstore.Row{ID: keys.ID(owner), Generation: 1, Sealed: sealed}
		if err := store.Put(t.Context(), row, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	const unreadable = "1 row or ticket cannot be read with "
	f := &serveFlags{rotateKey: true, sessionKey: path, sessions: dir}
	said := administered(t, f, time.Now().Add(48*time.Hour))
	for _, want := range []string{
		"Added key ", "Sealed with key " + keys.Current() + ": 2 rows and tickets.", ": 0 rows and tickets.",
		"Delete an older line of " + path, unreadable + path,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("of a rotation it does not say %q:\n%s", want, said)
		}
	}
	f.sessions = sessionstore.InMemory
	if said := administered(t, f, time.Now().Add(48*time.Hour)); !strings.Contains(said, "No key added: the newest, ") || !strings.Contains(said, "Add --sessions to see") {
		t.Errorf("of another rotation it says %s", said)
	}
	f = &serveFlags{forget: fingerprints[0], sessionKey: path, sessions: dir}
	for _, want := range []string{"Deleted 1 session.", "Deleted 0 sessions."} {
		if said := administered(t, f, time.Now()); !strings.Contains(said, want) || !strings.Contains(said, unreadable) {
			t.Errorf("of one it says %s, want %s", said, want)
		}
	}
	f.forget = forgetAll
	if said := administered(t, f, time.Now()); !strings.Contains(said, "Deleted 2 sessions.") {
		t.Errorf("of all it says %s", said)
	}
}
