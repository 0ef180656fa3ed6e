//go:build unix

package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// victim is what a crash leaves to look at.
type victim struct {
	*authority
	clock *clock
	crash
}

// newVictim prepares a session that is about to be renewed, or signed in.
func newVictim(t *testing.T, signsIn bool) *victim {
	t.Helper()
	v := &victim{newAuthority(t), newClock(), crash{Path: vaultPath(t), SignIn: signsIn}}
	v.Authority = v.URL
	before := fastVault(t, v.Path)
	if err := before.Try(t.Context(), true); err != nil { // makes the key
		t.Fatal(err)
	}
	v.Key = before.sealer.(*keeperSealer).key.String()
	if !signsIn {
		signIn(t, newSession(v.authority, before, v.clock))
	}
	return v
}

// run is the process; it returns the points it has passed if it is not killed.
func (v *victim) run(t *testing.T) []string {
	t.Helper()
	task, err := json.Marshal(v.crash)
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	process := exec.Command(os.Args[0])
	process.Env = []string{crashVariable + "=" + string(task)}
	process.Stdout, process.Stderr = &stdout, &stderr
	err = process.Run()
	killed := process.ProcessState.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
	if v.Point > 0 != killed || err != nil && !killed {
		t.Fatalf("the process ended with %v: %s", err, stderr.String())
	}
	return strings.Split(strings.TrimSpace(stdout.String()), "\n")
}

// next is a later start of the program.
func (v *victim) next() *Session {
	ring := newFakeKeyring()
	vault := sealedVault(v.Path, ring)
	ring.values[keyringService+"/"+vault.sealer.(*keeperSealer).account] = v.Key
	return newSession(v.authority, vault, v.clock)
}

// outcome is what a person finds after a crash.
type outcome string

const (
	works     outcome = "it works"
	ended     outcome = "it says that it ended"
	signedOut outcome = "nobody is signed in"
)

// lookAfter finds out what works after a crash, and that it stays so.
func (v *victim) lookAfter(t *testing.T) outcome {
	t.Helper()
	v.clock.Advance(25 * time.Hour)
	found := v.start(t)
	if again := v.start(t); again != found {
		t.Errorf("at first %s, then %s", found, again)
	}
	if found != works {
		signIn(t, v.next())
	}
	entries, err := os.ReadDir(filepath.Dir(v.Path))
	if err != nil || len(entries) != 2 {
		t.Errorf("the directory holds %v, want the vault and its lock", entries)
	}
	return found
}

// start is a start and a request.
func (v *victim) start(t *testing.T) outcome {
	t.Helper()
	s := v.next()
	err := s.Restore(t.Context())
	if err == nil {
		_, err = s.Token(t.Context())
	}
	over, isOver := errors.AsType[*EndedError](err)
	switch {
	case err == nil:
		return works
	case err == ErrSignedOut:
		return signedOut
	case isOver && (over.Reason == EndRefused || over.Reason == EndLost):
		return ended
	}
	t.Fatalf("the vault does not open: %v", err)
	return ""
}

// saved reports whether the vault holds the n-th token of the service.
func (v *victim) saved(t *testing.T, n int) bool {
	t.Helper()
	r, err := v.next().options.Vault.Load(t.Context())
	if err != nil && !errors.Is(err, ErrNoRecord) {
		t.Fatalf("the vault does not open: %v", err)
	}
	return err == nil && r.Access.Reveal() == v.accessToken(n)
}

// crashing is work during which a process is killed.
type crashing struct {
	name     string
	signsIn  bool // or else it renews
	revoked  bool
	refusals int // of a refresh token that is not good, at most
	want     func(spent, saved bool) outcome
}

// prepare leaves everything ready for the work.
func (c crashing) prepare(t *testing.T) *victim {
	t.Helper()
	v := newVictim(t, c.signsIn)
	if c.revoked {
		v.Revoke()
	}
	return v
}

// dieAt kills the process at a point, and looks at what it leaves.
func (c crashing) dieAt(t *testing.T, point int) {
	v := c.prepare(t)
	v.Point = point
	before := v.Issued()
	v.run(t)
	spent := v.Issued() > before
	want := c.want(spent, v.saved(t, before+1))
	if got := v.lookAfter(t); got != want {
		t.Errorf("the service has issued a token: %v; then %s, want: %s", spent, got, want)
	}
	if got := v.Reused(); got > c.refusals || got > 0 && want == works {
		t.Errorf("a refresh token that is not good was sent %d times", got)
	}
}

func TestAProcessThatIsKilledLeavesAVaultThatOpens(t *testing.T) {
	var points atomic.Int32
	t.Run("points", func(t *testing.T) {
		for _, work := range []crashing{
			{name: "a renewal", refusals: 1, want: func(spent, saved bool) outcome {
				if spent && !saved {
					return ended // its token came, and went with it
				}
				return works
			}},
			{name: "a renewal that is refused", revoked: true, refusals: 2, want: func(bool, bool) outcome { return ended }},
			{name: "a sign-in", signsIn: true, want: func(_, saved bool) outcome {
				if saved {
					return works
				}
				return signedOut
			}},
		} {
			for i, name := range work.prepare(t).run(t) {
				points.Add(1)
				t.Run(fmt.Sprintf("%s/%d %s", work.name, i+1, name), func(t *testing.T) {
					t.Parallel()
					work.dieAt(t, i+1)
				})
			}
		}
	})
	t.Logf("killed at %d points", points.Load())
	if points.Load() < 100 {
		t.Error("that is less than a hundred")
	}
}
