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
	numbers, err := sortInParallel(ctx, keys.numbers, comparison(compareNumbers(keys.numbers), descending))
	if err != nil {
		return err
	}
	texts, err := sortInParallel(ctx, keys.texts, comparison(compareTexts, descending))
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	parts := [][]sortKey{numbers, texts}
	if descending {
		slices.Reverse(parts)
	}
	rest := rows
	for _, part := range parts {
		for _, key := range part {
			rest[0], rest = key.row, rest[1:]
		}
	}
	copy(rest[copy(rest, keys.nulls):], keys.missing)
	return nil
}

// comparison orders equal values as they stood before.
func comparison(byValue func(a, b sortKey) int, descending bool) func(a, b sortKey) int {
	return func(a, b sortKey) int {
		order := byValue(a, b)
		if descending {
			order = -order
		}
		if order == 0 {
			return cmp.Compare(a.position, b.position)
		}
		return order
	}
}

// sortKeys are what the sort has to know of all rows, apart by what can be
// compared, each part in the order of the rows.
type sortKeys struct {
	numbers, texts []sortKey
	nulls, missing []int32
}

// sortKeys reads the column. Whether all values are times shows while they are read
// as such; most columns of anything else tell by their first values.
func (t *Table) sortKeys(ctx context.Context, rows []int32, col int) (sortKeys, error) {
	var strays atomic.Bool
	keys, err := t.readKeys(ctx, rows, func(chunk []int32, first int) (keys sortKeys) {
		if !strays.Load() {
			keys = t.timeKeys(chunk, first, col, &strays)
		}
		return keys
	})
	if err != nil || !strays.Load() {
		return keys, err
	}
	return t.readKeys(ctx, rows, func(chunk []int32, first int) sortKeys { return t.chunkKeys(chunk, first, col) })
}

// readKeys reads the rows in chunks, the first row of which stands at the given
// position, and puts their keys together.
func (t *Table) readKeys(ctx context.Context, rows []int32, read func(chunk []int32, first int) sortKeys) (sortKeys, error) {
	rowsPerCheck := t.rowsPerCheck()
	chunks := make([]sortKeys, (len(rows)+rowsPerCheck-1)/rowsPerCheck)
	err := inParallel(ctx, len(chunks), func(i int) {
		first := i * rowsPerCheck
		chunks[i] = read(rows[first:min(first+rowsPerCheck, len(rows))], first)
	})
	return sortKeys{
		numbers: joinParts(chunks, func(k sortKeys) []sortKey { return k.numbers }),
		texts:   joinParts(chunks, func(k sortKeys) []sortKey { return k.texts }),
		nulls:   joinParts(chunks, func(k sortKeys) []int32 { return k.nulls }),
		missing: joinParts(chunks, func(k sortKeys) []int32 { return k.missing }),
	}, err
}

func joinParts[T any](chunks []sortKeys, part func(sortKeys) []T) []T {
	parts := make([][]T, len(chunks))
	for i, chunk := range chunks {
		parts[i] = part(chunk)
	}
	return slices.Concat(parts...)
}

// chunkKeys returns the keys of rows, the first of which stands at that position.
func (t *Table) chunkKeys(rows []int32, first, col int) (keys sortKeys) {
	var texts textKeys
	for i, row := range rows {
		key := sortKey{row: row, position: int32(first + i)}
		switch cell := t.Cell(int(row), col); cell.Kind() {
		case Missing:
			keys.missing = append(keys.missing, row)
		case Null:
			keys.nulls = append(keys.nulls, row)
		case Number:
			key.setNumber(cell.raw)
			keys.numbers = append(slices.Grow(keys.numbers, len(rows)-i), key)
		default:
			texts.add(key, cell)
		}
	}
	keys.texts = texts.finish()
	return keys
}

// timeKeys returns the keys of rows whose values are times, among the texts; it
// reports a stray value, and then its keys are of no use.
func (t *Table) timeKeys(rows []int32, first, col int, strays *atomic.Bool) (keys sortKeys) {
	for i, row := range rows {
		key := sortKey{row: row, position: int32(first + i)}
		cell := t.Cell(int(row), col)
		instant, ok := cell.Time(TimeColumn)
		switch kind := cell.Kind(); {
		case ok:
			key.setTime(instant)
			keys.texts = append(slices.Grow(keys.texts, len(rows)-i), key)
		case kind == Missing:
			keys.missing = append(keys.missing, row)
		case kind == Null:
			keys.nulls = append(keys.nulls, row)
		default:
			strays.Store(true)
			return keys
		}
	}
	return keys
}

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
	if integer, ok := shortInteger(number); ok {
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
	t.fold = cell.appendFolded(t.fold[:0])
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

// chunkSize is how many items one goroutine sorts before they are merged.
const chunkSize = 8 << 10

// sortInParallel returns the items in order, in either the memory of items or new
// memory. No two items may be equal. When the context ends, its error is returned.
func sortInParallel[T any](ctx context.Context, items []T, compare func(a, b T) int) ([]T, error) {
	chunks := (len(items) + chunkSize - 1) / chunkSize
	err := inParallel(ctx, chunks, func(i int) {
		slices.SortFunc(items[i*chunkSize:min((i+1)*chunkSize, len(items))], compare)
	})
	if err != nil || chunks < 2 {
		return items, err
	}
	sorted, spare := items, make([]T, len(items))
	for width := chunkSize; width < len(items); width *= 2 {
		if err := mergePairs(ctx, spare, sorted, width, compare); err != nil {
			return nil, err
		}
		sorted, spare = spare, sorted
	}
	return sorted, nil
}

// mergePairs merges each two neighbours of that width from sorted to dst, every
// pair in several parts, so that the last pair keeps all processors busy too.
func mergePairs[T any](ctx context.Context, dst, sorted []T, width int, compare func(a, b T) int) error {
	parts := (len(sorted) + chunkSize - 1) / chunkSize
	return inParallel(ctx, parts, func(i int) {
		from, to := i*chunkSize, min((i+1)*chunkSize, len(sorted))
		pair := from / (2 * width) * 2 * width
		middle := min(pair+width, len(sorted))
		left, right := sorted[pair:middle], sorted[middle:min(pair+2*width, len(sorted))]
		first, last := cutAt(left, right, from-pair, compare), cutAt(left, right, to-pair, compare)
		merge(dst[from:to], left[first:last], right[from-pair-first:to-pair-last], compare)
	})
}

// cutAt returns how many of the n least items of left and right are in left.
func cutAt[T any](left, right []T, n int, compare func(a, b T) int) int {
	low, high := max(0, n-len(right)), min(n, len(left))
	for low < high {
		middle := (low + high) / 2
		if compare(left[middle], right[n-middle-1]) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

func merge[T any](dst, left, right []T, compare func(a, b T) int) {
	for len(left) > 0 && len(right) > 0 {
		if compare(left[0], right[0]) < 0 {
			dst[0], left = left[0], left[1:]
		} else {
			dst[0], right = right[0], right[1:]
		}
		dst = dst[1:]
	}
	copy(dst[copy(dst, left):], right)
}
