//go:build linux

package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/pem"
	"errors"
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
	"gatehouse/internal/testkit"
)

// A walk uses a part of the program, in a world of its own.
type walk struct {
	name   string
	run    func(w *world)
	issued []string // the secrets that the service must have issued, as it calls them
	shown  []shown
}

// shown is a place where a secret stands on purpose.
type shown struct{ place, secret, why string }

// Each face of the program has its walk. A further one starts its processes with
// world.command, or with world.env, and keeps with world.keep what they leave.
var walks = []walk{
	{"commands", walkCommands, []string{"access_token", "refresh_token", "id_token", "UserDomainToken", "ConfirmKey"}, []shown{
		{"stdout of token", "access_token", "it is what the command prints"},
		{"stdout of device-login --reveal", "UserDomainToken", "it was asked for"},
		{"stdout of device-login --reveal", "ConfirmKey", "it was asked for"},
	}},
	{"questions", walkQuestions, []string{"access_token", "refresh_token", "UserDomainToken"}, nil},
	{"screens", walkScreens, []string{"access_token", "refresh_token", "id_token", "UserDomainToken"}, []shown{
		{"terminal", "access_token", "v on Token reveals it"},
		{"screen", "access_token", "v on Token reveals it"},
		{"clipboard", "access_token", "y on a revealed value copies it"},
	}},
	{"a crash", walkCrash, []string{"access_token"}, []shown{
		{"clipboard", "access_token", "the copy that the program crashes in has reached the terminal"},
	}},
	{"a server", walkServer, []string{"access_token", "refresh_token", "UserDomainToken", "key of the store"}, []shown{
		{"file " + hostKeyFile, "key of the host", "it is kept there"},
		{"file " + keptKeyFile, "key of the store", "it is kept there"},
	}},
}

// Nothing that the program prints, writes or sends to a wrong place holds a
// secret, in any spelling. What is out of reach of the program is out of this
// test: its memory, and so what a core dump has of it; and the environment in
// which a person has started it.
func TestNoSecretIsWhereItDoesNotBelong(t *testing.T) {
	t.Parallel()
	for _, walk := range walks {
		t.Run(walk.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			walk.run(w)
			for _, name := range walk.issued {
				if !w.hasIssued(name) {
					t.Errorf("no %s was issued, so that none could be found", name)
				}
			}
			w.keepFiles()
			w.searchRemnants(walk.shown)
		})
	}
}

// keepFiles keeps the files of the home, which others must not be able to read,
// and what the tool for the clipboard was told.
func (w *world) keepFiles() {
	w.t.Helper()
	files := 0
	err := filepath.WalkDir(w.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == w.home {
			return err
		}
		name, _ := filepath.Rel(w.home, path)
		if info, err := entry.Info(); err != nil || info.Mode().Perm()&0o077 != 0 && !strings.HasPrefix(name, "work/") {
			w.t.Errorf("%s has mode %v, %v", name, info.Mode(), err)
		}
		w.keep("the name of a file", name)
		if name == "tls-keys" {
			w.t.Error("the keys of connections are written to a file")
		}
		if entry.IsDir() {
			return nil
		}
		files++
		content, err := os.ReadFile(path)
		w.keep("file "+name, string(content))
		if filepath.Ext(name) == ".zip" {
			w.keepParts(name, content)
		}
		return err
	})
	if err != nil || files == 0 {
		w.t.Fatalf("%d files were written, %v", files, err)
	}
	w.keep("arguments and environment of xclip", w.onDesk("told"))
	w.keep("clipboard", w.onDesk("copied"))
}

// keepParts keeps the files in an archive, which are compressed.
func (w *world) keepParts(name string, content []byte) {
	w.t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		w.t.Errorf("%s: %v", name, err)
		return
	}
	for _, file := range archive.File {
		text, err := fs.ReadFile(archive, file.Name)
		if err != nil || len(text) == 0 {
			w.t.Errorf("%s of %s is empty, %v", file.Name, name, err)
		}
		w.keep("file "+file.Name+" of "+name, string(text))
	}
}

// searchRemnants reports each secret that is found and not shown on purpose, and
// what is said to be shown and is not.
func (w *world) searchRemnants(onPurpose []shown) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	found := map[shown]bool{}
	for _, r := range w.remnants {
	hits:
		for _, hit := range w.search.Find(r.text) {
			for _, s := range onPurpose {
				if s.secret == hit.Secret && (r.place == s.place || strings.HasPrefix(r.place, s.place+" ")) {
					found[s] = true
					continue hits
				}
			}
			w.t.Errorf("%s: the %s, %s:\n%s", r.place, hit.Secret, hit.Form, excerpt(r.text, hit.At))
		}
	}
	for _, s := range onPurpose {
		if !found[s] {
			w.t.Errorf("the %s is not in %s, though %s", s.secret, s.place, s.why)
		}
	}
}

func excerpt(text string, at int) string {
	return strings.ToValidUTF8(text[max(at-200, 0):min(at+100, len(text))], "?")
}

// osc52 is what a terminal is sent to put on its clipboard.
var osc52 = regexp.MustCompile(`\x1b\]52;[a-z]*;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\)`)

// keepTerminal keeps all that a terminal was sent: as it came, as the text that a person
// saw come, and what went to the clipboard.
func (w *world) keepTerminal(term *testkit.Terminal) {
	w.t.Helper()
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

// The secrets that a person has before the program runs. Their characters look
// different in every spelling.
const (
	givenPassword  = `canary pä"ss+/=<&>\%~`
	wrongPassword  = `canary wröng+/=<&>`
	givenClient    = `canary/client+secret=<&>%`
	givenKey       = `canary/reseller+key==`
	givenOtherKey  = `canary/company+key==`
	givenPhrase    = `canary passphräse+/=`
	givenDirectory = `canary/directory+token=<&>`
)

// world is all that a run of the program touches: the embedded service, over TLS
// and with everything taken down that is secret in its answers, another host, a
// home, a desktop. What the run leaves behind is kept, to be searched in the end.
type world struct {
	t                *testing.T
	home             string // holds all that the program may write
	desk             string // holds a tool for the clipboard, and what that was told
	front, elsewhere *httptest.Server
	env              []string // of the program

	mu        sync.Mutex
	fault     fault         // nil: answers are good
	faultAt   string        // the part of a path that is concerned
	wentWrong chan struct{} // holds one when an answer has, since then
	search    testkit.SecretSearcher
	issued    map[string]bool // what is secret in the answers so far, by its name
	remnants  []remnant
}

// remnant is something that a run left behind.
type remnant struct{ place, text string }

func newWorld(t *testing.T) *world {
	w := &world{t: t, home: t.TempDir(), desk: t.TempDir(), issued: map[string]bool{}, wentWrong: make(chan struct{}, 1)}
	for name, value := range map[string]string{
		"password": givenPassword, "wrong password": wrongPassword, "client secret": givenClient, "reseller key": givenKey,
		"company key": givenOtherKey, "passphrase": givenPhrase, "Active Directory token": givenDirectory,
	} {
		w.search.Add(name, value)
	}
	w.search.Add("key of the vault", "AGE-SECRET-KEY")
	service, err := embedded.Start(t.Context(), embedded.Options{Shared: &shared, Secrets: embedded.Secrets{
		Password: givenPassword, ClientSecret: givenClient, ResellerKey: givenKey, CompanyKey: givenOtherKey,
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = service.Close() })
	w.front = w.overTLS(w.inFrontOf(service))
	w.elsewhere = w.overTLS(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got, _ := httputil.DumpRequest(r, true)
		w.keep("the request to another host", string(got))
	}))
	w.furnish()
	w.env = w.variables(service)
	return w
}

// overTLS serves HTTP/2 as well, whose library can be told to print headers.
func (w *world) overTLS(handler http.Handler) *httptest.Server {
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.StartTLS()
	w.t.Cleanup(server.Close)
	return server
}

// issues finds what is secret in the answers of the demo (interface sections 2.1
// and 2.4).
var issues = regexp.MustCompile(`"(access_token|refresh_token|id_token|UserDomainToken|ConfirmKey)":"([^"]+)"`)

// inFrontOf hands requests on to the service, unless they are to go wrong.
func (w *world) inFrontOf(service *embedded.Server) http.Handler {
	target, err := url.Parse(service.URL())
	if err != nil {
		w.t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ModifyResponse = func(answer *http.Response) error {
		if name := answer.Request.URL.Path; !strings.HasSuffix(name, "/connect/token") && !strings.HasSuffix(name, "/login2.aspx") {
			return nil // nothing secret, and perhaps long
		}
		body, err := io.ReadAll(answer.Body)
		for _, found := range issues.FindAllSubmatch(body, -1) {
			w.take(string(found[1]), string(found[2]))
		}
		answer.Body = io.NopCloser(bytes.NewReader(body))
		return errors.Join(err, answer.Request.Context().Err())
	}
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		if wrong := w.wrongFor(r); wrong != nil {
			wrong(w, to, r)
			return
		}
		proxy.ServeHTTP(to, r)
	})
}

func (w *world) take(name, secret string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.search.Add(name, secret)
	w.issued[name] = true
}

func (w *world) hasIssued(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.issued[name]
}

// keep keeps what a run has left behind at a place, for the search in the end.
func (w *world) keep(place, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remnants = append(w.remnants, remnant{place, text})
}

// furnish fills the desk: what the program trusts and a tool for the clipboard,
// which tells what it was told.
func (w *world) furnish() {
	roots := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.front.Certificate().Raw})
	tool := "#!/bin/sh\ncd '" + w.desk + "'\n" +
		"{ env; tr '\\0' '\\n' </proc/$$/cmdline; tr '\\0' '\\n' </proc/$PPID/cmdline; } >>told\n" +
		"cat >>copied\n"
	for name, content := range map[string]string{
		"roots.pem": string(roots), "xclip": tool, "careless.toml": "[profiles.main]\nclient_secret = '" + givenClient + "'\n",
	} {
		if err := os.WriteFile(filepath.Join(w.desk, name), []byte(content), 0o700); err != nil {
			w.t.Fatal(err)
		}
	}
	for _, dir := range []string{"work", "tmp"} {
		if err := os.Mkdir(filepath.Join(w.home, dir), 0o700); err != nil {
			w.t.Fatal(err)
		}
	}
}

// onDesk is what the tool for the clipboard has left in a file: "told" and "copied".
// Without a copy there is none.
func (w *world) onDesk(file string) string {
	content, err := os.ReadFile(filepath.Join(w.desk, file))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		w.t.Error(err)
	}
	return string(content)
}

// variables are those of a person who looks for a fault: all that could make the
// program or its libraries print something is switched on.
func (w *world) variables(service *embedded.Server) []string {
	var env []string
	for _, v := range service.Env() {
		env = append(env, v.Name+"="+strings.ReplaceAll(v.Value, service.URL(), w.front.URL))
	}
	for _, name := range []string{"CONFIG_HOME", "STATE_HOME", "CACHE_HOME", "DATA_HOME", "RUNTIME_DIR"} {
		env = append(env, "XDG_"+name+"="+filepath.Join(w.home, strings.ToLower(name)))
	}
	return append(env,
		"HOME="+w.home, "TMPDIR="+w.home+"/tmp", "PATH="+w.desk+":/usr/bin:/bin", "TERM=xterm-256color", "DISPLAY=:0",
		"SSL_CERT_FILE="+w.desk+"/roots.pem", "SSLKEYLOGFILE="+w.home+"/tls-keys", "GODEBUG=http2debug=2", "GOTRACEBACK=all",
		"GATEHOUSE_STORE=file", "GATEHOUSE_STORE_PASSPHRASE="+givenPhrase, "GATEHOUSE_AD_TOKEN="+givenDirectory,
		"GATEHOUSE_LOG_FILE="+w.home+"/log",
		"GATEHOUSE_PASSWORD="+givenPassword, // which is no variable of the program, so that it must not care for it
	)
}

// command is the program with arguments, in the home. Further variables count
// more than those of the world.
func (w *world) command(further []string, args ...string) *exec.Cmd {
	command := exec.CommandContext(w.t.Context(), binary, args...)
	command.Env, command.Dir = slices.Concat(w.env, further), filepath.Join(w.home, "work")
	return command
}
