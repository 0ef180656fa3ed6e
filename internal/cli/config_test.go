package cli

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// fakeKeyring is a keyring in memory that can fail, hang and lie.
type fakeKeyring struct {
	mu     sync.Mutex
	values map[string]string
	calls  []string
	fail   error // of every call
	lie    bool  // Set answers success and keeps nothing
}

func (k *fakeKeyring) enter(call string) error {
	k.mu.Lock()
	k.calls = append(k.calls, call)
	k.mu.Unlock()
	return k.fail
}

func (k *fakeKeyring) Get(service, account string) (string, error) {
	if err := k.enter("get"); err != nil {
		return "", err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	value, ok := k.values[service+"/"+account]
	if !ok {
		return "", session.ErrNoKey
	}
	return value, nil
}

func (k *fakeKeyring) Set(service, account, value string) error {
	if err := k.enter("set"); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.lie {
		k.values[service+"/"+account] = value
	}
	return nil
}

func (k *fakeKeyring) Delete(service, account string) error {
	if err := k.enter("delete"); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.values, service+"/"+account)
	return nil
}

// called lists the calls that were made.
func (k *fakeKeyring) called() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.calls)
}

// holds lists the values, sorted.
func (k *fakeKeyring) holds() []string {
	var values []string
	for _, value := range k.values {
		values = append(values, value)
	}
	slices.Sort(values)
	return values
}

// setSecret keeps a secret that is piped in.
func (d *desk) setSecret(name, value string, flags ...string) {
	d.t.Helper()
	d.stdin = value
	d.mustRun(append([]string{"config", "set-secret", name}, flags...)...)
	d.stdin = ""
}

// withoutSecrets is a desk at a demo service whose secrets nobody has set.
func withoutSecrets(t *testing.T) *desk {
	d := demoDesk(t)
	delete(d.variables, "GATEHOUSE_CLIENT_SECRET")
	delete(d.variables, "GATEHOUSE_API_KEY")
	return d
}

func TestConfigShowTellsWhereEachValueComesFrom(t *testing.T) {
	file := oneProfile(t)
	d := newDesk(t)
	d.variables["GATEHOUSE_BASE_URL"] = "https://other.{domain}"
	d.variables["GATEHOUSE_CLIENT_SECRET"] = "canary-secret"
	d.setSecret("api-key", "canary-key", "--config", file)
	for form, want := range map[string]string{
		"table": `profile main (file FILE)
authority main (default)
auth_url https://auth.example.com (file FILE)
domain_auth_url not set
auth_test_url not set
base_url https://other.{domain} (variable GATEHOUSE_BASE_URL)
global_url https://global.example.com (file FILE)
client_id the-client (file FILE)
client_auth basic (default)
scope openid profile domain_api offline_access (default)
reseller_id not set
ca_file not set
ambiguous_width auto (default)
store memory (flag --store)
log_file not set
client_secret ••• (variable GATEHOUSE_CLIENT_SECRET)
api_key ••• (keyring)
store_passphrase not set
`,
	} {
		got := strings.ReplaceAll(d.mustRun("config", "show", "--config", file, "--store", "memory", "-o", form), file, "FILE")
		if diff := cmp.Diff(want, inWords(form, got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", form, diff)
		}
	}
	got := d.mustRun("config", "show", "--config", file, "--store", "memory")
	if want := `  {
    "key": "api_key",
    "value": "•••",
    "origin": "keyring"
  },`; !strings.HasPrefix(got, "[\n") || !strings.Contains(got, want) {
		t.Errorf("the JSON is %s", got)
	}
}

func TestConfigShowNeedsNeitherServiceNorKeyring(t *testing.T) {
	for name, c := range map[string]struct {
		fail error
		says string
	}{
		"there":  {nil, ""},
		"none":   {session.ErrKeyringUnavailable, ""},
		"locked": {session.ErrKeyringLocked, "no client secret is read from it"},
	} {
		d := newDesk(t)
		d.keyring.fail = c.fail
		got := d.run("config", "show", "--config", oneProfile(t), "-o", "csv")
		if got.code != exitDone || !strings.Contains(got.stdout, "client_secret,,default\r\n") ||
			!strings.Contains(got.stderr, c.says) || (c.says == "") != (got.stderr == "") {
			t.Errorf("a keyring that is %s: %+v", name, got)
		}
	}
}

func TestASecretIsPipedInOrAskedFor(t *testing.T) {
	d := withoutSecrets(t)
	d.stdin = "canary-1\n"
	want := outcome{stderr: "Stored the API key of the profile env in the keyring.\n"}
	if diff := cmp.Diff(want, d.run("config", "set-secret", "api-key"), cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("piped in (-want +got):\n%s", diff)
	}
	d.stdin, d.person = "", &person{answers: []string{"canary-2"}}
	want.stderr = "The API key of the profile env: \n" + want.stderr
	if diff := cmp.Diff(want, d.run("config", "set-secret", "api-key"), cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"canary-2"}, d.keyring.holds()); diff != "" {
		t.Errorf("the keyring holds (-want +got):\n%s", diff)
	}
	for range 2 { // the second finds nothing to remove
		got := d.run("config", "set-secret", "api-key", "--remove")
		if got.code != exitDone || got.stdout != "" || len(d.keyring.values) != 0 {
			t.Errorf("removed: %+v, the keyring holds %v", got, d.keyring.holds())
		}
	}
}

func TestWhatCannotBeASecretIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ stdin, says string }{
		"nothing":           {"", "There is no client secret on standard input."},
		"an empty line":     {"\n", "There is no client secret on standard input."},
		"two lines":         {"canary\ncanary\n", "it has a second line"},
		"a control":         {"canary\x1b[31m", "U+001B"},
		"not UTF-8":         {"canary\xff", "it is not UTF-8"},
		"unseen characters": {"can\u200bary", "zero-width space"},
		"quotes around it":  {"'canary'", "quotation marks around it"},
		"more than a value": {strings.Repeat("canary", 64<<10), "too long to be the client secret"},
	} {
		d := withoutSecrets(t)
		d.stdin = c.stdin
		got := d.run("config", "set-secret", "client-secret")
		if got.code != exitUsage || !strings.Contains(got.stderr, c.says) || strings.Contains(got.stderr, "canary") || len(d.keyring.values) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	d := withoutSecrets(t)
	d.person = &person{answers: []string{""}}
	if got := d.run("config", "set-secret", "client-secret"); got.code != exitUsage || !strings.Contains(got.stderr, "--remove") {
		t.Errorf("nothing typed: %+v", got)
	}
}

func TestWhatMayBeWrongWithAKeptSecretIsSaid(t *testing.T) {
	for value, says := range map[string]string{
		"canary":       "",
		"\ufeffcanary": "the client secret in the keyring may be damaged: it contains a byte-order mark",
		`"canary"`:     "it has quotation marks around it",
	} {
		d := newDesk(t)
		ring := session.NewSecrets("main", d.keyring, func(string) {})
		if err := ring.Set(t.Context(), session.ClientSecret, secret.New(value)); err != nil {
			t.Fatal(err)
		}
		got := d.run("config", "show", "--config", oneProfile(t), "-o", "csv")
		if got.code != exitDone || !strings.Contains(got.stdout, "client_secret,•••,keyring\r\n") ||
			!strings.Contains(got.stderr, says) || (says == "") != (got.stderr == "") || strings.Contains(got.stderr, "canary") {
			t.Errorf("%q: %+v", value, got)
		}
	}
}

func TestASecretThatCannotBeKeptGoesIntoTheVariable(t *testing.T) {
	for name, set := range map[string]func(*fakeKeyring){
		"none":               func(k *fakeKeyring) { k.fail = session.ErrKeyringUnavailable },
		"locked":             func(k *fakeKeyring) { k.fail = session.ErrKeyringLocked },
		"refusing":           func(k *fakeKeyring) { k.fail = errors.New("canary") },
		"deaf to the prompt": func(k *fakeKeyring) { k.lie = true },
	} {
		for _, more := range [][]string{nil, {"--remove"}} {
			d := withoutSecrets(t)
			set(d.keyring)
			if d.keyring.lie && more != nil {
				continue // there is nothing to lie about
			}
			d.stdin = "canary"
			says := "The keyring did not store or remove the client secret."
			if name == "none" {
				says = "No keyring for the client secret is available here."
			}
			got := d.run(append([]string{"config", "set-secret", "client-secret"}, more...)...)
			if got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, says) ||
				!strings.Contains(got.stderr, "et the variable GATEHOUSE_CLIENT_SECRET instead.") || strings.Contains(got.stderr, "canary") {
				t.Errorf("a keyring that is %s, %v: %+v", name, more, got)
			}
		}
	}
}

func TestEveryCommandTakesTheSecretsItNeedsFromTheKeyring(t *testing.T) {
	d := withoutSecrets(t)
	d.stdin = "demo"
	if got := d.run("login", "--email", "hal@harbor.example", "--password-stdin"); got.code != exitFailed || !strings.Contains(got.stderr, "invalid_client") {
		t.Fatalf("without a client secret: %+v", got)
	}
	d.setSecret("client-secret", "demo-secret")
	d.setSecret("api-key", "demo-reseller-key")
	d.login("hal@harbor.example")
	for _, args := range [][]string{{"token"}, {"whoami"}, {"domains"}, {"shares"}, {"companies"}} {
		d.now = d.now.Add(time.Minute) // his tokens live 20 seconds
		d.mustRun(args...)
	}
}

func TestTheKeyringIsNotCalledForNothing(t *testing.T) {
	d := demoDesk(t) // both secrets are variables
	d.login("ada@harbor.example")
	d.mustRun("shares")
	d.mustRun("companies")
	delete(d.variables, "GATEHOUSE_CLIENT_SECRET")
	delete(d.variables, "GATEHOUSE_API_KEY")
	d.mustRun("lookup", "ada@harbor.example")
	d.mustRun("logout")
	if calls := d.keyring.called(); len(calls) > 0 {
		t.Errorf("called were %q", calls)
	}
}
