package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/zalando/go-keyring"

	"gatehouse/internal/testkit"
	"gatehouse/session"
)

// keyringHome is a home with a profile that has the default store, where this
// machine has a keyring that is unlocked. The keyring is as before in the end.
func keyringHome(t *testing.T, s *service) (env []string, home string) {
	t.Helper()
	const profile = "test-of-the-program"
	bus := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	if bus == "" {
		t.Skip("there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set)")
	}
	if _, err := session.NewSecrets(profile, session.SystemKeyring()).Get(t.Context(), session.APIKey); err != nil {
		t.Skipf("the session bus has no keyring that answers: %v", err)
	}
	t.Cleanup(func() {
		account := sha256.Sum256([]byte(profile))
		_ = keyring.Delete("gatehouse", hex.EncodeToString(account[:16]))
	})
	home = t.TempDir()
	file := filepath.Join(home, "config", "gatehouse", "config.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("default_profile = %q\n[profiles.%s]\nauth_url = %q\nbase_url = %q\nglobal_url = %q\nclient_id = %q\n",
		profile, profile, s.URL, s.URL, s.URL, "client")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/config", "XDG_STATE_HOME=" + home + "/state", "TMPDIR=" + home,
		"DBUS_SESSION_BUS_ADDRESS=" + bus, "GATEHOUSE_CLIENT_SECRET=" + theClient,
	}, home
}

// keyringSecrets finds the secrets of the service of these tests, and of the vault.
func keyringSecrets() *testkit.SecretSearcher {
	search := new(testkit.SecretSearcher)
	for _, secret := range []string{thePassword, theClient, theKey, thePhrase, theRefreshes, "canary signature", "AGE-SECRET-KEY"} {
		search.Add(secret, secret)
	}
	return search
}

// searchHome looks for secrets and for what others may read, in all files.
func searchHome(t *testing.T, home string) (files int) {
	t.Helper()
	search := keyringSecrets()
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == home {
			return err
		}
		if info, err := entry.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
		}
		if entry.IsDir() {
			return nil
		}
		files++
		content, err := os.ReadFile(path)
		if hits := search.Find(string(content)); len(hits) > 0 {
			t.Errorf("%s has %+v in it", path, hits)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestTheKeyringIsTheStoreUnlessAnotherIsAskedFor(t *testing.T) {
	s := newService(t)
	env, home := keyringHome(t, s)
	for _, step := range []struct {
		stdin  string
		args   []string
		stdout string
		code   int
	}{
		{thePassword, []string{"login", "--username", thePerson, "--password-stdin"}, "", 0},
		{"", []string{"token"}, accessToken(1) + "\n", 0},
		{"", []string{"logout"}, "", 0},
		{"", []string{"token"}, "", 3},
	} {
		got := gatehouse(t, env, step.stdin, step.args...)
		if got.code != step.code || got.stdout != step.stdout {
			t.Fatalf("%v: %+v", step.args, got)
		}
		searchHome(t, home)
	}
}

func TestWithoutASessionBusNoneIsStarted(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	started := filepath.Join(home, "started")
	launcher := "#!/bin/sh\ntouch '" + started + "'\n"
	if err := os.WriteFile(filepath.Join(home, "dbus-launch"), []byte(launcher), 0o700); err != nil {
		t.Fatal(err)
	}
	env := append(newService(t).env(home), "GATEHOUSE_STORE=", "PATH="+home+":/usr/bin:/bin")
	if got := gatehouse(t, env, "", "whoami"); got.code != 3 || got.stdout != "" {
		t.Errorf("whoami: %+v", got)
	}
	if _, err := os.Stat(started); !os.IsNotExist(err) {
		t.Errorf("a bus was started: %v", err)
	}
}
