package records

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"gatehouse/internal/jsonscan"
)

// Sort orders the rows by a column, in place and stable: numbers by value,
// exactly and at any length, then everything else by [Cell.Text] without case and
// in natural order (file2 before file10). Where all values of the rows are times,
// as in a [TimeColumn], they are ordered as instants. Null cells and then missing ones come
// last in both directions. When the context ends, the rows stay as they were and
// its error is returned.
func (t *Table) Sort(ctx context.Context, rows []int32, col int, descending bool) error {
	keys, err := t.sortKeys(ctx, rows, col)
	if err != nil {
		return err
	}
	slices.SortFunc(keys, comparison(keys, descending))
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range keys {
		rows[i] = keys[i].row
	}
	return nil
}

// comparison orders values within their class, and equal ones as they stood before.
func comparison(keys []sortKey, descending bool) func(a, b sortKey) int {
	compareNumbers, sign := numberComparison(keys), 1
	if descending {
		sign = -1
	}
	return func(a, b sortKey) int {
		order := 0
		switch {
		case a.class != b.class:
			if order = cmp.Compare(a.class, b.class); max(a.class, b.class) >= ofNull {
				return order
			}
		case a.class == ofNumber:
			order = compareNumbers(a, b)
		default:
			order = compareTexts(a, b)
		}
		if order == 0 {
			return cmp.Compare(a.position, b.position)
		}
		return sign * order
	}
}

// sortKeys reads the column. Whether all values are times shows while they are read
// as such; most columns of anything else tell by their first values.
func (t *Table) sortKeys(ctx context.Context, rows []int32, col int) ([]sortKey, error) {
	keys := make([]sortKey, len(rows))
	var strays atomic.Bool
	err := t.readKeys(ctx, keys, rows, col, func(key *sortKey, cell Cell, _ *[]byte) {
		if instant, ok := cell.Time(TimeColumn); ok {
			key.setTime(instant)
		} else {
			strays.Store(true)
		}
	}, &strays)
	if err != nil || !strays.Load() {
		return keys, err
	}
	return keys, t.readKeys(ctx, keys, rows, col, (*sortKey).set, new(atomic.Bool))
}

// readKeys reads the keys of the rows in parallel, until stop is set. Values are read by a
// function, which has memory of its own.
func (t *Table) readKeys(ctx context.Context, keys []sortKey, rows []int32, col int, read func(*sortKey, Cell, *[]byte), stop *atomic.Bool) error {
	rowsPerCheck := t.rowsPerCheck()
	return inParallel(ctx, (len(rows)+rowsPerCheck-1)/rowsPerCheck, func(chunk int) {
		var memory []byte
		first := chunk * rowsPerCheck
		for i := first; i < min(first+rowsPerCheck, len(rows)) && !stop.Load(); i++ {
			key := &keys[i]
			*key = sortKey{row: rows[i], position: int32(i)}
			switch cell := t.Cell(int(rows[i]), col); cell.Kind() {
			case Missing:
				key.class = ofMissing
			case Null:
				key.class = ofNull
			default:
				read(key, cell, &memory)
			}
		}
	})
}

// sortKey is what the sort has to know of one row. Two values of a class that differ in
// rough are in the order of that; others are told apart by exact.
type sortKey struct {
	rough    uint64
	exact    string // a number as it was sent if it is no short integer; all of a text; what a time has beyond a tick
	row      int32
	position int32 // before the sort
	class    sortClass
}

// sortClass is the first thing that tells rows apart; nulls and missing cells are last
// in both directions.
type sortClass uint8

const (
	ofNumber sortClass = iota
	ofText
	ofNull
	ofMissing
)

// set makes the key of a value that is no time, in memory that it may use.
func (k *sortKey) set(cell Cell, memory *[]byte) {
	if cell.Kind() == Number {
		k.setNumber(cell.raw)
		return
	}
	folded := cell.appendFolded((*memory)[:0])
	natural := appendNatural(folded, folded)
	*memory, k.class = natural, ofText
	k.exact = string(natural[len(folded):])
	var first [8]byte
	copy(first[:], k.exact)
	k.rough = binary.BigEndian.Uint64(first[:])
}

// signBit turns the order of signed numbers into that of unsigned ones.
const signBit = 1 << 63

// maxShortInteger is how long an integer, with its sign, is sure to fit an int64.
const maxShortInteger = 18

// setNumber makes the key of a JSON number: of a short integer for good, of any other one
// until compareNumbers has seen whether such are among the keys.
func (k *sortKey) setNumber(number []byte) {
	if integer, ok := shortInteger(number); ok {
		k.rough = uint64(integer) ^ signBit
		return
	}
	k.exact = string(number)
}

// setTime makes the key of an instant, which is compared as texts are.
func (k *sortKey) setTime(instant time.Time) {
	k.class = ofText
	ticks := (instant.Unix()-yearOne)*ticksPerSecond + int64(instant.Nanosecond()/nanosPerTick)
	k.rough = uint64(ticks) ^ signBit
	if rest := instant.Nanosecond() % nanosPerTick; rest > 0 {
		k.exact = string([]byte{byte(rest)})
	}
}

// numberComparison returns the comparison of number keys. If all are short integers,
// they are compared as such. Otherwise it turns them into floats, which may make
// different numbers equal, but never changes an order, and compares equal ones exactly.
func numberComparison(keys []sortKey) func(a, b sortKey) int {
	for i := range keys {
		if keys[i].class == ofNumber && keys[i].exact != "" {
			makeFloats(keys)
			return compareDecimals
		}
	}
	return compareRough
}

func makeFloats(keys []sortKey) {
	for i := range keys {
		k := &keys[i]
		if k.class != ofNumber {
			continue
		}
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
