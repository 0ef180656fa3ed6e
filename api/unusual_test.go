package api

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gatehouse/internal/secret"
)

// spelled are the ways in which software writes down what it was sent.
func spelled(s string) map[string]string {
	quoted, _ := json.Marshal(s)
	twice, _ := json.Marshal(string(quoted))
	units := ""
	for _, r := range s {
		units += fmt.Sprintf(`\u%04x`, r)
	}
	return map[string]string{
		"as it is":             s,
		"in capitals":          strings.ToUpper(s),
		"for a query":          url.QueryEscape(s),
		"for a query, twice":   url.QueryEscape(url.QueryEscape(s)),
		"as .NET does":         strings.NewReplacer("%28", "(", "%29", ")", "%21", "!", "%2A", "*").Replace(strings.ToLower(url.QueryEscape(s))),
		"for a page":           html.EscapeString(s),
		"for a page, numbered": strings.NewReplacer("&", "&#38;", "<", "&#x3c;", "(", "&#40;").Replace(s),
		"for JSON":             strings.Trim(string(quoted), `"`),
		"for JSON, twice":      strings.Trim(string(twice), `"`),
		"in units of JSON":     units,
		"in hex":               strings.ToUpper(hex.EncodeToString([]byte(s))),
		"in Base64":            base64.StdEncoding.EncodeToString([]byte(s)),
		"in Base64, after 1":   base64.StdEncoding.EncodeToString([]byte("=" + s + "&x")),
		"in Base64, after 2":   base64.StdEncoding.EncodeToString([]byte("p=" + s + "&xy")),
		"in Base64, for URLs":  base64.RawURLEncoding.EncodeToString([]byte("key=" + s + "&xyz")),
	}
}

func TestASecretThatWasSentIsFoundInEverySpelling(t *testing.T) {
	for _, sentSecret := range []string{`pa(ss) & "wörd"!<+/%41\>`, "demo", "0b6f7a3e-11aa-4c1d-9d0e-7f2f3a4b5c6d"} {
		s := &sent{}
		s.add(sentSecret)
		for name, text := range spelled(sentSecret) {
			if !s.in("a text with " + text + " in it") {
				t.Errorf("%s, %q is not found in %s", name, sentSecret, text)
			}
		}
		if s.in("100 % of R&D use C:\\temp and a+b in 5\\u00 &amp; more, see Y2FuYXJ5") {
			t.Errorf("%q is found where it is not", sentSecret)
		}
	}
	s := &sent{}
	s.add("a-refresh-token-of-40-characters-or-more")
	if !s.in("no such token: a-refresh-token-of-40-ch...") {
		t.Error("the beginning of a long secret is not found")
	}
}

// What a service issues is in no request: a name or a shape gives it away.
func TestAnExcerptHidesWhatAServiceIssues(t *testing.T) {
	for _, body := range []string{
		`{"d":"{\"UserDomainToken\":\"canary\"}"}`,
		`{"d":"{\"d\":\"{\\\"User\\u0044omainToken\\\":\\\"canary\\\"}\"}"}`,
		`{"d":"{ \"Confirm\\u004bey\" : \"canary\"}"}`,
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
		got := rulesOf("what-was-sent").excerpt([]byte(body), true)
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
		`{"Url":"https://files.example/a/b?id=7","Ratio":"16:9","Monkey":null}`,
	} {
		if got := rulesOf("what-was-sent").excerpt([]byte(body), true); got.Text != body {
			t.Errorf("%s became %s", body, got.Text)
		}
	}
}

func TestNestedJSONIsKeptButForItsSecrets(t *testing.T) {
	body := `{"d":"{\"Name\":\"Contracts\",\"Token\":\"x\"}"}`
	want := `{"d":"{\"Name\":\"Contracts\",\"Token\":\"•••\"}"}`
	if got := rulesOf().excerpt([]byte(body), true); got.Text != want {
		t.Errorf("got %s", got.Text)
	}
}

func TestAPageThatSpeaksOfSecretsIsNotKept(t *testing.T) {
	rules := rulesOf()
	rules.plainText = true
	for _, page := range []string{
		`<input name="__RequestVerificationToken" type="hidden" value="canary">`,
		"Server=db;User Id=sa;Password = canary",
		"\xff\xfec\x00a\x00n\x00a\x00r\x00y\x00",
		"\x1f\x8b\x08\x00\x00\x00canary",
	} {
		if got := rules.excerpt([]byte(page), true); got.Text != "" || got.Omitted == "" {
			t.Errorf("%q is kept as %+v", page, got)
		}
	}
	if got := rules.excerpt([]byte("sent with bearer canary"), false); strings.Contains(got.Text, "canary") {
		t.Errorf("what may go on is kept: %+v", got)
	}
	if got := rules.excerpt([]byte(strings.Repeat("x", maxExcerpt)), false); got.Omitted != omittedTooLong {
		t.Errorf("of one long word there is %+v", got)
	}
}

// everything is a whole exchange in print.
func everything(x Exchange) string { return fmt.Sprintf("%+v", x) }

func TestNoPlaceOfAnExchangeShowsAnAddressWithASecret(t *testing.T) {
	for name, target := range map[string]string{
		"a secret in a public parameter":    "/x?domain=canary-access-token",
		"a JWT in a public parameter":       "/x?domain=eyJhbGciOiJub25lIn0.canary.x",
		"a JWT in the path":                 "/x/eyJhbGciOiJub25lIn0.canary.x/y",
		"a session of ASP.NET in the path":  "/(S(canary4e5f6a))/api",
		"a session of Java in the path":     "/x;jsessionid=canary",
		"an opaque ticket in the path":      "/ticket/canary0f9e8d7c6b5a4938",
		"a JWT for a name":                  "/x?eyJhbGciOiJub25lIn0.canary.x",
		"an opaque ticket for a name":       "/x?canary0f9e8d7c6b5a4938",
		"a secret in the path in Base64":    "/x/" + base64.RawURLEncoding.EncodeToString([]byte("x=canary-access-token")),
		"a secret that is escaped, in part": "/x/canary%2daccess-token",
	} {
		log := &exchangeLog{}
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/shares") {
				w.Header().Set("Location", target)
				w.WriteHeader(http.StatusFound)
			}
		})
		gateway := &Gateway{HTTP: clientObservedBy(t, log), BaseURL: server.URL, pause: noPause}
		_, _ = gateway.Shares(t.Context(), Bearer(secret.New("canary-access-token")), "a")
		if len(log.exchanges) != 2 {
			t.Fatalf("%s: %d exchanges", name, len(log.exchanges))
		}
		if text := everything(log.exchanges[1]); strings.Contains(text, "canary") || strings.Contains(text, "Y2FuYXJ5") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestTheWordsOfARedirectStay(t *testing.T) {
	log := &exchangeLog{}
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/v2/") {
			http.Redirect(w, r, "/v2"+r.URL.EscapedPath()+"/login.aspx?domain=d-1&state=x", http.StatusFound)
		}
	})
	gateway := &Gateway{HTTP: clientObservedBy(t, log), BaseURL: server.URL, pause: noPause}
	_, _ = gateway.Shares(t.Context(), Bearer(secret.New("canary-access-token")), "0f9e8d7c6b5a4938@a.example")
	if got, want := log.exchanges[1].Path, "/v2/api/users/0f9e8d7c6b5a4938%40a.example/shares/login.aspx"; got != want {
		t.Errorf("the path is %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(log.exchanges[1].Query), "[{domain d-1 false} {state ••• true}]"; got != want {
		t.Errorf("the query is %s, want %s", got, want)
	}
}

// A key that was pasted into the wrong field is a secret there, too.
func TestASecretInTheWrongFieldIsHidden(t *testing.T) {
	log := &exchangeLog{}
	client := clientObservedBy(t, log)
	server := serve(t, status(404))
	gateway := &Gateway{HTTP: client, BaseURL: server.URL, pause: noPause}
	_, _ = gateway.Companies(t.Context(), APIKey(secret.New("canary-key")), "canary-key")
	_, _ = (&Global{HTTP: client, URL: server.URL}).DeviceLogin(t.Context(), DeviceLoginRequest{
		DeviceName: "canary-password", Email: "ann@harbor.example", Password: secret.New("canary-password"),
	})
	for _, x := range log.exchanges {
		if text := everything(x); strings.Contains(text, "canary") {
			t.Errorf("it shows: %s", text)
		}
	}
}

// However much a service sends, an exchange stays small: many are kept.
func TestAnExchangeStaysSmall(t *testing.T) {
	log := &exchangeLog{}
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for i := range 100 {
			w.Header().Set(fmt.Sprintf("Server-%d-%s", i, strings.Repeat("x", 2000)), strings.Repeat("y", 2000))
		}
		w.Header().Set("Server", strings.Repeat("z", 2000))
		if !strings.HasPrefix(r.URL.Path, "/long") {
			w.Header().Set("Location", "/long/"+strings.Repeat("a/", 50_000)+"?"+strings.Repeat("a=b&", 50_000)+"domain="+strings.Repeat("c", 100_000))
			w.WriteHeader(http.StatusFound)
			return
		}
		_, _ = w.Write([]byte("[" + strings.Repeat(`{"token":1},`, 10_000) + "1]"))
	})
	gateway := &Gateway{HTTP: clientObservedBy(t, log), BaseURL: server.URL, pause: noPause}
	body, err := gateway.Shares(t.Context(), Bearer(secret.New("canary")), "a")
	if err := drained(body, err); err != nil {
		t.Fatal(err)
	}
	for _, x := range log.exchanges {
		if size := len(everything(x)); size > 20<<10 {
			t.Errorf("%s takes %d bytes", x.Path[:min(len(x.Path), 20)], size)
		}
	}
}

// An answer's own words are checked like an excerpt of it.
func TestTheMessageOfARefusalShowsNoSecret(t *testing.T) {
	const key = "canary (key)!"
	messages := []string{"token eyJhbGciOiJub25lIn0.canary.x refused"}
	for _, text := range spelled(key) {
		messages = append(messages, "key "+text+" refused")
	}
	for _, message := range messages {
		body, _ := json.Marshal(map[string]string{"Message": message})
		server := serve(t, answer(403, "application/json", string(body)))
		_, err := newGateway(t, server.URL).Companies(t.Context(), APIKey(secret.New(key)), "r")
		if err == nil || strings.Contains(err.Error(), "refused") {
			t.Errorf("%q: %v", message, err)
		}
	}
}
