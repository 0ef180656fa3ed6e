package activity

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/api"
	"gatehouse/internal/testkit/uitest"
)

func TestWhereFilesAreOutOfReachTheRequestsAreCopied(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		d := newDesk(t)
		d.Env.Remote = true
		d.log.Add(api.Exchange{Method: "GET", Host: "gateway.harbor.example", Path: "/api/one"})
		d.press("e")
		if len(d.Told) != 1 {
			t.Fatalf("the screen asked for %v", d.Told)
		}
		request, ok := d.Told[0].(uitest.Copy)
		if !ok || !json.Valid([]byte(request.Text)) || !strings.Contains(request.Text, "/api/one") {
			t.Errorf("the screen asked for %+v", d.Told[0])
		}
	})
}

func TestARequestBecomesACommand(t *testing.T) {
	signIn, shares, login := signIn(), shares(), deviceLogin()
	for _, tt := range []struct {
		x    *api.Exchange
		want string
	}{
		{&signIn, `curl https://auth.example.com/connect/token \
  --user "$GATEHOUSE_CLIENT_ID":"$GATEHOUSE_CLIENT_SECRET" \
  --header 'Content-Type: application/x-www-form-urlencoded' \
  --header 'User-Agent: gatehouse/1.0' \
  --data-urlencode grant_type=password \
  --data-urlencode password="$GATEHOUSE_PASSWORD" \
  --data-urlencode 'scope=openid offline_access' \
  --data-urlencode username=ada@harbor.example`},
		{&shares, `curl 'https://clientgateway.harbor.example/api/users/ada%40harbor.example/shares' \
  --header 'Accept: application/json' \
  --header 'Authorization: Bearer '"$GATEHOUSE_TOKEN"`},
		{&login, `curl https://global.example.com/login2.aspx \
  --get \
  --data 'devicename=O%27Brien%27s+%1B%5B31m+%F0%9F%93%B1' \
  --data-urlencode password2="$GATEHOUSE_PASSWORD_BASE64" \
  --data-urlencode useremail=ada@harbor.example`},
		{&api.Exchange{Method: "DELETE", Scheme: "http", Host: "[::1]:80", Path: "/", Header: []api.Pair{hidden("Cookie")}},
			`curl --globoff 'http://[::1]:80/' \
  --request DELETE \
  --header 'Cookie: '"$GATEHOUSE_COOKIE"`},
	} {
		if diff := cmp.Diff(tt.want, Curl(tt.x)); diff != "" {
			t.Errorf("the command differs (-want +got):\n%s", diff)
		}
	}
}

// A shell takes every command apart into the very words it was made of, whatever
// stands in them, and runs nothing else.
func FuzzAShellReadsTheCommandAsItIsMeant(f *testing.F) {
	for _, seed := range []string{
		"plain", "", "it's", `"$HOME"`, "$(touch owned)", "`id`", "a\nb", "a;b&&c|d>e", `\`, "日本 📱", "*?[a]{b,c}~!#", "-o", "\x1b[31m", "\u202e", "'\\''", "@file", "=",
	} {
		f.Add(seed, seed, seed)
	}
	f.Fuzz(func(t *testing.T, name, value, path string) {
		if strings.ContainsRune(name+value+path, 0) {
			return // no word of a command can hold it
		}
		x := &api.Exchange{
			Method: "M" + name, Scheme: "https", Host: value + ".example", Path: "/" + path, Credential: "Bearer",
			Header: []api.Pair{shown(name, value), {Name: "Authorization", Value: "Bearer •••", Secret: true}, hidden("X-" + value)},
			Query:  []api.Pair{shown(name, value), hidden("password2")},
		}
		var want []string
		for _, option := range curlOptions(x) {
			for _, w := range option {
				want = append(want, w.expanded())
			}
		}
		// The shell's own function stands for curl; every variable holds its name.
		script := "curl() { printf '%s\\0' \"$@\"; }\nset -u\n" + Curl(x) + "\n"
		command := exec.Command("sh", "-c", script)
		command.Dir = t.TempDir()
		for _, option := range curlOptions(x) {
			for _, w := range option {
				for _, p := range w {
					if p.variable != "" {
						command.Env = append(command.Env, p.variable+"=<"+p.variable+" $HOME>")
					}
				}
			}
		}
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s\n%s", err, out, script)
		}
		got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("the words differ (-want +got):\n%s\n%s", diff, script)
		}
	})
}

// expanded is the word as the shell should hand it over.
func (w word) expanded() string {
	var b strings.Builder
	for _, p := range w {
		b.WriteString(p.text)
		if p.variable != "" {
			b.WriteString("<" + p.variable + " $HOME>")
		}
	}
	return b.String()
}

func TestParametersReachCurlAsTheyWere(t *testing.T) {
	for _, value := range []string{"a b", "O'Brien", "a\nb", "ü&=+%", "\u202e"} {
		o := data(shown("x", value))
		text := strings.TrimPrefix(o[1].expanded(), "x=")
		if o[0].expanded() == "--data" {
			decoded, err := url.QueryUnescape(text)
			if err != nil {
				t.Fatal(err)
			}
			text = decoded
		}
		if text != value {
			t.Errorf("%q became %q", value, text)
		}
	}
}

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
		&shares: "only the beginning, completed to valid JSON",
		{Body: api.Excerpt{Text: "x", Cut: true}}: "only the beginning",
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
