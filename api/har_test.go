package api

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

func shown(name, value string) Pair { return Pair{Name: name, Value: value} }

func hidden(name string) Pair { return Pair{Name: name, Value: "•••", Secret: true} }

// full is a disk that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

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
	list := Exchange{
		Method: "GET", Scheme: "https", Host: "gateway.example.com", Path: "/api", Protocol: "HTTP/2.0", Status: 200, Try: 2, Bytes: 2,
		Body: Excerpt{Text: "[]"}, Err: io.ErrUnexpectedEOF,
	}
	long := Exchange{Method: "GET", Scheme: "https", Host: "gateway.example.com", Path: "/api", Try: 1, Body: Excerpt{Omitted: "it is too long"}}
	exchanges := []*Exchange{&signIn, &login, &list, &long}
	var b bytes.Buffer
	if err := WriteHAR(&b, "v1.2.3", exchanges); err != nil {
		t.Fatal(err)
	}
	if err := WriteHAR(full{}, "v1.2.3", exchanges); err == nil {
		t.Error("what could not be written is no error")
	}
	file := gjson.ParseBytes(b.Bytes())
	if version, creator := file.Get("log.version").Str, file.Get("log.creator").Raw; version != "1.2" || !strings.Contains(creator, "Gatehouse") || !strings.Contains(creator, "v1.2.3") {
		t.Errorf("version %s, by %s", version, creator)
	}
	entries := file.Get("log.entries").Array()
	if len(entries) != len(exchanges) {
		t.Fatalf("there are %d entries", len(entries))
	}
	for path, want := range map[string]string{
		"0.request.postData.mimeType": `"application/x-www-form-urlencoded"`,
		"0.request.postData.params.0": `{"name":"grant_type","value":"password"}`,
		"0.request.headers":           `[{"name":"Content-Type","value":"application/x-www-form-urlencoded"}]`,
		"0.response.content.mimeType": `"application/json"`,
		"0.comment":                   "",
		"1.request.postData":          "",
		"1.request.queryString.1":     `{"name":"password2","value":"•••"}`,
		"1.response.content.mimeType": `""`,
		"2.request.url":               `"https://gateway.example.com/api"`,
		"2.response.content":          `{"mimeType":"","size":2,"text":"[]"}`,
		"2.comment":                   `"try 2; unexpected EOF"`,
		"3.response.content.comment":  `"not kept: it is too long"`,
		"3.comment":                   "",
	} {
		if got := file.Get("log.entries." + path + "|@ugly").Raw; got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	for _, entry := range entries {
		for _, path := range strings.Fields("startedDateTime time cache timings.send timings.wait timings.receive " +
			"request.method request.url request.httpVersion request.cookies request.headers request.queryString request.headersSize request.bodySize " +
			"response.status response.statusText response.httpVersion response.cookies response.headers response.redirectURL response.headersSize response.bodySize " +
			"response.content.size response.content.mimeType") {
			if v := entry.Get(path); !v.Exists() || v.Type == gjson.Null {
				t.Errorf("an entry lacks %s", path)
			}
		}
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
