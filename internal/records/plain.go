package records

import (
	"encoding/binary"
	"math/bits"
)

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
