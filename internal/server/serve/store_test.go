package serve

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/testkit/postgres"
)

func TestMain(m *testing.M) { os.Exit(postgres.Run(m)) }

func TestAnAdministratorLeavesNoConnectionToTheDatabase(t *testing.T) {
	url := postgres.Database(t)
	before := runtime.NumGoroutine()
	var said strings.Builder
	p := &Program{Stderr: &said, Now: time.Now}
	if err := p.administer(t.Context(), &serveFlags{sessions: url, forget: forgetAll}); err != nil {
		t.Fatal(err)
	}
	if want := "Deleted 0 sessions."; !strings.Contains(said.String(), want) {
		t.Errorf("it says %s", &said)
	}
	requireGoroutines(t, before)
}

// A database comes back after a failover; a directory does not.
func TestADatabaseThatIsAwayIsWaitedForAndADirectoryIsNot(t *testing.T) {
	_, authorized := visitorKey(t)
	for name, tt := range map[string]struct {
		sessions string
		want     time.Duration
	}{
		"a database":  {postgres.Database(t), 8 * time.Second},
		"a directory": {t.TempDir(), 0},
	} {
		shared, _ := optionsFor(t, "--demo", "--authorized-keys", authorized,
			"--sessions", tt.sessions, "--session-key", sessionKey(t))
		if shared.Vaults.Patience != tt.want {
			t.Errorf("%s: a visitor waits for %v, want %v", name, shared.Vaults.Patience, tt.want)
		}
	}
}
