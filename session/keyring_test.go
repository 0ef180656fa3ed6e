package session

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"gatehouse/internal/testkit"
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
	hangs                        string        // the only calls that do; "": all

	stuck  chan time.Time  // told of each call that hangs
	limits []time.Duration // for which calls were waited for
}

func newFakeKeyring() *fakeKeyring {
	return &fakeKeyring{values: map[string]string{}, stuck: make(chan time.Time, 10)}
}

// after is the timer for a guard: it goes off when a call hangs, and else never.
func (k *fakeKeyring) after(limit time.Duration) <-chan time.Time {
	if limit == waitingAfter { // when no limit is over, but the caller is told
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.limits = append(k.limits, limit)
	return k.stuck
}

// guarded makes a vault wait for its keyring by that timer.
func (k *fakeKeyring) guarded(v *fileVault) *fileVault {
	v.sealer.(*keeperSealer).ring.after = k.after
	return v
}

// release lets the calls that hang go on, and hangs no more.
func (k *fakeKeyring) release() {
	k.mu.Lock()
	defer k.mu.Unlock()
	close(k.hang)
	k.hang = nil
}

// waited gives the limits of the calls since it was last asked.
func (k *fakeKeyring) waited() []time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	limits := k.limits
	k.limits = nil
	return limits
}

func (k *fakeKeyring) enter(call string) {
	k.mu.Lock()
	k.calls = append(k.calls, call)
	hang := k.hang
	if k.hangs != "" && k.hangs != call {
		hang = nil
	}
	k.mu.Unlock()
	if hang != nil {
		k.stuck <- time.Time{}
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
	item := service + "/" + account
	if _, ok := k.values[item]; !ok && k.failDelete == nil {
		return ErrNoKey
	}
	delete(k.values, item)
	return k.failDelete
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
		if err := v.Try(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		save(t, v)
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
	if _, err := systemKeeper.newSealer(user, ring, nil).recipient(t.Context()); err != nil {
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
	if other := systemKeeper.newSealer("other", ring, nil); other.account == systemKeeper.newSealer("main", ring, nil).account {
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
		{"answers success to a dismissed prompt", func(k *fakeKeyring) { k.lie = true }, errNotSaved, "get set get"},
		{"keeps half of it", func(k *fakeKeyring) { k.cut = true }, errNotSaved, "get set get"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path, ring := vaultPath(t), newFakeKeyring()
			test.set(ring)
			err := sealedVault(path, ring).Put(t.Context(), fullRecord(), 0, true)
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

func TestALostKeyMeansSignedOutAndKeepsTheFile(t *testing.T) {
	path, ring := vaultPath(t), newFakeKeyring()
	save(t, sealedVault(path, ring))
	clear(ring.values)
	v := sealedVault(path, ring)
	if _, err := v.Load(t.Context()); !errors.Is(err, ErrNoRecord) {
		t.Fatalf("Load: %v", err)
	}
	save(t, v)
	entries, err := os.ReadDir(strings.TrimSuffix(path, "main.age"))
	if err != nil || len(entries) != 3 {
		t.Errorf("the directory holds %v, want the new vault, its lock and the old one", entries)
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
			v, notice, err := openFake(t.Context(), VaultOptions{Path: vaultPath(t), Explicit: test.explicit}, ring)
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

// openFake is [OpenVault] of a keyring that a test has made.
func openFake(ctx context.Context, o VaultOptions, ring Keyring) (Vault, string, error) {
	o.Kind, o.Profile, o.ring = StoreKeyring, "main", ring
	return OpenVault(ctx, o)
}

func TestWithoutASessionBusNoKeyringIsCalled(t *testing.T) {
	for _, address := range []string{"", "autolaunch:"} {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
		ring := systemKeyring{system: "linux", socket: filepath.Join(t.TempDir(), "bus")}
		_, err := ring.Get(keyringService, "x")
		for op, err := range map[string]error{"Get": err, "Set": ring.Set(keyringService, "x", "y"), "Delete": ring.Delete(keyringService, "x")} {
			if err != ErrKeyringUnavailable { // go-keyring's own error would be wrapped
				t.Errorf("%s: %v", op, err)
			}
		}
	}
}

func TestAKeyringIsLookedForWhereASystemHasIt(t *testing.T) {
	testkit.SkipOnWindows(t, "has no session bus")
	dir, err := os.MkdirTemp("", "bus") // the name of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	bus, err := net.Listen("unix", filepath.Join(dir, "bus"))
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	for _, test := range []struct {
		ring    systemKeyring
		address string
		want    bool
	}{
		{systemKeyring{system: "darwin"}, "", true},
		{systemKeyring{system: "windows"}, "", true},
		{systemKeyring{system: "linux"}, "unix:path=/somewhere", true},
		{systemKeyring{system: "linux", socket: bus.Addr().String()}, "", true},
		{systemKeyring{system: "linux", socket: dir}, "", false},
	} {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", test.address)
		if got := test.ring.reachable(); got != test.want {
			t.Errorf("%+v with the address %q: %v", test.ring, test.address, got)
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
