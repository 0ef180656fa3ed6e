package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/hostile"
	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
	"gatehouse/styles"
)

// longClaims are payloads of tokens, of a size in bytes.
func longClaims(size int) map[string]string {
	return map[string]string{
		"domains":    testkit.ManyDomains(size),
		"no domains": `{"primary_domain":"harbor.example","domains":[` + testkit.Items(size, func(int) string { return "1" }) + `]}`,
		"deep lists": `{"primary_domain":"harbor.example","domains":` + testkit.Fill(size/2, "[") + testkit.Fill(size/2, "]") + `}`,
		"claims":     `{"primary_domain":"harbor.example",` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`"k%d":1`, i) }) + `}`,
		"scopes":     `{"primary_domain":"harbor.example","scope":"` + testkit.Fill(size, "a ") + `"}`,
		"one text":   `{"primary_domain":"` + testkit.Fill(size, "x.") + `"}`,
	}
}

func TestALongTokenKeepsNoCommandBusy(t *testing.T) {
	commands := [][]string{
		{"login", "--email", hal, "--password-stdin"},
		{"whoami", "-o", "table"}, {"whoami", "-o", "json"}, {"whoami", "-o", "csv"},
		{"domains", "-o", "table"}, {"domains", "-o", "json"}, {"domains", "-o", "csv"},
		{"token"},
		{"check", hal, "--sign-in", "--password-stdin", "-o", "table"},
		{"check", hal, "--sign-in", "--password-stdin", "-o", "json", "--domain", "elsewhere.example"},
	}
	for name, claims := range longClaims(testkit.LongClaims(t)) {
		t.Run(name, func(t *testing.T) {
			hostile.Run(t, func(t *testing.T, w *hostile.World) {
				d := hostileDesk(t, w)
				fault := hostile.Token("access_token", `"`+testkit.JWT(claims)+`"`)
				w.Faults.Set(hostile.Rule{Endpoint: hostile.PasswordGrant, Fault: fault})
				for _, args := range commands {
					testkit.RequireCPU(t, 2*time.Second, strings.Join(args, " "), func() {
						got := d.run(args...)
						if args[0] != "check" && got.code != exitDone {
							t.Errorf("%v: %d %.500s", args, got.code, got.stderr)
						}
						isCut := strings.Contains(got.stderr, "Only the first 10,000 of the ")
						if lists := args[0] == "whoami" || args[0] == "domains"; isCut != (lists && strings.HasSuffix(name, "domains")) {
							t.Errorf("%v says %.500s", args, got.stderr)
						}
						if isCut := strings.HasSuffix(name, "domains"); isCut && strings.Contains(got.stdout, "elsewhere.example is not one") {
							t.Errorf("%v claims to know all domains: %.500s", args, got.stdout)
						}
					})
				}
			})
		})
	}
}

// longLists are bodies of a list, as long as those that a check reads.
func longLists(size int) map[string]string {
	return map[string]string{
		"tiny records":      "[" + testkit.Items(size, func(int) string { return "{}" }) + "]",
		"a column a record": "[" + testkit.Items(size, func(i int) string { return fmt.Sprintf(`{"k%d":1}`, i) }) + "]",
		"deep records":      "[" + testkit.Items(size, func(int) string { return strings.Repeat("[", 9000) + strings.Repeat("]", 9000) }) + "]",
		"one text":          `[{"Name":"` + testkit.Fill(size, "\u0301") + `"}]`,
		"no list":           "<!DOCTYPE html>" + testkit.Fill(size, "x"),
	}
}

func TestALongAnswerKeepsNoCommandBusy(t *testing.T) {
	size, limit := testkit.LongAnswer(t)
	answers := longLists(size)
	answers["a message"] = `{"ErrorCode":"U107","Message":"` + testkit.Fill(size, "no ") + `"}`
	answers["tokens"] = `{"UserDomains":[` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`{"pin":"a %x"}`, i%(1<<20)) }) + `]}`
	commands := []meeting{
		{hostile.PasswordGrant, []string{"login", "--email", hal, "--password-stdin"}},
		{hostile.Lookup, []string{"lookup", hal}},
		{hostile.DeviceLogin, []string{"device-login", "--email", hal, "--device-name", "laptop", "--password-stdin"}},
		{hostile.Shares, []string{"check", hal, "--sign-in", "--password-stdin"}},
	}
	for _, format := range lists.OutputNames(lists.Outputs(lists.Lists)) {
		commands = append(commands, meeting{hostile.Shares, []string{"shares", "-o", format}})
	}
	for name, body := range answers {
		for _, status := range []int{200, 400} {
			t.Run(fmt.Sprintf("%s/%d", name, status), func(t *testing.T) {
				hostile.Run(t, func(t *testing.T, w *hostile.World) {
					d := hostileDesk(t, w)
					if got := d.run("login", "--email", hal, "--password-stdin"); got.code != exitDone {
						t.Fatalf("signing in: %+v", got)
					}
					for _, c := range commands {
						w.Faults.Set(hostile.Rule{Endpoint: c.endpoint, Fault: hostile.Respond(status, "application/json", body)})
						testkit.RequireCPU(t, limit, strings.Join(c.args, " "), func() { d.discard(c.args...) })
					}
				})
			})
		}
	}
}

// discard runs the program and keeps nothing of what it writes, which may be much.
func (d *hostileRuns) discard(args ...string) {
	env := d.environment(io.Discard, io.Discard)
	env.Now, env.Dial = time.Now, d.world.Dial
	Execute(d.t.Context(), args, env)
}

// interrupting ends a context with the first write, as somebody does who has seen enough.
type interrupting struct {
	io.Writer
	cancel context.CancelFunc
}

func (i interrupting) Write(p []byte) (int, error) {
	i.cancel()
	return i.Writer.Write(p)
}

func TestAnInterruptEndsTheWritingOfWideRecords(t *testing.T) {
	hostile.Run(t, func(t *testing.T, w *hostile.World) {
		d := hostileDesk(t, w)
		if got := d.run("login", "--email", hal, "--password-stdin"); got.code != exitDone {
			t.Fatalf("signing in: %+v", got)
		}
		body := longLists(1 << 19)["a column a record"]
		w.Faults.Set(hostile.Rule{Endpoint: hostile.Shares, Fault: hostile.Respond(200, "application/json", body)})
		for _, format := range lists.OutputNames(lists.Outputs(lists.Lists)) {
			var written strings.Builder
			ctx, cancel := context.WithCancel(t.Context())
			env := d.environment(interrupting{&written, cancel}, io.Discard)
			env.Now, env.Dial = time.Now, w.Dial
			if code := Execute(ctx, []string{"shares", "-o", format}, env); code != exitFailed {
				t.Errorf("%s: exit code %d", format, code)
			}
			if n := written.Len(); n == 0 || n > len(body)/4 {
				t.Errorf("%s: %d bytes were written", format, n)
			}
		}
	})
}

func TestATableIsNotMeasuredAfterAnInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	row := func(_ int, take func(int, tableCell)) {
		if asked++; asked == 10 {
			cancel()
		}
		take(0, tableCell{kind: lists.String, text: "x"})
	}
	g := &textTable{titles: []string{"a"}, rows: 1_000_000, row: row}
	if _, err := g.write(ctx, io.Discard, 0, &styles.Theme{}); !errors.Is(err, context.Canceled) || asked != 10 {
		t.Errorf("%d rows were asked for, %v", asked, err)
	}
}
