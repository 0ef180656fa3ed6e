//go:build linux

package e2e

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
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
	name := strings.Join(args, " ")
	w.keep("stdout of "+name, stdout.String())
	w.keep("stderr of "+name, stderr.String())
	if got := command.ProcessState.ExitCode(); got != code {
		w.t.Errorf("%s: exit code %d, want %d\n%s", name, got, code, stderr.String())
	}
}

func (w *world) logIn() {
	w.t.Helper()
	w.run(0, givenPassword, "login", "--username", "ada@harbor.example", "--password-stdin")
}

// deviceLogin are the arguments of a device login of somebody.
func deviceLogin(name string, further ...string) []string {
	return append([]string{"device-login", "--email", name + "@harbor.example", "--device-name", "laptop", "--password-stdin", "--send-plain-password"}, further...)
}

// checkOf are the arguments of a check of somebody with everything, whose bundle has a name.
func checkOf(name, bundle string, further ...string) []string {
	return append([]string{
		"check", name + "@harbor.example", "--sign-in", "--password-stdin", "--device-name", "laptop", "--control", "--bundle", bundle + ".zip",
	}, further...)
}

func walkCommands(w *world) {
	w.logIn()
	for _, args := range [][]string{
		{"whoami"}, {"token"}, {"domains"}, {"shares"}, {"shares", "-o", "csv"}, {"companies", "-o", "table"}, {"lookup", "ada@harbor.example"},
		{"config", "show"}, {"config", "show", "-o", "json"},
	} {
		w.run(0, "", args...)
	}
	w.goWrong(faults["is not satisfied"], "/gateway/")
	w.run(3, "", "shares") // which costs a renewal
	w.requireWrong()
	w.goWrong(nil, "")
	for _, format := range []string{"json", "csv", "table"} {
		w.run(0, givenPassword, deviceLogin("dora", "-o", format)...)
		w.run(0, givenPassword, deviceLogin("ada", "-o", format)...)
	}
	for _, format := range []string{"json", "csv", "table", "markdown"} {
		w.run(0, givenPassword, checkOf("ada", "check-"+format, "-o", format)...)
		w.run(1, givenPassword, checkOf("dora", "check-dora-"+format, "-o", format)...)
		w.requireFiles("check-"+format+".zip", "check-dora-"+format+".zip")
	}
	w.run(0, "ada@harbor.example\n", "check", "--from", "-", "--resume", "batch.ndjson", "--control", "-o", "ndjson")
	w.requireFiles("batch.ndjson")
	for _, name := range []string{"ada", "dora"} {
		w.run(0, givenPassword, append([]string{"device-login", "--reveal"}, deviceLogin(name)[1:]...)...)
	}
	w.goWrong(repeatsInGood, "/login2.aspx")
	w.run(0, givenPassword, checkOf("ada", "repeated")...)
	w.requireWrong()
	w.run(0, "", "logout")
	for _, further := range [][]string{{"-o", "json"}, {"-o", "csv"}, {"-o", "table"}, {"--reveal"}} {
		w.run(0, givenPassword, deviceLogin("ada", further...)...)
		w.requireWrong()
	}
}

func walkFailures(w *world) {
	// What a person types in the wrong place, or wrongly.
	w.run(3, "", "token")
	w.run(1, wrongPassword, "login", "--username", "ada@harbor.example", "--password-stdin")
	w.run(1, wrongPassword, deviceLogin("ada")...)
	w.run(2, "", "login", "--password="+givenPassword)
	w.run(2, "", "login", "--password", givenPassword)
	w.run(2, "", "config", "set-secret", "api-key", givenKey)
	w.run(1, givenKey, "config", "set-secret", "api-key")
	w.run(2, "", "whoami", "--config", w.desk+"/careless.toml")
	w.runWith([]string{"GATEHOUSE_CLIENT_SECRET=" + givenClient + "\n"}, 2, "", "whoami")
	w.runWith([]string{"GATEHOUSE_AUTH_URL=https://ada:" + givenOtherKey + "@auth.example"}, 2, "", "whoami")
	w.runWith([]string{"HTTPS_PROXY=http://ada:" + givenOtherKey + "@127.0.0.1:1", "GATEHOUSE_GLOBAL_URL=https://global.example"}, 1, "", "lookup", "ada@harbor.example")
	w.runWith([]string{"GATEHOUSE_CLIENT_SECRET=" + givenOtherKey}, 1, givenPassword, "login", "--username", "ada@harbor.example", "--password-stdin")
	w.logIn()
	w.runWith([]string{"GATEHOUSE_API_KEY=" + givenOtherKey + "x"}, 1, "", "companies")
	w.runWith([]string{"GATEHOUSE_STORE_PASSPHRASE=" + wrongPassword}, 1, "", "whoami")

	// What a careless service makes of good requests.
	for name, fault := range faults {
		w.goWrong(fault, "")
		w.run(1, givenPassword, checkOf("ada", name)...)
		w.run(1, givenPassword, "login", "--username", "ada@harbor.example", "--password-stdin")
		w.run(1, givenPassword, deviceLogin("ada")...)
		w.run(1, "", "companies")
		w.requireWrong()
	}
	for _, name := range []string{"leads elsewhere", "breaks", "shows a page", "refuses", "is cut off", "hangs up"} {
		w.goWrong(faults[name], "/gateway/")
		w.run(1, "", "shares")
		w.requireWrong()
	}
	w.goWrong(faults["is not satisfied"], "") // not with the refresh token either
	w.run(3, "", "shares")
	w.run(3, "", "token")
	w.requireWrong()
}

// walkConversation goes through questions and answers, on a terminal where a
// password is typed, and on pipes.
func walkConversation(w *world) {
	term := w.open(w.command([]string{"TERM=dumb"}, "--accessible"), 200, 60)
	w.do(term,
		see("", "nothing for 1:"), see(enter, "E-mail address:"), see("ada@harbor.example"+enter, "Password, which is not shown:"),
		see(givenPassword+enter, "4 domains"), see("quit"+enter),
	)
	_ = term.Wait()
	w.keepTerminal(term)

	answers := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	w.run(0, answers(
		"1", "1", "1", "export shares.csv", "export shares.json", "back", "2", "", "export companies.ndjson", "back", "back",
		"access token", "1", "2", "3", "back",
		"device login", "", "1", "", "", "1", givenPassword, "1", "next", "next", "next", "2", "3", givenPassword, "back",
		"device login", "", "1", "", "", "1", wrongPassword, "back",
		"activity", "back", "sign out", "1", "ada@harbor.example", wrongPassword, "ada@harbor.example", "quit",
	), "--accessible")
	w.requireFiles("shares.csv", "shares.json", "companies.ndjson")
	w.goWrong(faults["refuses"], "")
	w.run(0, answers("1", "ada@harbor.example", givenPassword, "quit"), "--accessible")
	w.requireWrong()
}

// walkPrompts types at the prompts of the commands what is not to be shown.
func walkPrompts(w *world) {
	for _, prompts := range []struct {
		args  []string
		steps []step
	}{
		{[]string{"login"}, []step{
			see("", "New passphrase"), see(givenPhrase+enter, "Repeat the passphrase:"), see(givenPhrase+enter, "E-mail address:"),
			see("ada@harbor.example"+enter, "Password:"), see(givenPassword+enter, "ada@harbor.example"),
		}},
		{[]string{"whoami"}, []step{see("", "Passphrase"), see(wrongPassword+enter, "rong passphrase")}},
		{[]string{"whoami"}, []step{see("", "Passphrase"), see(givenPhrase+enter, "harbor.example")}},
		{[]string{"device-login", "--email", "ada@harbor.example", "--device-name", "laptop"}, []step{see("", "Password:"), see(givenPassword+enter, "U100")}},
		{[]string{"config", "set-secret", "api-key"}, []step{see("", "API key"), see(givenKey+enter, "keyring")}},
	} {
		term := w.open(w.command([]string{"GATEHOUSE_STORE_PASSPHRASE="}, prompts.args...), 120, 60)
		w.do(term, prompts.steps...)
		_ = term.Wait()
		w.keepTerminal(term)
	}
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
	w.do(term, signIn...)
	w.do(term, see("4", "not verified"), see("Y"))
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
