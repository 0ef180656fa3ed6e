package lists

import (
	"cmp"
	"strings"
)

// columns returns the columns that an item is about, or nil if the item has to be read as text. A
// word such as "larger" becomes the operator that it stands for.
func (c *compiler) columns(item *queryItem) []int {
	found := c.names.resolve(item.column)
	if foldedName(item.column) == ageName && found.columns == nil {
		item.column, item.operator = "", backwards[item.operator]
		item.value = strings.TrimSuffix(item.value, " old")
	}
	word, isWord := comparingWords[foldedName(item.column)]
	isComparison := found.columns == nil && isWord && item.operator == ":"
	switch {
	case isComparison:
		item.operator = word.operator
		return c.firstOfKind(item, word.kind)
	case item.column == "" && c.bareIsTime(item.value):
		return c.firstOfKind(item, TicksColumn)
	case item.column == "":
		return c.firstOfKind(item, BytesColumn)
	case found.columns != nil:
		return found.columns
	case found.meant != nil:
		c.notice(c.unclearColumn(*item, found.meant))
	default:
		c.notice(c.unknownColumn(*item))
	}
	return nil
}

// firstOfKind returns the first column of sizes or of times, for an item that names none. It notes if
// there is no such column.
func (c *compiler) firstOfKind(item *queryItem, kind ColumnKind) []int {
	columns := firstTime(c.table)
	if kind == BytesColumn {
		columns = firstSize(c.table)
	}
	if columns == nil {
		c.notice(Notice{Kind: NoSuchColumn, Text: item.typed, Column: kind})
	}
	return columns
}

// backwards maps the operators of an age to those of a time: what is older was earlier.
var backwards = map[string]string{
	"<": ">", "<=": ">=", ">": "<", ">=": "<=", ":": ":", "=": "=", "==": "==",
}

// comparingWords compare as in mail and web searches: larger:1GB, before:2025, newer_than:7d.
var comparingWords = map[string]struct {
	kind     ColumnKind
	operator string
}{
	"larger":     {BytesColumn, ">"},
	"bigger":     {BytesColumn, ">"},
	"smaller":    {BytesColumn, "<"},
	"after":      {TicksColumn, ">"},
	"newer":      {TicksColumn, ">"},
	"newer_than": {TicksColumn, ">"},
	"since":      {TicksColumn, ">="},
	"before":     {TicksColumn, "<"},
	"older":      {TicksColumn, "<"},
	"older_than": {TicksColumn, "<"},
	"until":      {TicksColumn, "<="},
}

// bareIsTime reports whether the value of a comparison that names no column is a time. A number alone
// is a time if it is a year of our age.
func (c *compiler) bareIsTime(value string) bool {
	from, to, _ := cutRange(value)
	value = cmp.Or(from, to)
	m, ok := parseMoment(value, c.by.Now)
	const firstYear, endYear = 1900, 2200
	isYear := firstYear <= m.first.Year() && m.first.Year() < endYear
	return ok && (!isDigits([]byte(value)) || isYear)
}

// isBareRange reports whether an item that names no column is a range of sizes or times.
func isBareRange(item queryItem) bool {
	from, to, ok := cutRange(item.value)
	if !ok || item.quoted || item.nearly || from+to == "" {
		return false
	}
	isEnd := func(text string) bool {
		a, ok := parseAmount(text)
		_, isSize := unitOf(a.unit)
		return text == "" || ok && isSize || isMoment(text)
	}
	return isEnd(from) && isEnd(to)
}
