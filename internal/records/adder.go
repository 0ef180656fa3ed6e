package records

import (
	"math/big"
	"strings"

	"gatehouse/internal/jsonscan"
)

// adder adds JSON numbers exactly.
type adder struct {
	numbers, others int
	tooLong         bool // a number was left out
	// short are sums of short numbers, by how many digits those have behind the point.
	short [maxShort]int64
	// long are all other sums, by the power of ten of their last digit.
	long map[int]*big.Int
}

const (
	// maxShort is how long a number, with its sign, is sure to fit an int64.
	maxShort = 18
	// maxPlaces is how far from the decimal point a digit may stand.
	maxPlaces = 1000
)

func (a *adder) add(number []byte) {
	a.numbers++
	if mantissa, places, ok := shortNumber(number); ok {
		a.addShort(mantissa, places)
		return
	}
	d := newDecimal(number)
	power := d.exponent - int64(len(d.digits)) // of the last digit
	if d.exponent > maxPlaces || power < -maxPlaces {
		a.tooLong = true
		return
	}
	mantissa, _ := new(big.Int).SetString("0"+string(d.digits), 10)
	if d.negative {
		mantissa.Neg(mantissa)
	}
	a.addLong(mantissa, int(power))
}

// shortNumber returns the digits of a short number without exponent, and how many
// of them are behind the point.
func shortNumber(number []byte) (mantissa int64, places int, ok bool) {
	if len(number) > maxShort {
		return 0, 0, false
	}
	for i, c := range number {
		switch {
		case jsonscan.IsDigit(c):
			mantissa = 10*mantissa + int64(c-'0')
		case c == '.':
			places = len(number) - i - 1
		case c != '-' || i > 0:
			return 0, 0, false
		}
	}
	if number[0] == '-' {
		mantissa = -mantissa
	}
	return mantissa, places, true
}

func (a *adder) addShort(mantissa int64, places int) {
	sum := a.short[places] + mantissa
	if (sum < a.short[places]) != (mantissa < 0) { // it did not fit
		a.addLong(big.NewInt(a.short[places]), -places)
		sum = mantissa
	}
	a.short[places] = sum
}

func (a *adder) addLong(mantissa *big.Int, power int) {
	if a.long == nil {
		a.long = make(map[int]*big.Int)
	}
	if sum, ok := a.long[power]; ok {
		sum.Add(sum, mantissa)
	} else {
		a.long[power] = mantissa
	}
}

func (a *adder) merge(other *adder) {
	a.numbers += other.numbers
	a.others += other.others
	a.tooLong = a.tooLong || other.tooLong
	for places, sum := range other.short {
		a.addShort(sum, places)
	}
	for power, sum := range other.long {
		a.addLong(sum, power)
	}
}

func (a *adder) sum() Sum {
	s := Sum{Numbers: a.numbers, Others: a.others, Exact: !a.tooLong}
	if s.Exact {
		s.Total = a.total()
	}
	return s
}

// total brings all sums to the same power of ten and adds them.
func (a *adder) total() string {
	for places, sum := range a.short {
		if sum != 0 {
			a.addLong(big.NewInt(sum), -places)
		}
	}
	least := 0
	for power := range a.long {
		least = min(least, power)
	}
	total, ten := new(big.Int), big.NewInt(10)
	for power, sum := range a.long {
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
