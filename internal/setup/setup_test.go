package setup

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/check"
	"gatehouse/internal/config"
	"gatehouse/internal/problem"
	"gatehouse/session"
)

// open begins with a file, "" for none.
func open(t *testing.T, document, profile string) *Draft {
	t.Helper()
	path := filepath.Join(t.TempDir(), "below", "config.toml")
	if document != "" {
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(document), 0o640)); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Open(Options{File: path, Profile: profile, Service: func(p *config.Profile) *session.Service {
		return session.NewService(session.ServiceOptions{Profile: p, Vault: session.NewMemoryVault()})
	}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const twoProfiles = `default_profile = "main" # ours

[profiles.main]
auth_url = "https://auth.example.com"
base_url = "https://gw.{domain}"
global_url = "https://global.example.com"
client_id = "one"

[profiles.lab]
client_id = "two"
`

func TestTheAddressOfAnInstallationIsTakenAsPeopleCopyIt(t *testing.T) {
	for text, want := range map[string]string{
		"example.com": "example.com", " Example.COM ": "example.com", "https://files.example.com/login": "files.example.com", "example.com/": "example.com", "": "",
		"not a host": "!", "10.0.0.1": "!", "https://example.com:8443": "!",
	} {
		got, err := CheckAddress(text)
		if err != nil {
			got = "!"
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestTheProposalHasTheAuthorityThatWasChosenAlone(t *testing.T) {
	d := open(t, "", "")
	if err := d.SetName("main"); err != nil || !d.IsNew() {
		t.Fatal(err)
	}
	d.Propose("example.com")
	for _, step := range []struct{ authority, key, url string }{
		{config.AuthorityMain, "auth_url", "https://auth.example.com"},
		{config.AuthorityDomain, "domain_auth_url", "https://domainauth.{domain}"},
		{config.AuthorityTest, "auth_test_url", "https://auth-test.example.com"},
		{config.AuthorityMain, "auth_url", "https://auth.example.com"},
	} {
		d.SetAuthority(step.authority)
		d.Propose("example.com")
		if part := d.AuthorityPart(); part.Key != step.key || d.Value(step.key) != step.url {
			t.Errorf("%s: %s = %s", step.authority, part.Key, d.Value(part.Key))
		}
		for _, other := range authorities {
			if other.Key != step.key && d.Value(other.Key) != "" {
				t.Errorf("%s: %s is still proposed", step.authority, other.Key)
			}
		}
	}
	if err := d.Set("auth_url", "https://login.example.com/"); err != nil {
		t.Fatal(err)
	}
	if d.Propose("example.com"); d.Value("auth_url") != "https://login.example.com" {
		t.Errorf("the same proposal again has replaced what was typed: %s", d.Value("auth_url"))
	}
	if d.Propose("other.example"); d.Value("auth_url") != "https://auth.other.example" {
		t.Errorf("another proposal is not taken: %s", d.Value("auth_url"))
	}
}

func TestWithoutAnAddressNothingIsInvented(t *testing.T) {
	d := open(t, "", "main")
	d.Propose("")
	d.SetAuthority(config.AuthorityMain)
	for _, part := range d.Parts() {
		if d.Value(part.Key) != "" {
			t.Errorf("%s is %s", part.Key, d.Value(part.Key))
		}
	}
	if d.SetAuthority(config.AuthorityDomain); d.Value("domain_auth_url") != "https://domainauth.{domain}" {
		t.Error("the authority of the domain needs no address")
	}
}

func TestANameOfTheFileBeginsWithWhatStandsThere(t *testing.T) {
	d := open(t, twoProfiles, "")
	if d.Name() != "main" || d.IsNew() || d.Value("client_id") != "one" {
		t.Errorf("it begins with %s, %s", d.Name(), d.Value("client_id"))
	}
	d = open(t, twoProfiles, "new")
	if err := d.Set("client_id", "typed"); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ name, client string }{{"newer", "typed"}, {"lab", "two"}, {"newest", ""}} {
		if err := d.SetName(step.name); err != nil || d.Name() != step.name || d.Value("client_id") != step.client {
			t.Errorf("%s: client_id is %q, %v", step.name, d.Value("client_id"), err)
		}
	}
	if err := d.SetName("../x"); err == nil {
		t.Error("a name that is no file name is taken")
	}
}

func TestWhatIsPlannedIsWhatIsWritten(t *testing.T) {
	d := open(t, twoProfiles, "main")
	if err := errors.Join(d.Set("client_id", "three"), d.Set("base_url", "https://clientgateway.{domain}")); err != nil {
		t.Fatal(err)
	}
	p, err := d.Plan()
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{{"base_url", "https://gw.{domain}", "https://clientgateway.{domain}"}, {"client_id", "one", "three"}}
	if diff := cmp.Diff(want, p.Changes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := d.Write(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(d.File())
	expected := strings.NewReplacer(`"one"`, `"three"`, "https://gw.", "https://clientgateway.").Replace(twoProfiles)
	if err != nil || string(got) != expected {
		t.Errorf("%v\n%s", err, got)
	}
	if info, err := os.Stat(d.File()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the mode has become %v, %v", info.Mode(), err)
	}
	err = d.Write(t.Context(), p)
	if _, ok := errors.AsType[*problem.Error](err); !ok || !strings.Contains(err.Error(), "has changed since") {
		t.Errorf("written over what has changed: %v", err)
	}
}

func TestANewFileIsPrivateAndInItsOwnDirectory(t *testing.T) {
	d := open(t, "", "main")
	if err := d.Set("client_id", "one"); err != nil {
		t.Fatal(err)
	}
	p, err := d.Plan()
	if err == nil {
		err = d.Write(t.Context(), p)
	}
	info, statErr := os.Stat(d.File())
	if err != nil || statErr != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v, %v", err, statErr, info)
	}
	if lines := p.Lines(); len(lines) != 4 || lines[0] != `default_profile = "main"` || lines[3] != `client_id = "one"` {
		t.Errorf("%q", lines)
	}
	if err := d.Write(t.Context(), p); err == nil {
		t.Error("a file that was made meanwhile is replaced")
	}
}

func TestAURLWithADomainIsSkippedUntilTheDomainIsKnown(t *testing.T) {
	d := open(t, "", "main")
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nobody is asked
	if found := d.Try(ctx, Gateway, "https://clientgateway.{domain}", ""); found.State != check.Skipped || !Answered(found) {
		t.Errorf("%+v", found)
	}
	if found := d.Try(ctx, Gateway, "https://clientgateway.{domain}", "harbor.example"); found.Host != "clientgateway.harbor.example" || Answered(found) {
		t.Errorf("%+v", found)
	}
}

func TestAPartAnswersWhereItAnswersAsThatPartDoes(t *testing.T) {
	const page = "<html><title>Welcome</title></html>"
	authority, refused := authorities[config.AuthorityMain], `{"error":"invalid_request"}`
	for name, row := range map[string]struct {
		part   Part
		status int
		body   string
		state  check.State
		says   string
	}{
		"an OAuth error":                  {authority, 400, refused, check.OK, ""},
		"the client is refused":           {authority, 401, `{"error":"invalid_client"}`, check.OK, ""},
		"no token endpoint":               {authority, 404, "", check.Fail, "answered 404"},
		"an OAuth error under 404":        {authority, 404, refused, check.Fail, "answered 404"},
		"a refusal that is not OAuth":     {authority, 400, `{"Message":"no"}`, check.Fail, "answered 400"},
		"a page":                          {authority, 200, page, check.Fail, "HTML page"},
		"a sign-in page":                  {authority, 405, page, check.Fail, "answered 405"},
		"an authority that is busy":       {authority, 429, "", check.Unknown, "429"},
		"a look-up":                       {Global, 200, "nobody@example.com,", check.OK, ""},
		"a look-up that finds somebody":   {Global, 200, "Nobody@Example.com,harbor.example", check.OK, ""},
		"no look-up":                      {Global, 404, page, check.Fail, "answered 404"},
		"a page for a look-up":            {Global, 200, page, check.Fail, "HTML page"},
		"the look-up of somebody else":    {Global, 200, "ann@example.com,harbor.example", check.Fail, "different e-mail address"},
		"a token is wanted":               {Gateway, 401, "", check.OK, ""},
		"a gateway that refuses":          {Gateway, 403, "", check.OK, ""},
		"a refusal with a message":        {Gateway, 400, `{"Message":"Sign in first."}`, check.OK, ""},
		"no gateway":                      {Gateway, 404, page, check.Unknown, "answered 404"},
		"a page for shares":               {Gateway, 200, page, check.Unknown, "HTML page"},
		"shares for everybody":            {Gateway, 200, "[]", check.Unknown, "without a token"},
		"a gateway that fails once asked": {Gateway, 503, "", check.Unknown, "503"},
	} {
		t.Run(name, func(t *testing.T) {
			host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/" || r.URL.Path == "/api" || r.Method == http.MethodGet && r.URL.Path == "/connect/token" {
					w.WriteHeader(http.StatusNotFound) // the probe of the host
					return
				}
				if r.Header.Get("Authorization") != "" {
					t.Error("a credential was sent")
				}
				w.WriteHeader(row.status)
				_, _ = io.WriteString(w, row.body)
			}))
			defer host.Close()
			found := open(t, "", "main").Try(t.Context(), row.part, host.URL, "")
			if found.State != row.state || !strings.Contains(found.Summary, row.says) || row.says != "" && found.Host == "" {
				t.Errorf("%+v", found)
			}
		})
	}
}

func TestAPrimaryDomainThatIsNoHostNameBecomesPartOfNoURL(t *testing.T) {
	answer := "ann@example.com,harbor.example"
	global := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) }))
	defer global.Close()
	d := open(t, "", "main")
	if domain, err := d.PrimaryDomain(t.Context(), global.URL, "ann@example.com"); domain != "harbor.example" || err != nil {
		t.Errorf("%q, %v", domain, err)
	}
	answer = "ann@example.com,x@elsewhere.example/?"
	if domain, err := d.PrimaryDomain(t.Context(), global.URL, "ann@example.com"); domain != "" || err == nil {
		t.Errorf("%q is taken", domain)
	}
}

func TestAValueThatIsNeededHasToBeThere(t *testing.T) {
	d := open(t, twoProfiles, "main")
	for key, text := range map[string]string{"client_id": " ", "auth_url": "ftp://x", "nosuch": "x", "global_url": "https://global.{domain}"} {
		if err := d.Set(key, text); err == nil {
			t.Errorf("%s = %q is taken", key, text)
		}
	}
	if _, err := Check("client_id", ""); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
}
