package jsonscan

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"unicode/utf8"
)

// The functions of this file are for text that a [Scanner] has checked. On any other text they may
// run past its end.

// Item is one value of an object or array.
type Item struct {
	Name  Span // with its quotes; empty in an array
	Value Span
}

// Items yields the members of the object, or the elements of the array, that begins at an offset of
// the text.
func Items(text []byte, at int) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		isObject := text[at] == '{'
		for at = SkipSpace(text, at+1); text[at] != '}' && text[at] != ']'; {
			var item Item
			if isObject {
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

// NextItem moves from the end of an item to the next one, or to the closing bracket, or to the end
// of the text.
func NextItem(text []byte, at int) int {
	at = SkipSpace(text, at)
	if at < len(text) && text[at] == ',' {
		at = SkipSpace(text, at+1)
	}
	return at
}

// MemberValue moves from the end of a member name to its value.
func MemberValue(text []byte, at int) int {
	return SkipSpace(text, SkipSpace(text, at)+len(":"))
}

// MatchName moves past the member name that begins here, and reports whether it is the given one.
// It decodes the member name only if its spelling may differ from what it means: because of an
// escape, or of invalid UTF-8, which is shorter than the U+FFFD that it means.
func MatchName(object []byte, at int, name string) (end int, same bool) {
	end = skipPlain(object, at+1)
	if object[end] == '"' {
		inner := object[at+1 : end]
		isLong := len(inner) >= len(name)
		beginsOtherwise := len(inner) > 0 && inner[0] < utf8.RuneSelf && !isLong && inner[0] != name[0]
		if isLong || beginsOtherwise {
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

// skipDigits moves past digits.
func skipDigits(text []byte, at int) int {
	for at < len(text) && IsDigit(text[at]) {
		at++
	}
	return at
}

// skipNested moves past the object or array that begins here.
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
	wordSize    = 8 // in bytes
	bitsPerByte = 8
	everyByte   = 0x0101_0101_0101_0101 // times a byte: that byte in all bytes of a word
	highBits    = everyByte << (bitsPerByte - 1)
)

// skipPlain moves to the next quote, backslash or control character, or to the end of the text.
// Nothing else in a string matters.
func skipPlain(text []byte, at int) int {
	for ; at+wordSize <= len(text); at += wordSize {
		if found := firstSpecial(binary.LittleEndian.Uint64(text[at:])); found != 0 {
			return at + bits.TrailingZeros64(found)/bitsPerByte
		}
	}
	for at < len(text) && text[at] != '"' && text[at] != '\\' && text[at] >= ' ' {
		at++
	}
	return at
}

// firstSpecial sets the high bit of the first byte of a word that is a quote, backslash or control
// character; 0 if there is none. It may set the high bits of later bytes as well, as subtractions
// borrow from them.
func firstSpecial(word uint64) uint64 {
	quote := word ^ everyByte*'"'           // 0 in a byte that is a quote
	backslash := word ^ everyByte*'\\'      // 0 in a byte that is a backslash
	isQuote := (quote - everyByte) &^ quote // the high bit is set in a byte that was 0
	isBackslash := (backslash - everyByte) &^ backslash
	isControl := (word - everyByte*' ') &^ word // and in one below a space
	return (isQuote | isBackslash | isControl) & highBits
}
