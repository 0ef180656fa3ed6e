package lists

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"
)

// amount is a number as a person writes it, with or without a unit of sizes.
type amount struct {
	// readings are the numbers that may be meant, as JSON writes them. There are two if the only
	// sign in the number stands before three digits: 1,000 is a thousand in London and one in
	// Berlin.
	readings []string
	hasComma bool   // the number has a comma in it
	blank    string // between the number and the unit: " " or ""
	unit     string // as it was typed; "" for none
}

// amountPattern has the parts of an amount: sign, number, exponent, blank, unit.
var amountPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([-+]?)([0-9.,'_ ]*[0-9][.,]?)([eE][-+]?[0-9]+)?( ?)(\pL*)$`)
})

// typographicSigns replaces signs that word processors and phones put into numbers.
var typographicSigns = strings.NewReplacer("’", "'", "−", "-")

// parseAmount reads a number with or without a unit: 10k, 1.5GB, "1,5 Go", "1 000 000", 1e9.
func parseAmount(text string) (amount, bool) {
	text = typographicSigns.Replace(strings.Join(strings.Fields(text), " "))
	parts := amountPattern().FindStringSubmatch(text)
	if parts == nil {
		return amount{}, false
	}
	sign := strings.TrimPrefix(parts[1], "+")
	number := strings.TrimSpace(parts[2])
	exponent := parts[3]

	a := amount{hasComma: strings.Contains(number, ","), blank: parts[4], unit: parts[5]}
	for _, reading := range readingsOf(number) {
		a.readings = append(a.readings, sign+reading+exponent)
	}
	return a, a.readings != nil
}

// readingsOf returns the numbers that an unsigned number without an exponent may be, with a point
// before the fraction and nothing between the thousands. A reading with a fraction comes first.
func readingsOf(number string) (readings []string) {
	if isDigits([]byte(number)) {
		return []string{number}
	}
	for _, point := range []string{".", ","} {
		at := strings.LastIndex(number, point)
		if at < 0 {
			continue
		}
		whole, fraction := number[:at], number[at+1:]
		if ungrouped, ok := withoutGroups(whole); ok && !strings.Contains(whole, point) {
			whole = ungrouped
		}
		if isDigits([]byte(whole + fraction)) {
			readings = append(readings, whole+"."+fraction)
		}
	}
	if whole, ok := withoutGroups(number); ok {
		readings = append(readings, whole)
	}
	return readings
}

// withoutGroups removes the sign between the thousands of a number. ok is false if it has none, or
// several different ones.
func withoutGroups(number string) (whole string, ok bool) {
	for _, sign := range []string{",", ".", " ", "'", "_"} {
		groups := strings.Split(number, sign)
		if len(groups) > 1 && areThousands(groups) {
			return strings.Join(groups, ""), true
		}
	}
	return "", false
}

// areThousands reports whether groups of digits are the thousands of a number: up to three digits,
// the first of which is not 0, and then three in each group.
func areThousands(groups []string) bool {
	const size = 3
	first, others := groups[0], groups[1:]
	if len(first) > size || !isDigits([]byte(first)) || first[0] == '0' {
		return false
	}
	isOther := func(group string) bool { return len(group) != size || !isDigits([]byte(group)) }
	return !slices.ContainsFunc(others, isOther)
}

// number returns the number that is meant in a column of a kind, times its unit. Of two readings it
// is the one without a fraction if a column of sizes has to do with plain bytes, as there is no
// part of a byte, or else the one with a fraction if its sign is a point. Otherwise it is unclear.
func (a amount) number(kind ColumnKind) (d decimal, unclear bool) {
	reading := a.readings[0]
	if len(a.readings) > 1 {
		switch {
		case a.unit == "" && kind == BytesColumn:
			reading = a.readings[1]
		case a.hasComma:
			return decimal{}, true
		}
	}
	return a.inUnit(reading), false
}

// inUnit returns one of the readings times the unit, which must be known.
func (a amount) inUnit(reading string) decimal {
	d := newDecimal([]byte(reading))
	unit, _ := unitOf(a.unit)
	switch {
	case len(d.digits) == 0:
		return d
	case !unit.binary:
		d.exponent += 3 * int64(unit.power)
		return d
	}
	digits, _ := new(big.Int).SetString(string(d.digits), 10)
	product := newDecimal([]byte(digits.Lsh(digits, 10*unit.power).String()))
	product.exponent += d.exponent - int64(len(d.digits))
	product.negative = d.negative
	return product
}

// written returns the readings with the unit, as a query has them.
func (a amount) written() (texts []string) {
	for _, reading := range a.readings {
		if strings.Contains(reading, ".") {
			reading = strings.TrimSuffix(strings.TrimRight(reading, "0"), ".")
		}
		texts = append(texts, reading+a.blank+a.unit)
	}
	return texts
}

// unit is a power of 1,000 or of 1,024 bytes.
type unit struct {
	power  uint
	binary bool // of 1,024
}

// unitPrefixes are the first parts of units, by lower-case spelling. The second part is one of
// unitEnds.
var unitPrefixes = map[string]unit{
	"":  {power: 0},
	"k": {power: 1}, "к": {power: 1}, "kilo": {power: 1}, "ki": {1, true}, "kibi": {1, true},
	"m": {power: 2}, "м": {power: 2}, "mega": {power: 2}, "mi": {2, true}, "mebi": {2, true},
	"g": {power: 3}, "г": {power: 3}, "giga": {power: 3}, "gi": {3, true}, "gibi": {3, true},
	"t": {power: 4}, "т": {power: 4}, "tera": {power: 4}, "ti": {4, true}, "tebi": {4, true},
	"p": {power: 5}, "peta": {power: 5}, "pi": {5, true}, "pebi": {5, true},
	"e": {power: 6}, "exa": {power: 6}, "ei": {6, true}, "exbi": {6, true},

	"meg": {power: 2}, "megs": {power: 2},
	"gig": {power: 3}, "gigs": {power: 3},
}

// unitEnds are the second parts of units. The o is French, for octets, and the б is Russian.
var unitEnds = []string{"bytes", "byte", "octets", "octet", "байт", "b", "б", "o", ""}

// unitOf reads a unit in any case: "GB", "gib", "Mo", "kilobytes". "" means bytes, or no unit at
// all.
func unitOf(text string) (u unit, known bool) {
	text = strings.ToLower(text)
	for _, end := range unitEnds {
		prefix, isEnd := strings.CutSuffix(text, end)
		if !isEnd {
			continue
		}
		if u, known = unitPrefixes[prefix]; known {
			return u, true
		}
	}
	return u, false
}

// likelyUnits are the units that may be meant by an unknown one, the likeliest first.
var likelyUnits = []string{"GB", "MB", "kB", "TB", "PB", "EB", "GiB", "MiB", "KiB", "TiB"}

// maxMeant is how many things are offered in place of something unknown.
const maxMeant = 3

// unitsLike returns the units that may be meant by an unknown one: those with the same first letter
// and at most two other letters that are wrong, or else those with one wrong letter.
func unitsLike(text string) []string {
	var oneWrong, sameFirst []string
	for _, known := range likelyUnits {
		distance := levenshtein.ComputeDistance(strings.ToLower(text), strings.ToLower(known))
		if distance == 1 {
			oneWrong = append(oneWrong, known)
		}
		if distance <= 2 && strings.EqualFold(known[:1], text[:1]) {
			sameFirst = append(sameFirst, known)
		}
	}
	like := sameFirst
	if like == nil {
		like = oneWrong
	}
	return like[:min(len(like), maxMeant)]
}
