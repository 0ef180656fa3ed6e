package sshd

import (
	"errors"
	"fmt"
	"net/netip"
	"path"
	"strings"
	"time"
)

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

var (
	errWrongAddress = errors.New("the key may not be used from this address")
	errExpired      = errors.New("the key has expired")
)

// parseKeyOptions parses the supported options of sshd(8). Any other one is an error: a
// key whose restrictions are not understood must not be accepted.
func parseKeyOptions(options []string) (o keyOptions, err error) {
	seen := make(map[string]bool)
	for _, option := range options {
		name, quoted, hasValue := strings.Cut(option, "=")
		name = strings.ToLower(name)
		if seen[name] {
			return o, fmt.Errorf("the option %s is given twice", name)
		}
		seen[name] = true
		if err := o.set(name, unquote(quoted), hasValue); err != nil {
			return o, err
		}
	}
	o.noTerminal = o.noTerminal || seen["no-pty"]
	return o, nil
}

func (o *keyOptions) set(name, value string, hasValue bool) (err error) {
	switch valued := name == "from" || name == "expiry-time" || name == "command"; {
	case valued && !hasValue:
		return fmt.Errorf("the option %s has no value", name)
	case !valued && hasValue:
		return fmt.Errorf("the option %q is not supported with a value", name)
	}
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
	return err
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
		return errExpired
	case o.from == "":
		return nil
	}
	if allowed, err := allowsAddress(o.from, address); err != nil || !allowed {
		return errWrongAddress
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
		if network, ok := parseNetwork(pattern); ok {
			matched = network.Contains(address)
		} else if strings.Trim(pattern, "0123456789abcdefABCDEF:.*?") != "" || !strings.ContainsAny(pattern, "*?") {
			return false, fmt.Errorf("from= holds %q, which is neither an address nor a network; host names are not resolved", text)
		} else if address.IsValid() {
			matched, _ = path.Match(strings.ToLower(pattern), address.String()) // no slashes, at which * would stop
		}
		allowed, excluded = allowed || matched && !negated, excluded || matched && negated
	}
	return allowed && !excluded, nil
}

// parseNetwork parses an address or a network without bits beyond its length.
func parseNetwork(text string) (netip.Prefix, bool) {
	if network, err := netip.ParsePrefix(text); err == nil {
		return network, network == network.Masked()
	}
	address, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, false
	}
	address = address.Unmap()
	return netip.PrefixFrom(address, address.BitLen()), true
}
