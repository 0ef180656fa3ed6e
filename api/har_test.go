package api

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func shown(name, value string) Pair { return Pair{Name: name, Value: value} }

func hidden(name string) Pair { return Pair{Name: name, Value: "•••", Secret: true} }

func TestAnArchiveHasWhatItsSpecificationAsksFor(t *testing.T) {
	signIn := Exchange{
		Start: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC), Method: "POST", Scheme: "https", Host: "auth.example.com", Path: "/connect/token",
		Form:         []Pair{shown("grant_type", "password"), hidden("password"), shown("scope", "openid offline_access"), shown("username", "ada@harbor.example")},
		Header:       []Pair{shown("Content-Type", "application/x-www-form-urlencoded")},
		AnswerHeader: []Pair{shown("Content-Type", "application/json")},
		Status:       200, FirstByte: 180 * time.Millisecond, Duration: 182 * time.Millisecond,
	}
	login := Exchange{
		Method: "GET", Scheme: "https", Host: "global.example.com", Path: "/login2.aspx",
		Query: []Pair{shown("devicename", "O'Brien's \x1b[31m 📱"), hidden("password2"), shown("useremail", "ada@harbor.example")},
		Try:   1, Duration: 30 * time.Second, Err: context.DeadlineExceeded,
	}
	var b bytes.Buffer
	if err := WriteHAR(&b, "v1.2.3", []*Exchange{&signIn, &login}); err != nil {
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
