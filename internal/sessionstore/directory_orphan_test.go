//go:build linux

package sessionstore_test

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
)

// ownerOf is the variable with the directory in which the process of a test claims a row.
const ownerOf = "GATEHOUSE_TEST_OWNER_OF"

// claimAndStay claims a row of a directory, says so, and stays until standard input ends.
func claimAndStay(t *testing.T, path string) {
	d, err := sessionstore.OpenDirectory(path)
	must(t, err)
	_, err = d.Claim(t.Context(), sessionstore.ID{1}, 1, time.Hour)
	must(t, err)
	fmt.Println("claimed")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func TestTheClaimOfAKilledServerIsTakenOverAtOnceAndThatOfAStoppedOneIsNot(t *testing.T) {
	if path := os.Getenv(ownerOf); path != "" {
		claimAndStay(t, path)
		return
	}
	path, c := t.TempDir(), newClock()
	first := openDirectory(t, path, c)
	must(t, first.Put(t.Context(), rowOf(sessionstore.ID{1}, c), 0))
	must(t, first.Close())

	owner := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	owner.Env = append(os.Environ(), ownerOf+"="+path)
	_, err := owner.StdinPipe()
	must(t, err)
	out, err := owner.StdoutPipe()
	must(t, err)
	must(t, owner.Start())
	t.Cleanup(func() { _ = owner.Process.Kill(); _ = owner.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "claimed\n" {
		t.Fatalf("%q, %v", line, err)
	}

	must(t, owner.Process.Signal(syscall.SIGSTOP))
	if _, err := sessionstore.OpenDirectory(path); !errors.Is(err, sessionstore.ErrNotAlone) {
		t.Fatalf("while its server is stopped: %v", err)
	}
	must(t, owner.Process.Kill())
	_ = owner.Wait()
	after, err := sessionstore.OpenDirectory(path)
	must(t, err)
	claim, err := after.Claim(t.Context(), sessionstore.ID{1}, 1, time.Hour)
	if err != nil || !claim.InDoubt {
		t.Fatalf("after its server was killed: %+v, %v", claim, err)
	}
	var line struct {
		ID, Before, Claim string
		Generation        uint64
		Gone              bool
	}
	ledger, err := os.ReadFile(filepath.Join(path, "ledger"))
	must(t, err)
	must(t, json.Unmarshal(ledger, &line))
	if line.ID != hex.EncodeToString(claim.ID[:]) || line.Before == "" || line.Claim != claim.Token || line.Generation != 1 || !line.Gone {
		t.Errorf("the ledger says %s", ledger)
	}
	if _, err := after.Claim(t.Context(), sessionstore.ID{1}, 1, time.Hour); !errors.Is(err, sessionstore.ErrClaimed) {
		t.Errorf("the claim of this process: %v", err)
	}
}

func TestSettingTheClockEndsNoClaimOfThisServer(t *testing.T) {
	path := t.TempDir()
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

func TestADirectoryIsHeldWhileItsProcessMaySend(t *testing.T) {
	t.Parallel() // it waits
	path, c := t.TempDir(), newClock()
	before := openDirectory(t, path, c)
	must(t, before.Put(t.Context(), rowOf(sessionstore.ID{1}, c), 0))
	_, err := before.Claim(t.Context(), sessionstore.ID{1}, 1, time.Hour)
	must(t, err)
	must(t, before.Close())
	if _, err := sessionstore.OpenDirectory(path); !errors.Is(err, sessionstore.ErrNotAlone) {
		t.Errorf("the directory is free: %v", err)
	}
}

// A server that has closed its store is no longer alone: another one may have the directory,
// and what it has claimed itself it may still send.
func TestAClosedDirectoryTakesNoClaimOver(t *testing.T) {
	path, c := t.TempDir(), newClock()
	mine, theirs := sessionstore.ID{1}, sessionstore.ID{2}
	before := openDirectory(t, path, c)
	must(t, before.Put(t.Context(), rowOf(theirs, c), 0))
	must(t, before.Close())
	after := openDirectory(t, path, c)
	must(t, after.Put(t.Context(), rowOf(mine, c), 0))
	for _, id := range []sessionstore.ID{mine, theirs} {
		_, err := after.Claim(t.Context(), id, 1, time.Hour)
		must(t, err)
	}
	must(t, after.Close())
	if _, err := before.Claim(t.Context(), theirs, 1, time.Hour); !errors.Is(err, sessionstore.ErrClaimed) {
		t.Errorf("that of another server: %v", err)
	}
	if _, err := after.Claim(t.Context(), mine, 1, time.Hour); !errors.Is(err, sessionstore.ErrClaimed) {
		t.Errorf("that of its own: %v", err)
	}
}
