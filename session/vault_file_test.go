package session

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/secret"
)

func TestAFileVaultGivesBackWhatWasSaved(t *testing.T) {
	path := vaultPath(t)
	v := quickFileVault(path, knownPassphrase)
	if _, err := v.Load(t.Context()); !errors.Is(err, ErrNoRecord) {
		t.Fatalf("a new vault loads with %v", err)
	}
	save(t, v)
	for name, v := range map[string]Vault{"the same": v, "another": quickFileVault(path, knownPassphrase)} {
		got, err := v.Load(t.Context())
		if err != nil {
			t.Fatalf("%s vault: %v", name, err)
		}
		if diff := cmp.Diff(fullRecord(), got, sameSecret); diff != "" {
			t.Errorf("%s vault (-want +got):\n%s", name, diff)
		}
	}
	if err := v.Delete(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Load(t.Context()); !errors.Is(err, ErrNoRecord) {
		t.Errorf("a deleted vault loads with %v", err)
	}
	if err := v.Delete(t.Context()); err != nil {
		t.Errorf("deleting it again fails: %v", err)
	}
}

// The tokens of who has signed out are not left in the memory of a program that goes on.
func TestADeletedSessionIsForgotten(t *testing.T) {
	v := fastVault(t, vaultPath(t))
	save(t, v)
	if err := v.Delete(t.Context()); err != nil || v.record != nil || v.sealed != nil {
		t.Errorf("the vault still has %+v, %v", v.record, err)
	}
}

func TestAWrongPassphraseChangesNothingAndIsAskedForAgain(t *testing.T) {
	path := vaultPath(t)
	save(t, quickFileVault(path, knownPassphrase))
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	answers := []string{"wrong", "wrong", "wrong", passphrase, "never asked for"}
	v := quickFileVault(path, func(context.Context) (secret.Text, error) {
		answer := answers[0]
		answers = answers[1:]
		return secret.New(answer), nil
	})
	_, loadErr := v.Load(t.Context())
	for op, err := range map[string]error{"Load": loadErr, "Probe": v.Try(t.Context(), true), "Save": v.Put(t.Context(), fullRecord(), 0, true)} {
		if _, ok := errors.AsType[*VaultError](err); !ok || !errors.Is(err, ErrWrongPassphrase) {
			t.Errorf("%s: %v", op, err)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Fatalf("the file was changed: %v", err)
	}
	if _, err := v.Load(t.Context()); err != nil {
		t.Fatalf("with the right passphrase: %v", err)
	}
	save(t, v)
	if len(answers) != 1 {
		t.Errorf("%d answers are left, want 1: a good passphrase is asked for once", len(answers))
	}
}

func TestAnUnreadableFileThatCannotBeSetAsideIsNotReplaced(t *testing.T) {
	path := vaultPath(t)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	v, noName := fastVault(t, path), errors.New("no other name")
	v.disk.Rename = func(from, to string) error {
		if to != path {
			return noName
		}
		return os.Rename(from, to)
	}
	if err := v.Put(t.Context(), fullRecord(), 0, true); !errors.Is(err, noName) {
		t.Errorf("the error is %v", err)
	}
	if now, err := os.ReadFile(path); string(now) != "hello" || err != nil {
		t.Errorf("the file is %q, %v", now, err)
	}
}

func TestADamagedVaultIsSetAsideAndReported(t *testing.T) {
	ring := newFakeKeyring()
	sealer := systemKeeper.newSealer("main", ring, nil)
	recipient, err := sealer.recipient(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sound := func(clear string) []byte {
		sealed, err := seal([]byte(clear), recipient)
		if err != nil {
			t.Fatal(err)
		}
		return sealed
	}
	whole, err := EncodeRecord(fullRecord())
	if err != nil {
		t.Fatal(err)
	}
	flipped := sound(string(whole))
	flipped[len(flipped)-5] ^= 1
	for name, content := range map[string][]byte{
		"empty":                           {},
		"not age":                         []byte("hello"),
		"cut off":                         sound(string(whole))[:300],
		"cut after the first line":        []byte("age-encryption.org/v1\n"),
		"cut in the name of the seal":     []byte("age-encryption.org/v1\n-> X255"),
		"cut in the key":                  []byte("age-encryption.org/v1\n-> X25519 AAA"),
		"cut in the cost of a passphrase": []byte("age-encryption.org/v1\n-> scrypt AAAA 1"),
		"a flipped bit":                   flipped,
		"no record":                       sound(`{"version":0}`),
	} {
		t.Run(name, func(t *testing.T) {
			path := vaultPath(t)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			v := newFileVault("keyring", path, sealer)
			v.now = func() time.Time { return start }
			for n, suffix := range []string{"", "-2"} {
				if err := os.WriteFile(path, content, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := v.Try(t.Context(), true); err != nil {
					t.Errorf("Probe refuses to replace it: %v", err)
				}
				var load error
				if n == 0 {
					_, load = v.Load(t.Context())
					damaged, ok := errors.AsType[*DamagedError](load)
					if !ok || damaged.MovedTo == "" || !strings.Contains(load.Error(), damaged.MovedTo) {
						t.Fatalf("Load: %v", load)
					}
				} else if err := v.Put(t.Context(), fullRecord(), 0, true); err != nil {
					t.Fatalf("Save over it: %v", err)
				}
				aside, err := os.ReadFile(path + ".aside-20260301T120000Z" + suffix)
				if err != nil || !bytes.Equal(aside, content) {
					t.Fatalf("it is not kept as it was: %v", err)
				}
			}
			if _, err := v.Load(t.Context()); err != nil {
				t.Errorf("the vault that replaced it: %v", err)
			}
		})
	}
}

func TestTheVaultOfAnotherStoreIsNotTakenForAWrongPassphrase(t *testing.T) {
	path := vaultPath(t)
	byKeyring := fastVault(t, path)
	byPassphrase := quickFileVault(path, knownPassphrase)
	save(t, byKeyring)
	if _, err := byPassphrase.Load(t.Context()); !errors.Is(err, ErrForeignKey) {
		t.Errorf("with a passphrase: %v", err)
	}
	save(t, byPassphrase)
	if _, err := byKeyring.Load(t.Context()); !errors.Is(err, ErrForeignKey) {
		t.Errorf("with the keyring: %v", err)
	}
	if aside, _ := filepath.Glob(path + ".aside-*"); len(aside) != 1 {
		t.Errorf("set aside are %v, want the keyring's", aside)
	}
}

// countingSealer counts how often the key of a file is derived.
type countingSealer struct {
	sealer
	derived atomic.Int32
}

func (s *countingSealer) recipient(ctx context.Context) (age.Recipient, error) {
	to, err := s.sealer.recipient(ctx)
	return countingRecipient{to, s}, err
}

type countingRecipient struct {
	age.Recipient
	of *countingSealer
}

func (r countingRecipient) Wrap(fileKey []byte) ([]*age.Stanza, error) {
	r.of.derived.Add(1)
	return r.Recipient.Wrap(fileKey)
}

// Between the answer of the service and the new file nothing slow may stand.
func TestTheKeyOfTheNextFileIsDerivedBeforeTheRefreshTokenIsSent(t *testing.T) {
	a, c := newAuthority(t), newClock()
	counting := &countingSealer{sealer: &passphraseSealer{ask: knownPassphrase, work: 5}}
	v := newFileVault("file", vaultPath(t), counting)
	s := newSession(a, v, c)
	signIn(t, s)
	for range 2 {
		c.Advance(25 * time.Hour)
		before := counting.derived.Load()
		var whenSent atomic.Int32
		a.NextAfter(func() { whenSent.Store(counting.derived.Load()) })
		if _, err := s.Token(t.Context()); err != nil {
			t.Fatal(err)
		}
		if sent, after := whenSent.Load(), counting.derived.Load(); sent != before+2 || after != sent { // one for the mark of doubt
			t.Errorf("keys derived: %d before the renewal, %d when it was sent, %d after it", before, sent, after)
		}
	}
	first, err := os.ReadFile(v.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Put(t.Context(), s.current.Load().record, 0, true); err != nil { // without a Probe
		t.Fatal(err)
	}
	second, err := os.ReadFile(v.path)
	if err != nil || bytes.Equal(first[:100], second[:100]) {
		t.Errorf("two files have one key: %v", err)
	}
	if r, err := newFileVault("file", v.path, &passphraseSealer{ask: knownPassphrase, work: 5}).Load(t.Context()); err != nil || r.Refresh.Reveal() != "canary-refresh-3" {
		t.Errorf("the next start: %v, %v", r, err)
	}
}
