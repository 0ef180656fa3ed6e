package lists

import (
	"context"
	"math/big"
	"math/bits"
	"strconv"
	"sync"
)

// Sum is the total of what some rows have in a column. It is exact at any length.
type Sum struct {
	// Total is the sum of the whole numbers, in decimal digits.
	Total string
	// Rows have one. The others have none, or something that is no whole number.
	Rows int
}

// SizeColumn returns the first column of sizes as people look for them; false if there is none.
func (t *Table) SizeColumn() (column ColumnInfo, ok bool) {
	found := firstSize(t)
	if found == nil {
		return column, false
	}
	return t.sample().columns[found[0]], true
}

// Sum adds up the whole numbers that the rows (nil: all) have in a column, on all processors. When
// the context ends, its error is returned.
func (t *Table) Sum(ctx context.Context, rows []int32, column int) (Sum, error) {
	rows = t.rowsOr(rows)
	var mu sync.Mutex
	var all adder
	err := t.inChunks(ctx, len(rows), func(first, end int) {
		var part adder
		for _, row := range rows[first:end] {
			part.add(t.Cell(int(row), column))
		}
		mu.Lock()
		defer mu.Unlock()
		all.merge(&part)
	})
	return Sum{Total: all.total().String(), Rows: all.rows}, err
}

// adder adds whole numbers: usual ones in two words, the others as they need.
type adder struct {
	high, low uint64
	others    *big.Int // below 0, or longer than a word; nil: none
	rows      int
}

func (a *adder) add(c Cell) {
	if c.Kind() != Number || !isDigits(c.raw) && !(c.raw[0] == '-' && isDigits(c.raw[1:])) {
		return
	}
	a.rows++
	if n, err := strconv.ParseUint(string(c.raw), 10, 64); err == nil {
		var carry uint64
		a.low, carry = bits.Add64(a.low, n, 0)
		a.high += carry
		return
	}
	other, _ := new(big.Int).SetString(string(c.raw), 10) // cannot fail: it is of digits
	a.addOther(other)
}

func (a *adder) addOther(other *big.Int) {
	if a.others == nil {
		a.others = new(big.Int)
	}
	a.others.Add(a.others, other)
}

func (a *adder) merge(part *adder) {
	var carry uint64
	a.low, carry = bits.Add64(a.low, part.low, 0)
	a.high += part.high + carry
	if part.others != nil {
		a.addOther(part.others)
	}
	a.rows += part.rows
}

func (a *adder) total() *big.Int {
	total := new(big.Int).SetUint64(a.high)
	const word = 64
	total.Lsh(total, word)
	total.Add(total, new(big.Int).SetUint64(a.low))
	if a.others != nil {
		total.Add(total, a.others)
	}
	return total
}
