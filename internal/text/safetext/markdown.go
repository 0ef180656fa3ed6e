package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown returns text from outside as one line of Markdown that reads like the text. Each word
// that a renderer could take for markup, a link, a mention or the number of an issue becomes code,
// which no renderer changes. Direction marks become visible.
func Markdown(text string) string {
	return MarkdownSpans([]Span{{Text: text}})
}

// Span is a stretch of a line: words, or a command.
type Span struct {
	Text   string
	IsCode bool
}

// inLine returns a stretch as people read it: safe, and a command between backticks.
func (s Span) inLine() string {
	text := showDirection.Replace(Line(s.Text))
	if s.IsCode {
		return "`" + text + "`"
	}
	return text
}

// MarkdownSpans is [Markdown] for a line with commands in it, each of which becomes one piece of
// code. A command that touches a word is a part of that word.
func MarkdownSpans(spans []Span) string {
	var line markdownLine
	for i, span := range spans {
		if span.IsCode && line.takesCode(spans[i+1:]) {
			line.addCode(showDirection.Replace(Line(span.Text)))
		} else {
			line.words += span.inLine()
		}
	}
	line.words = strings.TrimRightFunc(line.words, unicode.IsSpace)
	line.addWords()
	return line.written.String()
}

// markdownLine is a line that is being written.
type markdownLine struct {
	written strings.Builder
	words   string // behind what is written
}

// afterCode are the characters that may stand directly behind a piece of code.
const afterCode = ".,:;?!)"

// takesCode reports whether a piece of code can stand between the words so far and what follows it:
// with a blank on both sides, or a bracket before it and punctuation behind it.
func (l *markdownLine) takesCode(following []Span) bool {
	var after strings.Builder
	for _, span := range following {
		after.WriteString(span.inLine())
	}
	rest := strings.TrimLeft(after.String(), afterCode)
	isFirst := l.written.Len() == 0 && l.words == ""
	isApart := strings.HasSuffix(l.words, " ") || strings.HasSuffix(l.words, "(")
	return (isFirst || isApart) && (rest == "" || rest[0] == ' ')
}

// addCode writes the words so far, and a piece of code behind them.
func (l *markdownLine) addCode(code string) {
	words, isInBrackets := strings.CutSuffix(l.words, "(")
	l.words = words
	l.addWords()
	if isInBrackets {
		l.written.WriteString("(")
	}
	l.written.WriteString(codeSpans(code))
}

// addWords writes the words so far. Punctuation behind a piece of code stays as it is.
func (l *markdownLine) addWords() {
	words, isFirst := l.words, l.written.Len() == 0
	l.words = ""
	if isFirst {
		words = strings.TrimLeftFunc(words, unicode.IsSpace)
	} else {
		rest := strings.TrimLeft(words, afterCode)
		l.written.WriteString(words[:len(words)-len(rest)])
		words = rest
	}
	l.written.WriteString(markdownWords(words, isFirst))
}

// showDirection makes direction marks visible.
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
