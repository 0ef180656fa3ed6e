package records

import (
	"bytes"
	"cmp"
	"strconv"
)

// decimal is a JSON number for comparison: ±0.digits × 10^exponent. It never
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

func (d decimal) compare(other decimal) int {
	if c := cmp.Compare(d.sign(), other.sign()); c != 0 {
		return c
	}
	size := cmp.Or(cmp.Compare(d.exponent, other.exponent), bytes.Compare(d.digits, other.digits))
	if d.negative {
		return -size
	}
	return size
}

func (d decimal) sign() int {
	switch {
	case len(d.digits) == 0:
		return 0
	case d.negative:
		return -1
	default:
		return 1
	}
}
