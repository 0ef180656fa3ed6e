//go:build linux

package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/pem"
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

// A walk uses one face of the program in a world of its own. It keeps with world.keep whatever
// the program leaves behind.
type walk struct {
	name   string
	run    func(w *world)
	issued []string // the secrets that the service must have issued
	shown  []shown
}

// shown is a place that shows a secret on purpose.
type shown struct{ place, secret, why string }

var walks = []walk{
	{"commands", walkCommands, []string{"access_token", "refresh_token", "id_token", "UserDomainToken", "ConfirmKey"}, []shown{
		{"stdout of token", "access_token", "the command prints it"},
		{"stdout of device-login --reveal", "UserDomainToken", "it was asked for"},
		{"stdout of device-login --reveal", "ConfirmKey", "it was asked for"},
	}},
	{"questions", walkQuestions, []string{"access_token", "refresh_token", "UserDomainToken"}, nil},
	{"screens", walkScreens, []string{"access_token", "refresh_token", "id_token", "UserDomainToken"}, []shown{
		{"terminal", "access_token", "v on Token reveals it"},
		{"screen", "access_token", "v on Token reveals it"},
		{"clipboard", "access_token", "y on a revealed value copies it"},
	}},
	{"a server", walkServer, []string{"access_token", "refresh_token", "UserDomainToken", "key of the store"}, []shown{
		{"file " + hostKeyFile, "key of the host", "it is kept there"},
		{"file " + keptKeyFile, "key of the store", "it is kept there"},
	}},
}

// Nothing that the program prints, writes or sends to a wrong place holds a secret, in any
// spelling. Its memory and the environment that a person started it in are not searched.
func TestNoSecretIsWhereItDoesNotBelong(t *testing.T) {
	t.Parallel()
	for _, walk := range walks {
		t.Run(walk.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			walk.run(w)
			for _, name := range walk.issued {
				if !w.issued[name] {
					t.Errorf("no %s was issued, so none could be found", name)
				}
			}
			w.keepFiles()
			w.searchRemnants(walk.shown)
		})
	}
}

// keepFiles keeps the files of the home, which must be closed to other people.
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
}

// keepParts keeps the files of an archive.
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

// searchRemnants reports each secret that is not shown on purpose, and each that should have been
// shown and was not.
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
			w.t.Errorf("%s: the %s, %s:\n%s", r.place, hit.Secret, hit.Form, strings.ToValidUTF8(r.text[max(hit.At-200, 0):min(hit.At+100, len(r.text))], "?"))
		}
	}
	for _, s := range onPurpose {
		if !found[s] {
			w.t.Errorf("the %s is not in %s, though %s", s.secret, s.place, s.why)
		}
	}
}

// osc52 puts something on the clipboard of a terminal.
var osc52 = regexp.MustCompile(`\x1b\]52;[a-z]*;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\)`)

// keepTerminal keeps all that a terminal was sent: as it came, as a person read it, and what went
// to the clipboard.
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

// The secrets that a person has before the program runs. Their characters look different in every
// spelling.
const (
	givenPassword  = `canary pä"ss+/=<&>\%~`
	wrongPassword  = `canary wröng+/=<&>`
	givenClient    = `canary/client+secret=<&>%`
	givenKey       = `canary/reseller+key==`
	givenOtherKey  = `canary/company+key==`
	givenPhrase    = `canary passphräse+/=`
	givenDirectory = `canary/directory+token=<&>`
)

// world is all that a run of the program touches: the embedded service behind TLS, another host,
// and a home. It takes down the secrets that the service issues.
type world struct {
	t                *testing.T
	home             string // holds all that the program may write
	elsewhere, front *httptest.Server
	env              []string

	faults hostile.Faults // of the service; none at first

	mu       sync.Mutex
	search   testkit.SecretSearcher
	issued   map[string]bool // the names of secrets
	remnants []remnant
}

// remnant is something that a run left behind.
type remnant struct{ place, text string }

func newWorld(t *testing.T) *world {
	w := &world{t: t, home: t.TempDir(), issued: map[string]bool{}}
	for name, value := range map[string]string{
		"password": givenPassword, "wrong password": wrongPassword, "client secret": givenClient, "reseller key": givenKey,
		"company key": givenOtherKey, "passphrase": givenPhrase, "Active Directory token": givenDirectory, "key of the vault": "AGE-SECRET-KEY",
	} {
		w.search.Add(name, value)
	}
	service, err := embedded.Start(t.Context(), embedded.Options{Shared: &shared, Secrets: embedded.Secrets{
		Password: givenPassword, ClientSecret: givenClient, ResellerKey: givenKey, CompanyKey: givenOtherKey,
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = service.Close() })
	w.front = w.overTLS(w.faults.Wrap(w.inFrontOf(service)))
	w.elsewhere = w.overTLS(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got, _ := httputil.DumpRequest(r, true)
		w.keep("the request to another host", string(got))
	}))
	for _, dir := range []string{"work", "tmp"} {
		if err := os.Mkdir(filepath.Join(w.home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
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

// issues finds the secrets in the answers of the demo (interface sections 2.1 and 2.4).
var issues = regexp.MustCompile(`"(access_token|refresh_token|id_token|UserDomainToken|ConfirmKey)":"([^"]+)"`)

// inFrontOf passes requests on to the service.
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
		return err
	}
	return proxy
}

func (w *world) take(name, secret string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.search.Add(name, secret)
	w.issued[name] = true
}

// keep keeps what a run has left behind at a place, for the search in the end.
func (w *world) keep(place, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remnants = append(w.remnants, remnant{place, text})
}

// write writes a file of the home and returns its path.
func (w *world) write(name string, content []byte) string {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// variables switch on everything that could make the program or its libraries print something.
func (w *world) variables(service *embedded.Server) []string {
	var env []string
	for _, v := range service.Env() {
		env = append(env, v.Name+"="+strings.ReplaceAll(v.Value, service.URL(), w.front.URL))
	}
	for _, name := range []string{"CONFIG_HOME", "STATE_HOME", "CACHE_HOME", "DATA_HOME", "RUNTIME_DIR"} {
		env = append(env, "XDG_"+name+"="+filepath.Join(w.home, strings.ToLower(name)))
	}
	roots := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.front.Certificate().Raw})
	return append(env,
		"HOME="+w.home, "TMPDIR="+w.home+"/tmp", "PATH=/usr/bin:/bin", "TERM=xterm-256color",
		"SSL_CERT_FILE="+w.write("roots.pem", roots), "SSLKEYLOGFILE="+w.home+"/tls-keys", "GODEBUG=http2debug=2", "GOTRACEBACK=all",
		"GATEHOUSE_STORE=file", "GATEHOUSE_STORE_PASSPHRASE="+givenPhrase, "GATEHOUSE_AD_TOKEN="+givenDirectory,
		"GATEHOUSE_LOG_FILE="+w.home+"/log",
		"GATEHOUSE_PASSWORD="+givenPassword, // no variable of the program: it must not read it
	)
}

// command is the program in the home. Further variables override those of the world.
func (w *world) command(further []string, args ...string) *exec.Cmd {
	command := exec.CommandContext(w.t.Context(), binary, args...)
	command.Env, command.Dir = slices.Concat(w.env, further), filepath.Join(w.home, "work")
	return command
}

// goWrong makes the service answer badly at an endpoint, or at all if that is empty; nil ends it.
func (w *world) goWrong(fault hostile.Fault, at hostile.Endpoint) {
	if fault == nil {
		w.faults.Set()
		return
	}
	w.faults.Set(hostile.Rule{Endpoint: at, Fault: fault})
}

// requireWrong wants an answer to have gone wrong since goWrong.
func (w *world) requireWrong() {
	w.t.Helper()
	if w.faults.Met() == 0 {
		w.t.Error("no answer went wrong")
	}
}
