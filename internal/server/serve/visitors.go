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

// Visitors is what the visitors of a server share.
type Visitors struct {
	*Program
	// ListLimit is how many bytes one list may have; 0 for the default.
	ListLimit int64
	// Lists is the memory for the lists of all visitors.
	Lists lists.Budget
	// Networks are private networks that requests to hosts named by the service may reach.
	Networks []netip.Prefix
	// Store keeps tickets, counts tries and, if KeepsSessions is true, keeps sessions. Keys seal
	// what it keeps. Without KeepsSessions both are in memory.
	Store         sessionstore.Store
	Keys          *sessionstore.Keys
	KeepsSessions bool
	// Vaults are the options that the vaults of all visitors have in common.
	Vaults sessionstore.VaultOptions
	// Staff are the keys of the support desk; nil if there is none.
	Staff *sshd.KeyFile
	// Passwords counts the passwords of all visitors for the metrics.
	Passwords PasswordCounts

	ownStoreOnce sync.Once
	ownStore     *sessionstore.Local // see [Visitors.ownCounter]

	closers []func() // in the order in which things were opened
}

// Close closes what was opened for the visitors. All of them must have left.
func (s *Visitors) Close() {
	for _, closer := range slices.Backward(s.closers) {
		closer()
	}
}

// Visitor is a person who is served over SSH. Their session ends with the connection, unless it
// is kept for their key. It never touches the files of the operator.
type Visitor struct {
	*sshd.Connection
	Profile *config.Profile
	// Demo means that the profile is that of a demo service.
	Demo bool
	Kept Kept
	// Failed is why there is no profile to sign in to; nil if there is one.
	Failed error

	Shared *Visitors // with all other visitors
	// base has the connections to the service, which all visitors share, so that hardly anybody
	// waits for a handshake. It is nil if the visitor has a service of their own.
	base http.RoundTripper
}

const (
	// linger is how long an idle connection to the service is kept open.
	linger = 3 * time.Second
	// sharedConnections is how many connections to one host all visitors share.
	sharedConnections = 64
)

// connectionsTo makes a transport to the service of a profile, for all visitors. As look-ups and
// claims can name hosts, it does not connect to private networks, but for [Visitors.Networks] and
// the hosts in the profile.
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

// ServeProfile returns the handler of connections whose visitors sign in to a profile. demo means
// that the profile is that of a demo service.
func (s *Visitors) ServeProfile(profile *config.Profile, demo bool) sshd.Handler {
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

// ServeOneDemo starts a demo service that runs until [Visitors.Close], and returns the handler of
// connections that all use it. Sessions can be kept, as they are good for the service that issued
// their tokens only; they end with the server.
func (s *Visitors) ServeOneDemo(ctx context.Context) (sshd.Handler, error) {
	server, profile, err := s.StartDemo(context.WithoutCancel(ctx), demo.Options{Now: s.Now})
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, func() { _ = server.Close() })
	return s.ServeProfile(profile, true), nil
}

// ServeOwnDemos returns the handler of connections that each get a demo service of their own.
func (s *Visitors) ServeOwnDemos() sshd.Handler {
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

// ServiceOptions adds what is special about visitors to the options of a service: limits,
// connections that they share, and the counting of passwords, which a demo service does not need.
func (v *Visitor) ServiceOptions(o *session.ServiceOptions) {
	o.Discreet = true
	o.BodyLimit, o.Base, o.Linger = v.Shared.ListLimit, v.base, linger
	if !v.Demo {
		o.Gate = v.admitPassword
	}
}

// Kept is the vault in which the session of a visitor can be kept, or why there is none.
type Kept struct {
	// Vault is nil if there is none.
	Vault *sessionstore.Vault
	// Owner is whom the session is kept for.
	Owner sessionstore.Owner
	// Name is what messages call the owner, such as "the key SHA256:...".
	Name string
	// Refusal says why there is no vault. It is a [problem.Error], and nil with a vault.
	Refusal error
}

// keptFor returns the vault of a connection whose visitor signs in to a profile.
func (s *Visitors) keptFor(c *sshd.Connection, p *config.Profile) Kept {
	switch {
	case !s.KeepsSessions:
		return Kept{Refusal: errNoStore}
	case c.Fingerprint == "": // let in without proving to hold a key
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

const (
	// hintSignIn says how to sign in without a kept session.
	hintSignIn = "Add `--email EMAIL`: with a terminal (`ssh -t`) the command asks for the password, " +
		"with `--password-stdin` it reads it from standard input."
	// hintNoKept says what to do where no session can be kept.
	hintNoKept = "Each command can sign in for itself instead: `ssh -t HOST whoami --email EMAIL`."
)

// Why no session can be kept for a connection.
var (
	errNoStore = problem.BadUsage("this server keeps no sessions", hintNoKept)
	errNoKey   = problem.BadUsage("sessions are kept for a key, and this connection was opened without one", hintNoKept)
	errNoKeyID = problem.BadUsage("sessions are kept for the key id of a certificate, and yours has none", hintNoKept)
)

// Restore restores the kept session. The error is a [problem.Error] if signing in helps.
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

// NotRestored explains the error of restoring a kept session. If its row is that of another
// service, or somebody has changed it, the visitor has to sign in again. Other errors, and nil,
// it returns unchanged.
func NotRestored(err error) error {
	if !errors.Is(err, sessionstore.ErrForged) {
		return err
	}
	return problem.NeedsSignIn(problem.SentenceOf(err), HintKeep)
}

// HintKeep tells a visitor how to have a session kept.
const HintKeep = "`ssh -t HOST login --email EMAIL --keep` signs in and keeps the session " +
	"for the commands and the UI."
