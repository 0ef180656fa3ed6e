package safetext

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown makes text from outside one line of Markdown that reads as the text does. Each
// word that a renderer could take for markup, a link, a mention or the number of an issue
// is code, the one place where none of them looks. Direction marks are made visible.
func Markdown(text string) string {
	return markdownWords(lineOfMarkdown(text), true)
}

// ownCode is a command in a sentence. It may have backticks in it, as values from outside may.
var ownCode = regexp.MustCompile("(^|[ (])`([^ ](?:.*?[^ ])?)`([.,:;?!)]*(?: |$))")

// MarkdownWithCode is [Markdown] for a sentence of the program that puts commands between backticks:
// each becomes one piece of code.
func MarkdownWithCode(text string) string {
	var b strings.Builder
	rest := lineOfMarkdown(text)
	for {
		at := ownCode.FindStringSubmatchIndex(rest)
		if at == nil {
			return b.String() + markdownWords(rest, b.Len() == 0)
		}
		before, opening := rest[:at[2]], rest[at[2]:at[3]]
		command, closing := rest[at[4]:at[5]], rest[at[6]:at[7]]
		b.WriteString(markdownWords(before, b.Len() == 0) + opening + codeSpans(command) + closing)
		rest = rest[at[1]:]
	}
}

func lineOfMarkdown(text string) string { return strings.TrimSpace(showDirection.Replace(Line(text))) }

var showDirection = strings.NewReplacer("\u200e", "‹U+200E›", "\u200f", "‹U+200F›", "\u061c", "‹U+061C›")

// markdownWords are words as they are, or as code. begins says that nothing stands before them.
func markdownWords(text string, begins bool) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		words[i] = markdownWord(word, begins && i == 0)
	}
	return strings.Join(words, " ")
}

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
		isWord := r >= utf8.RuneSelf || unicode.IsLetter(r) || unicode.IsDigit(r)
		return !isWord && !strings.ContainsRune(`.,:'"()-+=/`, r)
	}
	isRule := strings.Trim(word, "-+=/") == ""
	isLink := strings.Contains(lower, "://") ||
		strings.Contains(lower, "www.") ||
		strings.Contains(lower, "gh-")
	return !strings.ContainsFunc(word, isMarkup) && !isRule && !isLink
}

// codeSpans is text as code, with its bars beside it: in code, too, one would end the
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

// codeSpan is text between more backticks than stand in it.
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
