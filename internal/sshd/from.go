package sshd

import (
	"fmt"
	"net/netip"
	"path"
	"strings"
)

// addressList is the value of from=: patterns of which one has to match, and none
// that begins with an exclamation mark.
type addressList []addressPattern

type addressPattern struct {
	negated  bool
	network  netip.Prefix // where it is valid, the pattern is not looked at
	wildcard string
}

// parseAddressList takes addresses, networks and patterns with * and ?. Names of
// hosts are no part of it: whoever has the address decides on its name.
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
	if strings.Contains(rest, "/") {
		network, err := netip.ParsePrefix(rest)
		if err != nil || network != network.Masked() {
			return p, fmt.Errorf("from= holds %q, which is no network", text)
		}
		p.network = network
		return p, nil
	}
	if address, err := netip.ParseAddr(rest); err == nil {
		address = address.Unmap()
		p.network = netip.PrefixFrom(address, address.BitLen())
		return p, nil
	}
	letters := "0123456789.*?"
	if strings.Contains(rest, ":") {
		letters += ":abcdefABCDEF"
	}
	if rest == "" || strings.Trim(rest, letters) != "" || !strings.ContainsAny(rest, "*?") {
		return p, fmt.Errorf("from= holds %q, which is no address; names of hosts are not looked up", text)
	}
	p.wildcard = strings.ToLower(rest)
	return p, nil
}

func (l addressList) allows(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	allowed := false
	for _, p := range l {
		if p.matches(address) {
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
	matched, err := path.Match(p.wildcard, address.String()) // no slash in either, so * stops nowhere
	return err == nil && matched
}
