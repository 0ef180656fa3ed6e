package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

func TestAServerThatNobodyMayEnterDoesNotStart(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"by default":               {nil, "No one would be able to connect"},
		"two ways":                 {[]string{"--demo", "--anyone", "--authorized-keys", "x"}, "--anyone cannot be combined"},
		"anyone, certificates":     {[]string{"--demo", "--anyone", "--user-ca", "x"}, "--anyone cannot be combined"},
		"anyone but revoked keys":  {[]string{"--demo", "--anyone", "--revoked-keys", "x"}, "cannot be combined"},
		"principals of nothing":    {[]string{"--demo", "--authorized-keys", "x", "--principals", "staff"}, "no certificate authority"},
		"an empty principal":       {[]string{"--demo", "--user-ca", "x", "--principals", "staff, "}, "--principals has an empty name"},
		"strangers at the service": {[]string{"--anyone"}, "try passwords on your service"},
		"a format that is none":    {[]string{"--demo", "--anyone", "--log-format", "xml"}, `Flag --log-format is "xml"`},
		"keys that are not there":  {[]string{"--demo", "--authorized-keys", filepath.Join(t.TempDir(), "none")}, "the authorized keys cannot be read"},
		"a host key that is none":  {[]string{"--demo", "--anyone", "--host-key", filepath.Join(t.TempDir(), "none")}, "ssh-keygen -t ed25519"},
		"no address":               {[]string{"--demo", "--anyone", "--listen", "nowhere"}, `cannot listen on "nowhere"`},
		"metrics for everybody":    {[]string{"--demo", "--anyone", "--listen", "127.0.0.1:0", "--metrics", "0.0.0.0:0"}, "for this machine only"},
		"a limit below zero":       {[]string{"--demo", "--anyone", "--max-connections", "-1"}, "below zero"},
		"memory below zero":        {[]string{"--demo", "--anyone", "--max-memory", "-1"}, "below zero"},
		"a balancer by name":       {[]string{"--demo", "--anyone", "--proxy-protocol-from", "192.0.2.0/28,balancer"}, `Flag --proxy-protocol-from has "balancer", which is not a network`},
		"bits of a host":           {[]string{"--demo", "--anyone", "--proxy-protocol-from", "192.0.2.7/28"}, "which is not a network"},
		"IPv4 as IPv6":             {[]string{"--demo", "--anyone", "--proxy-protocol-from", "::ffff:192.0.2.0/124"}, "which is not a network"},
		"everybody a balancer":     {[]string{"--demo", "--anyone", "--proxy-protocol-from", "192.0.2.1,::/0"}, "any client could claim any address"},
		"a desk among anybody":     {[]string{"--demo", "--anyone", "--desk-keys", "x"}, "--anyone cannot be combined"},
		"anyone at a store":        {[]string{"--demo", "--anyone", "--sessions", t.TempDir(), "--session-key", "x"}, "--anyone cannot be combined"},
		"open to anybody":          {[]string{"--demo", "--anyone", "--open-check"}, "--anyone cannot be combined"},
		"a desk that is not there": {[]string{"--demo", "--authorized-keys", "x", "--desk-keys", filepath.Join(t.TempDir(), "none")}, "the keys of the support desk cannot be read"},
		"an argument":              {[]string{"now"}, "takes no arguments, and \"now\" was given"},
		"no profile to sign in to": {[]string{"--authorized-keys", "x"}, "profile"},
	} {
		t.Run(name, func(t *testing.T) {
			got := newDesk(t).run(append([]string{"serve"}, test.args...)...)
			if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, test.want) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// said keeps what the program says on stderr, and passes on what holds a text.
type said struct {
	mu sync.Mutex // the log comes from elsewhere
	bytes.Buffer
	what  string
	ready chan string
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.Contains(string(p), s.what) {
		s.ready <- string(p)
	}
	return s.Buffer.Write(p)
}

// startServe runs a server of the demo until end is called.
func startServe(t *testing.T, stderr *said, args ...string) (end func()) {
	t.Helper()
	d := newDesk(t)
	ctx, cancel := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() {
		code <- Execute(ctx, append([]string{"serve", "--demo", "--listen", "127.0.0.1:0"}, args...), d.environment(&bytes.Buffer{}, stderr))
	}()
	return func() {
		t.Helper()
		cancel()
		if got := <-code; got != exitDone {
			t.Errorf("exit code %d: %s", got, stderr)
		}
	}
}

func TestAServerSaysWhereItListensAndEndsWithItsContext(t *testing.T) {
	stderr := &said{what: "listens on", ready: make(chan string, 1)}
	end := startServe(t, stderr, "--anyone")
	want := regexp.MustCompile(`^Gatehouse listens on 127\.0\.0\.1:\d+\. The host key is SHA256:[A-Za-z0-9+/]{43}\.\n$`)
	if got := <-stderr.ready; !want.MatchString(got) {
		t.Errorf("it says %q", got)
	}
	end()
}

func TestAServerTakesItsSettingsFromFlagsVariablesAndTheFile(t *testing.T) {
	const document = "[serve]\nlisten = \"of-the-file\"\nauthorized_keys = \"x\"\nmax_connections = 7\nallow_network = [\"10.1.0.0/16\"]\n"
	serve := func(variable, document string, args ...string) outcome {
		d := demoDesk(t)
		d.variables["GATEHOUSE_SERVE_LISTEN"] = variable
		return d.run(append([]string{"serve", "--config", fileOf(t, "config.toml", document)}, args...)...)
	}
	keys := noKeys(t)
	for want, got := range map[string]outcome{
		`cannot listen on "of-the-file"`:                                serve("", document, "--authorized-keys", keys),
		`cannot listen on "of-the-variable"`:                            serve("of-the-variable", document, "--authorized-keys", keys),
		`cannot listen on "of-the-flag"`:                                serve("of-the-variable", document, "--authorized-keys", keys, "--listen", "of-the-flag"),
		filepath.FromSlash("/config/x error="):                          serve("", strings.Replace(document, `"x"`, `"config/x"`, 1)),
		"Flag --sessions cannot be used":                                serve("", "[serve]\nsessions = \"none\"\n", "--forget", "all"),
		"the authorized keys cannot be read":                            serve("", document),
		"try passwords on your service":                                 serve("", "", "--anyone"),
		`cannot listen on "nowhere"`:                                    serve("", document, "--demo", "--anyone", "--listen", "nowhere"), // no installation's
		`: unknown key "lisen" in serve; did you mean "listen"?`:        serve("", "[serve]\nlisen = \":2222\"\n"),
		`: unknown key "demo" in serve; known are allow_network, auth_`: serve("", "[serve]\ndemo = true\n"),
		`: grace is "5"; use a time such as 30s, 15m or 2h`:             serve("", "[serve]\ngrace = 5\n"),
		`: listen is not a setting of a server; use lines such as li`:   serve("", "[serve.listen]\n"),
	} {
		if got.code != exitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("want %s, got %+v", want, got)
		}
	}
	got := serve("", "[serve]\nsessions = \"config/none\"\n", "--forget", "all")
	if got.code != exitFailed || !regexp.MustCompile(`sessions in .+[/\\]config[/\\]none cannot be used`).MatchString(got.stderr) {
		t.Errorf("a directory beside the file: %+v", got)
	}
}

func TestTheHelpOfServeBeginsWithTheFlagsThatStartOne(t *testing.T) {
	d := newDesk(t)
	short, all := d.mustRun("serve", "--help"), d.mustRun("serve", "--help-all")
	if strings.Contains(short, "--stall-timeout") || !strings.Contains(short, "--listen ADDR") || !strings.Contains(short, "shows 22 more flags.") {
		t.Errorf("--help is:\n%s", short)
	}
	if !strings.Contains(all, "--stall-timeout DURATION") || strings.Contains(all, "more flags") {
		t.Errorf("--help-all is:\n%s", all)
	}
}
