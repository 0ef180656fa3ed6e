package check

import (
	"net/netip"
	"slices"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
)

// The words for templates about how a host was reached: its addresses and the proxy.

// addressOf returns the IP address of a connection, or all that were tried in vain. It is "" if the
// reader must not learn addresses, or if the host is named by its address anyway.
func addressOf(o *observation, host string) string {
	if o.discreet || o.way.Proxy != nil {
		return ""
	}
	var tried []string
	for _, dialled := range o.way.Dialled {
		if dialled.Connected {
			tried = []string{dialled.Address}
			break
		}
		tried = append(tried, dialled.Address)
	}
	if len(tried) == 1 && tried[0] == host {
		return ""
	}
	return human.List(tried)
}

// proxyOf names the proxy that was used, with its answer.
func proxyOf(o *observation) string {
	proxy := o.way.Proxy
	if proxy == nil {
		return ""
	}
	text := "the proxy"
	reply := proxy.Reply
	if o.discreet {
		reply = ""
	} else {
		text += " " + proxy.Host
	}
	switch {
	case proxy.Status > 0 && reply != "":
		text += " (" + statusInWords(proxy.Status) + ": " + reply + ")"
	case proxy.Status > 0:
		text += " (" + statusInWords(proxy.Status) + ")"
	case reply != "":
		text += " (" + reply + ")"
	}
	return text
}

// proxyName is what sentences call the proxy that was used.
func proxyName(o *observation) phrase {
	if o.way.Proxy == nil || o.way.Proxy.Host == "" || o.discreet {
		return plain("a proxy of this network")
	}
	return joined(plain("the proxy "), named(o.way.Proxy.Host))
}

// proxyFault says why a proxy could not be reached.
func proxyFault(o *observation) string {
	if o.way.Proxy == nil {
		return ""
	}
	return o.way.Proxy.Cause.Text()
}

// proxyReply says what a proxy answered in place of the host, or else why there was no answer.
func proxyReply(o *observation) string {
	proxy := o.way.Proxy
	if proxy == nil || o.discreet {
		return o.Reason
	}
	switch {
	case proxy.Status == 0 && proxy.Reply == "":
		return o.Reason
	case proxy.Status == 0:
		return "it answers " + quoted(proxy.Reply)
	case proxy.Reply == "":
		return "it answers " + statusInWords(proxy.Status)
	}
	return "it answers " + statusInWords(proxy.Status) + " and says: " + quotedWords(proxy.Reply)
}

// proxyKind is how the URL of a proxy begins, without "://".
func proxyKind(o *observation) string {
	if o.way.Proxy == nil {
		return ""
	}
	return o.way.Proxy.Kind
}

// privateAddress returns the address of a host if it belongs to a private network, which may not be
// the host's. It is "" if the reader must not learn addresses, or if the host itself refused.
func privateAddress(o *observation) string {
	if o.discreet || o.way.Proxy != nil || o.cause == api.CauseRefused {
		return ""
	}
	for _, dialled := range o.way.Dialled {
		if to, err := netip.ParseAddrPort(dialled.Address); err == nil && to.Addr().Unmap().IsPrivate() {
			return to.Addr().Unmap().String()
		}
	}
	return ""
}

// onlyIPv6 says that a host has only IPv6 addresses, if that is so.
func onlyIPv6(o *observation, host string) phrase {
	isIPv4 := func(d api.Dialled) bool { return !d.IPv6 }
	if len(o.way.Dialled) == 0 || o.way.Proxy != nil || slices.ContainsFunc(o.way.Dialled, isIPv4) {
		return nil
	}
	return joined(named(hostname.Readable(host)), plain(" has addresses of IPv6 alone"))
}
