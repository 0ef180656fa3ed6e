//go:build unix

package e2e

import (
	"bytes"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/testkit/postgres"
)

// runAs has OpenSSH run a command as somebody of this name.
func (s *sshServer) runAs(user, stdin string, args ...string) finished {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	command := s.client(args...)
	command.Args[slices.Index(command.Args, "visitor")] = user
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(stdin), &stdout, &stderr
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return finished{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}
}

// theTicket is the last line of what a check says.
var theTicket = regexp.MustCompile(`(?m)^Ticket ([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})\n(?:Connection to .* closed\.\n)?\z`)

func ticketIn(t *testing.T, said string) string {
	t.Helper()
	found := theTicket.FindStringSubmatch(strings.ReplaceAll(said, "\r", ""))
	if found == nil {
		t.Fatalf("no ticket in the last line of\n%s", said)
	}
	return found[1]
}

func TestTheSupportDeskOverSSH(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	owner, desk, other := sshKey(t), sshKey(t), sshKey(t)
	deskKeys := authorize(t, desk)
	s := serveSSH(t, nil, "--demo", "--authorized-keys", authorize(t, owner, desk, other), "--desk-keys", deskKeys)

	term, command := s.open(100, 40, nil, "-t", "-i", owner, host, "check kit --sign-in")
	term.WaitFor("Password: ")
	term.Type("demo" + enter)
	term.WaitFor("Ticket ")
	_ = term.Wait()
	if command.ProcessState.ExitCode() != 1 || strings.Contains(string(term.Raw()), "demo"+enter) {
		t.Errorf("exit code %d, %q", command.ProcessState.ExitCode(), term.Raw())
	}
	ticket := ticketIn(t, string(term.Raw()))
	if !strings.Contains(string(term.Raw()), "· "+ticket) {
		t.Errorf("the card has another id than the ticket %s:\n%s", ticket, term.Raw())
	}

	read := s.run("", "-i", desk, host, "ticket "+strings.ToLower(ticket)+" -o markdown")
	if read.code != 0 || !strings.Contains(read.stdout, "`kit@harbor.example`: Gateway unreachable") || !strings.Contains(read.stderr, "is kept until") {
		t.Errorf("the desk reads %+v", read)
	}
	for _, args := range [][]string{
		{"-i", owner, host, "ticket", ticket},
		{"-i", other, host, "ticket", ticket},
		{"-i", desk, host, "ticket", "AAAA-AAAA-AAAA"},
	} {
		if got := s.run("", args...); got.code != 1 || got.stdout != "" || !strings.Contains(got.stderr, "There is no such ticket for you.") {
			t.Errorf("%q: %+v", args[1:], got)
		}
	}
	if got := s.run("", "-i", owner, host, "ticket", ticket, "--delete"); got.code != 0 {
		t.Errorf("the owner deletes it: %+v", got)
	}
	if got := s.run("", "-i", desk, host, "ticket", ticket); got.code != 1 {
		t.Errorf("a ticket that is deleted: %+v", got)
	}
	for _, unwanted := range []string{ticket, "kit", `"demo"`} {
		if strings.Contains(s.log(), unwanted) {
			t.Errorf("the log has %q:\n%s", unwanted, s.log())
		}
	}
	if got := s.runAs("check", "demo", host, "check", "kit"); got.code != 255 {
		t.Errorf("without --open-check somebody without a key gets in: %+v", got)
	}
}

func TestACheckWithoutAKey(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	known, stranger := sshKey(t), sshKey(t)
	s := serveSSH(t, nil, "--demo", "--authorized-keys", authorize(t, known), "--desk-keys", authorize(t, known), "--open-check")
	if !strings.Contains(s.log(), "Anybody may run a check with `ssh -t check@HOST check EMAIL --sign-in`, without a key, and so try passwords: 5 in an hour from an address, and 5 of an account.") {
		t.Errorf("the server does not say that it is open:\n%s", s.log())
	}
	before := s.goroutines()
	for _, args := range [][]string{
		{host, "lookup", "ada@harbor.example"}, {host, "login"}, {"-tt", host}, {host, "sh"},
	} {
		if got := s.runAs("check", "demo", args...); got.code != 2 || strings.Contains(got.stdout, "\x1b[?1049h") {
			t.Errorf("%q: %+v", args, got)
		}
	}
	if got := s.run("", "-i", stranger, host, "check", "ada"); got.code != 255 {
		t.Errorf("under another name: %+v", got)
	}

	got := s.runAs("check", "demo", "-i", stranger, host, "check lena --sign-in --password-stdin")
	if got.code != 1 || !strings.Contains(got.stdout, `"certificate"`) {
		t.Errorf("a check: %+v", got)
	}
	ticket := ticketIn(t, got.stderr)
	if read := s.run("", "-i", known, host, "ticket", ticket); read.code != 0 || read.stdout != got.stdout {
		t.Errorf("the desk reads %+v, want %s", read, got.stdout)
	}
	if got := s.runAs("check", "", host, "ticket", ticket); got.code != 1 || got.stdout != "" {
		t.Errorf("a stranger reads %+v", got)
	}
	if got := s.runAs("check", "", host, "ticket", ticket, "--delete"); got.code != 0 {
		t.Errorf("who left it deletes it: %+v", got)
	}
	for range 4 {
		s.runAs("check", "wrong", host, "check ada --sign-in --password-stdin")
	}
	if got := s.runAs("check", "demo", host, "check ben --sign-in --password-stdin"); got.code != 1 || got.stdout != "" || !strings.Contains(got.stderr, "5 checks were made within an hour from your address or for this account.\nTry again in ") {
		t.Errorf("the sixth: %+v", got)
	}
	s.requireNoLeak(before)
	if strings.Contains(s.log(), ticket) || strings.Contains(s.log(), "harbor.example") {
		t.Errorf("the log has the ticket or the account:\n%s", s.log())
	}
}

func TestServersWithOneDatabaseCountChecksTogether(t *testing.T) {
	t.Parallel()
	requireOpenSSH(t)
	known := sshKey(t)
	kept := newKept(t)
	kept.dir = postgres.Database(t)
	args := kept.args("--demo", "--authorized-keys", authorize(t, known), "--desk-keys", authorize(t, known), "--open-check")
	first, second := serveSSH(t, nil, args...), serveSSH(t, nil, args...)
	if strings.Contains(second.log(), "counted in memory") {
		t.Errorf("the server says\n%s", second.log())
	}
	var ticket string
	for i := range 5 {
		server := []*sshServer{first, second}[i%2]
		ticket = ticketIn(t, server.runAs("check", "demo", host, "check ada@harbor.example --sign-in --password-stdin").stderr)
	}
	for _, server := range []*sshServer{first, second} {
		if got := server.runAs("check", "demo", host, "check ben@harbor.example --sign-in --password-stdin"); got.code != 1 || !strings.Contains(got.stderr, "5 checks were made") {
			t.Errorf("the sixth check: %+v", got)
		}
	}
	if got := second.run("", "-i", known, host, "ticket", ticket, "-o", "csv"); got.code != 0 || !strings.Contains(got.stdout, "ada@harbor.example") {
		t.Errorf("a ticket of the other server: %+v", got)
	}
}
