package api

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"

	"gatehouse/internal/testkit"
)

// proxyEnvironment sets the variables of a proxy, and takes away all others.
func proxyEnvironment(t *testing.T, proxy, exceptions string) {
	t.Helper()
	for _, name := range []string{"http_proxy", "HTTP_PROXY", "https_proxy", "no_proxy", "all_proxy", "ALL_PROXY", "REQUEST_METHOD"} {
		t.Setenv(name, "")
	}
	t.Setenv("HTTPS_PROXY", proxy)
	t.Setenv("NO_PROXY", exceptions)
}

func TestWhichHostsAreAskedThroughAProxy(t *testing.T) {
	proxyEnvironment(t, "http://user:canary@proxy.example:3128", "internal.example,.corp.example,10.0.0.0/8,other.example:8443")
	t.Setenv("HTTP_PROXY", "http://plain.example:3128")
	choose := proxyFromEnvironment()
	for address, proxied := range map[string]bool{
		"https://gateway.example":         true,
		"https://gateway.example:8443":    true,
		"https://xn--bcher-kva.example":   true,
		"https://192.0.2.7":               true,
		"https://internal.example":        false,
		"https://sub.internal.example":    false,
		"https://sub.corp.example":        false,
		"https://10.1.2.3":                false,
		"https://other.example:8443":      false,
		"https://other.example":           true,
		"https://notinternal.example":     true,
		"https://localhost.example":       true,
		"https://127.0.0.1.gateway.test":  true,
		"https://localhost":               false,
		"https://LOCALHOST:8443":          false,
		"https://127.0.0.1":               false,
		"https://127.9.8.7:1":             false,
		"https://[::1]:8443":              false,
		"https://[::ffff:127.0.0.1]:8443": false,
		"http://localhost:8080":           false,
		"http://LocalHost:8080":           false,
		"http://127.0.0.1:8080":           false,
		"http://[::1]":                    false,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		proxy, err := choose(&http.Request{URL: u})
		if err != nil || (proxy != nil) != proxied || proxied && proxy.Host != "proxy.example:3128" {
			t.Errorf("%s: proxy %v, %v", address, proxy != nil, err)
		}
	}
}

func TestHostsThatNeedNoProxyAreTakenAsPeopleWriteThem(t *testing.T) {
	for exceptions, proxied := range map[string]bool{
		"*":                                false,
		"gateway.example":                  false,
		"GATEWAY.example":                  false,
		".example":                         false,
		"*.example":                        false,
		"gateway.example.":                 false,
		"other.test, gateway.example":      false,
		"other.test gateway.example":       false,
		"other.test;gateway.example":       false,
		"localhost|*.example":              false,
		"\"gateway.example\"":              false,
		"'.example'\r\n":                   false,
		"https://gateway.example":          false,
		"https://gateway.example/path":     false,
		"https://gateway.example:443/path": false,
		"gateway.example:443":              false,
		"gateway.example:8443":             true,
		"way.example":                      true,
		"":                                 true,
		" , ":                              true,
	} {
		proxyEnvironment(t, "http://proxy.example:3128", exceptions)
		chosen, err := proxyFromEnvironment()(httptest.NewRequest(http.MethodGet, "https://gateway.example", nil))
		if err != nil || (chosen != nil) != proxied {
			t.Errorf("%q: got %v, %v", exceptions, chosen, err)
		}
	}
}

func TestAProxySettingThatIsNoneStopsEveryRequest(t *testing.T) {
	for _, setting := range []string{"http://us er:canary@proxy.example", "http://[canary", "ftp://canary.example", "http://:3128", "canary:%zz@proxy.example", "file:///canary", "http://canary.example:70000", `"http://canary.example"`} {
		proxyEnvironment(t, setting, "")
		gateway := &Gateway{HTTP: newTestClient(t), BaseURL: "https://gateway.example"}
		_, err := gateway.Shares(t.Context(), "a")
		failed, ok := errors.AsType[*TransportError](err)
		if !ok || failed.Cause() != CauseProxy || !strings.Contains(err.Error(), "HTTPS_PROXY is not the address of a proxy: ") || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: got %v", setting, err)
		}
	}
}

func TestAProxySettingIsTakenAsPeopleWriteIt(t *testing.T) {
	const none = "it begins with none of http://"
	for setting, fault := range map[string]string{
		"proxy.example:3128":               "",
		"proxy.example:3128/":              "",
		"http://proxy.example:3128/":       "",
		" http://proxy.example:3128\r\n":   "",
		"\tproxy.example:3128 ":            "",
		"http://ann:p@ss@proxy.example":    "",
		"http//proxy.example:3128":         none,
		"http:proxy.example:3128":          none,
		"PROXY proxy.example:3128":         none,
		`http://corp\ann:canary@p.example`: "a backslash is written as %5C",
		"http://ann:can#ary@proxy.example": "# as %23",
		// the host would be a part of the password
		"http://ann:c@ary#1@proxy.example": "# as %23",
		"http://ann:c@ary?1@proxy.example": "? as %3F",
		"http://ann:c@ary/1@proxy.example": "/ as %2F",
		"ary:1/2@proxy.example":            "/ as %2F",
	} {
		proxyEnvironment(t, setting, "")
		chosen, err := proxyFromEnvironment()(httptest.NewRequest(http.MethodGet, "https://gateway.example", nil))
		if fault == "" && (err != nil || chosen == nil || chosen.Hostname() != "proxy.example") {
			t.Errorf("%q: got %v, %v", setting, chosen, err)
		}
		if fault != "" && (err == nil || !strings.Contains(err.Error(), fault) || strings.Contains(err.Error(), "ary")) {
			t.Errorf("%q: got %v, want %q", setting, err, fault)
		}
	}
}

func TestAllProxyCountsWhereThereIsNoOther(t *testing.T) {
	for _, name := range []string{"ALL_PROXY", "all_proxy"} {
		proxyEnvironment(t, "", "internal.example")
		t.Setenv(name, "socks5h://proxy.example")
		for host, want := range map[string]string{"gateway.example": "proxy.example", "internal.example": ""} {
			r := httptest.NewRequest(http.MethodGet, "https://"+host, nil)
			got, err := proxyFromEnvironment()(r)
			if err != nil || (got != nil) != (want != "") || got != nil && got.Host != want {
				t.Errorf("%s: %s is asked through %v, %v", name, host, got, err)
			}
		}
		t.Setenv(name, "socks9://proxy.example")
		_, err := proxyFromEnvironment()(httptest.NewRequest(http.MethodGet, "https://gateway.example", nil))
		said := name
		if runtime.GOOS == "windows" { // where both are one variable
			said = "ALL_PROXY"
		}
		if err == nil || !strings.HasPrefix(err.Error(), said+" is not the address of a proxy: ") {
			t.Errorf("%s: %v", name, err)
		}
		t.Setenv("HTTPS_PROXY", "http://first.example:3128")
		got, err := proxyFromEnvironment()(httptest.NewRequest(http.MethodGet, "https://gateway.example", nil))
		if err != nil || got == nil || got.Host != "first.example:3128" {
			t.Errorf("beside HTTPS_PROXY: %v, %v", got, err)
		}
	}
}

// proxy tunnels what it is asked to, whatever the name, to one address, and
// notes the requests for tunnels.
type proxy struct {
	to     string
	status int

	mu       sync.Mutex
	requests []*http.Request
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.requests = append(p.requests, r)
	p.mu.Unlock()
	w.WriteHeader(p.status)
	if p.status != http.StatusOK {
		return
	}
	near, received, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	far, err := net.Dial("tcp", p.to)
	if err != nil {
		panic(err)
	}
	go func() {
		defer near.Close()
		_, _ = io.Copy(near, far)
	}()
	go func() {
		defer far.Close()
		_, _ = io.Copy(far, received)
	}()
}

func TestAProxySeesNoCredentialAndTheServiceNotThatOfTheProxy(t *testing.T) {
	authority := testkit.NewAuthority(t)
	var seen http.Header
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		answer(200, "application/json", "[]")(w, r)
	}))
	server.TLS = tlsOf(authority)
	server.StartTLS()
	t.Cleanup(server.Close)
	tunnel := &proxy{to: host(server), status: http.StatusOK}
	near := httptest.NewServer(tunnel)
	t.Cleanup(near.Close)
	proxyEnvironment(t, "http://person:canary%20proxy@"+host(near), "")

	var exchanges []Exchange
	options := trusting(t, authority)
	options.Base.(*http.Transport).TLSClientConfig.ServerName = "localhost" // of the certificate
	options.Observe = func(e Exchange) { exchanges = append(exchanges, e) }
	gateway := &Gateway{HTTP: NewTransport(options), BaseURL: "https://gateway.example", Tokens: testkit.Token("canary-token")}
	body, err := gateway.Shares(t.Context(), "a")
	if err := drained(body, err); err != nil {
		t.Fatal(err)
	}
	if seen.Get("Authorization") != "Bearer canary-token" || seen.Get("Proxy-Authorization") != "" {
		t.Errorf("the service was sent %v", seen)
	}
	if len(tunnel.requests) != 1 {
		t.Fatalf("the proxy was asked %d times", len(tunnel.requests))
	}
	asked := tunnel.requests[0]
	if asked.Method != http.MethodConnect || asked.Host != "gateway.example:443" || asked.Header.Get("Authorization") != "" || asked.Header.Get("Proxy-Authorization") == "" {
		t.Errorf("the proxy was sent %s %s %v", asked.Method, asked.Host, asked.Header)
	}
	for _, e := range exchanges {
		for _, pair := range append(e.Header, e.AnswerHeader...) {
			if strings.Contains(pair.Value, "canary") || strings.HasPrefix(pair.Name, "Proxy-") {
				t.Errorf("observed: %v", pair)
			}
		}
	}
}

func TestADiscreetErrorDoesNotSayWhereTheProxyIs(t *testing.T) {
	refusing := httptest.NewServer(&proxy{status: http.StatusProxyAuthRequired})
	t.Cleanup(refusing.Close)
	broken := brokenTLSServers(t, testkit.NewAuthority(t))[0]
	for setting, want := range map[string]string{
		"http://person:canary@" + host(refusing): "the proxy answered 407 (proxy authentication required)",
		"http://person:canary@127.0.0.1:1":       "its proxy: the connection was refused",
		"https://person:canary@" + broken.host:   "its proxy: " + broken.says,
		"socks5://person:canary@127.0.0.1:1":     "its proxy: the connection was refused",
	} {
		proxyEnvironment(t, setting, "")
		gateway := &Gateway{
			HTTP:    NewTransport(Options{Discreet: true}),
			BaseURL: "https://gateway.example",
			Tokens:  testkit.Token("canary-token"),
			pause:   noPause,
		}
		_, err := gateway.Shares(t.Context(), "a")
		if err == nil || err.Error() != "get the shares of a: gateway.example: "+want {
			t.Errorf("%s: got %v, want %q", setting, err, want)
		}
		if failed, ok := errors.AsType[*TransportError](err); ok && failed.Cause() != CauseProxy {
			t.Errorf("%s: the cause is %d", setting, failed.Cause())
		}
	}
}
