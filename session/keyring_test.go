package session

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zalando/go-keyring"
)

// fakeKeyring is a keyring in memory whose calls can fail, hang or lie.
type fakeKeyring struct {
	mu     sync.Mutex
	values map[string]string
	calls  []string
	limit  int // of a value, in bytes; 0: none

	failGet, failSet, failDelete error
	lie                          bool          // Set answers success and keeps nothing
	cut                          bool          // Set keeps half of the value
	hang                         chan struct{} // calls wait for it to be closed
}

func newFakeKeyring() *fakeKeyring { return &fakeKeyring{values: map[string]string{}} }

func (k *fakeKeyring) enter(call string) {
	k.mu.Lock()
	k.calls = append(k.calls, call)
	hang := k.hang
	k.mu.Unlock()
	if hang != nil {
		<-hang
	}
}

func (k *fakeKeyring) Get(service, account string) (string, error) {
	k.enter("get")
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failGet != nil {
		return "", k.failGet
	}
	value, ok := k.values[service+"/"+account]
	if !ok {
		return "", ErrNoKey
	}
	return value, nil
}

func (k *fakeKeyring) Set(service, account, value string) error {
	k.enter("set")
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.failSet != nil:
		return k.failSet
	case k.limit > 0 && len(value) > k.limit:
		return keyring.ErrSetDataTooBig
	case k.lie:
		return nil
	case k.cut:
		value = value[:len(value)/2]
	}
	k.values[service+"/"+account] = value
	return nil
}

func (k *fakeKeyring) Delete(service, account string) error {
	k.enter("delete")
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failDelete != nil {
		return k.failDelete
	}
	delete(k.values, service+"/"+account)
	return nil
}

func (k *fakeKeyring) log() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return strings.Join(k.calls, " ")
}

func TestTheKeyIsMadeOnceAndReadOnce(t *testing.T) {
	path, ring := vaultPath(t), newFakeKeyring()
	ring.limit = 2560 // the smallest of the three systems
	v := sealedVault(path, ring)
	if _, err := v.Load(t.Context()); !errors.Is(err, ErrNoRecord) || ring.log() != "" {
		t.Fatalf("without a file Load gives %v and calls %q", err, ring.log())
	}
	for range 3 {
		if err := v.Probe(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := v.Save(t.Context(), fullRecord()); err != nil {
			t.Fatal(err)
		}
	}
	if got := ring.log(); got != "get set get" {
		t.Errorf("the first vault calls %q", got)
	}
	again := sealedVault(path, ring)
	for range 3 {
		if _, err := again.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := ring.log(); got != "get set get get" {
		t.Errorf("both vaults call %q", got)
	}
}

func TestTheKeyringLearnsNeitherProfileNorUser(t *testing.T) {
	ring := newFakeKeyring()
	if err := sealedVault("/x/"+user+".age", ring).sealer.(*keyringSealer).makeKey(t.Context()); err != nil {
		t.Fatal(err)
	}
	for item, value := range ring.values {
		service, account, _ := strings.Cut(item, "/")
		if service != "gatehouse" || len(account) != 32 || strings.Trim(account, "0123456789abcdef") != "" {
			t.Errorf("the item is called %s", item)
		}
		if !strings.HasPrefix(value, "AGE-SECRET-KEY-1") {
			t.Error("the value is no age identity")
		}
	}
	if other := newKeyringSealer("/y/other.age", ring); other.account == newKeyringSealer("/x/main.age", ring).account {
		t.Error("two profiles share an item")
	}
}

func TestWhatAKeyringCanDo(t *testing.T) {
	denied := errors.New("exit status 161")
	tests := []struct {
		name   string
		set    func(*fakeKeyring)
		want   error
		called string
	}{
		{"no keyring", func(k *fakeKeyring) { k.failGet = ErrKeyringUnavailable }, ErrKeyringUnavailable, "get"},
		{"locked", func(k *fakeKeyring) { k.failGet = ErrKeyringLocked }, ErrKeyringLocked, "get"},
		{"not writable", func(k *fakeKeyring) { k.failSet = denied }, denied, "get set"},
		{"too small", func(k *fakeKeyring) { k.limit = 10 }, keyring.ErrSetDataTooBig, "get set"},
		{"answers success to a dismissed prompt", func(k *fakeKeyring) { k.lie = true }, errNotKept, "get set get"},
		{"keeps half of it", func(k *fakeKeyring) { k.cut = true }, ErrKeyringLocked, "get set get delete"},
		{"keeps half of it for good", func(k *fakeKeyring) { k.cut, k.failDelete = true, denied }, denied, "get set get delete"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path, ring := vaultPath(t), newFakeKeyring()
			test.set(ring)
			err := sealedVault(path, ring).Save(t.Context(), fullRecord())
			if _, ok := errors.AsType[*VaultError](err); !ok || !errors.Is(err, test.want) {
				t.Errorf("Save: %v, want %v", err, test.want)
			}
			if got := ring.log(); got != test.called {
				t.Errorf("called were %q, want %q", got, test.called)
			}
			if _, err := os.Stat(path); !os.IsNotExist(err) {
				t.Errorf("a vault was written that nobody can open: %v", err)
			}
		})
	}
}

func TestAKeyringThatHangsIsWaitedForOnceAndNotForLong(t *testing.T) {
	ring := newFakeKeyring()
	ring.hang = make(chan struct{})
	g := guard(ring)
	g.limit = time.Millisecond
	for range 3 {
		if _, err := g.get(t.Context(), keyringService, "x"); !errors.Is(err, ErrKeyringLocked) {
			t.Fatalf("the error is %v", err)
		}
	}
	if err := g.set(t.Context(), keyringService, "x", "y"); !errors.Is(err, ErrKeyringLocked) {
		t.Errorf("Set: %v", err)
	}
	if got := ring.log(); got != "get" {
		t.Errorf("called were %q, want one call that hangs", got)
	}
	close(ring.hang)
	g.busy <- struct{}{} // the call has come back
	<-g.busy
	if _, err := g.get(t.Context(), keyringService, "x"); !errors.Is(err, ErrNoKey) {
		t.Errorf("once it answers: %v", err)
	}
}

func TestCallsOneAfterAnotherAreNotTakenForAHangingOne(t *testing.T) {
	g := guard(newFakeKeyring())
	for range 2000 {
		if _, err := g.get(t.Context(), keyringService, "x"); !errors.Is(err, ErrNoKey) {
			t.Fatal(err)
		}
	}
}

func TestACallerNeedNotWaitForAKeyring(t *testing.T) {
	ring := newFakeKeyring()
	ring.hang = make(chan struct{})
	defer close(ring.hang)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := guard(ring).get(ctx, keyringService, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestALostKeyMeansSignedOutAndKeepsTheFile(t *testing.T) {
	path, ring := vaultPath(t), newFakeKeyring()
	if err := sealedVault(path, ring).Save(t.Context(), fullRecord()); err != nil {
		t.Fatal(err)
	}
	clear(ring.values)
	v := sealedVault(path, ring)
	if _, err := v.Load(t.Context()); !errors.Is(err, ErrNoRecord) {
		t.Fatalf("Load: %v", err)
	}
	if err := v.Save(t.Context(), fullRecord()); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(strings.TrimSuffix(path, "main.age"))
	if err != nil || len(entries) != 2 {
		t.Errorf("the directory holds %v, want the new vault and the old one", entries)
	}
}

func TestAnExplicitStoreIsNeverDowngraded(t *testing.T) {
	tests := []struct {
		name     string
		failure  error
		explicit bool
		kind     string
		notice   bool
		want     error
	}{
		{"by default, there", nil, false, "keyring", false, nil},
		{"by default, none", ErrKeyringUnavailable, false, "memory", true, nil},
		{"by default, locked", ErrKeyringLocked, false, "", false, ErrKeyringLocked},
		{"explicit, there", nil, true, "keyring", false, nil},
		{"explicit, none", ErrKeyringUnavailable, true, "", false, ErrKeyringUnavailable},
		{"explicit, locked", ErrKeyringLocked, true, "", false, ErrKeyringLocked},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ring := newFakeKeyring()
			ring.failGet = test.failure
			v, notice, err := openKeyring(t.Context(), test.explicit, vaultPath(t), ring)
			if !errors.Is(err, test.want) || (v == nil) != (err != nil) {
				t.Fatalf("the vault is %v, the error %v", v, err)
			}
			if v != nil && v.Kind() != test.kind {
				t.Errorf("the vault is a %s, want a %s", v.Kind(), test.kind)
			}
			if (notice != "") != test.notice {
				t.Errorf("the notice is %q", notice)
			}
		})
	}
}

func TestTheOtherStoresOpenAsAskedFor(t *testing.T) {
	for _, kind := range []string{"memory", "file"} {
		v, notice, err := OpenVault(t.Context(), kind, true, vaultPath(t), knownPassphrase)
		if err != nil || notice != "" || v.Kind() != kind {
			t.Errorf("%s opens as %v with %q, %v", kind, v, notice, err)
		}
	}
	if _, _, err := OpenVault(t.Context(), "cloud", true, "", nil); err == nil {
		t.Error("an unknown kind opens")
	}
}

func TestWithoutASessionBusNoKeyringIsCalled(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	if hasKeyring() {
		t.Skip("this machine has a keyring without a bus address in the environment")
	}
	ring := SystemKeyring()
	_, err := ring.Get(keyringService, "x")
	for op, err := range map[string]error{"Get": err, "Set": ring.Set(keyringService, "x", "y"), "Delete": ring.Delete(keyringService, "x")} {
		if err != ErrKeyringUnavailable { // go-keyring's own error would be wrapped
			t.Errorf("%s: %v", op, err)
		}
	}
}

func TestErrorsOfThreeSystemsAreClassified(t *testing.T) {
	tests := map[string]error{
		"failed to unlock correct collection '/org/freedesktop/secrets/aliases/default'": ErrKeyringLocked,
		"exit status 36": ErrKeyringLocked,
		"The name org.freedesktop.secrets was not provided by any .service files": ErrKeyringUnavailable,
		"exec: \"dbus-launch\": executable file not found in $PATH":               ErrKeyringUnavailable,
	}
	for text, want := range tests {
		if err := classify(errors.New(text)); !errors.Is(err, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := classify(keyring.ErrNotFound); err != ErrNoKey {
		t.Errorf("not found: %v", err)
	}
	if err := classify(keyring.ErrSetDataTooBig); err != keyring.ErrSetDataTooBig {
		t.Errorf("too big: %v", err)
	}
	if err := classify(nil); err != nil {
		t.Errorf("no error: %v", err)
	}
}

// The real keyring of this machine, where there is one that is unlocked.
func TestTheSystemKeyringKeepsAKey(t *testing.T) {
	if !hasKeyring() {
		t.Skip("there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set and /run/user has no bus)")
	}
	path := strings.TrimSuffix(vaultPath(t), "main.age") + "test-of-the-vault.age"
	sealer := newKeyringSealer(path, SystemKeyring())
	_, err := sealer.identity(t.Context())
	if errors.Is(err, ErrKeyringUnavailable) || errors.Is(err, ErrKeyringLocked) {
		t.Skipf("the session bus has no keyring that answers: %v", err)
	}
	t.Cleanup(func() { _ = sealer.ring.delete(context.WithoutCancel(t.Context()), keyringService, sealer.account) })
	if err := newFileVault(path, sealer).Save(t.Context(), fullRecord()); err != nil {
		t.Fatal(err)
	}
	if r, err := sealedVault(path, SystemKeyring()).Load(t.Context()); err != nil || r.Username != user {
		t.Errorf("another vault with the same key reads %v, %v", r, err)
	}
}
