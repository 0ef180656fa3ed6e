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

// maxKeyFile is how many bytes a file of keys may have.
const maxKeyFile = 4 << 20

// keyFormat is what the lines of a file of keys may be.
type keyFormat int

const (
	// authorizedKeys has keys with options. A key with options that are not supported is ignored.
	authorizedKeys keyFormat = iota
	// authorityKeys has keys without options.
	authorityKeys
	// revokedKeys has keys without options. A certificate there stands for its key, as in sshd.
	revokedKeys
)

// KeyFile is a file with a public key on each line, in the format of sshd(8). It is read each
// time that it is asked about a key, since its modification time could be set back, and does not
// tell two quick changes apart. While it cannot be read, it holds no key.
type KeyFile struct {
	path     string
	format   keyFormat
	contents string // such as "authorized keys", for messages
	log      *slog.Logger

	mu   sync.Mutex
	data []byte                  // the content last parsed
	keys map[string][]keyOptions // nil if the file could not be used
	err  error
}

// OpenKeyFile reads the keys of visitors who may do more than others; it lets nobody in. Of the
// options of a key, from= and expiry-time= have effect. contents names the keys in messages and
// the log, such as "keys of the support desk". An error is a [problem.Error] for the operator.
func OpenKeyFile(path, contents string, log *slog.Logger) (*KeyFile, error) {
	return openKeyFile(path, authorizedKeys, contents, log)
}

// openKeyFile reads a file of keys for the first time. It returns nil, which holds no key, for an
// empty path.
func openKeyFile(
	path string, format keyFormat, contents string, log *slog.Logger,
) (*KeyFile, error) {
	if path == "" {
		return nil, nil
	}
	f := &KeyFile{path: path, format: format, contents: contents, log: log}
	if _, err := f.current(); err != nil {
		return nil, startProblem(err, "Name a file with a public key on each line, as in FILE.pub of ssh-keygen. It must belong to root or to the server's user, and nobody else may write to it or to its directory.")
	}
	return f, nil
}

// Holds reports whether the key of a visitor, or the key in their certificate, is in the file and
// may be used from their address now.
func (f *KeyFile) Holds(c *Connection, now time.Time) bool {
	address, _ := netip.ParseAddr(c.Address) // the zero address is in no list of from=
	_, err := f.admit(c.Fingerprint, address, now)
	return err == nil
}

// ReadAuthorities returns the fingerprints of the certificate authorities in a file such as
// [Access.UserCA], sorted.
func ReadAuthorities(path string) ([]string, error) {
	f := &KeyFile{
		path:     path,
		format:   authorityKeys,
		contents: contentsAuthorities,
		log:      slog.New(slog.DiscardHandler),
	}
	keys, err := f.current()
	return slices.Sorted(maps.Keys(keys)), err
}

// admit returns the options of a key, if it is in the file and may be used from an address now. The
// error says why not.
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

// current returns the keys of the file as it is now, by fingerprint. A nil KeyFile has none. The
// map must not be modified.
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
	isNewError := err != nil && (f.err == nil || f.err.Error() != err.Error())
	switch {
	case err == nil:
		f.log.Info(f.contents+" read", "file", f.path, "keys", len(keys))
	case isNewError:
		f.log.Error("file of keys cannot be used", "holds", f.contents, "file", f.path, "error", err.Error())
	}
	f.data, f.keys, f.err = data, keys, err
	return keys, err
}

// read reads the file, which only its owner and root may be able to change.
func (f *KeyFile) read() ([]byte, error) {
	const revocationList = "SSHKRL\n\x00" // how one begins that ssh-keygen -k has written
	data, err := files.ReadTrusted(f.path, maxKeyFile)
	switch _, system := errors.AsType[*fs.PathError](err); {
	case system:
		return nil, fmt.Errorf("the %s cannot be read: %w", f.contents, err)
	case err != nil:
		return nil, fmt.Errorf("the file %s cannot be used: %w", f.path, err)
	case bytes.HasPrefix(data, []byte(revocationList)):
		return nil, fmt.Errorf("the file %s is a key revocation list, which is not supported: write a public key on each line", f.path)
	default:
		return data, nil
	}
}

// parse parses the file into the options of its keys, by fingerprint. A line that is not a key
// fails the whole file, as it may be the rest of a line that restricted a key, or a key that is
// to be refused.
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
		options, err := f.optionsOf(key, words)
		fingerprint := gossh.FingerprintSHA256(plainKey(key))
		switch {
		case err == nil:
			keys[fingerprint] = append(keys[fingerprint], options)
		case f.format == authorizedKeys:
			f.log.Error("key not used",
				"file", f.path,
				"line", number,
				"fingerprint", gossh.FingerprintSHA256(key),
				"error", err.Error())
		default:
			return nil, fmt.Errorf("line %d of %s %w", number, f.path, err)
		}
	}
	return keys, nil
}

// optionsOf returns the options of a key that has these words before it. The error says what of its
// line the format does not allow.
func (f *KeyFile) optionsOf(key gossh.PublicKey, words []string) (keyOptions, error) {
	_, isCertificate := key.(*gossh.Certificate)
	switch {
	case f.format != revokedKeys && isCertificate:
		return keyOptions{}, errors.New("is a certificate, not a key")
	case f.format == authorizedKeys:
		return parseKeyOptions(words)
	case len(words) > 0:
		return keyOptions{}, errors.New("has options: nothing may come before the key")
	}
	return keyOptions{}, nil
}

// keyOptions are what the options of an authorized key, or a certificate, say: from where and until
// when the key may be used, and what its owner may do.
type keyOptions struct {
	from       string    // a list for [allowsAddress]; empty for anywhere
	expires    time.Time // zero for never
	noTerminal bool
	// forced replaces the visitor's command line if isForced is set.
	forced   []string
	isForced bool
	// noTouch accepts signatures of a security key that was not touched for them.
	noTouch bool
}

// parseKeyOptions parses the supported options of sshd(8), each as NAME or NAME="VALUE". Any other
// option is an error: a key with unknown restrictions must not be accepted.
func parseKeyOptions(options []string) (o keyOptions, err error) {
	seen := make(map[string]bool)
	for _, option := range options {
		name, quoted, hasValue := strings.Cut(option, "=")
		name = strings.ToLower(name)
		needsValue := name == "from" || name == "expiry-time" || name == "command"
		switch {
		case seen[name]:
			return o, fmt.Errorf("the option %s is given twice", name)
		case needsValue && !hasValue:
			return o, fmt.Errorf("the option %s has no value", name)
		case !needsValue && hasValue:
			return o, fmt.Errorf("the option %q is not supported with a value", name)
		}
		seen[name] = true
		if err := o.set(name, unquote(quoted)); err != nil {
			return o, err
		}
	}
	o.noTerminal = o.noTerminal || seen["no-pty"] // wherever it stands
	return o, nil
}

// set applies an option; value is without quotes.
func (o *keyOptions) set(name, value string) (err error) {
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
	case "no-agent-forwarding", "no-port-forwarding", "no-x11-forwarding", "no-user-rc":
		// This server has none of these anyway.
	case "no-pty":
		// parseKeyOptions does it, after all others.
	default:
		err = fmt.Errorf("the option %q is not supported", name)
	}
	return err
}

// unquote removes the quotes around a value. Within them only a quote can be escaped.
func unquote(text string) string {
	if inner, ok := strings.CutPrefix(text, `"`); ok {
		text = strings.ReplaceAll(strings.TrimSuffix(inner, `"`), `\"`, `"`)
	}
	return text
}

// parseExpiry parses the value of expiry-time=: YYYYMMDD[HHMM[SS]] in the server's local time, or
// in UTC with a Z at the end.
func parseExpiry(value string) (time.Time, error) {
	digits, utc := strings.CutSuffix(value, "Z")
	zone := time.Local
	if utc {
		zone = time.UTC
	}
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		at, err := time.ParseInLocation(layout, digits, zone)
		if err == nil && len(digits) == len(layout) {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("expiry-time is %q, want YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, with a Z for UTC", value)
}

// check fails if the key has expired, or may not be used from this address.
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

// allowsAddress reports whether the list of a from= option allows an address. The list has
// addresses, networks, and patterns with * and ?; one of them must match, and none that has a !
// before it. A host name is an error, as the owner of an address decides which name it resolves
// to.
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
			// An address has no slash, at which * would stop.
			matched, _ = path.Match(strings.ToLower(pattern), address.String())
		}
		allowed = allowed || matched && !negated
		excluded = excluded || matched && negated
	}
	return allowed && !excluded, nil
}

// isAddressPattern reports whether a text is a pattern for addresses rather than for host names:
// it has only the signs of IPv4 addresses or, with a colon, of IPv6 addresses.
func isAddressPattern(pattern string) bool {
	signs := "0123456789.*?"
	if strings.Contains(pattern, ":") {
		signs += ":abcdefABCDEF"
	}
	return strings.Trim(pattern, signs) == "" && strings.ContainsAny(pattern, "*?")
}

// ParseNetwork parses an address, as the network of that address alone, or a network such as
// 192.0.2.0/28. ok is false for anything else, such as a network with bits beyond its length, or an
// IPv4 network written as IPv6.
func ParseNetwork(text string) (network netip.Prefix, ok bool) {
	if network, err := netip.ParsePrefix(text); err == nil {
		return network, network == network.Masked() && !network.Addr().Is4In6()
	}
	address, err := netip.ParseAddr(text)
	address = address.Unmap()
	return netip.PrefixFrom(address, address.BitLen()), err == nil && address.Zone() == ""
}
