package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/files"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
)

// lengthen makes the tokens of an authority that much longer.
func (a *authority) lengthen(bytes int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.claims["padding"] = strings.Repeat("x", bytes)
}

// tooLong makes a token about as long as an answer of the service may be: Base64 takes a third more.
const tooLong = (1<<20 - 2<<10) / 4 * 3

// wantTooLong checks that a session goes on unsaved, and says why.
func wantTooLong(t *testing.T, s *Session) {
	t.Helper()
	now := s.Status()
	if long, ok := errors.AsType[*RecordSizeError](now.Reason); now.Saved || !ok || long.Size <= long.Limit {
		t.Fatalf("saved is %v: %v", now.Saved, now.Reason)
	}
	for _, face := range []problem.Face{{}, {Stays: true}} {
		if p := problem.Describe(now.Reason, face); !strings.Contains(p.Sentence, "can be saved") || !strings.Contains(p.Hint, "operator of the service") {
			t.Errorf("face %v: %+v", face, p)
		}
	}
}

func TestASignInThatIsTooLongToBeSavedLeavesTheSavedOne(t *testing.T) {
	v := fastVault(t, vaultPath(t))
	a, c, s := signedIn(t, v)
	a.lengthen(tooLong)
	long := newSession(a, fastVaultOf(v), c)
	signIn(t, long)
	wantTooLong(t, long)
	wantToken(t, long, a, 2)

	wantSaved(t, fastVaultOf(v), "canary-refresh-1")
	a.lengthen(0)
	signIn(t, s)
	wantSaved(t, fastVaultOf(v), "canary-refresh-3")
}

func TestARenewalThatIsTooLongToBeSavedGoesOnInMemory(t *testing.T) {
	v := fastVault(t, vaultPath(t))
	a, _, s := expired(t, v)
	a.lengthen(tooLong)
	wantToken(t, s, a, 2)
	wantTooLong(t, s)
	if r, err := fastVaultOf(v).Load(t.Context()); err != nil || !r.InDoubt {
		t.Errorf("the vault holds %+v, %v", r, err)
	}
	a.lengthen(0)
	if err := s.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantSaved(t, fastVaultOf(v), "canary-refresh-3")
}

// longRecord is a record whose plain text has that many bytes.
func longRecord(t *testing.T, size int) *Record {
	t.Helper()
	r := fullRecord()
	r.InDoubt, r.Access = false, secret.Text{}
	clear, err := encode(r)
	if err != nil {
		t.Fatal(err)
	}
	name := len(`"access_token":"",`)
	r.Access = secret.New(strings.Repeat("x", size-len(clear)-name))
	return r
}

func TestWhateverIsSavedCanBeReadAndRenewed(t *testing.T) {
	const limit = maxRecord - sealRoom - markRoom
	for name, makeVault := range map[string]func(t *testing.T) *fileVault{
		"keyring":    func(t *testing.T) *fileVault { return fastVault(t, vaultPath(t)) },
		"passphrase": func(t *testing.T) *fileVault { return quickFileVault(vaultPath(t), knownPassphrase).(*fileVault) },
	} {
		t.Run(name, func(t *testing.T) {
			v := makeVault(t)
			r := longRecord(t, limit)
			if err := v.Put(t.Context(), r, 0, true); err != nil {
				t.Fatal(err)
			}
			lease, err := v.Begin(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if marked, err := fastVaultOf(v).Load(t.Context()); err != nil || !marked.InDoubt || marked.Access != r.Access {
				t.Errorf("the marked record: %v", err)
			}
			err = lease.Commit(t.Context(), longRecord(t, limit+1).withGenerationAbove(r.Generation))
			if _, ok := errors.AsType[*RecordSizeError](err); !ok {
				t.Errorf("a byte more: %v", err)
			}
			if err := lease.Abort(t.Context(), false); err != nil {
				t.Error(err)
			}
			if kept, err := fastVaultOf(v).Load(t.Context()); err != nil || kept.InDoubt || kept.Access != r.Access {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// The disk may be full when the answer to a renewal arrives, which nobody can ask for again.
func TestTheRoomForARenewalIsEnoughForASessionTwiceAsLong(t *testing.T) {
	const size = 200 << 10
	v := fastVault(t, vaultPath(t))
	r := longRecord(t, size)
	if err := v.Put(t.Context(), r, 0, true); err != nil {
		t.Fatal(err)
	}
	lease, err := v.Begin(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lease.Abort(t.Context(), true) }()
	reserved, err := filepath.Glob(filepath.Join(filepath.Dir(v.path), ".*.tmp"))
	if err != nil || len(reserved) != 1 {
		t.Fatalf("the room is %v, %v", reserved, err)
	}
	room, err := os.Stat(reserved[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := lease.Commit(t.Context(), longRecord(t, 2*size).withGenerationAbove(r.Generation)); err != nil {
		t.Fatal(err)
	}
	saved, err := os.Stat(v.path)
	if err != nil {
		t.Fatal(err)
	}
	if room.Size() < saved.Size() {
		t.Errorf("there is room for %d bytes, and it takes %d", room.Size(), saved.Size())
	}
}

func TestARenewalWithoutRoomGivesItsRightBack(t *testing.T) {
	v := fastVault(t, vaultPath(t))
	save(t, v)
	create, created := v.disk.Create, 0
	v.disk.Create = func(dir, pattern string) (files.Temporary, error) {
		if created++; created == 2 { // after the mark
			return nil, fs.ErrPermission
		}
		return create(dir, pattern)
	}
	if _, err := v.Begin(t.Context(), fullRecord()); !errors.Is(err, fs.ErrPermission) {
		t.Fatalf("the error is %v", err)
	}
	atOnce, cancel := context.WithTimeout(t.Context(), lockTimeout/3)
	defer cancel()
	next, err := fastVaultOf(v).Begin(atOnce, fullRecord())
	if err != nil {
		t.Fatalf("the next renewal: %v", err)
	}
	if next.Doubtful() {
		t.Error("a token that was not sent is in doubt")
	}
	if err := next.Abort(t.Context(), false); err != nil {
		t.Error(err)
	}
}

func TestAFileThatIsTooLargeIsSetAsideLikeADamagedOne(t *testing.T) {
	for name, find := range map[string]func(*testing.T, *Session){
		"by a restart": func(t *testing.T, s *Session) {
			damaged, ok := errors.AsType[*DamagedError](s.Restore(t.Context()))
			if !ok || damaged.MovedTo == "" {
				t.Errorf("the error is %+v", damaged)
			}
		},
		"by a sign-in": func(*testing.T, *Session) {},
	} {
		t.Run(name, func(t *testing.T) {
			v := fastVault(t, vaultPath(t))
			a, c, _ := signedIn(t, v)
			if err := os.WriteFile(v.path, make([]byte, maxRecord+1), 0o600); err != nil {
				t.Fatal(err)
			}
			s := newSession(a, fastVaultOf(v), c)
			find(t, s)
			signIn(t, s)
			if now := s.Status(); !now.Saved || now.Reason != nil {
				t.Errorf("saved is %v: %v", now.Saved, now.Reason)
			}
			wantSaved(t, fastVaultOf(v), "canary-refresh-2")
		})
	}
}
