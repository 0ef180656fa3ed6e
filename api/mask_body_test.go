package api

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnExcerptOfABodyHasNoSecrets(t *testing.T) {
	const omitted = "omitted: "
	long := `[` + strings.Repeat(`1,`, 10) + `2]`
	for _, tt := range []struct{ name, body, want string }{
		{"nothing", " \n", ""},
		{"plain JSON", "{ \"a\" : [1, null, true, -1.5e3, \"x\"] }\n", `{"a":[1,null,true,-1.5e3,"x"]}`},
		{"a byte order mark", "\uFEFF[1]", `[1]`},
		{"secret members", `{"UserDomainToken":"s","ConfirmKey":null,"apiKey":7,"Password_2":{"a":["s"]},"b":1}`,
			`{"UserDomainToken":"•••","ConfirmKey":null,"apiKey":"•••","Password_2":"•••","b":1}`},
		{"an escaped name", `{"pass\u0077ord":"s"}`, `{"pass\u0077ord":"•••"}`},
		{"what was sent", `["x CANARY/KEY y","canary\u002fkey","canary%2Fkey","Y2FuYXJ5L2tleQ==","63616e6172792f6b6579"]`,
			`["•••","•••","•••","•••","•••"]`},
		{"a name that repeats it", `{"canary/key":1}`, `{"•••":"•••"}`},
		{"a token by its shape", `["eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.","https://a.example/?x=1&access_token=abc"]`, `["•••","•••"]`},
		{"duplicate names", `{"token":1,"a":2,"token":3}`, `{"token":"•••","a":2,"token":"•••"}`},
		{"a page", "<p>hello</p>", omitted + omittedText},
		{"two values", "{} {}", omitted + omittedText},
		{"a trailing comma", "[1,]", omitted + omittedText},
		{"an end that is missing", "[1", omitted + omittedText},
		{"damage in a hidden value", `{"token":[1 2]}`, omitted + omittedText},
		{"a broken escape", `["\x"]`, omitted + omittedText},
		{"a long one", long, long},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := rulesOf("canary/key").excerpt([]byte(tt.body), true)
			if text := got.Text + omittedWord(got); text != tt.want {
				t.Fatalf("got  %s\nwant %s", text, tt.want)
			}
			if got.Cut {
				t.Error("it is said to be cut")
			}
		})
	}
}

func omittedWord(e Excerpt) string {
	if e.Omitted == "" {
		return ""
	}
	return "omitted: " + e.Omitted
}

func TestAnExcerptOfAnAnswerWithTokensShowsWhatIsKnownToBePublic(t *testing.T) {
	rules := rulesOf("canary")
	rules.tokens = true
	body := `{"access_token":"a","expires_in":86400,"token_type":"Bearer","scope":"a b","new":"x","error":"invalid_grant","error_description":"for canary"}`
	want := `{"access_token":"•••","expires_in":86400,"token_type":"Bearer","scope":"a b","new":"•••","error":"invalid_grant","error_description":"•••"}`
	if diff := cmp.Diff(Excerpt{Text: want, JSON: true}, rules.excerpt([]byte(body), true)); diff != "" {
		t.Fatalf("the excerpt differs (-want +got):\n%s", diff)
	}
	for _, bare := range []string{`"opaque"`, `["opaque"]`} {
		if got := rules.excerpt([]byte(bare), true); strings.Contains(got.Text, "opaque") {
			t.Errorf("%s: %+v", bare, got)
		}
	}
}

// Wherever a body is cut, what is kept is JSON and holds no part of a secret.
func TestAnExcerptThatIsCutAnywhereIsClosed(t *testing.T) {
	body := []byte(`{"Data":[{"Name":"a \"b\" 日本","token":"hidden","more":{"ConfirmKey":["hidden"],"n":[[12]]}},"canary/key"],"x":null}`)
	for end := range body {
		got := rulesOf("canary/key").excerpt(body[:end], false)
		switch {
		case end == 0:
		case !got.Cut || !json.Valid([]byte(got.Text)):
			t.Errorf("after %d bytes: %+v", end, got)
		case strings.Contains(got.Text, "hid") || strings.Contains(got.Text, "canary"):
			t.Errorf("after %d bytes a secret shows: %s", end, got.Text)
		}
	}
	if got := rulesOf().excerpt([]byte(`"`+strings.Repeat("x", maxExcerpt)), false); got.Omitted != omittedTooLong {
		t.Errorf("one long text: %+v", got)
	}
}

func TestTextIsKeptWhereNothingSecretWasSent(t *testing.T) {
	rules := rulesOf()
	rules.plainText = true
	for body, want := range map[string]Excerpt{
		"ada@harbor.example,harbor.example":        {Text: "ada@harbor.example,harbor.example"},
		"<a href=/?token=abc>":                     {Omitted: omittedSecret},
		"\xff\xfeok":                               {Text: "ok"},
		"your key: eyJhbGciOiJub25lIn0.eyJzdWIi.x": {Omitted: omittedSecret},
	} {
		if diff := cmp.Diff(want, rules.excerpt([]byte(body), true)); diff != "" {
			t.Errorf("%q differs (-want +got):\n%s", body, diff)
		}
	}
}

func FuzzExcerpt(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,{"token":"x"}],"canary/key":"canary\/key"}`, `[[[[`, `{"a":"\u0063anary/key"`, `nul`, `"\`, "\uFEFF{}", `{"token":{"a":`, `[canary/key]`,
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, head []byte, whole bool) {
		head = head[:min(len(head), maxExcerpt)]
		got := rulesOf("canary/key").excerpt(head, whole)
		if got.JSON && !json.Valid([]byte(got.Text)) {
			t.Fatalf("%q became %q", head, got.Text)
		}
		if len(got.Text) > 3*maxExcerpt {
			t.Fatalf("%d bytes became %d", len(head), len(got.Text))
		}
		if shown := bytes.ToLower([]byte(got.Text)); bytes.Contains(shown, []byte("canary/key")) {
			t.Fatalf("%q became %q", head, got.Text)
		}
		if got.JSON && whole && !got.Cut && !json.Valid(bytes.TrimPrefix(head, []byte("\uFEFF"))) {
			t.Fatalf("%q is no JSON, but became %q", head, got.Text)
		}
	})
}

func rulesOf(secrets ...string) maskRules {
	s := &sent{}
	for _, secret := range secrets {
		s.add(secret)
	}
	return maskRules{sent: s}
}
