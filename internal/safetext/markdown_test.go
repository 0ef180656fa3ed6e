package safetext

import (
	"testing"
)

func TestMarkdownReadsAsTheTextDoes(t *testing.T) {
	for text, want := range map[string]string{
		"harbor.example":           "harbor.example",
		"日本 👍🏽, Æble & Co.":        "日本 👍🏽, Æble & Co.",
		"":                         "",
		"a | b\n| c":               `a \| b␊\| c`,
		"# Urgent":                 `\# Urgent`,
		"- one":                    `\- one`,
		"-0.25":                    "-0.25",
		"---":                      `\---`,
		"12 - 3":                   "12 - 3",
		"[here](https://evil)":     `\[here](https://evil)`,
		"<img src=x>":              `\<img src=x>`,
		"`rm` **now** __x__ ~~y~~": "\\`rm\\` \\*\\*now\\*\\* \\_\\_x\\_\\_ \\~\\~y\\~\\~",
		`\`:                        `\\`,
		"\x1b[31m\u202e":           `␛\[31m‹U+202E›`,
	} {
		if got := Markdown(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
