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
	"syscall"
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
	flags.StringVar(&f.where, "sessions", sessionstore.InMemory, "where sessions of visitors are kept: memory (until they disconnect), a directory (for one server), or postgres://...")
	flags.StringVar(&f.keyFile, "session-key", "", "file with the keys that seal kept sessions; the same for all servers of a store")
	flags.StringVar(&f.newKey, "new-key", "", "create a key file and exit")
	flags.BoolVar(&f.rotate, "rotate-key", false, "add a key to --session-key if the newest is older than a day, count what is sealed with older ones, and exit")
	flags.StringVar(&f.forget, "forget", "", "delete the kept sessions of a key and exit: a fingerprint, id:KEYID of a certificate (with --user-ca), or all")
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
	case f.kept() && access.Anyone:
		return problem.BadUsage("--anyone and --sessions cannot be combined: a session is kept for a key, and with --anyone nobody is identified by one",
			"Use --authorized-keys FILE or --user-ca FILE, or leave --sessions out.")
	case f.kept() && f.keyFile == "":
		return problem.BadUsage("flag --sessions needs a key file to seal sessions",
			"Create one with `gatehouse serve --new-key FILE`, and add --session-key FILE.")
	case !f.kept() && f.keyFile != "":
		return problem.BadUsage("flag --session-key has no effect while sessions end with their connection", "Add --sessions DIR or --sessions postgres://..., or leave it out.")
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
	store, found, err := openStore(ctx, f.where, s.Now)
	if err != nil {
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

// openStore opens a store and finds out how durable it is.
func openStore(ctx context.Context, where string, now func() time.Time) (sessionstore.Home, sessionstore.Durability, error) {
	store, err := sessionstore.Open(ctx, where, now)
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
		return fmt.Sprintf("Kept sessions are in %s, for this server only.", where)
	}
	return fmt.Sprintf("Kept sessions are in %s, for any number of servers.", where)
}

func keyFileProblem(err error) error {
	p := problem.Problem{Kind: problem.Usage, Sentence: err.Error()}
	switch {
	case files.IsNewer(err):
		p.Hint = "Nothing was changed: upgrade gatehouse here as well."
	case errors.Is(err, os.ErrNotExist), errors.Is(err, sessionstore.ErrNotKeyFile):
		p.Hint = "Create one with `gatehouse serve --new-key FILE`, once for all servers of a store, and copy it to them."
	case errors.Is(err, files.ErrReadable), errors.Is(err, files.ErrWritable), errors.Is(err, files.ErrForeignOwner):
		p.Hint = "It must belong to root or to the server's user, with mode 0400, 0600 or, for a group of that user, 0440, in a directory that nobody else can write to. In Kubernetes use defaultMode: 0440 with fsGroup, in podman uid= and mode=0400."
	case errors.Is(err, syscall.EROFS):
		p.Hint = "Use the file itself, not a mounted copy, as a user who can change it."
	case errors.Is(err, os.ErrPermission):
		p.Hint = "Run this as a user who can read it, or give the file to the server's user (65532 in the container image). --rotate-key must also be able to change it and its directory."
	}
	return &problem.Error{Problem: p}
}

// storeProblem explains why a store cannot be used.
func storeProblem(where string, err error) error {
	p := problem.Problem{}
	database := strings.Contains(where, "://")
	if database { // its error says which one, without the rest of the URL
		p.Sentence = fmt.Sprintf("the sessions in PostgreSQL cannot be used: %v", err)
	} else {
		p.Sentence = fmt.Sprintf("the sessions in %s cannot be used: %s", where, strings.TrimPrefix(err.Error(), "open "+where+": "))
	}
	switch {
	case files.IsNewer(err):
		p.Hint = "Nothing was changed or started: upgrade gatehouse here as well. upgrades.md in the documentation has the way back."
	case errors.Is(err, sessionstore.ErrURL):
		p.Kind = problem.Usage
		p.Hint = "Write postgres://USER@HOST[:PORT][,HOST...]/DATABASE[?sslmode=verify-full&sslrootcert=FILE], with special characters percent-encoded. PGPASSFILE names a file with the password."
	case errors.Is(err, sessionstore.ErrNotAlone):
		p.Hint = "Stop that server first, use another directory, or PostgreSQL for more than one server."
	case errors.Is(err, sessionstore.ErrForeignFiles):
		p.Hint = "Use a directory for nothing but sessions; it need not exist. If this is one, make it private with chmod 700."
	case errors.Is(err, files.ErrForeignOwner):
		p.Hint = "Run this as the owner of the directory."
	case errors.Is(err, syscall.ENOSPC):
		p.Hint = "The disk is full: free some space, or use a directory on another one."
	case database && strings.Contains(err.Error(), "read only connection"):
		p.Hint = "It is a read-only standby: name all servers of the cluster, postgres://HOST,HOST,HOST/DATABASE."
	case errors.Is(err, sessionstore.ErrCertificate):
		p.Hint = "Use the host names in the certificate, and name its authority with sslrootcert=FILE. Replace an expired certificate at the database. Nothing was sent."
	case errors.Is(err, sessionstore.ErrRefused):
		p.Hint = "The database refuses this user: check pg_hba.conf there, and here the user in the URL, PGPASSFILE, or sslcert and sslkey."
	case database:
		p.Hint = "Check that the database runs, and that `psql` reaches it with the same URL as the same user. The server does not fall back to another store."
	case errors.Is(err, os.ErrNotExist):
		p.Hint = "Name the directory that the server uses. A server creates it in an existing directory."
	default:
		p.Hint = "Use a directory that the server's user can write to, or --sessions memory."
	}
	return &problem.Error{Problem: p}
}
