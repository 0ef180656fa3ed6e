package config_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"gatehouse/internal/config"
	"gatehouse/internal/testkit"
)

func TestDomainsThatAreRefused(t *testing.T) {
	for _, name := range testkit.EvilDomains() {
		got, err := config.CheckDomain(name)
		if _, ok := errors.AsType[*config.DomainError](err); !ok || got != "" {
			t.Errorf("CheckDomain(%.80q) = %q, %v", name, got, err)
		}
	}
}

func TestReasonsOfRefusal(t *testing.T) {
	const want = "; want a host name such as harbor.example"
	for name, reason := range map[string]string{
		"":                                    `"" is no domain: it is empty`,
		"evil.example/":                       `"evil.example/" is no domain: it contains '/'`,
		"a\x1b[2J.example":                    `"a\x1b[2J.example" is no domain: it contains '\x1b'`,
		"a\xff.example":                       `"a\xff.example" is no domain: it contains '�'`,
		"..":                                  `".." is no domain: it has an empty label`,
		"a.example.":                          `"a.example." is no domain: it has an empty label`,
		"127.0.0.1":                           `"127.0.0.1" is no domain: it ends in a number, as an IP address does`,
		"intranet":                            `"intranet" is no domain: it has no dot`,
		"a-.example":                          `"a-.example" is no domain: a label of it begins or ends with a hyphen`,
		"xn--zzzzzz.example":                  `"xn--zzzzzz.example" is no domain: it is not a valid international name`,
		strings.Repeat("a", 64) + ".b":        `"` + strings.Repeat("a", 64) + `.b" is no domain: a label of it is longer than 63 characters`,
		strings.Repeat("a234567.", 32) + "ab": `"` + strings.Repeat("a234567.", 12) + `a234…" is no domain: it is longer than 253 characters`,
		strings.Repeat("a.", 1<<20):           `"` + strings.Repeat("a.", 50) + `…" is no domain: it is longer than 253 characters`,
	} {
		if _, err := config.CheckDomain(name); text(err) != reason+want {
			t.Errorf("\n got %v\nwant %s", err, reason+want)
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

func FuzzCheckDomain(f *testing.F) {
	for _, name := range testkit.EvilDomains() {
		if len(name) < 1000 {
			f.Add(name)
		}
	}
	for _, name := range []string{"harbor.example", "bücher.example", "ß.example", "xn--bcher-kva.example", "日本。example", "localhost"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, given string) {
		name, err := config.CheckDomain(given)
		if err != nil {
			return
		}
		if again, err := config.CheckDomain(name); err != nil || again != name {
			t.Errorf("%q gives %q, and that %q, %v", given, name, again, err)
		}
		u, err := url.Parse(strings.ReplaceAll("https://gw.{domain}/x", "{domain}", name))
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		if u.Scheme != "https" || u.Host != "gw."+name || u.Path != "/x" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("%q becomes %#v", name, u)
		}
		expanded, err := (&config.Profile{BaseURL: "https://gw.{domain}/x"}).GatewayURL(given)
		if len("gw."+name) <= 253 && (err != nil || expanded != u.String()) {
			t.Errorf("GatewayURL(%q) = %q, %v; want %q", given, expanded, err, u)
		}
	})
}
