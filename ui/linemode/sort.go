package linemode

import (
	"errors"
	"strings"

	"gatehouse/internal/records"
)

// sorting is a column that a list is sorted by. It is named, for the next answer may have
// others.
type sorting struct {
	column     string
	descending bool
}

// sort sorts the records by one or more columns.
func (l *list) sort(text string) error {
	var order []sorting
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		by, err := l.readSorting(part)
		if err != nil {
			l.explainColumn(part, err)
			return nil
		}
		order = append(order, by)
	}
	l.order = order
	return l.arrange()
}

// readSorting reads a column, and the direction: "disk", "disk down" or "-disk".
func (l *list) readSorting(text string) (sorting, error) {
	column, err := l.table.ColumnNamed(text)
	if err == nil {
		return sorting{column: l.columnName(column)}, nil
	}
	name, descending := cutLastWord(text, "down")
	if !descending {
		name, descending = strings.CutPrefix(text, "-")
	}
	if !descending {
		return sorting{}, err
	}
	if column, err = l.table.ColumnNamed(name); err != nil {
		return sorting{}, err
	}
	return sorting{column: l.columnName(column), descending: true}, nil
}

func (l *list) columnName(column int) string { return l.table.Columns()[column].Name }

// explainColumn says that a name is that of no column, or which it may be.
func (l *list) explainColumn(text string, err error) {
	unclear, ok := errors.AsType[*records.ColumnError](err)
	if !ok || len(unclear.Meant) == 0 {
		l.say("There is no column %s. Type columns to hear their names.", clip(text, maxListText))
		return
	}
	l.say("%s could be any of these columns. Type more of the name.", clip(unclear.Name, maxListText))
	for _, label := range unclear.Meant {
		l.say("%s", sentence(clip(label, maxListText)))
	}
}

// sortKeys are those of the order that the list has columns for.
func (l *list) sortKeys() (keys []records.SortKey) {
	for _, by := range l.order {
		if column, err := l.table.ColumnNamed(by.column); err == nil {
			keys = append(keys, records.SortKey{Column: column, Descending: by.descending})
		}
	}
	return keys
}

// sortedBy says the order of the list.
func (l *list) sortedBy() string {
	var names []string
	for _, by := range l.order {
		name := line(by.column)
		if by.descending {
			name += ", descending"
		}
		names = append(names, name)
	}
	if names == nil {
		return ""
	}
	return ", sorted by " + strings.Join(names, ", then by ")
}

// cutLastWord removes a word from the end of a text.
func cutLastWord(text, word string) (rest string, found bool) {
	at := strings.LastIndexByte(text, ' ')
	if at < 0 || !strings.EqualFold(text[at+1:], word) {
		return text, false
	}
	return strings.TrimSpace(text[:at]), true
}
