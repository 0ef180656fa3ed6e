package cli

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/files"
	"gatehouse/session"
)

// completed is what the shell is offered: each value with its description, and the directive.
func (d *desk) completed(args ...string) (offered []string, directive string) {
	d.t.Helper()
	got := d.run(append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
	if got.code != exitDone || strings.Contains(got.stderr, "rror") {
		d.t.Errorf("%q: code %d, %s", args, got.code, got.stderr)
	}
	return lines[:len(lines)-1], lines[len(lines)-1]
}

// The directives of cobra, as the shell gets them.
const (
	filesToo     = ":0"
	filesElse    = ":2" // no space behind, and files where nothing matches
	valuesAlone  = ":4"
	partsOfValue = ":6" // no space behind, as more may follow
	fileEndings  = ":8"
	dirsAlone    = ":16"
)

const twoProfiles = `default_profile = "main"

[profiles.main]
auth_url = "https://auth.example.com"
global_url = "https://global.example.com"

[profiles.lab]
global_url = "https://global.lab.example:8443/x"

[profiles.bare]

[themes.mine]
accent = "#0087ff"
`

func TestTheShellCompletesValuesWithDescriptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(twoProfiles), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args      []string
		want      []string // some of what is offered; nil: nothing is
		directive string
	}{
		{[]string{"whoami", "--output", ""}, []string{"table\tcolumns for people", "csv\tfor spreadsheets"}, valuesAlone},
		{[]string{"check", "-o", ""}, []string{"markdown\tfor a ticket"}, valuesAlone},
		{[]string{"whoami", "--store", ""}, []string{"keyring\ta file whose key is in the keyring", "memory\tnothing is saved"}, valuesAlone},
		{[]string{"login", "--authority", ""}, []string{"main\tusers of every installation", "test\tfor development"}, valuesAlone},
		{[]string{"device-login", "--device-type", ""}, []string{"Pc", "AndroidTable", "Unknown"}, valuesAlone},
		{[]string{"check", "--device-type", ""}, []string{"Mac"}, valuesAlone},
		{[]string{"--theme", ""}, []string{"auto", "high-contrast"}, valuesAlone},
		{[]string{"demo", "--config", file, "--theme", ""}, []string{"dark", "mine\tof the profile file"}, valuesAlone},
		{[]string{"whoami", "--config", file, "--profile", ""}, []string{"main\tglobal.example.com", "lab\tglobal.lab.example:8443", "bare"}, valuesAlone},
		{[]string{"config", "init", "--config", file, "--profile", ""}, []string{"main\tglobal.example.com"}, valuesAlone},
		{[]string{"whoami", "--config", "/nonexistent", "--profile", ""}, nil, valuesAlone},
		{[]string{"shares", "--config", "/nonexistent", "--domain", ""}, nil, valuesAlone},
		{[]string{"shares", "--domain", ""}, nil, valuesAlone},
		{[]string{"shares", "--columns", ""}, []string{"disk\tspace used", "id"}, partsOfValue},
		{[]string{"companies", "--columns", ""}, nil, valuesAlone},
		{[]string{"config", "set-secret", ""}, []string{"client-secret\tof the program, for the authority", "api-key\tof a reseller or a company"}, valuesAlone},
		{[]string{"config", "set-secret", "api-key", ""}, nil, valuesAlone},
		{[]string{"config", ""}, []string{"init\tSet up a profile: ask, try the addresses, write the file"}, valuesAlone},
		{[]string{"serve", "--log-format", ""}, []string{"text", "json"}, valuesAlone},
		{[]string{"serve", "--forget", ""}, []string{"all\tevery session and ticket"}, valuesAlone},
		{[]string{"serve", "--sessions", ""}, []string{"memory\tuntil the visitor disconnects", "postgres://\tfor any number of servers"}, filesElse},
		{[]string{"man", ""}, nil, dirsAlone},
		{[]string{"whoami", "--config", ""}, []string{"toml"}, fileEndings},
		{[]string{"lookup", "--from", ""}, nil, filesToo},
		{[]string{"serve", "--session-key", ""}, nil, filesToo},
		{[]string{"completion", ""}, []string{"bash\tGenerate the autocompletion script for bash"}, valuesAlone},
		{[]string{"help", "wh"}, []string{"whoami\tShow who is signed in, where, and until when"}, valuesAlone},
		{[]string{"lookup", ""}, nil, valuesAlone},
		{[]string{"whoami", ""}, nil, valuesAlone},
		{[]string{"nosuch", ""}, nil, valuesAlone},
	} {
		offered, directive := newDesk(t).completed(tc.args...)
		if directive != tc.directive || len(offered) > 0 != (tc.want != nil) {
			t.Errorf("%q: %q, %s; want %q, %s", tc.args, offered, directive, tc.want, tc.directive)
		}
		for _, want := range tc.want {
			if !slices.Contains(offered, want) {
				t.Errorf("%q: %q is not among %q", tc.args, want, offered)
			}
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := newDesk(t).run("completion", shell); got.code != exitDone || len(got.stdout) < 1000 {
			t.Errorf("completion %s: exit code %d, %d bytes", shell, got.code, len(got.stdout))
		}
	}
}

func TestDomainsAreCompletedWithoutAskingAnybody(t *testing.T) {
	d := demoDesk(t).savesToDisk()
	d.login("ada@harbor.example")
	asked := 0
	d.dial = nil
	d.openVault = func(ctx context.Context, o session.VaultOptions) (session.Vault, string, error) {
		asked++
		return session.OpenVault(ctx, o)
	}
	delete(d.variables, "GATEHOUSE_STORE_PASSPHRASE")
	before := filesBelow(t, os.Getenv("XDG_STATE_HOME"))
	want := []string{"harbor.example\tprimary domain", "minato.example", "fjord.example", "drydock.example"}
	for _, command := range []string{"shares", "companies", "check"} {
		if offered, directive := d.completed(command, "--domain", ""); !slices.Equal(offered, want) || directive != valuesAlone {
			t.Errorf("%s: %q, %s", command, offered, directive)
		}
	}
	if calls := d.keyring.called(); asked > 0 || len(calls) > 0 {
		t.Errorf("the vault was opened %d times, the keyring called: %q", asked, calls)
	}
	if after := filesBelow(t, os.Getenv("XDG_STATE_HOME")); !maps.Equal(before, after) {
		t.Errorf("a completion has changed files: %v, %v", before, after)
	}
	if offered, _ := d.completed("shares", "--store", "memory", "--domain", ""); len(offered) != 0 {
		t.Errorf("of a session in memory %q are known", offered)
	}
	d.variables["GATEHOUSE_STORE_PASSPHRASE"] = "a long passphrase"
	d.mustRun("logout")
	if offered, _ := d.completed("shares", "--domain", ""); len(offered) != 0 {
		t.Errorf("after signing out %q are offered", offered)
	}
}

func TestADamagedStateOffersNothing(t *testing.T) {
	for _, content := range []string{"{", `{"domains.known":5}`, `{"domains.known":["a b","$(touch x)","-rf","\u001b[2J.example","ok.example"]}`, `{"version":9,"domains.known":["a.example"]}`} {
		d := demoDesk(t)
		path := files.StatePath("env")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		offered, directive := d.completed("shares", "--domain", "")
		want := strings.Contains(content, "ok.example")
		if directive != valuesAlone || len(offered) > 0 != want || want && (len(offered) != 1 || offered[0] != "ok.example") {
			t.Errorf("%s: %q", content, offered)
		}
	}
}

// filesBelow are all files below a directory, with their content.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		all[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
