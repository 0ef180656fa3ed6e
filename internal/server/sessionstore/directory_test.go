package sessionstore_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/files"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/testkit"
)

func openDirectory(t *testing.T, path string, c *clock) *sessionstore.Local {
	t.Helper()
	d, err := sessionstore.OpenDirectory(path)
	if err != nil {
		t.Fatal(err)
	}
	d.SetClock(c.now)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// temporary is a directory for a store. A claim holds it to the end of the process, and Windows deletes no
// file that is open: there it stays.
func temporary(t testing.TB) string {
	t.Helper()
	if runtime.GOOS != "windows" {
		return t.TempDir()
	}
	path, err := os.MkdirTemp("", "gatehouse-*")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(path) })
	return path
}

func rowOf(id sessionstore.ID, c *clock) sessionstore.Row {
	return sessionstore.Row{ID: id, Generation: 1, Sealed: []byte("sealed"), Ends: c.now().Add(24 * time.Hour)}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnAdministratorDeletesBesideTheServer(t *testing.T) {
	path, c := temporary(t), newClock()
	server := openDirectory(t, path, c)
	admin, err := sessionstore.Administer(t.Context(), path)
	must(t, err)
	defer admin.Close()
	for n := range byte(3) {
		must(t, server.Put(t.Context(), rowOf(sessionstore.ID{n}, c), 0))
	}
	claim, err := server.Claim(t.Context(), sessionstore.ID{0}, 1, time.Minute)
	must(t, err)
	must(t, admin.Delete(t.Context(), sessionstore.Session, sessionstore.ID{0}))
	if err := server.Finish(t.Context(), claim, sessionstore.Row{ID: claim.ID, Generation: 2}); !errors.Is(err, sessionstore.ErrOutdated) {
		t.Errorf("a renewal brings it back: %v", err)
	}
	if n, err := admin.DeleteAll(t.Context()); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := server.Get(t.Context(), sessionstore.Session, sessionstore.ID{1}); !errors.Is(err, sessionstore.ErrNoRow) {
		t.Errorf("the server still has it: %v", err)
	}
	if _, err := sessionstore.Administer(t.Context(), filepath.Join(path, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("where there is none: %v", err)
	}
}

func TestFilesOfOthersAreLeftAlone(t *testing.T) {
	path, c := temporary(t), newClock()
	name := strings.Repeat("ab", 32)
	foreign := []string{"notes.txt", "x.session", name + ".session.bak", strings.ToUpper(name) + ".session", ".x.1.tmp"}
	for _, file := range foreign {
		must(t, os.WriteFile(filepath.Join(path, file), []byte("mine"), 0o600))
	}
	must(t, os.Chmod(path, 0o700))
	left := "." + name + ".session.123.tmp"
	must(t, os.WriteFile(filepath.Join(path, left), []byte("half of a"), 0o600))
	d := openDirectory(t, path, c)
	must(t, d.Put(t.Context(), rowOf(sessionstore.ID{1}, c), 0))
	if n, err := d.DeleteAll(t.Context()); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	must(t, d.Close())
	for _, file := range foreign {
		if data, err := os.ReadFile(filepath.Join(path, file)); string(data) != "mine" || err != nil {
			t.Errorf("%s: %q, %v", file, data, err)
		}
	}
	if _, err := os.Stat(filepath.Join(path, left)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what a killed server has left is still there: %v", err)
	}
}

func TestADamagedRowIsNeitherUsedNorLost(t *testing.T) {
	path, c := temporary(t), newClock()
	d := openDirectory(t, path, c)
	id, other := sessionstore.ID{1}, sessionstore.ID{2}
	must(t, d.Put(t.Context(), rowOf(id, c), 0))
	must(t, d.Put(t.Context(), rowOf(other, c), 0))
	file := func(id sessionstore.ID) string { return filepath.Join(path, hex.EncodeToString(id[:])+".session") }
	whole, err := os.ReadFile(file(id))
	must(t, err)
	theirs, err := os.ReadFile(file(other))
	must(t, err)
	for name, content := range map[string][]byte{
		"cut":             whole[:len(whole)/2],
		"empty":           {},
		"newer":           bytes.Replace(whole, []byte(`"version":1`), []byte(`"version":2`), 1),
		"somebody else's": theirs,
	} {
		must(t, os.WriteFile(file(id), content, 0o600))
		_, load := d.Get(t.Context(), sessionstore.Session, id)
		_, claim := d.Claim(t.Context(), id, 1, time.Minute)
		save := d.Put(t.Context(), rowOf(id, c), 0)
		for what, err := range map[string]error{"load": load, "claim": claim, "save": save} {
			if err == nil || errors.Is(err, sessionstore.ErrNoRow) || !strings.Contains(err.Error(), file(id)) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		if now, err := os.ReadFile(file(id)); !bytes.Equal(now, content) || err != nil {
			t.Errorf("%s: the file was changed: %v", name, err)
		}
	}
	must(t, d.Delete(t.Context(), sessionstore.Session, id)) // the way out of its owner
	must(t, d.Put(t.Context(), rowOf(id, c), 0))
}

func TestARowThatCouldNotBeReadAgainIsNotWritten(t *testing.T) {
	path, c := temporary(t), newClock()
	d := openDirectory(t, path, c)
	id := sessionstore.ID{1}
	must(t, d.Put(t.Context(), rowOf(id, c), 0))
	claimed, err := d.Claim(t.Context(), id, 1, time.Minute)
	must(t, err)
	large := rowOf(id, c)
	large.Generation, large.Sealed = 2, make([]byte, 13<<20)
	if err := d.Finish(t.Context(), claimed, large); !errors.Is(err, files.ErrTooLarge) {
		t.Errorf("the error is %v", err)
	}
	if row, err := d.Get(t.Context(), sessionstore.Session, id); err != nil || row.Generation != 1 {
		t.Errorf("the directory holds generation %d, %v", row.Generation, err)
	}
	if left, _ := filepath.Glob(filepath.Join(path, ".*.tmp")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestARestartForgetsNoTries(t *testing.T) {
	path, c := temporary(t), newClock()
	network, account, other := sessionstore.ID{1}, sessionstore.ID{2}, sessionstore.ID{3}
	d := openDirectory(t, path, c)
	for range 3 {
		if wait, err := d.Try(t.Context(), []sessionstore.ID{network, account}, 3, time.Hour); wait != 0 || err != nil {
			t.Fatalf("%v, %v", wait, err)
		}
		c.pass(10 * time.Minute)
	}
	must(t, d.Close())
	must(t, os.WriteFile(filepath.Join(path, strings.Repeat("0", 64)+".tries"), []byte("{"), 0o600)) // of nobody
	must(t, os.WriteFile(filepath.Join(path, strings.Repeat("1", 64)+".tries"), []byte(`{"version":1,"id":"`+strings.Repeat("1", 66)+`"}`), 0o600))

	d = openDirectory(t, path, c)
	for _, subject := range []sessionstore.ID{network, account} {
		if wait, err := d.Try(t.Context(), []sessionstore.ID{other, subject}, 3, time.Hour); wait != 30*time.Minute || err != nil {
			t.Errorf("after a restart: wait %v, %v", wait, err)
		}
	}
	if wait, err := d.Try(t.Context(), []sessionstore.ID{other}, 3, time.Hour); wait != 0 || err != nil {
		t.Errorf("somebody else: wait %v, %v", wait, err)
	}
	must(t, d.Close())
	c.pass(-30 * 24 * time.Hour) // it was a month ahead
	d = openDirectory(t, path, c)
	if wait, err := d.Try(t.Context(), []sessionstore.ID{network}, 3, time.Hour); wait != 0 || err != nil {
		t.Errorf("with the clock set right: wait %v, %v", wait, err)
	}
	d.FillDisk(errors.New("no space left on device"))
	if _, err := d.Try(t.Context(), []sessionstore.ID{{9}}, 3, time.Hour); err == nil {
		t.Error("a try that is not written is counted")
	}
	c.pass(60 * 24 * time.Hour)
	must(t, d.Sweep(t.Context()))
	if left, err := filepath.Glob(filepath.Join(path, "*.tries")); len(left) != 2 || err != nil { // those that cannot be read
		t.Errorf("two months later there are %q, %v", left, err)
	}
}

// Tries are counted for all subjects or for none: who is refused because a try of the other cannot be
// written has made none.
func TestATryThatCannotBeWrittenForAllIsCountedForNone(t *testing.T) {
	path, c := temporary(t), newClock()
	d := openDirectory(t, path, c)
	network, account, newcomer := sessionstore.ID{1}, sessionstore.ID{2}, sessionstore.ID{3}
	try := func(subjects ...sessionstore.ID) (time.Duration, error) {
		return d.Try(t.Context(), subjects, 2, time.Hour)
	}
	file := func(id sessionstore.ID) string {
		return filepath.Join(path, hex.EncodeToString(id[:])+".tries")
	}
	if wait, err := try(network); wait != 0 || err != nil {
		t.Fatal(wait, err)
	}
	must(t, os.Mkdir(file(account), 0o700)) // which no file replaces
	for range 3 {
		if _, err := try(network, newcomer, account); err == nil {
			t.Fatal("a try that is not written for the account is counted")
		}
	}
	if _, err := os.Stat(file(newcomer)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("who had made no try has an entry: %v", err)
	}
	must(t, os.Remove(file(account)))
	for n, wanted := range []time.Duration{0, time.Hour} {
		if wait, err := try(network, newcomer, account); wait != wanted || err != nil {
			t.Errorf("try %d after those that were refused: wait %v, %v", n+1, wait, err)
		}
	}
}

func TestADirectoryIsPrivate(t *testing.T) {
	testkit.SkipOnWindows(t, "has access lists in place of modes")
	path := filepath.Join(temporary(t), "sessions")
	c := newClock()
	d := openDirectory(t, path, c)
	must(t, d.Put(t.Context(), rowOf(sessionstore.ID{1}, c), 0))
	if kind, err := d.Check(t.Context()); err != nil || kind.Kind != "directory" {
		t.Errorf("%+v, %v", kind, err)
	}
	must(t, filepath.WalkDir(path, func(file string, entry os.DirEntry, err error) error {
		must(t, err)
		info, err := entry.Info()
		must(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", file, info.Mode())
		}
		return nil
	}))
}

func TestAFullDiskHindersClaimsAndNoRenewalThatHasBegun(t *testing.T) {
	c := newClock()
	d := openDirectory(t, temporary(t), c)
	id, other := sessionstore.ID{1}, sessionstore.ID{2}
	must(t, d.Put(t.Context(), rowOf(id, c), 0))
	must(t, d.Put(t.Context(), rowOf(other, c), 0))
	claim, err := d.Claim(t.Context(), id, 1, time.Minute)
	must(t, err)
	d.FillDisk(syscall.ENOSPC)
	if _, err := d.Claim(t.Context(), other, 1, time.Minute); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a claim: %v", err)
	}
	if _, err := d.Check(t.Context()); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a check: %v", err)
	}
	next := rowOf(id, c)
	next.Generation, next.Sealed = 2, bytes.Repeat([]byte("n"), 1<<10)
	must(t, d.Finish(t.Context(), claim, next))
	if r, err := d.Get(t.Context(), sessionstore.Session, id); err != nil || r.Generation != 2 || len(r.Sealed) != 1<<10 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := d.Get(t.Context(), sessionstore.Session, other); err != nil || !r.Claimed.IsZero() {
		t.Errorf("the other one: %+v, %v", r, err)
	}
}

func TestAClaimWhoseEndCannotBeWrittenLasts(t *testing.T) {
	path, c := temporary(t), newClock()
	d := openDirectory(t, path, c)
	row := rowOf(sessionstore.ID{1}, c)
	must(t, d.Put(t.Context(), row, 0))
	claim, err := d.Claim(t.Context(), row.ID, 1, time.Minute)
	must(t, err)
	rooms, err := filepath.Glob(filepath.Join(path, ".*.tmp"))
	if err != nil || len(rooms) != 1 {
		t.Fatal(rooms, err)
	}
	must(t, os.Remove(rooms[0]))
	d.FillDisk(syscall.ENOSPC)
	row.Generation = 2
	for range 2 { // its owner tries again
		if err := d.Finish(t.Context(), claim, row); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("the end of the claim: %v", err)
		}
		if _, err := d.Claim(t.Context(), row.ID, 1, time.Minute); !errors.Is(err, sessionstore.ErrClaimed) {
			t.Errorf("meanwhile another one: %v", err)
		}
	}
}

func TestSettingTheClockEndsNoClaimOfThisServer(t *testing.T) {
	path := temporary(t)
	d, err := sessionstore.OpenDirectory(path)
	must(t, err)
	row := sessionstore.Row{ID: sessionstore.ID{1}, Generation: 1, Sealed: []byte("sealed")}
	must(t, d.Put(t.Context(), row, 0))
	_, err = d.Claim(t.Context(), row.ID, 1, 2*time.Hour)
	must(t, err)
	// By a clock that was set forward since, the deadline in the file has passed.
	file := filepath.Join(path, hex.EncodeToString(row.ID[:])+".session")
	text, err := os.ReadFile(file)
	must(t, err)
	passed := regexp.MustCompile(`"claimed_until":"[^"]*"`).ReplaceAll(text, []byte(`"claimed_until":"2020-01-01T00:00:00Z"`))
	must(t, os.WriteFile(file, passed, 0o600))
	if _, err := d.Claim(t.Context(), row.ID, 1, time.Hour); !errors.Is(err, sessionstore.ErrClaimed) {
		t.Errorf("the claim: %v", err)
	}
	row.Generation = 2
	if err := d.Put(t.Context(), row, 1); !errors.Is(err, sessionstore.ErrClaimed) {
		t.Errorf("saving over it: %v", err)
	}
	must(t, d.Close())
}

func TestATakeoverIsInTheLedgerOrIsNone(t *testing.T) {
	path, c := temporary(t), newClock()
	d := openDirectory(t, path, c)
	row := rowOf(sessionstore.ID{1}, c)
	must(t, d.Put(t.Context(), row, 0))
	first, err := d.Claim(t.Context(), row.ID, 1, time.Minute)
	must(t, err)
	c.pass(time.Minute)
	ledger := filepath.Join(path, "ledger")
	must(t, os.Mkdir(ledger, 0o700))
	if _, err := d.Claim(t.Context(), row.ID, 1, time.Minute); err == nil {
		t.Fatal("it was claimed without a ledger")
	}
	if left, err := filepath.Glob(filepath.Join(path, ".*.tmp")); len(left) != 0 || err != nil {
		t.Errorf("%q are left, %v", left, err)
	}
	must(t, os.Remove(ledger))
	second, err := d.Claim(t.Context(), row.ID, 1, time.Minute)
	must(t, err)
	if text, err := os.ReadFile(ledger); !second.InDoubt || !bytes.Contains(text, []byte(first.Token)) || !bytes.Contains(text, []byte(second.Token)) {
		t.Errorf("in doubt: %v, the ledger says %s, %v", second.InDoubt, text, err)
	}
	d.FillDisk(syscall.ENOSPC)
	row.Generation = 2
	must(t, d.Finish(t.Context(), second, row))
}

// After a loss of power nobody would know of a token that two servers may have sent.
func TestATakeoverIsOnTheDiskBeforeItsClaimIsWritten(t *testing.T) {
	path, c := temporary(t), newClock()
	d := openDirectory(t, path, c)
	row := rowOf(sessionstore.ID{1}, c)
	must(t, d.Put(t.Context(), row, 0))
	first, err := d.Claim(t.Context(), row.ID, 1, time.Minute)
	must(t, err)
	c.pass(time.Minute)
	has := func(name, text string) bool {
		content, err := os.ReadFile(filepath.Join(path, name))
		must(t, err)
		return strings.Contains(string(content), text)
	}
	noted := false
	d.SyncWith(func(string) error {
		isBefore := has(hex.EncodeToString(row.ID[:])+".session", first.Token)
		noted = noted || isBefore && has("ledger", first.Token)
		return nil
	})
	_, err = d.Claim(t.Context(), row.ID, 1, time.Minute)
	must(t, err)
	if !noted {
		t.Error("the claim is written before the ledger is on the disk")
	}
}

// Others are let into it by a mount, or by what creates it at each start.
func TestADirectoryOfSessionsThatOthersCanReadIsStillOne(t *testing.T) {
	testkit.SkipOnWindows(t, "has access lists in place of modes")
	path, c := temporary(t), newClock()
	d := openDirectory(t, path, c)
	must(t, d.Put(t.Context(), rowOf(sessionstore.ID{1}, c), 0))
	must(t, d.Close())
	must(t, os.Chmod(path, 0o755))
	openDirectory(t, path, c)
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("its mode is %v", info.Mode())
	}
}

func TestADirectoryForSomethingElseIsRefused(t *testing.T) {
	testkit.SkipOnWindows(t, "has access lists in place of modes")
	path := temporary(t)
	must(t, os.WriteFile(filepath.Join(path, "passwd"), nil, 0o644))
	must(t, os.Chmod(path, 0o755))
	_, server := sessionstore.OpenDirectory(path)
	_, admin := sessionstore.Administer(t.Context(), path)
	for who, err := range map[string]error{"a server": server, "an administrator": admin} {
		if err == nil || !strings.Contains(err.Error(), "it has other files") {
			t.Errorf("%s: %v", who, err)
		}
	}
	info, err := os.Stat(path)
	must(t, err)
	entries, err := os.ReadDir(path)
	must(t, err)
	if info.Mode().Perm() != 0o755 || len(entries) != 1 {
		t.Errorf("it was changed: %v, %v", info.Mode(), entries)
	}
}

// A session that was signed out would be back after a loss of power.
func TestADeletedSessionIsGoneFromTheDiskBeforeAnybodyIsTold(t *testing.T) {
	path, c := temporary(t), newClock()
	server := openDirectory(t, path, c)
	id := sessionstore.ID{1}
	must(t, server.Put(t.Context(), rowOf(id, c), 0))
	rows := func() []string {
		names, err := filepath.Glob(filepath.Join(path, "*.session"))
		must(t, err)
		return names
	}
	if len(rows()) != 1 {
		t.Fatalf("the directory has %v", rows())
	}
	failed := errors.New("the disk does not answer")
	server.SyncWith(func(dir string) error {
		if dir != path || len(rows()) != 0 {
			t.Errorf("%s comes to the disk with %v", dir, rows())
		}
		return failed
	})
	if err := server.Delete(t.Context(), sessionstore.Session, id); !errors.Is(err, failed) {
		t.Errorf("it may be back: %v", err)
	}
}
