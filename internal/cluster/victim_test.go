//go:build linux

package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/secret"
	"gatehouse/internal/sessionstore"
	"gatehouse/session"
)

// A test here runs this test binary once more as a process that renews one session, in the
// way of a server, and is killed or frozen from outside.
const victimVariable = "GATEHOUSE_TEST_VICTIM"

// task is a renewal to do.
type task struct {
	Store       string // URL
	KeyFile     string
	Fingerprint string
	Service     string        // URL
	Ahead       time.Duration // of its clock
}

// later is how far the clock of those who renew is ahead: the access token has expired.
const later = 25 * time.Hour

// runVictim does a task, in a process of its own, and says how it ended.
func runVictim(text string) int {
	var one task
	if err := json.Unmarshal([]byte(text), &one); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	w, err := one.begin(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer w.store.Close()
	found, err := w.renew(ctx)
	fmt.Println(found)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return 0
}

// worker is a session of somebody as a server has it.
type worker struct {
	store sessionstore.Store
	vault *sessionstore.Vault
	*session.Session
}

func (one task) begin(ctx context.Context) (*worker, error) {
	store, err := sessionstore.OpenPostgres(ctx, one.Store, sessionstore.PostgresOptions{Name: "victim"})
	if err != nil {
		return nil, err
	}
	return one.on(store)
}

// on is a worker on a store that is open.
func (one task) on(store sessionstore.Store) (*worker, error) {
	keys, err := sessionstore.OpenKeys(one.KeyFile)
	if err != nil {
		return nil, err
	}
	profile := profileOf(one.Service)
	vault := sessionstore.NewVault(sessionstore.VaultOptions{
		Store: store, Keys: keys, Kind: "postgres", Owner: sessionstore.Owner{Fingerprint: one.Fingerprint}, Profile: profile,
	})
	return &worker{store, vault, session.New(session.Options{
		Profile: profile, HTTP: api.NewHTTPClient(&http.Transport{}), Vault: vault,
		Now: func() time.Time { return time.Now().Add(one.Ahead) },
	})}, nil
}

func profileOf(service string) *config.Profile {
	return &config.Profile{
		Name: "main", Authority: config.AuthorityMain, AuthURL: service + "/auth", BaseURL: service + "/gateway/{domain}",
		ClientID: demo.ClientID, ClientAuth: config.ClientAuthBasic, ClientSecret: secret.New("demo-secret"),
		Scope: "openid offline_access", Store: config.StoreMemory,
	}
}

// outcome is what somebody finds.
type outcome string

const (
	works     outcome = "it works"
	ended     outcome = "the session has ended"
	signedOut outcome = "nobody is signed in"
	delayed   outcome = "it does not work now"
)

// renew restores the session and asks for a token.
func (w *worker) renew(ctx context.Context) (outcome, error) {
	err := w.Restore(ctx)
	if err == nil {
		_, err = w.Token(ctx)
	}
	_, over := errors.AsType[*session.EndedError](err)
	switch {
	case err == nil:
		return works, nil
	case over:
		return ended, err
	case errors.Is(err, session.ErrSignedOut):
		return signedOut, err
	}
	return delayed, err
}

// victim is the process.
type victim struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
	ended          chan struct{}
}

// startVictim starts the process.
func startVictim(one task) (*victim, error) {
	text, err := json.Marshal(one)
	if err != nil {
		return nil, err
	}
	v := &victim{Cmd: exec.Command(os.Args[0]), ended: make(chan struct{})}
	v.Env = append(os.Environ(), victimVariable+"="+string(text))
	v.Stdout, v.Stderr = &v.stdout, &v.stderr
	return v, v.Start()
}

// wait waits until the process has ended, and says how.
func (v *victim) wait() error {
	defer close(v.ended)
	return v.Wait()
}

// kill kills the process, and returns when it is gone.
func (v *victim) kill() {
	v.signal(syscall.SIGKILL)
	<-v.ended
}

// signal sends a signal to the process.
func (v *victim) signal(signal syscall.Signal) { _ = syscall.Kill(v.Process.Pid, signal) }

// stop freezes the process, and returns when none of its threads runs: the one that takes the
// signal may be the last to do so.
func (v *victim) stop() {
	v.signal(syscall.SIGSTOP)
	for runs := true; runs; {
		runs = false
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", v.Process.Pid))
		for _, thread := range threads {
			stat, err := os.ReadFile(thread)
			_, rest, _ := strings.Cut(string(stat), ") ") // pid (name) state
			runs = runs || err == nil && !strings.HasPrefix(rest, "T")
		}
	}
}
