package config_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"gatehouse/internal/config"
	"gatehouse/internal/testkit"
)

func TestURLsThatAreAccepted(t *testing.T) {
	for given, want := range map[string]string{
		"https://gateway.{domain}":               "https://gateway.harbor.example",
		"https://gateway.{domain}/":              "https://gateway.harbor.example",
		"https://gateway.{domain}//":             "https://gateway.harbor.example",
		"https://{domain}":                       "https://harbor.example",
		"https://{domain}:8443/api/":             "https://harbor.example:8443/api",
		"https://a.{domain}.b.example":           "https://a.harbor.example.b.example",
		"https://gateway.example/t-{domain}/x":   "https://gateway.example/t-harbor.example/x",
		"https://{domain}.example.com/{domain}":  "https://harbor.example.example.com/harbor.example",
		"HTTPS://Gateway.Example.COM/Path":       "https://gateway.example.com/Path",
		"https://gateway":                        "https://gateway",
		"https://file_server.corp:443":           "https://file_server.corp:443",
		"https://bücher.example":                 "https://xn--bcher-kva.example",
		"https://gateway.bücher:8443":            "https://gateway.xn--bcher-kva:8443",
		"https://bücher.{domain}/bücher":         "https://xn--bcher-kva.harbor.example/bücher",
		"https://192.0.2.7":                      "https://192.0.2.7",
		"https://[2001:db8::1]:8443":             "https://[2001:db8::1]:8443",
		"http://localhost:8080":                  "http://localhost:8080",
		"http://LOCALHOST:8080/gateway/{domain}": "http://localhost:8080/gateway/harbor.example",
		"http://127.8.9.10:1/{domain}":           "http://127.8.9.10:1/harbor.example",
		"http://[::1]:8080":                      "http://[::1]:8080",
	} {
		t.Run(given, func(t *testing.T) {
			p := resolve(t, mainProfile, map[string]string{"GATEHOUSE_BASE_URL": given}, nil)
			got, err := p.GatewayURL("Harbor.example")
			if err != nil || got != want {
				t.Errorf("GatewayURL = %q, %v; want %q", got, err, want)
			}
		})
	}
}

func TestURLsThatAreRefused(t *testing.T) {
	const (
		aURL    = "use a URL such as https://auth.example.com or https://auth.example.com:8443/path"
		https   = "use https://, or http:// on a loopback address"
		noUser  = "use a URL without user name and password"
		noQuery = "use a URL without query and fragment"
		braces  = "use no braces except those of {domain}"
		labels  = "put {domain} between dots, as in gateway.{domain}"
		host    = "use a host name of letters, digits, dots and hyphens, or an IP address"
	)
	for given, want := range map[string]string{
		"gateway.example":                                       https,
		"gateway.example:443":                                   https,
		"//gateway.example":                                     https,
		"ftp://gateway.example":                                 https,
		"{domain}://gateway.example":                            https,
		"http://gateway.example":                                https,
		"http://{domain}":                                       https,
		"http://localhost.{domain}":                             https,
		"http://{domain}.localhost":                             https,
		"http://127.0.0.{domain}":                               https,
		"http://localhost.example":                              https,
		"http://127.0.0.1.example":                              https,
		"http://127.1":                                          https,
		"http://0.0.0.0":                                        https,
		"http://192.168.0.1":                                    https,
		"http://[fe80::1]":                                      https,
		"https://":                                              aURL,
		"https:///path":                                         aURL,
		"https:gateway.example":                                 aURL,
		"https://:443":                                          aURL,
		"https://::1":                                           aURL,
		"https://gateway:x:443":                                 aURL,
		"https://gateway.example:":                              aURL,
		"https://gateway.example:0":                             aURL,
		"https://gateway.example:65536":                         aURL,
		"https://gateway.example:https":                         aURL,
		"https://gateway.example:{domain}":                      aURL,
		"https://gateway.%65xample":                             aURL,
		"https://[fe80::1%25eth0]":                              aURL,
		"https://gate way.example":                              aURL,
		"https://gateway.example\\x":                            aURL,
		"https://gateway.example/\x7f":                          aURL,
		"https://ann@gateway.example":                           noUser,
		"https://ann:pw@gateway.example":                        noUser,
		"https://{domain}@gateway.example":                      noUser,
		"https://gateway.example?":                              noQuery,
		"https://gateway.example/?a=b":                          noQuery,
		"https://gateway.example/?{domain}":                     noQuery,
		"https://gateway.example/#":                             noQuery,
		"https://gateway.{Domain}":                              braces,
		"https://gateway.{user}":                                braces,
		"https://gateway.{}":                                    braces,
		"https://gateway.{domain":                               braces,
		"https://gateway.domain}":                               braces,
		"https://gateway.{{domain}}":                            braces,
		"https://gateway.{do{domain}main}":                      braces,
		"https://gateway-{domain}":                              labels,
		"https://{domain}-gateway.example":                      labels,
		"https://gateway.{domain}{domain}":                      labels,
		"https://[{domain}]":                                    aURL,
		"https://gateway,example":                               host,
		"https://gateway;example":                               host,
		"https://*.example":                                     host,
		"https://{domain}." + strings.Repeat("a234567890.", 25): host,
	} {
		t.Run(given, func(t *testing.T) {
			s, _ := sources(t, mainProfile, map[string]string{"GATEHOUSE_BASE_URL": given}, nil)
			p, err := config.Resolve(s)
			e, ok := errors.AsType[*config.Error](err)
			if !ok {
				t.Fatalf("resolved to %v, %v", p, err)
			}
			if e.Key != "base_url" || e.Want != want {
				t.Errorf("%s: %s\nwant %s", e.Key, e.Want, want)
			}
		})
	}
}

func TestAuthorityURL(t *testing.T) {
	p := resolve(t, mainProfile+"domain_auth_url = 'https://auth.{domain}/'", nil, nil)
	for _, tt := range []struct{ authority, domain, want, err string }{
		{"main", "", "https://auth.example.com", ""},
		{"main", "not looked at/", "https://auth.example.com", ""},
		{"domain", "HARBOR.example", "https://auth.harbor.example", ""},
		{"domain", "", "", `domain_auth_url: "" is not a domain; use a host name such as harbor.example`},
		{"domain", "x@evil.example", "", `domain_auth_url: "x@evil.example" is not a domain; use a host name such as harbor.example`},
		{"test", "", "", `profile main lacks auth_test_url (for authority test); add what is missing to the profile file`},
		{"", "", "", `authority is ""; use main, domain or test`},
		{"always", "", "", `authority is "always"; use main, domain or test`},
	} {
		got, err := p.AuthorityURL(tt.authority, tt.domain)
		if message := text(err); got != tt.want || message != tt.err {
			t.Errorf("AuthorityURL(%q, %q) = %q, %s\nwant %q, %s", tt.authority, tt.domain, got, message, tt.want, tt.err)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestAHostThatGrowsTooLongIsRefused(t *testing.T) {
	name := strings.Repeat("a234567.", 31) + "abcde"
	if len(name) != 253 {
		t.Fatalf("the name has %d characters", len(name))
	}
	got, err := (&config.Profile{BaseURL: "https://{domain}"}).GatewayURL(name)
	if err != nil || got != "https://"+name {
		t.Errorf("alone: %q, %v", got, err)
	}
	got, err = (&config.Profile{BaseURL: "https://gw.{domain}"}).GatewayURL(name)
	if e, ok := errors.AsType[*config.DomainError](err); !ok || !strings.HasSuffix(e.Text, "does not fit into https://gw.{domain}") {
		t.Errorf("behind gw.: %q, %v", got, err)
	}
}

// Whatever a domain is, the address has the scheme, the port, the path and the
// fixed labels of its template, and nothing else.
func FuzzNoDomainSteersAnAddress(f *testing.F) {
	for _, domain := range testkit.EvilDomains() {
		if len(domain) < 1000 {
			f.Add(domain)
		}
	}
	for _, domain := range []string{"harbor.example", "bücher.example", "日本。example", "localhost", strings.Repeat("a234567.", 31) + "abc"} {
		f.Add(domain)
	}
	// "NAME" is where the domain belongs.
	templates := map[string]string{
		"https://gw.{domain}/x":                  "https://gw.NAME/x",
		"https://{domain}.fixed.example:8443":    "https://NAME.fixed.example:8443",
		"https://xn--bcher-kva.{domain}":         "https://xn--bcher-kva.NAME",
		"http://127.0.0.1:8080/gateway/{domain}": "http://127.0.0.1:8080/gateway/NAME",
	}
	f.Fuzz(func(t *testing.T, domain string) {
		for template, want := range templates {
			got, err := (&config.Profile{BaseURL: template}).GatewayURL(domain)
			if err != nil {
				if _, ok := errors.AsType[*config.DomainError](err); !ok || got != "" {
					t.Fatalf("%q in %s gives %q, %v", domain, template, got, err)
				}
				continue
			}
			if ascii, err := config.CheckDomain(domain); err != nil || !strings.Contains(got, ascii) {
				t.Fatalf("%q in %s gives %q, and is %q by itself, %v", domain, template, got, ascii, err)
			}
			before, after, _ := strings.Cut(want, "NAME")
			rest, begins := strings.CutPrefix(got, before)
			name, ends := strings.CutSuffix(rest, after)
			if !begins || !ends || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789.-") != "" {
				t.Fatalf("%q in %s gives %q", domain, template, got)
			}
			u, err := url.Parse(got)
			if err != nil || u.String() != got || u.User != nil || strings.Contains("."+name+".", "..") {
				t.Fatalf("%q in %s gives %q, %v", domain, template, got, err)
			}
		}
	})
}

func TestDomainsThatAreRefused(t *testing.T) {
	for _, name := range append(testkit.EvilDomains(), strings.Repeat("a.", 1<<20)) {
		got, err := config.CheckDomain(name)
		if _, ok := errors.AsType[*config.DomainError](err); !ok || got != "" {
			t.Errorf("CheckDomain(%.80q) = %q, %v", name, got, err)
		}
	}
}

func TestDomainsThatAreAccepted(t *testing.T) {
	for name, want := range map[string]string{
		"harbor.example":                       "harbor.example",
		"HARBOR.Example":                       "harbor.example",
		"localhost":                            "localhost",
		"Localhost":                            "localhost",
		"a.b.c.d.e":                            "a.b.c.d.e",
		"1and1.example":                        "1and1.example",
		"127.0.0.1.example":                    "127.0.0.1.example",
		"r3---x.example":                       "r3---x.example",
		"bücher.example":                       "xn--bcher-kva.example",
		"BÜCHER.example":                       "xn--bcher-kva.example",
		"xn--bcher-kva.example":                "xn--bcher-kva.example",
		"日本。example":                           "xn--wgv71a.example",
		"אבג.example":                          "xn--4dbcd.example",
		strings.Repeat("a", 63) + ".example":   strings.Repeat("a", 63) + ".example",
		strings.Repeat("a234567.", 31) + "abc": strings.Repeat("a234567.", 31) + "abc",
	} {
		if got, err := config.CheckDomain(name); err != nil || got != want {
			t.Errorf("CheckDomain(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
}
