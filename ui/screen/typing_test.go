package screen

import "testing"

func TestOnlyWhatNobodySeesIsLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		"ann@x.example":                  "ann@x.example",
		"a\u202eb\u2066c\u2069\ufeff":    "abc",
		"e\u0301 日本 العربية":             "e\u0301 日本 العربية",
		"\U0001f468\u200d\U0001f469":     "\U0001f468\u200d\U0001f469",
		"a\nb":                           "a\nb",
		"a\ufe0fb ❤\ufe0f 1\ufe0f\u20e3": "ab ❤\ufe0f 1\ufe0f\u20e3",
		"\ufe0f":                         "\ufe0f", // of an emoji that stands in the field already
	} {
		if got := CleanText(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestAFieldProposesOnlyWhatItCanShow(t *testing.T) {
	for text, want := range map[string]string{
		"ann@x.example": "ann@x.example", "日本 ❤\ufe0f e\u0301": "日本 ❤\ufe0f e\u0301", "": "",
		"ann\u202e@x": "", "ann\u200b@x": "", "a\nb": "", "\x1b[2J": "", "\xff": "", "a\ufe0f": "", "\u0301a": "",
	} {
		if got := Proposal(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
