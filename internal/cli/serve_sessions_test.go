package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
)

// keyFile makes a key file with the command.
func keyFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.key")
	if got := newDesk(t).run("serve", "--new-key", path); got.code != exitDone || !strings.Contains(got.stderr, "Created "+path) {
		t.Fatalf("%+v", got)
	}
	return path
}

func TestFlagsOfSessionsThatContradictEachOther(t *testing.T) {
	key, dir := keyFile(t), t.TempDir()
	authorized := filepath.Join(t.TempDir(), "authorized_keys")
	if err := os.WriteFile(authorized, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const fingerprint = "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"no store":                      {[]string{"--sessions", "redis://ann:hunter2@db"}, "Flag --sessions cannot be used"},
		"a directory by mistake":        {[]string{"--sessions", "Memory"}, "Flag --sessions cannot be used"},
		"a name alone":                  {[]string{"--sessions", "sessions"}, "or ./sessions,"},
		"settings of PostgreSQL":        {[]string{"--sessions", "host=db password=hunter2"}, "Flag --sessions cannot be used"},
		"a password in a broken URL":    {[]string{"--sessions", "postgres://db:hunter2/x", "--session-key", key}, "The sessions in PostgreSQL cannot be used: the URL"},
		"a password":                    {[]string{"--sessions", "postgres://ann:hunter2@db/x", "--session-key", key}, "contains a password"},
		"no key file":                   {[]string{"--sessions", dir}, "Add --session-key FILE"},
		"a key file for nothing":        {[]string{"--session-key", key}, "has no effect"},
		"a key file that is not there":  {[]string{"--sessions", dir, "--session-key", key + ".none"}, "--new-key FILE"},
		"two things at once":            {[]string{"--new-key", key, "--rotate-key"}, "cannot be combined"},
		"two other things":              {[]string{"--forget", "all", "--rotate-key", "--session-key", key}, "cannot be combined"},
		"rotate nothing":                {[]string{"--rotate-key"}, "Add --session-key FILE"},
		"forget nowhere":                {[]string{"--forget", "all"}, "needs the place where sessions are kept"},
		"forget without the key file":   {[]string{"--forget", fingerprint, "--sessions", dir}, "Add --session-key FILE"},
		"forget by no key file":         {[]string{"--forget", fingerprint, "--sessions", dir, "--session-key", key + ".none"}, "--new-key FILE"},
		"forget no fingerprint":         {[]string{"--forget", "ann", "--sessions", dir, "--session-key", key}, `Flag --forget is "ann"`},
		"forget an MD5":                 {[]string{"--forget", "MD5:00:11", "--sessions", dir, "--session-key", key}, `Flag --forget is "MD5:00:11"`},
		"forget half a fingerprint":     {[]string{"--forget", fingerprint[:20], "--sessions", dir, "--session-key", key}, "Flag --forget is"},
		"forget a certificate":          {[]string{"--forget", "id:ann", "--sessions", dir, "--session-key", key}, "Add --user-ca FILE"},
		"forget a certificate of none":  {[]string{"--forget", "id:", "--sessions", dir, "--session-key", key, "--user-ca", "x"}, `Flag --forget is "id:"`},
		"forget where there is nothing": {[]string{"--forget", "all", "--sessions", filepath.Join(dir, "none")}, "cannot be used"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"serve", "--listen", "127.0.0.1:0", "--demo", "--authorized-keys", authorized}, test.args...)
			got := newDesk(t).run(args...)
			if got.code == exitDone || !strings.Contains(got.stderr, test.want) || strings.Contains(got.stderr+got.stdout, "hunter2") {
				t.Errorf("%+v", got)
			}
		})
	}
}

// agedKeyFile is a key file whose key was made a week ago.
func agedKeyFile(t *testing.T) string {
	t.Helper()
	path := keyFile(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for i, line := range lines {
		if words := strings.Split(line, " "); words[0] == "key" {
			words[2] = time.Now().Add(-7 * 24 * time.Hour).UTC().Format(time.RFC3339)
			lines[i] = strings.Join(words, " ")
		}
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRotatingSaysWhatIsSealedWithWhichKey(t *testing.T) {
	path, dir := agedKeyFile(t), t.TempDir()
	keys, err := sessionstore.OpenKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	first := keys.Current()
	d := newDesk(t)
	d.now = time.Now()
	got := d.run("serve", "--rotate-key", "--session-key", path)
	if got.code != exitDone || !strings.Contains(got.stderr, "Added key") || !strings.Contains(got.stderr, "Add --sessions") {
		t.Errorf("%+v", got)
	}
	got = d.run("serve", "--rotate-key", "--session-key", path, "--sessions", dir)
	if got.code != exitDone || !strings.Contains(got.stderr, "less than a day old") || !strings.Contains(got.stderr, "Sealed with key "+first+": 0 rows and tickets.") {
		t.Errorf("a second time: %+v", got)
	}
}

// keep saves rows of owners, sealed, in a directory.
func keep(t *testing.T, dir string, keys *sessionstore.Keys, owners ...sessionstore.Owner) {
	t.Helper()
	d, err := sessionstore.OpenDirectory(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, owner := range owners {
		sealed, err := keys.Seal([]byte("session"))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Put(t.Context(), sessionstore.Row{ID: keys.ID(owner), Generation: 1, Sealed: sealed}, 0); err != nil {
			t.Fatal(err)
		}
	}
}

func TestForgettingSaysHowMany(t *testing.T) {
	path, dir := keyFile(t), t.TempDir()
	keys, err := sessionstore.OpenKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	const authority = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g the authority\n"
	userCA := filepath.Join(t.TempDir(), "user_ca.pub")
	if err := os.WriteFile(userCA, []byte(authority), 0o600); err != nil {
		t.Fatal(err)
	}
	const fingerprint = "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	keep(t, dir, keys, sessionstore.Owner{Fingerprint: fingerprint}, sessionstore.Owner{Fingerprint: "SHA256:x"}, sessionstore.Owner{Fingerprint: "SHA256:y"},
		sessionstore.Owner{KeyID: "ann", Authority: authorityOf(t, userCA)})
	forget := func(what, want string) {
		t.Helper()
		got := newDesk(t).run("serve", "--sessions", dir, "--session-key", path, "--user-ca", userCA, "--forget", what)
		if got.code != exitDone || !strings.HasPrefix(got.stderr, want) {
			t.Errorf("forget %s: %+v", what, got)
		}
	}
	forget(fingerprint, "Deleted 1 session.")
	forget(fingerprint, "Deleted 0 sessions.")
	forget("id:bert", "Deleted 0 sessions.")
	got := newDesk(t).run("serve", "--sessions", dir, "--session-key", keyFile(t), "--forget", fingerprint)
	if !strings.Contains(strings.Join(strings.Fields(got.stderr), " "), "3 rows and tickets cannot be read with ") {
		t.Errorf("with another key file: %+v", got)
	}
	forget("id:ann", "Deleted 1 session.")
	forget("all", "Deleted 2 sessions.")
	forget("all", "Deleted 0 sessions.")
}

func TestTheStartSaysWhereSessionsAreKept(t *testing.T) {
	path, dir := keyFile(t), t.TempDir()
	stderr := &said{what: "Kept sessions", ready: make(chan string, 1)}
	args := []string{"--authorized-keys", noKeys(t), "--sessions", dir, "--session-key", path}
	end := startServe(t, stderr, args...)
	keys, err := sessionstore.OpenKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := <-stderr.ready, "in "+dir+", sealed with the key "+keys.Current()+" of "+path+"."; !strings.Contains(strings.ReplaceAll(got, "\n", " "), want) {
		t.Errorf("it says %q, want %q", got, want)
	}
	got := newDesk(t).run(append([]string{"serve", "--demo", "--listen", "127.0.0.1:0"}, args...)...)
	if got.code == exitDone || !strings.Contains(got.stderr, "another server uses it") {
		t.Errorf("a second server: %+v", got)
	}
	end()
}

// noKeys is a file of authorized keys that has none.
func noKeys(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "authorized_keys")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// authorityOf is the fingerprint of the authority in a file.
func authorityOf(t *testing.T, path string) string {
	t.Helper()
	fingerprints, err := sshd.ReadAuthorities(path)
	if err != nil || len(fingerprints) != 1 {
		t.Fatalf("%q, %v", fingerprints, err)
	}
	return fingerprints[0]
}
