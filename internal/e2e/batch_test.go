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

// counted is the demo, counting how often each address is looked up.
type counted struct {
	env []string

	mu    sync.Mutex
	asked map[string]int
	all   int
	at    int // calls when after so many look-ups
	when  func()
}

func newCounted(t *testing.T) *counted {
	c := &counted{asked: map[string]int{}}
	server, err := embedded.Start(t.Context(), embedded.Options{Wrap: func(service http.Handler) http.Handler {
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
	c.env = append(home(t), "GATEHOUSE_STORE=memory")
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
	if c.all == c.at {
		go c.when()
	}
}

// A batch that is killed at any moment and begun again loses no address, and asks again only about
// those whose answer it cannot have kept.
func TestABatchThatIsKilledLosesNothing(t *testing.T) {
	t.Parallel()
	const addresses, jobs = 400, 8
	given := "ada@harbor.example\n"
	for i := range addresses - 1 {
		given += fmt.Sprintf("person%d@harbor.example\n", i)
	}
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte(given), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"lookup", "check"} {
		seed := rand.Uint64()
		t.Logf("%s: seed %d", command, seed)
		random := rand.New(rand.NewPCG(seed, 0))
		c := newCounted(t)
		journal := filepath.Join(t.TempDir(), "journal.ndjson")
		args := []string{command, "--from", list, "--resume", journal, "--rate", "0", "--jobs", fmt.Sprint(jobs), "-q", "-o"}

		var acknowledged bytes.Buffer
		killed := exec.Command(binary, append(args, "ndjson")...)
		killed.Env, killed.Stdout = c.env, &acknowledged
		delay := time.Duration(random.IntN(3000)) * time.Microsecond
		c.mu.Lock() // no request counts before there is a process to kill
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
				t.Errorf("%s: printed, and not in the journal: %s", command, line)
			}
		}

		again := gatehouse(t, c.env, "", append(args, "json")...)
		var results []struct{ Email string }
		if err := json.Unmarshal([]byte(again.stdout), &results); err != nil || again.code != 1 {
			t.Fatalf("%s: %v, exit code %d: %s", command, err, again.code, again.stderr)
		}
		got := ""
		for _, one := range results {
			got += one.Email + "\n"
		}
		if got != given {
			t.Errorf("%s: the results are not those of the list: %d of %d", command, len(results), addresses)
		}
		twice := 0
		for email, n := range c.asked {
			if n > 2 {
				t.Errorf("%s: %s was asked about %d times", command, email, n)
			}
			if n > 1 {
				twice++
			}
		}
		if len(c.asked) != addresses || twice > jobs+1 { // in flight, and one that was about to be written
			t.Errorf("%s: %d addresses were asked about, %d of them twice", command, len(c.asked), twice)
		}
	}
}
