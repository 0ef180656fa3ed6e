package activity

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/api"
)

func TestAnArchiveHasWhatItsSpecificationAsksFor(t *testing.T) {
	signIn, login := signIn(), deviceLogin()
	var b bytes.Buffer
	if err := WriteHAR(&b, "v1.2.3", []*api.Exchange{&signIn, &login}); err != nil {
		t.Fatal(err)
	}
	var file struct {
		Log struct {
			Version string
			Creator struct{ Name, Version string }
			Entries []map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal(b.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	if l := file.Log; l.Version != "1.2" || l.Creator.Name != "Gatehouse" || l.Creator.Version != "v1.2.3" || len(l.Entries) != 2 {
		t.Fatalf("the log is %+v", l)
	}
	for _, e := range file.Log.Entries {
		requireMembers(t, "entry", e, "startedDateTime", "time", "request", "response", "cache", "timings")
		requireMembers(t, "request", membersOf(t, e["request"]), "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize")
		response := membersOf(t, e["response"])
		requireMembers(t, "response", response, "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize")
		requireMembers(t, "content", membersOf(t, response["content"]), "size", "mimeType")
		requireMembers(t, "timings", membersOf(t, e["timings"]), "send", "wait", "receive")
	}
	for _, want := range []string{
		`"startedDateTime": "2026-03-02T12:00:00Z"`, `"time": 182`, `"wait": 180`, `"receive": 2`,
		`"url": "https://global.example.com/login2.aspx?devicename=O%27Brien%27s+%1B%5B31m+%F0%9F%93%B1&password2=%E2%80%A2%E2%80%A2%E2%80%A2&useremail=ada%40harbor.example"`,
		`"text": "grant_type=password&password=%E2%80%A2%E2%80%A2%E2%80%A2&scope=openid+offline_access&username=ada%40harbor.example"`,
		`"comment": "context deadline exceeded"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the archive lacks %s:\n%s", want, b.String())
		}
	}
}

func TestAnArchiveSaysWhatItLeavesOut(t *testing.T) {
	busy, shares := busy(), shares()
	for x, want := range map[*api.Exchange]string{
		&busy:   "not kept: it is not JSON, and may repeat what was sent",
		&shares: "the beginning alone, closed to be valid JSON",
		{Body: api.Excerpt{Text: "x", Cut: true}}: "the beginning alone",
		{}: "",
	} {
		if got := harEntryOf(x).Response.Content.Comment; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if diff := cmp.Diff(harTimings{Wait: 42, Receive: 1158}, harEntryOf(&shares).Timings); diff != "" {
		t.Errorf("the timings differ (-want +got):\n%s", diff)
	}
	if got := milliseconds(1500 * time.Microsecond); got != 1.5 {
		t.Errorf("1.5 ms are written as %v", got)
	}
}

func membersOf(t *testing.T, raw json.RawMessage) map[string]json.RawMessage {
	t.Helper()
	var o map[string]json.RawMessage
	if err := json.Unmarshal(raw, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func requireMembers(t *testing.T, what string, o map[string]json.RawMessage, names ...string) {
	t.Helper()
	for _, name := range names {
		if v, ok := o[name]; !ok || string(v) == "null" {
			t.Errorf("the %s lacks %s", what, name)
		}
	}
}
