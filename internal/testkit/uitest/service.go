package uitest

import (
	"io"
	"log"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/demo"
	"gatehouse/internal/hostile"
)

// Service is the embedded service on a network of its own, where it is noon.
type Service = hostile.World

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
	return hostile.Start(t, demo.Options{Now: func() time.Time { return Noon }})
}
