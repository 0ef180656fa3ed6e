package records

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/jsonscan"
)

// sortKey is what the sort has to know of one row that has a value. Two values
// that differ in rough are in the order of that; others are told apart by exact.
type sortKey struct {
	rough    uint64
	exact    string // a number as it was sent if it is no short integer; all of a text; what a time has beyond a tick
	row      int32
	position int32 // before the sort
}

// signBit turns the order of signed numbers into that of unsigned ones.
const signBit = 1 << 63

// maxShortInteger is how long an integer, with its sign, is sure to fit an int64.
const maxShortInteger = 18

// setNumber makes the key of a JSON number: of a short integer for good, of any other one
// until compareNumbers has seen whether such are among the keys.
func (k *sortKey) setNumber(number []byte) {
	if len(number) <= maxShortInteger && !bytes.ContainsAny(number, ".eE") {
		integer, _ := strconv.ParseInt(string(number), 10, 64) // cannot fail, see maxShortInteger
		k.rough = uint64(integer) ^ signBit
		return
	}
	k.exact = string(number)
}

// setTime makes the key of an instant, which is compared as texts are.
func (k *sortKey) setTime(instant time.Time) {
	ticks := (instant.Unix()-yearOne)*ticksPerSecond + int64(instant.Nanosecond()/nanosPerTick)
	k.rough = uint64(ticks) ^ signBit
	if rest := instant.Nanosecond() % nanosPerTick; rest > 0 {
		k.exact = string([]byte{byte(rest)})
	}
}

// compareNumbers returns the comparison of number keys. If all are short integers,
// they are compared as such. Otherwise it turns them into floats, which may make
// different numbers equal, but never changes an order, and compares equal ones exactly.
func compareNumbers(keys []sortKey) func(a, b sortKey) int {
	for i := range keys {
		if keys[i].exact != "" {
			makeFloats(keys)
			return compareDecimals
		}
	}
	return compareRough
}

func makeFloats(keys []sortKey) {
	for i := range keys {
		k := &keys[i]
		if k.exact == "" {
			k.exact = strconv.FormatInt(int64(k.rough^signBit), 10)
		}
		// Out of range, ParseFloat answers with an infinity, which serves here.
		float, _ := strconv.ParseFloat(k.exact, 64)
		k.rough = orderedBits(float)
	}
}

// orderedBits returns bits in the order of the floats, the same for both zeros.
func orderedBits(float float64) uint64 {
	if float == 0 {
		return signBit
	}
	b := math.Float64bits(float)
	if b&signBit != 0 {
		return ^b
	}
	return b | signBit
}

func compareRough(a, b sortKey) int { return cmp.Compare(a.rough, b.rough) }

func compareDecimals(a, b sortKey) int {
	if c := cmp.Compare(a.rough, b.rough); c != 0 || a.exact == b.exact {
		return c
	}
	return newDecimal([]byte(a.exact)).compare(newDecimal([]byte(b.exact)))
}

func compareTexts(a, b sortKey) int {
	if c := cmp.Compare(a.rough, b.rough); c != 0 {
		return c
	}
	return strings.Compare(a.exact, b.exact)
}

// textKeys collects the keys of texts in one piece of memory.
type textKeys struct {
	keys []sortKey
	ends []int
	text []byte
	fold []byte // the memory for a folded text
}

func (t *textKeys) add(key sortKey, cell Cell) {
	if cell.Kind() == String {
		t.fold = appendFolded(t.fold[:0], jsonscan.Unquote(cell.raw))
	} else {
		t.fold = appendFolded(t.fold[:0], []byte(cell.Text()))
	}
	t.text = appendNatural(t.text, t.fold)
	t.keys = append(t.keys, key)
	t.ends = append(t.ends, len(t.text))
}

// finish returns the keys with their texts.
func (t *textKeys) finish() []sortKey {
	text, start := string(t.text), 0
	for i, end := range t.ends {
		var first [8]byte
		copy(first[:], text[start:end])
		t.keys[i].rough = binary.BigEndian.Uint64(first[:])
		t.keys[i].exact = text[start:end]
		start = end
	}
	return t.keys
}

// appendNatural appends text such that the order of its bytes is the natural order
// of the text: a run of digits becomes a 0, the number of its digits, and those.
// So against anything but digits, and at the end, it is like any digit.
func appendNatural(dst, text []byte) []byte {
	for len(text) > 0 {
		if !jsonscan.IsDigit(text[0]) {
			dst = append(dst, text[0])
			text = text[1:]
			continue
		}
		var digits []byte
		digits, text = cutDigits(text)
		dst = appendCount(append(dst, '0'), len(digits))
		dst = append(dst, digits...)
	}
	return dst
}

// appendCount appends n in one byte if it fits, or behind a byte above all those.
func appendCount(dst []byte, n int) []byte {
	if n < math.MaxUint8 {
		return append(dst, byte(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, math.MaxUint8), uint64(n))
}

// cutDigits cuts the digits off the start of text, and zeros off the start of those.
func cutDigits(text []byte) (digits, rest []byte) {
	end := 0
	for end < len(text) && jsonscan.IsDigit(text[end]) {
		end++
	}
	return bytes.TrimLeft(text[:end], "0"), text[end:]
}
