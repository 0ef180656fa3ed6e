package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/demo"
	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
	"gatehouse/ui"
)

// formats are the formats that every command has.
var formats = lists.OutputNames(lists.Outputs(lists.AnyResults))

// today is when the tests take place.
var today = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

// desk is a person's computer: variables, a home directory, perhaps a terminal.
type desk struct {
	t         *testing.T
	variables map[string]string
	now       time.Time
	terminal  int     // width of the terminal that stdout is, 0: it is none
	person    *person // at the terminal, nil: nobody
	stdin     string
	openVault storeOpener
	keyring   *fakeKeyring
	ui        func(context.Context, *ui.Options) error
	dial      api.Dialer // nil: over the network
}

// newDesk makes a desk with an empty home directory and no profile. Its file
// store is quick and not on a disk; see [desk.savesToDisk].
func newDesk(t *testing.T) *desk {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	return &desk{
		openVault: quickVaults(),
		keyring:   &fakeKeyring{values: map[string]string{}},
		t:         t,
		now:       today,
		variables: map[string]string{"XDG_CONFIG_HOME": t.TempDir()},
	}
}

// storeOpener is the type of [session.OpenVault].
type storeOpener = func(context.Context, session.VaultOptions) (session.Vault, string, error)

// quickVault keeps a session from one run to the next, as a file does, without
// the encryption that is slow on purpose.
type quickVault struct{ session.Vault }

func (quickVault) Kind() string { return session.StoreFile }

func quickVaults() storeOpener {
	file := quickVault{session.NewMemoryVault()}
	return func(ctx context.Context, o session.VaultOptions) (session.Vault, string, error) {
		if o.Kind == session.StoreFile {
			return file, "", nil
		}
		return session.OpenVault(ctx, o)
	}
}

// hasNoKeyring takes the keyring away, and the choice of another store.
func (d *desk) hasNoKeyring() *desk {
	open := d.openVault
	d.openVault = func(ctx context.Context, o session.VaultOptions) (session.Vault, string, error) {
		if o.Kind == session.StoreKeyring && !o.Explicit {
			return session.NewMemoryVault(), "no keyring is available here", nil
		}
		return open(ctx, o)
	}
	d.keyring.fail = session.ErrKeyringUnavailable
	delete(d.variables, "GATEHOUSE_STORE")
	return d
}

// savesToDisk gives the desk the program's own stores.
func (d *desk) savesToDisk() *desk {
	d.openVault = session.OpenVault
	return d
}

// demoDesk is a desk whose variables point at a demo service of its own.
func demoDesk(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	server, err := demo.Start(t.Context(), demo.Options{Now: func() time.Time { return d.now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	maps.Copy(d.variables, server.Env())
	d.variables["GATEHOUSE_STORE"] = "file"
	d.variables["GATEHOUSE_STORE_PASSPHRASE"] = "a long passphrase"
	return d
}

// fakeDesk is a desk whose variables point at a service made of one handler.
func fakeDesk(t *testing.T, service http.HandlerFunc) *desk {
	t.Helper()
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	d := newDesk(t)
	maps.Copy(d.variables, map[string]string{
		"GATEHOUSE_AUTH_URL":         server.URL + "/auth",
		"GATEHOUSE_BASE_URL":         server.URL + "/gateway",
		"GATEHOUSE_GLOBAL_URL":       server.URL + "/global",
		"GATEHOUSE_CLIENT_ID":        "the-client",
		"GATEHOUSE_CLIENT_SECRET":    "the-client-secret",
		"GATEHOUSE_API_KEY":          "the-api-key",
		"GATEHOUSE_STORE":            "file",
		"GATEHOUSE_STORE_PASSPHRASE": "a long passphrase",
	})
	return d
}

// outcome is what a run of the program has left.
type outcome struct {
	stdout, stderr string
	code           int
}

// run runs the program with these arguments.
func (d *desk) run(args ...string) outcome {
	d.t.Helper()
	var stdout, stderr bytes.Buffer
	code := Execute(d.t.Context(), args, d.environment(&stdout, &stderr))
	return outcome{stdout.String(), stderr.String(), code}
}

func (d *desk) environment(stdout, stderr io.Writer) Environment {
	env := Environment{
		Relative: files.Relative(),
		Stdin:    strings.NewReader(d.stdin),
		Stdout:   stdout,
		Stderr:   stderr,
		LookupEnv: func(name string) (string, bool) {
			value, ok := d.variables[name]
			return value, ok
		},
		Now:              func() time.Time { return d.now },
		Dial:             d.dial,
		StdoutIsTerminal: d.terminal > 0,
		TerminalWidth:    d.terminal,
		OpenVault:        d.openVault,
		Keyring:          d.keyring,
		RunUI:            d.ui,
	}
	if d.person != nil {
		d.person.stderr = stderr
		env.Ask = d.person
	}
	return env
}

// mustRun runs the program, which has to succeed, and returns its data.
func (d *desk) mustRun(args ...string) string {
	d.t.Helper()
	got := d.run(args...)
	if got.code != exitDone {
		d.t.Fatalf("gatehouse %s: exit code %d\n%s", strings.Join(args, " "), got.code, got.stderr)
	}
	return got.stdout
}

// inWords is what a command wrote in a format. The cells of a table are one blank apart: how
// wide its columns are is not what most tests are about.
func inWords(format, output string) string {
	if format == "table" {
		return testkit.OneBlank(output)
	}
	return output
}

// login signs in with a password on standard input.
func (d *desk) login(user string) {
	d.t.Helper()
	d.stdin = "demo\n"
	d.mustRun("login", "--email", user, "--password-stdin")
	d.stdin = ""
}

// person answers questions. What is asked goes to stderr, as on a terminal.
type person struct {
	answers []string
	stderr  io.Writer
}

func (p *person) Line(_ context.Context, question string) (string, error) {
	if len(p.answers) == 0 {
		return "", errors.New("nobody expected the question " + question)
	}
	_, _ = io.WriteString(p.stderr, question+"\n")
	answer := p.answers[0]
	p.answers = p.answers[1:]
	if answer == "^C" {
		return "", context.Canceled
	}
	return answer, nil
}

func (p *person) Secret(ctx context.Context, question string) (secret.Text, error) {
	answer, err := p.Line(ctx, question)
	return secret.New(answer), err
}
