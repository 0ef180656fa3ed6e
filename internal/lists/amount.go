package lists

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"
)

// amount is a number as a person writes it, with the unit of a size or without.
type amount struct {
	unit string // as it was typed; "" for none
	// readings are what the number may be, in the form of JSON. There are two where the only sign
	// in it stands before three digits: 1,000 is a thousand in London and one in Berlin.
	readings []string
	comma    bool   // that sign is a comma
	blank    string // before the unit
}

var amountPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([-+]?)([0-9.,'_ ]*[0-9][.,]?)([eE][-+]?[0-9]+)?( ?)(\pL*)$`)
})

// parseAmount reads a number with or without a unit: 10k, 1.5GB, "1,5 Go", "1 000 000", 1e9.
func parseAmount(text string) (amount, bool) {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '’':
			return '\''
		case r == '−':
			return '-'
		}
		return r
	}, strings.Join(strings.Fields(text), " "))
	parts := amountPattern().FindStringSubmatch(text)
	if parts == nil {
		return amount{}, false
	}
	sign, number, exponent := strings.TrimPrefix(parts[1], "+"), strings.TrimSpace(parts[2]), parts[3]
	a := amount{blank: parts[4], unit: parts[5]}
	for _, reading := range readingsOf(number) {
		a.readings = append(a.readings, sign+reading+exponent)
	}
	a.comma = strings.Contains(number, ",")
	return a, a.readings != nil
}

// readingsOf returns a number without what stands between its thousands and with a point before
// its fraction, the reading with a fraction first.
func readingsOf(number string) (readings []string) {
	if isDigits([]byte(number)) {
		return []string{number}
	}
	for _, sign := range []string{".", ","} {
		at := strings.LastIndex(number, sign)
		if at < 0 {
			continue
		}
		whole, fraction := number[:at], number[at+1:]
		if grouped, ok := withoutGroups(whole); ok && !strings.Contains(whole, sign) {
			whole = grouped
		}
		if strings.Trim(whole+fraction, "0123456789") == "" && whole+fraction != "" {
			readings = append(readings, whole+"."+fraction)
		}
	}
	if whole, ok := withoutGroups(number); ok {
		readings = append(readings, whole)
	}
	return readings
}

// withoutGroups removes the one sign that stands between all thousands of a number.
func withoutGroups(number string) (whole string, ok bool) {
	for _, sign := range []string{",", ".", " ", "'", "_"} {
		groups := strings.Split(number, sign)
		first := groups[0]
		isGroup := func(group string) bool { return len(group) == 3 && isDigits([]byte(group)) }
		starts := len(first) <= 3 && isDigits([]byte(first)) && first[0] != '0'
		if len(groups) > 1 && starts && !slices.ContainsFunc(groups[1:], func(g string) bool { return !isGroup(g) }) {
			return strings.Join(groups, ""), true
		}
	}
	return "", false
}

// number returns the number in bytes, or another unit of one. In a column of sizes a number without
// a unit is a count of bytes, of which there is no part; everywhere a point is that of a fraction. It
// is unclear where that leaves two readings.
func (a amount) number(kind ColumnKind) (d decimal, unclear bool) {
	reading := a.readings[0]
	if len(a.readings) > 1 {
		switch {
		case a.unit == "" && kind == BytesColumn:
			reading = a.readings[1]
		case a.comma:
			return decimal{}, true
		}
	}
	return a.in(reading), false
}

// in is one of the readings times the unit, which is known.
func (a amount) in(reading string) decimal {
	d := newDecimal([]byte(reading))
	unit, _ := unitOf(a.unit)
	if len(d.digits) == 0 {
		return d
	}
	if !unit.binary {
		d.exponent += 3 * int64(unit.power)
		return d
	}
	product, _ := new(big.Int).SetString(string(d.digits), 10)
	times := newDecimal([]byte(product.Lsh(product, 10*unit.power).String()))
	times.exponent += d.exponent - int64(len(d.digits))
	times.negative = d.negative
	return times
}

// written are the readings with the unit, as a query has them.
func (a amount) written() (texts []string) {
	for _, reading := range a.readings {
		if strings.Contains(reading, ".") {
			reading = strings.TrimSuffix(strings.TrimRight(reading, "0"), ".")
		}
		texts = append(texts, reading+a.blank+a.unit)
	}
	return texts
}

// unit is a power of 1,000 or of 1,024.
type unit struct {
	power  uint
	binary bool
}

// unitNames are the first parts of units; the second part is one of unitEnds.
var unitNames = map[string]unit{
	"": {}, "k": {power: 1}, "m": {power: 2}, "g": {power: 3}, "t": {power: 4}, "p": {power: 5}, "e": {power: 6},
	"к": {power: 1}, "м": {power: 2}, "г": {power: 3}, "т": {power: 4}, // as in Гб
	"meg": {power: 2}, "megs": {power: 2}, "gig": {power: 3}, "gigs": {power: 3},
	"kilo": {power: 1}, "mega": {power: 2}, "giga": {power: 3}, "tera": {power: 4}, "peta": {power: 5}, "exa": {power: 6},
	"ki": {1, true}, "mi": {2, true}, "gi": {3, true}, "ti": {4, true}, "pi": {5, true}, "ei": {6, true},
	"kibi": {1, true}, "mebi": {2, true}, "gibi": {3, true}, "tebi": {4, true}, "pebi": {5, true}, "exbi": {6, true},
}

// unitEnds are what follows the power in a unit; the o of octets is French, and the б Russian.
var unitEnds = []string{"bytes", "byte", "octets", "octet", "байт", "b", "б", "o", ""}

// unitOf reads a unit, whatever its case: "GB", "gib", "Mo", "kilobytes". "" is one of 1.
func unitOf(text string) (u unit, known bool) {
	text = strings.ToLower(text)
	for _, end := range unitEnds {
		if power, ok := strings.CutSuffix(text, end); ok {
			if u, known = unitNames[power]; known {
				return u, true
			}
		}
	}
	return u, false
}

// unitsInOrder are units that may be meant by one that is unknown, the likeliest first.
var unitsInOrder = []string{"GB", "MB", "kB", "TB", "PB", "EB", "GiB", "MiB", "KiB", "TiB"}

// maxMeant is how much is offered in place of something unknown.
const maxMeant = 3

// unitsLike are the units that may be meant by an unknown one: of those that differ in one letter
// the ones that begin the same, or else all of them.
func unitsLike(text string) []string {
	var like, same []string
	for _, known := range unitsInOrder {
		distance := levenshtein.ComputeDistance(strings.ToLower(text), strings.ToLower(known))
		if distance == 1 {
			like = append(like, known)
		}
		if distance <= 2 && strings.EqualFold(known[:1], text[:1]) {
			same = append(same, known)
		}
	}
	if same != nil {
		like = same
	}
	return like[:min(len(like), maxMeant)]
}
