package e2e

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// foreignAuthority is an authority that this project did not write, in a process of its own. Its
// access tokens live four seconds, and its refresh tokens rotate.
type foreignAuthority struct {
	url      string // to which /connect/token is added
	password string // of thePerson
	client   string // its id
	secret   string

	serve   func() *exec.Cmd // a new process on the same data
	process *exec.Cmd
	revoke  func() // all refresh tokens
	disable func() // the person's account

	// What it says, in the sentence of the program.
	saysOfPassword, saysOfDisabled, saysOfToken string
	// silentAboutClients is set where a wrong client is refused like a dead token, which it is from
	// then on.
	silentAboutClients bool
}

// start starts the process, and waits until it listens.
func (a *foreignAuthority) start(t testing.TB) {
	t.Helper()
	a.process = a.serve()
	var said bytes.Buffer
	a.process.Stdout, a.process.Stderr = &said, &said
	if err := a.process.Start(); err != nil {
		t.Fatal(err)
	}
	address := strings.Split(strings.TrimPrefix(a.url, "http://"), "/")[0]
	for deadline := time.Now().Add(time.Minute); ; <-time.After(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return
		}
		if time.Now().After(deadline) {
			_ = a.process.Process.Kill()
			_ = a.process.Wait()
			t.Fatalf("%v does not listen: %v\n%s", a.process.Args, err, said.String())
		}
	}
}

func (a *foreignAuthority) stop() {
	_ = a.process.Process.Kill()
	_ = a.process.Wait() // it was killed
}

// must runs a command that has to succeed, and returns its output.
func must(t testing.TB, name string, args ...string) []byte {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, output)
	}
	return output
}

func freePort(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

// debianPython is the Python that Debian's packages are for.
const debianPython = "/usr/bin/python3"

// djangoAuthority is django-oauth-toolkit.
func djangoAuthority(t *testing.T) *foreignAuthority {
	if exec.Command(debianPython, "-c", "import oauth2_provider").Run() != nil {
		t.Skip("django-oauth-toolkit is missing: install python3-django-oauth-toolkit")
	}
	database, port := filepath.Join(t.TempDir(), "django.db"), freePort(t)
	command := func(args ...string) []string {
		return append([]string{"testdata/authorities/toolkit.py", database}, args...)
	}
	must(t, debianPython, command("init")...)
	return &foreignAuthority{
		url: "http://127.0.0.1:" + port, client: "plain", secret: "canary-client", password: "canary-password",
		serve:   func() *exec.Cmd { return exec.Command(debianPython, command("serve", port)...) },
		revoke:  func() { must(t, debianPython, command("revoke")...) },
		disable: func() { must(t, debianPython, command("disable")...) },

		saysOfPassword: "wrong e-mail address or password",
		saysOfDisabled: "wrong e-mail address or password",
		saysOfToken:    "answered 400: invalid_grant",
	}
}

// glewlwydAuthority is glewlwyd with its OpenID Connect plugin.
func glewlwydAuthority(t *testing.T) *foreignAuthority {
	for _, program := range []string{"glewlwyd", "sqlite3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing: install glewlwyd and sqlite3", program)
		}
	}
	dir, port := t.TempDir(), freePort(t)
	configuration := string(readFile(t, "testdata/authorities/glewlwyd.conf"))
	configuration = strings.NewReplacer("DIRECTORY", dir, "PORT", port).Replace(configuration)
	conf, database := filepath.Join(dir, "glewlwyd.conf"), filepath.Join(dir, "glewlwyd.db")
	if err := os.WriteFile(conf, []byte(configuration), 0o600); err != nil {
		t.Fatal(err)
	}
	createTables(t, database)
	a := &foreignAuthority{
		url: "http://127.0.0.1:" + port + "/api", client: "plain", secret: "canary-client", password: "canary-password",
		serve: func() *exec.Cmd { return exec.Command("glewlwyd", "-c", conf) },
		revoke: func() {
			must(t, "sqlite3", "-cmd", ".timeout 5000", database, "UPDATE gpo_refresh_token SET gpor_enabled = 0")
		},

		saysOfPassword: "answered 403 (forbidden)",
		saysOfDisabled: "answered 403 (forbidden)",
		saysOfToken:    "answered 400 (bad request)",

		silentAboutClients: true,
	}
	a.start(t)
	defer a.stop()
	admin := newGlewlwydAdmin(t, a.url)
	admin.fill()
	a.disable = func() { admin.putPerson(http.MethodPut, "/user/"+thePerson+"?source=database", false) }
	return a
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// createTables makes the database that Debian's package brings.
func createTables(t testing.TB, database string) {
	t.Helper()
	packed, err := os.Open("/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz")
	if err != nil {
		t.Skipf("the package has no tables for SQLite: %v", err)
	}
	defer packed.Close()
	statements, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "sqlite3", database)
	command.Stdin = statements
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// glewlwydAdmin is signed in to the administration of glewlwyd.
type glewlwydAdmin struct {
	t      testing.TB
	api    string
	client *http.Client
}

func newGlewlwydAdmin(t testing.TB, api string) *glewlwydAdmin {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	admin := &glewlwydAdmin{t: t, api: api, client: &http.Client{Jar: jar}}
	admin.send(http.MethodPost, "/auth/", map[string]any{"username": "admin", "password": "password"})
	return admin
}

func (a *glewlwydAdmin) send(method, path string, body any) {
	a.t.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		a.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(a.t.Context(), method, a.api+path, bytes.NewReader(encoded))
	if err != nil {
		a.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := a.client.Do(request)
	if err != nil {
		a.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(answer.Body)
		a.t.Fatalf("%s %s: %s\n%s", method, path, answer.Status, said)
	}
}

// fill makes the token endpoint, its scope, a client and the person.
func (a *glewlwydAdmin) fill() {
	a.t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		a.t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		a.t.Fatal(err)
	}
	inPEM := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	a.send(http.MethodPost, "/mod/plugin/", map[string]any{
		"module": "oidc", "name": "connect", "display_name": "connect", "enabled": true,
		"parameters": map[string]any{
			"iss": a.api, "jwt-type": "rsa", "jwt-key-size": "256",
			"key":  inPEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)),
			"cert": inPEM("PUBLIC KEY", public),

			"access-token-duration": 4, "refresh-token-duration": 1209600, "code-duration": 600,
			"refresh-token-rolling": true, "refresh-token-one-use": "always", "subject-type": "pairwise",
			"allow-non-oidc": true, "auth-type-password-enabled": true, "auth-type-refresh-enabled": true,
			"auth-type-code-enabled": true, "auth-type-token-enabled": true, "auth-type-id-token-enabled": true,
			"auth-type-client-enabled": true, "auth-type-none-enabled": false,
		},
	})
	scopes := []string{"openid", "domain_api"}
	a.send(http.MethodPost, "/scope/", map[string]any{"name": scopes[1], "password_required": true, "enabled": true, "scheme": map[string]any{}})
	a.send(http.MethodPost, "/client/?source=database", map[string]any{
		"client_id": "plain", "name": "plain", "confidential": true, "enabled": true, "scope": scopes,
		"password": "canary-client", "client_secret": "canary-client",
		"redirect_uri": []string{a.api}, "authorization_type": []string{"password", "refresh_token"},
		"token_endpoint_auth_method": []string{"client_secret_basic", "client_secret_post"},
	})
	a.putPerson(http.MethodPost, "/user/?source=database", true)
}

// putPerson makes or changes the person's account.
func (a *glewlwydAdmin) putPerson(method, path string, enabled bool) {
	a.t.Helper()
	a.send(method, path, map[string]any{
		"username": thePerson, "password": "canary-password", "enabled": enabled, "scope": []string{"openid", "domain_api"},
	})
}

// foreignAuthorities are those that a test can start.
var foreignAuthorities = map[string]func(t *testing.T) *foreignAuthority{
	"django-oauth-toolkit": djangoAuthority,
	"glewlwyd":             glewlwydAuthority,
}

// eachForeignAuthority runs a test with each of them.
func eachForeignAuthority(t *testing.T, test func(t *testing.T, a *foreignAuthority)) {
	for name, makeAuthority := range foreignAuthorities {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := makeAuthority(t)
			a.start(t)
			t.Cleanup(a.stop)
			test(t, a)
		})
	}
}

// env is the environment of somebody who signs in there, through a front.
func (a *foreignAuthority) env(t testing.TB, front string, more ...string) []string {
	return append(append(home(t),
		"GATEHOUSE_AUTH_URL="+front, "GATEHOUSE_BASE_URL="+front, "GATEHOUSE_GLOBAL_URL="+front,
		"GATEHOUSE_CLIENT_ID="+a.client, "GATEHOUSE_CLIENT_SECRET="+a.secret, "GATEHOUSE_SCOPE=openid domain_api",
	), more...)
}
