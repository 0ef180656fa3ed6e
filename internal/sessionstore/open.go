package sessionstore

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// InMemory is the value that [Open] takes for a store that is forgotten with the process.
const InMemory = "memory"

// Errors of a value that names no store.
var (
	ErrNoStore = errors.New("it is neither memory, nor the path of a directory, nor the URL of a PostgreSQL database")
	// ErrPassword means that others on the machine could read the password of a database, as
	// what a program was started with is no secret.
	ErrPassword = errors.New("it contains a password, which others on this machine can read")
)

// Named checks the name of a store: memory, a directory as a path, or the URL of a
// PostgreSQL database, without a password.
func Named(where string) error {
	switch {
	case where == InMemory:
		return nil
	case isPostgres(where):
		if hasPassword(where) {
			return ErrPassword
		}
		return nil
	case where == "" || strings.Contains(where, "://") || filepath.Base(where) == where && where != "." && where != "..":
		return ErrNoStore
	default:
		return nil
	}
}

func isPostgres(where string) bool {
	return strings.HasPrefix(where, "postgres://") || strings.HasPrefix(where, "postgresql://")
}

// hasPassword reports whether the URL of a database holds a password. It may name several
// hosts with ports, which [net/url] does not read.
func hasPassword(where string) bool {
	_, rest, _ := strings.Cut(where, "://")
	// The driver looks for an @ up to the first slash, beyond a question mark as well.
	if end := strings.IndexAny(rest, "@/"); end >= 0 && rest[end] == '@' && strings.Contains(rest[:end], ":") {
		return true
	}
	place, query, _ := strings.Cut(rest, "?")
	if user := strings.LastIndex(place, "@"); user >= 0 && strings.Contains(place[:user], ":") {
		return true
	}
	for parameter := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		if clear, err := url.QueryUnescape(name); err != nil || clear == "password" || clear == "sslpassword" {
			return true
		}
	}
	return false
}

// Open opens the store of a server by its name, see [Named]. now is the clock of one in memory.
func Open(ctx context.Context, where string, now func() time.Time) (Home, error) {
	if where == InMemory {
		return NewMemory(now), nil
	}
	return open(ctx, where, OpenDirectory)
}

// Administer opens a store that servers may be using, to delete and to count.
func Administer(ctx context.Context, where string) (Home, error) {
	if where == InMemory {
		return nil, ErrNoStore
	}
	return open(ctx, where, administerDirectory)
}

func open(ctx context.Context, where string, directory func(path string) (*Local, error)) (Home, error) {
	if err := Named(where); err != nil {
		return nil, err
	}
	if isPostgres(where) {
		return OpenPostgres(ctx, where)
	}
	return directory(where)
}
