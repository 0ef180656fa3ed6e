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
	errUnknownKey  = errors.New("the key is not among the authorized ones")
	errCertificate = errors.New("it is a certificate, which is not supported")
)

// keyFile is the authorized keys file. It is read for every attempt: modification times
// can be set back, and miss two changes in quick succession. While it cannot be read,
// nobody is admitted.
type keyFile struct {
	path string
	log  *slog.Logger

	mu   sync.Mutex
	data []byte // the content last parsed
	keys map[string][]keyOptions
	err  error
}

// openKeyFile reads the file for the first time.
func openKeyFile(path string, log *slog.Logger) (*keyFile, error) {
	f := &keyFile{path: path, log: log}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refresh()
	return f, f.err
}

// admit returns the permission of a key's owner, or why the key is not accepted.
func (f *keyFile) admit(key gossh.PublicKey, address netip.Addr, now time.Time) (permission, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refresh()
	if f.err != nil {
		return permission{}, f.err
	}
	err := errUnknownKey
	for _, options := range f.keys[string(key.Marshal())] {
		if err = options.check(address, now); err == nil {
			return options.permission, nil
		}
	}
	return permission{}, err
}

// refresh reads the file and parses it if it has changed.
func (f *keyFile) refresh() {
	data, err := f.read()
	if err == nil && f.err == nil && f.keys != nil && bytes.Equal(data, f.data) {
		return
	}
	var keys map[string][]keyOptions
	if err == nil {
		keys, err = f.parse(data)
	}
	if err != nil {
		f.fail(err)
		return
	}
	f.data, f.keys, f.err = data, keys, nil
	f.log.Info("authorized keys read", "file", f.path, "keys", len(keys))
}

// fail discards all keys, and logs the error if it is a new one.
func (f *keyFile) fail(err error) {
	if f.err == nil || f.err.Error() != err.Error() {
		f.log.Error("nobody new is let in", "file", f.path, "error", err.Error())
	}
	f.data, f.keys, f.err = nil, nil, err
}

func (f *keyFile) read() ([]byte, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, fmt.Errorf("the authorized keys cannot be read: %w", err)
	}
	defer file.Close()
	if err := checkOwner(file); err != nil {
		return nil, fmt.Errorf("%s is not trusted: %w", f.path, err)
	}
	data, err := io.ReadAll(io.LimitReader(file, maxKeyFile+1))
	if err != nil {
		return nil, fmt.Errorf("the authorized keys cannot be read: %w", err)
	}
	if len(data) > maxKeyFile {
		return nil, fmt.Errorf("%s is larger than %d MiB", f.path, maxKeyFile>>20)
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
// rest of a line that restricted a key.
func (f *keyFile) parse(data []byte) (map[string][]keyOptions, error) {
	keys := make(map[string][]keyOptions)
	number := 0
	for line := range bytes.Lines(data) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, _, options, _, err := gossh.ParseAuthorizedKey(line)
		if err != nil {
			return nil, fmt.Errorf("line %d of %s is not a key", number, f.path)
		}
		o, err := parseKeyOptions(options)
		if _, certificate := key.(*gossh.Certificate); certificate {
			err = errCertificate
		}
		if err != nil {
			f.log.Error("key not used", "file", f.path, "line", number, "fingerprint", gossh.FingerprintSHA256(key), "error", err.Error())
			continue
		}
		keys[string(key.Marshal())] = append(keys[string(key.Marshal())], o)
	}
	return keys, nil
}
