package typed

import "testing"

func TestOnlyWhatNobodySeesIsLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		"ann@x.example":               "ann@x.example",
		"a\u202eb\u2066c\u2069\ufeff": "abc",
		"e\u0301 日本 العربية":          "e\u0301 日本 العربية",
		"\U0001f468\u200d\U0001f469":  "\U0001f468\u200d\U0001f469",
		"a\nb":                        "a\nb",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
