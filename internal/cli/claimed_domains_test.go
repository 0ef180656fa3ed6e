package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gatehouse/internal/testkit"
)

// claiming signs everybody in with these domains, and counts the requests for
// anything else.
func claiming(t *testing.T, domains ...string) (service http.HandlerFunc, others *atomic.Int32) {
	t.Helper()
	others = new(atomic.Int32)
	list, err := json.Marshal(domains[1:])
	if err != nil {
		t.Fatal(err)
	}
	token := testkit.JWT(fmt.Sprintf(`{"primary_domain":%q,"domains":%s}`, domains[0], list))
	return func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/connect/token") {
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":86400}`, token)
			return
		}
		others.Add(1)
	}, others
}

// opaque signs everybody in with a token without claims; harbor.example is everybody's
// primary domain. It notes who is sent the token.
func opaque(t *testing.T) (d *desk, sentTo func() string) {
	t.Helper()
	var mu sync.Mutex
	var got []string
	d = fakeDesk(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/connect/token"):
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprint(w, `{"access_token":"opaque-token","token_type":"Bearer","expires_in":86400}`)
		case strings.HasPrefix(r.URL.Path, "/global"):
			_, _ = fmt.Fprint(w, "ada@harbor.example,harbor.example")
		default:
			mu.Lock()
			defer mu.Unlock()
			got = append(got, r.URL.Path)
			_, _ = fmt.Fprint(w, "[]")
		}
	})
	d.variables["GATEHOUSE_BASE_URL"] = strings.TrimSuffix(d.variables["GATEHOUSE_BASE_URL"], "/gateway") + "/{domain}"
	d.login("ada@harbor.example")
	return d, func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(got, " ")
	}
}

func TestATokenWithoutClaimsGoesToNoOtherDomainUnlessAPersonSaysSo(t *testing.T) {
	answering := func(answer string) *person { return &person{answers: []string{answer}} }
	for name, c := range map[string]struct {
		person *person
		args   []string
		sent   bool
	}{
		"the primary domain":  {args: []string{"--domain", "Harbor.example"}, sent: true},
		"another, no person":  {args: []string{"--domain", "minato.example"}},
		"another, agreed":     {person: answering("y"), args: []string{"--domain", "minato.example"}, sent: true},
		"another, not agreed": {person: answering(""), args: []string{"--domain", "minato.example"}},
		"another, with flag":  {args: []string{"--domain", "minato.example", "--any-domain"}, sent: true},
	} {
		t.Run(name, func(t *testing.T) {
			d, sentTo := opaque(t)
			d.person = c.person
			got := d.run(append([]string{"shares"}, c.args...)...)
			if (sentTo() != "") != c.sent {
				t.Errorf("sent to %q: %+v", sentTo(), got)
			}
			refused := got.code == exitUsage && strings.Contains(got.stderr, "minato.example may not be one of them.") && strings.Contains(got.stderr, "`--any-domain`")
			if !c.sent && !refused || c.sent && got.code != exitDone {
				t.Errorf("got %+v", got)
			}
			if c.person != nil && !strings.Contains(got.stderr, "minato.example? (yes/no, enter for no)") {
				t.Errorf("it asked %s", got.stderr)
			}
		})
	}
}

func TestInternationalDomainsAreShownInBothSpellings(t *testing.T) {
	service, _ := claiming(t, "BÜCHER.example", "harb\u043er.example")
	d := fakeDesk(t, service)
	d.variables["GATEHOUSE_BASE_URL"] = "https://{domain}:1"
	d.login("ada@harbor.example")
	const both = "xn--bcher-kva.example (bücher.example)"
	if got := d.mustRun("domains", "-o", "table"); !strings.Contains(got, both) || !strings.Contains(got, "xn--harbr-mye.example (harb\u043er.example)") {
		t.Errorf("domains says\n%s", got)
	}
	if got := d.mustRun("whoami", "-o", "table"); !strings.Contains(got, both+" (primary)") {
		t.Errorf("whoami says\n%s", got)
	}
	if got := d.mustRun("domains", "-o", "json"); !strings.Contains(got, `"xn--bcher-kva.example"`) || strings.Contains(got, "bücher") {
		t.Errorf("the JSON is\n%s", got)
	}
	if got := d.run("shares"); !strings.Contains(got.stderr, "xn--bcher-kva.example:1 (bücher.example)") {
		t.Errorf("shares says %s", got.stderr)
	}
}

// lookAlike is a domain with a Cyrillic letter, and inDNS how the DNS has it.
const (
	lookAlike = "h\u0430rbor.example"
	inDNS     = "xn--hrbor-4ve.example"
)

func TestALookAlikeIsShownAsTheDNSHasItBeforeThePassword(t *testing.T) {
	d := fakeDesk(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "ann@x.example,"+lookAlike) })
	d.person = &person{answers: []string{"^C"}}
	got := d.run("login", "--email", "ann@x.example")
	if want := "Primary domain: " + inDNS + " (" + lookAlike + ")\nPassword for "; !strings.HasPrefix(got.stderr, want) {
		t.Errorf("got %q, want %q", got.stderr, want)
	}
}
