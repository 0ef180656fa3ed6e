package lists

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"gatehouse/internal/text/human"
)

// decimal is a JSON number: ±0.digits × 10^exponent. It never
// expands an exponent, so 1e999999999 costs no more than 1.
type decimal struct {
	negative bool
	exponent int64
	digits   []byte // neither the first nor the last is 0; none for zero
}

// maxExponent is where larger exponents end, in a range that cannot overflow;
// numbers beyond it are told apart by their digits alone.
const maxExponent = 1 << 60

func newDecimal(number []byte) decimal {
	unsigned, negative := bytes.CutPrefix(number, []byte("-"))
	mantissa, exponent := unsigned, int64(0)
	if e := bytes.IndexAny(unsigned, "eE"); e >= 0 {
		mantissa, exponent = unsigned[:e], parseExponent(unsigned[e+1:])
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	digits := whole
	if len(fraction) > 0 {
		digits = append(whole[:len(whole):len(whole)], fraction...)
	}
	significant := bytes.TrimLeft(digits, "0")
	if len(significant) == 0 {
		return decimal{}
	}
	leadingZeros := len(digits) - len(significant)
	return decimal{
		negative: negative,
		exponent: exponent + int64(len(whole)-leadingZeros),
		digits:   bytes.TrimRight(significant, "0"),
	}
}

func parseExponent(text []byte) int64 {
	// Out of range, ParseInt answers with the nearest int64, which serves here.
	exponent, _ := strconv.ParseInt(string(text), 10, 64)
	return max(-maxExponent, min(exponent, maxExponent))
}

// shown is a number of bytes as lists show it; "" for a number that cannot be one.
func (d decimal) shown() string {
	const maxDigits = 30
	if d.negative || d.exponent > maxDigits {
		return ""
	}
	whole := max(d.exponent, 0)
	digits := d.digits[:min(int64(len(d.digits)), whole)]
	integer := string(digits) + strings.Repeat("0", int(whole)-len(digits))
	size, _ := human.SizeOf(cmp.Or(integer, "0"))
	return size.String()
}

// appendOrdered appends a key whose bytes sort as the numbers do: the exponent, then the digits,
// two to a byte. A usual exponent takes one byte, any other nine. The bits of a negative
// number are inverted.
func (d decimal) appendOrdered(dst []byte) []byte {
	const zero, low, usual, high, maxUsual = 0x80, 0x81, 0xBE, 0xFB, 60
	if len(d.digits) == 0 {
		return append(dst, zero)
	}
	start := len(dst)
	switch {
	case d.exponent < -maxUsual:
		dst = binary.BigEndian.AppendUint64(append(dst, low), uint64(d.exponent)^signBit)
	case d.exponent > maxUsual:
		dst = binary.BigEndian.AppendUint64(append(dst, high), uint64(d.exponent)^signBit)
	default:
		dst = append(dst, byte(usual+d.exponent))
	}
	for digits := range slices.Chunk(d.digits, 2) {
		two := (digits[0] - '0' + 1) << 4
		if len(digits) == 2 {
			two |= digits[1] - '0' + 1
		}
		dst = append(dst, two)
	}
	dst = append(dst, 0)
	for i := start; d.negative && i < len(dst); i++ {
		dst[i] = ^dst[i]
	}
	return dst
}
