package api

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

func TestPublicDialerConnectsToPublicAddressesAlone(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	u, _ := url.Parse(server.URL)
	_, port, _ := net.SplitHostPort(u.Host)
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for _, tt := range []struct {
		name    string
		allowed []netip.Prefix
		own     []*url.URL
		host    string
		reached bool
	}{
		{"an address of this machine", nil, nil, "127.0.0.1", false},
		{"an IPv4 address written as IPv6", nil, nil, "[::ffff:127.0.0.1]", false},
		{"a name that resolves to this machine", nil, nil, "localhost", false},
		{"an allowed network", loopback, nil, "127.0.0.1", true},
		{"another network that is allowed", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, nil, "127.0.0.1", false},
		{"a host of the profile", nil, OwnHosts(server.URL + "/gateway/{domain}"), "127.0.0.1", true},
		{"another port of that host", nil, OwnHosts("http://127.0.0.1:1"), "127.0.0.1", false},
		{"a host that the service names", nil, OwnHosts("http://{domain}:" + port), "127.0.0.1", false},
	} {
		client := &http.Client{Transport: NewTransport(Options{Base: NewBase(Options{Dial: PublicDialer(tt.allowed, tt.own)})})}
		resp, err := client.Get("http://" + tt.host + ":" + port)
		if err == nil {
			_ = resp.Body.Close()
		}
		failed, ok := errors.AsType[*networkError](err)
		refused := ok && failed.cause == CausePrivate && strings.HasSuffix(err.Error(), "its address is not public, and this server only connects to public addresses")
		if tt.reached != (err == nil) || !tt.reached && !refused {
			t.Errorf("%s: %v", tt.name, err)
		}
		client.CloseIdleConnections()
	}
}

func TestPublicAddresses(t *testing.T) {
	for _, address := range strings.Fields("8.8.8.8 1.1.1.1 172.32.0.1 100.128.0.1 2a00:1450:4001:81b::200e") {
		if !isPublic(netip.MustParseAddr(address)) {
			t.Errorf("%s is public", address)
		}
	}
	for _, address := range strings.Fields(`0.0.0.0 10.0.0.5 127.0.0.1 100.64.0.1 169.254.169.254 172.16.0.1 192.168.1.1 192.0.2.1 198.18.0.1 224.0.0.1 240.0.0.1
		255.255.255.255 :: ::1 fe80::1 fc00::1 fec0::1 ff02::1 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1`) {
		if isPublic(netip.MustParseAddr(address)) {
			t.Errorf("%s is not public", address)
		}
	}
}

func TestANameIsLookedUpAsItIs(t *testing.T) {
	for address, want := range map[string]string{
		"auth.example.com:443":  "auth.example.com.:443",
		"auth.example.com.:443": "", // it has its dot
		"gateway:443":           "", // a name of this machine's network
		"127.0.0.1:443":         "",
		"[::1]:443":             "",
		"auth.example.com":      "", // there is no port
	} {
		if got, ok := absoluteAddress(address); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", address, got, ok)
		}
	}
}

func TestTheProxyOfTheEnvironmentHasAnAddress(t *testing.T) {
	for setting, want := range map[string]string{
		"":                                  "",
		"http://proxy.example":              "proxy.example:80",
		"proxy.example:3128":                "proxy.example:3128",
		"https://proxy.example":             "proxy.example:443",
		"socks5h://proxy.example":           "proxy.example:1080",
		" http://proxy.example:8080 ":       "proxy.example:8080",
		"ftp://proxy.example":               "", // which every request says
		"http://proxy.example:99999":        "",
		"http://user:pass%zz@proxy.example": "",
	} {
		proxyEnvironment(t, setting, "")
		if got := environmentProxy(); got != want {
			t.Errorf("%q: %q, want %q", setting, got, want)
		}
	}
	proxyEnvironment(t, "", "")
	if own := OwnHosts("https://auth.example", "https://{domain}", "no URL", "mailto:ann@harbor.example"); len(own) != 1 {
		t.Errorf("hosts of an installation are %v", own)
	}
}

// An address with a zone is in no prefix.
func TestAZoneMakesNoAddressPublic(t *testing.T) {
	for _, address := range []string{"[fec0::1%lo]:1", "[2001:db8::1%lo]:1", "[64:ff9b::7f00:1%lo]:1"} {
		_, err := PublicDialer(nil, nil)(t.Context(), "tcp", address)
		if failed, ok := errors.AsType[*networkError](err); !ok || failed.cause != CausePrivate {
			t.Errorf("%s: %v", address, err)
		}
	}
}
