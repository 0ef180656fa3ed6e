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

// networkDialer returns a dialer for the network. It looks up the name of a host as an absolute
// name: the search domains of this machine could turn a name that does not exist into the name
// of another host. The proxy of the environment and names without a dot belong to the machine, so
// for them the search domains count.
func networkDialer(d *net.Dialer) Dialer {
	proxy := environmentProxy()
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		absolute, ok := absoluteAddress(address)
		if !ok || address == proxy {
			return d.DialContext(ctx, network, address)
		}
		conn, err := d.DialContext(ctx, network, absolute)
		failed, ok := errors.AsType[*net.DNSError](err)
		if !ok {
			return conn, err
		}
		if failed.IsNotFound {
			local := *d
			local.Resolver = hostsFile
			conn, localErr := local.DialContext(ctx, network, address)
			if !isNotResolved(localErr) {
				return conn, localErr
			}
		}
		return nil, whyNoAddress(ctx, failed.Name, err)
	}
}

// absoluteAddress returns an address with the dot that ends an absolute name of the DNS. ok is false
// if no dot can be added: for an IP address, and for a name without a dot.
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

// hostsFile resolves only the names in the hosts file of this machine. Some resolvers of systems,
// such as glibc's, do not find an absolute name there.
var hostsFile = &net.Resolver{
	PreferGo: true,
	Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("name servers are not asked")
	},
}

// isNotResolved reports whether a name could not be resolved, so that nothing was dialled.
func isNotResolved(err error) bool {
	_, ok := errors.AsType[*net.DNSError](err)
	return ok
}

// environmentProxy returns the address at which the proxy of the environment is dialled, or "" if
// there is none.
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

// PublicDialer returns a dialer for a server whose visitors may name hosts and must not reach its
// private network. It connects to public addresses, to the networks that are allowed, and to the
// hosts of own wherever they are. It checks each address of a name as it connects. A proxy is
// checked like any host, and behind it its own rules apply.
func PublicDialer(allowed []netip.Prefix, own []*url.URL) Dialer {
	checkAddress := func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		ip := to.Addr().Unmap().WithZone("")
		if isPublic(ip) || isIn(allowed, ip) {
			return nil
		}
		return &networkError{cause: CausePrivate, text: causes[CausePrivate].text}
	}
	anywhere := networkDialer(&net.Dialer{Timeout: dialTimeout})
	public := networkDialer(&net.Dialer{Timeout: dialTimeout, Control: checkAddress})
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

// isIn reports whether an address is in one of these networks.
func isIn(networks []netip.Prefix, ip netip.Addr) bool {
	hasAddress := func(network netip.Prefix) bool { return network.Contains(ip) }
	return slices.ContainsFunc(networks, hasAddress)
}

// notPublic are the networks that [netip.Addr] counts as global, though they are private, lead into
// IPv4, or are reserved.
var notPublic = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/32",
	"2001:db8::/32", "2002::/16", "fec0::/10",
)

func prefixes(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// OwnHosts returns the hosts of an installation as URLs: the hosts of its own URLs, and the proxy
// of the environment. A URL with {domain} in its host names none, as its host depends on the
// domain.
func OwnHosts(urls ...string) (own []*url.URL) {
	for _, text := range append(urls, proxySetting()) {
		if u, err := url.Parse(text); err == nil && u.Host != "" {
			own = append(own, u)
		}
	}
	return own
}
