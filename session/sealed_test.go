package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"filippo.io/age"

	"gatehouse/internal/files"
)

// openingSealer counts how often a key to open a file is asked for.
type openingSealer struct {
	sealer
	opened int
}

func (s *openingSealer) identity(ctx context.Context) (age.Identity, error) {
	s.opened++
	return s.sealer.identity(ctx)
}

// Opening a file is slow on purpose, so one that has not changed is opened once.
func TestAFileIsOpenedOnceUntilItChanges(t *testing.T) {
	path := vaultPath(t)
	of := func() (*openingSealer, *fileVault) {
		counting := &openingSealer{sealer: &passphraseSealer{ask: knownPassphrase, work: 5}}
		return counting, newFileVault("file", path, counting)
	}
	load := func(v *fileVault) {
		t.Helper()
		for range 3 {
			if _, err := v.Load(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	writing, v := of()
	save(t, v)
	load(v)
	reading, other := of()
	load(other)
	if writing.opened != 0 || reading.opened != 1 {
		t.Errorf("who wrote it has opened it %d times, another one %d times", writing.opened, reading.opened)
	}
	r := fullRecord()
	r.Generation++
	if err := v.Put(t.Context(), r, fullRecord().Generation, true); err != nil {
		t.Fatal(err)
	}
	if got, err := other.Load(t.Context()); err != nil || got.Generation != r.Generation || reading.opened != 2 {
		t.Errorf("after a change: %+v, %v, opened %d times", got, err, reading.opened)
	}
}

// A file vault says that nothing was saved, and leaves the file before and nothing beside it.
func TestAFileThatCannotBeReplacedIsNotSaved(t *testing.T) {
	for step, fail := range map[string]func(*files.Disk){
		"rename":    func(d *files.Disk) { d.Rename = func(string, string) error { return errFull } },
		"directory": func(d *files.Disk) { d.SyncDir = func(string) error { return errFull } },
		"create": func(d *files.Disk) {
			d.Create = func(string, string) (files.Temporary, error) { return nil, errFull }
		},
	} {
		v := fastVault(t, vaultPath(t))
		save(t, v)
		fail(&v.disk)
		r := fullRecord()
		r.Generation++
		wantVaultError(t, step, v.Put(t.Context(), r, fullRecord().Generation, true), errFull)
		left, err := os.ReadDir(filepath.Dir(v.path))
		if err != nil || len(left) != 2 { // the file and its lock
			t.Errorf("%s: left are %v, %v", step, left, err)
		}
	}
	v := fastVault(t, vaultPath(t))
	v.disk.Create = func(string, string) (files.Temporary, error) { return nil, errFull }
	wantVaultError(t, "a trial", v.Try(t.Context(), true), errFull)
}

// Whatever is begun and given up leaves no file and no lock.
func TestATrialAndALeaseLeaveNothing(t *testing.T) {
	v := fastVault(t, vaultPath(t))
	if err := v.Try(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(v.path), ".*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("the trial left %v, %v", left, err) // before a save, which sweeps
	}
	save(t, v)
	for _, spent := range []bool{false, true} {
		r, err := v.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		lease, err := v.Begin(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // it ends once
			if err := lease.Abort(t.Context(), spent); err != nil {
				t.Error(err)
			}
		}
		after, err := v.Load(t.Context())
		if err != nil || after.InDoubt != spent {
			t.Errorf("spent %v: %+v, %v", spent, after, err)
		}
	}
	left, err := os.ReadDir(filepath.Dir(v.path))
	if err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v", left, err)
	}
	unlock, err := files.Lock(t.Context(), v.path+".lock")
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

// What was committed stays, even if the lease ends as if nothing had been sent.
func TestAnAbortAfterACommitChangesNothing(t *testing.T) {
	for name, v := range map[string]Vault{"file": fastVault(t, vaultPath(t)), "memory": NewMemoryVault()} {
		save(t, v)
		lease, err := v.Begin(t.Context(), fullRecord())
		if err != nil {
			t.Fatal(err)
		}
		next := fullRecord()
		next.Generation++
		if err := lease.Commit(t.Context(), next); err != nil {
			t.Fatal(err)
		}
		other := *next
		other.Generation += 5
		if err := lease.Commit(t.Context(), &other); !errors.Is(err, ErrOutdated) {
			t.Errorf("%s: another commit: %v", name, err)
		}
		if err := lease.Abort(t.Context(), false); err != nil {
			t.Errorf("%s: Abort: %v", name, err)
		}
		if r, err := v.Load(t.Context()); err != nil || r.Generation != next.Generation {
			t.Errorf("%s: it holds %+v, %v", name, r, err)
		}
	}
}

func TestAQuietVaultLeavesADamagedFileWhereItIs(t *testing.T) {
	for _, quiet := range []bool{true, false} {
		path := vaultPath(t)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
		o := VaultOptions{Kind: StoreFile, Path: path, Passphrase: knownPassphrase, Quiet: quiet}
		v, _, err := OpenVault(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = v.Load(t.Context())
		damaged, ok := errors.AsType[*DamagedError](err)
		if !ok || (damaged.MovedTo == "") != quiet || files.Exists(path) != quiet {
			t.Errorf("quiet %v: %v", quiet, err)
		}
	}
}
