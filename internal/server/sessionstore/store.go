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

// Owner is whom a row belongs to: who holds a key, or whom an authority certifies under a key id.
// The row of a certificate is bound to that id and to the authority, as the key changes with each.
type Owner = session.Key

// Kind is a kind of rows.
type Kind int

const (
	// Session is a kept session, with its place.
	Session Kind = iota
	// Place is the place of a session alone: it is put without a claim, and goes with its row.
	Place
	// Ticket is the result of a check. It is put once, and there is none after its end.
	Ticket
)

// Row is a row as a store has it. A ticket has no more than an id, what is sealed, and its end.
type Row struct {
	Kind       Kind
	ID         ID
	Generation uint64 // increases by one with each change of Sealed; 0 is no row
	// Claimed is until when the row is claimed, by the clock of the store; zero if it is not.
	Claimed time.Time
	Sealed  []byte
	Place   []byte // sealed; empty if there is none
	// Ends is when the row may be deleted: a session cannot be renewed any more then.
	Ends time.Time
	// Doubts is how often a refresh token of this session was taken over from a claim whose
	// owner did not say what became of it.
	Doubts int
}

// Claim is the right to send the refresh token of one generation of a row, for the life that
// was asked for: its time begins no earlier than the asking.
type Claim struct {
	ID         ID
	Generation uint64
	Token      string // names this claim alone
	// InDoubt means that an earlier claim of the same generation passed its deadline: its
	// owner may have sent the token. The ledger has it.
	InDoubt bool
}

// Errors of a store, for [errors.Is]. Any other one means that it was not reached or could
// not do its work.
var (
	ErrNoRow = errors.New("no such row")
	// ErrOutdated means that the row has changed meanwhile.
	ErrOutdated = session.ErrOutdated
	// ErrClaimed means that another server has claimed the row, or is changing it for long; of
	// [Store.Claim] it is a *[session.ClaimedError] where it is known for how long.
	ErrClaimed = session.ErrBusy
	// ErrUnknownOutcome means that the store may or may not have made the change. A claim of
	// unknown outcome counts as not made.
	ErrUnknownOutcome = errors.New("the store did not say whether it made the change")
	// ErrFull means that a store takes no more until what has ended is swept. It works: what is
	// limited by its counting must not be let pass.
	ErrFull = errors.New("the store is full")
)

// Durability is what a store can promise, found at the start.
type Durability struct {
	// Kind is "memory", "directory" or "postgres".
	Kind string
	// Warnings are sentences for the operator: what can be lost, and what to change.
	Warnings []string
}

// Store keeps rows, and counts tries. [Local] and [Postgres] are stores. It is safe for concurrent
// use, and bounds each call by ctx and by a limit of its own.
type Store interface {
	// Get reads a session or a ticket; [ErrNoRow] if there is none.
	Get(ctx context.Context, kind Kind, id ID) (Row, error)
	// Put replaces generation over of an unclaimed row by r, or creates the row where over is
	// 0. The place of a session that exists stays. The error is [ErrOutdated], [ErrClaimed],
	// [ErrUnknownOutcome] or, for a place, [ErrNoRow].
	Put(ctx context.Context, r Row, over uint64) error
	// Delete deletes a row, claimed or not, with its place; [ErrNoRow] if there is none.
	Delete(ctx context.Context, kind Kind, id ID) error
	// Claim claims a generation of a session for the time of life, by the clock of the store. It
	// returns only when the claim is as durable as the store can make it. The error is [ErrNoRow],
	// [ErrOutdated], [ErrClaimed] or [ErrUnknownOutcome]: then the caller must not send. A claim of
	// unknown outcome can be released.
	Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (Claim, error)
	// Finish replaces the claimed generation by r, but for the place and the doubts, and ends
	// the claim, also one whose deadline has passed. It is safe to repeat.
	// The error is [ErrOutdated] if another server has changed the row since.
	Finish(ctx context.Context, c Claim, r Row) error
	// Release ends a claim of which nothing was sent. [ErrOutdated] if it has ended. If the
	// claim was in doubt, so is the next one of this generation.
	Release(ctx context.Context, c Claim) error
	// Sweep deletes what has ended. With a *[ClockError] it has left some, as the clock may be wrong.
	Sweep(ctx context.Context) error
	// Try counts one try for each subject, unless one of them has had maxTries, which is positive,
	// within the time before: then it counts nothing, and wait is how long until the next may be
	// made. The error is [ErrFull], and nothing is counted, where that would be one subject too many,
	// of all or of the strangers: these leave room for the others.
	Try(ctx context.Context, subjects []ID, maxTries int, within time.Duration) (wait time.Duration, err error)
	// TakeBack takes back the newest try of each subject that has one.
	TakeBack(ctx context.Context, subjects []ID) error
	// DeleteAll deletes all sessions and says how many there were.
	DeleteAll(ctx context.Context) (int, error)
	// SealedWith counts the sessions and tickets by the key that they are sealed with, see [KeyOf].
	SealedWith(ctx context.Context) (map[string]int, error)
	// Check reaches the store and says how durable it is. Where it cannot be used as it is, the
	// error says why.
	Check(ctx context.Context) (Durability, error)
	Close() error
}

// InMemory is the value that [Open] takes for a store that is forgotten with the process.
const InMemory = "memory"

// Named checks the name of a store: memory, a directory as a path, or the URL of a
// PostgreSQL database, without a password: what a program was started with is no secret.
func Named(where string) error {
	switch {
	case where == InMemory:
	case isPostgres(where):
		if found, _ := regexp.MatchString(password, where); found {
			return errors.New("it contains a password, which others on this machine can read")
		}
	case where == "" || strings.Contains(where, "://") || filepath.Base(where) == where && where != "." && where != "..":
		return errors.New("it is neither memory, nor the path of a directory, nor the URL of a PostgreSQL database")
	}
	return nil
}

func isPostgres(where string) bool {
	return strings.HasPrefix(where, "postgres://") || strings.HasPrefix(where, "postgresql://")
}

// password matches the URL of a database that holds one: before an @, where the driver looks beyond
// a question mark too, or as a parameter. [net/url] does not read a URL of several hosts with ports.
const password = `^\w+://([^/@]*:[^/@]*|[^?]*:[^?]*)@|[?&](ssl)?password=`

// Open opens the store of a server by its name, which is one. now is the clock of one in memory.
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

// Administer opens a store that servers may be using, to delete and to count.
func Administer(ctx context.Context, where string) (Store, error) {
	if isPostgres(where) {
		return OpenPostgres(ctx, where)
	}
	return openDirectory(where, false)
}
