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
	Faults Faults

	server *demo.Server
	mu     sync.Mutex
	search testkit.SecretSearcher
}

// Run runs a test in a bubble with a service that does nothing wrong yet.
func Run(t *testing.T, test func(t *testing.T, w *World)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &World{Network: testkit.NewNetwork()}
		var err error
		w.server, err = demo.Start(context.Background(), demo.Options{
			Now: time.Now, Listener: w.Listen(), Secrets: demo.Secrets{Password: Password},
			Wrap: func(service http.Handler) http.Handler { return w.recording(w.Faults.Wrap(w.recording(service))) },
		})
		if err != nil {
			t.Fatal(err)
		}
		w.addSecret(Password)
		for _, e := range w.server.Env() {
			if e.Name == "GATEHOUSE_CLIENT_SECRET" || e.Name == "GATEHOUSE_API_KEY" {
				w.addSecret(e.Value)
			}
		}
		t.Cleanup(func() {
			if err := w.server.Close(); err != nil {
				t.Error(err)
			}
			if called := w.Strangers(); len(called) > 0 {
				t.Errorf("other hosts were called: %v", called)
			}
			Pass(24 * time.Hour) // the timers run out that a screen has begun
		})
		test(t, w)
	})
}

// Pass lets time go by, in no time.
func Pass(d time.Duration) { <-time.After(d) }

// Variables point the program at the service.
func (w *World) Variables() map[string]string {
	v := map[string]string{}
	for _, e := range w.server.Env() {
		v[e.Name] = e.Value
	}
	return v
}

// Host is the service's host and port.
func (w *World) Host() string { return strings.TrimPrefix(w.server.URL(), "http://") }

// issued is what a service sends that is secret (interface sections 2.1 and 2.4), also where
// the rest of it never comes.
var issued = regexp.MustCompile(`"(?:access_token|refresh_token|id_token|UserDomainToken|ConfirmKey)":"([^"\s]{10,})`)

// addSecret adds a secret as it is, and as it stands in the cells of a screen.
func (w *World) addSecret(secret string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.search.Add(secret, secret)
	w.search.Add(secret, inCells(secret))
}

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
		for _, found := range issued.FindAllSubmatch(p, -1) {
			r.world.addSecret(string(found[1]))
		}
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
