package linemode

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
)

func TestTextIsClippedInWords(t *testing.T) {
	for text, want := range map[string]string{
		"":        "",
		"abcde":   "abcde",
		"abcdef":  "abcd, and more",
		"日本語":     "日本, and more",
		"日本x":     "日本x",
		"abcd…":   "abcd…",
		"ab\x1bd": "ab␛d",
	} {
		if got := clip(text, 5); got != want {
			t.Errorf("clip(%q) is %q, want %q", text, got, want)
		}
	}
}

// answerShares puts a list of shares before the service.
func answerShares(body string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/shares") {
				_, _ = io.WriteString(w, body)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func TestValuesAreSaidAsPeopleReadThem(t *testing.T) {
	v := demoVariables(t)
	v.before(t, answerShares(`[{"Name":"a","DiskUsage":1,"DeletedUsage":2500000,"UpdateTime":"0001-01-01T00:00:00Z","CreateTime":"2023-03-02T10:00:05Z","Open":true,"Files":120000,"Kept":null},
		{"Name":"b","DiskUsage":900,"DeletedUsage":7,"UpdateTime":"2026-01-02T10:00:00Z","CreateTime":"2023-03-02T10:00:05Z","Open":false,"Files":2,"Kept":null}]`))
	said := talk(t, v.options(t), signedIn("ada", "1", "1", "open 1", "back", "back")...)
	wants(t, said, "This is share 1 of 2:\nWhat it is:\nName: a.\nOpen: yes.\nSpace:\nDisk: 1 byte.\nDeleted: 2.5 MB, exactly 2500000.\n",
		"Times:\nUpdated: never.\nCreated: 2023-03-02 10:00, 3 years ago, exactly 2023-03-02T10:00:05Z.\nEverything else:\nFiles: 120,000.\nNot set: Kept.\n")
}

func TestARecordIsSaidInTheGroupsOfTheUI(t *testing.T) {
	v := demoVariables(t)
	v.before(t, answerShares(`[{"Id":"s1","Name":"Plans","ShareAssociationType":2,"ShareCategory":1,"Quota":1000,"DiskUsage":500,
		"ShareRelations":[{"UserId":"ann@x.example","ShareAssociationType":1}],"Steps":[{"a":{"b":1}},{"a":{"b":2}}],"Note":"","Page":"https://x.example/a"},
		{"Id":"s2","Name":"`+strings.Repeat("long", 300_000)+`"}]`))
	said := talk(t, v.options(t), signedIn("ada", "1", "1", "open 1", "open 2", "back", "back")...)
	wants(t, said, "This is share 1 of 2:\nWhat it is:\nName: Plans.\n", "Association: 2 owner.\n", "Category: 1 team.\n",
		"People:\nRelations: ann@x.example 1 write.\n", "Space:\n", "Disk: 500 bytes, 50 %.\n",
		"Everything else:\n", "Steps.1.a.b: 1.\nSteps.2.a.b: 2.\n",
		"This is share 2 of 2:\nId: s2.\nName: longlong")
	for _, raw := range []string{"ShareAssociationType:", "ShareRelations.1", "2 entries"} {
		if _, record, _ := strings.Cut(said, "This is share 1"); strings.Contains(record, raw) {
			t.Errorf("%s is said", raw)
		}
	}
}

func TestARequestOfOneMillisecondIsSaidAsOne(t *testing.T) {
	for took, want := range map[time.Duration]string{time.Millisecond: " after 1 millisecond.", 2 * time.Millisecond: " after 2 milliseconds."} {
		if got := exchange(&api.Exchange{Method: "GET", Status: 200, Duration: took}); !strings.HasSuffix(got, want) {
			t.Errorf("%v: %q", took, got)
		}
	}
}
