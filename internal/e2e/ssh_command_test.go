//go:build unix

package e2e

import (
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

func TestCommandsOverSSH(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, everyone...)
	before := s.goroutines()
	for _, tc := range []struct {
		stdin  string
		args   []string
		code   int
		stdout string // a part of it; "" is nothing at all
		stderr string // a part of it
	}{
		{"", []string{"lookup ann@harbor.example -o json"}, 1, `"error"`, "gatehouse: "},
		{"", []string{"lookup", "ada@harbor.example", "-o", "csv"}, 0, "ada@harbor.example,harbor.example,\r\n", ""},
		{"", []string{"lookup 'ada@harbor.example' \"ben@harbor.example\""}, 0, "ben@harbor.example", ""},
		{"demo\n", []string{"whoami -u ada@harbor.example --password-stdin"}, 0, `"ada@harbor.example"`, ""},
		{"demo", []string{"shares -u ben@harbor.example --password-stdin -o csv"}, 0, "Name", ""},
		{"wrong", []string{"shares -u ben@harbor.example --password-stdin"}, 1, "", "password"},
		{"", []string{"whoami"}, 3, "", "--username"},
		{"", []string{"--", "--version"}, 0, "gatehouse ", ""},
		{"", []string{"help"}, 0, "ssh HOST", ""},
		{"", []string{"nosuch"}, 2, "", "nosuch"},
		{"", []string{"config", "show"}, 2, "", "cannot be used over SSH"},
		{"", []string{"lookup", "--config", "/etc/passwd", "x"}, 2, "", "There is no flag --config"},
		{"", []string{"lookup", "'unclosed"}, 2, "", ""},
		{"", []string{"sh -c id"}, 2, "", "sh"},
		{"", nil, 2, "", "terminal"},
	} {
		got := s.run(tc.stdin, append([]string{host}, tc.args...)...)
		if got.code != tc.code || !strings.Contains(got.stdout, tc.stdout) || tc.stdout == "" && got.stdout != "" {
			t.Errorf("%q: exit code %d, stdout %.300q, stderr %q", tc.args, got.code, got.stdout, got.stderr)
		}
		if !strings.Contains(got.stderr, tc.stderr) || strings.Contains(got.stdout+got.stderr, "\x1b") {
			t.Errorf("%q: stderr %q", tc.args, got.stderr)
		}
	}
	s.requireNoLeak(before)
}

func TestACommandOnATerminalAsksAndHidesThePassword(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, everyone...)
	term, command := s.open(100, 30, nil, "-t", host, "domains -u ada@harbor.example")
	term.WaitFor("Password: ")
	term.Type("demo" + enter)
	term.WaitFor("harbor.example", "primary")
	_ = term.Wait()
	if command.ProcessState.ExitCode() != 0 || strings.Contains(string(term.Raw()), "demo") {
		t.Errorf("exit code %d, %q", command.ProcessState.ExitCode(), term.Raw())
	}
	for line := range strings.Lines(string(term.Raw())) {
		if strings.HasSuffix(line, "\n") && !strings.HasSuffix(line, "\r\n") {
			t.Errorf("the line %q goes down like a stair", line)
		}
	}
	term, command = s.open(100, 30, nil, "-t", host, "domains -u ada@harbor.example")
	term.WaitFor("Password: ")
	term.Type("\x03")
	_ = term.Wait()
	if command.ProcessState.ExitCode() != 1 || !strings.Contains(string(term.Raw()), "Cancelled") {
		t.Errorf("exit code %d, %q", command.ProcessState.ExitCode(), term.Raw())
	}
}

func TestOnlyThoseWhoAreNamedGetIn(t *testing.T) {
	t.Parallel()
	known, unknown := sshKey(t), sshKey(t)
	file := authorize(t, known)
	s := serveSSH(t, nil, "--demo", "--authorized-keys", file)
	if got := s.run("", "-i", known, host, "lookup", "ada@harbor.example"); got.code != 0 {
		t.Errorf("a key that is listed: %+v", got)
	}
	for name, args := range map[string][]string{"another key": {"-i", unknown}, "no key": nil} {
		if got := s.run("", append(args, host, "lookup", "ada@harbor.example")...); got.code != 255 || got.stdout != "" || !strings.Contains(got.stderr, "Permission denied") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	line, err := os.ReadFile(unknown + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, line, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.run("", "-i", unknown, host, "--", "--version"); got.code != 0 {
		t.Errorf("a key that is listed by now: %+v", got)
	}
	if got := s.run("", "-i", known, host, "--", "--version"); got.code != 255 {
		t.Errorf("a key that is no longer listed: %+v", got)
	}
}

func TestNobodyGetsInUnlessItIsSaidWho(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--demo"}, {}, {"--anyone"}} {
		got := gatehouse(t, home(t), "", append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
		if got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, "--authorized-keys") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

func TestNothingIsForwarded(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, everyone...)
	before := s.goroutines()
	for name, tc := range map[string]struct {
		args   []string
		stderr string
	}{
		"a remote port":   {[]string{"-o", "ExitOnForwardFailure=yes", "-R", "127.0.0.1:0:127.0.0.1:1", "-N", host}, "forwarding"},
		"a remote socket": {[]string{"-o", "ExitOnForwardFailure=yes", "-R", s.home + "/socket:127.0.0.1:1", "-N", host}, "forwarding"},
		"standard input":  {[]string{"-W", s.metrics, host}, "forward"},
		"a subsystem":     {[]string{"-s", host, "sftp"}, "subsystem"},
	} {
		if got := s.run("", tc.args...); got.code != 255 || got.stdout != "" || !strings.Contains(got.stderr, tc.stderr) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	s.requireNoLeak(before)
}

func TestALocalForwardingLeadsNowhere(t *testing.T) {
	t.Parallel()
	s := serveSSH(t, nil, everyone...)
	local := testkit.FreeAddress(t)
	command := s.client("-o", "ExitOnForwardFailure=yes", "-L", local+":"+s.metrics, "-N", host)
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	connection := dialUntilThere(t, local)
	defer connection.Close()
	_, _ = connection.Write([]byte("GET /metrics HTTP/1.0\r\n\r\n"))
	if answer, _ := io.ReadAll(connection); len(answer) > 0 {
		t.Errorf("behind the forwarded port somebody says %q", answer)
	}
	_ = command.Process.Kill()
	said, _ := io.ReadAll(stderr)
	if _ = command.Wait(); !strings.Contains(string(said), "administratively prohibited") {
		t.Errorf("ssh says %q", said)
	}
}

// dialUntilThere waits until somebody listens.
func dialUntilThere(t *testing.T, address string) net.Conn {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			return connection
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestNothingOfAVisitorStaysOnTheServer(t *testing.T) {
	t.Parallel()
	service, key := newService(t), sshKey(t)
	s := serveSSH(t, service.env(t.TempDir())[4:], "--authorized-keys", authorize(t, key))
	term, command := s.open(100, 30, nil, "-i", key, host)
	term.WaitFor("E-mail")
	term.Type(thePerson + tab + "canary wrong" + enter)
	term.WaitFor("password")
	term.Type(esc + enter + thePassword + enter)
	term.WaitFor("Gateway", "› Domains", thePerson)
	term.Type(enter)
	term.WaitFor("1 share")
	term.Type("c+c") // a width, which is remembered on a machine of one's own
	term.WaitGone("Columns:")
	term.Type("4")
	term.WaitFor("not verified")
	term.Type("\x03")
	requireGone(t, term, command, 0)
	if got := s.run(thePassword, "-i", key, host, "shares -u "+thePerson+" --password-stdin"); got.code != 0 || !strings.Contains(got.stdout, "one") {
		t.Errorf("shares: %+v", got)
	}
	if got := s.run("", "-i", key, host, "lookup canary"); got.code != 1 {
		t.Errorf("lookup: %+v", got)
	}
	if got := s.run("", "-i", key, host, "companies --domain harbor.example --reseller 1"); got.code != 2 || got.stdout != "" {
		t.Errorf("a visitor uses the key of the operator: %+v", got)
	}
	if files := searchHome(t, s.home); files == 0 {
		t.Error("there is not even the key of the server")
	}
	entries, err := os.ReadDir(s.home + "/state/gatehouse")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.Contains(entry.Name(), "key") {
			t.Errorf("there is %s", entry.Name())
		}
	}
	search := keyringSecrets()
	search.Add("person", thePerson)
	if hits := search.Find(s.log()); len(hits) > 0 || strings.Contains(s.log(), "canary") {
		t.Errorf("the log has %+v:\n%s", hits, s.log())
	}
}
