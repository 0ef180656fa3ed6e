package session

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// world is a service with a clock of its own: a token endpoint at which a part
// of the renewals fails, and a gateway that wants a good access token.
type world struct {
	*httptest.Server

	mu       sync.Mutex
	at       time.Time
	random   *rand.Rand
	trouble  map[string]int // how often each kind came; nil: there is none
	sayLife  bool           // answers have expires_in
	signedIn time.Time
	issued   int
	refresh  string               // the one that is good
	ends     map[string]time.Time // of each access token

	passwords, renewals, refused, again int // grants asked for, given, given no more, and with a spent token
}

const (
	tokenLife = 24 * time.Hour
	month     = 30 * 24 * time.Hour
)

// The kinds of trouble that pass, and what of the token requests meets each.
var (
	onTheWay  = []string{"connection refused", "timeout"}
	atTheDoor = []string{"503", "429", "a page"}
)

const troubleRate = 0.05

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{at: start, random: rand.New(rand.NewPCG(seed, 1)), sayLife: seed%2 == 0, ends: map[string]time.Time{}}
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	return w
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = w.at.Add(d)
}

// meets draws one of some kinds of trouble; "" is none.
func (w *world) meets(kinds []string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.trouble == nil {
		return ""
	}
	draw := w.random.Float64()
	for i, kind := range kinds {
		if draw < troubleRate*float64(i+1) {
			w.trouble[kind]++
			return kind
		}
	}
	return ""
}

// RoundTrip is the way to the service.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/token") {
		switch w.meets(onTheWay) {
		case "connection refused":
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		case "timeout":
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.ErrDeadlineExceeded}
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (w *world) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	to.Header().Set("Date", w.now().Format(http.TimeFormat))
	if !strings.HasSuffix(r.URL.Path, "/token") {
		w.browse(to, r)
		return
	}
	switch w.meets(atTheDoor) {
	case "503":
		to.WriteHeader(http.StatusServiceUnavailable)
	case "429":
		to.Header().Set("Retry-After", "45")
		to.WriteHeader(http.StatusTooManyRequests)
	case "a page":
		_, _ = io.WriteString(to, "<html>log in to the café</html>")
	default:
		w.grant(to, r)
	}
}

func (w *world) browse(to http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !w.at.Before(w.ends[token]) {
		to.WriteHeader(http.StatusUnauthorized)
	}
}

func (w *world) grant(to http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = r.ParseForm()
	switch refresh := r.Form.Get("refresh_token"); {
	case r.Form.Get("grant_type") == "password":
		w.passwords++
		w.signedIn = w.at
	case refresh != w.refresh:
		w.again++
		refuseGrant(to, r)
		return
	case w.at.Sub(w.signedIn) >= month:
		w.refused++
		refuseGrant(to, r)
		return
	default:
		w.renewals++
	}
	w.issued++
	w.refresh = fmt.Sprintf("refresh-%d", w.issued)
	access := makeJWT(fmt.Sprintf(`{"sub":%q,"jti":%d,"exp":%d}`, user, w.issued, w.at.Add(tokenLife).Unix()))
	w.ends[access] = w.at.Add(tokenLife)
	answer := map[string]any{"access_token": access, "token_type": "Bearer", "refresh_token": w.refresh}
	if w.sayLife {
		answer["expires_in"] = int(tokenLife / time.Second)
	}
	to.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(to).Encode(answer)
}
