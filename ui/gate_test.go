package ui

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
	"gatehouse/ui/traffic"
)

// TestNoScreenSendsAPasswordPastTheGate types a password on every screen that takes one.
func TestNoScreenSendsAPasswordPastTheGate(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		var arrived atomic.Int32
		counted := func(w http.ResponseWriter, r *http.Request, service http.Handler) {
			arrived.Add(1)
			service.ServeHTTP(w, r)
		}
		s.Faults.Set(hostile.Rule{Endpoint: hostile.PasswordGrant, Fault: counted}, hostile.Rule{Endpoint: hostile.DeviceLogin, Fault: counted})

		var shut atomic.Bool
		gate := func(context.Context, api.PasswordTry) (func(api.PasswordOutcome), error) {
			if shut.Load() {
				return nil, problem.New("the gate is shut", "Come back tomorrow.")
			}
			return func(api.PasswordOutcome) {}, nil
		}
		now := func() time.Time { return uitest.Noon }
		requests := &traffic.Log{}
		opened := session.NewService(session.ServiceOptions{
			Profile: profile(t, s), Vault: session.NewMemoryVault(), Observe: requests.Add, Now: now, Dial: s.Dial, Gate: gate,
		})
		open := func(context.Context) (Opened, error) { return Opened{Service: opened}, nil }
		d := start(t, Options{Activity: requests, Now: now, Open: open}, 120, 60)

		shut.Store(true)
		d.Expect("E-mail").Type("ada@harbor.example").Press("tab")
		d.submit()
		d.Expect("The gate is shut", "Come back tomorrow")
		shut.Store(false)
		d.submit()
		d.Expect("Domains", "primary")
		if got := arrived.Load(); got != 1 {
			t.Fatalf("%d passwords have arrived, want that of the sign-in", got)
		}

		shut.Store(true)
		d.Press("enter").Expect("row 1 of")
		d.deviceLogin()
		d.Expect("The gate is shut", "Come back tomorrow")
		d.Gone("may have created")
		d.Press("esc", "ctrl+k").Expect("Who cannot get in?").Type("ada@harbor.example").Press("ctrl+o")
		d.Press("tab", "tab").Type("laptop").Press("tab", "tab", "tab")
		d.submit()
		d.Expect("he gate is shut", "not possible without a sign-in")
		if got := arrived.Load(); got != 1 {
			t.Errorf("%d passwords have passed the gate", got-1)
		}
	})
}
