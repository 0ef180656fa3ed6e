package session

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/config"
	"gatehouse/internal/text/secret"
)

const (
	user       = "ann@harbor.example"
	password   = "canary-password"
	passphrase = "canary-passphrase"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// clock stands still until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: start} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// grantRequest is what a token request asked for.
type grantRequest struct{ Grant, Username, Password, Refresh string }

// authority is a token endpoint with one user. Its refresh tokens rotate, and a
// spent one is refused.
type authority struct {
	*httptest.Server

	mu       sync.Mutex
	requests []grantRequest
	script   []http.HandlerFunc // answers to the next requests, before its own
	issued   int
	refresh  string // the one that is good
	reused   int    // how often another one came
	claims   map[string]any

	ExpiresIn any  // as in the answer; nil: not said
	NoRefresh bool // as if offline_access had not been asked for
}

func newAuthority(t *testing.T) *authority {
	a := &authority{
		ExpiresIn: 86400,
		claims:    map[string]any{"sub": user, "primary_domain": "harbor.example", "domains": []string{"quay.example"}},
	}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *authority) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	request := grantRequest{r.Form.Get("grant_type"), r.Form.Get("username"), r.Form.Get("password"), r.Form.Get("refresh_token")}
	a.mu.Lock()
	a.requests = append(a.requests, request)
	var scripted http.HandlerFunc
	if len(a.script) > 0 {
		scripted, a.script = a.script[0], a.script[1:]
	}
	a.mu.Unlock()
	if scripted != nil {
		scripted(w, r)
		return
	}
	a.answer(w, request)
}

// answer does what the service does.
func (a *authority) answer(w http.ResponseWriter, request grantRequest) {
	a.mu.Lock()
	defer a.mu.Unlock()
	good := request.Grant == "password" && request.Username == user && request.Password == password
	if request.Grant == "refresh_token" {
		good = request.Refresh == a.refresh
		if !good {
			a.reused++
		}
	}
	if !good {
		refuseGrant(w, nil)
		return
	}
	a.issued++
	fields := map[string]any{"access_token": a.accessToken(a.issued), "token_type": "Bearer"}
	if a.ExpiresIn != nil {
		fields["expires_in"] = a.ExpiresIn
	}
	if !a.NoRefresh {
		a.refresh = fmt.Sprintf("canary-refresh-%d", a.issued)
		fields["refresh_token"] = a.refresh
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(fields)
}

// accessToken is the n-th one that is issued.
func (a *authority) accessToken(n int) string {
	claims := map[string]any{"jti": n}
	for name, value := range a.claims {
		claims[name] = value
	}
	payload, _ := json.Marshal(claims)
	return makeJWT(string(payload))
}

func makeJWT(payload string) string {
	segment := base64.RawURLEncoding.EncodeToString
	return segment([]byte(`{"alg":"none"}`)) + "." + segment([]byte(payload)) + "." + segment([]byte("canary-signature"))
}

// Next scripts the answers to the next requests.
func (a *authority) Next(answers ...http.HandlerFunc) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.script = append(a.script, answers...)
}

// NextAfter does something before it answers the next request.
func (a *authority) NextAfter(do func()) {
	a.Next(func(w http.ResponseWriter, r *http.Request) {
		do()
		a.answer(w, grantRequest{Grant: r.Form.Get("grant_type"), Refresh: r.Form.Get("refresh_token")})
	})
}

// Revoke makes the good refresh token a bad one.
func (a *authority) Revoke() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refresh = "canary-revoked"
}

// Requests lists the grants asked for so far.
func (a *authority) Requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	grants := make([]string, len(a.requests))
	for i, r := range a.requests {
		grants[i] = r.Grant
	}
	return grants
}

func (a *authority) refreshes() int {
	return strings.Count(strings.Join(a.Requests(), " "), "refresh_token")
}

// Issued is how many access tokens there are.
func (a *authority) Issued() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.issued
}

func (a *authority) Reused() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.reused
}

func refuseGrant(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write([]byte(`{"error":"invalid_grant","error_description":"invalid_username_or_password"}`))
}

// drop closes the connection without an answer.
func drop(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func (a *authority) profile() *config.Profile {
	return &config.Profile{
		Name:         "main",
		Authority:    config.AuthorityMain,
		AuthURL:      a.URL,
		BaseURL:      a.URL,
		ClientID:     "client",
		ClientAuth:   config.ClientAuthBasic,
		ClientSecret: secret.New("canary-client-secret"),
		Scope:        "openid offline_access",
		Store:        StoreMemory,
	}
}

// newSession is a session at the authority, as a process of its own has it.
func newSession(a *authority, v Vault, c *clock) *Session {
	return NewService(ServiceOptions{Profile: a.profile(), Base: http.DefaultTransport, Vault: v, Now: c.Now, After: afterNoPause}).Session
}

// afterNoPause is [time.After], but what is tried again after a short pause is so at once.
func afterNoPause(d time.Duration) <-chan time.Time {
	if d == savePause || d == refusalPause {
		d = 0
	}
	return time.After(d)
}

var credentials = SignIn{Username: user, Password: secret.New(password)}

func signIn(t *testing.T, s *Session) {
	t.Helper()
	if err := s.SignIn(t.Context(), credentials); err != nil {
		t.Fatalf("sign in: %v", err)
	}
}

// signedIn is a session with a vault that has just been signed in.
func signedIn(t *testing.T, v Vault) (*authority, *clock, *Session) {
	t.Helper()
	a, c := newAuthority(t), newClock()
	s := newSession(a, v, c)
	signIn(t, s)
	return a, c, s
}

// expired is a session whose token has expired since it was signed in.
func expired(t *testing.T, v Vault) (*authority, *clock, *Session) {
	t.Helper()
	a, c, s := signedIn(t, v)
	c.Advance(25 * time.Hour)
	return a, c, s
}

// wantToken asks for a token and compares it with the n-th one issued.
func wantToken(t *testing.T, s *Session, a *authority, n int) {
	t.Helper()
	token, err := s.Token(t.Context())
	if err != nil {
		t.Fatalf("Token() failed: %v", err)
	}
	if token.Reveal() != a.accessToken(n) {
		t.Fatalf("Token() gave another token than number %d; %d are issued", n, a.issued)
	}
}

func wantState(t *testing.T, s *Session, want State) {
	t.Helper()
	if got := s.Status(); got.State != want {
		t.Fatalf("the session is %v (%v), want %v", got.State, got.Reason, want)
	}
}

// manyDomains are the names of as many domains, for a long token.
func manyDomains(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("a-domain-with-a-rather-long-name-%d.example", i)
	}
	return names
}

// vaultPath is a place for a vault file in a directory that is not made yet.
func vaultPath(t *testing.T) string {
	return filepath.Join(t.TempDir(), "state", "gatehouse", "main.age")
}

// quickFileVault is a file vault whose passphrase is cheap to try.
func quickFileVault(path string, passphrase Passphrase) Vault {
	return newFileVault("file", path, &passphraseSealer{ask: passphrase, work: 5})
}

func knownPassphrase(context.Context) (secret.Text, error) { return secret.New(passphrase), nil }

var sameSecret = cmp.Comparer(func(a, b secret.Text) bool { return a == b })

// fastVault is a file vault whose key costs nothing.
func fastVault(t *testing.T, path string) *fileVault {
	t.Helper()
	return sealedVault(path, newFakeKeyring())
}

// fastVaultOf is a second vault on the file and the key of another one.
func fastVaultOf(v *fileVault) *fileVault { return newFileVault(v.kind, v.path, v.sealer) }

// sealedVault is the vault of a keyring, as fast as a file can be.
func sealedVault(path string, ring Keyring) *fileVault {
	return newFileVault("keyring", path, systemKeeper.newSealer("main", ring, nil))
}

// hookedVault is a vault with something before its calls, which may make them fail: "load", "put",
// "begin", "commit", "try" and "delete".
type hookedVault struct {
	Vault
	mu    sync.Mutex
	hooks map[string]func() error
}

// saving are the calls that save a record.
var saving = []string{"put", "begin", "commit"}

// errLie makes a call of a hookedVault succeed that does nothing.
var errLie = errors.New("done")

func hooked(v Vault) *hookedVault { return &hookedVault{Vault: v, hooks: map[string]func() error{}} }

// hookedDisk is a vault in memory that counts as saving.
func hookedDisk() *hookedVault { return hooked(diskVault{NewMemoryVault()}) }

// fail makes calls fail, or no longer if err is nil.
func (v *hookedVault) fail(err error, calls ...string) {
	v.on(func() error { return err }, calls...)
}

func (v *hookedVault) on(do func() error, calls ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, call := range calls {
		v.hooks[call] = do
	}
}

// before calls the hook of a call, and the call itself unless that fails.
func (v *hookedVault) before(call string, do func() error) error {
	v.mu.Lock()
	hook := v.hooks[call]
	v.mu.Unlock()
	if hook != nil {
		if err := hook(); err != nil && !errors.Is(err, errLie) {
			return err
		} else if err != nil {
			return nil
		}
	}
	return do()
}

func (v *hookedVault) Load(ctx context.Context) (r *Record, err error) {
	err = v.before("load", func() error { r, err = v.Vault.Load(ctx); return err })
	return r, err
}

func (v *hookedVault) Put(ctx context.Context, r *Record, over uint64, keep bool) error {
	return v.before("put", func() error { return v.Vault.Put(ctx, r, over, keep) })
}

func (v *hookedVault) Begin(ctx context.Context, r *Record) (lease Lease, err error) {
	err = v.before("begin", func() error { lease, err = v.Vault.Begin(ctx, r); return err })
	return &hookedRenewal{lease, v}, err
}

func (v *hookedVault) Try(ctx context.Context, keep bool) error {
	return v.before("try", func() error { return v.Vault.Try(ctx, keep) })
}

func (v *hookedVault) Delete(ctx context.Context) error {
	return v.before("delete", func() error { return v.Vault.Delete(ctx) })
}

type hookedRenewal struct {
	Lease
	vault *hookedVault
}

func (h *hookedRenewal) Commit(ctx context.Context, next *Record) error {
	return h.vault.before("commit", func() error { return h.Lease.Commit(ctx, next) })
}

// diskVault hides that a memory vault is one, so that it counts as saving.
type diskVault struct{ Vault }

func (diskVault) Kind() string { return StoreFile }

// events collects what a session tells.
type events struct {
	mu    sync.Mutex
	kinds []EventKind
}

func listen(s *Session) *events {
	e := &events{}
	s.Subscribe(func(event Event) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.kinds = append(e.kinds, event.Kind)
	})
	return e
}

func (e *events) all() []EventKind {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]EventKind(nil), e.kinds...)
}

// put saves a record as somebody does who has just read the vault.
func put(ctx context.Context, v Vault, r *Record) error {
	var over uint64
	if stored, err := v.Load(ctx); err == nil {
		over = stored.Generation
	}
	return v.Put(ctx, r, over, true)
}

// save saves a record in a vault that is empty, or cannot be read.
func save(t *testing.T, v Vault) {
	t.Helper()
	if err := v.Put(t.Context(), fullRecord(), 0, true); err != nil {
		t.Fatal(err)
	}
}

func restore(t *testing.T, s *Session) {
	t.Helper()
	if err := s.Restore(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func wantRefreshes(t *testing.T, a *authority, want int) {
	t.Helper()
	if got := a.refreshes(); got != want {
		t.Errorf("%d renewals were asked for, want %d", got, want)
	}
}

func wantSaved(t *testing.T, v Vault, refresh string) {
	t.Helper()
	if r, err := v.Load(t.Context()); err != nil || r.Refresh.Reveal() != refresh {
		t.Errorf("the vault holds %+v, %v, want %s", r, err, refresh)
	}
}
