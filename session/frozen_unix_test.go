//go:build unix

package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// frozen is a process that is stopped while it waits for the answer to a renewal.
type frozen struct {
	Authority, Path, Key string
	Within               time.Duration // how long its lease on the token lasts; 0: as usual
}

// briefVault is a vault whose rights to renew last no longer than that.
type briefVault struct {
	Vault
	within time.Duration
}

func (v briefVault) Begin(ctx context.Context, r *Record) (Lease, error) {
	lease, err := v.Vault.Begin(ctx, r)
	return briefRenewal{lease, time.Now().Add(v.within)}, err
}

type briefRenewal struct {
	Lease
	by time.Time
}

func (r briefRenewal) SendBy() time.Time { return r.by }

// runFrozen is the work of such a process, and returns its exit code.
func runFrozen(task string) int {
	var f frozen
	err := json.Unmarshal([]byte(task), &f)
	if err == nil {
		err = f.renew()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// renew renews the session.
func (f frozen) renew() error {
	ring := newFakeKeyring()
	file := sealedVault(f.Path, ring)
	ring.values[keyringService+"/"+file.sealer.(*keeperSealer).account] = f.Key
	var v Vault = file
	if f.Within > 0 {
		v = briefVault{file, f.Within}
	}
	now := newClock()
	a := &authority{Server: &httptest.Server{URL: f.Authority}}
	s := NewService(ServiceOptions{Profile: a.profile(), Vault: v, Now: now.Now}).Session
	if err := s.Restore(context.Background()); err != nil {
		return err
	}
	now.Advance(25 * time.Hour)
	_, err := s.Token(context.Background())
	return err
}

// freeze stops a process, and waits until it is stopped.
func freeze(process *os.Process) error {
	if err := process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	var status syscall.WaitStatus
	_, err := syscall.Wait4(process.Pid, &status, syscall.WUNTRACED, nil)
	if err == nil && !status.Stopped() {
		err = fmt.Errorf("it ended: %v", status)
	}
	return err
}

// freezing is when and for how long a process is stopped.
type freezing struct {
	name   string
	within time.Duration // see [frozen]
	pause  time.Duration
	// cut is how many bytes of the answer arrive before it is stopped; the rest does meanwhile.
	cut int
	// size is how many bytes the answer has more than usual.
	size int
}

// stopped is a process that was stopped, and goes on by itself.
type stopped struct {
	*victim
	freezing
	process *exec.Cmd
	stderr  strings.Builder
}

// start starts a process, and returns when it has been stopped with its answer on the way.
func (f freezing) start(t *testing.T) *stopped {
	t.Helper()
	s := &stopped{victim: newVictim(t, false), freezing: f, process: exec.Command(os.Args[0])}
	s.claims["padding"] = strings.Repeat("x", f.size)
	task, err := json.Marshal(frozen{s.URL, s.Path, s.Key, f.within})
	if err != nil {
		t.Fatal(err)
	}
	s.process.Env = []string{frozenVariable + "=" + string(task)}
	s.process.Stderr = &s.stderr
	done := make(chan error, 1)
	started := make(chan *os.Process, 1)
	s.Next(func(w http.ResponseWriter, r *http.Request) { s.stopWithin(w, r, <-started, done) })
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	started <- s.process.Process
	t.Cleanup(func() { _ = s.process.Process.Kill() })
	if err := <-done; err != nil {
		t.Fatalf("the process could not be stopped: %v: %s", err, s.stderr.String())
	}
	time.AfterFunc(f.pause, func() { _ = s.process.Process.Signal(syscall.SIGCONT) })
	return s
}

// stopWithin answers a request, and stops the process before that or within it.
func (s *stopped) stopWithin(w http.ResponseWriter, r *http.Request, process *os.Process, done chan<- error) {
	whole := httptest.NewRecorder()
	s.answer(whole, grantRequest{Grant: r.Form.Get("grant_type"), Refresh: r.Form.Get("refresh_token")})
	text := whole.Body.String()
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	if s.cut > 0 {
		_, _ = io.WriteString(w, text[:s.cut])
		_ = http.NewResponseController(w).Flush()
	}
	done <- freeze(process)
	_, _ = io.WriteString(w, text[s.cut:])
}

// isLost waits for the end of the process, and reports whether the session was lost.
func (s *stopped) isLost(t *testing.T) bool {
	t.Helper()
	if err := s.process.Wait(); err != nil {
		t.Errorf("%s: the process ended with %v: %s", s.name, err, s.stderr.String())
	}
	found := s.lookAfter(t)
	if found != works || s.Reused() > 0 {
		t.Errorf("%s: afterwards %s; a spent token was sent %d times", s.name, found, s.Reused())
	}
	return found != works
}

// freezings are the cases of a test: in the short form the lease on the token ends early, and
// so does the time for its answer.
func freezings() (list []freezing) {
	const whole = 700 << 10 // more than the buffers of a connection hold
	pauses, within := []time.Duration{1000, 2000}, time.Second
	repeat := 2
	if testkit.Long() {
		pauses, within = nil, 0
		for seconds := range 20 {
			pauses = append(pauses, time.Duration(1+seconds*99/19)*1000)
		}
		repeat = 1
	}
	for _, pause := range pauses {
		pause *= time.Millisecond
		for n := range repeat {
			name := fmt.Sprintf("%v/%d", pause, n+1)
			list = append(list,
				freezing{name: name + " before the answer", within: within, pause: pause},
				freezing{name: name + " within the answer", within: within, pause: pause, cut: 100},
				freezing{name: name + " within a long answer", within: within, pause: pause, cut: 1, size: whole},
			)
		}
	}
	return list
}

func TestAProcessThatIsStoppedWhileItsAnswerComesReadsTheAnswerLater(t *testing.T) {
	var all []*stopped
	for _, f := range freezings() {
		all = append(all, f.start(t))
	}
	lost := 0
	for _, s := range all {
		if s.isLost(t) {
			lost++
		}
	}
	t.Logf("%d of %d sessions were lost", lost, len(all))
}
