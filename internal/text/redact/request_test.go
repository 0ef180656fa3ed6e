package redact

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gatehouse/internal/text/secret"
)

// requestOf is a GET of an address, which the addresses before have redirected to.
func requestOf(t *testing.T, address string, before ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(before) > 0 {
		r.Response = &http.Response{Request: requestOf(t, before[0], before[1:]...)}
	}
	return r
}

// shown are pairs as one text.
func shown(pairs []Pair) string {
	var list []string
	for _, p := range pairs {
		list = append(list, fmt.Sprintf("%s=%s %t", p.Name, p.Value, p.Secret))
	}
	return strings.Join(list, ", ")
}

func TestOfAQueryWhatTheProgramItselfSendsIsShown(t *testing.T) {
	for _, tt := range []struct{ query, want string }{
		{
			"useremail=ann%40harbor.example&domain=harbor.example&deviceip=",
			"useremail=ann@harbor.example false, domain=harbor.example false, deviceip= false",
		},
		{
			"password2=Y2FuYXJ5&Ad=&client_secret=x",
			"password2=••• true, Ad= false, client_secret=••• true",
		},
		{"canary=1&x=canary&y", "•••=••• true, •••=••• true, •••= true"}, // a redirect put it there
		{
			"password2=Y2FuYXJ5&devicename=my+canary&deviceid=canaries",
			"password2=••• true, devicename=••• true, deviceid=canaries false",
		},
		{
			"x=canary-token-of-a-redirect&devicename=canary-token-of-a-redirect",
			"•••=••• true, devicename=••• true",
		},
		{"devicename=%zz&devicetype=a%0ab", "devicename=%zz false, devicetype=a b false"},
		{"&&devicename=a&", "devicename=a false"},
	} {
		if got := shown(NewExchange(requestOf(t, "https://a.example/x?"+tt.query)).Query); got != tt.want {
			t.Errorf("of %s there is\n     %s\nwant %s", tt.query, got, tt.want)
		}
	}
	long := "https://a.example/?" + strings.Repeat("domain="+strings.Repeat("x", maxText+1)+"&", maxPairs+1)
	pairs := NewExchange(requestOf(t, long)).Query
	if len(pairs) != maxPairs || len([]rune(pairs[0].Value)) != maxText {
		t.Errorf("%d pairs of a long query", len(pairs))
	}
}

func TestOfARedirectedPathWhatWasAskedForIsShown(t *testing.T) {
	const host = "https://a.example"
	for _, tt := range []struct {
		path, want string
		before     []string // the last redirect first
	}{
		{"/api/users/ann%40harbor.example/shares", "/api/users/ann%40harbor.example/shares", nil},
		{"/v2/api/users/canary", "/•••/api/users/•••", []string{"/api/users"}},
		{"/a/b/canary", "/a/•••/•••", []string{"/b/canary", "/a"}},
		{"/api/", "/api/", []string{"/api"}},
		{"/x/canary-token/y", "/•••", nil},
		{"/x/canary%2dtoken/y", "/•••", nil},
		{"/" + strings.Repeat("x", maxPath), "/" + strings.Repeat("x", maxPath-2) + "…", nil},
	} {
		var before []string
		for _, path := range tt.before {
			before = append(before, host+path)
		}
		r := requestOf(t, host+tt.path, before...)
		r.Header.Set("Authorization", "Bearer canary-token")
		if got := NewExchange(r).Path; got != tt.want {
			t.Errorf("of %s after %v there is %s", tt.path, tt.before, got)
		}
	}
}

func TestOfAFormWhatIsNoSecretIsShown(t *testing.T) {
	form := url.Values{"grant_type": {"password"}, "username": {"ann"}, "password": {"canary"}, "client_id": {"my canary"}, "other": {"x"}}.Encode()
	r := func(kind string) *http.Request {
		r, err := http.NewRequest(http.MethodPost, "https://a.example/", strings.NewReader(form))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		return r
	}
	const kind = "application/x-www-form-urlencoded"
	want := "client_id=••• true, grant_type=password false, •••=••• true, password=••• true, username=ann false"
	if got := shown(NewExchange(r(kind + "; charset=utf-8")).Form); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	once := r(kind)
	once.GetBody = nil
	if x := NewExchange(once); len(x.Form) != 0 || x.sentNothing {
		t.Errorf("of a body that is read once: %+v", x)
	}
	if x := NewExchange(r("text/plain")); len(x.Form) != 0 || x.sentNothing {
		t.Errorf("of a body that is no form: %+v", x)
	}
	form = "username=a&username=" + strings.Repeat("b", maxForm) + "&scope=c"
	if got := NewExchange(r(kind)).Form; len(got) != 2 {
		t.Errorf("of a long form there are %d fields", len(got))
	}
}

func TestOfHeadersWhatIsPublicIsShown(t *testing.T) {
	r := requestOf(t, "https://a.example/x")
	r.SetBasicAuth("client", "canary")
	r.Header.Set("X-Canary", "x")
	r.Header.Set("User-Agent", "gatehouse canary")
	r.Header.Set("Accept", "a/b\x7f")
	want := "Accept=a/b false, Authorization=Basic ••• true, User-Agent=••• true, •••=••• true"
	if got := shown(NewExchange(r).Header); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r.Header.Set("Authorization", "canary-key")
	if got := shown(NewExchange(r).Header); !strings.Contains(got, "Authorization=••• true") {
		t.Errorf("an unknown scheme: %s", got)
	}
	many := http.Header{}
	for i := range maxPairs + 1 {
		many.Set(fmt.Sprintf("X-%d-%s", i, strings.Repeat("x", maxHeaderName)), "a")
	}
	pairs, _ := new(Exchange).Answer(many, nil, Whole)
	if len(pairs) != maxPairs || len([]rune(pairs[0].Name)) != maxHeaderName {
		t.Errorf("%d headers, the first one %q", len(pairs), pairs[0].Name)
	}
}

// The pair of a Basic header and each half of a token stand in a text by themselves.
func TestTheSecretOfABasicHeaderIsHidden(t *testing.T) {
	r := requestOf(t, "https://a.example/x")
	r.SetBasicAuth("client", "canary")
	_, excerpt := NewExchange(r).Answer(nil, []byte(`{"Message":"canary","title":"client","detail":"Y2xpZW50OmNhbmFyeQ==","status":"Basic"}`), Whole)
	if want := `{"Message":"•••","title":"client","detail":"•••","status":"Basic"}`; excerpt.Text != want {
		t.Errorf("got %s", excerpt.Text)
	}
}

func TestTextIsNotKeptWhereACredentialWasSent(t *testing.T) {
	r := requestOf(t, "https://a.example/x")
	if _, got := NewExchange(r).Answer(nil, []byte("ann,harbor.example"), Whole); got.Text != "ann,harbor.example" {
		t.Errorf("without a credential there is %+v", got)
	}
	r.Header.Set("Authorization", "Bearer canary-token")
	if _, got := NewExchange(r).Answer(nil, []byte("ann,harbor.example"), Whole); got.Omitted != omittedText {
		t.Errorf("with a credential there is %+v", got)
	}
}

func TestTheSchemeIsAllThatIsSaidOfACredential(t *testing.T) {
	for text, want := range map[string]string{"Basic Y2FuYXJ5": "Basic", "Bearer x y": "Bearer", "ApiKey": "ApiKey", "canary x": "", "bearer x": "", "": ""} {
		if got := Scheme(text); got != want {
			t.Errorf("of %q it is %q", text, got)
		}
	}
}

func TestOneLine(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{" a\r\n\tb\x00c\u0085d ", 20, "a b c d"},
		{"a\xffb", 20, "a\uFFFDb"},
		{"abcd", 4, "abcd"},
		{"abcde", 4, "abc…"},
		{"äöüß€", 4, "äöü…"},
		{"a    b", 3, "a b"},
	} {
		if got := OneLine(tt.text, tt.limit); got != tt.want {
			t.Errorf("OneLine(%q, %d) = %q", tt.text, tt.limit, got)
		}
	}
}

func TestWhatIsNoJSONIsReturnedAsItIs(t *testing.T) {
	var s Secrets
	s.Add("canary")
	for _, text := range []string{"canary", `{"a":canary}`, ""} {
		if got := string(s.Repeated([]byte(text))); got != text {
			t.Errorf("%q became %q", text, got)
		}
		if got := Result([]byte(text)); got != nil {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got := string(s.Repeated([]byte(`{"canary":["canary",null,1]}`))); got != `{"`+secret.Mask+`":["`+secret.Mask+`",null,1]}` {
		t.Errorf("got %s", got)
	}
}
