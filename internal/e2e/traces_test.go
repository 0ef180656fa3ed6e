package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// spellings are the ways in which a secret could stand in a file: as it is, in a
// URL, in hex and in base64, wherever it begins there.
func spellings(secret string) [][]byte {
	found := [][]byte{[]byte(secret), []byte(url.QueryEscape(secret)), []byte(hex.EncodeToString([]byte(secret)))}
	for shift := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString(append(make([]byte, shift), secret...))
			first, last := (shift*8+5)/6, len(text)-1 // the others depend on what is beside it
			found = append(found, []byte(text[first:last]))
		}
	}
	return found
}

// secrets are all there are, with what is recognisable of an access token.
func secrets() [][]byte {
	var all [][]byte
	for _, secret := range []string{thePassword, theClient, theKey, thePhrase, theRefreshes, "canary signature"} {
		all = append(all, spellings(secret)...)
	}
	claims := strings.Split(accessToken(1), ".")[1]
	return append(all, []byte(claims[:12]), []byte("AGE-SECRET-KEY"))
}

// searchHome looks for secrets and for what others may read, in all files.
func searchHome(t *testing.T, home string) (files int) {
	t.Helper()
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == home {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(home, path)
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("%s has mode %o", name, mode)
		}
		if entry.IsDir() {
			return nil
		}
		files++
		content, err := os.ReadFile(path)
		for _, secret := range secrets() {
			if bytes.Contains(content, secret) || strings.Contains(name, string(secret)) {
				t.Errorf("%s has %q in it", name, secret)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestNothingSecretIsWrittenInClear(t *testing.T) {
	s := newService(t)
	home := t.TempDir()
	env := append(s.env(home), "GATEHOUSE_LOG_FILE="+home+"/gatehouse.log")
	for _, step := range []struct {
		stdin string
		args  []string
		code  int
	}{
		{"canary wrong", []string{"login", "--username", thePerson, "--password-stdin"}, 1},
		{thePassword, []string{"login", "--username", thePerson, "--password-stdin"}, 0},
		{"", []string{"whoami"}, 0},
		{"", []string{"token"}, 0},
		{"", []string{"shares"}, 0},
		{"", []string{"companies", "--reseller", "1"}, 0},
		{thePassword, []string{"login", "--username", thePerson, "--password-stdin"}, 0},
		{"", []string{"logout"}, 0},
	} {
		got := gatehouse(t, env, step.stdin, step.args...)
		if got.code != step.code {
			t.Fatalf("%v: exit code %d: %s", step.args, got.code, got.stderr)
		}
		if said := got.stdout + got.stderr; strings.Contains(said, "canary") {
			t.Errorf("%v says %q", step.args, said)
		}
		if files := searchHome(t, home); files == 0 {
			t.Errorf("after %v there is no file", step.args)
		}
	}
	signInYesterday(t, env)
	if got := gatehouse(t, env, "", "token"); got.stdout != accessToken(4)+"\n" {
		t.Errorf("the renewed token: %+v", got)
	}
	if files := searchHome(t, home); files != 3 { // the vault, its lock and the log
		t.Errorf("there are %d files", files)
	}
}

func TestTheSearchFindsEverySpelling(t *testing.T) {
	const secret = "canary+password/="
	for _, text := range []string{
		secret, url.Values{"password": {secret}}.Encode(), hex.EncodeToString([]byte("x" + secret)),
		base64.StdEncoding.EncodeToString([]byte("x" + secret)), base64.URLEncoding.EncodeToString([]byte("xy" + secret + "z")),
		base64.StdEncoding.EncodeToString([]byte(secret + "xy")),
	} {
		hits := 0
		for _, spelling := range spellings(secret) {
			if strings.Contains(text, string(spelling)) {
				hits++
			}
		}
		if hits == 0 {
			t.Errorf("nothing is found in %s", text)
		}
	}
}
