package records

import (
	"iter"
	"unicode/utf8"
)

// The functions of this file walk over text that the scanner has checked:
// on anything else they may run past its end.

// span is the place of a value: text[start:end].
type span struct{ start, end int }

func (s span) of(text []byte) []byte { return text[s.start:s.end:s.end] }

// memberValue moves from behind a key to its value.
func memberValue(text []byte, at int) int {
	return skipSpace(text, skipSpace(text, at)+len(":"))
}

// matchKey moves behind the key that begins here and reports whether it means
// name. It decodes only a key that may be spelled other than it is meant: one with an
// escape, or with invalid UTF-8, which is shorter than what it means.
func matchKey(object []byte, at int, name string) (end int, same bool) {
	end = skipPlain(object, at+1)
	if object[end] == '"' {
		inner := object[at+1 : end]
		if len(inner) >= len(name) || len(inner) > 0 && inner[0] < utf8.RuneSelf && inner[0] != name[0] {
			return end + 1, string(inner) == name
		}
	}
	end = skipString(object, at)
	return end, string(unquote(object[at:end])) == name
}

// elements yields where in the array its elements are.
func elements(array []byte) iter.Seq[span] {
	return func(yield func(span) bool) {
		at := skipSpace(array, 1)
		for array[at] != ']' {
			value := valueAt(array, at)
			if !yield(value) {
				return
			}
			at = nextItem(array, value.end)
		}
	}
}

// nextItem moves from behind an item to the next one, or to the closing bracket.
func nextItem(text []byte, at int) int {
	at = skipSpace(text, at)
	if text[at] == ',' {
		at = skipSpace(text, at+1)
	}
	return at
}

// valueAt returns the value that begins at or, after white space, behind at.
func valueAt(text []byte, at int) span {
	at = skipSpace(text, at)
	switch text[at] {
	case '"':
		return span{at, skipString(text, at)}
	case '{', '[':
		return span{at, skipNested(text, at)}
	default:
		return span{at, skipScalar(text, at)}
	}
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

func skipString(text []byte, at int) int {
	for at = skipPlain(text, at+1); text[at] != '"'; at = skipPlain(text, at+1) {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// skipScalar moves behind a number, true, false or null.
func skipScalar(text []byte, at int) int {
	for at < len(text) && !endsScalar(text[at]) {
		at++
	}
	return at
}

func skipDigits(text []byte, at int) int {
	for at < len(text) && isDigit(text[at]) {
		at++
	}
	return at
}

// skipNested moves behind an object or array, of any depth.
func skipNested(text []byte, at int) int {
	for depth := 0; ; {
		switch text[at] {
		case '"':
			at = skipString(text, at)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		at++
		if depth == 0 {
			return at
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// endsScalar reports whether c stands behind a number or literal, not in it.
func endsScalar(c byte) bool {
	return isSpace(c) || c == ',' || c == ']' || c == '}' || c == '"' || c == '[' || c == '{' || c == ':'
}
