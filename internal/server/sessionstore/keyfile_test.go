package sessionstore

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/files"
	"gatehouse/internal/testkit"
)

// The key file and what was sealed with it are of the first version; both have to be read
// for ever.
func TestWhatTheFirstVersionWroteIsRead(t *testing.T) {
	data := testkit.Fixture(t, "keys-v1")
	set, err := parseKeyFile(data)
	if err != nil {
		t.Fatal(err)
	}
	comment := regexp.MustCompile("(?m)^#.*\n")
	if before, now := comment.ReplaceAll(data, nil), comment.ReplaceAll(set.text(), nil); !bytes.Equal(before, now) {
		t.Errorf("it would be written as\n%s", now)
	}
	words := strings.Fields(string(testkit.Fixture(t, "sealed-v1")))
	sealed, err := hex.DecodeString(words[0])
	if err != nil {
		t.Fatal(err)
	}
	keys := &Keys{set: set, now: time.Now}
	if clear, err := keys.Open(sealed, "row", "7"); err != nil || string(clear) != "what an older version has sealed" {
		t.Errorf("%q, %v", clear, err)
	}
	if id := keys.ID(Owner{Fingerprint: "SHA256:abc"}); hex.EncodeToString(id[:]) != words[1] {
		t.Errorf("the row of an owner is %x now", id)
	}
	if KeyOf(sealed) != set.sealing[0].name || keys.Current() != set.sealing[1].name {
		t.Errorf("sealed with %s, and now sealing with %s", KeyOf(sealed), keys.Current())
	}
}

func TestADamagedKeyFileIsRefusedWithoutItsContent(t *testing.T) {
	whole := string(newKeySet(time.Now()).text())
	lines := strings.SplitAfter(whole, "\n")
	id, key := lines[len(lines)-3], lines[len(lines)-2]
	without := func(line string) string { return strings.Replace(whole, line, "", 1) }
	words := strings.Fields(key)
	for name, test := range map[string]struct{ content, want string }{
		"empty":          {"", "not a key file"},
		"something else": {"-----BEGIN OPENSSH PRIVATE KEY-----\n", "not a key file"},
		"newer":          {strings.Replace(whole, "version 1", "version 2", 1), "a newer gatehouse wrote it: it has version 2 of its format, and this one reads version 1"},
		"no version":     {strings.Replace(whole, "version 1", "version one", 1), "not a key file"},
		"cut":            {whole[:len(whole)-5], "line 6 is damaged"},
		"no id":          {without(id), "keys are missing"},
		"no key":         {without(key), "keys are missing"},
		"two ids":        {whole + id, "line 7 is damaged"},
		"a key twice":    {whole + key, "line 7 is damaged"},
		"a short key":    {strings.Replace(whole, words[3], "c2hvcnQ=", 1), "line 6 is damaged"},
		"no time":        {strings.Replace(whole, words[2], "today", 1), "line 6 is damaged"},
		"a short name":   {strings.Replace(whole, words[1], "abcd", 1), "line 6 is damaged"},
		"another line":   {whole + "cipher aes\n", "line 7 is damaged"},
	} {
		path := filepath.Join(t.TempDir(), "session.key")
		if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := OpenKeys(path)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, secret := range []string{words[3], strings.Fields(id)[1]} {
			if strings.Contains(err.Error(), secret[:8]) {
				t.Errorf("%s: the error shows a key", name)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "session.key")
	if err := os.WriteFile(path, []byte(whole+strings.Repeat("#\n", maxKeyFile)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenKeys(path); !errors.Is(err, files.ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
}

func TestAKeyFileThatCouldNotBeReadAgainIsNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.key")
	set := newKeySet(time.Now())
	room := maxKeyFile - len(set.text())
	next := keySet{idKey: set.idKey, sealing: append(set.sealing, newSealingKey(time.Now()))}
	for range room / (len(next.text()) - len(set.text())) {
		set.sealing = append(set.sealing, newSealingKey(time.Now()))
	}
	full := set.text()
	if err := os.WriteFile(path, full, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := RotateKeyFile(path, time.Now().Add(2*minKeyAge)); !errors.Is(err, files.ErrTooLarge) {
		t.Errorf("with one key more: %v", err)
	}
	if now, err := os.ReadFile(path); !bytes.Equal(now, full) || err != nil {
		t.Errorf("the file was changed, %v", err)
	}
}

func TestOneRotatesAKeyFileAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.key")
	if err := CreateKeyFile(path); err != nil {
		t.Fatal(err)
	}
	f, release, err := files.AppendAlone(path) // as another one does that rotates it
	if err != nil {
		t.Fatal(err)
	}
	tomorrow := time.Now().Add(2 * minKeyAge)
	if _, err := RotateKeyFile(path, tomorrow); !errors.Is(err, files.ErrInUse) {
		t.Error(err)
	}
	_ = f.Close()
	release()
	if from, err := RotateKeyFile(path, tomorrow); from.IsZero() || err != nil {
		t.Errorf("then from %v, %v", from, err)
	}
}
