package check_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/internal/demo"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
)

// gated is a service with a gate that lets nothing pass of some uses of passwords, and what it was
// asked about.
func gated(t *testing.T, server *demo.Server, shut ...api.PasswordUse) (s *session.Service, asked *[]api.PasswordUse) {
	t.Helper()
	profile := profileOf(t, server)
	asked = new([]api.PasswordUse)
	gate := func(_ context.Context, try api.PasswordTry) (func(api.PasswordOutcome), error) {
		*asked = append(*asked, try.Use)
		if slices.Contains(shut, try.Use) {
			return nil, problem.New("that was too often", "Try again tomorrow.")
		}
		return func(api.PasswordOutcome) {}, nil
	}
	s = session.NewService(session.ServiceOptions{Profile: profile, Vault: session.NewMemoryVault(), Gate: gate})
	t.Cleanup(func() { _ = s.Close() })
	return s, asked
}

// TestAPasswordThatMayNotLeaveIsNotSentToTheDeviceLoginEither: what the card says, that no password
// was sent, has to be true for all of the check.
func TestAPasswordThatMayNotLeaveIsNotSentToTheDeviceLoginEither(t *testing.T) {
	seen := &recorder{}
	server := start(t, demo.Options{Wrap: seen.wrap})
	s, asked := gated(t, server, api.PasswordSignIn)
	request := check.Request{Email: "ada@harbor.example", Password: password, DeviceName: "laptop"}
	report := check.New(s).Run(t.Context(), request, nil)
	signIn, device := checkOf(t, report, check.SignIn), checkOf(t, report, check.Device)
	if signIn.State != check.Unknown || !strings.Contains(signIn.Summary.String(), "that was too often") {
		t.Errorf("the sign-in is %s: %s", signIn.State, signIn.Summary)
	}
	if device.State != check.Skipped || device.Because != check.SignIn {
		t.Errorf("the device login is %s because of %q: %s", device.State, device.Because, device.Summary)
	}
	if report.Verdict.State == check.OK {
		t.Errorf("the verdict is %s", report.Verdict.Sentence)
	}
	if !slices.Equal(*asked, []api.PasswordUse{api.PasswordSignIn}) || len(passwordRequests(seen)) != 0 {
		t.Errorf("asked for %v; sent %q", *asked, passwordRequests(seen))
	}
}

// TestADeviceLoginThatMayNotLeaveIsSaidSo: the sign-in before it was counted as the last one.
func TestADeviceLoginThatMayNotLeaveIsSaidSo(t *testing.T) {
	seen := &recorder{}
	server := start(t, demo.Options{Wrap: seen.wrap})
	s, asked := gated(t, server, api.PasswordDeviceLogin)
	request := check.Request{Email: "ada@harbor.example", Password: password, DeviceName: "laptop"}
	report := check.New(s).Run(t.Context(), request, nil)
	if signIn := checkOf(t, report, check.SignIn); signIn.State != check.OK {
		t.Errorf("the sign-in is %s: %s", signIn.State, signIn.Summary)
	}
	if device := checkOf(t, report, check.Device); device.State != check.Unknown || !strings.Contains(device.Summary.String(), "that was too often") {
		t.Errorf("the device login is %s: %s", device.State, device.Summary)
	}
	if len(*asked) != 2 || !slices.Equal(passwordRequests(seen), []string{"POST /auth/connect/token Basic"}) {
		t.Errorf("asked for %v; sent %q", *asked, passwordRequests(seen))
	}
}

// passwordRequests are the requests that go where passwords are sent.
func passwordRequests(r *recorder) (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, line := range r.requests {
		if strings.HasPrefix(line, "POST /auth/") || strings.Contains(line, "login2.aspx") {
			list = append(list, line)
		}
	}
	return list
}

func checkOf(t *testing.T, report check.Report, id string) check.Check {
	t.Helper()
	i := slices.IndexFunc(report.Checks, func(c check.Check) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("there is no check %q", id)
	}
	return report.Checks[i]
}
