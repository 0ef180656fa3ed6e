package e2e

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// checked is as much of a report as these tests look at.
type checked struct {
	ID, Email string
	MS        int64
	Verdict   struct {
		State, Code, Scope, Sentence string
		Next                         []string
	}
	Checks []struct {
		ID, State, Summary, Because string
	}
}

// setting is a variable and its value where docs/demo.md shows a situation with them.
var setting = regexp.MustCompile("`(GATEHOUSE_[A-Z_]+=[^`]+)`")

func TestEverySituationOfTheDemoHasItsVerdict(t *testing.T) {
	t.Parallel()
	env := demoService(t)
	for _, s := range situations(t) {
		t.Run(s.arguments+" "+s.code, func(t *testing.T) {
			t.Parallel()
			args, password := append([]string{"check"}, strings.Fields(s.arguments)...), ""
			if slices.Contains(args, "--sign-in") {
				args, password = append(args, "--password-stdin"), "demo"
			}
			if strings.Contains(s.shows, "another password") {
				password = "wrong"
			}
			own := slices.Clone(env)
			for _, variable := range setting.FindAllStringSubmatch(s.shows, -1) {
				own = append(own, variable[1])
			}
			began := time.Now()
			got := gatehouse(t, own, password, append(args, "-o", "json")...)
			if took := time.Since(began); took > time.Minute { // more exactly in package check, by a clock of its own
				t.Errorf("it took %v", took)
			}
			var reports []checked
			if err := json.Unmarshal([]byte(got.stdout), &reports); err != nil || len(reports) != 1 {
				t.Fatalf("%v: %+v", err, got)
			}
			r := reports[0]
			fine := slices.Contains([]string{"ok", "info", "warn"}, r.Verdict.State)
			if r.Verdict.Code != s.code || fine != (got.code == 0) {
				t.Errorf("exit code %d, want the code %s:\n%s", got.code, s.code, got.stdout)
			}
			if r.Verdict.Sentence == "" || !fine && len(r.Verdict.Next) == 0 {
				t.Errorf("nothing is said, or nothing to do next: %+v", r.Verdict)
			}
		})
	}
}
