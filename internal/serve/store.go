package serve

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"
	"github.com/spf13/cobra"

	"gatehouse/internal/files"
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
	flags.StringVar(&f.where, "sessions", sessionstore.InMemory, "`STORE` that keeps visitors' sessions: memory (until they disconnect), a directory (for one server), or postgres://...")
	flags.StringVar(&f.keyFile, "session-key", "", "`FILE` with the keys that seal kept sessions; the same file for all servers that share a store")
	flags.StringVar(&f.newKey, "new-key", "", "create the key file `FILE`, and exit")
	flags.BoolVar(&f.rotate, "rotate-key", false, "add a key to --session-key if the newest is older than a day, count the rows sealed with older keys, and exit")
	flags.StringVar(&f.forget, "forget", "", "delete the kept sessions of `KEY`, and exit: a fingerprint, id:KEYID of a certificate (with --user-ca), or all")
}

// kept reports whether sessions outlive their connection.
func (f *sessionFlags) kept() bool { return f.where != sessionstore.InMemory }

// ends reports whether the command does something and ends.
func (f *sessionFlags) ends() bool { return f.newKey != "" || f.rotate || f.forget != "" }

const hintSessions = "Use memory, a directory as a path such as /var/lib/gatehouse/sessions or ./sessions, or postgres://USER@HOST/DATABASE."

// refuse refuses flags that contradict each other.
func (f *sessionFlags) refuse(access sshd.Access) error {
	named := sessionstore.Named(f.where)
	switch {
	case errors.Is(named, sessionstore.ErrPassword):
		return problem.BadUsage("flag --sessions contains a password, which others on this machine can read",
			"Leave it out, and use PGPASSFILE, a service file (PGSERVICEFILE) or a client certificate (sslcert, sslkey).")
	case named != nil:
		// It is not repeated: it may be a URL that holds a password.
		return problem.BadUsage("flag --sessions names no store: "+named.Error(), hintSessions)
	case f.newKey != "" && (f.rotate || f.forget != "" || f.keyFile != ""), f.rotate && f.forget != "":
		return problem.BadUsage("--new-key, --rotate-key and --forget cannot be combined", "Use one at a time, and --new-key without --session-key.")
	case f.newKey != "":
		return nil
	case f.rotate && f.keyFile == "":
		return problem.BadUsage("flag --rotate-key needs the file whose key it replaces", "Add --session-key FILE, and --sessions to see what is still sealed with older keys.")
	case f.rotate:
		return nil
	case f.forget != "" && !f.kept():
		return problem.BadUsage("flag --forget needs the place where sessions are kept", "Add --sessions DIR or --sessions postgres://..., as the servers have it.")
	case f.forget != "" && f.forget != forgetAll && f.keyFile == "":
		return problem.BadUsage("flag --forget needs the key file, which names the rows", "Add --session-key FILE, as the servers have it.")
	case f.forget != "":
		return f.refuseForget(access)
	case f.kept() && f.keyFile == "":
		return problem.BadUsage("flag --sessions needs a key file to seal sessions",
			"Create one with `gatehouse serve --new-key FILE`, and add --session-key FILE.")
	case !f.kept() && f.keyFile != "":
		return problem.BadUsage("flag --session-key has no effect while sessions end with their connection", "Add --sessions DIR or --sessions postgres://..., or leave out --session-key.")
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
		return problem.BadUsage("flag --forget names a certificate without its key id", "Use --forget id:KEYID; `ssh-keygen -L -f CERTIFICATE` shows it.")
	case certificate && access.UserCA == "":
		return problem.BadUsage("flag --forget names a certificate, whose row depends on its authority", "Add --user-ca FILE, as the servers have it.")
	case certificate || isFingerprint(f.forget):
		return nil
	default:
		return problem.BadUsage(fmt.Sprintf("flag --forget is %q", f.forget), "Use a fingerprint as `ssh-keygen -l -f KEY` shows it (SHA256:...), id:KEYID, or all.")
	}
}

// isFingerprint reports whether a text is the fingerprint of a key, as ssh shows it.
func isFingerprint(text string) bool {
	encoded, is := strings.CutPrefix(text, "SHA256:")
	sum, err := base64.RawStdEncoding.Strict().DecodeString(encoded)
	return is && err == nil && len(sum) == 32
}

// openSessions gives the visitors of a server their store and its keys.
func (s *Visitors) openSessions(ctx context.Context, f *sessionFlags, operator operator, o *sshd.Options) error {
	keys := sessionstore.NewKeys()
	if f.kept() {
		var err error
		if keys, err = sessionstore.OpenKeys(f.keyFile); err != nil {
			return keyFileProblem(err)
		}
		log := o.Log
		keys.Warn = func(err error) { log.Error("using the previous keys", "error", err.Error()) }
	}
	ctx, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	store, err := sessionstore.Open(ctx, f.where, s.Now)
	if err != nil {
		return storeProblem(f.where, err)
	}
	found, err := store.Check(ctx)
	if err != nil {
		_ = store.Close()
		return storeProblem(f.where, err)
	}
	s.ends = append(s.ends, func() { _ = store.Close() }, sessionstore.SweepNowAndThen(store))
	s.Store, s.Keys, s.Kept, s.StoreKind, s.Seen = store, keys, f.kept(), found.Kind, sessionstore.NewSeen()
	s.metrics = sessionstore.NewMetrics(found.Kind)
	if found.Kind == "postgres" {
		s.patience = databasePatience
	}
	s.Desk = sessionstore.Desk{Store: s.Store, Keys: s.Keys, Now: s.Now}
	o.OtherMetrics = append(o.OtherMetrics, s.metrics.WriteMetrics, func(w io.Writer) {
		metrics.WriteCounterUint64(w, "gatehouse_ssh_wrong_passwords_total", s.WrongPasswords.Load())
	})
	if !f.kept() {
		return nil
	}
	operator.tell(slog.LevelInfo, "sessions are kept", fmt.Sprintf("%s They are sealed with the key %s of %s.", keptIn(found, f.where), keys.Current(), f.keyFile),
		"store", found.Kind, "key", keys.Current())
	if counts, err := store.SealedWith(ctx); err == nil {
		if sentence := unreadable(counts, keys.Names(), f.keyFile); sentence != "" {
			operator.tell(slog.LevelWarn, "sessions cannot be read", sentence)
		}
	}
	for _, warning := range found.Warnings {
		operator.tell(slog.LevelWarn, "sessions can be lost", warning)
	}
	return nil
}

// databasePatience is how long a connection waits for a database that is away: as long as one
// usually takes to fail over, and not so long that a person gives up.
const databasePatience = 8 * time.Second

// keptIn says where sessions are kept.
func keptIn(found sessionstore.Durability, where string) string {
	if found.Kind == "directory" {
		return fmt.Sprintf("Kept sessions are in %s, for this server only.", where)
	}
	return fmt.Sprintf("Kept sessions are in %s, for any number of servers.", where)
}

func keyFileProblem(err error) error {
	hint := "It must belong to root or to the server's user, with mode 0400, 0600 or, for a group of that user, 0440, in a directory that nobody else can write to. --rotate-key must be able to change both."
	switch {
	case files.IsNewer(err):
		hint = "Nothing was changed: upgrade gatehouse here as well."
	case errors.Is(err, os.ErrNotExist), errors.Is(err, sessionstore.ErrNotKeyFile):
		hint = "Create one with `gatehouse serve --new-key FILE`, once for all servers that share the store, and copy it to them."
	}
	return problem.BadUsage(err.Error(), hint)
}

// storeHints say what to do about errors of a store.
var storeHints = []struct {
	err  error
	hint string
}{
	{sessionstore.ErrURL, "Write postgres://USER@HOST[:PORT][,HOST...]/DATABASE[?sslmode=verify-full&sslrootcert=FILE], with special characters percent-encoded. PGPASSFILE names a file with the password."},
	{sessionstore.ErrNotAlone, "Stop that server first, use another directory, or PostgreSQL for more than one server."},
	{sessionstore.ErrForeignFiles, "Use a directory for nothing but sessions; it need not exist. If this is one, make it private with chmod 700."},
	{os.ErrNotExist, "Name the directory that the server uses. A server creates it in an existing directory."},
}

// storeProblem explains why a store cannot be used.
func storeProblem(where string, err error) error {
	sentence := fmt.Sprintf("the sessions in %s cannot be used: %s", where, strings.TrimPrefix(err.Error(), "open "+where+": "))
	hint := "Use a directory that the server's user owns, on a disk with room, or --sessions memory."
	if strings.Contains(where, "://") { // its error says which one, without the rest of the URL
		sentence = fmt.Sprintf("the sessions in PostgreSQL cannot be used: %v", err)
		hint = "Check that `psql` reaches it with the same URL as the same user, with PGPASSFILE for a password and sslrootcert=FILE for its authority. Name all servers of a cluster. The server does not fall back to another store."
	}
	for _, known := range storeHints {
		if errors.Is(err, known.err) {
			hint = known.hint
		}
	}
	switch {
	case files.IsNewer(err):
		hint = "Nothing was changed or started: upgrade gatehouse here as well. upgrades.md in the documentation has the way back."
	case errors.Is(err, sessionstore.ErrURL):
		return problem.BadUsage(sentence, hint)
	}
	return problem.New(sentence, hint)
}
