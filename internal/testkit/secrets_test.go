package testkit_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// Its characters look different in every spelling.
const secret = `canary pä"ss+/=<&>\日本~?`

func TestAPlantedSecretIsFoundInEverySpelling(t *testing.T) {
	const planted = "x" + secret + "yz"
	inJSON, err := json.Marshal([]string{planted})
	if err != nil {
		t.Fatal(err)
	}
	basic := &http.Request{Header: http.Header{}}
	basic.SetBasicAuth(url.QueryEscape("client"), url.QueryEscape(secret))
	for name, text := range map[string]string{
		"as it is":                     planted,
		"at the end":                   "x" + secret,
		"in a form":                    url.Values{"password": {planted}}.Encode(),
		"in a path":                    (&url.URL{Path: "/a/" + planted}).EscapedPath(),
		"escaped for a path":           url.PathEscape(planted),
		"escaped with small letters":   strings.ToLower(url.QueryEscape(secret)),
		"in JSON":                      string(inJSON),
		"in JSON with other slashes":   strings.ReplaceAll(string(inJSON), "/", `\/`),
		"in JSON of ASCII":             fmt.Sprintf("%+q", planted),
		"quoted":                       fmt.Sprintf("%q", planted),
		"in HTML":                      html.EscapeString(planted),
		"in hex":                       fmt.Sprintf("%x", planted),
		"in large hex":                 fmt.Sprintf("%X", planted),
		"as numbers":                   fmt.Sprint([]byte(planted)),
		"in Base64":                    base64.StdEncoding.EncodeToString([]byte(secret)),
		"in Base64, after one byte":    base64.StdEncoding.EncodeToString([]byte("x" + secret + "z")),
		"in Base64, after two bytes":   base64.StdEncoding.EncodeToString([]byte("xy" + secret)),
		"in Base64 for URLs":           base64.URLEncoding.EncodeToString([]byte(secret)),
		"the same after one byte":      base64.RawURLEncoding.EncodeToString([]byte("x" + secret)),
		"the same after two bytes":     base64.RawURLEncoding.EncodeToString([]byte("xy" + secret + "z")),
		"as password2 in a query":      url.Values{"password2": {base64.StdEncoding.EncodeToString([]byte(secret))}}.Encode(),
		"in the pair of a header":      basic.Header.Get("Authorization"),
		"behind a beginning of it":     secret[:12] + secret,
		"among much else":              strings.Repeat("canary ", 10_000) + secret,
		"in what a debugger would see": fmt.Sprintf("%#v", struct{ s string }{secret}),
	} {
		if hits := search("password", secret).Find(text); len(hits) == 0 || hits[0].Secret != "password" {
			t.Errorf("%s: %d hits in %.200s", name, len(hits), text)
		}
	}
}

func TestAPieceOfALongSecretIsFound(t *testing.T) {
	long := ""
	for i := range 40 {
		long += fmt.Sprintf("%03d-abcdefgh.", i)
	}
	s := search("token", long)
	for at := range len(long) - 48 {
		if len(s.Find("…"+long[at:at+48])) == 0 {
			t.Errorf("the 48 bytes at %d are not found", at)
		}
	}
	if hits := s.Find(long); len(hits) != 1 || hits[0].At != 0 {
		t.Errorf("all of it is found as %v", hits)
	}
}

func TestWhatIsNoSecretIsNotFound(t *testing.T) {
	s := search("password", secret)
	for _, text := range []string{"", "canary", secret[:len(secret)-1], "•••", url.QueryEscape(secret[:8]), strings.ToUpper(secret)} {
		if hits := s.Find(text); len(hits) > 0 {
			t.Errorf("%v in %q", hits, text)
		}
	}
	if hits := new(testkit.SecretSearcher).Find(secret); len(hits) > 0 {
		t.Errorf("it knows of no secret, and finds %v", hits)
	}
}

func search(name, value string) *testkit.SecretSearcher {
	s := new(testkit.SecretSearcher)
	s.Add(name, value)
	return s
}
