package records

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"gatehouse/internal/jsonscan"
)

// plainSort compares decoded cells. [Table.Sort] must give the same order.
func plainSort(t *Table, rows []int32, col int, descending bool) {
	keys := make([]plainKey, len(rows))
	times := !slices.ContainsFunc(rows, func(row int32) bool {
		cell := t.Cell(int(row), col)
		_, ok := plainCellTime(cell)
		return !ok && cell.Kind() > Null
	})
	for i, row := range rows {
		keys[i] = newPlainKey(t.Cell(int(row), col), times)
		keys[i].row, keys[i].position = row, int32(i)
	}
	slices.SortFunc(keys, func(a, b plainKey) int { return a.compare(b, descending) })
	for i, key := range keys {
		rows[i] = key.row
	}
}

// rank orders cells that cannot be compared by value.
type rank uint8

const (
	rankNumber rank = iota
	rankTime
	rankText
	rankNull
	rankMissing
)

// plainKey is what the sort has to know of one row.
type plainKey struct {
	row      int32
	position int32 // before the sort
	rank     rank
	number   decimal
	instant  time.Time
	text     []byte // folded
}

func plainCellTime(c Cell) (time.Time, bool) {
	instant, _, ok := plainSpan(c.Text(), time.Time{})
	return instant, ok && c.Kind() == String && len(c.Text()) >= len("2020-01-01")
}

func newPlainKey(c Cell, times bool) plainKey {
	switch c.Kind() {
	case Missing:
		return plainKey{rank: rankMissing}
	case Null:
		return plainKey{rank: rankNull}
	case Number:
		return plainKey{rank: rankNumber, number: newDecimal(c.raw)}
	default:
		if times {
			instant, _ := plainCellTime(c)
			return plainKey{rank: rankTime, instant: instant}
		}
		return plainKey{rank: rankText, text: appendFolded(nil, []byte(c.Text()))}
	}
}

func (k plainKey) compare(other plainKey, descending bool) int {
	byValue := k.compareValue(other)
	if descending && k.hasValue() && other.hasValue() {
		byValue = -byValue
	}
	return cmp.Or(byValue, cmp.Compare(k.position, other.position))
}

func (k plainKey) hasValue() bool { return k.rank < rankNull }

func (k plainKey) compareValue(other plainKey) int {
	switch {
	case k.rank != other.rank:
		return cmp.Compare(k.rank, other.rank)
	case k.rank == rankNumber:
		return k.number.compare(other.number)
	case k.rank == rankTime:
		return k.instant.Compare(other.instant)
	default:
		return compareNatural(k.text, other.text)
	}
}

// compareNatural compares runs of digits by their value and all else by bytes.
func compareNatural(a, b []byte) int {
	for len(a) > 0 && len(b) > 0 {
		if jsonscan.IsDigit(a[0]) && jsonscan.IsDigit(b[0]) {
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
