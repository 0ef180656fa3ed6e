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
	Column     int
	Descending bool
}

// SortBy orders the rows by the first column, those that are equal there by the second, and so on,
// and leaves those that are equal in all as they stood: numbers by value, exactly and at any length,
// then everything else by [Cell.Text] without case and in natural order (file2 before file10). In a
// [TimeColumn] times are ordered as instants, before anything else. Null cells and then missing ones
// come last in both directions. When the context ends, the rows stay as they were and its error is
// returned.
func (t *Table) SortBy(ctx context.Context, rows []int32, by ...SortKey) error {
	sorted := rows
	keys := make([]sortKey, len(rows))
	for _, column := range slices.Backward(by) { // each sort is stable
		if err := t.readKeys(ctx, keys, sorted, column.Column); err != nil {
			return err
		}
		slices.SortFunc(keys, func(a, b sortKey) int { return a.compare(b, column.Descending) })
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

// sortKey is what the sort has to know of one row.
type sortKey struct {
	first    uint64 // the beginning of the text, which decides most comparisons
	text     []byte // sorts as the value does
	position int32  // before the sort
	class    class
}

// class says whether a row has a value.
type class uint8

const (
	ofValue class = iota
	ofNull
	ofMissing
)

// compare orders values, and equal ones as they stood before.
func (k sortKey) compare(other sortKey, descending bool) (order int) {
	switch {
	case k.class != other.class:
		return cmp.Compare(k.class, other.class)
	case k.first != other.first:
		order = cmp.Compare(k.first, other.first)
	default:
		order = bytes.Compare(k.text, other.text)
	}
	switch {
	case order == 0:
		return cmp.Compare(k.position, other.position)
	case descending:
		return -order
	}
	return order
}

func (t *Table) readKeys(ctx context.Context, keys []sortKey, rows []int32, col int) error {
	appendKey := Cell.appendOrdered
	if t.sample().columns[col].Kind == TimeColumn {
		appendKey = Cell.appendTime
	}
	return t.inChunks(ctx, len(rows), func(first, end int) {
		const usual = 24 // bytes of a key
		memory := make([]byte, 0, usual*(end-first))
		for i := first; i < end; i++ {
			key := sortKey{position: int32(i)}
			switch cell := t.Cell(int(rows[i]), col); cell.Kind() {
			case Missing:
				key.class = ofMissing
			case Null:
				key.class = ofNull
			default:
				start := len(memory)
				memory = appendKey(cell, memory)
				key.text = memory[start:len(memory):len(memory)]
				var beginning [8]byte
				copy(beginning[:], key.text)
				key.first = binary.BigEndian.Uint64(beginning[:])
			}
			keys[i] = key
		}
	})
}

// appendOrdered appends a key whose bytes sort as the values do: numbers first, then everything
// else as text.
func (c Cell) appendOrdered(dst []byte) []byte {
	if c.Kind() == Number {
		return newDecimal(c.raw).appendOrdered(dst)
	}
	const behindNumbers = 0xFF
	return c.appendNatural(append(dst, behindNumbers))
}

// appendTime is appendOrdered with times before anything else.
func (c Cell) appendTime(dst []byte) []byte {
	if at, ok := c.Time(TimeColumn); ok {
		const beforeNumbers = 0
		return appendInstant(append(dst, beforeNumbers), at)
	}
	return c.appendOrdered(dst)
}

func appendInstant(dst []byte, at time.Time) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(at.Unix())^signBit)
	return binary.BigEndian.AppendUint32(dst, uint32(at.Nanosecond()))
}

// signBit turns the order of signed numbers into that of unsigned ones.
const signBit = 1 << 63

// appendNatural appends what [Cell.Text] returns, without case and such that the order of its
// bytes is the natural order of the text: a run of digits becomes a 0, the number of its digits,
// 255 at the most, and those. So against anything but digits, and at the end, it is like any digit.
func (c Cell) appendNatural(dst []byte) []byte {
	var memory [shortText]byte
	return appendNatural(dst, c.appendFolded(memory[:0]))
}

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
		dst = append(dst, '0', byte(min(len(digits), math.MaxUint8)))
		dst = append(dst, digits...)
	}
	return dst
}
