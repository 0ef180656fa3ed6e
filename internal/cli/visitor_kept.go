package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/internal/config"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sshd"
	"gatehouse/session"
	"gatehouse/ui"
	"gatehouse/ui/signin"
)

// keeping is what a connection has to do with kept sessions: the vault of its key, or why it
// has none.
type keeping struct {
	vault   *sessionstore.Vault
	row     func(context.Context) (sessionstore.Row, error) // of the owner
	owner   string                                          // what messages call whom the session is kept for
	key     signin.Key                                      // the same for the UI
	refusal error                                           // a *[problem.Error]; nil with a vault
}

// keepingOf is what can be kept for a connection that signs in to a profile.
func (s *sharedByVisitors) keepingOf(c *sshd.Connection, p *config.Profile) keeping {
	if !s.kept {
		return keeping{refusal: errNoStore}
	}
	owner, err := ownerOf(c)
	if err != nil {
		return keeping{refusal: err}
	}
	name := "the key " + owner.Fingerprint
	if owner.KeyID != "" {
		name = fmt.Sprintf("the certificate %q", safetext.Clip(owner.KeyID, maxKeyID))
	}
	row := func(ctx context.Context) (sessionstore.Row, error) { return s.store.Load(ctx, s.keys.ID(owner)) }
	vault := sessionstore.NewVault(sessionstore.VaultOptions{
		Store: s.store, Keys: s.keys, Kind: s.storeKind, Owner: owner, Profile: p, Seen: s.seen, Patience: s.patience, Metrics: s.metrics,
		Warn: func(op string, err error) {
			c.Log.Warn("session store", slog.String("op", op), slog.String("error", err.Error()))
		},
	})
	return keeping{vault: vault, row: row, owner: name, key: signin.Key(owner)}
}

// maxKeyID is the width of a key id in messages, in cells.
const maxKeyID = 64

// ownerOf is whom sessions of a connection are kept for: who has proved to hold a key, which
// nobody has done who was let in without one.
func ownerOf(c *sshd.Connection) (sessionstore.Owner, error) {
	switch {
	case c.Fingerprint == "":
		return sessionstore.Owner{}, errNoKey
	case c.Certificate == nil:
		return sessionstore.Owner{Fingerprint: c.Fingerprint}, nil
	case c.Certificate.KeyID == "":
		return sessionstore.Owner{}, errNoKeyID
	default:
		return sessionstore.Owner{KeyID: c.Certificate.KeyID, Authority: c.Certificate.Authority}, nil
	}
}

// signInEach says how to sign in without a kept session.
const signInEach = "Sign in with the command: `--username EMAIL` asks for the password where ssh has a terminal (`ssh -t`), and reads it from standard input with `--password-stdin`."

// Why nothing can be kept for a connection.
var (
	errNoStore = usage("nothing is kept between connections to this server", signInEach)
	errNoKey   = usage("a session is kept for a key, and this connection was opened without one", signInEach)
	errNoKeyID = usage("a session is kept for the key id of a certificate, and yours has none", signInEach)
)

// openVault opens the vault of the key. Where there is none, or a command signs in for itself,
// the session ends with the connection.
func (v *visitor) openVault(context.Context, session.VaultOptions) (session.Vault, string, error) {
	if v.kept.vault == nil || v.login.username != "" {
		return session.NewMemoryVault(), "", nil
	}
	return v.kept.vault, "", nil
}

// showIn gives the UI what it needs to keep a session and the place where it was left.
func (k keeping) showIn(o *ui.Options) {
	if k.vault != nil {
		o.Key, o.Places = &k.key, k.vault
	}
}

// restore restores the kept session.
func (k keeping) restore(ctx context.Context, s *session.Session) error {
	if k.vault == nil {
		return &problem.Error{Problem: problem.Problem{Kind: problem.SignIn, Sentence: "not signed in: " + k.refusal.Error(), Hint: signInEach}}
	}
	err := s.Restore(ctx)
	if errors.Is(err, session.ErrSignedOut) {
		return &problem.Error{Problem: problem.Problem{
			Kind:     problem.SignIn,
			Sentence: "not signed in: no session is kept for " + k.owner,
			Hint:     hintKeep + " " + signInEach,
		}}
	}
	return notRestored(err)
}

// notRestored says that signing in is needed where a row cannot be used: it is that of another
// service, or was changed by somebody.
func notRestored(err error) error {
	if !errors.Is(err, session.ErrForged) {
		return err
	}
	p := problem.Describe(err, problem.Screen)
	p.Kind, p.Hint = problem.SignIn, hintKeep
	return &problem.Error{Problem: p}
}

// hintKeep says how to have a session kept.
const hintKeep = "`ssh -t HOST login --username EMAIL --keep` signs in and keeps the session for the commands and the UI."

// tryKept opens the vault for a sign-in whose session is to be kept, which is tried before the
// password is asked for.
func (a *app) tryKept(keep bool) vaultOpener {
	return func(ctx context.Context, _ *config.Profile) (session.Vault, string, error) {
		k := a.visitor.kept
		switch {
		case k.vault == nil:
			return nil, "", k.refusal
		case !keep:
			return nil, "", usage("the session would end with this command", "Use `--keep` to have it kept for "+k.owner+".")
		}
		return k.vault, "", k.vault.Try(ctx, true)
	}
}

// reportKept says whose session is kept for whom, and until when.
func (a *app) reportKept(s session.Status) {
	until := ""
	if !s.RefreshEndsAt.IsZero() {
		until = ", until " + human.Time(s.RefreshEndsAt, time.UTC) + " UTC"
	}
	a.say("Signed in as %s. The session is kept for %s%s.", s.Username, a.visitor.kept.owner, until)
}

// openKept opens the service with the vault of the key, where a session can be kept for it.
func (a *app) openKept(ctx context.Context) (*work, error) {
	if k := a.visitor.kept; k.vault == nil {
		return nil, k.refusal
	}
	return a.open(ctx, a.savedVault)
}

// logoutAsVisitor deletes the session that is kept for the key, even one that cannot be read.
func (a *app) logoutAsVisitor(ctx context.Context) error {
	k := a.visitor.kept
	w, err := a.openKept(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	_, err = k.vault.Load(ctx)
	none := errors.Is(err, session.ErrNoRecord)
	err = w.service.Session.SignOut(ctx)
	if left, is := errors.AsType[*session.NotErasedError](err); is {
		return &problem.Error{Problem: problem.Problem{
			Sentence: problem.Describe(left.Err, problem.Screen).Sentence,
			Hint:     "Until it is deleted, whoever connects with " + k.owner + " can use it. Run `gatehouse logout` again; if that goes on, tell whoever runs this server.",
		}}
	}
	if err != nil {
		return err
	}
	if none {
		a.say("No session was kept for %s.", k.owner)
	} else {
		a.say("Signed out. The session that was kept for %s is deleted.", k.owner)
	}
	return nil
}

// help says in the help how commands know who is signed in.
func (k keeping) help() string {
	if k.vault == nil {
		return "nothing is kept from one connection to the next, so each signs in for itself."
	}
	return "`login --keep` has a session kept for your key, which the UI and the other\ncommands then use; with -u a command signs in for itself."
}

// example is lines of examples for the help.
func (k keeping) example() string {
	if k.vault == nil {
		return ""
	}
	return "  ssh -t HOST login -u ada@harbor.example --keep\n  ssh HOST shares -o csv > shares.csv\n"
}

// adaptLogin makes the command login what it is for visitors.
func (a *app) adaptLogin(cmd *cobra.Command, keep *bool) {
	cmd.Short = "Sign in and have the session kept for your key"
	cmd.Long = `Signs in with an e-mail address and a password, and has the session kept for the key,
or the certificate, that the connection was opened with: for the other commands and the
UI, until it ends or you sign out. What is not given is asked for at the terminal.`
	cmd.Example = `  ssh -t HOST login -u ada@harbor.example --keep
  printf %s "$PASSWORD" | ssh HOST login -u ada@harbor.example --password-stdin --keep`
	cmd.Flags().BoolVar(keep, "keep", false, "keep the session for your key, which is all that this command is for")
}

// adaptLogout makes the command logout what it is for visitors.
func adaptLogout(cmd *cobra.Command) {
	cmd.Short = "Sign out: delete the session that is kept for your key"
	cmd.Long = `Deletes the session that is kept for the key, or the certificate, that the connection
was opened with, even one that can no longer be read. It is not an error if there is
none.`
	cmd.Example = "  ssh HOST logout"
}
