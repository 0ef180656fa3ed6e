package sessionstore

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// keyFileAt makes a key file, and opens it with a clock that the test moves.
func keyFileAt(t *testing.T) (keys *Keys, path string, now *time.Time) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "session.key")
	if err := CreateKeyFile(path); err != nil {
		t.Fatal(err)
	}
	keys, err := OpenKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	now = &at
	keys.now = func() time.Time { return *now }
	return keys, path, now
}

func TestSealedBytesOpenOnlyAsTheyWereBound(t *testing.T) {
	keys, _, _ := keyFileAt(t)
	sealed, err := keys.Seal([]byte("the session"), "row", "https://auth.example", "7")
	if err != nil {
		t.Fatal(err)
	}
	if clear, err := keys.Open(sealed, "row", "https://auth.example", "7"); err != nil || string(clear) != "the session" {
		t.Fatalf("%q, %v", clear, err)
	}
	if KeyOf(sealed) != keys.Current() {
		t.Errorf("sealed with %s, not %s", KeyOf(sealed), keys.Current())
	}
	for name, bound := range map[string][]string{
		"another row":        {"other", "https://auth.example", "7"},
		"another authority":  {"row", "https://evil.example", "7"},
		"an older one":       {"row", "https://auth.example", "6"},
		"another order":      {"https://auth.example", "row", "7"},
		"one text less":      {"row", "https://auth.example"},
		"texts that run on":  {"rowh", "ttps://auth.example", "7"},
		"an empty text more": {"row", "https://auth.example", "7", ""},
	} {
		if _, err := keys.Open(sealed, bound...); !errors.Is(err, ErrForged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 1
		if _, err := keys.Open(changed, "row", "https://auth.example", "7"); err == nil {
			t.Fatalf("byte %d may be changed", i)
		}
		if _, err := keys.Open(sealed[:i], "row", "https://auth.example", "7"); !errors.Is(err, ErrForged) {
			t.Fatalf("%d bytes of it: %v", i, err)
		}
	}
}

func TestNamesOfRowsDifferByWhatTheyName(t *testing.T) {
	keys, _, _ := keyFileAt(t)
	seen := map[ID]string{}
	for name, id := range map[string]ID{
		"key":               keys.ID(Owner{Fingerprint: "SHA256:a"}),
		"other key":         keys.ID(Owner{Fingerprint: "SHA256:b"}),
		"certificate":       keys.ID(Owner{Fingerprint: "SHA256:a", KeyID: "ann", Authority: "SHA256:ca"}),
		"other authority":   keys.ID(Owner{Fingerprint: "SHA256:a", KeyID: "ann", Authority: "SHA256:cb"}),
		"shifted":           keys.ID(Owner{Fingerprint: "SHA256:a", KeyID: "nn", Authority: "SHA256:caa"}),
		"ticket":            keys.TicketID("SHA256:a"),
		"address":           keys.SubjectID("address", "192.0.2.1"),
		"account":           keys.SubjectID("account", "192.0.2.1"),
		"stranger":          keys.StrangerID("address", "192.0.2.1"),
		"other stranger":    keys.StrangerID("address", "192.0.2.2"),
		"of another server": NewKeys().ID(Owner{Fingerprint: "SHA256:a"}),
	} {
		if other, twice := seen[id]; twice {
			t.Errorf("%s and %s are the same", name, other)
		}
		seen[id] = name
	}
	first := keys.ID(Owner{Fingerprint: "SHA256:x", KeyID: "ann", Authority: "SHA256:ca"})
	if second := keys.ID(Owner{Fingerprint: "SHA256:y", KeyID: "ann", Authority: "SHA256:ca"}); first != second {
		t.Error("the next certificate of the same person has another row")
	}
}

func TestANewKeyIsUsedWhenAllServersHaveHadTimeToReadIt(t *testing.T) {
	keys, path, now := keyFileAt(t)
	before := keys.Current()
	old, _ := keys.Seal([]byte("old"))
	id := keys.ID(Owner{Fingerprint: "SHA256:a"})

	*now = now.Add(25 * time.Hour)
	from, err := RotateKeyFile(path, *now)
	if err != nil || from.IsZero() {
		t.Fatalf("%v, %v", from, err)
	}
	if keys.Current() != before {
		t.Error("the new key is used at once")
	}
	if len(keys.Names()) != 2 {
		t.Errorf("the server has %d keys: it has not read the file again", len(keys.Names()))
	}
	*now = from
	after := keys.Current()
	if after == before {
		t.Error("the new key is not used")
	}
	if clear, err := keys.Open(old); err != nil || string(clear) != "old" {
		t.Errorf("what is older does not open: %q, %v", clear, err)
	}
	if keys.ID(Owner{Fingerprint: "SHA256:a"}) != id {
		t.Error("rows have other names than before")
	}
	if again, err := RotateKeyFile(path, *now); !again.IsZero() || err != nil {
		t.Errorf("a second one on the same day: %v, %v", again, err)
	}
}

func TestAnUnknownKeyMakesTheServerReadTheFileAgainOnce(t *testing.T) {
	keys, path, now := keyFileAt(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := newSealingKey(*now)
	set, err := parseKeyFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	set.sealing = append(set.sealing, other)
	elsewhere := &Keys{set: set, now: func() time.Time { return now.Add(time.Hour) }}
	sealed, err := elsewhere.Seal([]byte("by another server"))
	if err != nil {
		t.Fatal(err)
	}

	*now = now.Add(readEvery)
	if _, err := keys.Open(sealed); !errors.Is(err, ErrUnknownKey) || !strings.Contains(err.Error(), other.name) {
		t.Errorf("without the key: %v", err)
	}
	if err := os.WriteFile(path, set.text(), 0o600); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(readEvery - time.Millisecond)
	if _, err := keys.Open(sealed); !errors.Is(err, ErrUnknownKey) {
		t.Errorf("the file was read twice within %v: %v", readEvery, err)
	}
	*now = now.Add(time.Millisecond)
	if clear, err := keys.Open(sealed); err != nil || string(clear) != "by another server" {
		t.Errorf("with the key in the file: %q, %v", clear, err)
	}
}

func TestAFileThatCannotBeReadAgainLeavesTheKeys(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"gone":     os.Remove,
		"damaged":  func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) },
		"another":  func(path string) error { return os.WriteFile(path, newKeySet(time.Now()).text(), 0o600) },
		"readable": func(path string) error { return os.Chmod(path, 0o604) },
	} {
		if name == "readable" && !testkit.HasModes {
			continue
		}
		keys, path, now := keyFileAt(t)
		var warned []error
		keys.Warn = func(err error) { warned = append(warned, err) }
		sealed, _ := keys.Seal([]byte("x"))
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		*now = now.Add(readEvery)
		if keys.Current() != KeyOf(sealed) {
			t.Errorf("%s: another key is used", name)
		}
		if _, err := keys.Open(sealed); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(warned) != 1 || !strings.Contains(warned[0].Error(), path) {
			t.Errorf("%s: warned %v", name, warned)
		}
	}
}
