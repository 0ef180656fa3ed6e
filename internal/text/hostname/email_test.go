package hostname

import (
	"strings"
	"testing"
)

func TestAddressesAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"ada@harbor.example":                    "ada@harbor.example",
		"  Ada@Harbor.example\t":                "Ada@Harbor.example",
		"Ada Lindqvist <ada@harbor.example>":    "ada@harbor.example",
		`"Lindqvist, Ada" <ada@harbor.example>`: "ada@harbor.example",
		"< ada@harbor.example >;":               "ada@harbor.example",
		`"ada@harbor.example"`:                  "ada@harbor.example",
		`"Ada ""A"" <ada@harbor.example>"`:      "ada@harbor.example",
		"ada@harbor.example,":                   "ada@harbor.example",
		"søren@blåbær.example":                  "søren@blåbær.example",
		"ada+x'y=z@harbor.example":              "ada+x'y=z@harbor.example",
		"M\xfcller <m@harbor.example>":          "m@harbor.example",
	} {
		if got, err := ParseEmail(text); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestWhatIsNoAddressSaysWhy(t *testing.T) {
	long := strings.Repeat("x", 300)
	for text, want := range map[string]string{
		"":                       `"" is not an e-mail address: it has no @`,
		"nobody":                 `"nobody" is not an e-mail address: it has no @`,
		"a@b@c":                  `"a@b@c" is not an e-mail address: it needs one @, with text on both sides`,
		"@b":                     `"@b" is not an e-mail address: it needs one @, with text on both sides`,
		"a@":                     `"a@" is not an e-mail address: it needs one @, with text on both sides`,
		"no one@harbor.example":  `"no one@harbor.example" is not an e-mail address: it contains ' '`,
		"a@b.example;c":          `"a@b.example;c" is not an e-mail address: it contains ';'`,
		"\xff@b":                 `"` + "\ufffd" + `@b" is not an e-mail address: it contains '` + "\ufffd" + `'`,
		long + "@harbor.example": `"` + long[:59] + `…" is not an e-mail address: it is longer than 254 characters`,
	} {
		email, err := ParseEmail(text)
		if err == nil || err.Error() != want {
			t.Errorf("%.40q: %v", text, err)
		}
		if again, err := ParseEmail(email); again != email || err == nil {
			t.Errorf("%.40q is %.40q, and that is %.40q", text, email, again)
		}
	}
}
