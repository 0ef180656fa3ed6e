package hostile

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

func TestASecretIsFoundInEveryForm(t *testing.T) {
	secrets := []string{"another-secret", Password}
	quoted, _ := json.Marshal(Password)
	for name, text := range map[string]string{
		"as it is":                "said " + Password + ".",
		"for a query":             "?password=" + url.QueryEscape(Password) + "&x=y",
		"in JSON":                 `{"a":` + string(quoted) + `}`,
		"in Base64":               base64.StdEncoding.EncodeToString([]byte(Password)),
		"in Base64, behind a":     base64.StdEncoding.EncodeToString([]byte("a" + Password)),
		"in Base64, behind ab":    base64.URLEncoding.EncodeToString([]byte("ab" + Password + "more")),
		"over two lines of a box": "│ " + Password[:9] + " │\n│ " + Password[9:] + " │",
	} {
		if Leaked(text, secrets) == "" {
			t.Errorf("%s, it is not found in %q", name, text)
		}
	}
	if form := Leaked(strings.Repeat("k4narie word, a secret of another ", 10), secrets); form != "" {
		t.Errorf("%q is found where it is not", form)
	}
}
