//go:build unix

package e2e

import (
	"os"
	"strings"
	"testing"
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
}

func TestOnlyThoseWhoAreNamedGetIn(t *testing.T) {
	t.Parallel()
	if got := gatehouse(t, home(t), "", "serve", "--listen", "127.0.0.1:0", "--demo"); got.code != 2 || !strings.Contains(got.stderr, "--authorized-keys") {
		t.Errorf("a server for nobody: %+v", got)
	}
	known, unknown := sshKey(t), sshKey(t)
	s := serveSSH(t, nil, "--demo", "--authorized-keys", authorize(t, known))
	if got := s.run("", "-i", known, host, "lookup", "ada@harbor.example"); got.code != 0 {
		t.Errorf("a key that is listed: %+v", got)
	}
	for name, args := range map[string][]string{"another key": {"-i", unknown}, "no key": nil} {
		if got := s.run("", append(args, host, "lookup", "ada@harbor.example")...); got.code != 255 || got.stdout != "" || !strings.Contains(got.stderr, "Permission denied") {
			t.Errorf("%s: %+v", name, got)
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
	term.Type("\x03")
	requireGone(t, term, command, 0)
	if got := s.run(thePassword, "-i", key, host, "shares -u "+thePerson+" --password-stdin"); got.code != 0 || !strings.Contains(got.stdout, "one") {
		t.Errorf("shares: %+v", got)
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
