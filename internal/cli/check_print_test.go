package cli

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/safetext"
)

// madeUpReports are reports with something of everything.
func madeUpReports() []check.Report {
	return []check.Report{
		{
			ID: "K7QD-M2XA", Email: "finn@harbor.example", At: today, MS: 412,
			Verdict: check.Verdict{
				State: check.Fail, Code: check.OtherPrimaryDomain, Scope: check.ScopePerson,
				Sentence: "The person asked for minato.example, but the primary domain of finn@harbor.example is harbor.example (U105).",
				Next:     []check.Step{{Text: "log in again with harbor.example", Kind: check.StepOtherDomain, Domain: "harbor.example"}},
				Known:    "The service's documentation explains U105 in section 7.",
				User:     "Please sign in on that device with the domain harbor.example.",
			},
			Checks: []check.Check{
				{ID: check.Profile, State: check.OK, Summary: check.Summary{"main", "main authority"}, Detail: check.Detail{}},
				{ID: check.Lookup, State: check.OK, Summary: check.Summary{"harbor.example is the primary domain"}, Host: "global.harbor.example", Status: 200, MS: 38,
					Detail: check.Detail{check.NewFact(check.FactPrimaryDomain, "harbor.example")}},
				{ID: check.Gateway, State: check.Warn, Summary: check.Summary{"clientgateway.harbor.example", "TLS 1.3, certificate expires in 12 days, 26 Mar 2026", "clock +75 s"}, Host: "clientgateway.harbor.example", Status: 401, MS: 19,
					Detail: check.Detail{check.NewFact("certificate_ends", today.AddDate(0, 0, 12)), check.NewFact(check.FactClockSkew, 75.0)}},
				{ID: check.SignIn, State: check.OK, Summary: check.Summary{"accepted; token valid 1 day, renewable for 30 days"}, Host: "auth.harbor.example", Status: 200, MS: 112, Detail: check.Detail{}},
				{ID: check.Claims, State: check.Info, Summary: check.Summary{"same primary domain as the look-up; 1 other domain"}, Detail: check.Detail{}},
				{ID: check.DomainPrefix + "minato.example", State: check.Unknown, Summary: check.Summary{"busy (429), told us to wait 2 seconds"}, Host: "clientgateway.minato.example", Status: 429, MS: 31, Detail: check.Detail{}},
				{ID: check.Device, State: check.Fail, Summary: check.Summary{"U105: the primary domain differs from the one asked for"}, Host: "global.harbor.example", Status: 200, MS: 71, Detail: check.Detail{}},
				{ID: check.Control, State: check.OK, Summary: check.Summary{"the same hosts answer ada@harbor.example"}, Host: "clientgateway.harbor.example", MS: 58, Detail: check.Detail{}},
			},
		},
		{
			ID: "0000-0001", Email: "ada@harbor.example", At: today.Add(time.Second), MS: 64,
			Verdict: check.Verdict{State: check.OK, Code: check.LooksFine, Scope: check.ScopeNone, Sentence: "Nothing is wrong as far as it can be seen from outside.", Next: []check.Step{}},
			Checks: []check.Check{
				{ID: check.Lookup, State: check.OK, Summary: check.Summary{"harbor.example is the primary domain"}, MS: 3, Host: "global.harbor.example", Detail: check.Detail{}},
				{ID: check.SignIn, State: check.Skipped, Because: check.Authority, Summary: check.Summary{"not possible without authority"}, Detail: check.Detail{}},
			},
		},
		{
			ID: "0000-000Z", Email: "=cmd|'\u202e\x1b[31m日本語 x<b>*", At: today.Add(2 * time.Second), MS: 10_004,
			Verdict: check.Verdict{
				State: check.Unknown, Code: check.Undecided, Scope: check.ScopeNone,
				Sentence: "The gateway \x1b]0;pwned\x07 of \u009b31m | answered\nnothing.", Next: []check.Step{{Text: "=Ask \x1b[2J again"}}, User: "\x1b[31mWait.",
			},
			Checks: []check.Check{
				{ID: check.DomainPrefix + strings.Repeat("long-name.", 8) + "example\x1b[5m", State: check.Fail, Summary: check.Summary{"\u202etxt.exe | `x`"}, Host: "\x1b[31m.example", MS: 9000,
					Detail: check.Detail{check.NewFact("answer\x1b[2J", []string{"\x1b[31m", "=1+1"})}},
			},
		},
	}
}

// printed prints reports on a terminal that is so many cells wide, or on none.
func printed(t *testing.T, d *desk, width int, args []string, reports ...check.Report) string {
	t.Helper()
	d.terminal = width
	var out strings.Builder
	a := newApp(d.environment(&out, &out))
	a.flags.output = "table"
	if len(args) > 0 {
		a.flags.output = args[0]
	}
	var emails []string
	var values []checked
	for _, r := range reports {
		emails = append(emails, r.Email)
		values = append(values, checked{Report: r})
	}
	if err := show(t.Context(), a, a.reportForm(emails), values...); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestReportsOnATerminal(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		d := newDesk(t)
		d.variables["TERM"] = "xterm-256color"
		card := printed(t, d, width, nil, madeUpReports()[0])
		lines := printed(t, d, width, nil, madeUpReports()...)
		for _, text := range []string{card, lines} {
			for line := range strings.Lines(text) {
				if w := safetext.Width(strings.TrimSuffix(line, "\n")); w > width {
					t.Errorf("%d cells on a terminal of %d: %q", w, width, line)
				}
			}
		}
		if !strings.Contains(card, "\x1b[31m") && !strings.Contains(card, "\x1b[1;31m") {
			t.Errorf("there is no colour: %q", card)
		}
		testkit.Golden(t, fmt.Sprintf("cli-check-card-%d", width), ansi.Strip(card))
		testkit.Golden(t, fmt.Sprintf("cli-check-lines-%d", width), ansi.Strip(lines))

		d.variables["NO_COLOR"] = "1"
		if plain := printed(t, d, width, nil, madeUpReports()[0]); strings.Contains(plain, "\x1b[3") || ansi.Strip(plain) != ansi.Strip(card) {
			t.Errorf("with NO_COLOR:\n%q", plain)
		}
	}
}

// TestTheCardOfThePage holds docs/support-desk.md against what the demo prints on a terminal.
func TestTheCardOfThePage(t *testing.T) {
	const call = "check finn@harbor.example --sign-in --device-name finn-laptop --domain minato.example"
	d := demoDesk(t)
	d.terminal, d.stdin = 80, "demo\n"
	d.variables["NO_COLOR"] = "1"
	card := ansi.Strip(d.inTime(append(strings.Fields(call), "--password-stdin")...).stdout)
	for pattern, same := range map[string]string{
		`[0-9A-Z]{4}-[0-9A-Z]{4}\b`: "K7QD-M2XA", `\b[0-9a-f]{32}\b`: "d9de296c6dc338b0853e09ed9439767f",
		`127\.0\.0\.1:\d+`: "127.0.0.1:41234", `in <?\d+ ms`: "in 90 ms",
	} {
		card = regexp.MustCompile(pattern).ReplaceAllString(card, same)
	}
	testkit.Section(t, "docs/support-desk.md", "check", "```\n$ gatehouse "+call+"\n"+card+"```\n")
}

// TestReportsForThoseWhoReadNoMarks is about pipes and screen readers: a state is a word
// there, and nothing has an escape sequence.
func TestReportsForThoseWhoReadNoMarks(t *testing.T) {
	card := printed(t, newDesk(t), 0, nil, madeUpReports()[0])
	testkit.Golden(t, "cli-check-card-words", card)
	testkit.Golden(t, "cli-check-lines-words", printed(t, newDesk(t), 0, nil, madeUpReports()...))
	if long := printed(t, newDesk(t), 0, nil, madeUpReports()[2]); !strings.Contains(long, "long-name.example") {
		t.Errorf("the name of the domain is cut in a pipe:\n%s", long)
	}
	d := newDesk(t)
	d.variables["GATEHOUSE_ACCESSIBLE"], d.variables["TERM"] = "1", "xterm"
	aloud := printed(t, d, 80, nil, madeUpReports()[0])
	for what, text := range map[string]string{"a pipe": card, "a screen reader": aloud} {
		if strings.Contains(text, "\x1b") || strings.ContainsAny(text, "✓✗") || !strings.Contains(text, "fail: Wrong domain") {
			t.Errorf("%s:\n%q", what, text)
		}
	}
}

func TestReportsInFiles(t *testing.T) {
	for format, name := range map[string]string{"markdown": "md", "csv": "csv", "json": "json", "ndjson": "ndjson"} {
		testkit.Golden(t, "cli-check-"+name, strings.ReplaceAll(printed(t, newDesk(t), 0, []string{format}, madeUpReports()...), "\r\n", "\n"))
	}
}

func TestNothingHarmfulOfAReportReachesATerminal(t *testing.T) {
	d := newDesk(t)
	d.variables["NO_COLOR"] = "1"
	for _, format := range []string{"table", "json", "ndjson", "csv", "markdown"} {
		for _, reports := range [][]check.Report{madeUpReports()[2:], madeUpReports()} {
			for line := range strings.Lines(ansi.Strip(strings.ReplaceAll(printed(t, d, 80, []string{format}, reports...), "\x1b[1m", ""))) {
				line = strings.TrimRight(line, "\r\n")
				if safetext.Line(line) != line {
					t.Errorf("%s lets something through: %q", format, line)
				}
			}
			if text := printed(t, d, 80, []string{format}, reports...); strings.Contains(text, "\x1b]") || strings.Contains(text, "\x1b[2J") || strings.Contains(text, "\x1b[31m") {
				t.Errorf("%s lets a sequence through: %q", format, text)
			}
		}
	}
}

func TestTheArrayOfReportsIsWhatTheEncoderWrites(t *testing.T) {
	schema := reportSchema(t)
	for n := range len(madeUpReports()) + 1 {
		reports := madeUpReports()[:n]
		got := printed(t, newDesk(t), 0, []string{"json"}, reports...)
		var want strings.Builder
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(reports); err != nil {
			t.Fatal(err)
		}
		if got != want.String() {
			t.Errorf("%d reports:\n%s", n, got)
		}
		requireValid(t, schema, fmt.Sprint(n, " reports"), got)
		lines := printed(t, newDesk(t), 0, []string{"ndjson"}, reports...)
		requireValid(t, schema, fmt.Sprint(n, " lines"), "["+strings.Join(strings.Split(strings.TrimSuffix(lines, "\n"), "\n"), ",")+"]")
	}
}

// A format of reports that the commands draw has what draws it, or it would be written as a card.
func TestEachDrawnFormatOfReportsHasItsDrawer(t *testing.T) {
	for _, output := range lists.Outputs(lists.Reports) {
		if drawer := reportDrawers[output]; (drawer != nil) != output.Drawn {
			t.Errorf("%s: drawn is %v, and a drawer: %v", output.Name, output.Drawn, drawer != nil)
		}
	}
}
