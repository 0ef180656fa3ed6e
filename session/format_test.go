package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/files"
	"gatehouse/internal/testkit"
)

// theKey opens the files that are sealed with a key of the keyring.
const theKey = "AGE-SECRET-KEY-1SEDXW9NKLTRVRYRS4G22VTDJHD6MR70TH2HSCKH6Q950VS46N7VSFT539C"

// ofVersion1 are records in which every field is used.
func ofVersion1() map[string]*Record {
	full := fullRecord()
	full.Renewals, full.InDoubt = 3, true
	return map[string]*Record{"vault-v1-passphrase.age": full, "vault-v1-keyring.age": full.withEnding("over", "", start)}
}

// vaultOf is the vault at a path that a file of this name is of.
func vaultOf(t *testing.T, name, path string) *fileVault {
	t.Helper()
	if strings.Contains(name, "passphrase") {
		return newFileVault("file", path, &passphraseSealer{ask: knownPassphrase, work: 4})
	}
	ring := newFakeKeyring()
	sealer := systemKeeper.newSealer("main", ring, nil)
	if err := ring.Set(keyringService, sealer.account, theKey); err != nil {
		t.Fatal(err)
	}
	return newFileVault("keyring", path, sealer)
}

// Files of the first version have to be read for ever.
func TestVaultsOfTheFirstVersionAreRead(t *testing.T) {
	for name, want := range ofVersion1() {
		path := vaultPath(t)
		if err := files.System().Write(path, testkit.Fixture(t, name)); err != nil {
			t.Fatal(err)
		}
		got, err := vaultOf(t, name, path).Load(t.Context())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, got, sameSecret); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A vault that cannot be read is set aside for a new session. Not so that of a newer program,
// which can be started again.
func TestAVaultOfANewerProgramIsLeftAsItIs(t *testing.T) {
	recipient, err := vaultOf(t, "keyring", "").sealer.recipient(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	newer, err := seal([]byte(`{"version":2,"generation":"x"}`), recipient)
	if err != nil {
		t.Fatal(err)
	}
	const unknown = "it is sealed in a way that this version does not know"
	for name, test := range map[string]struct{ content, want string }{
		"another record":                {string(newer), "it has version 2 of its format, and this one reads version 1"},
		"another age":                   {"age-encryption.org/v2\n-> X25519 AAAA\n", unknown},
		"another recipient":             {"age-encryption.org/v1\n-> mlkem768x25519 AAAA\n", unknown},
		"passphrase, more work than we": {"age-encryption.org/v1\n-> scrypt AAAA 18\n", unknown},
	} {
		path := vaultPath(t)
		if err := files.System().Write(path, []byte(test.content)); err != nil {
			t.Fatal(err)
		}
		v := vaultOf(t, name, path)
		for _, try := range []struct {
			op string
			do func() error
		}{
			{"read", func() error { _, err := v.Load(t.Context()); return err }},
			{"try", func() error { return v.Try(t.Context(), true) }},
			{"write", func() error { return v.Put(t.Context(), fullRecord(), 0, true) }},
		} {
			want := try.op + " the session file " + path + ": a newer gatehouse wrote it: " + test.want
			if err := try.do(); !files.IsNewer(err) || err.Error() != want {
				t.Errorf("%s, %s: %v, want %s", name, try.op, err, want)
			}
		}
		if string(mustRead(t, path)) != test.content {
			t.Errorf("%s: the file has changed", name)
		}
		if beside, _ := filepath.Glob(path + ".aside*"); len(beside) > 0 {
			t.Errorf("%s: it was set aside: %v", name, beside)
		}
		if err := v.Delete(t.Context()); err != nil { // at the wish of a person who signs out
			t.Error(err)
		}
	}
}

// seal seals a file as a vault does.
func seal(clear []byte, to age.Recipient) ([]byte, error) {
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, to)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(clear)
	err = errors.Join(err, w.Close())
	return sealed.Bytes(), err
}
