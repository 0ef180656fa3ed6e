package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// An address that was pasted with what people paste around it reaches the service clean, whichever
// command it was given to and however.
func TestPastedAddressesReachTheServiceClean(t *testing.T) {
	const pasted = "\u200bAda Lindqvist <mailto:ada＠HARBOR．example?subject=Help>; "
	list := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(list, []byte("name\temail\nAda\t"+pasted+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		answers []string
		stdin   string
		args    []string
	}{
		"login":        {stdin: "demo", args: []string{"login", "--email", pasted, "--password-stdin"}},
		"prompt":       {answers: []string{pasted, "demo"}, args: []string{"login"}},
		"lookup":       {args: []string{"lookup", pasted}},
		"a list":       {args: []string{"lookup", "--from", list}},
		"typed lines":  {stdin: pasted + "\n", args: []string{"lookup", "--from", "-"}},
		"check":        {stdin: "demo", args: []string{"check", pasted, "--sign-in", "--password-stdin"}},
		"device-login": {stdin: "demo", args: []string{"device-login", "--email", pasted, "--device-name", "x", "--password-stdin"}},
		"shares":       {args: []string{"shares", "--user", pasted}},
	} {
		t.Run(name, func(t *testing.T) {
			d := demoDesk(t)
			asked := d.recordAddresses()
			d.login("ada@harbor.example")
			asked.forget()
			d.stdin = tt.stdin
			if tt.answers != nil {
				d.person = &person{answers: tt.answers}
			}
			if got := d.run(tt.args...); got.code != exitDone {
				t.Errorf("%+v", got)
			}
			if got := asked.addresses(); len(got) == 0 || slices.ContainsFunc(got, func(a string) bool { return a != "ada@harbor.example" }) {
				t.Errorf("the service was asked about %q", got)
			}
		})
	}
}

func TestSeveralAddressesInAnArgumentAreAskedOneByOne(t *testing.T) {
	d := demoDesk(t)
	got := d.mustRun("lookup", "ada@harbor.example; Ben <ben@harbor.example>", "-o", "csv")
	if want := "email,primary_domain,error\r\nada@harbor.example,harbor.example,\r\nben@harbor.example,harbor.example,\r\n"; got != want {
		t.Errorf("%q", got)
	}
	const several = "ada@harbor.example, ben@harbor.example"
	if got := d.run("login", "--email", several, "--password-stdin"); got.code != exitUsage || !strings.Contains(got.stderr, "it has 2 addresses") {
		t.Errorf("login: %+v", got)
	}
	if got := d.run("check", several, "--sign-in", "--password-stdin"); got.code != exitUsage || !strings.Contains(got.stderr, "one address only") {
		t.Errorf("check with a password: %+v", got)
	}
}

func TestInvisibleCharactersOfAnAddressAreSaid(t *testing.T) {
	d := demoDesk(t)
	const says = "ada@harbor.example was given with invisible characters, which are left out.\n"
	if got := d.run("lookup", "ada\u200b@harbor.example"); got.code != exitDone || got.stderr != says {
		t.Errorf("%+v", got)
	}
	got := d.run("lookup", "ada\u00a0l@harbor.example")
	if got.code != exitFailed || !strings.Contains(got.stderr, "it contains a no-break space (U+00A0)") {
		t.Errorf("%+v", got)
	}
}

// askedAbout are the addresses that a service was asked about.
type askedAbout struct {
	mu   sync.Mutex
	list []string
}

// recordAddresses puts a recorder before the service of a desk.
func (d *desk) recordAddresses() *askedAbout {
	d.t.Helper()
	service, err := url.Parse(d.variables["GATEHOUSE_GLOBAL_URL"])
	if err != nil {
		d.t.Fatal(err)
	}
	service.Path = ""
	asked, proxy := &askedAbout{}, httputil.NewSingleHostReverseProxy(service)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.note(d.t, r)
		proxy.ServeHTTP(w, r)
	}))
	d.t.Cleanup(front.Close)
	for name, value := range d.variables {
		d.variables[name] = strings.ReplaceAll(value, service.String(), front.URL)
	}
	return asked
}

// note keeps the address that a request is about, wherever it stands.
func (a *askedAbout) note(t *testing.T, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	form, _ := url.ParseQuery(string(body)) // of other bodies there is nothing to note
	_, user, _ := strings.Cut(r.URL.Path, "/api/users/")
	user, _, _ = strings.Cut(user, "/")
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, address := range []string{form.Get("username"), r.URL.Query().Get("useremail"), user} {
		if address != "" {
			a.list = append(a.list, address)
		}
	}
}

func (a *askedAbout) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = nil
}

func (a *askedAbout) addresses() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.list)
}
