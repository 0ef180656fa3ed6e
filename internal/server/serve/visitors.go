package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/lists"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
)

// Visitors is what the visitors of a server share: the memory for lists, the store of what is
// kept, and the expensive parts of a demo service.
type Visitors struct {
	*Program
	ListLimit int64 // bytes of a list; 0 is the default
	Lists     lists.Budget
	Networks  []netip.Prefix // beside public ones, where hosts may be that the service names
	// Store keeps tickets, counts tries and, where Kept is true, keeps sessions; Keys seal what it
	// keeps. With --sessions memory they are of this process, and sessions end with their connection.
	Store sessionstore.Store
	Keys  *sessionstore.Keys
	Kept  bool
	// Vaults are the options that the vaults of all visitors have in common.
	Vaults sessionstore.VaultOptions
	// Staff are the keys of the support desk, nil where there is none.
	Staff *sshd.KeyFile
	// Passwords counts those of all visitors for the metrics.
	Passwords PasswordCounts

	makeOwn sync.Once
	own     *sessionstore.Local // see [Visitors.ownCounter]

	ends []func()
}

// Close ends what was opened for the visitors, who have left.
func (s *Visitors) Close() {
	for _, end := range slices.Backward(s.ends) {
		end()
	}
}

// Visitor is a person served over SSH: signed in for one connection only, unless the session
// is kept for the key, and nothing of it is kept in the files of whoever runs the server.
type Visitor struct {
	*sshd.Connection
	Profile *config.Profile
	// Demo is true if the profile is of a demo service.
	Demo bool
	Kept Kept
	// Failed is why there is no profile to sign in to; nil: there is.
	Failed error

	Shared *Visitors // with the other visitors
	// base has the connections to the service, which all visitors share: nobody who comes back
	// waits for a handshake. nil: the service is the visitor's own.
	base http.RoundTripper
}

const (
	// linger is how long an idle connection to the service is kept open.
	linger = 3 * time.Second
	// sharedConnections is how many of them are kept for all visitors, to one host.
	sharedConnections = 64
)

// connectionsTo are connections to the service of a profile, for all visitors. A look-up or a
// claim can name a host, so that they do not lead into the server's own network.
func (s *Visitors) connectionsTo(p *config.Profile) http.RoundTripper {
	own := api.OwnHosts(p.AuthURL, p.DomainAuthURL, p.AuthTestURL, p.BaseURL, p.GlobalURL)
	return api.NewBase(api.Options{
		Roots:    p.Roots,
		Now:      s.Now,
		Linger:   linger,
		Parallel: sharedConnections,
		Dial:     api.PublicDialer(s.Networks, own),
	})
}

// To handles connections that sign in to a profile, which may be that of a demo service.
func (s *Visitors) To(profile *config.Profile, demo bool) sshd.Handler {
	base := s.connectionsTo(profile)
	return func(ctx context.Context, c *sshd.Connection) int {
		own := *profile // the UI adds what the visitor gives it
		return s.Run(ctx, &Visitor{
			Connection: c,
			Profile:    &own,
			Demo:       demo,
			Kept:       s.keptFor(c, &own),
			Shared:     s,
			base:       base,
		})
	}
}

// OneDemo handles connections that all get one demo service, until [Visitors.Close]. What a demo
// has issued no other knows, so sessions can be kept between connections only with this one,
// and end with the server.
func (s *Visitors) OneDemo(ctx context.Context) (sshd.Handler, error) {
	server, profile, err := s.StartDemo(context.WithoutCancel(ctx), demo.Options{Now: s.Now})
	if err != nil {
		return nil, err
	}
	s.ends = append(s.ends, func() { _ = server.Close() })
	return s.To(profile, true), nil
}

// OwnDemos handles connections that each get a demo service of their own.
func (s *Visitors) OwnDemos() sshd.Handler {
	return func(ctx context.Context, c *sshd.Connection) int {
		server, profile, err := s.StartDemo(ctx, demo.Options{Now: s.Now})
		if err != nil {
			return s.Run(ctx, &Visitor{Connection: c, Shared: s, Failed: err})
		}
		defer func() { _ = server.Close() }()
		return s.Run(ctx, &Visitor{
			Connection: c,
			Profile:    profile,
			Demo:       true,
			Kept:       Kept{Refusal: errNoStore},
			Shared:     s,
		})
	}
}

// ServiceOptions adds the limits of a visitor to the options of their service.
func (v *Visitor) ServiceOptions(o *session.ServiceOptions) {
	o.Discreet = true
	o.BodyLimit, o.Base, o.Linger = v.Shared.ListLimit, v.base, linger
	if !v.Demo { // which has no password that anybody could guess
		o.Gate = v.admitPassword
	}
}

// Kept is what a connection has to do with kept sessions: the vault of its key, or why it has
// none.
type Kept struct {
	Vault *sessionstore.Vault
	// Owner is whom the session is kept for, and Name what messages call them.
	Owner sessionstore.Owner
	Name  string
	// Refusal is why there is no vault, a [problem.Error]; nil with one.
	Refusal error
}

// keptFor is what can be kept for a connection that signs in to a profile.
func (s *Visitors) keptFor(c *sshd.Connection, p *config.Profile) Kept {
	switch {
	case !s.Kept:
		return Kept{Refusal: errNoStore}
	case c.Fingerprint == "": // nobody has proved to hold a key who was let in without one
		return Kept{Refusal: errNoKey}
	case c.Certificate != nil && c.Certificate.KeyID == "":
		return Kept{Refusal: errNoKeyID}
	}
	owner := ownerOf(c)
	name := "the key " + owner.Fingerprint
	if owner.KeyID != "" {
		const maxWidth = 64
		name = fmt.Sprintf("the certificate %q", safetext.Clip(owner.KeyID, maxWidth))
	}
	o := s.Vaults
	o.Store, o.Keys, o.Owner, o.Profile = s.Store, s.Keys, owner, p
	o.Warn = func(op string, err error) {
		c.Log.Warn("session store", slog.String("op", op), slog.String("error", err.Error()))
	}
	return Kept{Vault: sessionstore.NewVault(o), Owner: owner, Name: name}
}

// hintSignIn says how to sign in without a kept session, hintNoKept what to do in place of keeping one.
const (
	hintSignIn = "Add `--email EMAIL`: with a terminal (`ssh -t`) the command asks for the password, with `--password-stdin` it reads it from standard input."
	hintNoKept = "Each command can sign in for itself instead: `ssh -t HOST whoami --email EMAIL`."
)

// Why nothing can be kept for a connection.
var (
	errNoStore = problem.BadUsage("this server keeps no sessions", hintNoKept)
	errNoKey   = problem.BadUsage("sessions are kept for a key, and this connection was opened without one", hintNoKept)
	errNoKeyID = problem.BadUsage("sessions are kept for the key id of a certificate, and yours has none", hintNoKept)
)

// Restore restores the kept session. The error is a [problem.Error] where signing in helps.
func (k Kept) Restore(ctx context.Context, s *session.Session) error {
	if k.Vault == nil {
		return problem.NeedsSignIn("not signed in: "+k.Refusal.Error(), hintSignIn)
	}
	err := s.Restore(ctx)
	if errors.Is(err, session.ErrSignedOut) {
		return problem.NeedsSignIn("not signed in: no session is kept for "+k.Name, HintKeep+" "+hintSignIn)
	}
	return NotRestored(err)
}

// NotRestored says that signing in is needed where a row cannot be used: it is that of another
// service, or was changed by somebody.
func NotRestored(err error) error {
	if !errors.Is(err, sessionstore.ErrForged) {
		return err
	}
	return problem.NeedsSignIn(problem.SentenceOf(err), HintKeep)
}

// HintKeep says how to have a session kept.
const HintKeep = "`ssh -t HOST login --email EMAIL --keep` signs in and keeps the session for the commands and the UI."
