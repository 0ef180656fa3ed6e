package cli

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/text/human"
	"gatehouse/session"
)

func TestAWrongPasswordAndAnUnknownUserSoundTheSame(t *testing.T) {
	d := demoDesk(t)
	d.stdin = "wrong"
	for _, user := range []string{"ada@harbor.example", "nobody@harbor.example"} {
		got := d.run("login", "--email", user, "--password-stdin")
		if got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, "Could not sign in as "+user) ||
			!strings.Contains(got.stderr, "wrong e-mail address or password") {
			t.Errorf("%s: %+v", user, got)
		}
	}
	if got := d.run("whoami"); got.code != exitSignIn {
		t.Errorf("somebody is signed in: %+v", got)
	}
}

func TestWrongCallsEndWithTwo(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.toml")
	for name, tc := range map[string]struct {
		args []string
		set  map[string]string
		says string
	}{
		"an unknown flag":         {args: []string{"--nosuch"}, says: "Unknown flag --nosuch."},
		"an unknown letter":       {args: []string{"shares", "-kv"}, says: "Unknown flag -k."},
		"a mistyped flag":         {args: []string{"shares", "--domian", "x.example"}, says: "Unknown flag --domian.\nDid you mean --domain?"},
		"a flag of nothing known": {args: []string{"nosuch", "-rf"}, says: `Unknown command "nosuch".`},
		"a time without a unit":   {args: []string{"serve", "--grace", "5"}, says: `--grace cannot be "5".`},
		"an unknown command":      {args: []string{"nosuch"}, says: `Unknown command "nosuch".`},
		"an unknown shell":        {args: []string{"completion", "tcsh"}, says: "Unknown command \"tcsh\"."},
		"a mistyped command":      {args: []string{"logni"}, says: "Did you mean login?"},
		"a flag without value":    {args: []string{"shares", "--domain"}, says: "Flag needs an argument"},
		"an argument too many":    {args: []string{"whoami", "extra"}, says: "`gatehouse whoami` takes no arguments, and \"extra\" was given.\n`gatehouse whoami --help`"},
		"an address alone":        {args: []string{"login", "ada@harbor.example"}, says: "Did you mean --email? "},
		"no address":              {args: []string{"lookup"}, says: "No e-mail address given."},
		"a mistyped format":       {args: []string{"whoami", "-o", "jsn"}, says: "Did you mean json?"},
		"an unknown format":       {args: []string{"whoami", "-o", "xml"}, says: `--output cannot be "xml".`},
		"an unknown store":        {args: []string{"whoami", "--store", "disk"}, says: `store is "disk"; use ` + human.Either(session.StoreNames())},
		"a missing file":          {args: []string{"whoami", "--config", missing}, says: missing},
		"an impossible URL":       {args: []string{"whoami"}, set: map[string]string{"GATEHOUSE_BASE_URL": "http://gateway.example"}, says: "use https"},
		"a log nowhere":           {args: []string{"lookup", "a@x.example"}, set: map[string]string{"GATEHOUSE_LOG_FILE": missing + "/log"}, says: "Use a file that you own and can write"},
		"no reseller":             {args: []string{"companies"}, set: map[string]string{"GATEHOUSE_RESELLER_ID": ""}, says: "`--reseller ID`"},
		"no key":                  {args: []string{"companies"}, set: map[string]string{"GATEHOUSE_API_KEY": ""}, says: "GATEHOUSE_API_KEY"},
		"a domain that is none":   {args: []string{"companies", "--domain", "a/b"}, says: `--domain: "a/b" is not a domain; use a host name`},
		"nobody to sign in":       {args: []string{"login"}, says: "--email"},
		"a name to sign in with":  {args: []string{"login", "--email", "ada", "--password-stdin"}, says: `--email: "ada" is not an e-mail address: it has no @.`},
		"nobody to ask":           {args: []string{"login", "--email", "ada@harbor.example"}, says: "--password-stdin"},
		"no e-mail":               {args: []string{"device-login", "--device-name", "n"}, says: "--email"},
		"no device":               {args: []string{"device-login", "--email", "a@x.example"}, says: "--device-name"},
		"no such device type":     {args: []string{"device-login", "--email", "a@x.example", "--device-id", "i", "--device-type", "Toaster", "--password-stdin"}, says: "Use Pc, AndroidPhone"},
		"a place that is no JSON": {
			args: []string{"device-login", "--email", "a@x.example", "--device-id", "i", "--geo", "{", "--password-stdin"}, says: "--geo",
		},
		"a demo for everybody":        {args: []string{"demo", "--listen", "0.0.0.0:0"}, says: "loopback"},
		"a demo for no shell":         {args: []string{"demo", "--listen", "127.0.0.1:0", "--shell", "powershel"}, says: "Did you mean powershell? Use sh, cmd or powershell."},
		"a demo on no address":        {args: []string{"demo", "--listen", "here"}, says: "host:port"},
		"an unknown part of config":   {args: []string{"config", "shwo"}, says: "Did you mean show?"},
		"an impossible URL to show":   {args: []string{"config", "show"}, set: map[string]string{"GATEHOUSE_BASE_URL": "http://gateway.example"}, says: "use https"},
		"no secret to set":            {args: []string{"config", "set-secret"}, says: "Use client-secret or api-key."},
		"a secret of another name":    {args: []string{"config", "set-secret", "client_secret"}, says: "Use client-secret or api-key."},
		"a secret as an argument":     {args: []string{"config", "set-secret", "api-key", "canary"}, says: "and no value"},
		"the UI without a terminal":   {args: nil, says: "must not be dumb.\nOtherwise use `gatehouse --accessible`, or a command such as"},
		"the demo without a terminal": {args: []string{"demo"}, says: "must not be dumb.\nWithout one, run `gatehouse demo --accessible`"},
	} {
		t.Run(name, func(t *testing.T) {
			d := demoDesk(t)
			d.stdin = "demo"
			maps.Copy(d.variables, tc.set)
			got := d.run(tc.args...)
			if got.code != exitUsage || got.stdout != "" {
				t.Errorf("exit code %d, stdout %q", got.code, got.stdout)
			}
			if !strings.Contains(got.stderr, tc.says) || strings.Count(got.stderr, "\n") > 2 {
				t.Errorf("stderr is %q, want one with %q", got.stderr, tc.says)
			}
		})
	}
}

func TestAProfileThatDoesNotExistIsNamedWithThoseThatDo(t *testing.T) {
	got := newDesk(t).run("whoami", "--config", oneProfile(t), "--profile", "nosuch")
	if got.code != exitUsage || !strings.Contains(got.stderr, `"nosuch"`) || !strings.Contains(got.stderr, "main") {
		t.Errorf("got %+v", got)
	}
}

// oneProfile writes a profile file.
func oneProfile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	const text = `
[profiles.main]
auth_url   = "https://auth.example.com"
base_url   = "https://gateway.{domain}"
global_url = "https://global.example.com"
client_id  = "the-client"
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNoProfileWithoutATerminalExplainsWhatToDo(t *testing.T) {
	got := newDesk(t).run()
	if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, "No profile is set up.") || !strings.Contains(got.stderr, "gatehouse demo") {
		t.Errorf("got %+v", got)
	}
}
