package activity

import (
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"gatehouse/api"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

func TestWhereFilesAreOutOfReachNoneIsWritten(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		d := newDesk(t)
		d.Env.Remote = true
		d.log.Add(api.Exchange{Method: "GET", Host: "gateway.harbor.example", Path: "/api/one"})
		for _, a := range d.Actions() {
			if a.ID == screen.ActivityExport && a.Enabled() {
				t.Error("a file can be written")
			}
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
		if diff := cmp.Diff(tt.want, curl(tt.x)); diff != "" {
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
		if strings.ContainsRune(name+value+path, 0) || name == "Authorization" {
			return // no word of a command can hold it; a secret
		}
		x := &api.Exchange{
			Method: "M" + name, Scheme: "https", Host: value + ".example", Path: "/" + path, Credential: "Bearer",
			Header: []api.Pair{shown(name, value), {Name: "Authorization", Value: "Bearer •••", Secret: true}, hidden("X-" + value)},
			Query:  []api.Pair{shown(name, value), hidden("password2")},
		}
		kept := "--data-urlencode"
		field := url.QueryEscape(name) + "="
		if strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsGraphic(r) }) {
			kept, field = "--data", field+url.QueryEscape(value)
		} else {
			field += value
		}
		header := strings.Trim(variable("X-"+value), `"$`)
		want := []string{
			x.Scheme + "://" + x.Host + x.Path, "--request", x.Method, "--header", name + ": " + value, "--header", "Authorization: Bearer <token $HOME>",
			"--header", "X-" + value + ": <header $HOME>", "--get", kept, field, "--data-urlencode", "password2=<password $HOME>",
		}
		if strings.ContainsAny(want[0], "[]{}") {
			want = append([]string{"--globoff"}, want...)
		}
		// The shell's own function stands for curl.
		script := "curl() { printf '%s\\0' \"$@\"; }\nset -u\n" + curl(x) + "\n"
		command := exec.Command("sh", "-c", script)
		command.Dir = t.TempDir()
		command.Env = []string{"GATEHOUSE_TOKEN=<token $HOME>", "GATEHOUSE_PASSWORD_BASE64=<password $HOME>", header + "=<header $HOME>"}
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

func TestParametersReachCurlAsTheyWere(t *testing.T) {
	for _, value := range []string{"a b", "O'Brien", "a\nb", "ü&=+%", "\u202e"} {
		option, word, _ := strings.Cut(data(shown("x", value)), " ")
		out, err := exec.Command("sh", "-c", "printf %s "+word).Output()
		if err != nil {
			t.Fatal(err)
		}
		text := strings.TrimPrefix(string(out), "x=")
		if option == "--data" {
			text, err = url.QueryUnescape(text)
		}
		if text != value || err != nil {
			t.Errorf("%q became %q, %v", value, text, err)
		}
	}
}
