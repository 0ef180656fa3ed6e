//go:build linux

package sessionstore_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/server/sessionstore"
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

// startOwner starts a process that claims row 1 of a directory and stays.
func startOwner(t *testing.T, path string) *exec.Cmd {
	t.Helper()
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
	return owner
}

func TestTheClaimOfAKilledServerIsTakenOverAtOnceAndThatOfAStoppedOneIsNot(t *testing.T) {
	if path := os.Getenv(ownerOf); path != "" {
		claimAndStay(t, path)
		return
	}
	path, id := temporary(t), sessionstore.ID{1}
	before, err := sessionstore.OpenDirectory(path)
	must(t, err)
	must(t, before.Put(t.Context(), rowOf(id, &clock{at: time.Now()}), 0))
	must(t, before.Close())
	owner := startOwner(t, path)

	must(t, owner.Process.Signal(syscall.SIGSTOP))
	if _, err := sessionstore.OpenDirectory(path); !errors.Is(err, sessionstore.ErrNotAlone) {
		t.Fatalf("while its server is stopped: %v", err)
	}
	must(t, owner.Process.Kill())
	_ = owner.Wait()
	admin, err := sessionstore.Administer(t.Context(), path)
	must(t, err)
	if _, err := admin.Claim(t.Context(), id, 1, time.Hour); !errors.Is(err, sessionstore.ErrClaimed) {
		t.Errorf("beside a server, for all that its opener knows: %v", err)
	}

	after, err := sessionstore.OpenDirectory(path)
	must(t, err)
	t.Cleanup(func() { _ = after.Close() })
	claim, err := after.Claim(t.Context(), id, 1, time.Hour)
	if err != nil || !claim.InDoubt {
		t.Fatalf("after its server was killed: %+v, %v", claim, err)
	}
	ledger, err := os.ReadFile(filepath.Join(path, "ledger"))
	if err != nil || !strings.Contains(string(ledger), `"gone":true`) || strings.Count(string(ledger), "\n") != 1 {
		t.Errorf("the ledger is %s, %v", ledger, err)
	}
	if row, err := after.Get(t.Context(), sessionstore.Session, id); err != nil || row.Doubts != 1 {
		t.Errorf("the row counts %d doubts, %v", row.Doubts, err)
	}
	if _, err := after.Claim(t.Context(), id, 1, time.Hour); !errors.Is(err, sessionstore.ErrClaimed) {
		t.Errorf("the claim of this process: %v", err)
	}
}

// A claim that is still good goes with its process: whoever has the directory next may take it over.
func TestADirectoryIsHeldWhileItsProcessMaySend(t *testing.T) {
	t.Parallel() // it waits
	path := temporary(t)
	before, err := sessionstore.OpenDirectory(path)
	must(t, err)
	must(t, before.Put(t.Context(), rowOf(sessionstore.ID{1}, &clock{at: time.Now()}), 0))
	_, err = before.Claim(t.Context(), sessionstore.ID{1}, 1, time.Hour)
	must(t, err)
	must(t, before.Close())
	runtime.GC() // which closes files that nothing refers to
	if _, err := sessionstore.OpenDirectory(path); !errors.Is(err, sessionstore.ErrNotAlone) {
		t.Errorf("the directory is free: %v", err)
	}
}
