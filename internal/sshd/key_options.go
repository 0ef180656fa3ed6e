package sshd

import (
	"errors"
	"fmt"
	"net/netip"
	"path"
	"strings"
	"time"
)

// keyOptions are the options of a key in the authorized keys file.
type keyOptions struct {
	from    addressList // nil: anywhere
	expires time.Time   // zero: never
	permission
}

// permission is what an admitted visitor may do.
type permission struct {
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
		o.from, err = parseAddressList(value)
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
		if len(digits) != len(layout) {
			continue
		}
		if at, err := time.ParseInLocation(layout, digits, zone); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("expiry-time is %q, want YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, with a Z for UTC", value)
}

// check returns an error if the key may not be used from this address or any more.
func (o *keyOptions) check(address netip.Addr, now time.Time) error {
	switch {
	case o.from != nil && !o.from.allows(address):
		return errWrongAddress
	case !o.expires.IsZero() && !now.Before(o.expires):
		return errExpired
	default:
		return nil
	}
}

// addressList is the value of from=: at least one pattern must match, and no negated one.
type addressList []addressPattern

type addressPattern struct {
	negated  bool
	network  netip.Prefix // for an address or a network without wildcards
	wildcard string
}

// parseAddressList parses addresses, networks and patterns with * and ?. Host names are
// refused: the owner of an address decides which name it resolves to.
func parseAddressList(list string) (addressList, error) {
	var patterns addressList
	for text := range strings.SplitSeq(list, ",") {
		p, err := parseAddressPattern(text)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, p)
	}
	return patterns, nil
}

func parseAddressPattern(text string) (addressPattern, error) {
	rest, negated := strings.CutPrefix(text, "!")
	p := addressPattern{negated: negated}
	if network, ok := parseNetwork(rest); ok {
		p.network = network
		return p, nil
	}
	if strings.Contains(rest, "/") {
		return p, fmt.Errorf("from= holds %q, which is not a network", text)
	}
	letters := "0123456789.*?"
	if strings.Contains(rest, ":") {
		letters += ":abcdefABCDEF"
	}
	if rest == "" || strings.Trim(rest, letters) != "" || !strings.ContainsAny(rest, "*?") {
		return p, fmt.Errorf("from= holds %q, which is not an address; host names are not resolved", text)
	}
	p.wildcard = strings.ToLower(rest)
	return p, nil
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

func (l addressList) allows(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	allowed := false
	for _, p := range l {
		if address.IsValid() && p.matches(address) {
			if p.negated {
				return false
			}
			allowed = true
		}
	}
	return allowed
}

func (p addressPattern) matches(address netip.Addr) bool {
	if p.network.IsValid() {
		return p.network.Contains(address)
	}
	matched, err := path.Match(p.wildcard, address.String()) // there are no slashes, at which * would stop
	return err == nil && matched
}
