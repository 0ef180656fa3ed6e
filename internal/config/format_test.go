package config

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// noVariables is an environment without any.
func noVariables(string) (string, bool) { return "", false }

// Files of the first version have to be read for ever.
func TestAProfileFileOfTheFirstVersionIsRead(t *testing.T) {
	path := filepath.Join("testdata", "config-v1.toml")
	p, err := Resolve(Sources{File: path, LookupEnv: noVariables})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, key := range append(fileKeys(), "profile") {
		got[key] = p.Value(key)
	}
	want := map[string]string{
		"profile": "main", "authority": "domain", "auth_url": "https://auth.example.com", "domain_auth_url": "https://domainauth.{domain}",
		"auth_test_url": "https://auth-test.example.com", "base_url": "https://clientgateway.{domain}", "global_url": "https://global.example.com",
		"client_id": "terminal", "client_auth": "body", "scope": "openid profile offline_access", "reseller_id": "7d3c1b52", "ca_file": "", "ambiguous_width": "auto",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the profile (-want +got):\n%s", diff)
	}
	preferences, err := ReadPreferences(Sources{File: path, LookupEnv: noVariables})
	if err != nil {
		t.Fatal(err)
	}
	wantPreferences := Preferences{
		Origin: Origin{File: path},
		Keys:   []Binding{{Action: "browse.sort", Keys: []string{"s", "ctrl+s"}, Origin: Origin{File: path}}},
		Theme:  "mine",
		Themes: map[string]map[string]string{"mine": {"base": "light", "accent": "#0087ff"}},
	}
	if diff := cmp.Diff(wantPreferences, preferences); diff != "" {
		t.Errorf("the preferences (-want +got):\n%s", diff)
	}
}

// The version counts wherever it stands, and before all that this program does not know.
func TestAProfileFileOfANewerProgramIsLeftAsItIs(t *testing.T) {
	v1, err := os.ReadFile("testdata/config-v1.toml")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	newer := append([]byte("installations = [\"main\"]\nversion = 2\n"), v1...)
	if err := os.WriteFile(path, newer, 0o600); err != nil {
		t.Fatal(err)
	}
	const want = ": a newer gatehouse wrote it: it has version 2 of its format, and this one reads version 1; upgrade gatehouse"
	_, resolved := Resolve(Sources{File: path, LookupEnv: noVariables})
	_, read := ReadPreferences(Sources{File: path, LookupEnv: noVariables})
	for name, err := range map[string]error{"Resolve": resolved, "ReadPreferences": read} {
		if err == nil || err.Error() != path+want {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, edited := Edit(newer, "main", map[string]string{"client_id": "other"})
	_, _, chosen := FileProfile(newer, "")
	for name, err := range map[string]error{"Edit": edited, "FileProfile": chosen} {
		if err == nil || err.Error() != want[2:] { // the caller names the file
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, newer) {
		t.Errorf("the file has changed, %v", err)
	}
}

func TestTheVersionOfAProfileFileIsANumber(t *testing.T) {
	for document, want := range map[string]string{
		"version = 1\n":     "",
		"version = \"1\"\n": "version is not a number from 1",
		"version = 0\n":     "version is not a number from 1",
		"version = 1.5\n":   "version is not a number from 1",
		"[version]\na = 1":  "version is not a number from 1",
	} {
		_, err := parse("", []byte(document))
		if want == "" && err == nil {
			continue
		}
		if wrong, is := err.(*Error); !is || wrong.Problem != want {
			t.Errorf("%q: %v", document, err)
		}
	}
}
