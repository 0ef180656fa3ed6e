//go:build linux

package e2e

import (
	"bytes"
	"context"
	"flag"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	embedded "gatehouse/internal/demo"
)

var (
	soakFor   = flag.Duration("soak", 12*time.Second, "how long processes share a vault in trouble")
	soakKinds = flag.String("soak-kinds", "", "the kinds of trouble, such as killed,stopped; empty: all that there can be")
	soakSeed  = flag.Uint64("soak-seed", uint64(time.Now().UnixNano()), "of the random moments of the soak")
)

// soakUser has access tokens that live 20 seconds.
const soakUser = "hal@harbor.example"

// soak is one service and the processes of one person, who share a vault in trouble.
type soak struct {
	t       *testing.T
	env     []string
	trouble *trouble

	// inFlight passes a renewal that is held until the channel it sends is closed.
	inFlight chan chan struct{}

	signing sync.Mutex // one process at a time asks for the password

	mu        sync.Mutex
	random    *rand.Rand
	presented map[string]int // refresh tokens, and how often each was sent
	renewals  int
	refused   int // of the renewals
	runs      []soakRun
}

// soakRun is what is known of one process.
type soakRun struct {
	args       []string
	begin, end time.Time
	code       int
	said       string
}

// lossSaid matches the sentences which say that a session was or may be lost. A renewal that could
// not begin because the vault cannot be written loses nothing.
var lossSaid = regexp.MustCompile(`(?m)could not be saved|(^|[^:] )[Cc]ould not write the session file|was still being renewed`)

func TestSoakOfAVaultInTrouble(t *testing.T) {
	t.Parallel()
	t.Logf("for %v with -soak-seed %d", *soakFor, *soakSeed)
	s := newSoak(t)
	s.signIn()
	ctx, cancel := context.WithTimeout(t.Context(), *soakFor)
	defer cancel()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { s.commands(ctx) })
	}
	group.Go(func() { s.windows(ctx) })
	s.trouble.run(ctx, s)
	group.Wait()
	s.judge()
}

func newSoak(t *testing.T) *soak {
	s := &soak{
		t:         t,
		inFlight:  make(chan chan struct{}),
		random:    rand.New(rand.NewPCG(*soakSeed, 0)),
		presented: map[string]int{},
	}
	dir := t.TempDir()
	server, err := embedded.Start(t.Context(), embedded.Options{Wrap: s.watch})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	state := filepath.Join(dir, "state")
	s.trouble = newTrouble(t, filepath.Join(state, "gatehouse"))
	s.env = []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir + "/config", "XDG_STATE_HOME=" + state}
	for name, value := range server.Env() {
		s.env = append(s.env, name+"="+value)
	}
	s.env = append(s.env, "GATEHOUSE_STORE=file", "GATEHOUSE_STORE_PASSPHRASE=a long passphrase")
	return s
}

// chance is true in so many cases of a hundred.
func (s *soak) chance(percent int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.IntN(100) < percent
}

func (s *soak) between(low, high time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return low + time.Duration(s.random.Int64N(int64(high-low)))
}

// pause waits, unless the soak is over.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// watch counts what the service is asked, and lets something happen to the vault while it
// is about to answer a renewal.
func (s *soak) watch(demo http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !bytes.Contains(body, []byte("grant_type=refresh_token")) {
			demo.ServeHTTP(w, r)
			return
		}
		begun := make(chan struct{})
		select {
		case s.inFlight <- begun:
			<-begun
		default:
		}
		answer := httptest.NewRecorder()
		demo.ServeHTTP(answer, r)
		s.mu.Lock()
		s.presented[string(body)]++
		if s.renewals++; answer.Code != http.StatusOK {
			s.refused++
		}
		s.mu.Unlock()
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = answer.Body.WriteTo(w)
	})
}

// commands runs one command after the other.
func (s *soak) commands(ctx context.Context) {
	for ctx.Err() == nil {
		command := []string{"token", "whoami", "domains", "shares"}[int(s.between(0, 4))]
		if s.run("", command).code == 3 {
			s.signIn()
		}
		pause(ctx, s.between(0, time.Second))
	}
}

// windows opens one window of line mode after the other, which renews by itself.
func (s *soak) windows(ctx context.Context) {
	for ctx.Err() == nil {
		in, out := io.Pipe()
		go func() {
			for left := s.between(5*time.Second, time.Minute); left > 0 && ctx.Err() == nil; left -= 3 * time.Second {
				_, _ = io.WriteString(out, "help\n")
				pause(ctx, 3*time.Second)
			}
			_ = out.Close()
		}()
		s.start(in, "--accessible")
		_ = in.Close()
		pause(ctx, s.between(0, 3*time.Second))
	}
}

// signIn signs in again, if nobody else has meanwhile.
func (s *soak) signIn() {
	s.signing.Lock()
	defer s.signing.Unlock()
	for s.run("", "whoami").code == 3 {
		s.run("demo\n", "login", "--email", soakUser, "--password-stdin")
	}
}

func (s *soak) run(stdin string, args ...string) soakRun {
	return s.start(strings.NewReader(stdin), args...)
}

// start runs the program to its end.
func (s *soak) start(stdin io.Reader, args ...string) soakRun {
	var stdout, said bytes.Buffer
	command := exec.Command(binary, args...)
	command.Env, command.Stdin, command.Stdout, command.Stderr = s.env, stdin, &stdout, &said
	if args[0] == "--accessible" {
		command.Stdout = &said
	}
	r := soakRun{args: args, begin: time.Now()}
	if err := command.Start(); err != nil {
		s.t.Errorf("start: %v", err)
		return r
	}
	s.trouble.add(command.Process)
	_ = command.Wait()
	s.trouble.remove(command.Process)
	r.end, r.code, r.said = time.Now(), command.ProcessState.ExitCode(), said.String()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, r)
	return r
}

// judge compares what the service has seen with what the processes have said.
func (s *soak) judge() {
	s.signIn()
	if got := s.run("", "token"); got.code != 0 {
		s.t.Errorf("at the end: exit code %d, %s", got.code, got.said)
	}
	twice := 0
	for _, n := range s.presented {
		if n > 1 {
			twice++
		}
	}
	codes := map[int]int{}
	for _, r := range s.runs {
		codes[r.code]++
		// The room of a new session is not reserved: the person has the password at hand.
		if lossSaid.MatchString(r.said) && !(r.args[0] == "login" && s.trouble.overlaps(r, full)) {
			s.t.Errorf("%v lost a session: %s", r.args, r.said)
		}
		s.judgeCode(r)
	}
	if twice+s.refused > 0 {
		s.t.Errorf("%d refresh tokens were sent twice, and %d refused", twice, s.refused)
	}
	s.t.Logf("%d processes, exit codes %v; troubles: %v", len(s.runs), codes, s.trouble.counts())
	s.t.Logf("the service saw %d refresh tokens presented, %d of them twice, %d refused", s.renewals, twice, s.refused)
}

// judgeCode checks that a process failed for a reason that it gave.
func (s *soak) judgeCode(r soakRun) {
	switch {
	case r.code == 0, r.code == 3, r.code == -1 && s.trouble.overlaps(r, killed):
	case r.code != 1 || r.said == "":
		s.t.Errorf("%v: exit code %d: %s", r.args, r.code, r.said)
	case !s.trouble.overlaps(r):
		s.t.Errorf("%v failed though nothing was wrong with the vault: %s", r.args, r.said)
	}
}
