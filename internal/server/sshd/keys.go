package sshd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/netip"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/files"
)

const maxKeyFile = 4 << 20

// keyFormat is what the lines of a file of keys may be.
type keyFormat int

const (
	authorizedKeys keyFormat = iota // keys with options; one that is not understood is left out
	authorityKeys                   // keys alone
	revokedKeys                     // keys alone; a certificate stands for its key, as in sshd
)

// KeyFile is a file with a public key on each line, in the format of sshd(8). It is read
// for every question: modification times can be set back, and miss two changes in quick
// succession. While it cannot be read, it holds no key.
type KeyFile struct {
	path   string
	format keyFormat
	holds  string // for messages
	log    *slog.Logger

	mu   sync.Mutex
	data []byte                  // the content last parsed
	keys map[string][]keyOptions // nil if the file could not be used
	err  error
}

// OpenKeyFile reads a file that lets nobody in: it names the visitors who may do more than
// others. Of the options of a key those hold that say from where and until when it may be
// used. holds is what the keys are, for messages and the log.
func OpenKeyFile(path, holds string, log *slog.Logger) (*KeyFile, error) {
	return openKeyFile(path, authorizedKeys, holds, log)
}

// openKeyFile reads a file for the first time; nil if there is no path.
func openKeyFile(path string, format keyFormat, holds string, log *slog.Logger) (*KeyFile, error) {
	if path == "" {
		return nil, nil
	}
	f := &KeyFile{path: path, format: format, holds: holds, log: log}
	if _, err := f.current(); err != nil {
		return nil, noStart(err, "Name a file with a public key on each line, as in FILE.pub of ssh-keygen. It must belong to root or to the server's user, and nobody else may write to it or to its directory.")
	}
	return f, nil
}

// Holds reports whether the key of a visitor is in the file and may be used from their
// address now. For a certificate that is the key that it is about.
func (f *KeyFile) Holds(c *Connection, now time.Time) bool {
	address, _ := netip.ParseAddr(c.Address) // one that is none is in no list of from=
	_, err := f.admit(c.Fingerprint, address, now)
	return err == nil
}

// ReadAuthorities returns the fingerprints, sorted, of the certificate authorities in a file, as
// [Access.UserCA] names it.
func ReadAuthorities(path string) ([]string, error) {
	f := &KeyFile{path: path, format: authorityKeys, holds: holdsAuthorities, log: slog.New(slog.DiscardHandler)}
	keys, err := f.current()
	return slices.Sorted(maps.Keys(keys)), err
}

// admit returns what a key in the file permits from an address now.
func (f *KeyFile) admit(fingerprint string, address netip.Addr, now time.Time) (keyOptions, error) {
	keys, err := f.current()
	if err != nil {
		return keyOptions{}, err
	}
	err = errors.New("the key is not authorized")
	for _, options := range keys[fingerprint] {
		if err = options.check(address, now); err == nil {
			return options, nil
		}
	}
	return keyOptions{}, err
}

// current returns the keys of the file as it is now, by fingerprint; none without a file. The map
// must not be changed.
func (f *KeyFile) current() (map[string][]keyOptions, error) {
	if f == nil {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	data, err := f.read()
	if err == nil && f.keys != nil && bytes.Equal(data, f.data) {
		return f.keys, nil
	}
	var keys map[string][]keyOptions
	if err == nil {
		keys, err = f.parse(data)
	}
	switch {
	case err == nil:
		f.log.Info(f.holds+" read", "file", f.path, "keys", len(keys))
	case f.err == nil || f.err.Error() != err.Error():
		f.log.Error("file of keys cannot be used", "holds", f.holds, "file", f.path, "error", err.Error())
	}
	f.data, f.keys, f.err = data, keys, err
	return keys, err
}

func (f *KeyFile) read() ([]byte, error) {
	data, err := files.ReadTrusted(f.path, maxKeyFile)
	switch _, system := errors.AsType[*fs.PathError](err); {
	case system:
		return nil, fmt.Errorf("the %s cannot be read: %w", f.holds, err)
	case err != nil:
		return nil, fmt.Errorf("the file %s cannot be used: %w", f.path, err)
	case bytes.HasPrefix(data, []byte("SSHKRL\n\x00")):
		return nil, fmt.Errorf("the file %s is a key revocation list, which is not supported: write a public key on each line", f.path)
	default:
		return data, nil
	}
}

// parse parses the file. A line that is no key at all fails the whole file: it may be the
// rest of a line that restricted a key, or a key that is to be refused.
func (f *KeyFile) parse(data []byte) (map[string][]keyOptions, error) {
	keys := make(map[string][]keyOptions)
	number := 0
	for line := range bytes.Lines(data) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, _, words, _, err := gossh.ParseAuthorizedKey(line)
		if err != nil {
			return nil, fmt.Errorf("line %d of %s is not a key", number, f.path)
		}
		_, isCertificate := key.(*gossh.Certificate)
		var options keyOptions
		switch {
		case f.format != revokedKeys && isCertificate:
			err = errors.New("is a certificate, not a key")
		case f.format == authorizedKeys:
			options, err = parseKeyOptions(words)
		case len(words) > 0:
			err = errors.New("has options: nothing may come before the key")
		}
		fingerprint := gossh.FingerprintSHA256(plainKey(key))
		switch {
		case err == nil:
			keys[fingerprint] = append(keys[fingerprint], options)
		case f.format == authorizedKeys:
			f.log.Error("key not used", "file", f.path, "line", number, "fingerprint", gossh.FingerprintSHA256(key), "error", err.Error())
		default:
			return nil, fmt.Errorf("line %d of %s %w", number, f.path, err)
		}
	}
	return keys, nil
}

// keyOptions are the options of a key in the authorized keys file, or what a certificate says:
// where and until when it may be used, and what its owner may do.
type keyOptions struct {
	from       string    // a list for [allowsAddress]; empty: anywhere
	expires    time.Time // zero: never
	noTerminal bool
	// forced replaces the visitor's command line if isForced is set.
	forced   []string
	isForced bool
	// noTouch accepts signatures of a security key that was not touched for them.
	noTouch bool
}

// parseKeyOptions parses the supported options of sshd(8). Any other one is an error: a
// key whose restrictions are not understood must not be accepted.
func parseKeyOptions(options []string) (o keyOptions, err error) {
	seen := make(map[string]bool)
	for _, option := range options {
		name, quoted, hasValue := strings.Cut(option, "=")
		name = strings.ToLower(name)
		value, valued := unquote(quoted), name == "from" || name == "expiry-time" || name == "command"
		switch {
		case seen[name]:
			return o, fmt.Errorf("the option %s is given twice", name)
		case valued && !hasValue:
			return o, fmt.Errorf("the option %s has no value", name)
		case !valued && hasValue:
			return o, fmt.Errorf("the option %q is not supported with a value", name)
		}
		seen[name] = true
		switch name {
		case "from":
			o.from = value
			_, err = allowsAddress(value, netip.Addr{})
		case "expiry-time":
			o.expires, err = parseExpiry(value)
		case "command":
			o.isForced = true
			if o.forced, err = splitWords(value); err != nil {
				err = fmt.Errorf("command= cannot be split into words: %w", err)
			}
		case "restrict":
			o.noTerminal = true
		case "pty":
			o.noTerminal = false
		case "no-touch-required":
			o.noTouch = true
		case "no-pty", "no-agent-forwarding", "no-port-forwarding", "no-x11-forwarding", "no-user-rc":
			// None of these exists here; no-pty is looked at last.
		default:
			err = fmt.Errorf("the option %q is not supported", name)
		}
		if err != nil {
			return o, err
		}
	}
	o.noTerminal = o.noTerminal || seen["no-pty"]
	return o, nil
}

// unquote removes the quotes around a value, in which only quotes are escaped.
func unquote(text string) string {
	if inner, ok := strings.CutPrefix(text, `"`); ok {
		text = strings.ReplaceAll(strings.TrimSuffix(inner, `"`), `\"`, `"`)
	}
	return text
}

// parseExpiry parses YYYYMMDD[HHMM[SS]], in the server's local time unless followed by Z.
func parseExpiry(value string) (time.Time, error) {
	digits, utc := strings.CutSuffix(value, "Z")
	zone := time.Local
	if utc {
		zone = time.UTC
	}
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if at, err := time.ParseInLocation(layout, digits, zone); err == nil && len(digits) == len(layout) {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("expiry-time is %q, want YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, with a Z for UTC", value)
}

// check returns an error if the key may not be used from this address or any more.
func (o *keyOptions) check(address netip.Addr, now time.Time) error {
	switch {
	case !o.expires.IsZero() && !now.Before(o.expires):
		return errors.New("the key has expired")
	case o.from == "":
		return nil
	}
	if allowed, err := allowsAddress(o.from, address); err != nil || !allowed {
		return errors.New("the key may not be used from this address")
	}
	return nil
}

// allowsAddress evaluates a list of addresses, networks and patterns with * and ?, as from= has it:
// at least one must match, and none with a ! before it. Host names are an error: the owner of an
// address decides which name it resolves to.
func allowsAddress(list string, address netip.Addr) (allowed bool, err error) {
	address = address.Unmap().WithZone("")
	excluded := false
	for text := range strings.SplitSeq(list, ",") {
		pattern, negated := strings.CutPrefix(text, "!")
		matched := false
		if network, ok := ParseNetwork(pattern); ok {
			matched = network.Contains(address)
		} else if !isAddressPattern(pattern) {
			return false, fmt.Errorf("from= holds %q, which is neither an address nor a network; host names are not resolved", text)
		} else if address.IsValid() {
			matched, _ = path.Match(strings.ToLower(pattern), address.String()) // no slashes, at which * would stop
		}
		allowed, excluded = allowed || matched && !negated, excluded || matched && negated
	}
	return allowed && !excluded, nil
}

// isAddressPattern reports whether a pattern can match an address: letters are in IPv6 alone, and a host
// name has others or no colon.
func isAddressPattern(pattern string) bool {
	signs := "0123456789.*?"
	if strings.Contains(pattern, ":") {
		signs += ":abcdefABCDEF"
	}
	return strings.Trim(pattern, signs) == "" && strings.ContainsAny(pattern, "*?")
}

// ParseNetwork parses an address, which is a network of one, or a network without bits beyond its
// length. IPv4 networks are not written as IPv6.
func ParseNetwork(text string) (network netip.Prefix, ok bool) {
	if network, err := netip.ParsePrefix(text); err == nil {
		return network, network == network.Masked() && !network.Addr().Is4In6()
	}
	address, err := netip.ParseAddr(text)
	address = address.Unmap()
	return netip.PrefixFrom(address, address.BitLen()), err == nil && address.Zone() == ""
}
