package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"gatehouse/internal/config"
	"gatehouse/internal/lists"
	"gatehouse/internal/server/serve"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
	"gatehouse/ui"
)

// remoteClient is somebody who connects to a server.
type remoteClient struct {
	t        *testing.T
	handler  sshd.Handler
	stdin    io.Reader
	environ  []string
	terminal *sshd.Terminal
	log      bytes.Buffer
	// The key and the certificate that the connection was opened with.
	fingerprint string
	certificate *sshd.Certificate
	change      func(*sshd.Connection) // what else the server knows of it; nil: nothing
}

func newRemoteClient(t *testing.T, handler sshd.Handler) *remoteClient {
	return &remoteClient{t: t, handler: handler, stdin: strings.NewReader(""), environ: []string{"TERM=xterm-256color"}}
}

// visitorsAt are the visitors of a server whose clock is now.
func visitorsAt(now func() time.Time) *serve.Visitors {
	program := program(newApp(Environment{Now: now}))
	return &serve.Visitors{Program: &program, Store: sessionstore.NewMemory(now), Keys: sessionstore.NewKeys()}
}

// servedProfile is the profile of a person who serves it to visitors.
func servedProfile(d *desk) (*config.Profile, error) {
	program := program(newApp(d.environment(io.Discard, io.Discard)))
	return program.ServedProfile(d.t.Context())
}

// commandsAndSessions are all commands, and the one that only visitors have.
func commandsAndSessions(root *cobra.Command) []*cobra.Command {
	return append(root.Commands(), new(visit).sessionsCommand())
}

func demoClient(t *testing.T) *remoteClient {
	return newRemoteClient(t, visitorsAt(time.Now).ServeOwnDemos())
}

// connect runs a command line, none for the UI.
func (v *remoteClient) connect(args ...string) outcome {
	v.t.Helper()
	var stdout, stderr bytes.Buffer
	c := &sshd.Connection{
		ID: "c1", Args: args, Terminal: v.terminal, Environ: v.environ, Fingerprint: v.fingerprint, Certificate: v.certificate,
		Stdin: v.stdin, Stdout: &stdout, Stderr: &stderr, Go: func(f func()) { go f() },
		Log: slog.New(slog.NewJSONHandler(&v.log, nil)),
	}
	if v.change != nil {
		v.change(c)
	}
	code := v.handler(v.t.Context(), c)
	return outcome{stdout.String(), stderr.String(), code}
}

func TestVisitorsMayRunWhatIsListedAndNothingElse(t *testing.T) {
	var allowed []string
	a := newApp(newDesk(t).environment(nil, nil))
	root := a.rootCommand()
	a.addBuiltins(root)
	for _, command := range commandsAndSessions(root) {
		name := command.Name()
		got := demoClient(t).connect("help", name)
		switch {
		case got.code == exitDone && (strings.Contains(got.stdout, "ssh HOST") || command.IsAdditionalHelpTopicCommand()):
			allowed = append(allowed, name)
		case got.code != exitUsage || !strings.Contains(got.stderr, "Unknown command \""+name+"\".") || got.stdout != "":
			t.Errorf("help %s: %+v", name, got)
		}
		if strings.Contains(got.stdout+got.stderr, "gatehouse ") {
			t.Errorf("help %s: %+v", name, got)
		}
	}
	slices.Sort(allowed)
	// What is added here only reads, but for the session of the visitor's key, and touches
	// neither the files, the keyring nor the variables of whoever runs the server.
	if diff := cmp.Diff([]string{"check", "companies", "domains", "filters", "help", "login", "logout", "lookup", "sessions", "shares", "whoami"}, allowed); diff != "" {
		t.Errorf("what visitors may run (-want +got):\n%s", diff)
	}
}

func TestVisitorsAreRefusedWhatTouchesTheServer(t *testing.T) {
	for _, args := range [][]string{
		{"--config", "/etc/passwd", "lookup", "ada@harbor.example"},
		{"lookup", "ada@harbor.example", "--config=/etc/passwd"},
		{"lookup", "ada@harbor.example", "--profile", "other"},
		{"lookup", "ada@harbor.example", "--log-file", "/tmp/x"},
		{"lookup", "ada@harbor.example", "--store", "file"},
		{"lookup", "ada@harbor.example", "--authority", "test"},
		{"lookup", "--from", "/etc/passwd"},
		{"lookup", "--from", "-"},
		{"check", "ada@harbor.example", "--resume", "/tmp/x"},
		{"demo", "--listen", "127.0.0.1:0"},
		{"token"},
		{"config", "show"},
		{"login", "--email", "ada@harbor.example", "--password-stdin"},
		{"logout"},
		{"completion", "bash"},
		{"__complete", "lookup", ""},
		{"__completeNoDesc", ""},
		{"sh", "-c", "id"},
		{""},
	} {
		v := demoClient(t)
		v.stdin = strings.NewReader("demo")
		got := v.connect(args...)
		if got.code != exitUsage || got.stdout != "" || strings.Count(got.stderr, "\n") > 2 || !strings.HasPrefix(got.stderr, "gatehouse: ") {
			t.Errorf("%q: %+v", args, got)
		}
		if strings.Contains(got.stderr, "`gatehouse") {
			t.Errorf("%q: the hint is for somebody at the server: %s", args, got.stderr)
		}
	}
}

func TestAVisitorsHelpSpeaksOfWhatAVisitorCanDo(t *testing.T) {
	got := demoClient(t).connect("--help")
	for _, unwanted := range []string{"config", "logout", "token", "completion", "device-login", "--store", "--profile", "serve ", "keyring", "GATEHOUSE_"} {
		if strings.Contains(got.stdout, unwanted) {
			t.Errorf("the help speaks of %q:\n%s", unwanted, got.stdout)
		}
	}
	for _, wanted := range []string{"lookup", "shares", "ssh HOST COMMAND", "--output"} {
		if !strings.Contains(got.stdout, wanted) {
			t.Errorf("the help does not speak of %q:\n%s", wanted, got.stdout)
		}
	}
	for _, name := range []string{"companies", "domains", "lookup", "shares", "whoami"} {
		if got := demoClient(t).connect(name, "--help"); strings.Contains(got.stdout, "gatehouse ") || strings.Contains(got.stdout, "GATEHOUSE_") {
			t.Errorf("%s --help:\n%s", name, got.stdout)
		}
	}
	if got := demoClient(t).connect("--version"); got.code != exitDone || got.stdout != thisBuild().String()+"\n" {
		t.Errorf("--version: %+v", got)
	}
}

func TestVisitorsSignInWithTheCommand(t *testing.T) {
	run := func(stdin string, args ...string) outcome {
		v := demoClient(t)
		v.stdin = strings.NewReader(stdin)
		return v.connect(args...)
	}
	if got := run("", "lookup", "ada@harbor.example", "-o", "csv"); got.stdout != "email,primary_domain,error\r\nada@harbor.example,harbor.example,\r\n" || got.code != exitDone {
		t.Errorf("lookup: %+v", got)
	}
	if got := run("", "lookup", "nobody@nowhere.example"); got.code != exitFailed || !strings.Contains(got.stdout, `"error"`) {
		t.Errorf("a lookup that fails: %+v", got)
	}
	got := run("demo\n", "whoami", "-u", "ben@harbor.example", "--password-stdin")
	var who identity
	if err := json.Unmarshal([]byte(got.stdout), &who); err != nil || who.Username != "ben@harbor.example" || got.code != exitDone {
		t.Errorf("whoami: %+v", got)
	}
	if got := run("demo", "shares", "--email", "ada@harbor.example", "--password-stdin", "-o", "csv"); strings.Count(got.stdout, "\r\n") != 43 || got.code != exitDone {
		t.Errorf("shares: %d, %s", got.code, got.stderr)
	}
	if got := run("", "companies", "--domain", "harbor.example", "-o", "csv"); strings.Count(got.stdout, "\r\n") != 26 || got.code != exitDone {
		t.Errorf("companies: %d, %s", got.code, got.stderr)
	}
	if got := run("wrong", "domains", "-u", "ada@harbor.example", "--password-stdin"); got.code != exitFailed || got.stdout != "" {
		t.Errorf("a wrong password: %+v", got)
	}
	for _, args := range [][]string{{"whoami"}, {"domains"}, {"shares"}, {"companies"}} {
		if got := run("", args...); got.code != exitSignIn || !strings.Contains(got.stderr, "--email EMAIL") {
			t.Errorf("%s without a user: %+v", args, got)
		}
	}
	if got := run("", "domains", "-u", "ada@harbor.example"); got.code != exitUsage || !strings.Contains(got.stderr, "`ssh -t` asks for a terminal.") {
		t.Errorf("without a password: %+v", got)
	}
}

func TestOnATerminalTheVisitorIsAsked(t *testing.T) {
	v := demoClient(t)
	v.terminal = &sshd.Terminal{Width: 100, Height: 30}
	v.stdin = io.MultiReader(strings.NewReader("demo\r"), neverReads{t})
	got := v.connect("domains", "-u", "ada@harbor.example")
	if got.code != exitDone || !strings.Contains(got.stdout, "Domain") || strings.Contains(got.stdout, "{") {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(got.stderr, "Password for ") || strings.Contains(got.stderr, "demo") {
		t.Errorf("what is asked: %q", got.stderr)
	}
}

func TestCtrlCEndsAVisitorsCommand(t *testing.T) {
	v := demoClient(t)
	v.terminal = &sshd.Terminal{Width: 100, Height: 30}
	v.stdin = io.MultiReader(strings.NewReader("\x03"), neverReads{t})
	if got := v.connect("domains", "-u", "ada@harbor.example"); got.code != exitFailed || !strings.Contains(got.stderr, "Cancelled") {
		t.Errorf("%+v", got)
	}
}

// TestAVisitorsInputIsReadWhereAPanicEndsOneConnection is about a panic, which would end the
// whole server where nobody recovers it.
func TestAVisitorsInputIsReadWhereAPanicEndsOneConnection(t *testing.T) {
	demo := visitorsAt(time.Now).ServeOwnDemos()
	var panicked atomic.Bool
	v := newRemoteClient(t, func(ctx context.Context, c *sshd.Connection) int {
		ctx, end := context.WithCancel(ctx)
		c.Stdin = panicReader{}
		c.Go = func(f func()) {
			go func() {
				defer end()
				defer func() { panicked.Store(recover() != nil) }()
				f()
			}()
		}
		return demo(ctx, c)
	})
	if got := v.connect("whoami", "-u", "ada@harbor.example", "--password-stdin"); got.code != exitFailed || got.stdout != "" || !panicked.Load() {
		t.Errorf("%+v", got)
	}
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("a mistake") }

// neverReads is a visitor who types nothing more.
type neverReads struct{ t *testing.T }

func (n neverReads) Read([]byte) (int, error) {
	<-n.t.Context().Done()
	return 0, io.EOF
}

func TestTheUINeedsATerminalOfAVisitor(t *testing.T) {
	v := demoClient(t)
	if got := v.connect(); got.code != exitUsage || !strings.Contains(got.stderr, "ssh -t HOST") || got.stdout != "" {
		t.Errorf("without a terminal: %+v", got)
	}
	for _, environ := range [][]string{{"TERM=dumb"}, {"TERM="}, nil} {
		v.terminal, v.environ = &sshd.Terminal{Width: 80, Height: 24}, environ
		if got := v.connect(); got.code != exitUsage || strings.Contains(got.stdout+got.stderr, "\x1b") {
			t.Errorf("%q: %+v", environ, got)
		}
	}
}

func TestTheOperatorsProfileIsServedWithoutWhatIsTheOperators(t *testing.T) {
	d := demoDesk(t)
	d.variables["GATEHOUSE_LOG_FILE"] = t.TempDir() + "/log"
	authorities := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(authorities, testkit.NewAuthority(t).PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	d.variables["GATEHOUSE_CA_FILE"] = authorities
	profile, err := servedProfile(d)
	if err != nil {
		t.Fatal(err)
	}
	if profile.Store != session.StoreMemory || profile.LogFile != "" || profile.APIKey != (secret.Text{}) || profile.StorePassphrase != (secret.Text{}) {
		t.Errorf("the visitors' profile has the store %q, the log %q, or a secret of the operator", profile.Store, profile.LogFile)
	}
	if profile.CAFile != "" || profile.Roots == nil {
		t.Errorf("the file of authorities is %q, its authorities are there: %v", profile.CAFile, profile.Roots != nil)
	}
	for name, value := range d.variables { // a visitor must not get them from the process either
		t.Setenv(name, value)
	}
	v := newRemoteClient(t, visitorsAt(func() time.Time { return d.now }).ServeProfile(profile, false))
	v.stdin = strings.NewReader("demo")
	if got := v.connect("whoami", "-u", "ada@harbor.example", "--password-stdin", "-o", "csv"); got.code != exitDone || !strings.Contains(got.stdout, "ada@harbor.example,harbor.example") {
		t.Errorf("whoami: %+v", got)
	}
	if got := v.connect("companies", "--domain", "harbor.example"); got.code != exitUsage || !strings.Contains(got.stderr, "lists no companies") {
		t.Errorf("companies: %+v", got)
	}
	if got := v.connect("whoami"); got.code != exitSignIn {
		t.Errorf("the session of one visitor is that of the next: %+v", got)
	}
}

func TestTheClientSecretOfAServerGoesWhereTheOperatorSaysAlone(t *testing.T) {
	const template = "https://domainauth.{domain}"
	d := fakeDesk(t, func(w http.ResponseWriter, r *http.Request) { // a look-up names whatever domain the address has
		email := r.URL.Query().Get("useremail")
		_, domain, _ := strings.Cut(email, "@")
		fmt.Fprintf(w, "%s,%s", email, domain)
	})
	d.variables["GATEHOUSE_AUTHORITY"], d.variables["GATEHOUSE_DOMAIN_AUTH_URL"] = "domain", template
	serve := func(args ...string) outcome {
		return d.run(append([]string{"serve", "--authorized-keys", noKeys(t), "--listen", "nowhere"}, args...)...)
	}
	for args, want := range map[string]string{
		"":                                   template + " of any domain",
		"--secret-domains=a.example,evil/.b": `"evil/.b" is not a domain`,
	} {
		if got := serve(strings.Fields(args)...); got.code != exitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
	if got := serve("--secret-domains", "Harbor.example,north.example"); !strings.Contains(strings.Join(strings.Fields(got.stderr), " "), "goes to "+template+" of harbor.example, north.example and nowhere else") {
		t.Errorf("it starts with %+v", got)
	}

	profile, err := servedProfile(d)
	if err != nil {
		t.Fatal(err)
	}
	if got := profile.Authorities(); !slices.Equal(got, []string{"domain"}) {
		t.Errorf("visitors choose among the authorities %q", got)
	}
	profile.SecretDomains = []string{"harbor.example"}
	v := newRemoteClient(t, visitorsAt(time.Now).ServeProfile(profile, false))
	v.stdin = strings.NewReader("pw")
	if got := v.connect("whoami", "-u", "me@evil.example", "--password-stdin"); got.code != exitUsage || !strings.Contains(got.stderr, "This server does not sign in at the authority of evil.example, so nothing was sent there.") {
		t.Errorf("a domain of a stranger: %+v", got)
	}

	d.variables["GATEHOUSE_AUTHORITY"] = "main"
	if got := serve("--secret-domains", "harbor.example"); got.code != exitUsage || !strings.Contains(got.stderr, "--secret-domains has no effect") {
		t.Errorf("with an authority for all: %+v", got)
	}
	if profile, err = servedProfile(d); err != nil || !slices.Equal(profile.Authorities(), []string{"main"}) {
		t.Errorf("visitors choose among the authorities %q, %v", profile.Authorities(), err)
	}
}

func TestAMistakeInTheProgramEndsOneConnectionWithAReportInTheLog(t *testing.T) {
	d := demoDesk(t)
	profile, err := servedProfile(d)
	if err != nil {
		t.Fatal(err)
	}
	var armed atomic.Bool
	v := newRemoteClient(t, visitorsAt(func() time.Time {
		if armed.CompareAndSwap(true, false) {
			panic("canary")
		}
		return d.now
	}).ServeProfile(profile, false))
	v.terminal = &sshd.Terminal{Width: 80, Height: 24}
	keys, typed := io.Pipe()
	v.stdin = keys
	go func() {
		_, _ = io.WriteString(typed, "a") // taken when the UI is there
		armed.Store(true)
		_, _ = io.WriteString(typed, "\x14") // ctrl+t, which says something at a time
	}()
	got := v.connect()
	_ = keys.Close()
	if got.code != exitFailed || !strings.Contains(got.stderr, "because of a bug") || !strings.Contains(got.stderr, "Connect again") {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	if strings.LastIndex(got.stdout, "\x1b[?1049l") < strings.LastIndex(got.stdout, "\x1b[?1049h") {
		t.Error("the terminal is not put back")
	}
	if !strings.Contains(v.log.String(), "visitor_test.go") {
		t.Errorf("the log has no report: %s", &v.log)
	}
	if strings.Contains(got.stdout+got.stderr+v.log.String(), "canary") {
		t.Error("what the panic said is told")
	}
	if _, err := os.Stat(filepath.Dir(session.StatePath("x"))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a directory for reports: %v", err)
	}
}

func TestAListForWhichThereIsNoMemoryIsRefused(t *testing.T) {
	shared := visitorsAt(time.Now)
	shared.Lists.Limit = 1 << 20
	v := newRemoteClient(t, shared.ServeOwnDemos())
	for user, refused := range map[string]bool{"gus": true, "ada": false} {
		v.stdin = strings.NewReader("demo")
		got := v.connect("shares", "-u", user+"@harbor.example", "--password-stdin")
		if says := strings.Contains(got.stderr, "no memory left for this list: the open lists on this server may take 1 MiB"); says != refused || (got.code == exitFailed) != refused || (got.stdout == "") != refused {
			t.Errorf("%s: %d, %s", user, got.code, got.stderr)
		}
	}
	if held := shared.Lists.Held(); held != 0 || shared.Lists.Refused() != 1 {
		t.Errorf("%d bytes are taken of lists that were printed, and %d lists were refused", held, shared.Lists.Refused())
	}
}

// TestNothingHarmfulReachesAVisitor is about commands without a terminal: what ssh prints
// then goes to that of the visitor as it comes.
func TestNothingHarmfulReachesAVisitor(t *testing.T) {
	d := fakeDesk(t, answer(hostileText))
	profile, err := servedProfile(d)
	if err != nil {
		t.Fatal(err)
	}
	v := newRemoteClient(t, visitorsAt(func() time.Time { return d.now }).ServeProfile(profile, false))
	run := func(args ...string) string {
		t.Helper()
		v.stdin = strings.NewReader("demo")
		got := v.connect(append(args, "shares", "-u", "ann@x.example", "--password-stdin")...)
		if got.code != exitDone {
			t.Fatalf("%q: %+v", args, got)
		}
		return got.stdout
	}
	for _, form := range formats {
		got := run("-o", form)
		for line := range strings.Lines(got) {
			if line = strings.TrimRight(line, "\r\n"); safetext.Line(line) != line {
				t.Errorf("%s lets something through: %q", form, line)
			}
		}
		if !strings.Contains(got, "日本 👍🏽") {
			t.Errorf("%s changes harmless text:\n%s", form, got)
		}
		if form == lists.AsJSON.Name {
			sameValue(t, hostileText, got)
		}
		if form == lists.AsNDJSON.Name {
			sameValue(t, hostileText, "["+got+"]")
		}
		if exact := strings.Contains(run("--exact", "-o", form), "\u009b31m"); exact != (form != lists.AsTable.Name) {
			t.Errorf("%s --exact: the exact bytes came through: %v", form, exact)
		}
	}
}

func TestWithoutAnAddressAVisitorsTerminalGetsTheScreen(t *testing.T) {
	d, began := demoDesk(t), false
	profile, err := newApp(d.environment(io.Discard, io.Discard)).place.profile()
	if err != nil {
		t.Fatal(err)
	}
	d.ui = func(_ context.Context, o *ui.Options) error { began = o.Check; return nil }
	var stderr bytes.Buffer
	c := &sshd.Connection{Log: slog.New(slog.DiscardHandler)}
	v := newVisit(&serve.Visitor{Connection: c, Profile: profile, Shared: visitorsAt(time.Now)}, d.environment(io.Discard, &stderr))
	v.watch = func() { t.Error("the keys of the screen are read by somebody else") }
	if code := v.app.run(t.Context(), []string{"check"}, v.rootCommand()); code != exitDone || !began {
		t.Errorf("exit code %d, the screen begins with the check: %v\n%s", code, began, &stderr)
	}
}

func TestVisitorsCheckAddresses(t *testing.T) {
	v := demoClient(t)
	got := v.connect("check", "ada@harbor.example", "nobody@harbor.example", "-o", "csv")
	if got.code != exitFailed || strings.Count(got.stdout, "\r\n") != 3 || !strings.Contains(got.stdout, "ada@harbor.example,") || !strings.Contains(got.stderr, "1 fail: no primary domain found\n") ||
		!strings.Contains(got.stdout, "`ssh -t HOST check nobody@harbor.example --sign-in`") {
		t.Errorf("without a password: %+v", got)
	}
	v.stdin = strings.NewReader("demo\n")
	if got := v.connect("check", "ada@harbor.example", "--sign-in", "--password-stdin", "-o", "markdown"); got.code != exitDone || !strings.Contains(got.stdout, "| claims | ok |") {
		t.Errorf("with one: %+v", got)
	}
	v.terminal = &sshd.Terminal{Width: 80, Height: 24}
	v.stdin = io.MultiReader(strings.NewReader("demo\r"), neverReads{t})
	if got := v.connect("check", "ben@harbor.example", "--sign-in"); got.code != exitDone || !strings.Contains(got.stdout, "Looks fine") || !strings.Contains(got.stderr, "Password for ") {
		t.Errorf("on a terminal: %+v", got)
	}
	v = demoClient(t)
	if got := v.connect("check"); got.code != exitUsage || !strings.Contains(got.stderr, "No e-mail address given") || strings.Contains(got.stderr, "--from") {
		t.Errorf("without an address, without a terminal: %+v", got)
	}
	for _, args := range [][]string{
		{"--bundle", "/tmp/x.zip"}, {"--control"}, {"--device-name", "laptop", "--sign-in"}, {"--device-id", "1", "--sign-in"}, {"--from", "/etc/passwd"},
	} {
		if got := v.connect(append([]string{"check", "ada@harbor.example"}, args...)...); got.code != exitUsage || got.stdout != "" {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

func TestAVisitorIsServedInPlainLines(t *testing.T) {
	for name, visit := range map[string]func(v *remoteClient) outcome{
		"by the option": func(v *remoteClient) outcome { return v.connect("--accessible") },
		"by the option, on a terminal": func(v *remoteClient) outcome {
			v.terminal = &sshd.Terminal{Width: 80, Height: 24}
			return v.connect("--accessible")
		},
		"by the variable, on a terminal": func(v *remoteClient) outcome {
			v.terminal = &sshd.Terminal{Width: 80, Height: 24}
			v.environ = append(v.environ, "ACCESSIBLE=1")
			return v.connect()
		},
	} {
		v := demoClient(t)
		v.stdin = strings.NewReader("ada@harbor.example\rdemo\r1\rquit\r")
		if v.terminal == nil && name == "by the option" {
			v.stdin = strings.NewReader("ada@harbor.example\ndemo\n1\nquit\n")
		}
		got := visit(v)
		said := got.stdout + got.stderr
		if got.code != exitDone || !strings.Contains(said, "Welcome to Gatehouse.") || !strings.Contains(said, "42 shares") {
			t.Errorf("%s: exit code %d, said\n%s", name, got.code, said)
		}
		for _, unwanted := range []string{"\x1b[?1049h", "export", "\ndemo"} {
			if strings.Contains(said, unwanted) {
				t.Errorf("%s: %q was said:\n%s", name, unwanted, said)
			}
		}
	}
}
