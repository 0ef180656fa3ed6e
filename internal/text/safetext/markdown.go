package safetext

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown returns text from outside as one line of Markdown that reads like the text. Each word
// that a renderer could take for markup, a link, a mention or the number of an issue becomes code,
// which no renderer changes. Direction marks become visible.
func Markdown(text string) string {
	return markdownWords(lineOfMarkdown(text), true)
}

// ownCode matches a command between backticks in a sentence. The command may have backticks in it,
// because values from outside may.
var ownCode = regexp.MustCompile("(^|[ (])`([^ ](?:.*?[^ ])?)`([.,:;?!)]*(?: |$))")

// MarkdownWithCode is [Markdown] for a sentence of the program that puts commands between
// backticks: each becomes one piece of code.
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

// lineOfMarkdown returns a text as one safe line with visible direction marks.
func lineOfMarkdown(text string) string { return strings.TrimSpace(showDirection.Replace(Line(text))) }

var showDirection = strings.NewReplacer(
	"\u200e", "‹U+200E›",
	"\u200f", "‹U+200F›",
	"\u061c", "‹U+061C›",
)

// markdownWords returns words as they are, or as code. begins says whether they begin the line.
func markdownWords(text string, begins bool) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		words[i] = markdownWord(word, begins && i == 0)
	}
	return strings.Join(words, " ")
}

// markdownWord returns a word as it is, or as code between the punctuation around it. first says
// whether it begins the line.
func markdownWord(word string, first bool) string {
	isSign := word == "&" || !first && strings.Trim(word, "-+=/") == ""
	if word == "" || isSign {
		return word
	}
	afterDigits := strings.TrimLeft(word, "0123456789")
	if beginsList := first && (afterDigits == "." || afterDigits == ")"); beginsList {
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

// codeSpans returns a text as code, but for its vertical bars: even in code they would end the cell
// of a table.
func codeSpans(word string) string {
	parts := strings.Split(word, "|")
	for i, part := range parts {
		if part != "" {
			parts[i] = codeSpan(part)
		}
	}
	return strings.Join(parts, `\|`)
}

// codeSpan returns a text between more backticks than it has in a row.
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
