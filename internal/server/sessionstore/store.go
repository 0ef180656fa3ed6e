// Package sessionstore keeps the sessions of visitors of a served UI between connections, the
// place where each visitor was, and the tickets of the support desk. A [Store] holds sealed
// rows that it cannot read: [Local] in memory or in a directory for one server, [Postgres] for
// any number of servers. [Keys] seal the rows. [Vault] makes the row of one visitor a
// [session.Vault].
//
// Refresh tokens rotate: if two servers send the same one, the session ends. A server claims
// the row before it sends the token, in one conditional change that is durable before the
// request goes out. The claim ends when the server has saved the successor, when it releases
// the claim because nothing was sent, or at its deadline by the clock of the store. After the
// deadline another server may send the token once more; in a directory of this machine at once, if
// the server with the claim has ended. The token is then in doubt, and the ledger says so before
// it is sent.
package sessionstore

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"gatehouse/session"
)

// ID names a row without revealing whose it is: an HMAC, see [Keys.ID].
type ID [32]byte

// Owner is whom a row belongs to: the holder of a key, or of certificates that an authority has
// issued under a key id. The row of the latter is bound to the authority and the key id, as each
// certificate may be for another key.
type Owner = session.Key

// Kind is a kind of rows.
type Kind int

const (
	// Session is a kept session, with its place.
	Session Kind = iota
	// Place is the place in a session alone. It can be put while the session is claimed, and is
	// deleted with the session.
	Place
	// Ticket is the result of a check. It is put once, and cannot be read after its end.
	Ticket
)

// Row is a row of a store. A ticket has only Kind, ID, Sealed and Ends.
type Row struct {
	Kind       Kind
	ID         ID
	Generation uint64 // 1 or more; increases by one with each change of Sealed
	// Claimed is the deadline of the row's claim by the clock of the store; zero without a claim.
	Claimed time.Time
	Sealed  []byte // what [Keys.Seal] returned
	Place   []byte // sealed as well; empty if there is none
	// Ends is when the row may be deleted. From then on a session cannot be renewed.
	Ends time.Time
	// Doubts is how often a claim of this session was taken over whose owner had not said whether
	// the refresh token was sent.
	Doubts int
}

// Claim is the right to send the refresh token of one generation of a row. It lasts for the time
// that was asked for, counted from the moment of asking or a little later.
type Claim struct {
	ID         ID
	Generation uint64
	Token      string // random; tells this claim from all others
	// InDoubt means that an earlier claim of the same generation was taken over: its owner may have
	// sent the refresh token. The ledger has a line about it.
	InDoubt bool
}

// Errors of a store, for [errors.Is]. Any other error means that the store was not reached or could
// not do its work.
var (
	// ErrNoRow means that there is no such row, or that it has ended.
	ErrNoRow = errors.New("no such row")
	// ErrOutdated means that the row has changed meanwhile.
	ErrOutdated = session.ErrOutdated
	// ErrClaimed means that another server has claimed the row, or has been changing it for a
	// while. [Store.Claim] returns it as a *[session.ClaimedError] if it knows how long the claim
	// lasts.
	ErrClaimed = session.ErrBusy
	// ErrUnknownOutcome means that the store may or may not have made the change. A claim of
	// unknown outcome counts as not made.
	ErrUnknownOutcome = errors.New("the store did not say whether it made the change")
	// ErrFull means that a store takes nothing new until it is swept. A try that it could not count
	// for this reason must be refused.
	ErrFull = errors.New("the store is full")
)

// Durability is how well a store keeps what it is given, as [Store.Check] found it.
type Durability struct {
	// Kind is "memory", "directory" or "postgres".
	Kind string
	// Warnings are sentences for the operator: what can be lost, and what to change.
	Warnings []string
}

// Store keeps rows, and counts tries; [Local] and [Postgres] implement it. It is safe for
// concurrent use. Each call ends with ctx, or at a time limit of the store's own.
type Store interface {
	// Get reads a session or a ticket; [ErrNoRow] if there is none.
	Get(ctx context.Context, kind Kind, id ID) (Row, error)
	// Put replaces generation over of an unclaimed row by r, or creates the row where over is
	// 0. The place of a session that exists stays. The error is [ErrOutdated], [ErrClaimed],
	// [ErrUnknownOutcome] or, for a place, [ErrNoRow].
	Put(ctx context.Context, r Row, over uint64) error
	// Delete deletes a row, claimed or not, with its place; [ErrNoRow] if there is none.
	Delete(ctx context.Context, kind Kind, id ID) error
	// Claim claims a generation of a session for a time, by the clock of the store. It returns when
	// the claim is as durable as the store can make it. The error is [ErrNoRow], [ErrOutdated],
	// [ErrClaimed] or [ErrUnknownOutcome]; after any error the caller must not send the refresh
	// token. With ErrUnknownOutcome the claim is returned, so that it can be released.
	Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (Claim, error)
	// Finish replaces the claimed generation by r and ends the claim, even if its deadline has
	// passed. The place and the doubts of the row stay. Finish may be repeated.
	// The error is [ErrOutdated] if another server has changed the row since.
	Finish(ctx context.Context, c Claim, r Row) error
	// Release ends a claim under which nothing was sent; [ErrOutdated] if it has ended already. If
	// the claim was in doubt, the next one of this generation is, too.
	Release(ctx context.Context, c Claim) error
	// Sweep deletes what has ended. With a *[ClockError] it has kept some of that, as the clock may
	// be wrong.
	Sweep(ctx context.Context) error
	// Try counts one try of each subject, if none of them has made maxTries tries, 1 or more,
	// during the last within. Otherwise it counts nothing, and wait is the time until the next
	// may be made. The error is [ErrFull], and nothing is counted, if there would be too many
	// subjects, or too many strangers among them: strangers cannot take the room of all others.
	Try(
		ctx context.Context, subjects []ID, maxTries int, within time.Duration,
	) (wait time.Duration, err error)
	// TakeBack uncounts the latest try of each subject that has one.
	TakeBack(ctx context.Context, subjects []ID) error
	// DeleteAll deletes all sessions and says how many there were.
	DeleteAll(ctx context.Context) (int, error)
	// SealedWith counts the sessions and tickets by the key that they are sealed with, see [KeyOf].
	SealedWith(ctx context.Context) (map[string]int, error)
	// Check reaches the store and says how durable it is. The error says why it cannot be used.
	Check(ctx context.Context) (Durability, error)
	// Close ends the use of the store. No call may be running.
	Close() error
}

// InMemory is the name by which [Open] makes a store that is lost with the process.
const InMemory = "memory"

// CheckName checks the name of a store: [InMemory], the path of a directory, or the URL of a
// PostgreSQL database. The URL may not have a password, since other users of the machine can see
// the arguments of a process.
func CheckName(where string) error {
	switch {
	case where == InMemory:
		return nil
	case isPostgres(where):
		if found, _ := regexp.MatchString(urlWithPassword, where); found {
			return errors.New("it contains a password, which others on this machine can read")
		}
		return nil
	case isPath(where):
		return nil
	default:
		return errors.New("it is neither memory, nor the path of a directory, nor the URL of a PostgreSQL database")
	}
}

// isPath reports whether the name of a store is meant as a path: a bare word is not, as it is more
// likely a mistyped [InMemory].
func isPath(where string) bool {
	if where == "" || strings.Contains(where, "://") {
		return false
	}
	return where == "." || where == ".." || filepath.Base(where) != where
}

// isPostgres reports whether the name of a store is the URL of a PostgreSQL database.
func isPostgres(where string) bool {
	return strings.HasPrefix(where, "postgres://") || strings.HasPrefix(where, "postgresql://")
}

// urlWithPassword matches the URL of a database that has a password: before an @, which the
// driver looks for beyond a question mark as well, or as a parameter. [net/url] is of no help, as
// it does not read a URL of several hosts with ports.
const urlWithPassword = `^\w+://([^/@]*:[^/@]*|[^?]*:[^?]*)@|[?&](ssl)?password=`

// Open opens the store of a server by a name that [CheckName] accepts. now is the clock of a store
// in memory.
func Open(ctx context.Context, where string, now func() time.Time) (Store, error) {
	switch {
	case where == InMemory:
		return NewMemory(now), nil
	case isPostgres(where):
		return OpenPostgres(ctx, where)
	default:
		return OpenDirectory(where)
	}
}

// Administer opens a store by a name that [CheckName] accepts, to delete and to count. Servers
// may be using it.
func Administer(ctx context.Context, where string) (Store, error) {
	if isPostgres(where) {
		return OpenPostgres(ctx, where)
	}
	return openDirectory(where, false)
}
