package cli

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
const filesToo, valuesAlone, partsOfValue = ":0", ":4", ":6"

func TestTheShellCompletesValuesWithDescriptions(t *testing.T) {
	var stores []string
	for _, store := range session.Stores() {
		stores = append(stores, store.Name+"\t"+store.About)
	}
	for _, tc := range []struct {
		args      []string
		want      []string // some of what is offered; nil: nothing is
		directive string
	}{
		{[]string{"whoami", "--output", ""}, []string{"table\tcolumns for people", "csv\tfor scripts and spreadsheets"}, valuesAlone},
		{[]string{"check", "-o", ""}, []string{"markdown\tfor a ticket"}, valuesAlone},
		{[]string{"whoami", "--store", ""}, stores, valuesAlone},
		{[]string{"login", "--authority", ""}, []string{"main\tusers of every installation", "test\tfor development"}, valuesAlone},
		{[]string{"demo", "--shell", ""}, []string{"sh\tbash, zsh, dash", "cmd\tthe command prompt of Windows", "powershell\tPowerShell"}, valuesAlone},
		{[]string{"check", "--device-type", ""}, []string{"Mac"}, valuesAlone},
		{[]string{"config", ""}, []string{"init\tSet up a profile: ask for values, try the URLs, write the file"}, valuesAlone},
		{[]string{"shares", "--columns", ""}, []string{"disk\tspace used", "id"}, partsOfValue},
		{[]string{"companies", "--sort", ""}, nil, filesToo},
		{[]string{"shares", "--domain", ""}, nil, valuesAlone},
		{[]string{"lookup", "--from", ""}, nil, filesToo},
		{[]string{"help", "wh"}, []string{"whoami\tShow who is signed in, where, and until when"}, valuesAlone},
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

func TestTheShellCompletesProfiles(t *testing.T) {
	d := newDesk(t)
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte("[profiles.lab]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if offered, _ := d.completed("whoami", "--config", file, "--profile", ""); !slices.Equal(offered, []string{"lab"}) {
		t.Errorf("%q", offered)
	}
}

func TestTheShellCompletesWhatAListOfTheSessionHas(t *testing.T) {
	d := demoDesk(t)
	d.login("ada@harbor.example")
	for _, column := range shareColumns {
		column, _, _ = strings.Cut(column, "\t")
		if got := d.run("shares", "--columns", column, "--sort", "-"+column, "-o", "csv"); got.code != exitDone {
			t.Errorf("%s is offered: code %d, %s", column, got.code, got.stderr)
		}
	}
	d.savesToDisk().login("ada@harbor.example")
	d.dial = func(context.Context, string, string) (net.Conn, error) {
		t.Error("a service was asked")
		return nil, net.ErrClosed
	}
	want := []string{"harbor.example", "minato.example", "fjord.example", "drydock.example"}
	for _, command := range []string{"shares", "companies", "check"} {
		if offered, directive := d.completed(command, "--domain", ""); !slices.Equal(offered, want) || directive != valuesAlone {
			t.Errorf("%s: %q, %s", command, offered, directive)
		}
	}
	delete(d.variables, "GATEHOUSE_STORE_PASSPHRASE")
	if offered, _ := d.completed("shares", "--domain", ""); len(offered) != 0 {
		t.Errorf("without the passphrase %q are offered", offered)
	}
}
