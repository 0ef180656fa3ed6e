package lists

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"gatehouse/internal/text/jsonscan"
)

// SortKey is a column to sort by, and the direction.
type SortKey struct {
	Column     int // its index
	Descending bool
}

// SortBy sorts rows in place by the first key, those that are equal there by the second one, and so
// on. It is stable.
//
// Numbers come first, by value, exactly and at any length, and then everything else by [Cell.Text]
// without case and in natural order (file2 before file10). In a [TimeColumn] times come first, as
// instants. Nulls and then missing cells come last in both directions.
//
// When the context ends, SortBy leaves the rows as they are and returns the error of the context.
func (t *Table) SortBy(ctx context.Context, rows []int32, by ...SortKey) error {
	sorted := rows
	keys := make([]rowKey, len(rows))
	for _, column := range slices.Backward(by) { // each sort is stable, so the first key goes last
		if err := t.readKeys(ctx, keys, sorted, column.Column); err != nil {
			return err
		}
		slices.SortFunc(keys, func(a, b rowKey) int { return a.compare(b, column.Descending) })
		if err := ctx.Err(); err != nil {
			return err
		}
		before := sorted
		sorted = make([]int32, len(rows))
		for i, key := range keys {
			sorted[i] = before[key.position]
		}
	}
	copy(rows, sorted)
	return nil
}

// rowKey is the key of a row for one sort.
type rowKey struct {
	presence  presence
	beginning uint64 // the first bytes of the value, which decide most comparisons
	value     []byte // its bytes sort as the value does
	position  int32  // of the row, before the sort
}

// presence says whether a row has a value, in the order of rows in both directions.
type presence uint8

const (
	hasValue presence = iota
	hasNull
	hasNothing
)

// compare compares two rows. Rows that are equal keep their order.
func (k rowKey) compare(other rowKey, descending bool) (order int) {
	switch {
	case k.presence != other.presence:
		return cmp.Compare(k.presence, other.presence)
	case k.beginning != other.beginning:
		order = cmp.Compare(k.beginning, other.beginning)
	default:
		order = bytes.Compare(k.value, other.value)
	}
	switch {
	case order == 0:
		return cmp.Compare(k.position, other.position)
	case descending:
		return -order
	}
	return order
}

// readKeys sets the keys of rows for a sort by a column.
func (t *Table) readKeys(ctx context.Context, keys []rowKey, rows []int32, col int) error {
	appendKey := Cell.appendOrdered
	if t.sample().columns[col].Kind == TimeColumn {
		appendKey = Cell.appendTime
	}
	return t.inChunks(ctx, len(rows), func(first, end int) {
		const usualSize = 24 // of a value, in bytes
		memory := make([]byte, 0, usualSize*(end-first))
		for i := first; i < end; i++ {
			key := rowKey{position: int32(i)}
			switch cell := t.Cell(int(rows[i]), col); cell.Kind() {
			case Missing:
				key.presence = hasNothing
			case Null:
				key.presence = hasNull
			default:
				start := len(memory)
				memory = appendKey(cell, memory)
				key.value = memory[start:len(memory):len(memory)]
				var beginning [8]byte
				copy(beginning[:], key.value)
				key.beginning = binary.BigEndian.Uint64(beginning[:])
			}
			keys[i] = key
		}
	})
}

// appendOrdered appends a key of a value whose bytes sort as [Table.SortBy] does: numbers first,
// then everything else as text.
func (c Cell) appendOrdered(dst []byte) []byte {
	if c.Kind() == Number {
		return newDecimal(c.raw).appendOrdered(dst)
	}
	const afterNumbers = 0xFF
	return c.appendNatural(append(dst, afterNumbers))
}

// appendTime is appendOrdered with times before anything else.
func (c Cell) appendTime(dst []byte) []byte {
	if at, ok := c.Time(TimeColumn); ok {
		const beforeNumbers = 0
		return appendInstant(append(dst, beforeNumbers), at)
	}
	return c.appendOrdered(dst)
}

// appendInstant appends a key of a time whose bytes sort as times do.
func appendInstant(dst []byte, at time.Time) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(at.Unix())^signBit)
	return binary.BigEndian.AppendUint32(dst, uint32(at.Nanosecond()))
}

// signBit turns the order of signed numbers into that of unsigned ones.
const signBit = 1 << 63

// appendNatural appends a key of what [Cell.Text] returns, without case, whose bytes sort in
// natural order, see [appendNatural].
func (c Cell) appendNatural(dst []byte) []byte {
	var memory [shortText]byte
	return appendNatural(dst, c.appendFolded(memory[:0]))
}

// appendNatural appends a key of a folded text whose bytes sort in natural order. A run of digits
// becomes "0", how many digits it has without leading zeros, and these digits. So a longer number
// comes after a shorter one, and the "0" compares with anything but digits as a digit would.
func appendNatural(dst, text []byte) []byte {
	for len(text) > 0 {
		if !jsonscan.IsDigit(text[0]) {
			dst = append(dst, text[0])
			text = text[1:]
			continue
		}
		end := 1
		for end < len(text) && jsonscan.IsDigit(text[end]) {
			end++
		}
		digits := bytes.TrimLeft(text[:end], "0")
		text = text[end:]
		count := byte(min(len(digits), math.MaxUint8))
		dst = append(dst, '0', count)
		dst = append(dst, digits...)
	}
	return dst
}
