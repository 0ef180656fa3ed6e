//go:build linux

package e2e

import (
	"archive/zip"
	"encoding/base64"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/ansi"

	embedded "gatehouse/internal/demo"
	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
)

// Nothing that the program prints, writes or sends to another host holds a secret, in any spelling.
// Its memory and the environment that a person started it in are not searched.
func TestNoSecretLeaks(t *testing.T) {
	t.Parallel()
	for name, walk := range map[string]func(*world){"commands": walkCommands, "screens": walkScreens, "server": walkServer} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			walk(w)
			w.keepFiles()
			w.requireNoSecret()
		})
	}
}

// The secrets that a person has before the program runs. Their characters look different in every
// spelling.
const (
	givenPassword = `canary pä"ss+/=<&>\%~`
	wrongPassword = `canary wröng+/=<&>`
	givenClient   = `canary/client+secret=<&>%`
	givenKey      = `canary/reseller+key==`
	givenPhrase   = `canary passphräse+/=`
)

// world is all that a run of the program touches: a service that may misbehave, another host, and
// a home. It records the secrets that the service issues.
type world struct {
	t         *testing.T
	home      string // holds all that the program may write
	env       []string
	faults    hostile.Faults
	elsewhere *httptest.Server

	mu       sync.Mutex
	search   testkit.SecretSearcher
	issued   map[string]bool // the names of secrets
	remnants []remnant
	revealed []string // a place and a secret that it shows on purpose
}

// remnant is something that a run left behind.
type remnant struct{ place, text string }

func newWorld(t *testing.T) *world {
	w := &world{t: t, home: t.TempDir(), issued: map[string]bool{}}
	for name, value := range map[string]string{
		"password": givenPassword, "wrong password": wrongPassword, "client secret": givenClient, "API key": givenKey,
		"passphrase": givenPhrase, "key of the vault": "AGE-SECRET-KEY",
	} {
		w.search.Add(name, value)
	}
	service, err := embedded.Start(t.Context(), embedded.Options{
		Wrap:    func(service http.Handler) http.Handler { return w.faults.Wrap(w.recording(service)) },
		Secrets: embedded.Secrets{Password: givenPassword, ClientSecret: givenClient, ResellerKey: givenKey},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = service.Close() })
	w.elsewhere = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got, _ := httputil.DumpRequest(r, true)
		w.keep("the request to another host", string(got))
	}))
	t.Cleanup(w.elsewhere.Close)
	if err := os.Mkdir(filepath.Join(w.home, "work"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, value := range service.Env() {
		w.env = append(w.env, name+"="+value)
	}
	w.env = append(w.env,
		"HOME="+w.home, "XDG_CONFIG_HOME="+w.home+"/config", "XDG_STATE_HOME="+w.home+"/state", "TMPDIR="+w.home,
		"PATH=/usr/bin:/bin", "TERM=xterm-256color", "GOTRACEBACK=all",
		"GATEHOUSE_STORE=file", "GATEHOUSE_STORE_PASSPHRASE="+givenPhrase, "GATEHOUSE_LOG_FILE="+w.home+"/log",
	)
	return w
}

// issues finds the secrets in the answers of the demo (interface sections 2.1 and 2.4).
var issues = regexp.MustCompile(`"(access_token|refresh_token|id_token|UserDomainToken|ConfirmKey)":"([^"]+)"`)

// recording takes note of the secrets in the service's answers.
func (w *world) recording(service http.Handler) http.Handler {
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/connect/token") && !strings.HasSuffix(r.URL.Path, "/login2.aspx") {
			service.ServeHTTP(to, r)
			return
		}
		answer := httptest.NewRecorder()
		service.ServeHTTP(answer, r)
		for _, found := range issues.FindAllStringSubmatch(answer.Body.String(), -1) {
			w.mu.Lock()
			w.search.Add(found[1], found[2])
			w.issued[found[1]] = true
			w.mu.Unlock()
		}
		to.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		to.WriteHeader(answer.Code)
		_, _ = to.Write(answer.Body.Bytes())
	})
}

func (w *world) keep(place, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remnants = append(w.remnants, remnant{place, text})
}

// keepFiles keeps the files of the home. Those of the state must be closed to other people.
func (w *world) keepFiles() {
	w.t.Helper()
	err := filepath.WalkDir(w.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, _ := filepath.Rel(w.home, path)
		if info, err := entry.Info(); err != nil || info.Mode().Perm()&0o077 != 0 && !strings.HasPrefix(name, "work/") {
			w.t.Errorf("%s has mode %v, %v", name, info.Mode(), err)
		}
		content, err := os.ReadFile(path)
		w.keep("file "+name, string(content))
		if filepath.Ext(name) == ".zip" {
			w.keepArchive(path)
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) keepArchive(path string) {
	w.t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer archive.Close()
	for _, file := range archive.File {
		text, err := fs.ReadFile(archive, file.Name)
		if err != nil || len(text) == 0 {
			w.t.Errorf("%s of %s is empty, %v", file.Name, path, err)
		}
		w.keep("file "+file.Name+" of "+path, string(text))
	}
}

// requireNoSecret reports each secret that is not revealed on purpose.
func (w *world) requireNoSecret() {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.issued["access_token"] || !w.issued["refresh_token"] || !w.issued["UserDomainToken"] {
		w.t.Errorf("only %v were issued, so no others could be found", w.issued)
	}
	for _, r := range w.remnants {
		for _, hit := range w.search.Find(r.text) {
			if !slices.Contains(w.revealed, r.place+": "+hit.Secret) {
				w.t.Errorf("%s: the %s:\n%q", r.place, hit.Secret, r.text[max(hit.At-200, 0):min(hit.At+100, len(r.text))])
			}
		}
	}
}

// goWrong makes the service answer badly at an endpoint, or everywhere if that is empty.
func (w *world) goWrong(fault hostile.Fault, at hostile.Endpoint) {
	w.faults.Set(hostile.Rule{Endpoint: at, Fault: fault})
}

// leadsElsewhere redirects to another host.
func (w *world) leadsElsewhere(to http.ResponseWriter, r *http.Request, _ http.Handler) {
	http.Redirect(to, r, w.elsewhere.URL+r.URL.RequestURI(), http.StatusTemporaryRedirect)
}

// repeats sends a request back, as it came and decoded, as a careless service does.
func repeats(status int, kind string) hostile.Fault {
	return func(to http.ResponseWriter, r *http.Request, _ http.Handler) {
		dump, _ := httputil.DumpRequest(r, true)
		decoded, _ := url.QueryUnescape(string(dump))
		_, credential, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		pair, _ := base64.StdEncoding.DecodeString(credential)
		password, _ := base64.StdEncoding.DecodeString(r.URL.Query().Get("password2"))
		to.Header().Set("Content-Type", kind)
		to.Header().Set("WWW-Authenticate", r.Header.Get("Authorization"))
		to.WriteHeader(status)
		if kind == "text/html" {
			_, _ = io.WriteString(to, "<p>")
		}
		_ = json.NewEncoder(to).Encode(map[string]any{
			"error": "invalid_grant", "error_description": decoded, "Message": decoded, "request": string(dump), "client": string(pair),
			"ErrorCode": "U100", "DeviceId": r.URL.Query().Get("password2"), "User": map[string]string{string(password): string(password)},
		})
	}
}

// faults are what a careless service does.
var faults = map[string]hostile.Fault{
	"refuses":      repeats(http.StatusBadRequest, "application/json"),
	"denies":       repeats(http.StatusUnauthorized, "application/json"),
	"breaks":       repeats(http.StatusInternalServerError, "text/plain"),
	"shows a page": repeats(http.StatusOK, "text/html"),
}

// command is the program in the home.
func (w *world) command(args ...string) *exec.Cmd {
	command := exec.CommandContext(w.t.Context(), binary, args...)
	command.Env, command.Dir = w.env, filepath.Join(w.home, "work")
	return command
}

// run runs a command to its end, keeps what it prints, and wants an exit code.
func (w *world) run(command *exec.Cmd, code int, stdin string) {
	w.t.Helper()
	got, name := finish(w.t, command, stdin), strings.Join(command.Args[1:], " ")
	w.keep("stdout of "+name, got.stdout)
	w.keep("stderr of "+name, got.stderr)
	if got.code != code {
		w.t.Errorf("%s: exit code %d, want %d\n%s", name, got.code, code, got.stderr)
	}
}

func walkCommands(w *world) {
	gatehouse := func(code int, stdin, args string) {
		w.t.Helper()
		w.run(w.command(strings.Fields(args)...), code, stdin)
	}
	const login, fullCheck = "login --email ada@harbor.example --password-stdin", "check ada@harbor.example --sign-in --password-stdin --device-name laptop --control --bundle "
	w.run(w.command("login", "--password="+givenPassword), 2, "")
	gatehouse(1, wrongPassword, login)
	gatehouse(1, givenKey, "config set-secret api-key") // there is no keyring
	gatehouse(0, givenPassword, login)
	for _, args := range []string{"token", "shares", "companies -o csv", "config show -o json"} {
		gatehouse(0, "", args)
	}
	gatehouse(0, givenPassword, fullCheck+"good.zip")
	const reveal = "device-login --reveal --email dora@harbor.example --device-name laptop --password-stdin"
	gatehouse(0, givenPassword, reveal)
	gatehouse(0, givenPassword, strings.Replace(reveal, "--reveal", "-o json", 1))
	gatehouse(0, givenPassword, "device-login --email ada@harbor.example --device-name laptop --password-stdin -o json")
	w.revealed = append(w.revealed, "stdout of token: access_token", "stdout of "+reveal+": ConfirmKey")
	w.goWrong(repeats(http.StatusOK, "application/json"), hostile.DeviceLogin)
	gatehouse(0, givenPassword, "device-login --reveal --email ada@harbor.example --device-name laptop --password-stdin --send-plain-password")
	gatehouse(0, givenPassword, fullCheck+"repeated.zip")
	faults := map[string]hostile.Fault{"leads elsewhere": w.leadsElsewhere, "refuses": faults["refuses"], "denies": faults["denies"], "breaks": faults["breaks"], "shows a page": faults["shows a page"]}
	for name, fault := range faults {
		w.goWrong(fault, "")
		gatehouse(1, givenPassword, fullCheck+strings.ReplaceAll(name, " ", "-")+".zip")
		gatehouse(1, givenPassword, login)
	}
	gatehouse(0, "", "logout")
}

// osc52 puts something on the clipboard of a terminal.
var osc52 = regexp.MustCompile(`\x1b\]52;[a-z]*;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\)`)

// do types keys and waits for the text that they bring.
func (w *world) do(term *terminal, steps []move) {
	w.t.Helper()
	for _, step := range steps {
		term.Type(step.keys)
		term.WaitFor(step.brings)
		w.keep("screen after "+step.keys, term.Screen())
	}
}

// quit leaves the program and keeps what the terminal was sent, and what went to its clipboard.
func (w *world) quit(term *terminal) {
	w.t.Helper()
	term.Type("\x03")
	_ = term.Wait()
	raw := string(term.Raw())
	for _, found := range osc52.FindAllStringSubmatch(raw, -1) {
		copied, err := base64.StdEncoding.DecodeString(found[1])
		if err != nil {
			w.t.Error(err)
		}
		w.keep("clipboard", string(copied))
	}
	raw = osc52.ReplaceAllString(raw, "")
	w.keep("terminal", raw)
	w.keep("terminal without sequences", ansi.Strip(raw))
}

// readActivity opens entries of the activity, as trees and as fields, and copies them.
// The last record was shown as a tree, which is remembered.
func (w *world) readActivity(term *terminal) {
	w.t.Helper()
	w.do(term, []move{{"5", "entries"}, {"/size>=0" + enter, "/ size>=0"}, {"g", "entries"}})
	for range 4 {
		w.do(term, []move{{enter, "▾"}, {"+\x19", "Copied"}, {"t", "t tree"}, {"t", "▾"}, {esc, "entries"}})
		term.Type("j")
	}
}

func walkScreens(w *world) {
	term := startTerminal(w.t, w.command(), 120, 40)
	w.do(term, []move{{"", "E-mail"}, {"ada@harbor.example" + tab + wrongPassword, "•••••"}, {enter, "Wrong e-mail or password"}})
	for said, fault := range map[string]hostile.Fault{"500": faults["breaks"], "HTML page": faults["shows a page"], "redirects": w.leadsElsewhere} {
		w.goWrong(fault, hostile.PasswordGrant)
		w.do(term, []move{{givenPassword + enter, said}})
	}
	w.faults.Set()
	w.do(term, []move{{givenPassword, "•••••"}, {enter, "4 domains"}, {enter, "row 1 of 42"}, {"2", "25 companies"},
		{"3", "Device name"}, {enter + strings.Repeat(tab, 4) + givenPassword, "•••••"}, {enter, "result 1"},
		{"t+", "UserDomainToken: •••"}, {"\x19", "Copied"},
		{"4", "not verified"}, {"R", "renewed"},
	})
	w.readActivity(term)
	w.do(term, []move{{"e", "File"}, {"\x15activity.har" + enter, "Wrote"}})
	term.Type(esc)
	term.WaitGone("Wrote")

	// The session ends while the shares are asked for.
	w.goWrong(faults["denies"], "")
	w.do(term, []move{{"1", "row 1 of 42"}, {"r", "The session has ended"}, {givenPassword + enter, "Wrong e-mail"}})
	w.quit(term)
}

// walkServer has somebody visit a server that keeps sessions while the service misbehaves.
func walkServer(w *world) {
	key, keys := sshKey(w.t), filepath.Join(w.t.TempDir(), "session.key")
	w.run(w.command("serve", "--new-key", keys), 0, "")
	words, err := os.ReadFile(keys)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, word := range strings.Fields(string(words)) {
		if len(word) >= 44 {
			w.search.Add("key of the store", word)
		}
	}
	s := serveSSH(w.t, w.env, "--authorized-keys", authorize(w.t, key), "--desk-keys", authorize(w.t, key), "--session-key", keys, "--sessions", filepath.Join(w.home, "sessions"))
	visit := func(code int, stdin, command string) {
		w.run(s.client("-i", key, host, command), code, stdin)
	}
	const signsIn = " -u ada@harbor.example --password-stdin"
	visit(1, wrongPassword, "check ada@harbor.example --sign-in --password-stdin -o markdown")
	visit(2, "", "'"+givenClient)
	for _, fault := range []hostile.Fault{faults["refuses"], w.leadsElsewhere} {
		w.goWrong(fault, "")
		visit(1, givenPassword, "shares"+signsIn)
	}
	w.faults.Set()
	visit(0, givenPassword, "login --keep"+signsIn)
	visit(0, "", "sessions")
	term, _ := s.open(120, 40, "-i", key, host)
	w.do(term, []move{{"", "4 domains"}, {enter, "row 1 of 42"}, {"e", "Copied 42 shares"},
		{"3", "Device name"}, {enter + strings.Repeat(tab, 4) + givenPassword, "•••••"}, {enter, "U100"}, {"t+", "▾"},
		{"4", "not verified"}, {"R", "renewed"},
	})
	w.readActivity(term)
	w.quit(term)
	for _, path := range []string{"/metrics", "/healthz", "/readyz"} {
		w.keep("what the server says at "+path, s.get(path))
	}
	s.end()
	w.keep("log of the server", s.log())
}
