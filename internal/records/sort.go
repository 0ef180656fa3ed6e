package records

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
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
	if strays.Store(!t.beginsWithTimes(rows, col)); !strays.Load() {
		keys, err := t.readKeys(ctx, rows, func(chunk []int32, first int) (keys sortKeys) {
			if !strays.Load() {
				keys = t.timeKeys(chunk, first, col, &strays)
			}
			return keys
		})
		if err != nil || !strays.Load() {
			return keys, err
		}
	}
	return t.readKeys(ctx, rows, func(chunk []int32, first int) sortKeys { return t.chunkKeys(chunk, first, col) })
}

// beginsWithTimes reports whether the first values of the rows, if there are any, are times.
func (t *Table) beginsWithTimes(rows []int32, col int) bool {
	for _, row := range rows[:min(len(rows), t.rowsPerCheck())] {
		cell := t.Cell(int(row), col)
		if _, ok := cell.Time(TimeColumn); !ok && cell.Kind() > Null {
			return false
		}
	}
	return true
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
