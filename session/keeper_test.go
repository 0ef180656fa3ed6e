package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"gatehouse/internal/text/problem"
)

// strongbox is a keeper beside the keyring, as somebody would add one.
var strongbox = &keeper{
	open:        func() Keyring { return newFakeKeyring() },
	name:        "the strongbox",
	any:         "a strongbox",
	unavailable: &keeperError{kind: ErrKeeperUnavailable, text: "there is no strongbox here"},
	locked: &keeperError{
		kind: ErrKeeperLocked,
		text: "the strongbox is shut",
		hint: "Open the strongbox.",
	},
	badKey: &keeperError{kind: errBadKey, text: "the strongbox holds something else"},
}

// What another keeper refuses is said in its words, never in those of the keyring.
func TestEachKeeperSpeaksForItself(t *testing.T) {
	tests := map[string]struct {
		prepare func(*fakeKeyring)
		kind    error
		hint    string
	}{
		"none": {
			func(k *fakeKeyring) { k.failGet = fmt.Errorf("%w (why)", strongbox.unavailable) },
			ErrKeeperUnavailable, "Choose another store.",
		},
		"locked": {
			func(k *fakeKeyring) { k.failGet = strongbox.locked },
			ErrKeeperLocked, "Open the strongbox.",
		},
		"a key that was not stored": {
			func(k *fakeKeyring) { k.lie = true }, errNotSaved, "Open the strongbox.",
		},
		"no answer": {
			func(k *fakeKeyring) { k.hang = make(chan struct{}) },
			ErrKeeperLocked, "Open the strongbox.",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ring := newFakeKeyring()
				test.prepare(ring)
				if ring.hang != nil {
					defer ring.release()
				}
				var waitedFor []string
				waiting := func(keeper string) { waitedFor = append(waitedFor, keeper) }
				sealer := strongbox.newSealer("main", ring, waiting)
				v := newFileVault("strongbox", vaultPath(t), sealer)
				wantOfStrongbox(t, v.Try(t.Context(), true), test.kind, test.hint)
				o := VaultOptions{ring: ring, Explicit: true}
				if _, _, err := strongbox.openVault(t.Context(), o); err != nil {
					wantOfStrongbox(t, err, test.kind, test.hint)
				}
				if ring.hang != nil && strings.Join(waitedFor, ", ") != strongbox.name {
					t.Errorf("who waits is told of %q", waitedFor)
				}
			})
		})
	}
}

// A file that the key of another keeper does not open is explained in its words as well.
func TestAKeyThatDoesNotFitIsSaidByItsKeeper(t *testing.T) {
	path := vaultPath(t)
	save(t, newFileVault("strongbox", path, strongbox.newSealer("main", newFakeKeyring(), nil)))
	another := newFakeKeyring()
	other := strongbox.newSealer("main", another, nil)
	save(t, newFileVault("strongbox", vaultPath(t), other))
	v := newFileVault("strongbox", path, other)
	_, err := v.Load(t.Context())
	wantOfStrongbox(t, err, ErrForeignKey, "Choose that store, or sign in again.")
	for item := range another.values {
		another.values[item] = "no key"
	}
	v = newFileVault("strongbox", path, strongbox.newSealer("main", another, nil))
	_, err = v.Load(t.Context())
	wantOfStrongbox(t, err, errBadKey, "")
}

// Where a default keeper is missing, memory replaces it, and the notice says what is missing.
func TestMemoryReplacesAKeeperByItsName(t *testing.T) {
	ring := newFakeKeyring()
	ring.failGet = strongbox.unavailable
	v, notice, err := strongbox.openVault(t.Context(), VaultOptions{ring: ring})
	saysWhat := strings.HasPrefix(notice, "there is no strongbox here: ")
	if err != nil || v.Kind() != StoreMemory || !saysWhat {
		t.Errorf("%v, %q, %v", v, notice, err)
	}
}

// wantOfStrongbox checks an error that a person reads.
func wantOfStrongbox(t *testing.T, err, kind error, hint string) {
	t.Helper()
	wantVaultError(t, "strongbox", err, kind)
	shown := problem.Explain(err)
	all := shown.Text + shown.Hint
	if strings.Contains(all, "keyring") || !strings.Contains(all, "strongbox") || shown.Hint != hint {
		t.Errorf("it says %q, %q", shown.Text, shown.Hint)
	}
	if errors.Is(err, ErrKeyringLocked) || errors.Is(err, ErrKeyringUnavailable) {
		t.Errorf("%v is taken for an error of the keyring", err)
	}
}
