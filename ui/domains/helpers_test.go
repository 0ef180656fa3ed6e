package domains

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// gateways are those of the domains, over HTTP: what a domain answers is the handler
// at the path of its name.
type gateways struct {
	*http.ServeMux
	service *uitest.Service
	url     string
	urls    map[string]string        // of domains that live elsewhere
	takes   map[string]time.Duration // how long answers of domains take, 42 ms the others

	mu    sync.Mutex
	asked []string
	most  int // at the same time
	now   int
}

func newGateways(s *uitest.Service) *gateways {
	g := &gateways{ServeMux: http.NewServeMux(), service: s, urls: map[string]string{}}
	g.url = s.Handle(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", uitest.Noon.UTC().Format(http.TimeFormat))
		g.ServeHTTP(w, r)
	}))
	g.HandleFunc("/", answerShares(1))
	return g
}

func (g *gateways) GatewayURL(domain string) (string, error) {
	if url, ok := g.urls[domain]; ok {
		return url, nil
	}
	return g.url + "/" + domain, nil
}

func (g *gateways) Glance(ctx context.Context, domain string) (*api.Body, time.Duration, error) {
	g.begin(domain)
	defer g.end()
	<-time.After(time.Millisecond) // so that others can begin
	url, _ := g.GatewayURL(domain)
	gateway := &api.Gateway{HTTP: api.NewTransport(api.Options{Dial: g.service.Dial}), BaseURL: url, Once: true, Tokens: testkit.Token("token")}
	body, err := gateway.Shares(ctx, "ada@harbor.example")
	return body, cmp.Or(g.takes[domain], 42*time.Millisecond), err
}

func (g *gateways) begin(domain string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, domain)
	g.now++
	g.most = max(g.most, g.now)
}

func (g *gateways) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now--
}

// total is how many glances there were.
func (g *gateways) total() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.asked)
}

// answerShares answers with so many shares.
func answerShares(n int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"Data":[`+strings.TrimSuffix(strings.Repeat(`{"Id":1},`, n), ",")+`]}`)
	}
}

func refuse(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// account is somebody with domains, the primary one first.
func account(domains ...string) session.Status {
	s := session.Status{State: session.Active, SignedInAt: uitest.Noon.Add(-time.Hour)}
	s.Claims.Present = true
	if len(domains) > 0 {
		s.Claims.PrimaryDomain, s.Claims.Domains = domains[0], domains[1:]
	}
	return s
}

// standing is a session that stands still.
type standing session.Status

func (s standing) Status() session.Status { return session.Status(s) }
func (s standing) CanKeep() bool          { return false }

func numbered(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("d%02d.example", i)
	}
	return names
}

// show opens the screen at 100x24.
func show(t *testing.T, g *gateways, status session.Status) (*uitest.Stage, *Model) {
	t.Helper()
	stage := uitest.NewStage(t, 100, 24)
	m := New(stage.Env, Options{Service: g, Session: standing(status)})
	stage.Show(m)
	return stage, m
}

// settled waits for all answers.
func settled(t *testing.T, stage *uitest.Stage, m *Model) {
	t.Helper()
	stage.Settle()
	stage.Until("all answers", func() bool { return !m.asking() })
}
