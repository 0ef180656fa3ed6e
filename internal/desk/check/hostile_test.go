package check_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/hostile"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// asked are the calls of a check that a service may get wrong.
var asked = []hostile.Endpoint{hostile.Lookup, hostile.PasswordGrant, hostile.Shares, hostile.DeviceLogin}

// known are the faults after which something is known to be wrong, and what.
var known = map[string]check.Code{
	"sign in/a wrong password": check.WrongPassword,
	"sign in/a wrong client":   check.ClientRefused,
	"shares/401":               check.NoAccess,
	"shares/403":               check.NoAccess,
}

// ofTokens are the verdicts of tokens that are accepted, but are none of the service.
var ofTokens = []check.Code{check.NoAccess, check.NoPrimaryDomain, check.OtherPrimaryDomain}

// TestEveryFaultInEveryCheck walks through all that a service can do wrong, in each call of
// a check: what fails is never taken for the person's fault, nothing secret is told, and it ends in time.
func TestEveryFaultInEveryCheck(t *testing.T) {
	unexplained := &skips{}
	t.Cleanup(func() { unexplained.report(t) })
	for _, c := range hostile.Cases() {
		for _, endpoint := range asked {
			if c.On != nil && !slices.Contains(c.On, endpoint) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", endpoint, c.Name), func(t *testing.T) {
				t.Parallel()
				hostile.Run(t, func(t *testing.T, w *hostile.World) { meet(t, w, c, endpoint, unexplained) })
			})
		}
	}
}

func meet(
	t *testing.T, w *hostile.World, c hostile.Case, endpoint hostile.Endpoint, unexplained *skips,
) {
	s := hostileService(t, w)
	w.Faults.Set(hostile.Rule{Endpoint: endpoint, Fault: c.Fault, Times: c.Times})
	told := ""
	report := completed(t, s, func(c check.Check) { told += fmt.Sprintf("%+v\n", c) })
	unexplained.note(report)
	v := report.Verdict
	if met := w.Faults.Met(); met > 1 && (endpoint == hostile.PasswordGrant || endpoint == hostile.DeviceLogin) {
		t.Errorf("the password was sent %d times", met)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	told += string(text) + v.Known + v.User + report.Markdown()
	if found := w.Leaked(told); found != "" {
		t.Errorf("the secret %q is told", found)
	}
	for _, c := range report.Checks {
		if found := hostile.GoWords(c.Summary.String()); found != "" {
			t.Errorf("%s says the word %q of a programmer: %s", c.ID, found, c.Summary)
		}
	}
	if found := hostile.GoWords(v.Sentence + v.Known + v.User); found != "" {
		t.Errorf("the verdict says the word %q of a programmer: %s", found, v.Sentence)
	}
	want, isKnown := known[string(endpoint)+"/"+c.Name]
	if c.Opaque && slices.Contains(ofTokens, v.Code) { // which the gateway does not know
		want, isKnown = v.Code, true
	}
	blames := slices.Contains([]check.Code{check.WrongPassword, check.UnknownAddress, check.Undecided}, v.Code)
	if isKnown && v.Code != want || !isKnown && blames {
		t.Errorf("%s %s: %s", v.State, v.Code, v.Sentence)
	}
}

// skips are the checks that were skipped and do not say because of which other check. Many reports
// can have the same, which is one failure.
type skips struct {
	mu  sync.Mutex
	ids []string
}

// note looks for such checks in a report. Two may be left out for reasons of their own: nobody asked
// for a device login, and there may be nothing to compare.
func (s *skips) note(r check.Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range r.Checks {
		hasOwnReason := c.ID == check.Control || c.ID == check.Device
		if c.State == check.Skipped && c.Because == "" && !hasOwnReason && !slices.Contains(s.ids, c.ID) {
			s.ids = append(s.ids, c.ID)
		}
	}
}

func (s *skips) report(t *testing.T) {
	t.Helper()
	for _, id := range s.ids {
		t.Errorf("the check %q is skipped and does not say because of which other check: set Because", id)
	}
}

// completed is a report that came in time, in which each check did its work.
func completed(t *testing.T, s *session.Service, progress func(check.Check)) check.Report {
	t.Helper()
	start := time.Now()
	report := check.New(s).Run(t.Context(), check.Request{
		Email: "ada@harbor.example", Password: secret.New(hostile.Password), DeviceName: "laptop", Control: true,
	}, progress)
	if took := time.Since(start); took > 3*time.Minute {
		t.Errorf("it took %v", took)
	}
	for _, c := range report.Checks {
		if strings.Contains(c.Summary.String(), "internal error") {
			t.Errorf("the check %q ended in an internal error: %s", c.ID, c.Summary)
		}
	}
	return report
}

func hostileService(t *testing.T, w *hostile.World) *session.Service {
	profile, err := config.Resolve(config.Sources{LookupEnv: w.LookupEnv})
	if err != nil {
		t.Fatal(err)
	}
	s := session.NewService(session.ServiceOptions{Profile: profile, Vault: session.NewMemoryVault(), Now: time.Now, Dial: w.Dial})
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestAHangingService asks a service that answers nothing, whatever is asked.
func TestAHangingService(t *testing.T) {
	hostile.Run(t, func(t *testing.T, w *hostile.World) {
		s := hostileService(t, w)
		w.Faults.Set(hostile.Rule{Fault: hostile.Silence})
		report := completed(t, s, nil)
		unexplained := &skips{}
		unexplained.note(report)
		unexplained.report(t)
		if v := report.Verdict; v.State != check.Fail || v.Code != check.ServiceFailing || !strings.Contains(v.Sentence, "gave no answer") {
			t.Errorf("%s %s: %s", v.State, v.Code, v.Sentence)
		}
	})
}
