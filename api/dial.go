package api

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
)

// Dialer connects to an address, as [net.Dialer.DialContext] does.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)

// networkDialer dials over the network. The name of a host is looked up as it is: with the search
// domains of this machine, one that does not exist could lead to another host. That of the proxy of
// the environment is the machine's own, and so is a name without a dot.
func networkDialer(d *net.Dialer) Dialer {
	proxy := environmentProxy()
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		absolute, ok := absoluteAddress(address)
		if !ok || address == proxy {
			return d.DialContext(ctx, network, address)
		}
		conn, err := d.DialContext(ctx, network, absolute)
		if failed, ok := errors.AsType[*net.DNSError](err); !ok || !failed.IsNotFound {
			return conn, err
		}
		local := *d
		local.Resolver = hostsFile
		if conn, notThere := local.DialContext(ctx, network, address); !isLookup(notThere) {
			return conn, notThere
		}
		return nil, err
	}
}

// absoluteAddress is an address with the dot that ends a name of the DNS. ok is false if there is
// none to add: for an IP address, and for a name without a dot.
func absoluteAddress(address string) (absolute string, ok bool) {
	host, port, err := net.SplitHostPort(address)
	if err != nil || !strings.Contains(host, ".") || strings.HasSuffix(host, ".") {
		return "", false
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return "", false
	}
	return net.JoinHostPort(host+".", port), true
}

// hostsFile knows the names in the file of this machine alone. Some resolvers of systems, such as
// glibc's, do not find a name with a dot at its end there.
var hostsFile = &net.Resolver{
	PreferGo: true,
	Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("name servers are not asked")
	},
}

// isLookup reports whether a name was not found, so that nothing was dialled.
func isLookup(err error) bool {
	_, ok := errors.AsType[*net.DNSError](err)
	return ok
}

// environmentProxy is the address that the proxy of the environment is dialled at, "" if there is
// none.
func environmentProxy() string {
	setting := proxySetting()
	if setting == "" || proxyFault(setting) != "" {
		return ""
	}
	if !strings.Contains(setting, "://") {
		setting = "http://" + setting
	}
	proxy, err := url.Parse(setting)
	if err != nil {
		return ""
	}
	return proxyAddress(proxy)
}

// PublicDialer returns a dialer for people who may name hosts, on a machine with a network that
// is not theirs: it connects to public addresses, to the networks that are allowed, and to the
// hosts of own wherever they are. It looks at each address that a name has when it connects. A
// proxy is a host like any other: behind it, its own rules hold.
func PublicDialer(allowed []netip.Prefix, own []*url.URL) Dialer {
	anywhere := networkDialer(&net.Dialer{Timeout: dialTimeout})
	public := networkDialer(&net.Dialer{Timeout: dialTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		ip := to.Addr().Unmap().WithZone("")
		if isPublic(ip) || isIn(allowed, ip) {
			return nil
		}
		return &networkError{cause: CausePrivate, text: causes[CausePrivate].text}
	}})
	var hosts []string
	for _, u := range own {
		hosts = append(hosts, address(u))
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if slices.Contains(hosts, address) {
			return anywhere(ctx, network, address)
		}
		return public(ctx, network, address)
	}
}

// isPublic reports whether an address belongs to a machine on the internet, as far as its
// registry says (RFC 6890).
func isPublic(ip netip.Addr) bool {
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !isIn(notPublic, ip)
}

// isIn reports whether one of some networks holds an address.
func isIn(networks []netip.Prefix, ip netip.Addr) bool {
	return slices.ContainsFunc(networks, func(network netip.Prefix) bool { return network.Contains(ip) })
}

// notPublic are networks that [netip.Addr] counts as global and that are somebody's own, lead
// into IPv4, or are reserved.
var notPublic = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/32", "2001:db8::/32", "2002::/16", "fec0::/10",
)

func prefixes(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// OwnHosts are the hosts of an installation: those that its URLs name whole, as one with {domain}
// in its host leaves that to the service, and the proxy of the environment.
func OwnHosts(urls ...string) (own []*url.URL) {
	for _, text := range append(urls, proxySetting()) {
		if u, err := url.Parse(text); err == nil && u.Host != "" {
			own = append(own, u)
		}
	}
	return own
}
