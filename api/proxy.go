package api

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"

	"gatehouse/internal/hostname"
)

// errProxySetting quotes nothing of the setting, which may hold a password.
var errProxySetting = errors.New("the proxy setting of the environment (HTTPS_PROXY) is not an address")

// proxySchemes are the ways in which net/http speaks to a proxy.
var proxySchemes = []string{"http", "https", "socks5", "socks5h"}

// proxyFromEnvironment reads HTTPS_PROXY and NO_PROXY, in either letter case. A
// setting that is no address stops every request: net/http would go on without a
// proxy, which is not what somebody who sets one wants. What is on this machine
// is never asked for through a proxy, and nothing else goes over plain http, so
// HTTP_PROXY is of no use.
func proxyFromEnvironment() func(*http.Request) (*url.URL, error) {
	settings := httpproxy.FromEnvironment()
	choose, usable := settings.ProxyFunc(), isProxy(settings.HTTPSProxy)
	return func(r *http.Request) (*url.URL, error) {
		switch {
		case hostname.IsLoopback(r.URL.Hostname()):
			return nil, nil
		case !usable:
			return nil, errProxySetting
		}
		return choose(r.URL)
	}
}

// isProxy reports whether a setting can be used; none at all can.
func isProxy(setting string) bool {
	if setting == "" {
		return true
	}
	if !strings.Contains(setting, "://") {
		setting = "http://" + setting
	}
	proxy, err := url.Parse(setting)
	return err == nil && proxy.Hostname() != "" && slices.Contains(proxySchemes, proxy.Scheme)
}

// proxyError is a proxy's refusal to connect.
type proxyError struct{ status int }

// Error completes "the host: ...".
func (e *proxyError) Error() string { return "the proxy answered " + statusText(e.status) }

func checkProxyAnswer(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return &proxyError{answer.StatusCode}
	}
	return nil
}

// isOfProxy reports whether it was a proxy that failed, or its setting.
func isOfProxy(err error) bool {
	_, refused := errors.AsType[*proxyError](err)
	return refused || errors.Is(err, errProxySetting) || describeProxy(err) != ""
}

// describeProxy says that it was a proxy that could not be reached, and why; ""
// if it was not. Nothing of its address is said.
func describeProxy(err error) string {
	failed, ok := errors.AsType[*net.OpError](err)
	if !ok || failed.Op != "proxyconnect" {
		return ""
	}
	return "its proxy: " + cmp.Or(describe(failed.Err), "the exchange broke off")
}
