package cli

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
	"gatehouse/session"
)

func TestASessionOutlivesTheCommandThatBeganIt(t *testing.T) {
	d := demoDesk(t).savesToDisk()
	d.login("ada@harbor.example")

	const want = `{
  "username": "ada@harbor.example",
  "primary_domain": "harbor.example",
  "domains": [
    "harbor.example",
    "minato.example",
    "fjord.example",
    "drydock.example"
  ],
  "expires_at": "2026-03-15T09:26:53Z",
  "renewable": true,
  "authority": "main",
  "profile": "env"
}
`
	if diff := cmp.Diff(want, d.mustRun("whoami", "-o", "json")); diff != "" {
		t.Errorf("whoami (-want +got):\n%s", diff)
	}
	got := d.run("logout")
	if got.code != exitDone || got.stdout != "" || !strings.Contains(got.stderr, "Signed out") {
		t.Errorf("logout: %+v", got)
	}
	if got := d.run("whoami"); got.code != exitSignIn || got.stdout != "" || !strings.Contains(got.stderr, "gatehouse login") {
		t.Errorf("whoami after logout: %+v", got)
	}
	if got := d.run("logout"); got.code != exitDone || !strings.Contains(got.stderr, "Signed out") {
		t.Errorf("a second logout: %+v", got)
	}
}

func TestWhoIsNotSignedInReadsWithWhichProfile(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"whoami"}, "gatehouse: Not signed in with the profile \"env\".\nRun `gatehouse login`.\n"},
		{[]string{"whoami", "--profile", "nope"}, "gatehouse: Not signed in with the profile \"nope\".\nRun `gatehouse --profile nope login`.\n"},
	} {
		if got := demoDesk(t).run(tt.args...); got.code != exitSignIn || got.stderr != tt.want {
			t.Errorf("%q: %+v", tt.args, got)
		}
	}
}

func TestLogoutNeedsNoMoreThanTheNameOfTheProfile(t *testing.T) {
	for _, broken := range []struct{ variable, value string }{
		{"GATEHOUSE_STORE", "memory"}, {"GATEHOUSE_STORE", "keyring"}, {"GATEHOUSE_CA_FILE", "/nowhere/ca.pem"}, {"GATEHOUSE_BASE_URL", "http://x.example"},
	} {
		d := demoDesk(t).savesToDisk()
		d.login("ada@harbor.example")
		right := d.variables[broken.variable]
		d.variables[broken.variable] = broken.value
		d.mustRun("logout")
		d.variables[broken.variable] = right
		if got := d.run("whoami"); got.code != exitSignIn {
			t.Errorf("whoami after a logout with %s: %+v", broken, got)
		}
	}
}

func TestAnExpiredTokenIsRenewedBeforeItIsShown(t *testing.T) {
	d := demoDesk(t)
	d.login("hal@harbor.example")
	before := d.mustRun("token")
	d.now = d.now.Add(time.Minute) // his tokens live 20 seconds
	after := d.mustRun("token")
	if before == after {
		t.Error("the token was not renewed")
	}
	if who := d.mustRun("whoami", "-o", "csv"); !strings.Contains(who, "2026-03-14T09:28:13Z") {
		t.Errorf("whoami does not know the new token:\n%s", who)
	}
}

func TestLoginAsksForWhatIsMissing(t *testing.T) {
	d := demoDesk(t)
	d.person = &person{answers: []string{"ada@harbor.example", "demo"}}
	got := d.run("login")
	const want = `E-mail address: 
Primary domain: harbor.example
Password for ada@harbor.example: 
Signed in as ada@harbor.example. The session is kept in the store "file".
`
	if diff := cmp.Diff(outcome{"", want, exitDone}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoginSaysThatTheAddressIsUnknownBeforeThePasswordIsTyped(t *testing.T) {
	d := demoDesk(t)
	d.person = &person{answers: []string{"^C"}}
	const says = "No primary domain was found for this address. Is it spelled correctly?\nPassword for nobody@harbor.example: \ngatehouse: Cancelled.\n"
	if got := d.run("login", "--email", "nobody@harbor.example"); got.code != exitFailed || got.stderr != says {
		t.Errorf("got %+v", got)
	}
	d.person = &person{answers: []string{"ada"}}
	if got := d.run("login"); got.code != exitUsage || !strings.HasPrefix(got.stderr, "E-mail address: \ngatehouse: \"ada\" is not an e-mail address") {
		t.Errorf("a name alone: %+v", got)
	}
}

func TestLoginTriesTheStoreBeforeItAsksForThePassword(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	for name, tc := range map[string]struct {
		variables map[string]string
		code      int
		says      string
	}{
		"memory":     {map[string]string{"GATEHOUSE_STORE": "memory"}, exitUsage, "would end with this command"},
		"no keyring": {map[string]string{"GATEHOUSE_STORE": ""}, exitUsage, "no keyring is available here.\nSet GATEHOUSE_STORE=file"},
		"no passphrase": {
			map[string]string{"GATEHOUSE_STORE_PASSPHRASE": ""}, exitFailed, "expected the question",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "no keyring" {
				testkit.SkipOnWindows(t, "has a keyring")
			}
			d := demoDesk(t).savesToDisk()
			d.person = &person{}
			maps.Copy(d.variables, tc.variables)
			got := d.run("login", "--email", "ada@harbor.example")
			if got.code != tc.code || !strings.Contains(got.stderr, tc.says) || strings.Contains(got.stderr, "Password:") {
				t.Errorf("got %+v, want %q", got, tc.says)
			}
		})
	}
}

func TestAStoreThatCannotBeWrittenIsFoundBeforeThePasswordIsAskedFor(t *testing.T) {
	d := demoDesk(t).savesToDisk()
	d.person = &person{}
	file := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", file)
	got := d.run("login", "--email", "ada@harbor.example")
	if got.code != exitFailed || !strings.Contains(got.stderr, "the session file") || strings.Contains(got.stderr, "Password:") {
		t.Errorf("got %+v", got)
	}
}

func TestANewPassphraseIsAskedForTwice(t *testing.T) {
	d := demoDesk(t).savesToDisk()
	delete(d.variables, "GATEHOUSE_STORE_PASSPHRASE")
	d.person = &person{answers: []string{"open sesame", "open sesam", "", "open", "sesame"}}
	refused := d.run("login", "--email", "ada@harbor.example")
	const asks, repeats = "New passphrase for the session store: \n", "Repeat the passphrase: \n"
	const differ, empty = "The two passphrases differ. Try again.\n", "The passphrase is empty. Try again.\n"
	want := asks + repeats + differ + asks + empty + asks + repeats + "gatehouse: The two passphrases differ.\n"
	if refused.code != exitUsage || !strings.HasPrefix(refused.stderr, want) {
		t.Errorf("three mistakes: %+v, want %q", refused, want)
	}
	d.person.answers = []string{"open sesame", "open sesam", "open sesame", "open sesame", "demo"}
	d.mustRun("login", "--email", "ada@harbor.example")
	d.person.answers = []string{"open sesame"}
	got := d.run("whoami")
	if got.code != exitDone || got.stderr != "Passphrase of the session store: \n" {
		t.Errorf("an old passphrase: %+v", got)
	}
}

// fullVault is a vault on a disk that gets full.
type fullVault struct {
	session.Vault
	room int // for so many sessions more
}

func (*fullVault) Kind() string { return session.StoreFile }

func (v *fullVault) write() error {
	if v.room--; v.room < 0 {
		return &session.VaultError{Op: "write", What: "the session file /full/main.age", Err: syscall.ENOSPC}
	}
	return nil
}

func (v *fullVault) Put(ctx context.Context, r *session.Record, over uint64, keep bool) error {
	if err := v.write(); err != nil {
		return err
	}
	return v.Vault.Put(ctx, r, over, keep)
}

func (v *fullVault) Begin(ctx context.Context, r *session.Record) (session.Lease, error) {
	if err := v.write(); err != nil { // the mark
		return nil, err
	}
	begun, err := v.Vault.Begin(ctx, r)
	return &fullRenewal{begun, v}, err
}

type fullRenewal struct {
	session.Lease
	vault *fullVault
}

func (r *fullRenewal) Commit(ctx context.Context, next *session.Record) error {
	if err := r.vault.write(); err != nil {
		return err
	}
	return r.Lease.Commit(ctx, next)
}

// fillsDisk gives the runs a store that has room for so many sessions.
func (d *hostileRuns) fillsDisk(room int) {
	v := &fullVault{Vault: session.NewMemoryVault(), room: room}
	d.openVault = func(context.Context, session.VaultOptions) (session.Vault, string, error) { return v, "", nil }
}

func TestACommandSaysThatTheSessionCouldNotBeSaved(t *testing.T) {
	hostile.Run(t, func(t *testing.T, w *hostile.World) {
		d := hostileDesk(t, w)
		d.fillsDisk(2) // the sign-in, and the mark of the renewal
		if got := d.run("login", "--email", "ada@harbor.example", "--password-stdin"); got.code != exitDone {
			t.Fatalf("signing in: %+v", got)
		}
		time.Sleep(25 * time.Hour)
		got := d.run("whoami")
		if got.code != exitDone || !strings.Contains(got.stdout, "ada@harbor.example") {
			t.Errorf("whoami: %+v", got)
		}
		for _, want := range []string{"The session could not be saved and ends with this program: write the session file /full/main.age: no space left on device.", "`gatehouse login`"} {
			if !strings.Contains(got.stderr, want) {
				t.Errorf("stderr is %q", got.stderr)
			}
		}
	})
}

func TestLoginSaysWhoseTokenItIs(t *testing.T) {
	const alias = "gatehouse: the token is of bo@x.example, and not of ann@x.example"
	for claims, want := range map[string]struct{ as, says string }{
		`{"sub":"ann@x.example"}`: {"ann@x.example", ""},
		`{"sub":"ANN@X.example"}`: {"ANN@X.example", ""},
		`{"sub":"1234"}`:          {"ann@x.example", ""},
		`{"sub":"bo@x.example"}`:  {"bo@x.example", alias},
	} {
		token := "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".c2ln"
		d := fakeDesk(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":86400}`, token)
		})
		d.stdin = "demo\n"
		got := d.run("login", "--email", "ann@x.example", "--password-stdin")
		saysAlias := strings.Contains(got.stderr, "and not of")
		if got.code != exitDone || !strings.Contains(got.stderr, "Signed in as "+want.as+".") ||
			!strings.Contains(got.stderr, want.says) || saysAlias != (want.says != "") {
			t.Errorf("%s: %+v", claims, got)
		}
	}
}
