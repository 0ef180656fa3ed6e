package lists

import (
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// manyWords are words for a thousand and more, as the end of a number.
var manyWords = map[string]string{"thousand": "e3", "million": "e6", "mio": "e6", "billion": "e9", "bn": "e9", "trillion": "e12"}

// power works out 10^9 and 10**9.
func power(_ *rewriter, parts []string) (string, bool) {
	base, ok := new(big.Int).SetString(parts[1], 10)
	exponent, _ := new(big.Int).SetString(parts[2], 10)
	if !ok {
		return "", false
	}
	return base.Exp(base, exponent, nil).String(), true
}

// product works out 1024*1024.
func product(_ *rewriter, parts []string) (string, bool) {
	first, _ := new(big.Int).SetString(parts[1], 10)
	second, _ := new(big.Int).SetString(parts[2], 10)
	return first.Mul(first, second).String(), true
}

// hexadecimal works out 0x40000000.
func hexadecimal(_ *rewriter, parts []string) (string, bool) {
	number, err := strconv.ParseUint(parts[1], 16, 64)
	return strconv.FormatUint(number, 10), err == nil
}

// joins reports whether a text is several conditions.
func joins(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	return slices.Contains(words, "and") || slices.Contains(words, "or")
}

// path writes a name as other languages have it as that of the column: .SpaceUsage.DiskUsage,
// Contact/Address/City, ShareRelations[].UserId.
func (w *rewriter) path(parts []string) (string, bool) {
	before, path, behind := parts[1], parts[2], parts[3]
	name, ok := w.names.atPath(path)
	if !ok || name == path {
		return "", false
	}
	return before + name + behind, true
}

// piped writes ".Name | contains("board")" of jq.
func (w *rewriter) piped(parts []string) (string, bool) {
	name, ok := w.names.atPath(parts[1])
	if !ok {
		return "", false
	}
	return w.condition(name, false, ":", parts[2])
}

// atPath returns the name of the column that a path of another language leads to: that of its
// members, or of the last ones, or of a list on the way.
func (n *names) atPath(path string) (name string, ok bool) {
	isSign := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }
	members := strings.FieldsFunc(path, isSign)
	members = slices.DeleteFunc(members, func(member string) bool { return isDigits([]byte(member)) })
	for at := range members {
		last := strings.Join(members[at:], ".")
		if n.resolve(last).columns != nil {
			return last, true
		}
		if n.resolve(members[at]).columns == nil { // which is no object on the way
			break
		}
	}
	for end := len(members) - 1; end > 0; end-- {
		list := strings.Join(members[:end], ".")
		for _, col := range n.resolve(list).columns {
			if n.table.sample().columns[col].Kind == ListColumn {
				return list, true
			}
		}
	}
	return "", false
}

// flipped are the comparisons with the number on the other side.
var flipped = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}

// turned writes 1GB<disk and 1GB<disk<20GB.
func (w *rewriter) turned(parts []string) (string, bool) {
	value, operator, name := parts[1], parts[2], parts[3]
	low, ok := w.condition(name, false, flipped[operator], value)
	if parts[4] == "" || !ok {
		return low, ok
	}
	high, ok := w.condition(name, false, parts[4], parts[5])
	return low + high, ok
}

// rangeOf writes the ranges of other languages: [1GB TO 20GB], 1GB…20GB, 2023-01-01/2023-12-31.
func (w *rewriter) rangeOf(parts []string) (string, bool) {
	column, _, ok := w.column(parts[1])
	from, to := strings.TrimSpace(parts[2]), strings.TrimSpace(parts[3])
	isEnd := w.isNumber
	if column.Kind.isTime() {
		isEnd = w.isMoment
	}
	if !ok || !compares(column.Kind) || !isEnd(from) || !isEnd(to) {
		return "", false
	}
	return w.condition(parts[1], false, ":", from+".."+to)
}

// isNumber reports whether a text is a number, or a size.
func (w *rewriter) isNumber(text string) bool {
	a, ok := parseAmount(text)
	_, known := unitOf(a.unit)
	return ok && known
}

// meaningsLike are the meanings of a column's numbers that may be meant by a word that is none.
func meaningsLike(column, word string) []string {
	all := slices.Sorted(maps.Values(Meanings(column)))
	return slices.DeleteFunc(all, func(meaning string) bool { return distanceOf(word, meaning) > maxDistance })
}
