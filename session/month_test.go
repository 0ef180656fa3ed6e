package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/secret"
)

// machine is the computer of somebody who has a few windows open on one vault.
// Its clock is some minutes off.
type machine struct {
	*world
	random  *rand.Rand
	off     time.Duration
	path    string
	ring    *fakeKeyring
	windows []*Session
	browsed int
}

func newMachine(t *testing.T, w *world, seed uint64) *machine {
	m := &machine{world: w, random: rand.New(rand.NewPCG(seed, 2)), path: vaultPath(t), ring: newFakeKeyring()}
	m.setClock()
	for range 3 {
		m.windows = append(m.windows, m.open())
	}
	return m
}

func (m *machine) Now() time.Time { return m.world.now().Add(m.off) }

// setClock sets it to at most ten minutes from the right time.
func (m *machine) setClock() { m.off = m.between(-10*time.Minute, 10*time.Minute) }

func (m *machine) between(low, high time.Duration) time.Duration {
	return low + time.Duration(m.random.Int64N(int64(high-low)))
}

// open is a start of the program.
func (m *machine) open() *Session {
	profile := &config.Profile{
		Name: "main", Authority: config.AuthorityMain, AuthURL: m.URL, ClientID: "client",
		ClientAuth: config.ClientAuthBasic, ClientSecret: secret.New("s"), Scope: "openid offline_access",
	}
	return New(Options{Profile: profile, HTTP: api.NewHTTPClient(m.world), Vault: sealedVault(m.path, m.ring), Now: m.Now})
}

// restart ends a window and opens another one.
func (m *machine) restart(t *testing.T, window int) {
	t.Helper()
	s := m.open()
	if err := s.Restore(t.Context()); err != nil {
		t.Fatalf("after %v: Restore: %v", m.age(), err)
	}
	m.windows[window] = s
}

// work lets time go by for windows that are open and renew in the background.
func (m *machine) work(t *testing.T, d time.Duration) {
	const step = 10 * time.Minute
	for ; d > 0; d -= step {
		m.pass(min(d, step))
		for _, s := range m.windows {
			s.keep(t.Context(), m.random.Float64())
		}
	}
}

// age is how long ago the sign-in was.
func (m *machine) age() time.Duration { return m.world.now().Sub(start) }

// browse sends a request and waits patiently for its answer.
func (m *machine) browse(t *testing.T) {
	s := m.windows[m.random.IntN(len(m.windows))]
	client := &http.Client{Transport: transport(s, http.DefaultTransport, strings.TrimPrefix(m.URL, "http://"))}
	for range 20 {
		answer, err := client.Get(m.URL + "/shares")
		if delayed, ok := errors.AsType[*DelayedError](err); ok {
			m.pass(max(delayed.RetryAt.Sub(m.Now()), 0))
			continue
		}
		if err != nil {
			t.Fatalf("after %v: %v", m.age(), err)
		}
		if answer.Body.Close(); answer.StatusCode != http.StatusOK {
			t.Fatalf("after %v: the answer is %s, the session %+v", m.age(), answer.Status, s.Status().State)
		}
		if ends := s.Status().RefreshEndsAt.Sub(start); ends.Round(time.Hour) != month {
			t.Fatalf("after %v: the session is said to end after %v", m.age(), ends)
		}
		m.browsed++
		return
	}
	t.Fatalf("after %v: a request was lost", m.age())
}

// live is what happens from one request to the next.
func (m *machine) live(t *testing.T) {
	switch draw := m.random.IntN(100); {
	case draw < 60:
		m.work(t, m.between(time.Minute, 2*time.Hour))
	case draw < 75:
		m.pass(m.between(time.Hour, 14*time.Hour)) // asleep
	case draw < 78:
		m.pass(m.between(24*time.Hour, 60*time.Hour))
	case draw < 88:
		m.setClock()
	default:
		m.restart(t, m.random.IntN(len(m.windows)))
	}
}

func TestThirtyDaysWithoutAPassword(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorld(t, seed)
			m := newMachine(t, w, seed)
			signIn(t, m.windows[0])
			for i := range m.windows {
				m.restart(t, i)
			}
			w.trouble = met
			for m.age() < month-72*time.Hour {
				m.live(t)
				m.browse(t)
			}
			for m.age() < month-time.Hour { // to the very end, awake
				m.work(t, 30*time.Minute)
				m.browse(t)
			}
			if w.passwords != 1 || w.again != 0 || w.refused != 0 || w.renewals < 15 {
				t.Errorf("%d passwords, %d renewals, %d with a spent token, %d refused", w.passwords, w.renewals, w.again, w.refused)
			}
			t.Logf("%d requests, %d renewals", m.browsed, w.renewals)

			w.trouble = nil
			m.endsCleanly(t)
		})
	}
	for _, kind := range append(onTheWay, atTheDoor...) {
		if met[kind] == 0 {
			t.Errorf("no renewal met this: %s", kind)
		}
	}
}

func TestThirtyOneDaysWithoutUse(t *testing.T) {
	m := newMachine(t, newWorld(t, 1), 1)
	signIn(t, m.windows[0])
	for i := range m.windows {
		m.restart(t, i)
	}
	m.endsCleanly(t)
}

// endsCleanly is the 32nd day: one refusal, which every window knows of, and a
// sign-in that starts anew.
func (m *machine) endsCleanly(t *testing.T) {
	t.Helper()
	m.pass(month + 48*time.Hour - m.age())
	for n, s := range append(m.windows, m.open()) {
		if n == len(m.windows) {
			if ended, ok := errors.AsType[*EndedError](s.Restore(t.Context())); !ok || ended.Reason != reasonThirtyDays {
				t.Errorf("a new window: %v", ended)
			}
		}
		_, err := s.Token(t.Context())
		if ended, ok := errors.AsType[*EndedError](err); !ok || ended.Reason != reasonThirtyDays {
			t.Errorf("window %d: %v", n, err)
		}
		wantState(t, s, Ended)
	}
	if m.refused != 1 || m.again != 0 {
		t.Errorf("%d refusals, %d with a spent token", m.refused, m.again)
	}
	signIn(t, m.windows[0])
	m.restart(t, 1)
	if m.passwords != 2 {
		t.Errorf("%d passwords", m.passwords)
	}
}
