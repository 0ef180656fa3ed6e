package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
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
		{"what begins as a secret does", `{"TokenAddress":"https://a.example/token/one","b":"https://a.example/token/two"}`,
			`{"TokenAddress":"•••","b":"https://a.example/token/two"}`},
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
			got := exchangeOf("canary/key").excerpt([]byte(tt.body), true)
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
	x := exchangeOf("canary")
	x.listed = true
	body := `{"access_token":"a","expires_in":86400,"token_type":"Bearer","scope":"a b","new":"x","error":"invalid_grant","error_description":"for canary"}`
	want := `{"access_token":"•••","expires_in":86400,"token_type":"Bearer","scope":"a b","new":"•••","error":"invalid_grant","error_description":"•••"}`
	if diff := cmp.Diff(Excerpt{Text: want, JSON: true}, x.excerpt([]byte(body), true)); diff != "" {
		t.Fatalf("the excerpt differs (-want +got):\n%s", diff)
	}
	for _, bare := range []string{`"opaque"`, `["opaque"]`} {
		if got := x.excerpt([]byte(bare), true); strings.Contains(got.Text, "opaque") {
			t.Errorf("%s: %+v", bare, got)
		}
	}
}

// Wherever a body is cut, what is kept is JSON and holds no part of a secret.
func TestAnExcerptThatIsCutAnywhereIsClosed(t *testing.T) {
	body := []byte(`{"Data":[{"Name":"a \"b\" 日本","token":"hidden","more":{"ConfirmKey":["hidden"],"n":[[12]]}},"canary/key"],"x":null}`)
	for end := range body {
		got := exchangeOf("canary/key").excerpt(body[:end], false)
		switch {
		case end == 0:
		case !got.Cut || !json.Valid([]byte(got.Text)):
			t.Errorf("after %d bytes: %+v", end, got)
		case strings.Contains(got.Text, "hid") || strings.Contains(got.Text, "canary"):
			t.Errorf("after %d bytes a secret shows: %s", end, got.Text)
		}
	}
	if got := exchangeOf().excerpt([]byte(`"`+strings.Repeat("x", maxExcerpt)), false); got.Omitted != omittedTooLong {
		t.Errorf("one long text: %+v", got)
	}
}

// A token that stands behind what is kept is repeated in what is.
func TestASecretBehindTheExcerptIsHiddenInIt(t *testing.T) {
	const token = "one-domain-token"
	filler := `"x":"` + strings.Repeat("y", maxExcerpt) + `",`
	list := `{"Url":"https://a.example/n/` + token + `",` + filler + `"UserDomainToken":"` + token + `"}`
	for _, listed := range []bool{false, true} {
		x := &Exchange{listed: listed}
		if got := x.excerpt([]byte(list), true); got.Text != `{"Url":"•••"}` || !got.Cut {
			t.Errorf("listed is %v: %+v", listed, got)
		}
	}
	// What has not come yet is not known.
	x := &Exchange{listed: true}
	if got := x.excerpt([]byte(`{"Url":"https://a.example/n/`+token+`","Wipe":false,"ConfirmKey":null`), false); got.Text != `{"Url":"•••","Wipe":"•••"}` {
		t.Errorf("of the beginning there is %+v", got)
	}
}

// What has a secret name in the head of an answer or in its body is hidden in both.
func TestASecretOfAnAnswerIsHiddenInAllOfIt(t *testing.T) {
	header := http.Header{
		"X-Access-Token": {"canary-issued-1"}, "Set-Cookie": {"sid=canary-issued-2; Path=/"},
		"Server": {"kestrel canary-issued-1"}, "X-Request-Id": {"canary-issued-3"}, "X-Powered-By": {"ASP.NET"},
	}
	body := `{"a":"canary-issued-1","b":"canary-issued-2","ConfirmKey":"canary-issued-3","c":"canary"}`
	headers, excerpt := new(Exchange).Answer(header, []byte(body), true)
	wantHeaders := "[{Server ••• true} {Set-Cookie ••• true} {X-Access-Token ••• true} {X-Powered-By ASP.NET false} {X-Request-Id ••• true}]"
	if got := fmt.Sprint(headers); got != wantHeaders {
		t.Errorf("the headers are %s", got)
	}
	if want := `{"a":"•••","b":"•••","ConfirmKey":"•••","c":"canary"}`; excerpt.Text != want {
		t.Errorf("the body is %s", excerpt.Text)
	}
}

func BenchmarkExcerpt(b *testing.B) {
	record := `{"Id":"287278d0-9148-4595-8270-15840653bf9a","CompanyId":4112,"Name":"Contracts (signed)","ShareDefault":{"Owner":"ada@harbor.example","ShareCategory":1},"ShareTick":638335656985837470},`
	head := []byte("[" + strings.Repeat(record, MaxHead/len(record)))
	for b.Loop() {
		exchangeOf("canary-token").excerpt(head, false)
	}
}

func TestTextIsKeptWhereNothingSecretWasSent(t *testing.T) {
	x := exchangeOf()
	x.plain = true
	for body, want := range map[string]Excerpt{
		"ada@harbor.example,harbor.example":        {Text: "ada@harbor.example,harbor.example"},
		"<a href=/?token=abc>":                     {Omitted: omittedSecret},
		"\xff\xfeok":                               {Text: "ok"},
		"your key: eyJhbGciOiJub25lIn0.eyJzdWIi.x": {Omitted: omittedSecret},
	} {
		if diff := cmp.Diff(want, x.excerpt([]byte(body), true)); diff != "" {
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
		got := exchangeOf("canary/key").excerpt(head, whole)
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

// What a service issues is in no request: a name or a shape gives it away.
func TestAnExcerptHidesWhatAServiceIssues(t *testing.T) {
	for _, body := range []string{
		`{"d":"{\"UserDomainToken\":\"canary\"}"}`,
		`{"d":"{\"d\":\"{\\\"User\\u0044omainToken\\\":\\\"canary\\\"}\"}"}`,
		`{"log":"sent {\"UserDomainToken\": \"canary\"} to you"}`,
		`{"log":"sent {'access_token': 'canary'"}`,
		`{"xml":"<Token xmlns='x'>canary</Token>"}`,
		`{"xml":"<user apiKey=\"canary\"/>"}`,
		`{"xml":"<add name=\"__RequestVerificationToken\" value=\"canary\"/>"}`,
		`{"CompanyKey":"canary","ResellerKey":"canary","Key":"canary","AccountKey":"canary"}`,
		`{"SessionId":"canary","sid":"canary","Otp":"canary","PIN":"canary","Auth":"canary","FormsAuthTicket":"canary"}`,
		`{"a":"eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..canary.canary.canary"}`,
		`{"a":"` + base64.RawURLEncoding.EncodeToString([]byte("{\n \"alg\":1}")) + `.canary.canary"}`,
		`{"a":"https://ann:canary@files.example/x"}`,
		`{"a":"/(S(canary))/default.aspx"}`,
		`{"a":"/x;jsessionid=canary"}`,
		`{"eyJhbGciOiJub25lIn0.canary.x":1}`,
	} {
		got := exchangeOf("what-was-sent").excerpt([]byte(body), true)
		if strings.Contains(got.Text, "canary") || !json.Valid([]byte(got.Text)) {
			t.Errorf("%s became %s", body, got.Text)
		}
	}
}

func TestAnExcerptShowsWhatIsHarmless(t *testing.T) {
	for _, body := range []string{
		`{"Name":"Tokens & secrets of 2026","Note":"the password is wrong","ErrorCode":"U100","Code":7}`,
		`{"error_description":"Invalid token: it has expired"}`,
		`{"d":"{\"Name\":\"<Contracts>\"}"}`,
		`{"Url":"https://files.example/a/b?id=7","Ratio":"16:9","Monkey":"Bo","SortKey":"Name","PrimaryKey":7}`,
	} {
		if got := exchangeOf("what-was-sent").excerpt([]byte(body), true); got.Text != body {
			t.Errorf("%s became %s", body, got.Text)
		}
	}
}

func TestAPageThatSpeaksOfSecretsIsNotKept(t *testing.T) {
	x := exchangeOf()
	x.plain = true
	for _, page := range []string{
		`<input name="__RequestVerificationToken" type="hidden" value="canary">`,
		"Server=db;User Id=sa;Password = canary",
		"\xff\xfec\x00a\x00n\x00a\x00r\x00y\x00",
		"\x1f\x8b\x08\x00\x00\x00canary",
	} {
		if got := x.excerpt([]byte(page), true); got.Text != "" || got.Omitted == "" {
			t.Errorf("%q is kept as %+v", page, got)
		}
	}
	if got := x.excerpt([]byte("sent with bearer canary"), false); strings.Contains(got.Text, "canary") {
		t.Errorf("what may go on is kept: %+v", got)
	}
	if got := x.excerpt([]byte(strings.Repeat("x", maxExcerpt)), false); got.Omitted != omittedTooLong {
		t.Errorf("of one long word there is %+v", got)
	}
}

// exchangeOf is an exchange with nothing but secrets in its request.
func exchangeOf(secrets ...string) *Exchange {
	x := &Exchange{}
	x.sent.Add(secrets...)
	return x
}

func TestJSONInAStringIsHiddenForItsSecrets(t *testing.T) {
	x := exchangeOf()
	for body, want := range map[string]string{
		`{"d":"{\"Name\":\"Contracts\"}"}`:                             `{"d":"{\"Name\":\"Contracts\"}"}`,
		`{"d":"{\"Name\":\"Contracts\",\"Token\":\"x\"}"}`:             `{"d":"•••"}`,
		`{"d":" [{\"ResellerKey\":\"X\",\"Pin\":\"1234\"}]"}`:          `{"d":"•••"}`,
		`{"d":"{ \"Confirm\\u004bey\" : \"canary\"}","e":"a canary."}`: `{"d":"•••","e":"•••"}`,
		`{"d":"{\"e\":\"{\\\"Token\\\":\\\"canary\\\"}\"}"}`:           `{"d":"•••"}`,
	} {
		if got := x.excerpt([]byte(body), true); got.Text != want {
			t.Errorf("of  %s\nis  %s\nnot %s", body, got.Text, want)
		}
	}
}
