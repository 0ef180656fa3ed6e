package cli

import (
	"strings"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

func TestBrokenTLSEndsEveryCommandWithASentence(t *testing.T) {
	commands := [][]string{
		{"login", "--username", "ada@harbor.example", "--password-stdin"},
		{"companies", "--domain", "harbor.example", "--reseller", "1"},
		{"lookup", "ada@harbor.example"},
		{"device-login", "--email", "ada@harbor.example", "--device-name", "n", "--password-stdin"},
	}
	authority := testkit.NewAuthority(t)
	authority.Now = func() time.Time { return today } // the clock of a desk
	for _, broken := range testkit.BrokenTLSServers(t, authority, nil) {
		t.Run(broken.Name, func(t *testing.T) {
			d := demoDesk(t)
			for _, key := range []string{"GATEHOUSE_AUTH_URL", "GATEHOUSE_BASE_URL", "GATEHOUSE_GLOBAL_URL"} {
				d.variables[key] = broken.URL
			}
			d.stdin = "demo"
			for _, args := range commands {
				got := d.run(args...)
				lines := strings.Split(got.stderr, "\n")
				if got.code != exitFailed || !strings.HasPrefix(got.stderr, "gatehouse: Could not ") || len(lines) != 3 {
					t.Fatalf("%s: exit code %d, stderr %q", args[0], got.code, got.stderr)
				}
				if !strings.HasSuffix(lines[0], broken.Host+": "+broken.Says+".") || !strings.Contains(lines[1], broken.Next) {
					t.Errorf("%s says\n%swant %q and %q", args[0], got.stderr, broken.Says, broken.Next)
				}
			}
			if broken.Requests() != 0 {
				t.Errorf("%d requests came through", broken.Requests())
			}
		})
	}
}
