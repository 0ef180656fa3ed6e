package cli

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/demo"
)

// setupDesk is a desk without a profile, beside an embedded service whose variables are known.
func setupDesk(t *testing.T, answers ...string) (d *desk, service map[string]string, file string) {
	t.Helper()
	d = newDesk(t)
	server, err := demo.Start(t.Context(), demo.Options{Now: func() time.Time { return d.now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	service = map[string]string{}
	for name, value := range server.Env() {
		service[strings.ToLower(strings.TrimPrefix(name, "GATEHOUSE_"))] = value
	}
	for i, answer := range answers {
		if value, ok := service[answer]; ok {
			answers[i] = value
		}
	}
	d.person = &person{answers: answers}
	d.variables["GATEHOUSE_STORE"] = "file"
	d.variables["GATEHOUSE_STORE_PASSPHRASE"] = "a long passphrase"
	return d, service, filepath.Join(t.TempDir(), "new", "config.toml")
}

func TestSettingAProfileUpEndsSignedIn(t *testing.T) {
	d, service, file := setupDesk(t, "", "client_id", "global_url", "ada@harbor.example", "", "auth_url", "base_url", "client_secret", "", "", "demo")
	got := d.run("config", "init", "--config", file)
	if got.code != exitDone || got.stdout != "" {
		t.Fatalf("%+v", got)
	}
	for _, said := range []string{`Setting up the profile "main" in `, "Primary domain: harbor.example", "+ global_url = " + service["global_url"], "Wrote " + file, "Signed in as ada@harbor.example"} {
		if !strings.Contains(got.stderr, said) {
			t.Errorf("it does not say %q:\n%s", said, got.stderr)
		}
	}
	document, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "default_profile = \"main\"\n\n[profiles.main]\nauthority = \"main\"\nauth_url = \"" + service["auth_url"] + "\"\nbase_url = \"" + service["base_url"] +
		"\"\nglobal_url = \"" + service["global_url"] + "\"\nclient_id = \"gatehouse-demo\"\n"
	if diff := cmp.Diff(want, string(document)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if strings.Contains(string(document)+got.stderr, service["client_secret"]) {
		t.Error("the secret is in the file or on the screen")
	}
	if who := d.mustRun("whoami", "--config", file); !strings.Contains(who, "harbor.example") {
		t.Errorf("whoami says %s", who)
	}
}

func TestWhereNoSessionIsKeptSettingUpEndsWithoutASignIn(t *testing.T) {
	d, _, file := setupDesk(t, "", "client_id", "global_url", "ada@harbor.example", "", "auth_url", "base_url", "client_secret", "")
	d.variables["GATEHOUSE_STORE"] = "memory"
	if got := d.run("config", "init", "--config", file); got.code != exitDone || !strings.HasSuffix(got.stderr, "set GATEHOUSE_STORE=file, then run `gatehouse login`.\n") {
		t.Errorf("%+v", got)
	}
}

func TestSettingUpAgainShowsTheDifference(t *testing.T) {
	d, service, file := setupDesk(t, "", "client_id", "global_url", "", "", "auth_url", "base_url", "", "")
	d.run("config", "init", "--config", file)
	d.person = &person{answers: []string{"another-client", "", "", "", "", "", "", "n"}}
	before, _ := os.ReadFile(file)
	got := d.run("config", "init", "--config", file)
	if got.code != exitUsage || !strings.Contains(got.stderr, "~ client_id = another-client, was "+service["client_id"]) || !strings.Contains(got.stderr, "Nothing was written") {
		t.Errorf("%+v", got)
	}
	if after, _ := os.ReadFile(file); string(after) != string(before) || len(before) == 0 {
		t.Errorf("it was %q and is %q", before, after)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	d.person = &person{answers: []string{"another-client", "", "", "", "", "", "", "y"}}
	if got := d.run("config", "init", "--config", file); got.code != exitDone || !strings.Contains(got.stderr, "Wrote ") {
		t.Errorf("%+v", got)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	d.person = &person{answers: []string{"", "", "", "", "", "", ""}}
	if got := d.run("config", "init", "--config", file); got.code != exitDone || !strings.Contains(got.stderr, "is unchanged.") {
		t.Errorf("%+v", got)
	}
}

func TestAHostThatDoesNotAnswerIsAskedForAgain(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + listener.Addr().String()
	_ = listener.Close()
	for name, kept := range map[string]bool{"another one": false, "kept all the same": true} {
		t.Run(name, func(t *testing.T) {
			answers := []string{"", "client_id", closed}
			switch name {
			case "kept all the same":
				answers = append(answers, "y")
			default:
				answers = append(answers, "", "ftp://x", "global_url")
			}
			d, _, file := setupDesk(t, append(answers, "", "", "auth_url", "base_url", "", "")...)
			got := d.run("config", "init", "--config", file)
			document, _ := os.ReadFile(file)
			if got.code != exitDone || strings.Contains(string(document), closed) != kept {
				t.Errorf("%+v\n%s", got, document)
			}
			if !strings.Contains(got.stderr, "connection") {
				t.Errorf("it does not say what failed:\n%s", got.stderr)
			}
		})
	}
}

func TestTheProposalIsThatOfTheInterface(t *testing.T) {
	d, _, file := setupDesk(t, "https://Files.Example/login", "client", "", "y", "", "", "", "y", "", "", "")
	got := d.run("config", "init", "--config", file)
	document, _ := os.ReadFile(file)
	for _, line := range []string{`auth_url = "https://auth.files.example"`, `base_url = "https://clientgateway.{domain}"`, `global_url = "https://global.files.example"`} {
		if !strings.Contains(string(document), line) {
			t.Errorf("%s is not in the file:\n%s\n%s", line, document, got.stderr)
		}
	}
	if strings.Contains(string(document), "domain_auth_url") {
		t.Errorf("an authority that nobody tried is in the file:\n%s", document)
	}
}

func TestSettingUpNeedsATerminalAndAFileThatCanBeRead(t *testing.T) {
	d, _, file := setupDesk(t)
	d.person = nil
	if got := d.run("config", "init", "--config", file); got.code != exitUsage || !strings.Contains(got.stderr, "no terminal") {
		t.Errorf("%+v", got)
	}
	d, _, _ = setupDesk(t)
	broken := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(broken, []byte("[profiles.main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := d.run("config", "init", "--config", broken); got.code != exitUsage || !strings.Contains(got.stderr, "could not be changed") {
		t.Errorf("%+v", got)
	}
}

func TestAPrimaryDomainThatIsNoHostNameBecomesPartOfNoURL(t *testing.T) {
	global := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "ann@example.com,x@elsewhere.example/?")
	}))
	defer global.Close()
	var said strings.Builder
	env := Environment{Now: time.Now, Stderr: &said, Ask: &person{answers: []string{"ann@example.com"}, stderr: io.Discard}}
	c := &setupDialogue{app: newApp(env), values: map[string]string{"global_url": global.URL}}
	if err := c.askPerson(t.Context()); err != nil || c.domain != "" || !strings.Contains(said.String(), "elsewhere.example") {
		t.Errorf("%q is taken, %v: %s", c.domain, err, &said)
	}
}
