package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
		{[]string{"whoami", "--config", ""}, nil, filesToo},
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
