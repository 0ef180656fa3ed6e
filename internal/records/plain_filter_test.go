package records

import (
	"bytes"
	"slices"
)

// plainFilter decodes and folds every record as a whole. [Table.Filter] must find the same.
func plainFilter(t *Table, query string, rows []int32) []int32 {
	words := bytes.Fields(appendFolded(nil, []byte(query)))
	found := []int32{}
	for _, row := range rows {
		if containsAll(appendSearchText(nil, t.Record(int(row))), words) {
			found = append(found, row)
		}
	}
	return found
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
