package jsonscan

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"unicode/utf8"
)

// The functions of this file walk over text that a [Scanner] has checked: on anything
// else they may run past its end.

// Item is one value of an object or array.
type Item struct {
	Name  Span // with its quotes; empty in an array
	Value Span
}

// Items yields the members of the object or the elements of the array that begins at
// a place of the text.
func Items(text []byte, at int) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		named := text[at] == '{'
		for at = SkipSpace(text, at+1); text[at] != '}' && text[at] != ']'; {
			var item Item
			if named {
				item.Name = Span{at, SkipString(text, at)}
				at = MemberValue(text, item.Name.End)
			}
			item.Value = ValueAt(text, at)
			if !yield(item) {
				return
			}
			at = NextItem(text, item.Value.End)
		}
	}
}

// NextItem moves from after an item to the next one, or to the closing bracket or
// the end of the text.
func NextItem(text []byte, at int) int {
	at = SkipSpace(text, at)
	if at < len(text) && text[at] == ',' {
		at = SkipSpace(text, at+1)
	}
	return at
}

// MemberValue moves from after a member name to its value.
func MemberValue(text []byte, at int) int {
	return SkipSpace(text, SkipSpace(text, at)+len(":"))
}

// MatchName moves past the member name that begins here and reports whether it means
// name. It decodes only one that may be spelled other than it is meant: with an escape,
// or with invalid UTF-8, which is shorter than what it means.
func MatchName(object []byte, at int, name string) (end int, same bool) {
	end = skipPlain(object, at+1)
	if object[end] == '"' {
		inner := object[at+1 : end]
		if len(inner) >= len(name) || len(inner) > 0 && inner[0] < utf8.RuneSelf && inner[0] != name[0] {
			return end + 1, string(inner) == name
		}
	}
	end = SkipString(object, at)
	return end, string(Unquote(object[at:end])) == name
}

// ValueAt returns the value that begins here, or after white space.
func ValueAt(text []byte, at int) Span {
	at = SkipSpace(text, at)
	switch text[at] {
	case '"':
		return Span{at, SkipString(text, at)}
	case '{', '[':
		return Span{at, skipNested(text, at)}
	default:
		return Span{at, SkipScalar(text, at)}
	}
}

// SkipSpace moves past white space. It may be used on any text.
func SkipSpace(text []byte, at int) int {
	for at < len(text) && IsSpace(text[at]) {
		at++
	}
	return at
}

// SkipString moves past the string that begins here.
func SkipString(text []byte, at int) int {
	for at = skipPlain(text, at+1); text[at] != '"'; at = skipPlain(text, at+1) {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// SkipScalar moves past a number, true, false or null.
func SkipScalar(text []byte, at int) int {
	for at < len(text) && !EndsScalar(text[at]) {
		at++
	}
	return at
}

func skipDigits(text []byte, at int) int {
	for at < len(text) && IsDigit(text[at]) {
		at++
	}
	return at
}

// skipNested moves past an object or array, of any depth.
func skipNested(text []byte, at int) int {
	for depth := 0; ; {
		switch text[at] {
		case '"':
			at = SkipString(text, at)
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

const (
	everyByte = 0x0101_0101_0101_0101
	highBits  = everyByte << 7
	wordSize  = 8
)

// skipPlain moves to the next quote, backslash or control character, or to the
// end of the text: over the part of a string in which nothing has to be looked at.
func skipPlain(text []byte, at int) int {
	for ; at+wordSize <= len(text); at += wordSize {
		if found := special(binary.LittleEndian.Uint64(text[at:])); found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	for at < len(text) && text[at] != '"' && text[at] != '\\' && text[at] >= ' ' {
		at++
	}
	return at
}

// special marks in the high bit of its byte the first quote, backslash or control
// character among eight bytes. Bytes above the first may be marked without reason,
// for a subtraction borrows from them.
func special(word uint64) uint64 {
	quote := word ^ everyByte*'"'
	backslash := word ^ everyByte*'\\'
	return ((quote-everyByte)&^quote | (backslash-everyByte)&^backslash | (word-everyByte*' ')&^word) & highBits
}
