package safetext

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

func TestMarkdownMarksWhatARendererCouldTakeForMore(t *testing.T) {
	for text, want := range map[string]string{
		"harbor.example":           "harbor.example",
		"日本 👍🏽, Æble & Co.":        "日本 👍🏽, Æble & Co.",
		"":                         "",
		"It works (2.0 s), 7%.":    "It works (2.0 s), 7%.",
		"a | b\n| c":               "a \\| `b␊`\\| c",
		"# Urgent":                 "`#` Urgent",
		"- one":                    "`-` one",
		"1. one":                   "`1.` one",
		"-0.25":                    "-0.25",
		"---":                      "`---`",
		"12 - 3":                   "12 - 3",
		"ask ada@harbor.example.":  "ask `ada@harbor.example`.",
		"(invalid_grant)":          "(`invalid_grant`)",
		"[here](https://evil)":     "`[here](https://evil`)",
		"`rm` **now** __x__ ~~y~~": "`` `rm` `` `**now**` `__x__` `~~y~~`",
		"\x1b[31m\u202e\u200fa":    "`␛[31m‹U+202E›‹U+200F›a`",
		"a` b":                     "`` a` `` b",
		"`a b":                     "`` `a `` b",
	} {
		if got := Markdown(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestACommandInASentenceIsOnePieceOfCode(t *testing.T) {
	for _, tt := range []struct {
		spans []Span
		want  string
	}{
		{spansOf("run ", "ab", " - or ", "cd"), "run `ab` - or `cd`"},
		{spansOf("Check again: ", "gatehouse check dora@harbor.example --sign-in", "."), "Check again: `gatehouse check dora@harbor.example --sign-in`."},
		{spansOf("Add an id (", "--device-id ID", ")."), "Add an id (`--device-id ID`)."},
		{spansOf("", "ab cd", " sets it; @all"), "`ab cd` sets it; `@all`"},
		{spansOf("Run ", "a b", " or ", "c", ", @all"), "Run `a b` or `c`, `@all`"},
		{spansOf("Run ", "check 'a`b@x.example' --sign-in", "."), "Run ``check 'a`b@x.example' --sign-in``."},
		{spansOf("Run ", "check 'a|b'", "."), "Run `check 'a`\\|`b'`."},
		{spansOf("Run x", "ab", ""), "Run `` x`ab` ``"},
		{spansOf("Run ", "ab", "x"), "Run `` `ab`x ``"},
		{spansOf("Run ", "ab", "", "cd", "."), "Run ``` `ab``cd` ```."},
		{spansOf("`one of @them"), "`` `one `` of `@them`"},
	} {
		if got := MarkdownSpans(tt.spans); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.spans, got, tt.want)
		}
	}
}

// spansOf are words and commands by turns, beginning with words.
func spansOf(texts ...string) (spans []Span) {
	for i, text := range texts {
		spans = append(spans, Span{text, i%2 == 1})
	}
	return spans
}

// FuzzMarkdown renders texts at the places where a report has them.
func FuzzMarkdown(f *testing.F) {
	for _, text := range []string{
		"https://evil.example/?a=1 &#8238; @all #1", "www.evil.example GH-12 !3 &amp;&lt;b&gt; <b>x</b> <https://evil.example>", "\u202eabc\u200e def\u061c",
		"a|b `c``d| ``|`", "[x]: https://evil.example 'x'", "![x](//evil.example)", "    indented  ", "1) a", "+ b", "=", "> c", "~~~", "```x", "\\@all \\", "mailto:a@b.example, (@all) '#1'",
		"---", "* * *", "a  \nb", "<!-- x", "&copy;", ":", "**x", "x**", "_a_", "|", "ada/repo#1 ada/repo@0a1b2c3",
	} {
		f.Add(text)
	}
	renderer := goldmark.New(goldmark.WithExtensions(extension.GFM))
	f.Fuzz(func(t *testing.T, text string) {
		for md, ignored := range map[string]string{Markdown(text): " \u00a0", MarkdownSpans(spansOf(strings.Split(text, "`")...)): " \u00a0`"} {
			source := "**" + md + ": title** (warn)\n\n" + md + "\n\n- " + md + "\n\n| a | b |\n|---|---|\n| " + md + " | " + md + " |\n"
			var page bytes.Buffer
			if err := renderer.Convert([]byte(source), &page); err != nil {
				t.Fatal(err)
			}
			checkPage(t, page.String(), text, ignored)
		}
	})
}

var (
	code = regexp.MustCompile(`(?s)<code>.*?</code>`)
	tag  = regexp.MustCompile(`</?([a-z0-9]+)[^>]*>`)
	live = regexp.MustCompile(`(?i)[@#!%$~][\pL\d]|://|www\.\w|gh-\d`)
)

// checkPage looks for the text, without the ignored characters, at its five places in a page, and for
// what could be more than text in the page.
func checkPage(t *testing.T, page, text, ignored string) {
	for _, element := range tag.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(" strong p ul li code table thead tbody tr th td ", " "+element[1]+" ") {
			t.Errorf("%q becomes <%s>:\n%s", text, element[1], page)
		}
	}
	if strings.ContainsAny(page, "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200e\u200f\u061c") {
		t.Errorf("%q turns the text around it:\n%s", text, page)
	}
	if found := live.FindString(html.UnescapeString(tag.ReplaceAllString(code.ReplaceAllString(page, ""), ""))); found != "" {
		t.Errorf("%q is live at %q:\n%s", text, found, page)
	}
	shown := strings.Join(strings.Fields(showDirection.Replace(Line(text))), " ")
	read := strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(page, " "))), " ")
	compact := func(text string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(ignored, r) {
				return -1
			}
			return r
		}, text)
	}
	if shown != "" && strings.Count(compact(read), compact(shown)) < 5 {
		t.Errorf("%q does not stand as it is in:\n%s", text, page)
	}
}
