package records

import (
	"bytes"
	"cmp"
	"context"
	"math/big"
	"strconv"
	"strings"
)

// Sum is what the numbers of a column add up to.
type Sum struct {
	Numbers int // cells that were added
	// Total is exact to the last digit, without exponent or needless zeros: "-12.5".
	// It is empty if not Exact.
	Total string
	// Exact is false if a number is too long to be written out, with more than 1,000
	// digits before or behind the decimal point, such as 1e999999999.
	Exact bool
}

// String returns the total, or says in words that there is none.
func (s Sum) String() string {
	if !s.Exact {
		return "too long to be written out"
	}
	return s.Total
}

// Sum adds the numbers of a column in the rows (nil: all rows). When the context
// ends, its error is returned.
func (t *Table) Sum(ctx context.Context, rows []int32, col int) (Sum, error) {
	s := t.selection(rows)
	parts, err := gather(ctx, inBackground, s, func(part *adder, position int) {
		if cell := t.Cell(s.row(position), col); cell.Kind() == Number {
			part.add(cell.raw)
		}
	})
	if err != nil {
		return Sum{}, err
	}
	all := adder{}
	for _, part := range parts {
		all.merge(part)
	}
	return all.sum(), nil
}

// adder adds JSON numbers exactly.
type adder struct {
	numbers int
	tooLong bool             // a number was left out
	sums    map[int]*big.Int // by the power of ten of their last digit
}

// maxPlaces is how far from the decimal point a digit may stand.
const maxPlaces = 1000

func (a *adder) add(number []byte) {
	a.numbers++
	d := newDecimal(number)
	power := d.exponent - int64(len(d.digits)) // of the last digit
	if d.exponent > maxPlaces || power < -maxPlaces {
		a.tooLong = true
		return
	}
	mantissa := new(big.Int)
	if short, err := strconv.ParseInt(string(d.digits), 10, 64); err == nil {
		mantissa.SetInt64(short)
	} else {
		mantissa.SetString("0"+string(d.digits), 10)
	}
	if d.negative {
		mantissa.Neg(mantissa)
	}
	a.addTo(int(power), mantissa)
}

func (a *adder) addTo(power int, mantissa *big.Int) {
	if a.sums == nil {
		a.sums = make(map[int]*big.Int)
	}
	if sum, ok := a.sums[power]; ok {
		sum.Add(sum, mantissa)
	} else {
		a.sums[power] = mantissa
	}
}

func (a *adder) merge(other *adder) {
	a.numbers += other.numbers
	a.tooLong = a.tooLong || other.tooLong
	for power, sum := range other.sums {
		a.addTo(power, sum)
	}
}

func (a *adder) sum() Sum {
	s := Sum{Numbers: a.numbers, Exact: !a.tooLong}
	if s.Exact {
		s.Total = a.total()
	}
	return s
}

// total brings all sums to the same power of ten and adds them.
func (a *adder) total() string {
	least := 0
	for power := range a.sums {
		least = min(least, power)
	}
	total, ten := new(big.Int), big.NewInt(10)
	for power, sum := range a.sums {
		scale := new(big.Int).Exp(ten, big.NewInt(int64(power-least)), nil)
		total.Add(total, scale.Mul(scale, sum))
	}
	return pointed(total, -least)
}

// pointed writes a number with that many digits behind the decimal point, and
// drops the zeros at their end.
func pointed(number *big.Int, places int) string {
	digits, sign := new(big.Int).Abs(number).String(), ""
	if number.Sign() < 0 {
		sign = "-"
	}
	if missing := places + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - places
	fraction := strings.TrimRight(digits[point:], "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + digits[:point] + fraction
}

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
