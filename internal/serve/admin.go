package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/files"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sshd"
)

// runAndEnd does what --new-key, --rotate-key or --forget ask for.
func (p *Program) runAndEnd(ctx context.Context, f *serveFlags) error {
	ctx, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	if err := f.sessions.refuse(f.options.Access); err != nil {
		return err
	}
	o := operator{stderr: p.Stderr}
	switch s := &f.sessions; {
	case s.newKey != "":
		return o.makeKeyFile(s.newKey)
	case s.rotate:
		return o.rotateKey(ctx, s, p.Now())
	default:
		return o.forget(ctx, s, f.options.Access.UserCA)
	}
}

func (o operator) makeKeyFile(path string) error {
	err := sessionstore.CreateKeyFile(path)
	switch {
	case errors.Is(err, files.ErrExists):
		return problem.BadUsage(fmt.Sprintf("the file %q already exists and was not changed", path),
			"Use another name. A key that is lost or changed makes every kept session unreadable; --rotate-key adds a key to a file.")
	case err != nil:
		return problem.New("the key file was not created: "+err.Error(), "Use a name in an existing, writable directory.")
	}
	o.say("Created %s. Anyone who has this file and the store can use every session kept there. Copy it to all servers of the store and to nobody else, and keep it apart from the store's backups.", path)
	return nil
}

// rotateKey adds a key, and says how much is sealed with which.
func (o operator) rotateKey(ctx context.Context, f *sessionFlags, now time.Time) error {
	made, from, err := sessionstore.RotateKeyFile(f.keyFile, now)
	if err != nil {
		return keyFileProblem(err)
	}
	keys, err := sessionstore.OpenKeys(f.keyFile)
	if err != nil {
		return keyFileProblem(err)
	}
	names := keys.Names()
	newest := names[len(names)-1]
	if made {
		o.say("Added key %s. The servers seal with it from %s on; copy the new %s to all of them before that.", newest, from.UTC().Format("15:04:05 MST"), f.keyFile)
	} else {
		o.say("No key added: the newest, %s, is less than a day old.", newest)
	}
	if !f.kept() {
		o.say("Add --sessions to see how much is still sealed with older keys.")
		return nil
	}
	return withStore(ctx, f, func(store sessionstore.Home) error {
		counts, err := store.SealedWith(ctx)
		if err != nil {
			return err
		}
		for _, name := range names {
			o.say("Sealed with key %s: %s.", name, human.Count(counts[name], "row or ticket", "rows and tickets"))
		}
		o.say("Delete an older line of %s once nothing is sealed with its key.", f.keyFile)
		o.warn(unreadable(counts, names, f.keyFile))
		return nil
	})
}

// withStore opens the store for an administrator.
func withStore(ctx context.Context, f *sessionFlags, do func(sessionstore.Home) error) error {
	store, err := sessionstore.Administer(ctx, f.where)
	if err != nil {
		return storeProblem(f.where, err)
	}
	defer store.Close()
	if err := do(store); err != nil {
		return storeProblem(f.where, err)
	}
	return nil
}

// unreadable says how many rows and tickets are sealed with keys that a file does not hold; ""
// where there are none.
func unreadable(counts map[string]int, names []string, file string) string {
	n := 0
	for name, count := range counts {
		if !slices.Contains(names, name) {
			n += count
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s cannot be read with %s. All servers of a store need the same key file, and the version of the newest.",
		human.Count(n, "row or ticket", "rows and tickets"), file)
}

// forget deletes kept sessions, and says how many. Servers notice when they look next.
func (o operator) forget(ctx context.Context, f *sessionFlags, authorities string) error {
	if f.forget == forgetAll {
		return withStore(ctx, f, func(store sessionstore.Home) error {
			n, err := store.DeleteAll(ctx)
			if err == nil {
				o.sayForgotten(n)
			}
			return err
		})
	}
	owners, err := f.owners(authorities)
	if err != nil {
		return err
	}
	keys, err := sessionstore.OpenKeys(f.keyFile)
	if err != nil {
		return keyFileProblem(err)
	}
	return withStore(ctx, f, func(store sessionstore.Home) error {
		n := 0
		for _, owner := range owners {
			switch err := store.Delete(ctx, sessionstore.Session, keys.ID(owner)); {
			case err == nil:
				n++
			case !errors.Is(err, sessionstore.ErrNoRow):
				return err
			}
		}
		o.sayForgotten(n)
		if n > 0 {
			return nil
		}
		counts, err := store.SealedWith(ctx) // with another key file no row is found
		o.warn(unreadable(counts, keys.Names(), f.keyFile))
		return err
	})
}

func (o operator) sayForgotten(n int) {
	if n == 0 {
		o.say("No session was kept there.")
		return
	}
	o.say("Deleted %s. Connected visitors notice at the next renewal.", human.Count(n, "session", "sessions"))
}

// owners are whom the flag names.
func (f *sessionFlags) owners(authorities string) ([]sessionstore.Owner, error) {
	id, certificate := strings.CutPrefix(f.forget, forgetID)
	if !certificate {
		return []sessionstore.Owner{{Fingerprint: f.forget}}, nil
	}
	fingerprints, err := sshd.ReadAuthorities(authorities)
	if err != nil {
		return nil, problem.BadUsage(err.Error(), "")
	}
	var owners []sessionstore.Owner
	for _, fingerprint := range fingerprints {
		owners = append(owners, sessionstore.Owner{KeyID: id, Authority: fingerprint})
	}
	return owners, nil
}
