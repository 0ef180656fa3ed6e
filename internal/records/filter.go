package records

import (
	"bytes"
	"context"
	"slices"
)

// rowsPerCheck is how many rows are worked on between two looks at the context.
const rowsPerCheck = 256

// Filter returns those of the rows (nil: all rows) that contain every word of the
// query, in their order, as a new slice that is not nil. A word is found anywhere
// in a string, number or boolean of the record, at any depth, without case; it is
// not looked for in member names, in nulls, or across two values. A query without
// words finds every row. When the context ends, its error is returned.
func (t *Table) Filter(ctx context.Context, query string, rows []int32) ([]int32, error) {
	words := bytes.Fields(appendFolded(nil, []byte(query)))
	if rows == nil {
		rows = t.allRows()
	}
	if len(words) == 0 {
		return append([]int32{}, rows...), ctx.Err()
	}
	found := []int32{}
	var text []byte
	for i, row := range rows {
		if i%rowsPerCheck == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text = appendSearchText(text[:0], t.Record(int(row)))
		if containsAll(text, words) {
			found = append(found, row)
		}
	}
	return found, nil
}

func (t *Table) allRows() []int32 {
	rows := make([]int32, t.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

func containsAll(text []byte, words [][]byte) bool {
	return !slices.ContainsFunc(words, func(word []byte) bool { return !bytes.Contains(text, word) })
}

// appendSearchText appends the folded scalars of a record, each on a line: a word
// has no line break in it, so it cannot match across two of them.
func appendSearchText(dst, record []byte) []byte {
	for at := 0; at < len(record); {
		start := at
		switch c := record[at]; {
		case c == '"':
			at = skipString(record, at)
			if !isKey(record, at) {
				dst = append(appendFolded(dst, unquote(record[start:at])), '\n')
			}
		case endsScalar(c):
			at++
		default:
			at = skipScalar(record, at)
			if c != 'n' {
				dst = append(appendFolded(dst, record[start:at]), '\n')
			}
		}
	}
	return dst
}

// isKey reports whether the string that ends before at is a member name.
func isKey(record []byte, at int) bool {
	at = skipSpace(record, at)
	return at < len(record) && record[at] == ':'
}
