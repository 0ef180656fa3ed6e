//go:build linux

package e2e

import (
	"crypto/ed25519"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/crypto/ssh"

	"gatehouse/internal/testkit"
)

// hostKeyFile is where the key of a server is, in the home.
const hostKeyFile = "state_home/gatehouse/ssh_host_ed25519_key"

// serve starts the program as a server, in the home, and makes a canary of its key.
func (w *world) serve(args ...string) *sshServer {
	w.t.Helper()
	s := serveSSH(w.t, w.env, args...)
	file, err := os.ReadFile(filepath.Join(w.home, hostKeyFile))
	if err != nil {
		w.t.Fatal(err)
	}
	key, err := ssh.ParseRawPrivateKey(file)
	if err != nil {
		w.t.Fatal(err)
	}
	const name = "key of the host"
	w.take(name, string(key.(*ed25519.PrivateKey).Seed()))
	for _, line := range strings.Fields(string(file)) {
		if len(line) > 20 { // of the key, and not of what stands around it
			w.take(name, line)
		}
	}
	return s
}

// keepServer keeps what a server says to its operator and shows of its process.
func (w *world) keepServer(s *sshServer) {
	w.t.Helper()
	arguments, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", s.process.Process.Pid))
	if err != nil {
		w.t.Error(err)
	}
	w.keep("arguments of the server", strings.ReplaceAll(string(arguments), "\x00", " "))
	for _, path := range []string{"/metrics", "/healthz", "/readyz"} {
		w.keep("what the server says at "+path, s.get(path))
	}
	w.keep("log of the server", s.log())
}

// visit has OpenSSH run a command and wants an exit code.
func (w *world) visit(s *sshServer, code int, stdin string, args ...string) {
	w.t.Helper()
	got := s.run(stdin, args...)
	name := "ssh " + args[len(args)-1]
	w.keep("stdout of "+name, got.stdout)
	w.keep("stderr of "+name, got.stderr)
	if got.code != code {
		w.t.Errorf("%s: exit code %d, want %d\n%s", name, got.code, code, got.stderr)
	}
}

// walkServer has people sign in to the profile of a server, with what they may
// do there and what they may not, while another one looks on.
func walkServer(w *world) {
	known := sshKey(w.t)
	s := w.serve("--authorized-keys", authorize(w.t, known), "--desk-keys", authorize(w.t, known))
	other, _ := s.open(120, 40, nil, "-i", known, host)
	other.WaitFor("Sign in", "E-mail")

	walkAsVisitor(w, s, known)
	walkVisitorsFaults(w, s, known)
	walkVisitorsCommands(w, s, known)

	other.Type("ben@harbor.example" + tab + givenPassword + enter)
	other.WaitFor("2 domains")
	other.Type(enter)
	other.WaitFor("9 shares")
	other.Type("5")
	other.WaitFor("entries")
	w.keep("another visitor's screen", other.Screen())
	// The server ends while somebody is there.
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		w.t.Fatal(err)
	}
	other.WaitFor("The server is shutting down")
	w.keepServer(s)
	other.Type(ctrlC)
	_ = other.Wait()
	w.keepTerminalOf("another visitor's ", other)
	<-s.ended
	w.keep("log of the server", s.log())
}

func walkAsVisitor(w *world, s *sshServer, key string) {
	term, _ := s.open(120, 40, nil, "-i", key, host)
	w.do(term,
		see("", "Sign in", "E-mail"),
		see("ada@harbor.example"+tab+wrongPassword, "•••••"),
		see(enter, "Wrong e-mail or password"),
		see(givenPassword, "•••••"),
		see(enter, "4 domains"),
		see(enter, "row 1 of 42"),
		see("y", "Copied"), see("e", "Copied 42 shares"),
		see(enter, "Shares ›"), see(ctrlY, "Copied"), leave("Shares ›"),
		see("2i", "API key"), see(tab+givenOtherKey, "•••••"), step{keys: enter, gone: "type it"},
		see("3", "Device name"), see(enter+strings.Repeat(tab, 4)+givenPassword, "•••••"),
		see(enter, "U100", "result 1"), see("t+", "UserDomainToken: •••"), see(ctrlY, "Copied"),
		see("4", "not verified"), see("v", "eyJ"), see("y", "Copied"), see("v", "shows it"), see("R", "renewed"),
		see("5", "entries"), see("/127"+enter, "/ 127"), see("g"),
	)
	w.openEntries(term, 4)
	w.do(term, see("e", "Copied the listed requests"))
	w.goWrong(faults["is not satisfied"], "")
	w.do(term, see("1", "row 1 of 42"), see("r", "The session has ended"), see(givenPassword+enter, "Wrong e-mail"), leave("Password"))
	w.requireWrong()
	w.goWrong(nil, "")
	w.quit(term)
}

// walkVisitorsFaults has a careless service answer, and people leave in the middle.
func walkVisitorsFaults(w *world, s *sshServer, key string) {
	term, command := s.open(120, 40, nil, "-i", key, host)
	w.do(term, see("", "Sign in", "E-mail"), see("ada@harbor.example"+tab))
	for _, f := range []struct{ name, said string }{{"refuses", "Wrong e-mail"}, {"breaks", "500"}, {"leads elsewhere", "redirects"}} {
		w.goWrong(faults[f.name], "/connect/token")
		w.do(term, see(givenPassword+enter, f.said))
		w.requireWrong()
	}
	w.goWrong(nil, "")
	w.do(term, see(givenPassword+enter, "4 domains"), see(enter, "row 1 of 42"), see("3", "Device name"), see(enter+strings.Repeat(tab, 4)+givenPassword, "•••••"))
	if err := command.Process.Kill(); err != nil {
		w.t.Fatal(err)
	}
	_ = term.Wait()
	w.keepTerminal(term)

	term, _ = s.open(120, 40, nil, "-t", "-i", key, host, "whoami -u ada@harbor.example")
	w.do(term, see("", "Password: "), see(wrongPassword+enter, "wrong e-mail"))
	_ = term.Wait()
	w.keepTerminal(term)
}

func walkVisitorsCommands(w *world, s *sshServer, key string) {
	as := func(command string) []string { return []string{"-i", key, host, command} }
	const signsIn = " -u ada@harbor.example --password-stdin"
	for _, command := range []string{"whoami", "domains", "shares -o csv", "shares -o table"} {
		w.visit(s, 0, givenPassword, as(command+signsIn)...)
	}
	w.visit(s, 1, wrongPassword, as("whoami"+signsIn)...)
	w.visit(s, 0, givenPassword, as("check ada@harbor.example --sign-in --password-stdin")...)
	w.visit(s, 1, wrongPassword, as("check ada@harbor.example --sign-in --password-stdin -o markdown")...)
	w.visit(s, 1, "", as("ticket K7QD-M2XA-9FHT")...)
	w.visit(s, 2, "", as("login --password "+givenClient)...)
	w.visit(s, 2, "", as("companies --domain harbor.example --reseller 1")...)
	w.visit(s, 2, "", as("config show")...)
	w.visit(s, 2, givenPassword, as("shares --password='"+givenPhrase+"'"+signsIn)...)
	w.visit(s, 2, "", as("'"+givenOtherKey)...)
	for _, name := range []string{"refuses", "breaks", "leads elsewhere", "is cut off"} {
		w.goWrong(faults[name], "")
		w.visit(s, 1, givenPassword, as("shares"+signsIn)...)
		w.requireWrong()
	}
	w.goWrong(nil, "")
	w.visit(s, 255, "", "-i", sshKey(w.t), host, "--", "--version")
}

// walkDemoServer has somebody use a demo of their own. What that issues is known
// from what they copy alone.
func walkDemoServer(w *world) {
	s := w.serve(everyone...)
	other, _ := s.open(120, 40, nil, host)
	signInOverSSH(other, "ben")
	term, _ := s.open(120, 40, nil, host)
	signInOverSSH(term, "ada")
	term.Type(enter)
	term.WaitFor("42 shares")
	term.Type("4")
	term.WaitFor("not verified")
	term.Type("vy")
	term.WaitFor("Copied")
	w.take("access_token", lastCopied(w, term))
	w.quit(term)
	other.Type(enter)
	other.WaitFor("9 shares")
	other.Type("5")
	other.WaitFor("entries")
	w.keepServer(s)
	other.Type(ctrlC)
	_ = other.Wait()
	w.keepTerminalOf("another visitor's ", other)
}

// lastCopied is what a terminal was given for its clipboard last.
func lastCopied(w *world, term *testkit.Terminal) string {
	w.t.Helper()
	copies := copiesIn(w.t, string(term.Raw()))
	if len(copies) == 0 {
		w.t.Fatal("nothing was copied")
	}
	return copies[len(copies)-1]
}
