package check

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/api"
)

// wrongDomain is a report with something of everything.
func wrongDomain() Report {
	return Report{
		ID: "K7QD-M2XA", Email: "finn@harbor.example", At: time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC), MS: 412,
		Verdict: Verdict{
			State: Fail, Code: OtherPrimaryDomain, Scope: ScopePerson,
			Sentence: "The login asked for minato.example; the primary domain is harbor.example.",
			Next:     []Step{{Text: "Log in again with harbor.example", Kind: StepOtherDomain, Domain: "harbor.example"}},
			Known:    "The device login answered U105, which the interface explains in section 7.",
			User:     "Please sign in with harbor.example.",
		},
		Checks: []Check{
			{ID: Lookup, State: OK, Summary: Summary{"harbor.example is the primary domain"}, Host: "global.harbor.example", Status: 200, MS: 38},
			{ID: Gateway, State: Warn, Summary: Summary{"certificate expires in 12 days"}, Host: "clientgateway.harbor.example", MS: 19, Detail: Detail{
				NewFact("certificate_ends", time.Date(2026, 3, 26, 0, 0, 0, 0, time.UTC)), NewFact("names", []string{"a.example", "b.example"}), NewFact("proxy", false),
				NewFact("clock_skew_seconds", -0.25), NewFact("port", 443), NewFact("count", json.Number("12345678901234567890")),
			}},
			{ID: DomainPrefix + "minato.example", State: Unknown, Summary: Summary{"busy | <b>\x1b[31m"}, Host: "clientgateway.minato.example", Status: 429, MS: 31},
			{ID: Device, State: Fail, Summary: Summary{"U105"}, Host: "global.harbor.example", Status: 200, MS: 71},
			{ID: Control, State: Skipped, Because: SignIn, Summary: Summary{"not possible without sign-in"}},
		},
	}
}

func TestAReportAsMarkdown(t *testing.T) {
	want := "**`finn@harbor.example`: Wrong domain** (fail, `other-primary-domain`)" + `

The login asked for minato.example; the primary domain is harbor.example. This was tested for this person only.

Evidence: The device login answered U105, which the interface explains in section 7.

Next:

- Log in again with harbor.example.

Tell the user: Please sign in with harbor.example.

| Check | State | Found | Host | Time |
|---|---|---|---|---|
| lookup | ok | harbor.example is the primary domain | global.harbor.example | 38 ms |
| gateway | warn | certificate expires in 12 days | clientgateway.harbor.example | 19 ms |
| minato.example | unknown | busy \| ` + "`<b>␛[31m`" + ` | clientgateway.minato.example | 31 ms |
| device | fail | U105 | global.harbor.example | 71 ms |
| control | skipped | not possible without sign-in |  |  |

Details: gateway

- certificate ends: 2026-03-26 00:00:00 UTC
- names: a.example, b.example
- proxy: no
- clock skew: -0.25 s
- port: 443
- count: 12345678901234567890

Check K7QD-M2XA of 2026-03-14 09:26:53 UTC, 412 ms.
`
	if diff := cmp.Diff(want, wrongDomain().Markdown()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestABundleHasTheReportTwiceAndTheRequests(t *testing.T) {
	var file bytes.Buffer
	r := wrongDomain()
	requests := []*api.Exchange{{Method: "GET", Scheme: "https", Host: "global.harbor.example", Path: "/getuserdomain.aspx", Status: 200}}
	if err := WriteBundle(&file, "v1.2.3", r, requests); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	parts := map[string]string{}
	for _, f := range archive.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		names, parts[f.Name] = append(names, f.Name), string(text)
	}
	if diff := cmp.Diff([]string{"report.json", "report.md", "requests.har"}, names); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
	var reports []Report
	if err := json.Unmarshal([]byte(strings.ReplaceAll(parts["report.json"], `"detail": {`, `"ignored": {`)), &reports); err != nil || len(reports) != 1 || reports[0].ID != r.ID {
		t.Errorf("%v: %s", err, parts["report.json"])
	}
	if parts["report.md"] != r.Markdown() {
		t.Errorf("report.md:\n%s", parts["report.md"])
	}
	if !strings.Contains(parts["requests.har"], `"url": "https://global.harbor.example/getuserdomain.aspx"`) || !strings.Contains(parts["requests.har"], "v1.2.3") {
		t.Errorf("requests.har:\n%s", parts["requests.har"])
	}
}
