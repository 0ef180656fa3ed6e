// Package hostile tests what the program does when a service misbehaves. It has the service, the
// cases with what must follow from each, and the checks for all that the program says.
//
// Its tests run in bubbles of testing/synctest, over a network in memory. There thirty seconds of
// silence pass at once, and a goroutine that is left behind fails the test.
package hostile

import (
	"bytes"
	"context"
	"io"
	"log"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/demo"
	"gatehouse/internal/testkit"
)

// Password is the password of all accounts. It is written differently in URLs, in JSON and in HTML.
const Password = `k4narie "wörd"+/&% `

// World is a service on a network of its own, and what it does wrong.
type World struct {
	*testkit.Network
	// Env are the variables that point the program at the service.
	Env map[string]string
	// Faults are what the service does wrong. At first there are none.
	Faults Faults

	t          testing.TB
	mu         sync.Mutex
	search     testkit.SecretSearcher
	unsearched []string // secrets that are not in search yet
}

// maxTimer is more than any timer that a screen has started.
const maxTimer = 24 * time.Hour

// Run runs a test in a bubble with a service. At its end all timers run out. The test fails if
// another host was called.
func Run(t *testing.T, test func(t *testing.T, w *World)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(maxTimer) })
		w := Start(t, demo.Options{Secrets: demo.Secrets{Password: Password}})
		w.unsearched = []string{
			Password,
			w.Env["GATEHOUSE_CLIENT_SECRET"],
			w.Env["GATEHOUSE_API_KEY"],
		}
		t.Cleanup(func() {
			if called := w.Strangers(); len(called) > 0 {
				t.Errorf("other hosts were called: %v", called)
			}
		})
		test(t, w)
	})
}

// Start starts a service, in a bubble or in a benchmark.
func Start(t testing.TB, o demo.Options) *World {
	t.Helper()
	w := &World{
		Network: testkit.NewNetwork(),
		Env:     map[string]string{"XDG_CONFIG_HOME": t.TempDir()},
		t:       t,
	}
	o.Listener = w.Listen()
	o.Wrap = func(service http.Handler) http.Handler {
		return w.recording(w.Faults.Wrap(w.recording(service)))
	}
	server, err := demo.Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	maps.Copy(w.Env, server.Env())
	return w
}

// Handle adds a host that a handler answers for, and returns its URL.
func (w *World) Handle(handler http.Handler) string {
	listener := w.Listen()
	server := &http.Server{
		Handler:           handler,
		ErrorLog:          log.New(io.Discard, "", 0),
		ReadHeaderTimeout: time.Minute,
	}
	go func() { _ = server.Serve(listener) }()
	w.t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String()
}

// Gateway lets a handler answer in place of the gateways of all domains. Its paths begin with the
// domain.
func (w *World) Gateway(handler http.Handler) {
	w.Env["GATEHOUSE_BASE_URL"] = w.Handle(handler) + "/{domain}"
}

// LookupEnv is [os.LookupEnv] for the variables of the world.
func (w *World) LookupEnv(name string) (string, bool) {
	value, ok := w.Env[name]
	return value, ok
}

// Host is the host and port of the service.
func (w *World) Host() string {
	service, err := url.Parse(w.Env["GATEHOUSE_GLOBAL_URL"])
	if err != nil {
		w.t.Fatal(err)
	}
	return service.Host
}

// issuedMembers are the members with the secrets that a service sends (interface sections 2.1 and
// 2.4).
var issuedMembers = []string{
	"access_token", "refresh_token", "id_token", "UserDomainToken", "ConfirmKey",
}

// issued finds these secrets, also those of which only the beginning was sent.
var issued = regexp.MustCompile(
	`"(?:` + strings.Join(issuedMembers, "|") + `)":"([^"\s]{10,})`)

// recording is a handler whose secrets are noted when it sends them.
func (w *World) recording(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(recorder{to, w}, r)
	})
}

// recorder notes the secrets in an answer.
type recorder struct {
	http.ResponseWriter
	world *World
}

// Write implements [http.ResponseWriter].
func (r recorder) Write(p []byte) (int, error) {
	isIn := func(member string) bool { return bytes.Contains(p, []byte(member)) }
	if len(p) < maxIssued && slices.ContainsFunc(issuedMembers, isIn) {
		r.world.mu.Lock()
		for _, secret := range issued.FindAllSubmatch(p, -1) {
			r.world.unsearched = append(r.world.unsearched, string(secret[1]))
		}
		r.world.mu.Unlock()
	}
	return r.ResponseWriter.Write(p)
}

// Unwrap lets a fault take over the connection.
func (r recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// maxIssued is the length up to which a write is searched for secrets, in bytes. Answers with
// secrets are shorter; only lists are longer.
const maxIssued = 32 << 10

// goWords finds words of Go, its libraries and the operating system for errors, which are not for
// people.
var goWords = regexp.MustCompile(
	`%!|0x[0-9a-f]{4}|goroutine|panic|runtime error|nil pointer|` +
		`\bEOF\b|i/o timeout|dial tcp|(?:read|write) tcp|` +
		`connection reset by peer|broken pipe|context (?:canceled|deadline)|` +
		`net/http|http2?: |url\.Error|(?:Get|Post) "|malformed|oauth2|` +
		`json: |unexpected end|invalid character|cannot unmarshal|` +
		`strconv|gzip: |flate: |x509: |tls: |\*api\.|\*session\.|<nil>|map\[|\bErr[A-Z]`)

// GoWords returns a part of a text for people that only a programmer understands; "" if there is
// none.
func GoWords(text string) string { return goWords.FindString(text) }

// Leaked returns a secret of the test that is in a text, in any spelling; "" if there is none. It
// also searches the text without line breaks and borders, which may be in the middle of a secret on
// a screen.
func (w *World) Leaked(text string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, secret := range w.unsearched {
		w.search.Add(secret, secret)
		w.search.Add(secret, inCells(secret))
	}
	w.unsearched = nil
	for _, searched := range []string{text, inCells(text)} {
		if hits := w.search.Find(searched); len(hits) > 0 {
			return hits[0].Secret
		}
	}
	return ""
}

// inCells is a text without the blanks and borders of a screen.
func inCells(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \n│┃║|", r) {
			return -1
		}
		return r
	}, text)
}
