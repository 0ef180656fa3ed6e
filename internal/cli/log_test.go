package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
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
	if testkit.HasModes && info.Mode().Perm() != 0o600 {
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

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
