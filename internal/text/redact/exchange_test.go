package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

func TestOfABodyWhatIsPublicIsShown(t *testing.T) {
	omitted := Excerpt{Omitted: omittedText}
	shown := func(text string) Excerpt { return Excerpt{Text: text, JSON: true} }
	for _, tt := range []struct {
		name, body string
		want       Excerpt
	}{
		{"nothing", " \n", Excerpt{}},
		{"a token answer", `{"access_token":"a","expires_in":86400,"token_type":"Bearer","scope":"a b","new":"x"}`,
			shown(`{"access_token":"•••","expires_in":86400,"token_type":"Bearer","scope":"a b","new":"•••"}`)},
		{
			"a refusal that repeats what was sent",
			`{"error":"invalid_grant","error_description":"for canary\u002fkey"}`,
			shown(`{"error":"invalid_grant","error_description":"•••"}`),
		},
		{"a list", "\uFEFF[ {\"Id\":7, \"Name\":\"x\",\"Owner\":null,\"Wipe\":true,\"Data\":[1,[\"x\"]]}, \"x\" ]\n",
			shown(`[{"Id":"•••","Name":"•••","Owner":null,"Wipe":true,"Data":["•••",["•••"]]},"•••"]`)},
		{"secret members", `{"UserDomainToken":{"code":["s"]},"ConfirmKey":null,"pass\u0077ord":7,"code":[1,2]}`,
			shown(`{"UserDomainToken":"•••","ConfirmKey":null,"pass\u0077ord":"•••","code":[1,2]}`)},
		{"truth", `{"new":true,"Owner":false}`, shown(`{"new":true,"Owner":false}`)},
		{"a name that repeats a secret", `{"canary/key":1}`, shown(`{"•••":"•••"}`)},
		{
			"a token by its shape",
			`{"Message":"no eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.","Url":"https://a.example/?access_token=abc"}`,
			shown(`{"Message":"•••","Url":"•••"}`),
		},
		{
			"a token that is repeated",
			`{"Url":"https://a.example/n/one-domain-token","UserDomainToken":"one-domain-token"}`,
			shown(`{"Url":"•••","UserDomainToken":"•••"}`),
		},
		{"a page", "<p>hello</p>", omitted},
		{"two values", "{} {}", omitted},
		{"damage", `{"token":[1 2]}`, omitted},
		{
			"a long one",
			`{"Message":"` + strings.Repeat("x", maxExcerpt) + `"}`,
			Excerpt{Omitted: omittedLong},
		},
	} {
		if diff := cmp.Diff(tt.want, bodyOf(exchangeOf("canary/key"), tt.body)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	for extent, want := range map[Extent]string{TooLong: omittedLong, Partial: omittedPartial} {
		if _, got := exchangeOf().Answer(nil, []byte(`{"code":1}`), extent); got != (Excerpt{Omitted: want}) {
			t.Errorf("of the beginning of a body there is %+v, want %q", got, want)
		}
	}
}

// What has a secret name in the head of an answer or in its body is hidden in both.
func TestASecretOfAnAnswerIsHiddenInAllOfIt(t *testing.T) {
	header := http.Header{
		"X-Access-Token": {"canary-issued-1"}, "Set-Cookie": {"sid=canary-issued-2; Path=/"},
		"Server": {"kestrel canary-issued-1"}, "X-Request-Id": {"canary-issued-3"},
		"X-Powered-By": {"ASP.NET"},
	}
	body := `{"code":"canary-issued-1","title":"canary-issued-2","ConfirmKey":"canary-issued-3","detail":"canary"}`
	headers, excerpt := new(Exchange).Answer(header, []byte(body), Whole)
	wantHeaders := "[{Server ••• true} {Set-Cookie ••• true} {X-Access-Token ••• true} {X-Powered-By ASP.NET false} {X-Request-Id ••• true}]"
	if got := fmt.Sprint(headers); got != wantHeaders {
		t.Errorf("the headers are %s", got)
	}
	if want := `{"code":"•••","title":"•••","ConfirmKey":"•••","detail":"canary"}`; excerpt.Text != want {
		t.Errorf("the body is %s", excerpt.Text)
	}
}

func TestTextIsKeptWhereNothingSecretWasSent(t *testing.T) {
	for body, want := range map[string]Excerpt{
		"ada@harbor.example,harbor.example\n":      {Text: "ada@harbor.example,harbor.example"},
		"<a href=/?token=abc>":                     {Omitted: omittedText},
		"\x1f\x8b\x08\x00\x00\x00canary":           {Omitted: omittedText},
		"your key: eyJhbGciOiJub25lIn0.eyJzdWIi.x": {Omitted: omittedText},
		strings.Repeat("x", maxText+1):             {Omitted: omittedText},
	} {
		x := exchangeOf()
		x.sentNothing = true
		if diff := cmp.Diff(want, bodyOf(x, body)); diff != "" {
			t.Errorf("%q differs (-want +got):\n%s", body, diff)
		}
	}
}

// What a service issues is in no request: its name or its shape gives it away.
func TestAResultHidesWhatAServiceIssues(t *testing.T) {
	for _, body := range []string{
		`{"d":"{\"UserDomainToken\":\"canary\"}"}`,
		`{"d":"{\"d\":\"{\\\"User\\u0044omainToken\\\":\\\"canary\\\"}\"}"}`,
		`{"CompanyKey":"canary","ResellerKey":"canary","Key":"canary","AccountKey":"canary"}`,
		`{"SessionId":"canary","sid":"canary","Otp":"canary","PIN":"canary","Auth":"canary","FormsAuthTicket":"canary"}`,
		`{"Token":{"canary":[{"canary":"canary"}]},"Url":"x canary x"}`,
		// A secret was found before, beside the text and in another one.
		`{"Token":"another","d":"{\"Pin\":\"canary\"}","Url":"x canary x"}`,
		`{"c":"{\"Token\":\"another\"}","d":"{\"Pin\":\"canary\"}","Url":"x canary x"}`,
	} {
		if got := string(Result([]byte(body))); strings.Contains(got, "canary") || !json.Valid([]byte(got)) {
			t.Errorf("%s became %s", body, got)
		}
	}
	for _, text := range []string{
		`sent {"UserDomainToken": "canary"} to you`, `sent {'access_token': 'canary'`,
		`<Token xmlns='x'>canary</Token>`, `<user apiKey="canary"/>`,
		`<add name="__RequestVerificationToken" value="canary"/>`,
		`eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..canary.canary.canary`,
		base64.RawURLEncoding.EncodeToString([]byte("{\n \"alg\":1}")) + `.canary.canary`,
		`https://ann:canary@files.example/x`,
		`/(S(canary))/default.aspx`, `/x;jsessionid=canary`,
		"Server=db;User Id=sa;Password = canary",
	} {
		if !new(Secrets).Hide(text) {
			t.Errorf("%s is shown", text)
		}
	}
}

func TestWhatIsHarmlessIsShown(t *testing.T) {
	for _, text := range []string{
		"Tokens & secrets of 2026", "the password is wrong", "Invalid token: it has expired",
		`{"Name":"<Contracts>"}`, "https://files.example/a/b?id=7", "16:9",
	} {
		if new(Secrets).Hide(text) {
			t.Errorf("%s is hidden", text)
		}
	}
	for body, want := range map[string]string{
		`{"Monkey":"Bo", "SortKey" : "Name","PrimaryKey":7.0,"d":"{\"Name\":\"<Contracts>\"}"}`:                    "",
		`{"UserDomainToken":"user-domain-token","DeviceId":"x"}`:                                                   `{"UserDomainToken":"•••","DeviceId":"x"}`,
		`{"Key":"Canary-Issued-1","a canary-issued-1":[1]}`:                                                        `{"Key":"•••","•••":[1]}`,
		`{"Token":"•••","x":"a ••• b","Pin":"4711","y":"no 4711","z":"no 47119"}`:                                  `{"Token":"•••","x":"a ••• b","Pin":"•••","y":"•••","z":"no 47119"}`,
		`{"d":"{\"Token\":\"x\",\"y\":\"{\\\"z\\\":1}\"}"}`:                                                        `{"d":"•••"}`,
		`{"d":"{\"y\":\"{\\\"Token\\\":\\\"x\\\"}\"}"}`:                                                            `{"d":"•••"}`,
		`{"TokenAddress":"https://a.example/token/one","b":"https://a.example/token/two"}`:                         `{"TokenAddress":"•••","b":"https://a.example/token/two"}`,
		`{"d":" [{\"ResellerKey\":\"X\",\"Pin\":\"1234\"}]","e":"{\"Name\":\"Contracts\",\"Token\":\"x\"}","f":1}`: `{"d":"•••","e":"•••","f":1}`,
	} {
		if want == "" {
			want = body
		}
		if got := string(Result([]byte(body))); got != want {
			t.Errorf("of  %s\nis  %s\nnot %s", body, got, want)
		}
	}
}

func FuzzExcerpt(f *testing.F) {
	for _, seed := range []string{
		`{"code":[1,{"token":"x"}],"canary/key":"canary\/key"}`, `[[[[`,
		`{"code":"\u0063anary/key"`, `nul`, `"\`, "\uFEFF{}", `{"token":{"a":`, `[canary/key]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got := bodyOf(exchangeOf("canary/key"), string(body))
		if got.JSON != (got.Text != "") || got.JSON && !json.Valid([]byte(got.Text)) || strings.Contains(strings.ToLower(got.Text), "canary/key") {
			t.Fatalf("%q became %q", body, got.Text)
		}
	})
}

func bodyOf(x *Exchange, body string) Excerpt {
	_, excerpt := x.Answer(nil, []byte(body), Whole)
	return excerpt
}

// exchangeOf is an exchange with nothing but secrets in its request.
func exchangeOf(secrets ...string) *Exchange {
	x := &Exchange{}
	x.secrets.Add(secrets...)
	return x
}

// What is kept of a request for hours is no part of the text that has its secrets, which would stay
// in memory as long.
func TestWhatIsShownOfARequestHoldsNoneOfItsSecretsInMemory(t *testing.T) {
	r, err := http.NewRequest(http.MethodGet, "https://a.example/login2.aspx?devicename=laptop&password2=Y2FuYXJ5&domain=harbor", nil)
	if err != nil {
		t.Fatal(err)
	}
	sent := r.URL.RawQuery
	within := func(part string) bool {
		begin, at := uintptr(unsafe.Pointer(unsafe.StringData(sent))), uintptr(unsafe.Pointer(unsafe.StringData(part)))
		return at >= begin && at < begin+uintptr(len(sent))
	}
	if !within(sent[1:2]) {
		t.Fatal("a part is not found")
	}
	x := NewExchange(r)
	if len(x.Query) != 3 {
		t.Fatalf("the query is %v", x.Query)
	}
	for _, p := range x.Query {
		if within(p.Name) || within(p.Value) {
			t.Errorf("%s keeps all of %q", p.Name, sent)
		}
	}
}

func TestOfManyParametersAndHeadersTheFirstAreKept(t *testing.T) {
	r, err := http.NewRequest(http.MethodGet, "https://a.example/x?"+strings.Repeat("domain=harbor&", 10*maxPairs), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header["Accept"] = strings.Split(strings.Repeat("x ", 10*maxPairs), " ")
	if x := NewExchange(r); len(x.Query) != maxPairs || len(x.Header) != maxPairs {
		t.Errorf("%d parameters and %d headers are kept", len(x.Query), len(x.Header))
	}
}
