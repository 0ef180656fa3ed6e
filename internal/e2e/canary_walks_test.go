//go:build linux

package e2e

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/crypto/ssh"

	"gatehouse/internal/testkit"
)

// run runs the program to its end and wants an exit code.
func (w *world) run(code int, stdin string, args ...string) {
	w.t.Helper()
	w.runWith(nil, code, stdin, args...)
}

func (w *world) runWith(further []string, code int, stdin string, args ...string) {
	w.t.Helper()
	var stdout, stderr bytes.Buffer
	command := w.command(further, args...)
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(stdin), &stdout, &stderr
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	w.keepOutput(strings.Join(args, " "), code, finished{stdout.String(), stderr.String(), command.ProcessState.ExitCode()})
}

func (w *world) keepOutput(name string, code int, got finished) {
	w.t.Helper()
	w.keep("stdout of "+name, got.stdout)
	w.keep("stderr of "+name, got.stderr)
	if got.code != code {
		w.t.Errorf("%s: exit code %d, want %d\n%s", name, got.code, code, got.stderr)
	}
}

// requireFiles wants files in the directory that the program ran in.
func (w *world) requireFiles(names ...string) {
	w.t.Helper()
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(w.home, "work", name)); err != nil || info.Size() == 0 {
			w.t.Errorf("there is no %s: %v", name, err)
		}
	}
}

// Arguments of the commands that send a password.
var (
	login       = []string{"login", "--username", "ada@harbor.example", "--password-stdin"}
	deviceLogin = []string{"device-login", "--email", "ada@harbor.example", "--device-name", "laptop", "--password-stdin", "--send-plain-password"}
	fullCheck   = []string{"check", "ada@harbor.example", "--sign-in", "--password-stdin", "--device-name", "laptop", "--control"}
)

func with(args []string, further ...string) []string {
	return append(args[:len(args):len(args)], further...)
}

func walkCommands(w *world) {
	// What a person types in the wrong place, or wrongly.
	w.run(3, "", "token")
	w.run(1, wrongPassword, login...)
	w.run(2, "", "login", "--password="+givenPassword)
	w.run(2, "", "config", "set-secret", "api-key", givenKey)
	w.run(1, givenKey, "config", "set-secret", "api-key")
	w.run(2, "", "whoami", "--config", w.desk+"/careless.toml")
	w.runWith([]string{"GATEHOUSE_CLIENT_SECRET=" + givenClient + "\n"}, 2, "", "whoami")
	w.runWith([]string{"GATEHOUSE_AUTH_URL=https://ada:" + givenOtherKey + "@auth.example"}, 2, "", "whoami")
	w.runWith([]string{"HTTPS_PROXY=http://ada:" + givenOtherKey + "@127.0.0.1:1", "GATEHOUSE_GLOBAL_URL=https://global.example"}, 1, "", "lookup", "ada@harbor.example")
	w.runWith([]string{"GATEHOUSE_CLIENT_SECRET=" + givenOtherKey}, 1, givenPassword, login...)

	w.run(0, givenPassword, login...)
	w.runWith([]string{"GATEHOUSE_API_KEY=" + givenOtherKey + "x"}, 1, "", "companies")
	w.runWith([]string{"GATEHOUSE_STORE_PASSPHRASE=" + wrongPassword}, 1, "", "whoami")
	for _, args := range []string{"whoami", "token", "domains", "shares", "shares -o csv", "companies -o table", "config show", "config show -o json"} {
		w.run(0, "", strings.Fields(args)...)
	}
	w.goWrong(faults["is not satisfied"], "/gateway/")
	w.run(3, "", "shares") // which costs a renewal
	w.requireWrong()
	w.goWrong(nil, "")
	for _, format := range []string{"json", "csv", "table"} {
		w.run(0, givenPassword, with(deviceLogin, "-o", format)...)
		w.run(0, givenPassword, with(fullCheck, "-o", format)...)
	}
	w.run(0, givenPassword, with(fullCheck, "-o", "markdown", "--bundle", "check.zip")...)
	w.run(0, "ada@harbor.example\n", "check", "--from", "-", "--resume", "batch.ndjson", "--control", "-o", "ndjson")
	w.requireFiles("check.zip", "batch.ndjson")
	w.run(0, givenPassword, append([]string{"device-login", "--reveal"}, deviceLogin[1:]...)...)
	w.run(0, givenPassword, "device-login", "--reveal", "--email", "dora@harbor.example", "--device-name", "laptop", "--password-stdin")
	w.goWrong(repeatsInGood, "/login2.aspx")
	w.run(0, givenPassword, with(fullCheck, "--bundle", "repeated.zip")...)
	for _, further := range [][]string{{"-o", "json"}, {"-o", "csv"}, {"-o", "table"}, {"--reveal"}} {
		w.run(0, givenPassword, with(deviceLogin, further...)...)
		w.requireWrong()
	}

	for name, fault := range faults {
		w.goWrong(fault, "")
		w.run(1, givenPassword, with(fullCheck, "--bundle", name+".zip")...)
		w.run(1, givenPassword, login...)
		w.run(1, givenPassword, deviceLogin...)
		w.run(1, "", "companies")
		w.requireWrong()
	}
	w.goWrong(faults["is not satisfied"], "") // not with the refresh token either
	w.run(3, "", "shares")
	w.run(3, "", "token")
	w.requireWrong()
}

// walkQuestions answers what the program asks: on a terminal where a password is typed,
// and on pipes.
func walkQuestions(w *world) {
	for _, prompts := range []struct {
		args  []string
		steps []step
	}{
		{[]string{"login"}, []step{
			see("", "New passphrase"), see(givenPhrase+enter, "Repeat the passphrase:"), see(givenPhrase+enter, "E-mail address:"),
			see("ada@harbor.example"+enter, "Password:"), see(givenPassword+enter, "ada@harbor.example"),
		}},
		{[]string{"whoami"}, []step{see("", "Passphrase"), see(wrongPassword+enter, "rong passphrase")}},
		{[]string{"device-login", "--email", "ada@harbor.example", "--device-name", "laptop"}, []step{see("", "Password:"), see(givenPassword+enter, "U100")}},
		{[]string{"config", "set-secret", "api-key"}, []step{see("", "API key"), see(givenKey+enter, "keyring")}},
	} {
		term := w.open(w.command([]string{"GATEHOUSE_STORE_PASSPHRASE="}, prompts.args...), 120, 60)
		w.do(term, prompts.steps...)
		_ = term.Wait()
		w.keepTerminal(term)
	}
	w.run(0, "", "logout")

	answers := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	w.run(0, answers(
		"1", "ada@harbor.example", givenPassword, "1", "1", "export shares.csv", "back", "back",
		"access token", "1", "2", "3", "back",
		"device login", "", "1", "", "", "1", givenPassword, "1", "next", "next", "next", "2", "3", givenPassword, "back",
		"device login", "", "1", "", "", "1", wrongPassword, "back",
		"activity", "back", "sign out", "1", "ada@harbor.example", wrongPassword, "ada@harbor.example", "quit",
	), "--accessible")
	w.requireFiles("shares.csv")
	w.goWrong(faults["refuses"], "")
	w.run(0, answers("1", "ada@harbor.example", givenPassword, "quit"), "--accessible")
	w.requireWrong()
}

// step types keys, and then waits for texts and for the end of another one.
type step struct {
	keys string
	want []string
	gone string
}

func see(keys string, want ...string) step { return step{keys: keys, want: want} }

// leave presses esc, and waits until what is left is gone.
func leave(gone string) step { return step{keys: esc, gone: gone} }

// open starts the program on a terminal.
func (w *world) open(command *exec.Cmd, width, height int) *testkit.Terminal {
	w.t.Helper()
	return testkit.StartTerminal(w.t, command, width, height)
}

// do takes steps and keeps each screen that they lead to.
func (w *world) do(term *testkit.Terminal, steps ...step) {
	w.t.Helper()
	for _, s := range steps {
		term.Type(s.keys)
		term.WaitFor(s.want...)
		if s.gone != "" {
			term.WaitGone(s.gone)
		}
		w.keep("screen after "+s.keys, term.Screen())
	}
}

const (
	ctrlC = "\x03"
	ctrlR = "\x12"
	ctrlU = "\x15"
	ctrlY = "\x19"
)

func walkScreens(w *world) {
	term := w.open(w.command(nil), 120, 40)
	w.do(term, see("", "Sign in", "E-mail"), see("ada@harbor.example"+tab+wrongPassword, "•••••"), see(enter, "Wrong e-mail or password"))
	for name, said := range map[string]string{"breaks": "500", "shows a page": "HTML page", "leads elsewhere": "redirects", "is cut off": "cut off"} {
		w.goWrong(faults[name], "/connect/token")
		w.do(term, see(givenPassword+enter, said))
		w.requireWrong()
	}
	w.goWrong(nil, "")
	w.do(term,
		see(givenPassword, "•••••"), see(enter, "4 domains"),
		see("o", "▌Browser"), see("y", "Copied"), leave("▌Browser"),
		see(enter, "row 1 of 42"),
		see("e", "File"), see(tab+tab+ctrlU+"shares.csv"+enter, "Wrote 42 shares"), leave("Wrote 42 shares"),
		see("2", "25 companies"),
		see("i", "API key"), see(tab+givenOtherKey, "•••••"), step{keys: enter, want: []string{"25 companies"}, gone: "API key"},
		step{gone: "esc cancel"}, // while the list comes it is not asked for again
	)
	w.goWrong(faults["breaks"], "/gateway/")
	w.do(term, see("r", "Could not"))
	w.requireWrong()
	w.goWrong(nil, "")
	w.do(term, step{keys: "r", gone: "Could not"}, step{gone: "esc cancel"},
		see("3", "Device name"), see(enter+strings.Repeat(tab, 4)+givenPassword, "•••••"), see(enter, "U100", "result 1"),
		see("t+", "UserDomainToken: •••"), see(ctrlY, "Copied"),
		see("a", "type the password"), see(givenPassword+enter, "result 2"), see("c", "No differences"), leave("No differences"),
	)
	w.goWrong(repeatsInGood, "/login2.aspx")
	w.do(term, see("a", "type the password"), see(givenPassword+enter, "result 3"), see("+", "Nested"), see(ctrlY, "Copied"))
	w.requireWrong()
	w.goWrong(nil, "")
	w.do(term,
		see("4", "not verified"), see("R", "renewed"), see("v", "eyJ"), see("y", "Copied"), see("v", "shows it"),
		see("5", "entries"), see("/127"+enter, "/ 127"), see("g"),
	)
	w.openEntries(term, 12)
	w.do(term, see("e", "File"), see(ctrlU+"activity.har"+enter, "Wrote"), leave("Wrote"))

	// The session ends while the shares are asked for.
	w.goWrong(faults["is not satisfied"], "")
	w.do(term, see("1", "row 1 of 42"), see("r", "The session has ended"), see(givenPassword+enter, "Wrong e-mail"), leave("Password"), see("5", "entries"), see("g"))
	w.openEntries(term, 3)
	w.requireWrong()
	w.quit(term)
	w.requireFiles("shares.csv", "activity.har")
	if w.onDesk("told") == "" {
		w.t.Error("no tool for the clipboard was started")
	}
}

// openEntries goes down the list of the activity and into each entry.
func (w *world) openEntries(term *testkit.Terminal, entries int) {
	w.t.Helper()
	for range entries {
		w.do(term, see(enter, "Activity ›"), see("t", "Times ─"), see("t+", "▾"), see(ctrlY, "Copied"), step{keys: esc, want: []string{"entries"}, gone: "▾"}, see("j"))
	}
}

// quit leaves the program and keeps what the terminal was sent.
func (w *world) quit(term *testkit.Terminal) {
	w.t.Helper()
	term.Type(ctrlC)
	_ = term.Wait()
	w.keepTerminal(term)
}

// walkCrash has the program end by mistakes of its own: a panic that has the
// access token in it, and a signal at which the Go runtime shows all goroutines.
func walkCrash(w *world) {
	itself, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	command := w.command([]string{crashing + "=1", "GODEBUG="}) // which main silences
	command.Path = itself
	term := w.open(command, 120, 40)
	w.do(term,
		see("", "Sign in", "E-mail"), see("ada@harbor.example"+tab+givenPassword+enter, "4 domains"), see(enter, "row 1 of 42"),
		see("4", "not verified"), see("Y"),
	)
	_ = term.Wait()
	w.keep("screen after the panic", term.Screen())
	w.keepTerminal(term)
	if reports, _ := filepath.Glob(w.home + "/state_home/gatehouse/crash-*.txt"); len(reports) != 1 {
		w.t.Errorf("%d crash reports were written; the screen is\n%s", len(reports), term.Screen())
	}

	command = w.command(nil)
	term = w.open(command, 120, 40)
	w.do(term, see("", "4 domains"), see(enter, "row 1 of 42"))
	if err := command.Process.Signal(syscall.SIGABRT); err != nil {
		w.t.Fatal(err)
	}
	_ = term.Wait()
	w.keepTerminal(term)
	if !strings.Contains(string(term.Raw()), "goroutine ") {
		w.t.Error("the runtime showed no goroutines")
	}
}

// The files of a server, in the home.
const (
	hostKeyFile = "state_home/gatehouse/ssh_host_ed25519_key"
	keptKeyFile = "session.key"
)

// walkServer has people visit a server that keeps sessions, by screens and by commands,
// while the service misbehaves; one of them looks on until the server ends.
func walkServer(w *world) {
	known, other := sshKey(w.t), sshKey(w.t)
	w.newKeyFile()
	args := []string{
		"--authorized-keys", authorize(w.t, known, other), "--desk-keys", authorize(w.t, known),
		"--session-key", filepath.Join(w.home, keptKeyFile), "--sessions", filepath.Join(w.home, "sessions"),
	}
	s := w.serve(args...)
	bystander, _ := s.open(120, 40, nil, "-i", other, host)
	w.do(bystander, see("", "Sign in", "E-mail"), see("ben@harbor.example"+tab+givenPassword+enter, "2 domains"), see(enter, "9 shares"), see("5", "entries"))

	walkVisitorsCommands(w, s, known)
	term, _ := s.open(120, 40, nil, "-i", known, host)
	w.do(term,
		see("", "4 domains"), see(enter, "row 1 of 42"), see("y", "Copied"), see("e", "Copied 42 shares"),
		see("3", "Device name"), see(enter+strings.Repeat(tab, 4)+givenPassword, "•••••"), see(enter, "U100"), see("t+", "UserDomainToken: •••"), see(ctrlY, "Copied"),
		see("4", "not verified"), see("R", "renewed"),
		see("5", "entries"), see("/127"+enter, "/ 127"), see("g"),
	)
	w.openEntries(term, 4)
	w.do(term, see("e", "Copied the listed requests"))
	w.goWrong(faults["is cut off"], "/connect/token")
	w.do(term, see("4", "not verified"), see("R", "Could not renew"))
	w.requireWrong()
	w.goWrong(nil, "")
	w.quit(term)

	w.keep("another visitor's screen", bystander.Screen())
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		w.t.Fatal(err)
	}
	bystander.WaitFor("The server is shutting down")
	w.keepServer(s)
	w.quit(bystander)
	<-s.ended
	w.keep("log of the server", s.log())

	s = w.serve(args...)
	w.visit(s, 0, "", known, "whoami")
	w.visit(s, 0, "", known, "logout")
	w.visit(s, 3, "", known, "whoami")
	w.visit(s, 0, givenPassword, known, "login -u ada@harbor.example --password-stdin --keep")
	w.keepServer(s)
}

func walkVisitorsCommands(w *world, s *sshServer, key string) {
	const signsIn, keeps = " -u ada@harbor.example --password-stdin", "login -u ada@harbor.example --password-stdin --keep"
	w.visit(s, 0, givenPassword, key, "shares -o csv"+signsIn)
	w.visit(s, 1, wrongPassword, key, "whoami"+signsIn)
	w.visit(s, 0, givenPassword, key, "check ada@harbor.example --sign-in --password-stdin")
	w.visit(s, 1, wrongPassword, key, "check ada@harbor.example --sign-in --password-stdin -o markdown")
	w.visit(s, 1, "", key, "ticket K7QD-M2XA-9FHT")
	w.visit(s, 2, "", key, "login --password "+givenClient)
	w.visit(s, 2, "", key, "companies --domain harbor.example --reseller 1")
	w.visit(s, 2, "", key, "config show")
	w.visit(s, 2, givenPassword, key, "shares --password='"+givenPhrase+"'"+signsIn)
	w.visit(s, 2, "", key, "'"+givenOtherKey)
	for _, name := range []string{"refuses", "leads elsewhere", "is cut off"} {
		w.goWrong(faults[name], "")
		w.visit(s, 1, givenPassword, key, "shares"+signsIn)
		w.visit(s, 1, givenPassword, key, keeps)
		w.requireWrong()
	}
	w.goWrong(nil, "")
	w.visit(s, 0, givenPassword, key, keeps)
	for _, command := range []string{"whoami", "domains", "sessions"} {
		w.visit(s, 0, "", key, command)
	}
}

// visit has OpenSSH run a command and wants an exit code.
func (w *world) visit(s *sshServer, code int, stdin, key, command string) {
	w.t.Helper()
	w.keepOutput("ssh "+command, code, s.run(stdin, "-i", key, host, command))
}

// newKeyFile makes the key file of a server, and canaries of the keys in it.
func (w *world) newKeyFile() {
	w.t.Helper()
	path := filepath.Join(w.home, keptKeyFile)
	out, err := exec.Command(binary, "serve", "--new-key", path).CombinedOutput()
	if err != nil {
		w.t.Fatalf("%v: %s", err, out)
	}
	w.keep("what is said of a new key file", string(out))
	file, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, word := range strings.Fields(string(file)) {
		if len(word) == 44 && strings.HasSuffix(word, "=") {
			w.take("key of the store", word)
		}
	}
}

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
	w.take("key of the host", string(key.(*ed25519.PrivateKey).Seed()))
	for _, line := range strings.Fields(string(file)) {
		if len(line) > 20 { // of the key, and not of what stands around it
			w.take("key of the host", line)
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
