//go:build linux

package e2e

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"

	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
)

// faults are what a careless service does. Each repeats all of the request.
var faults = map[string]hostile.Fault{
	"refuses":      repeats(http.StatusBadRequest, "application/json"),
	"denies":       repeats(http.StatusUnauthorized, "application/json"),
	"breaks":       repeats(http.StatusInternalServerError, "text/plain"),
	"shows a page": repeats(http.StatusOK, "text/html"),
}

// leadsElsewhere redirects to another host.
func (w *world) leadsElsewhere(to http.ResponseWriter, r *http.Request, _ http.Handler) {
	http.Redirect(to, r, w.elsewhere.URL+r.URL.RequestURI(), http.StatusTemporaryRedirect)
}

// repeats sends a request back, as it came and decoded.
func repeats(status int, kind string) hostile.Fault {
	return func(to http.ResponseWriter, r *http.Request, _ http.Handler) {
		dump, _ := httputil.DumpRequest(r, true)
		decoded, _ := url.QueryUnescape(string(dump))
		_, credential, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		pair, _ := base64.StdEncoding.DecodeString(credential)
		to.Header().Set("Content-Type", kind)
		to.Header().Set("WWW-Authenticate", r.Header.Get("Authorization"))
		to.Header().Set("X-Request-Id", strings.Join(strings.Fields(string(dump)), " "))
		to.WriteHeader(status)
		if kind == "text/html" {
			_, _ = to.Write([]byte("<p>"))
		}
		_ = json.NewEncoder(to).Encode(map[string]string{
			"error": "invalid_grant", "error_description": decoded, "Message": decoded, "request": string(dump), "client": string(pair),
		})
	}
}

// repeatsInGood answers a device login well, with all of the request under harmless names.
func repeatsInGood(to http.ResponseWriter, r *http.Request, _ http.Handler) {
	dump, _ := httputil.DumpRequest(r, true)
	query := r.URL.Query()
	password, _ := base64.StdEncoding.DecodeString(query.Get("password2"))
	nested, _ := json.Marshal(map[string]string{"typed": string(password)})
	type list map[string]any
	to.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(to).Encode(list{
		"ErrorCode": "U100", "DeviceId": query.Get("password2"), "Query": r.URL.RawQuery, "Request": string(dump), "Nested": string(nested),
		"PrimaryUserDomain": list{"Domain": list{"DomainName": "of " + string(password), "Url": query.Get("Ad"), "ResellerId": string(password)}},
		"User":              list{string(password): list{"Note": hex.EncodeToString(password)}},
		"UserNotification":  list{"NotificationType": 1, "Url": "https://example/?p=" + url.QueryEscape(string(password))},
	})
}

// run runs the program to its end and wants an exit code.
func (w *world) run(code int, stdin string, args ...string) {
	w.t.Helper()
	w.runWith(nil, code, stdin, args...)
}

func (w *world) runWith(further []string, code int, stdin string, args ...string) {
	w.t.Helper()
	w.keepOutput(strings.Join(args, " "), code, finish(w.t, w.command(further, args...), stdin))
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
	login       = []string{"login", "--email", "ada@harbor.example", "--password-stdin"}
	deviceLogin = []string{"device-login", "--email", "ada@harbor.example", "--device-name", "laptop", "--password-stdin", "--send-plain-password"}
	fullCheck   = []string{"check", "ada@harbor.example", "--sign-in", "--password-stdin", "--device-name", "laptop", "--control"}
)

func with(args []string, further ...string) []string {
	return append(args[:len(args):len(args)], further...)
}

func walkCommands(w *world) {
	// What a person types in the wrong place, or wrongly.
	w.run(1, wrongPassword, login...)
	w.run(2, "", "login", "--password="+givenPassword)
	w.run(2, "", "config", "set-secret", "api-key", givenKey)
	w.run(1, givenKey, "config", "set-secret", "api-key") // there is no keyring
	w.run(2, "", "whoami", "--config", w.write("careless.toml", []byte("[profiles.main]\nclient_secret = '"+givenClient+"'\n")))
	w.runWith([]string{"GATEHOUSE_AUTH_URL=https://ada:" + givenOtherKey + "@auth.example"}, 2, "", "whoami")
	w.runWith([]string{"HTTPS_PROXY=http://ada:" + givenOtherKey + "@127.0.0.1:1", "GATEHOUSE_GLOBAL_URL=https://global.example"}, 1, "", "lookup", "ada@harbor.example")

	w.run(0, givenPassword, login...)
	w.runWith([]string{"GATEHOUSE_API_KEY=" + givenOtherKey + "x"}, 1, "", "companies")
	w.runWith([]string{"GATEHOUSE_STORE_PASSPHRASE=" + wrongPassword}, 1, "", "whoami")
	for _, args := range []string{"token", "shares", "companies -o csv", "config show -o json"} {
		w.run(0, "", strings.Fields(args)...)
	}
	w.goWrong(faults["denies"], hostile.Shares)
	w.run(3, "", "shares") // after a renewal
	w.requireWrong()
	w.goWrong(nil, "")
	w.run(0, givenPassword, with(fullCheck, "-o", "table")...)
	w.run(0, givenPassword, with(fullCheck, "-o", "markdown", "--bundle", "check.zip")...)
	w.run(0, "ada@harbor.example\n", "check", "--from", "-", "--resume", "batch.ndjson", "--control", "-o", "ndjson")
	w.requireFiles("check.zip", "batch.ndjson")
	for _, account := range []string{"ada@harbor.example", "dora@harbor.example"} {
		w.run(0, givenPassword, "device-login", "--reveal", "--email", account, "--device-name", "laptop", "--password-stdin")
	}
	w.goWrong(repeatsInGood, hostile.DeviceLogin)
	w.run(0, givenPassword, with(fullCheck, "--bundle", "repeated.zip")...)
	for _, further := range []string{"-o=json", "-o=csv", "-o=table", "--reveal"} {
		w.run(0, givenPassword, with(deviceLogin, further)...)
	}
	w.requireWrong()

	for i, fault := range append(slices.Collect(maps.Values(faults)), w.leadsElsewhere) {
		w.goWrong(fault, "")
		w.run(1, givenPassword, with(fullCheck, "--bundle", fmt.Sprint(i, ".zip"))...)
		w.run(1, givenPassword, login...)
		w.requireWrong()
	}
}

// walkQuestions answers what the program asks, on a terminal and on a pipe.
func walkQuestions(w *world) {
	for _, prompts := range []struct {
		args  []string
		steps []step
	}{
		{[]string{"login"}, []step{
			see("", "New passphrase"), see(givenPhrase+enter, "Repeat the passphrase:"), see(givenPhrase+enter, "E-mail address:"),
			see("ada@harbor.example"+enter, "Password for"), see(givenPassword+enter, "ada@harbor.example"),
		}},
		{[]string{"whoami"}, []step{see("", "Passphrase"), see(wrongPassword+enter, "rong passphrase")}},
		{[]string{"config", "set-secret", "api-key"}, []step{see("", "API key"), see(givenKey+enter, "keyring")}},
	} {
		term := testkit.StartTerminal(w.t, w.command([]string{"GATEHOUSE_STORE_PASSPHRASE="}, prompts.args...), 120, 60)
		w.do(term, prompts.steps...)
		_ = term.Wait()
		w.keepTerminal(term)
	}
	w.run(0, "", "logout")

	answers := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	w.runWith([]string{"ACCESSIBLE=yes"}, 0, answers(
		"ada@harbor.example", givenPassword, "1", "export shares.csv", "back", "back",
		"token", "renew", "copy token", "reveal", "back",
		"device login", "", "", "", "", givenPassword, "next", "next", "tree", "next", "next", "next", "reveal tokens", "ticket", "again with this id", givenPassword, "back", "back", "back",
		"activity", "1", "tree", "back", "back", "sign out", "ada@harbor.example", wrongPassword, "back", "quit",
	))
	w.requireFiles("shares.csv")
	w.goWrong(faults["refuses"], "")
	w.run(0, answers("ada@harbor.example", givenPassword, "quit"), "--accessible")
	w.requireWrong()
}

// step types keys, and then waits for texts to come and for one to go.
type step struct {
	keys string
	want []string
	gone string
}

func see(keys string, want ...string) step { return step{keys: keys, want: want} }

// leave presses esc and waits until a text is gone.
func leave(gone string) step { return step{keys: esc, gone: gone} }

// do takes steps and keeps the screens that they lead to.
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
	ctrlU = "\x15"
	ctrlY = "\x19"
)

func walkScreens(w *world) {
	term := testkit.StartTerminal(w.t, w.command(nil), 120, 40)
	w.do(term, see("", "Sign in", "E-mail"), see("ada@harbor.example"+tab+wrongPassword, "•••••"), see(enter, "Wrong e-mail or password"))
	for said, fault := range map[string]hostile.Fault{"500": faults["breaks"], "HTML page": faults["shows a page"], "redirects": w.leadsElsewhere} {
		w.goWrong(fault, hostile.PasswordGrant)
		w.do(term, see(givenPassword+enter, said))
		w.requireWrong()
	}
	w.goWrong(nil, "")
	w.do(term,
		see(givenPassword, "•••••"), see(enter, "4 domains"), see(enter, "row 1 of 42"),
		see("e", "File"), see(ctrlU+"shares.csv"+enter, "Wrote 42 shares"),
		see("2", "25 companies"),
		see("i", "API key"), see(tab+givenOtherKey, "•••••"), step{keys: enter, want: []string{"25 companies"}, gone: "API key"},
		see("3", "Device name"), see(enter+strings.Repeat(tab, 4)+givenPassword, "•••••"), see(enter, "U100", "result 1"),
		see("t+", "UserDomainToken: •••"), see(ctrlY, "Copied"),
	)
	w.goWrong(repeatsInGood, hostile.DeviceLogin)
	w.do(term, see("a", "Again with"), see(givenPassword+enter, "result 2"), see("+", "Nested"), see(ctrlY, "Copied"))
	w.requireWrong()
	w.goWrong(nil, "")
	w.do(term,
		see("4", "not verified"), see("R", "renewed"), see("v", "eyJ"), see("y", "Copied"), see("v", "shows it"),
		see("5", "entries"), see("/size>=0"+enter, "/ size>=0"), see("g"),
	)
	w.openEntries(term, 10)
	w.do(term, see("e", "File"), see(ctrlU+"activity.har"+enter, "Wrote"), leave("Wrote"))

	// The session ends while the shares are asked for.
	w.goWrong(faults["denies"], "")
	w.do(term, see("1", "row 1 of 42"), see("r", "The session has ended"), see(givenPassword+enter, "Wrong e-mail"), leave("Password"), see("5", "entries"), see("g"))
	w.openEntries(term, 2)
	w.requireWrong()
	w.quit(term)
	w.requireFiles("shares.csv", "activity.har")
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

// The files of a server, in the home.
const (
	hostKeyFile = "state_home/gatehouse/ssh_host_ed25519_key"
	keptKeyFile = "session.key"
)

// walkServer has somebody visit a server that keeps sessions, by screens and by commands, while
// the service misbehaves.
func walkServer(w *world) {
	key, keys := sshKey(w.t), filepath.Join(w.home, keptKeyFile)
	out, err := exec.Command(binary, "serve", "--new-key", keys).CombinedOutput()
	if err != nil {
		w.t.Fatalf("%v: %s", err, out)
	}
	w.keep("stdout of --new-key", string(out))
	w.takeWords("key of the store", keys, 44)
	s := serveSSH(w.t, w.env, "--authorized-keys", authorize(w.t, key), "--desk-keys", authorize(w.t, key), "--session-key", keys, "--sessions", filepath.Join(w.home, "sessions"))
	host := w.takeWords("key of the host", filepath.Join(w.home, hostKeyFile), 20)
	private, err := ssh.ParseRawPrivateKey(host)
	if err != nil {
		w.t.Fatal(err)
	}
	w.take("key of the host", string(private.(*ed25519.PrivateKey).Seed()))

	w.walkAsVisitor(s, key)
	term, _ := s.open(120, 40, "-i", key, "visitor@127.0.0.1")
	w.do(term,
		see("", "4 domains"), see(enter, "row 1 of 42"), see("e", "Copied 42 shares"),
		see("3", "Device name"), see(enter+strings.Repeat(tab, 4)+givenPassword, "•••••"), see(enter, "U100"), see("t+", "UserDomainToken: •••"), see(ctrlY, "Copied"),
		see("4", "not verified"), see("R", "renewed"),
		see("5", "entries"), see("/size>=0"+enter, "/ size>=0"), see("g"),
	)
	w.openEntries(term, 3)
	w.do(term, see("e", "Copied the listed requests"))
	w.goWrong(faults["shows a page"], hostile.RefreshGrant)
	w.do(term, see("4", "not verified"), see("R", "Could not renew"))
	w.requireWrong()
	w.quit(term)
	for _, path := range []string{"/metrics", "/healthz", "/readyz"} {
		w.keep("what the server says at "+path, s.get(path))
	}
	s.end()
	w.keep("log of the server", s.log())
}

// walkAsVisitor runs commands over SSH.
func (w *world) walkAsVisitor(s *sshServer, key string) {
	const signsIn = " -u ada@harbor.example --password-stdin"
	visit := func(code int, stdin, command string) {
		w.keepOutput("ssh "+command, code, s.run(stdin, "-i", key, host, command))
	}
	visit(0, givenPassword, "shares -o csv"+signsIn)
	visit(1, wrongPassword, "check ada@harbor.example --sign-in --password-stdin -o markdown")
	visit(2, "", "login --password "+givenClient)
	visit(2, "", "'"+givenOtherKey)
	for _, fault := range []hostile.Fault{faults["refuses"], w.leadsElsewhere} {
		w.goWrong(fault, "")
		visit(1, givenPassword, "shares"+signsIn)
		visit(1, givenPassword, "login --keep"+signsIn)
		w.requireWrong()
	}
	w.goWrong(nil, "")
	visit(0, givenPassword, "login --keep"+signsIn)
	visit(0, "", "whoami")
	visit(0, "", "sessions")
}

// takeWords makes secrets of the words of a file that are of at least a length, and returns it.
func (w *world) takeWords(name, path string, length int) []byte {
	w.t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, word := range strings.Fields(string(file)) {
		if len(word) >= length {
			w.take(name, word)
		}
	}
	return file
}
