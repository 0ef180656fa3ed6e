package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
)

// TestEveryFaultInAList looks up a list of addresses, whatever the service does wrong, and
// then those again that failed. Nothing is lost, and nothing that is written has a secret.
func TestEveryFaultInAList(t *testing.T) {
	turn := 0
	for _, c := range hostile.Cases() {
		if c.On != nil && !slices.Contains(c.On, hostile.Lookup) {
			continue
		}
		if turn++; !testkit.Long() && turn%5 != 0 {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			hostile.Run(t, func(t *testing.T, w *hostile.World) { lookUpListAgainst(t, w, c) })
		})
	}
}

func lookUpListAgainst(t *testing.T, w *hostile.World, c hostile.Case) {
	d := hostileDesk(t, w)
	emails := []string{"ada@harbor.example", "kit@harbor.example", "olaf@harbor.example"}
	list, journal := filepath.Join(t.TempDir(), "list.txt"), filepath.Join(t.TempDir(), "journal.ndjson")
	if err := os.WriteFile(list, []byte(strings.Join(emails, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(more ...string) outcome {
		began := time.Now()
		got := d.run(append([]string{"lookup", "--from", list, "--resume", journal, "--rate", "0", "-o", "json"}, more...)...)
		kept, err := os.ReadFile(journal)
		if err != nil {
			t.Fatalf("%v: %+v", err, got)
		}
		if found := w.Leaked(got.stdout + got.stderr + string(kept)); found != "" {
			t.Errorf("the secret %q is shown or kept", found)
		}
		if found := hostile.GoWords(got.stderr + string(kept)); found != "" {
			t.Errorf("there is the word %q of a programmer: %+v\n%s", found, got, kept)
		}
		// A list waits for as long as the service asks it to.
		asksToWait := strings.HasPrefix(c.Name, "429 for an hour") || strings.HasPrefix(c.Name, "429 until")
		if took := time.Since(began); took > 5*time.Minute && !asksToWait {
			t.Errorf("it took %v", took)
		}
		return got
	}

	w.Faults.Set(hostile.Rule{Endpoint: hostile.Lookup, Fault: c.Fault, Times: c.Times})
	works := c.Want(hostile.Lookup).Ending == hostile.Works
	if got := run(); (got.code == exitDone) != works {
		t.Errorf("exit code %d: %+v", got.code, got)
	}
	w.Faults.Set()
	got := run("--retry-failed")
	var found []struct{ Email, PrimaryDomain string }
	text := strings.ReplaceAll(got.stdout, "primary_domain", "PrimaryDomain")
	if err := json.Unmarshal([]byte(text), &found); err != nil || got.code != exitDone {
		t.Fatalf("%v: %+v", err, got)
	}
	if want := "[{ada@harbor.example harbor.example} {kit@harbor.example shoal.example} {olaf@harbor.example harbor.example}]"; fmt.Sprint(found) != want {
		t.Errorf("%v is found, want %s", found, want)
	}
}
