package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheLogHasEveryRequestAndIsTheOwnersAlone(t *testing.T) {
	d := demoDesk(t)
	path := filepath.Join(t.TempDir(), "gatehouse.log")
	d.variables["GATEHOUSE_LOG_FILE"] = path
	d.login("ada@harbor.example")
	d.mustRun("shares")
	d.run("lookup", "ada@harbor.example")

	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	log := read(t, path)
	for _, want := range []string{
		"method=POST", "path=/auth/connect/token", "status=200",
		"method=GET", "path=/gateway/harbor.example/api/users/ada%40harbor.example/shares",
		"path=/global/getuserdomain.aspx",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
	if strings.Contains(log, "useremail") {
		t.Errorf("the log has a query:\n%s", log)
	}
}

func TestTheTokensOfADeviceLoginAreMaskedUnlessAskedFor(t *testing.T) {
	d := fakeDesk(t, answer(loginAnswer))
	for _, form := range formats {
		d.stdin = "x"
		args := []string{"device-login", "--email", "a@x.example", "--device-id", "i", "--password-stdin", "-o", form}
		if got := d.mustRun(args...); strings.Contains(got, "domain-token") || strings.Contains(got, "confirm-key") {
			t.Errorf("%s shows a token:\n%s", form, got)
		}
		d.stdin = "x"
		got := d.mustRun(append(args, "--reveal")...)
		if revealed := strings.Contains(got, "domain-token") && strings.Contains(got, "confirm-key"); revealed != (form != formatCSV) {
			t.Errorf("%s, asked to reveal: %v\n%s", form, revealed, got)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
