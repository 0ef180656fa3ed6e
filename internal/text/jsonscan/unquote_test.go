package jsonscan

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestUnquote(t *testing.T) {
	for quoted, want := range map[string]struct{ text, lossless string }{
		`""`:                    {"", ""},
		`"plain"`:               {"plain", "plain"},
		`"\"\\\/\b\f\n\r\t"`:    {"\"\\/\b\f\n\r\t", "\"\\/\b\f\n\r\t"},
		`"\u00e9\uD83D\uDCf7"`:  {"é📷", "é📷"},
		`"\ud83d"`:              {"\uFFFD", `\ud83d`},
		`"a\udcf7\ud83d\u0041"`: {"a\uFFFD\uFFFDA", `a\udcf7\ud83dA`},
		`"\ufffd"`:              {"\uFFFD", "\uFFFD"},
		"\"a\xffb\"":            {"a\uFFFDb", "a\xffb"},
		"\"\\t\xff\"":           {"\t\uFFFD", "\t\xff"},
	} {
		if got := string(Unquote([]byte(quoted))); got != want.text {
			t.Errorf("Unquote(%s) = %q, want %q", quoted, got, want.text)
		}
		if got := UnquoteLossless(quoted); got != want.lossless {
			t.Errorf("UnquoteLossless(%s) = %q, want %q", quoted, got, want.lossless)
		}
	}
}

func FuzzUnquote(f *testing.F) {
	for _, inner := range []string{``, `\ud83d\ude00\ud83d\u0041\ude00\ud83d`, `\"\\\/\b\f\n\r\t\u00e9\uABCD`, "\xff\xe6\x9d", `\ud83d\n\uD83D\uD83D\uDE00`} {
		f.Add(inner)
	}
	f.Fuzz(func(t *testing.T, inner string) {
		quoted := []byte(`"` + inner + `"`)
		var want string
		if json.Unmarshal(quoted, &want) != nil {
			return
		}
		if got := string(Unquote(quoted)); got != want {
			t.Errorf("Unquote(%s) = %q, want %q", quoted, got, want)
		}
		if strings.ContainsRune(want, utf8.RuneError) {
			return // perhaps for what is kept in a copy of which nothing is lost
		}
		if got := UnquoteLossless(string(quoted)); got != want {
			t.Errorf("UnquoteLossless(%s) = %q, want %q", quoted, got, want)
		}
	})
}
