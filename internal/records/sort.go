package records

import (
	"bytes"
	"cmp"
	"context"
	"slices"
)

// Sort orders the rows by a column, in place and stable: numbers by value,
// exactly and at any length, then everything else by [Cell.Text] without case and
// in natural order (file2 before file10). Null cells and then missing ones come
// last in both directions. When the context ends, the rows stay as they were and
// its error is returned.
func (t *Table) Sort(ctx context.Context, rows []int32, col int, descending bool) error {
	keys, err := t.sortKeys(ctx, rows, col)
	if err != nil {
		return err
	}
	comparisons, stopped := 0, false
	slices.SortFunc(keys, func(a, b sortKey) int {
		if comparisons++; comparisons%rowsPerCheck == 0 {
			stopped = ctx.Err() != nil
		}
		// A sort cannot be left half way, but one without differences ends at once.
		if stopped {
			return 0
		}
		return a.compare(b, descending)
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, key := range keys {
		rows[i] = key.row
	}
	return nil
}

// rank orders cells that cannot be compared by value.
type rank uint8

const (
	rankNumber rank = iota
	rankText
	rankNull
	rankMissing
)

// sortKey is what the sort has to know of one row.
type sortKey struct {
	row      int32
	position int32 // before the sort
	rank     rank
	number   decimal
	text     []byte // folded
}

func (t *Table) sortKeys(ctx context.Context, rows []int32, col int) ([]sortKey, error) {
	keys := make([]sortKey, len(rows))
	for i, row := range rows {
		if i%rowsPerCheck == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		keys[i] = newSortKey(t.Cell(int(row), col))
		keys[i].row, keys[i].position = row, int32(i)
	}
	return keys, nil
}

func newSortKey(c Cell) sortKey {
	switch c.Kind() {
	case Missing:
		return sortKey{rank: rankMissing}
	case Null:
		return sortKey{rank: rankNull}
	case Number:
		return sortKey{rank: rankNumber, number: newDecimal(c.raw)}
	default:
		return sortKey{rank: rankText, text: appendFolded(nil, []byte(c.Text()))}
	}
}

func (k sortKey) compare(other sortKey, descending bool) int {
	byValue := k.compareValue(other)
	if descending && k.hasValue() && other.hasValue() {
		byValue = -byValue
	}
	return cmp.Or(byValue, cmp.Compare(k.position, other.position))
}

func (k sortKey) hasValue() bool { return k.rank < rankNull }

func (k sortKey) compareValue(other sortKey) int {
	switch {
	case k.rank != other.rank:
		return cmp.Compare(k.rank, other.rank)
	case k.rank == rankNumber:
		return k.number.compare(other.number)
	default:
		return compareNatural(k.text, other.text)
	}
}

// compareNatural compares runs of digits by their value and all else by bytes.
func compareNatural(a, b []byte) int {
	for len(a) > 0 && len(b) > 0 {
		if isDigit(a[0]) && isDigit(b[0]) {
			var runA, runB []byte
			runA, a = cutDigits(a)
			runB, b = cutDigits(b)
			if c := cmp.Or(cmp.Compare(len(runA), len(runB)), bytes.Compare(runA, runB)); c != 0 {
				return c
			}
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// cutDigits cuts the digits off the start of text, and zeros off the start of those.
func cutDigits(text []byte) (digits, rest []byte) {
	end := 0
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	return bytes.TrimLeft(text[:end], "0"), text[end:]
}
