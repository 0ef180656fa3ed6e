package uitest

import (
	"context"
	"io"
	"log"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/demo"
	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
)

// Service is the embedded service on a network of its own, where it is noon.
type Service struct {
	*testkit.Network
	// Env are the variables that point a profile at it.
	Env map[string]string
	// Faults are what it does wrong; nothing at first.
	Faults hostile.Faults

	t testing.TB
}

// Main runs the tests of a package whose screens show local times: those of Greenwich.
// What net/http has to log is not shown, as in the program.
func Main(m *testing.M) {
	time.Local = time.UTC
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// InBubble makes of a test one for [testing.T.Run], see [Run].
func InBubble(test func(t *testing.T, s *Service)) func(*testing.T) {
	return func(t *testing.T) { Run(t, test) }
}

// Run runs a test in a bubble with a service: its clock goes on only while nothing
// else happens. A goroutine that is left behind fails the test.
func Run(t *testing.T, test func(t *testing.T, s *Service)) {
	t.Helper()
	RunAlone(t, func(t *testing.T) { test(t, Start(t)) })
}

// RunAlone is [Run] without a service.
func RunAlone(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { <-time.After(24 * time.Hour) }) // the timers run out that a screen has begun
		test(t)
	})
}

// Start starts a service, in a bubble or in a benchmark.
func Start(t testing.TB) *Service {
	t.Helper()
	s := &Service{Env: map[string]string{"XDG_CONFIG_HOME": t.TempDir()}, t: t, Network: testkit.NewNetwork()}
	server, err := demo.Start(context.Background(), demo.Options{
		Now: func() time.Time { return Noon }, Listener: s.Listen(), Wrap: s.Faults.Wrap,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	for _, e := range server.Env() {
		s.Env[e.Name] = e.Value
	}
	return s
}

// Handle adds a host that answers by a handler, and returns its URL.
func (s *Service) Handle(handler http.Handler) string {
	listener := s.Listen()
	server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	s.t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String()
}

// Gateway puts a handler in the place of the gateways of all domains; its paths
// begin with the domain.
func (s *Service) Gateway(handler http.Handler) {
	s.Env["GATEHOUSE_BASE_URL"] = s.Handle(handler) + "/{domain}"
}

// LookupEnv is one of the variables.
func (s *Service) LookupEnv(name string) (string, bool) {
	value, ok := s.Env[name]
	return value, ok
}
