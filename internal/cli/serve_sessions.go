package cli

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/internal/files"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sshd"
)

// sessionFlags are the flags of the command serve about sessions that outlive a connection.
type sessionFlags struct {
	where   string // the store
	keyFile string
	// These do their work and end.
	newKey string
	rotate bool
	forget string
}

// storeLimit bounds opening a store, and what an administrator does with it.
const storeLimit = time.Minute

func (f *sessionFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.where, "sessions", sessionstore.InMemory, "`where` sessions are kept that visitors want kept: memory (until they disconnect), a directory for this server alone, or postgres://...")
	flags.StringVar(&f.keyFile, "session-key", "", "`file` with the keys that seal what is kept; all servers of a store have the same")
	flags.StringVar(&f.newKey, "new-key", "", "make such a `file`, and end")
	flags.BoolVar(&f.rotate, "rotate-key", false, "add a key to --session-key if the newest is older than a day, say how much in --sessions is still sealed with older ones, and end")
	flags.StringVar(&f.forget, "forget", "", "delete what is kept in --sessions for a key, and end: a `fingerprint`, id:KEYID of a certificate (with --user-ca), or all")
}

// kept reports whether sessions outlive their connection.
func (f *sessionFlags) kept() bool { return f.where != sessionstore.InMemory }

// ends reports whether the command does something and ends.
func (f *sessionFlags) ends() bool { return f.newKey != "" || f.rotate || f.forget != "" }

const hintSessions = "Use memory, a directory as a path such as /var/lib/gatehouse/sessions, or postgres://USER@HOST/DATABASE."

// refuse refuses flags that contradict each other.
func (f *sessionFlags) refuse(access sshd.Access) error {
	named := sessionstore.Named(f.where)
	switch {
	case errors.Is(named, sessionstore.ErrPassword):
		return usage("flag --sessions holds a password, which others on this machine can read",
			"Leave it out, and use PGPASSFILE, a service file (PGSERVICEFILE) or a client certificate (sslcert, sslkey).")
	case named != nil:
		// It is not repeated: it may be a URL that holds a password.
		return usage("flag --sessions names no store: "+named.Error(), hintSessions)
	case f.newKey != "" && (f.rotate || f.forget != "" || f.keyFile != ""), f.rotate && f.forget != "":
		return usage("flags --new-key, --rotate-key and --forget each do one thing and end", "Use one of them at a time; --new-key goes without --session-key.")
	case f.newKey != "":
		return nil
	case f.rotate && f.keyFile == "":
		return usage("flag --rotate-key needs the file whose key it replaces", "Add --session-key FILE, and --sessions to see what is still sealed with older keys.")
	case f.rotate:
		return nil
	case f.forget != "" && !f.kept():
		return usage("flag --forget needs the place where sessions are kept", "Add --sessions DIR or --sessions postgres://..., as the servers have it.")
	case f.forget != "" && f.forget != forgetAll && f.keyFile == "":
		return usage("flag --forget needs the key file, without which nobody can tell whose row is whose", "Add --session-key FILE, as the servers have it.")
	case f.forget != "":
		return f.refuseForget(access)
	case f.kept() && f.keyFile == "":
		return usage("flag --sessions needs a key file: nothing is kept unsealed",
			"Make one with `gatehouse serve --new-key FILE`, and add --session-key FILE.")
	case !f.kept() && f.keyFile != "":
		return usage("flag --session-key is of no use while sessions end with their connection", "Add --sessions DIR or --sessions postgres://..., or leave it out.")
	default:
		return nil
	}
}

const (
	forgetAll = "all"
	forgetID  = "id:" // and the key id of certificates
)

func (f *sessionFlags) refuseForget(access sshd.Access) error {
	id, certificate := strings.CutPrefix(f.forget, forgetID)
	switch {
	case f.forget == forgetAll:
		return nil
	case certificate && id == "":
		return usage("flag --forget names a certificate without its key id", "Use --forget id:KEYID; `ssh-keygen -L -f CERTIFICATE` shows it.")
	case certificate && access.UserCA == "":
		return usage("flag --forget names a certificate, whose row depends on its authority", "Add --user-ca FILE, as the servers have it.")
	case certificate || isFingerprint(f.forget):
		return nil
	default:
		return usage(fmt.Sprintf("flag --forget is %q", f.forget), "Use a fingerprint as `ssh-keygen -l -f KEY` shows it (SHA256:...), id:KEYID, or all.")
	}
}

// isFingerprint reports whether a text is the fingerprint of a key, as ssh shows it.
func isFingerprint(text string) bool {
	encoded, is := strings.CutPrefix(text, "SHA256:")
	sum, err := base64.RawStdEncoding.Strict().DecodeString(encoded)
	return is && err == nil && len(sum) == 32
}

// runAndEnd does what --new-key, --rotate-key or --forget ask for.
func (a *app) runAndEnd(ctx context.Context, f *serveFlags) error {
	ctx, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	if err := f.sessions.refuse(f.options.Access); err != nil {
		return err
	}
	switch s := &f.sessions; {
	case s.newKey != "":
		return a.makeKeyFile(s.newKey)
	case s.rotate:
		return a.rotateKey(ctx, s)
	default:
		return a.forgetSessions(ctx, s, f.options.Access.UserCA)
	}
}

func (a *app) makeKeyFile(path string) error {
	err := sessionstore.CreateKeyFile(path)
	switch {
	case errors.Is(err, files.ErrExists):
		return usage(fmt.Sprintf("there is a file %q already, which stays as it is", path),
			"Use another name. A key that is lost or changed makes every kept session unreadable; --rotate-key adds a key to a file.")
	case err != nil:
		return &problem.Error{Problem: problem.Problem{Sentence: "the key file was not made: " + err.Error(), Hint: "Use a name in a directory that exists, and that you may write to."}}
	}
	a.say("%s is made. Whoever has it and the store can act for everybody who has a session there: keep it away from the store's backups, give it to all servers of the store, and to nobody else.", path)
	return nil
}

// rotateKey adds a key, and says what is sealed with which.
func (a *app) rotateKey(ctx context.Context, f *sessionFlags) error {
	made, from, err := sessionstore.RotateKeyFile(f.keyFile, a.env.Now())
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
		a.say("Key %s is added. The servers seal with it from %s on: all of them need the new %s before.", newest, from.UTC().Format("15:04:05 MST"), f.keyFile)
	} else {
		a.say("No key is added: the newest, %s, is younger than a day.", newest)
	}
	if !f.kept() {
		a.say("Add --sessions to see how much is still sealed with older keys.")
		return nil
	}
	store, err := sessionstore.Administer(ctx, f.where)
	if err != nil {
		return storeProblem(f.where, err)
	}
	defer store.Close()
	counts, err := store.SealedWith(ctx)
	if err != nil {
		return storeProblem(f.where, err)
	}
	for _, sentence := range sealedSentences(counts, names, keys.Current(), f.keyFile) {
		a.say("%s", sentence)
	}
	return nil
}

// sealedSentences say how many rows and tickets are sealed with older keys than the current.
func sealedSentences(counts map[string]int, names []string, current, file string) []string {
	older := 0
	var which []string
	position := slices.Index(names, current)
	for name, n := range counts {
		if at := slices.Index(names, name); at >= 0 && at < position {
			older += n
			which = append(which, fmt.Sprintf("%s: %s", name, human.Number(n)))
		}
	}
	slices.Sort(which)
	var all []string
	switch {
	case older > 0:
		all = append(all, fmt.Sprintf("Still sealed with older keys than %s: %s rows and tickets (%s). Each is sealed anew when its session is renewed, or ends.",
			current, human.Number(older), strings.Join(which, ", ")))
	case position > 0:
		all = append(all, fmt.Sprintf("Nothing is sealed with an older key than %s any more: the lines of older ones may be deleted from %s.", current, file))
	default:
		all = append(all, fmt.Sprintf("Nothing is sealed with an older key than %s.", current))
	}
	if sentence := unreadable(counts, names, file); sentence != "" {
		all = append(all, sentence)
	}
	return all
}

// unreadable says how many rows and tickets are sealed with keys that a file does not hold,
// and nothing where there are none.
func unreadable(counts map[string]int, names []string, file string) string {
	unknown := 0
	for name, n := range counts {
		if !slices.Contains(names, name) {
			unknown += n
		}
	}
	if unknown == 0 {
		return ""
	}
	return fmt.Sprintf("%s rows and tickets are sealed with keys that %s does not hold: nobody can read them here.", human.Number(unknown), file)
}

// forgetSessions deletes rows, and says how many. Servers notice when they look next.
func (a *app) forgetSessions(ctx context.Context, f *sessionFlags, authorities string) error {
	owners, err := f.owners(authorities)
	if err != nil {
		return err
	}
	var keys *sessionstore.Keys
	if f.forget != forgetAll {
		if keys, err = sessionstore.OpenKeys(f.keyFile); err != nil {
			return keyFileProblem(err)
		}
	}
	store, err := sessionstore.Administer(ctx, f.where)
	if err != nil {
		return storeProblem(f.where, err)
	}
	defer store.Close()
	n := 0
	if f.forget == forgetAll {
		n, err = store.DeleteAll(ctx)
	} else {
		n, err = forgetOwners(ctx, store, keys, owners)
	}
	if err != nil {
		return storeProblem(f.where, err)
	}
	switch n {
	case 0:
		a.say("Nothing was kept there.")
		return a.warnOfKeyFile(ctx, store, keys, f)
	case 1:
		a.say("One session is forgotten. Whoever is connected with it notices when it is renewed.")
	default:
		a.say("%s sessions are forgotten. Whoever is connected with one notices when it is renewed.", human.Number(n))
	}
	return nil
}

// warnOfKeyFile says that the store has rows of another key file: with the wrong one a row
// is not found that is there.
func (a *app) warnOfKeyFile(ctx context.Context, store sessionstore.Store, keys *sessionstore.Keys, f *sessionFlags) error {
	if keys == nil {
		return nil
	}
	counts, err := store.SealedWith(ctx)
	if err != nil {
		return storeProblem(f.where, err)
	}
	if sentence := unreadable(counts, keys.Names(), f.keyFile); sentence != "" {
		a.warn(sentence + " " + useTheSameKeyFile)
	}
	return nil
}

// useTheSameKeyFile is what to do about rows of another key file.
const useTheSameKeyFile = "All servers of a store need the same key file."

// owners are whom the flag names.
func (f *sessionFlags) owners(authorities string) ([]sessionstore.Owner, error) {
	id, certificate := strings.CutPrefix(f.forget, forgetID)
	switch {
	case f.forget == forgetAll:
		return nil, nil
	case !certificate:
		return []sessionstore.Owner{{Fingerprint: f.forget}}, nil
	}
	fingerprints, err := sshd.ReadAuthorities(authorities)
	if err != nil {
		return nil, &problem.Error{Problem: problem.Problem{Kind: problem.Usage, Sentence: err.Error()}}
	}
	var owners []sessionstore.Owner
	for _, fingerprint := range fingerprints {
		owners = append(owners, sessionstore.Owner{KeyID: id, Authority: fingerprint})
	}
	return owners, nil
}

func forgetOwners(ctx context.Context, store sessionstore.Store, keys *sessionstore.Keys, owners []sessionstore.Owner) (n int, err error) {
	for _, owner := range owners {
		id := keys.ID(owner)
		_, err := store.Load(ctx, id)
		if errors.Is(err, sessionstore.ErrNoRow) {
			continue
		}
		if err := store.Delete(ctx, id); err != nil { // also one that cannot be read
			return n, err
		}
		n++
	}
	return n, nil
}

// openSessions gives the visitors of a server their store and its keys.
func (a *app) openSessions(ctx context.Context, s *sharedByVisitors, f *sessionFlags, o *sshd.Options) error {
	keys := sessionstore.NewKeys()
	if f.kept() {
		var err error
		if keys, err = sessionstore.OpenKeys(f.keyFile); err != nil {
			return keyFileProblem(err)
		}
		log := o.Log
		keys.Warn = func(err error) { log.Error("the keys that were read before are used", "error", err.Error()) }
	}
	ctx, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	store, found, err := a.openStore(ctx, f.where)
	if err != nil {
		return storeProblem(f.where, err)
	}
	measured := sessionstore.NewMeasured(store, found.Kind)
	s.store, s.keys, s.kept, s.storeKind, s.seen = measured, keys, f.kept(), found.Kind, sessionstore.NewSeen()
	if found.Kind == inPostgres {
		s.patience = databasePatience
	}
	o.Collectors = append(o.Collectors, measured)
	if !f.kept() {
		return nil
	}
	a.say("%s They are sealed with the key %s of %s.", keptIn(found, f.where), keys.Current(), f.keyFile)
	if o.Access.Anyone {
		a.warn("With --anyone ssh shows no key, and sessions are kept for a key: nobody can keep one.")
	}
	o.Log.Info("sessions are kept", "store", found.Kind, "key", keys.Current())
	if counts, err := store.SealedWith(ctx); err == nil {
		if sentence := unreadable(counts, keys.Names(), f.keyFile); sentence != "" {
			a.warn(sentence + " " + useTheSameKeyFile)
			o.Log.Warn("sessions cannot be read", slog.String("warning", sentence))
		}
	}
	for _, warning := range found.Warnings {
		a.warn(warning)
		o.Log.Warn("sessions can be lost", slog.String("warning", warning))
	}
	return nil
}

// databasePatience is how long a connection waits for a database that is away: as long as one
// usually takes to fail over, and not so long that a person gives up.
const databasePatience = 8 * time.Second

// openStore opens a store and finds out how durable it is.
func (a *app) openStore(ctx context.Context, where string) (sessionstore.Store, sessionstore.Durability, error) {
	if where == sessionstore.InMemory {
		return sessionstore.NewMemory(a.env.Now), sessionstore.Durability{Kind: where}, nil
	}
	store, err := sessionstore.Open(ctx, where)
	if err != nil {
		return nil, sessionstore.Durability{}, err
	}
	found, err := store.Check(ctx)
	if err != nil {
		_ = store.Close()
	}
	return store, found, err
}

// keptIn says where sessions are kept.
func keptIn(found sessionstore.Durability, where string) string {
	if found.Kind == "directory" {
		return fmt.Sprintf("Sessions that visitors want kept are in %s, for this server alone.", where)
	}
	return fmt.Sprintf("Sessions that visitors want kept are in %s, for any number of servers.", where)
}

func keyFileProblem(err error) error {
	p := problem.Problem{Kind: problem.Usage, Sentence: err.Error()}
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, sessionstore.ErrNotKeyFile):
		p.Hint = "Make one with `gatehouse serve --new-key FILE`, once for all servers of a store, and copy it to them."
	case errors.Is(err, files.ErrReadable), errors.Is(err, files.ErrWritable), errors.Is(err, files.ErrForeignOwner):
		p.Hint = "It has to belong to root or to the user of the server, with mode 0400, 0600 or, for a group of that user, 0440; nobody else may write to its directory. For a secret of Kubernetes that is defaultMode: 0440 beside fsGroup, for one of podman uid= and mode=0400."
	case errors.Is(err, syscall.EROFS), errors.Is(err, os.ErrPermission):
		p.Hint = "Use the file itself, not a mounted copy, as a user who may change it."
	}
	return &problem.Error{Problem: p}
}

// storeProblem explains why a store cannot be used.
func storeProblem(where string, err error) error {
	database := strings.Contains(where, "://")
	if database {
		where = "the database" // a URL that cannot be read may hold a password
	}
	p := problem.Problem{Sentence: fmt.Sprintf("the sessions in %s cannot be used: %v", where, err)}
	switch {
	case errors.Is(err, sessionstore.ErrNotAlone):
		p.Hint = "End that server first, use another directory, or PostgreSQL for more than one server."
	case errors.Is(err, sessionstore.ErrForeignFiles):
		p.Hint = "Use a directory that is for sessions alone, which need not exist; if this one is, make it private with chmod 700."
	case errors.Is(err, files.ErrForeignOwner):
		p.Hint = "Run this as the user that the directory belongs to."
	case database:
		p.Hint = "Check that the database runs and that `psql` reaches it with the same URL as the same user. Nothing was started: without the store nobody could stay signed in."
	default:
		p.Hint = "Use a directory that the user of the server may write to, or --sessions memory."
	}
	return &problem.Error{Problem: p}
}
