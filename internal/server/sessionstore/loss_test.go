package sessionstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// calls are all calls of a store that read or change something, for a row and a claim of it.
func calls(s sessionstore.Store, row sessionstore.Row, c sessionstore.Claim) map[string]func(ctx context.Context) error {
	ticket := sessionstore.Row{Kind: sessionstore.Ticket, ID: sessionstore.ID{9}, Sealed: []byte("ticket"), Ends: row.Ends}
	next := row
	next.Generation++
	subjects := []sessionstore.ID{{7}}
	return map[string]func(ctx context.Context) error{
		"Put":          func(ctx context.Context) error { return s.Put(ctx, next, row.Generation) },
		"Put a ticket": func(ctx context.Context) error { return s.Put(ctx, ticket, 0) },
		"Claim": func(ctx context.Context) error {
			_, err := s.Claim(ctx, row.ID, row.Generation, time.Minute)
			return err
		},
		"Finish":         func(ctx context.Context) error { return s.Finish(ctx, c, next) },
		"Release":        func(ctx context.Context) error { return s.Release(ctx, c) },
		"Delete":         func(ctx context.Context) error { return s.Delete(ctx, sessionstore.Session, row.ID) },
		"DeleteAll":      func(ctx context.Context) error { _, err := s.DeleteAll(ctx); return err },
		"SealedWith":     func(ctx context.Context) error { _, err := s.SealedWith(ctx); return err },
		"Sweep":          func(ctx context.Context) error { return s.Sweep(ctx) },
		"Try":            func(ctx context.Context) error { _, err := s.Try(ctx, subjects, 5, time.Hour); return err },
		"TakeBack":       func(ctx context.Context) error { return s.TakeBack(ctx, subjects) },
		"Get of a place": func(ctx context.Context) error { _, err := s.Get(ctx, sessionstore.Session, row.ID); return err },
	}
}

func TestEachCallOfADirectoryThatIsNoneFails(t *testing.T) {
	testkit.SkipOnWindows(t, "removes no directory whose lock is held")
	path, c := filepath.Join(temporary(t), "sessions"), newClock()
	d := openDirectory(t, path, c)
	row := rowOf(sessionstore.ID{1}, c)
	must(t, os.RemoveAll(path))
	must(t, os.WriteFile(path, nil, 0o600))
	for name, call := range calls(d, row, sessionstore.Claim{ID: row.ID, Generation: 1, Token: "token"}) {
		err := call(t.Context())
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// After a loss of power a file could be there again, or a file of before.
func TestAChangeThatMayNotBeOnTheDiskIsAnError(t *testing.T) {
	lost := errors.New("canary-lost")
	for _, name := range []string{"Put", "Put a ticket", "Claim", "Delete", "DeleteAll", "Try", "TakeBack", "Sweep"} {
		c := newClock()
		d := openDirectory(t, temporary(t), c)
		row := rowOf(sessionstore.ID{1}, c)
		must(t, d.Put(t.Context(), row, 0))
		if _, err := d.Try(t.Context(), []sessionstore.ID{{7}}, 5, time.Hour); err != nil {
			t.Fatal(err)
		}
		if name == "Sweep" {
			c.pass(2 * time.Hour) // the tries have ended
		}
		d.SyncWith(func(string) error { return lost })
		if err := calls(d, row, sessionstore.Claim{})[name](t.Context()); !errors.Is(err, lost) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func TestADirectoryThatCannotBeTakenIsFreeForTheNextServer(t *testing.T) {
	parent := temporary(t)
	file := filepath.Join(parent, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	if _, err := sessionstore.OpenDirectory(file); err == nil || errors.Is(err, sessionstore.ErrNotAlone) {
		t.Errorf("a file: %v", err)
	}
	path := filepath.Join(parent, "sessions")
	left := filepath.Join(path, ".probe.1.tmp", "something")
	must(t, os.MkdirAll(left, 0o700))
	if _, err := sessionstore.OpenDirectory(path); err == nil || errors.Is(err, sessionstore.ErrNotAlone) {
		t.Errorf("with what cannot be removed: %v", err)
	}
	must(t, os.RemoveAll(filepath.Dir(left)))
	d, err := sessionstore.OpenDirectory(path)
	must(t, err)
	must(t, d.Close())
}

// rooms are the files that take the room for ends of claims.
func rooms(t *testing.T, path string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(path, ".*.tmp"))
	must(t, err)
	return found
}

func TestTheRoomOfAClaimIsGivenBackWithTheClaim(t *testing.T) {
	for name, end := range map[string]func(d *sessionstore.Local, c sessionstore.Claim, row sessionstore.Row, at *clock) error{
		"it is finished": func(d *sessionstore.Local, c sessionstore.Claim, row sessionstore.Row, _ *clock) error {
			row.Generation++
			return d.Finish(context.Background(), c, row)
		},
		"it is released": func(d *sessionstore.Local, c sessionstore.Claim, _ sessionstore.Row, _ *clock) error {
			return d.Release(context.Background(), c)
		},
		"its row is deleted": func(d *sessionstore.Local, c sessionstore.Claim, _ sessionstore.Row, _ *clock) error {
			return d.Delete(context.Background(), sessionstore.Session, c.ID)
		},
		"its deadline has passed at a sweep": func(d *sessionstore.Local, _ sessionstore.Claim, _ sessionstore.Row, at *clock) error {
			at.pass(time.Minute + time.Second)
			return d.Sweep(context.Background())
		},
		"the server ends": func(d *sessionstore.Local, _ sessionstore.Claim, _ sessionstore.Row, at *clock) error {
			at.pass(time.Minute)
			return d.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			path, at := temporary(t), newClock()
			d := openDirectory(t, path, at)
			row := rowOf(sessionstore.ID{1}, at)
			must(t, d.Put(t.Context(), row, 0))
			c, err := d.Claim(t.Context(), row.ID, 1, time.Minute)
			must(t, err)
			if got := rooms(t, path); len(got) != 1 {
				t.Errorf("the claim has the rooms %q", got)
			}
			must(t, d.Sweep(t.Context())) // it lasts
			if got := rooms(t, path); len(got) != 1 {
				t.Errorf("after a sweep the claim has the rooms %q", got)
			}
			must(t, end(d, c, row, at))
			if got := rooms(t, path); len(got) != 0 {
				t.Errorf("left are %q", got)
			}
			if open := openFiles(t, path); len(open) > 0 {
				t.Errorf("open are %q", open)
			}
		})
	}
}

// openFiles are the files of a directory that this process has open, but for the lock of a server.
func openFiles(t *testing.T, path string) (open []string) {
	t.Helper()
	const descriptors = "/proc/self/fd"
	all, _ := os.ReadDir(descriptors) // not every system has them
	for _, one := range all {
		name, _ := os.Readlink(filepath.Join(descriptors, one.Name()))
		if strings.HasPrefix(name, path+string(filepath.Separator)) && filepath.Base(name) != "server.lock" {
			open = append(open, name)
		}
	}
	return open
}

func TestFilesAreOpenOnlyForACall(t *testing.T) {
	path, at := temporary(t), newClock()
	d := openDirectory(t, path, at)
	row := rowOf(sessionstore.ID{1}, at)
	must(t, d.Put(t.Context(), row, 0))
	for range 2 { // the second one takes over
		_, err := d.Claim(t.Context(), row.ID, 1, time.Minute)
		must(t, err)
		at.pass(time.Minute)
	}
	_, err := d.Try(t.Context(), []sessionstore.ID{{7}}, 5, time.Hour)
	must(t, err)
	_, err = d.Check(t.Context())
	must(t, err)
	must(t, d.Delete(t.Context(), sessionstore.Session, row.ID))
	if open := openFiles(t, path); len(open) > 0 {
		t.Errorf("open are %q", open)
	}
	if left := rooms(t, path); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// slowStore takes a second to end a sweep that nobody wants any more.
type slowStore struct {
	sessionstore.Store
	ended bool
}

func (s *slowStore) Sweep(ctx context.Context) error {
	<-ctx.Done()
	<-time.After(time.Second)
	s.ended = true
	return ctx.Err()
}

func TestWhoEndsTheSweepsWaitsForTheOneUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slowStore{}
		end := sessionstore.SweepNowAndThen(s, func(err error) { t.Error(err) })
		<-time.After(11 * time.Minute)
		end()
		if !s.ended {
			t.Error("a sweep goes on, and the store is about to be closed")
		}
	})
}

// askedFor is the key of a value in the contexts of callers.
type askedFor struct{}

// tracedStore checks that contexts come from who asked.
type tracedStore struct {
	sessionstore.Store
	t     *testing.T
	calls map[string]bool
}

func (s *tracedStore) note(ctx context.Context, call string) {
	s.calls[call] = true
	if ctx.Value(askedFor{}) == nil {
		s.t.Errorf("%s: the context is not the caller's", call)
	}
}

func (s *tracedStore) Get(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) (sessionstore.Row, error) {
	s.note(ctx, "Get")
	return s.Store.Get(ctx, kind, id)
}

func (s *tracedStore) Put(ctx context.Context, r sessionstore.Row, over uint64) error {
	s.note(ctx, "Put")
	return s.Store.Put(ctx, r, over)
}

func (s *tracedStore) Claim(ctx context.Context, id sessionstore.ID, generation uint64, life time.Duration) (sessionstore.Claim, error) {
	s.note(ctx, "Claim")
	return s.Store.Claim(ctx, id, generation, life)
}

func (s *tracedStore) Finish(ctx context.Context, c sessionstore.Claim, r sessionstore.Row) error {
	s.note(ctx, "Finish")
	return s.Store.Finish(ctx, c, r)
}

func (s *tracedStore) Release(ctx context.Context, c sessionstore.Claim) error {
	s.note(ctx, "Release")
	return s.Store.Release(ctx, c)
}

func (s *tracedStore) Delete(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) error {
	s.note(ctx, "Delete")
	return s.Store.Delete(ctx, kind, id)
}

func TestAVaultAsksItsStoreForTheCaller(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		ctx := context.WithValue(t.Context(), askedFor{}, true)
		store := &tracedStore{Store: w.store, t: t, calls: map[string]bool{}}
		w.store = store
		v := w.vault()
		s := w.sessionIn(v)
		signIn := session.SignIn{Username: "ann@harbor.example", Password: secret.New("canary-password"), Keep: true}
		must(t, s.SignIn(ctx, signIn))
		must(t, s.Restore(ctx))
		must(t, s.Renew(ctx))
		r, err := v.Load(ctx)
		must(t, err)
		lease, err := v.Begin(ctx, r)
		must(t, err)
		must(t, lease.Abort(ctx, false))
		must(t, v.Try(ctx, true))
		must(t, s.SignIn(ctx, signIn)) // over the one that is there
		must(t, s.SignOut(ctx))
		for _, call := range []string{"Get", "Put", "Claim", "Finish", "Release", "Delete"} {
			if !store.calls[call] {
				t.Errorf("there was no %s", call)
			}
		}
	})
}
