package sshd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

const maxKeyFile = 4 << 20

var (
	errCertificate = errors.New("it is a certificate, which is not supported")
	errNotAKey     = errors.New("is not a key")
	errNoAuthority = errors.New("is a certificate, not the key of an authority")
	errOptions     = errors.New("has options: there must be nothing before the key")
)

// keyFile is a file with a public key on each line; V is what is kept of one. It is read
// for every attempt: modification times can be set back, and miss two changes in quick
// succession. While it cannot be read, nobody is admitted by it.
type keyFile[V any] struct {
	path   string
	what   string // the file holds
	admits string // whose owners are not let in while the file cannot be read
	// add adds the key of a line. An error says what the line is, and fails the whole file.
	add func(keys map[string]V, l keyLine) error
	log *slog.Logger

	mu   sync.Mutex
	data []byte       // the content last parsed
	now  bytes.Buffer // the content last read, in memory that is used again
	keys map[string]V
	err  error
}

// keyLine is a line that holds a key.
type keyLine struct {
	key     gossh.PublicKey
	options []string
	// skip logs why the key is not used.
	skip func(error)
}

// current returns the keys of the file as it is now, by fingerprint. The map must not be
// changed.
func (f *keyFile[V]) current() (map[string]V, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refresh()
	return f.keys, f.err
}

// refresh reads the file and parses it if it has changed.
func (f *keyFile[V]) refresh() {
	data, err := f.read()
	if err == nil && f.err == nil && f.keys != nil && bytes.Equal(data, f.data) {
		return
	}
	var keys map[string]V
	if err == nil {
		keys, err = f.parse(data)
	}
	if err != nil {
		f.fail(err)
		return
	}
	f.data, f.keys, f.err = bytes.Clone(data), keys, nil
	f.log.Info(f.what+" read", "file", f.path, "keys", len(keys))
}

// KeysError means that a file with public keys cannot be used. Its text says which one and why.
type KeysError struct{ err error }

func (e *KeysError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *KeysError) Unwrap() error { return e.err }

// fail discards all keys, and logs the error if it is a new one.
func (f *keyFile[V]) fail(err error) {
	if f.err == nil || f.err.Error() != err.Error() {
		f.log.Error("nobody new is let in", "by", f.admits, "file", f.path, "error", err.Error())
	}
	f.data, f.keys, f.err = nil, nil, &KeysError{err}
}

// read returns the content, which is valid until the next call.
func (f *keyFile[V]) read() ([]byte, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, fmt.Errorf("the %s cannot be read: %w", f.what, err)
	}
	defer file.Close()
	if err := checkOwner(file); err != nil {
		return nil, fmt.Errorf("%s is not trusted: %w", f.path, err)
	}
	f.now.Reset()
	if _, err := f.now.ReadFrom(io.LimitReader(file, maxKeyFile+1)); err != nil {
		return nil, fmt.Errorf("the %s cannot be read: %w", f.what, err)
	}
	data := f.now.Bytes()
	if len(data) > maxKeyFile {
		return nil, fmt.Errorf("%s is larger than %d MiB", f.path, maxKeyFile>>20)
	}
	if bytes.HasPrefix(data, []byte("SSHKRL\n\x00")) {
		return nil, fmt.Errorf("%s is a key revocation list, which is not supported: write a public key on each line", f.path)
	}
	return data, nil
}

// checkOwner refuses, as sshd does, a file that other users could change.
func checkOwner(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is no regular file")
	}
	if err := checkPermissions(info); err != nil {
		return err
	}
	dir, err := os.Stat(filepath.Dir(file.Name()))
	if err != nil {
		return err
	}
	if err := checkPermissions(dir); err != nil {
		return fmt.Errorf("its directory: %w", err)
	}
	return nil
}

// parse parses the file. A line that is no key at all fails the whole file: it may be the
// rest of a line that restricted a key, or a key that is to be refused.
func (f *keyFile[V]) parse(data []byte) (map[string]V, error) {
	keys := make(map[string]V)
	number := 0
	for line := range bytes.Lines(data) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, _, options, _, err := gossh.ParseAuthorizedKey(line)
		if err != nil {
			return nil, fmt.Errorf("line %d of %s %w", number, f.path, errNotAKey)
		}
		skip := func(err error) {
			f.log.Error("key not used", "file", f.path, "line", number, "fingerprint", gossh.FingerprintSHA256(key), "error", err.Error())
		}
		if err := f.add(keys, keyLine{key: key, options: options, skip: skip}); err != nil {
			return nil, fmt.Errorf("line %d of %s %w", number, f.path, err)
		}
	}
	return keys, nil
}

// addAuthorized adds an authorized key, unless it is restricted in ways that are not
// understood.
func addAuthorized(keys map[string][]keyOptions, l keyLine) error {
	options, err := parseKeyOptions(l.options)
	if _, certificate := l.key.(*gossh.Certificate); certificate {
		err = errCertificate
	}
	if err != nil {
		l.skip(err)
		return nil
	}
	fingerprint := gossh.FingerprintSHA256(l.key)
	keys[fingerprint] = append(keys[fingerprint], options)
	return nil
}

// addAuthority adds the key of a certificate authority. None may be left out without a
// word: a line with options is meant for another file.
func addAuthority(keys map[string]gossh.PublicKey, l keyLine) error {
	if _, certificate := l.key.(*gossh.Certificate); certificate {
		return errNoAuthority
	}
	return addRevoked(keys, l)
}

// addRevoked adds a revoked key; a certificate stands for the key that it is about, as in
// sshd.
func addRevoked(keys map[string]gossh.PublicKey, l keyLine) error {
	if len(l.options) > 0 {
		return errOptions
	}
	key := plainKey(l.key)
	keys[gossh.FingerprintSHA256(key)] = key
	return nil
}

// KeyList is a file of public keys in the format of sshd(8) that lets nobody in: it names
// those of the visitors who may do more than others. It is read again at each question. Of
// the options of a key those hold that say from where and until when it may be used.
type KeyList struct {
	file *keyFile[[]keyOptions]
	now  func() time.Time
}

// OpenKeyList reads the file for the first time. what it holds is for messages and the log.
func OpenKeyList(path, what string, now func() time.Time, log *slog.Logger) (*KeyList, error) {
	list := &KeyList{now: now, file: &keyFile[[]keyOptions]{path: path, what: what, admits: what, add: addAuthorized, log: log}}
	_, err := list.file.current()
	return list, err
}

// Holds reports whether the key of a visitor is in the file and may be used from their
// address now. For a certificate that is the key that it is about. While the file cannot be
// read, it holds none.
func (l *KeyList) Holds(c *Connection) bool {
	keys, err := l.file.current()
	if err != nil || c.Fingerprint == "" {
		return false
	}
	address, _ := netip.ParseAddr(c.Address) // one that is none is in no list of from=
	for _, options := range keys[c.Fingerprint] {
		if options.check(address, l.now()) == nil {
			return true
		}
	}
	return false
}
