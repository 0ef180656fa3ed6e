package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"gatehouse/internal/config"
	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sshd"
	"gatehouse/session"
)

// Kept is what a connection has to do with kept sessions: the vault of its key, or why it has
// none.
type Kept struct {
	Vault *sessionstore.Vault
	// Row reads the row of the owner.
	Row func(context.Context) (sessionstore.Row, error)
	// Owner is whom the session is kept for, and Name what messages call them.
	Owner sessionstore.Owner
	Name  string
	// Refusal is why there is no vault, a [problem.Error]; nil with one.
	Refusal error
}

// keptFor is what can be kept for a connection that signs in to a profile.
func (s *Visitors) keptFor(c *sshd.Connection, p *config.Profile) Kept {
	if !s.Kept {
		return Kept{Refusal: errNoStore}
	}
	owner, err := ownerOf(c)
	if err != nil {
		return Kept{Refusal: err}
	}
	name := "the key " + owner.Fingerprint
	if owner.KeyID != "" {
		name = fmt.Sprintf("the certificate %q", safetext.Clip(owner.KeyID, maxKeyID))
	}
	row := func(ctx context.Context) (sessionstore.Row, error) {
		return s.Store.Get(ctx, sessionstore.Session, s.Keys.ID(owner))
	}
	vault := sessionstore.NewVault(sessionstore.VaultOptions{
		Store: s.Store, Keys: s.Keys, Kind: s.StoreKind, Owner: owner, Profile: p, Seen: s.Seen, Patience: s.patience, Metrics: s.metrics,
		Warn: func(op string, err error) {
			c.Log.Warn("session store", slog.String("op", op), slog.String("error", err.Error()))
		},
	})
	return Kept{Vault: vault, Row: row, Owner: owner, Name: name}
}

// maxKeyID is the width of a key id in messages, in cells.
const maxKeyID = 64

// ownerOf is whom sessions of a connection are kept for: who has proved to hold a key, which
// nobody has done who was let in without one.
func ownerOf(c *sshd.Connection) (sessionstore.Owner, error) {
	switch {
	case c.Fingerprint == "":
		return sessionstore.Owner{}, errNoKey
	case c.Certificate != nil && c.Certificate.KeyID == "":
		return sessionstore.Owner{}, errNoKeyID
	}
	return ticketOwner(c), nil
}

// signInEach says how to sign in without a kept session.
const signInEach = "Add `--email EMAIL`: with a terminal (`ssh -t`) the command asks for the password, with `--password-stdin` it reads it from standard input."

// Why nothing can be kept for a connection.
var (
	errNoStore = problem.BadUsage("this server keeps no sessions", signInEach)
	errNoKey   = problem.BadUsage("sessions are kept for a key, and this connection was opened without one", signInEach)
	errNoKeyID = problem.BadUsage("sessions are kept for the key id of a certificate, and yours has none", signInEach)
)

// Restore restores the kept session. The error is a [problem.Error] where signing in helps.
func (k Kept) Restore(ctx context.Context, s *session.Session) error {
	if k.Vault == nil {
		return problem.NeedsSignIn("not signed in: "+k.Refusal.Error(), signInEach)
	}
	err := s.Restore(ctx)
	if errors.Is(err, session.ErrSignedOut) {
		return problem.NeedsSignIn("not signed in: no session is kept for "+k.Name, HintKeep+" "+signInEach)
	}
	return NotRestored(err)
}

// NotRestored says that signing in is needed where a row cannot be used: it is that of another
// service, or was changed by somebody.
func NotRestored(err error) error {
	if !errors.Is(err, session.ErrForged) {
		return err
	}
	return problem.NeedsSignIn(problem.Describe(err, problem.Screen).Sentence, HintKeep)
}

// HintKeep says how to have a session kept.
const HintKeep = "`ssh -t HOST login --email EMAIL --keep` signs in and keeps the session for the commands and the UI."
