package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown makes text from outside one line of Markdown that reads as the text does. Each
// word that a renderer could take for markup, a link, a mention or the number of an issue
// is code, the one place where none of them looks. Direction marks are made visible.
func Markdown(text string) string {
	words := strings.Split(strings.TrimSpace(showDirection.Replace(Line(text))), " ")
	for i, word := range words {
		words[i] = markdownWord(word, i == 0)
	}
	return strings.Join(words, " ")
}

var showDirection = strings.NewReplacer("\u200e", "‹U+200E›", "\u200f", "‹U+200F›", "\u061c", "‹U+061C›")

// markdownWord is a word as it is, or as code between the punctuation around it.
func markdownWord(word string, first bool) string {
	if word == "" || word == "&" || !first && strings.Trim(word, "-+=/") == "" {
		return word
	}
	if number := strings.TrimLeft(word, "0123456789"); first && (number == "." || number == ")") { // it begins a list
		return codeSpan(word)
	}
	rest := strings.TrimLeft(word, `("'`)
	core := strings.TrimRight(rest, `.,:;?!%)"'`)
	if core == "" {
		return codeSpans(word)
	}
	if !isPlain(core) {
		return word[:len(word)-len(rest)] + codeSpans(core) + rest[len(core):]
	}
	return word
}

// isPlain reports whether a word means nothing to a renderer.
func isPlain(word string) bool {
	lower := strings.ToLower(word)
	isMarkup := func(r rune) bool {
		return r < utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`.,:'"()-+=/`, r)
	}
	return !strings.ContainsFunc(word, isMarkup) && strings.Trim(word, "-+=/") != "" &&
		!strings.Contains(lower, "://") && !strings.Contains(lower, "www.") && !strings.Contains(lower, "gh-")
}

// codeSpans is a word as code, with its bars beside it: in code, too, one would end the
// cell of a table.
func codeSpans(word string) string {
	parts := strings.Split(word, "|")
	for i, part := range parts {
		if part != "" {
			parts[i] = codeSpan(part)
		}
	}
	return strings.Join(parts, `\|`)
}

// codeSpan is text without spaces between more backticks than stand in it.
func codeSpan(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}
