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

// Service is the embedded service on a network of its own.
type Service = hostile.World

// Main runs the tests of a package, with UTC as the local time that screens show, and without the
// log of net/http, as in the program. It is for TestMain, and does not return.
func Main(m *testing.M) {
	time.Local = time.UTC
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// InBubble makes a function for [testing.T.Run] of a test, see [Run].
func InBubble(test func(t *testing.T, s *Service)) func(*testing.T) {
	return func(t *testing.T) { Run(t, test) }
}

// Run runs a test in a bubble of testing/synctest with a service. The clock of the bubble goes on
// only while nothing else happens. A goroutine that is left behind fails the test.
func Run(t *testing.T, test func(t *testing.T, s *Service)) {
	t.Helper()
	RunAlone(t, func(t *testing.T) { test(t, Start(t)) })
}

// maxTimer is more than any timer that a screen has started.
const maxTimer = 24 * time.Hour

// RunAlone is [Run] without a service. At the end of the test all timers run out.
func RunAlone(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { <-time.After(maxTimer) })
		test(t)
	})
}

// Start starts a service where it is noon, in a bubble or in a benchmark.
func Start(t testing.TB) *Service {
	t.Helper()
	return hostile.Start(t, demo.Options{Now: func() time.Time { return Noon }})
}
