package cli

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gatehouse/internal/check"
	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
)

// checkedAt are the endpoints that a check with a sign-in and a device login calls.
var checkedAt = []hostile.Endpoint{
	hostile.Lookup, hostile.GlobalProbe, hostile.AuthorityProbe, hostile.GatewayProbe,
	hostile.PasswordGrant, hostile.Shares, hostile.DeviceLogin,
}

// TestEveryFaultInACheck walks through all that a service can do wrong at each endpoint that
// a check calls. Nothing that is not known may be called broken, and nothing that is written
// has a secret.
func TestEveryFaultInACheck(t *testing.T) {
	turn := 0
	for _, c := range hostile.Cases() {
		for _, endpoint := range checkedAt {
			if c.On != nil && !slices.Contains(c.On, endpoint) {
				continue
			}
			if turn++; !testkit.Long() && turn%5 != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", c.Name, endpoint), func(t *testing.T) {
				t.Parallel()
				hostile.Run(t, func(t *testing.T, w *hostile.World) { checkAgainst(t, w, c, endpoint) })
			})
		}
	}
}

func checkAgainst(t *testing.T, w *hostile.World, c hostile.Case, endpoint hostile.Endpoint) {
	d := hostileDesk(t, w)
	bundle := filepath.Join(t.TempDir(), "bundle.zip")
	w.Faults.Set(hostile.Rule{Endpoint: endpoint, Fault: c.Fault, Times: c.Times})
	began := time.Now()
	got := d.run("check", hal, "--sign-in", "--password-stdin", "--device-name", "laptop", "-o", "json", "--bundle", bundle)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	if once := endpoint == hostile.PasswordGrant || endpoint == hostile.DeviceLogin; once && w.Faults.Met() > 1 {
		t.Errorf("the request was sent %d times", w.Faults.Met())
	}
	for place, text := range written(t, bundle) {
		if found := w.Leaked(text); found != "" {
			t.Errorf("%s of the bundle has the secret %q", place, found)
		}
	}
	if found := w.Leaked(got.stdout + got.stderr); found != "" {
		t.Errorf("the secret %q is shown", found)
	}
	if found := hostile.GoWords(got.stdout + got.stderr); found != "" {
		t.Errorf("there is the word %q of a programmer:\n%s%s", found, got.stdout, got.stderr)
	}
	var reports []hostileReport
	if err := json.Unmarshal([]byte(got.stdout), &reports); err != nil || len(reports) != 1 {
		t.Fatalf("%v: %+v", err, got)
	}
	reports[0].judge(t, c, endpoint)
	if state := reports[0].Verdict.State; (got.code == exitDone) != slices.Contains([]check.State{check.OK, check.Info, check.Warn}, state) {
		t.Errorf("exit code %d with the state %s", got.code, state)
	}
}

// written are the texts of a bundle by their names.
func written(t *testing.T, bundle string) map[string]string {
	t.Helper()
	archive, err := zip.OpenReader(bundle)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer archive.Close()
	texts := map[string]string{}
	for _, file := range archive.File {
		part, err := archive.Open(file.Name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		texts[file.Name] = string(text)
	}
	return texts
}

// hostileReport is a report as its JSON has it.
type hostileReport struct {
	Verdict struct {
		State    check.State
		Code     check.Code
		Sentence string
	}
	Checks []struct {
		ID, Summary, Because string
		State                check.State
	}
}

// judge looks whether a report calls broken what is not known to be.
func (r hostileReport) judge(t *testing.T, fault hostile.Case, endpoint hostile.Endpoint) {
	t.Helper()
	broken := mayFail[endpoint]
	if fault.Opaque { // the gateway does not know the token
		broken = failure{check.DomainPrefix + "harbor.example", map[check.Code][]string{check.NoAccess: {fault.Name}}}
	}
	for _, c := range r.Checks {
		if c.State == check.Fail && (c.ID != broken.check || !slices.Contains(broken.faults[r.Verdict.Code], fault.Name)) {
			t.Errorf("the check %s fails, and the verdict is %s: %s", c.ID, r.Verdict.Code, c.Summary)
		}
		if c.ID == checkOf[endpoint] && c.State == check.OK && fault.Want(endpoint).Ending != hostile.Works {
			t.Errorf("the check %s is said to be ok: %s", c.ID, c.Summary)
		}
		if c.State == check.Running || c.Summary == "" || (c.State == check.Skipped) != (c.Because != "") {
			t.Errorf("the check %s is %q because of %q: %q", c.ID, c.State, c.Because, c.Summary)
		}
	}
	if r.Verdict.Sentence == "" {
		t.Error("the verdict has no sentence")
	}
}

// checkOf is the check that calls an endpoint for its answer.
var checkOf = map[hostile.Endpoint]string{
	hostile.Lookup: check.Lookup, hostile.PasswordGrant: check.SignIn,
	hostile.Shares: check.DomainPrefix + "harbor.example", hostile.DeviceLogin: check.Device,
}

// failure are the faults of an endpoint that do show what is wrong, by the code of the
// verdict that says so.
type failure struct {
	check  string
	faults map[check.Code][]string
}

// mayFail are the faults that are no riddle. After all others the check of the endpoint is
// unknown, or works all the same.
var mayFail = map[hostile.Endpoint]failure{
	hostile.PasswordGrant: {check.SignIn, map[check.Code][]string{
		check.WrongPassword: {"a wrong password"},
		check.ClientRefused: {"a wrong client", "a wrong scope"},
	}},
	hostile.Shares: {check.DomainPrefix + "harbor.example", map[check.Code][]string{
		check.NoAccess: {"403", "401", "401 once"},
	}},
	hostile.AuthorityProbe: {check.Authority, map[check.Code][]string{check.AuthorityUnreachable: resets}},
	hostile.GatewayProbe:   {check.Gateway, map[check.Code][]string{check.GatewayUnreachable: resets}},
}

// resets are faults of a host that drops every connection before it has answered.
var resets = []string{"a reset", "a reset in the head", "a reset in a line"}
