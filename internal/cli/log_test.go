package cli

import (
	"encoding/base64"
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

func TestNoSecretIsShownOrLoggedAnywhere(t *testing.T) {
	d := demoDesk(t).savesToDisk()
	path := filepath.Join(t.TempDir(), "gatehouse.log")
	d.variables["GATEHOUSE_LOG_FILE"] = path
	d.variables["GATEHOUSE_AD_TOKEN"] = "the-ad-token"
	d.login("ada@harbor.example")
	token := strings.TrimSpace(d.mustRun("token"))
	secrets := map[string]string{
		"access token":  token,
		"client secret": d.variables["GATEHOUSE_CLIENT_SECRET"],
		"API key":       d.variables["GATEHOUSE_API_KEY"],
		"passphrase":    d.variables["GATEHOUSE_STORE_PASSPHRASE"],
		"AD token":      "the-ad-token",
		"password":      "correct horse",
		"password2":     base64.StdEncoding.EncodeToString([]byte("correct horse")),
	}
	var shown strings.Builder
	for _, down := range []bool{false, true} {
		if down {
			d.variables["GATEHOUSE_GLOBAL_URL"] = "http://127.0.0.1:1"
			d.variables["GATEHOUSE_BASE_URL"] = "http://127.0.0.1:1"
			d.variables["GATEHOUSE_AUTH_URL"] = "http://127.0.0.1:1/auth"
		}
		for _, args := range [][]string{
			{"whoami"}, {"domains"}, {"companies"}, {"lookup", "ada@harbor.example"}, {"whoami", "-o", "table"},
			{"login", "--username", "ada@harbor.example", "--password-stdin"},
			{"device-login", "--email", "ada@harbor.example", "--device-name", "n", "--password-stdin", "--send-plain-password"},
			{"device-login", "--email", "ada@harbor.example", "--device-name", "n", "--password-stdin", "-o", "table"},
			{"--help"}, {"device-login", "--help"}, {"logout"},
		} {
			d.stdin = "correct horse"
			got := d.run(args...)
			shown.WriteString(got.stdout + got.stderr)
		}
	}
	everything := shown.String() + read(t, path)
	for name, secret := range secrets {
		if strings.Contains(everything, secret) {
			t.Errorf("the %s is shown or logged", name)
		}
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
