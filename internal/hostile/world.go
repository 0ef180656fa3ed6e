// Package hostile tests how the program copes with a service that misbehaves.
// It has the service, the cases with what the program must say in each, and the
// checks that every face of the program has to pass.
//
// Its tests run in bubbles of testing/synctest, over a network in memory: thirty
// seconds of silence are over at once, and a goroutine that is left behind fails
// the test.
package hostile

import (
	"context"
	"io"
	"log"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/demo"
	"gatehouse/internal/testkit"
)

// Password is the password of every account. Its URL, JSON and Base64 forms
// differ from it.
const Password = `k4narie "wörd"+/&% `

// World is a service on a network of its own, and what it does wrong.
type World struct {
	*testkit.Network
	// Env are the variables that point the program at the service.
	Env map[string]string
	// Faults are what it does wrong; nothing at first.
	Faults Faults

	t          testing.TB
	mu         sync.Mutex
	search     testkit.SecretSearcher
	unsearched []string // secrets that are not in search yet
}

// Run runs a test in a bubble with a service.
func Run(t *testing.T, test func(t *testing.T, w *World)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(24 * time.Hour) }) // the timers run out that a screen has begun
		w := Start(t, demo.Options{Secrets: demo.Secrets{Password: Password}})
		w.unsearched = []string{Password, w.Env["GATEHOUSE_CLIENT_SECRET"], w.Env["GATEHOUSE_API_KEY"]}
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
	w := &World{Network: testkit.NewNetwork(), Env: map[string]string{"XDG_CONFIG_HOME": t.TempDir()}, t: t}
	o.Listener = w.Listen()
	o.Wrap = func(service http.Handler) http.Handler { return w.recording(w.Faults.Wrap(w.recording(service))) }
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

// Handle adds a host that answers by a handler, and returns its URL.
func (w *World) Handle(handler http.Handler) string {
	listener := w.Listen()
	server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	w.t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String()
}

// Gateway puts a handler in the place of the gateways of all domains; its paths
// begin with the domain.
func (w *World) Gateway(handler http.Handler) {
	w.Env["GATEHOUSE_BASE_URL"] = w.Handle(handler) + "/{domain}"
}

// LookupEnv is one of the variables.
func (w *World) LookupEnv(name string) (string, bool) {
	value, ok := w.Env[name]
	return value, ok
}

// Host is the service's host and port.
func (w *World) Host() string {
	return strings.TrimSuffix(strings.TrimPrefix(w.Env["GATEHOUSE_GLOBAL_URL"], "http://"), "/global")
}

// issued is what a service sends that is secret (interface sections 2.1 and 2.4), also where
// the rest of it never comes.
var issued = regexp.MustCompile(`"(?:access_token|refresh_token|id_token|UserDomainToken|ConfirmKey)":"([^"\s]{10,})`)

// recording takes note of the secrets that a handler sends.
func (w *World) recording(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(recorder{to, w}, r)
	})
}

type recorder struct {
	http.ResponseWriter
	world *World
}

func (r recorder) Write(p []byte) (int, error) {
	if len(p) < maxIssued {
		r.world.mu.Lock()
		for _, secret := range issued.FindAllSubmatch(p, -1) {
			r.world.unsearched = append(r.world.unsearched, string(secret[1]))
		}
		r.world.mu.Unlock()
	}
	return r.ResponseWriter.Write(p)
}

// Unwrap lets a fault take the connection over.
func (r recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// maxIssued is more than an answer with secrets is long; lists are longer.
const maxIssued = 32 << 10

// goWords are the words in which Go, its libraries and the operating system speak
// of errors. They are not for people.
var goWords = regexp.MustCompile(`%!|0x[0-9a-f]{4}|goroutine|panic|runtime error|nil pointer|` +
	`\bEOF\b|i/o timeout|dial tcp|(?:read|write) tcp|connection reset by peer|broken pipe|context (?:canceled|deadline)|` +
	`net/http|http2?: |url\.Error|(?:Get|Post) "|malformed|oauth2|json: |unexpected end|invalid character|cannot unmarshal|` +
	`strconv|gzip: |flate: |x509: |tls: |\*api\.|\*session\.|<nil>|map\[|\bErr[A-Z]`)

// GoWords finds in a text for people what only a programmer understands, "" when
// there is nothing.
func GoWords(text string) string { return goWords.FindString(text) }

// Leaked returns one of the secrets of the test so far that stands in a text, in any
// spelling, "" when none does. It looks again without line breaks and frames, which may
// stand in the middle of one on a screen.
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

// inCells is a text as it is found on a screen: without blanks and frames.
func inCells(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \n│┃║|", r) {
			return -1
		}
		return r
	}, text)
}
