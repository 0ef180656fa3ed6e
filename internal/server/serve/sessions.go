package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/files"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
)

// databasePatience is how long a connection waits for a database that is away: long enough for
// most failovers, and short enough for a person.
const databasePatience = 8 * time.Second

// openSessions opens the store and its keys for all visitors. It tells the operator where
// sessions are kept, and what can be lost there.
func (s *Visitors) openSessions(
	ctx context.Context, f *serveFlags, operator operator, o *sshd.Options,
) (err error) {
	s.KeepsSessions, s.Keys = f.keepsSessions(), sessionstore.NewKeys()
	if s.KeepsSessions {
		if s.Keys, err = sessionstore.OpenKeys(f.sessionKey); err != nil {
			return keyFileProblem(err)
		}
		s.Keys.Warn = func(err error) { o.Log.Error("using the previous keys", "error", err.Error()) }
	}
	durability, err := s.openStore(ctx, f, o)
	if err != nil {
		return storeProblem(f.sessions, err)
	}
	s.Vaults = sessionstore.VaultOptions{
		Kind:    durability.Kind,
		Seen:    sessionstore.NewSeen(),
		Metrics: sessionstore.NewMetrics(durability.Kind),
	}
	if durability.Kind == session.StorePostgres {
		s.Vaults.Patience = databasePatience
	}
	o.OtherMetrics = append(o.OtherMetrics, s.Vaults.Metrics.WriteMetrics, s.Passwords.WriteMetrics)
	if s.KeepsSessions {
		s.tellSessions(ctx, f, operator, durability)
	}
	return nil
}

// openStore opens the store, checks it, and has it swept until [Visitors.Close].
func (s *Visitors) openStore(
	ctx context.Context, f *serveFlags, o *sshd.Options,
) (d sessionstore.Durability, err error) {
	if s.Store, err = sessionstore.Open(ctx, f.sessions, s.Now); err != nil {
		return d, err
	}
	s.closers = append(s.closers, func() { _ = s.Store.Close() })
	if d, err = s.Store.Check(ctx); err != nil {
		return d, err
	}
	s.closers = append(s.closers, sessionstore.SweepNowAndThen(s.Store, func(err error) {
		o.Log.Warn("sweeping is put off", "error", err.Error())
	}))
	return d, nil
}

// tellSessions tells the operator where sessions are kept, and which of them cannot be read or
// can be lost.
func (s *Visitors) tellSessions(
	ctx context.Context, f *serveFlags, operator operator, d sessionstore.Durability,
) {
	key := s.Keys.Current()
	operator.tell(slog.LevelInfo, "sessions are kept",
		fmt.Sprintf("Kept sessions are in %s, sealed with the key %s of %s.", f.sessions, key, f.sessionKey),
		"store", d.Kind, "key", key)
	if counts, err := s.Store.SealedWith(ctx); err == nil {
		if sentence := unreadable(counts, s.Keys.Names(), f.sessionKey); sentence != "" {
			operator.tell(slog.LevelWarn, "sessions cannot be read", sentence)
		}
	}
	for _, warning := range d.Warnings {
		operator.tell(slog.LevelWarn, "sessions can be lost", warning)
	}
}

// administer does what --new-key, --rotate-key or --forget asks for.
func (p *Program) administer(ctx context.Context, f *serveFlags) error {
	if err := f.checkSessions(); err != nil {
		return err
	}
	o := operator{stderr: p.Stderr}
	switch {
	case f.newKey != "":
		return o.createKeyFile(f.newKey)
	case f.rotateKey:
		return o.rotateKey(ctx, f, p.Now())
	}
	return o.forget(ctx, f)
}

// createKeyFile does what --new-key asks for.
func (o operator) createKeyFile(path string) error {
	err := sessionstore.CreateKeyFile(path)
	switch {
	case errors.Is(err, files.ErrExists):
		return problem.BadUsage(fmt.Sprintf("the file %q already exists and was not changed", path),
			"Use another name. A key that is lost or changed makes every kept session unreadable; "+
				"--rotate-key adds a key to a file.")
	case err != nil:
		return problem.New("the key file was not created: "+err.Error(),
			"Use a name in an existing, writable directory.")
	}
	o.say("Created %s. Anyone who has this file and the store can use every session kept there. "+
		"Copy it to all servers of the store and to nobody else, "+
		"and keep it apart from the store's backups.", path)
	return nil
}

// rotateKey does what --rotate-key asks for: it adds a key, and says how much is sealed with each.
func (o operator) rotateKey(ctx context.Context, f *serveFlags, now time.Time) error {
	from, err := sessionstore.RotateKeyFile(f.sessionKey, now)
	if err != nil {
		return keyFileProblem(err)
	}
	keys, err := sessionstore.OpenKeys(f.sessionKey)
	if err != nil {
		return keyFileProblem(err)
	}
	names := keys.Names()
	newest := names[len(names)-1]
	if !from.IsZero() {
		o.say("Added key %s. The servers seal with it from %s on; copy the new %s to all of them before that.",
			newest, from.UTC().Format("15:04:05 MST"), f.sessionKey)
	} else {
		o.say("No key added: the newest, %s, is less than a day old.", newest)
	}
	if !f.keepsSessions() {
		o.say("Add --sessions to see how much is still sealed with older keys.")
		return nil
	}
	return withStore(ctx, f, func(store sessionstore.Store) error {
		counts, err := store.SealedWith(ctx)
		if err != nil {
			return err
		}
		for _, name := range names {
			o.say("Sealed with key %s: %s.", name, human.Count(counts[name], "row or ticket", "rows and tickets"))
		}
		o.say("Delete an older line of %s once nothing is sealed with its key.", f.sessionKey)
		o.warn(unreadable(counts, names, f.sessionKey))
		return nil
	})
}

// forget does what --forget asks for: it deletes kept sessions, and says how many there were.
// Servers notice when they renew one.
func (o operator) forget(ctx context.Context, f *serveFlags) error {
	if f.forget == forgetAll {
		return withStore(ctx, f, func(store sessionstore.Store) error {
			n, err := store.DeleteAll(ctx)
			if err == nil {
				o.sayDeleted(n)
			}
			return err
		})
	}
	owners, err := f.owners()
	if err != nil {
		return err
	}
	keys, err := sessionstore.OpenKeys(f.sessionKey)
	if err != nil {
		return keyFileProblem(err)
	}
	return withStore(ctx, f, func(store sessionstore.Store) error {
		n := 0
		for _, owner := range owners {
			switch err := store.Delete(ctx, sessionstore.Session, keys.ID(owner)); {
			case err == nil:
				n++
			case !errors.Is(err, sessionstore.ErrNoRow):
				return err
			}
		}
		o.sayDeleted(n)
		// With the wrong key file no row is found, and then there are rows that it cannot open.
		if counts, err := store.SealedWith(ctx); err == nil {
			o.warn(unreadable(counts, keys.Names(), f.sessionKey))
		}
		return nil
	})
}

func (o operator) sayDeleted(sessions int) {
	o.say("Deleted %s. Connected visitors notice at the next renewal.",
		human.Count(sessions, "session", "sessions"))
}

// owners returns whose sessions --forget names. For the key id of certificates that is one owner
// for each authority that is trusted.
func (f *serveFlags) owners() ([]sessionstore.Owner, error) {
	id, certificate := strings.CutPrefix(f.forget, forgetID)
	if !certificate {
		return []sessionstore.Owner{{Fingerprint: f.forget}}, nil
	}
	authorities, err := sshd.ReadAuthorities(f.options.Access.UserCA)
	if err != nil {
		return nil, problem.BadUsage(err.Error(), "")
	}
	var owners []sessionstore.Owner
	for _, authority := range authorities {
		owners = append(owners, sessionstore.Owner{KeyID: id, Authority: authority})
	}
	return owners, nil
}

// withStore calls do with the store, opened for an administrator. It explains errors of the store.
func withStore(ctx context.Context, f *serveFlags, do func(sessionstore.Store) error) error {
	store, err := sessionstore.Administer(ctx, f.sessions)
	if err == nil {
		defer store.Close()
		err = do(store)
	}
	if err != nil {
		return storeProblem(f.sessions, err)
	}
	return nil
}

// unreadable says how many rows and tickets are sealed with keys that the key file does not have.
// counts is how many are sealed with each key, and names are the keys in the file. It is empty if
// there are none.
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

// keyFileProblem explains why a key file cannot be used.
func keyFileProblem(err error) error {
	hint := "It must belong to root or to the server's user, with mode 0400, 0600 or, " +
		"for a group of that user, 0440, in a directory that nobody else can write to. " +
		"--rotate-key must be able to change both."
	switch {
	case files.IsNewer(err):
		hint = "Nothing was changed: upgrade gatehouse here as well."
	case errors.Is(err, os.ErrNotExist), errors.Is(err, sessionstore.ErrNotKeyFile):
		hint = "Create one with `gatehouse serve --new-key FILE`, " +
			"once for all servers that share the store, and copy it to them."
	}
	return problem.BadUsage(err.Error(), hint)
}

// storeProblem explains why a store cannot be used.
func storeProblem(where string, err error) error {
	sentence := fmt.Sprintf("the sessions in %s cannot be used: %v", where, err)
	hint := "Use a directory for nothing but sessions, on a disk with room, that only the server's user can read. A server creates it in an existing directory."
	if strings.Contains(where, "://") { // its error says which one, without the rest of the URL
		sentence = fmt.Sprintf("the sessions in PostgreSQL cannot be used: %v", err)
		hint = "Check that `psql` reaches it with the same URL as the same user, with PGPASSFILE for a password and sslrootcert=FILE for its authority. Name all servers of a cluster. The server does not fall back to another store."
	}
	switch {
	case files.IsNewer(err):
		hint = "Nothing was changed or started: upgrade gatehouse here as well. upgrades.md in the documentation has the way back."
	case errors.Is(err, sessionstore.ErrURL):
		return problem.BadUsage(sentence, "Write postgres://USER@HOST[:PORT][,HOST...]/DATABASE[?sslmode=verify-full&sslrootcert=FILE], with special characters percent-encoded. PGPASSFILE names a file with the password.")
	case errors.Is(err, sessionstore.ErrNotAlone):
		hint = "Stop that server first, use another directory, or PostgreSQL for more than one server."
	}
	return problem.New(sentence, hint)
}
