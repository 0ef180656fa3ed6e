//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	embedded "gatehouse/internal/demo"
)

// counted is the demo, which counts how often each address is looked up.
type counted struct {
	env []string

	mu    sync.Mutex
	asked map[string]int
	all   int
	at    int    // calls when when so many look-ups have been asked for
	when  func() // nil: nothing
}

func newCounted(t testing.TB) *counted {
	c := &counted{asked: map[string]int{}}
	server, err := embedded.Start(t.Context(), embedded.Options{Shared: &shared, Wrap: func(service http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if email := r.URL.Query().Get("useremail"); email != "" && strings.HasSuffix(r.URL.Path, "/getuserdomain.aspx") {
				c.count(email)
			}
			service.ServeHTTP(w, r)
		})
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	home := t.TempDir()
	c.env = []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "TMPDIR=" + home, "GATEHOUSE_STORE=memory"}
	for _, variable := range server.Env() {
		c.env = append(c.env, variable.Name+"="+variable.Value)
	}
	return c
}

func (c *counted) count(email string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[email]++
	c.all++
	if c.all == c.at && c.when != nil {
		go c.when()
	}
}

// listFile is a list of so many addresses, which the demo does not know but for one.
func listFile(t testing.TB, n int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("ada@harbor.example\n")
	for i := range n - 1 {
		fmt.Fprintf(&text, "person%d@harbor.example\n", i)
	}
	path := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A batch that is killed at any moment and begun again asks about no address more than
// once more, and loses none.
func TestABatchThatIsKilledLosesNothing(t *testing.T) {
	t.Parallel()
	const rounds, addresses, jobs = 2, 400, 8
	for round := range rounds {
		seed := rand.Uint64()
		t.Logf("round %d: seed %d", round, seed)
		random := rand.New(rand.NewPCG(seed, 0))
		command := []string{"lookup", "check"}[round%2]
		c, list := newCounted(t), listFile(t, addresses)
		journal := filepath.Join(t.TempDir(), "journal.ndjson")
		args := []string{command, "--from", list, "--resume", journal, "--rate", "0", "--jobs", fmt.Sprint(jobs), "-q", "-o"}

		var acknowledged bytes.Buffer
		killed := exec.Command(binary, append(args, "ndjson")...)
		killed.Env, killed.Stdout = c.env, &acknowledged
		delay := time.Duration(random.IntN(3000)) * time.Microsecond
		c.mu.Lock() // no request is counted before there is a process to kill
		c.at = 1 + random.IntN(addresses)
		c.when = func() {
			<-time.After(delay)
			_ = killed.Process.Kill()
		}
		err := killed.Start()
		c.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		_ = killed.Wait() // it may just have ended
		kept, err := os.ReadFile(journal)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(acknowledged.String()) {
			if strings.HasSuffix(line, "\n") && !bytes.Contains(kept, []byte(line)) {
				t.Errorf("round %d: printed, and not in the journal: %s", round, line)
			}
		}

		again := gatehouse(t, c.env, "", append(args, "json")...)
		var results []struct{ Email string }
		if err := json.Unmarshal([]byte(again.stdout), &results); err != nil || again.code != 1 {
			t.Fatalf("round %d: %v, exit code %d: %s", round, err, again.code, again.stderr)
		}
		given, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, one := range results {
			got += one.Email + "\n"
		}
		if got != string(given) {
			t.Errorf("round %d: the results are not those of the list: %d of %d", round, len(results), addresses)
		}
		twice := 0
		c.mu.Lock()
		for email, n := range c.asked {
			if n > 2 {
				t.Errorf("round %d: %s was asked about %d times", round, email, n)
			}
			if n > 1 {
				twice++
			}
		}
		if twice > jobs+1 || // those in flight, and one whose answer was about to be written
			len(c.asked) != addresses {
			t.Errorf("round %d: %d addresses were asked about, %d of them twice", round, len(c.asked), twice)
		}
		c.mu.Unlock()
	}
}
