package lists

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// notice adds a notice, unless the query has it already.
func (c *compiler) notice(n Notice) {
	same := func(said Notice) bool { return said.Kind == n.Kind && said.Text == n.Text }
	if !slices.ContainsFunc(c.query.notices, same) {
		c.query.notices = append(c.query.notices, n)
	}
}

// instead returns copies of the query, each with another text in place of a part of an item.
func (c *compiler) instead(item queryItem, part string, others []string) (queries []string) {
	at := strings.LastIndex(item.typed, part)
	if part == item.column {
		at = strings.Index(item.typed, part)
	}
	if at < 0 {
		return nil
	}
	begin := item.end - len(item.typed) + at
	before, behind := c.text[:begin], c.text[begin+len(part):]
	for _, other := range others {
		queries = append(queries, before+other+behind)
	}
	return queries
}

// unknownColumn says that no column has the name of an item, and which names are similar.
func (c *compiler) unknownColumn(item queryItem) Notice {
	like := c.names.like(item.column)
	return Notice{
		Kind:  UnknownColumn,
		Text:  item.column,
		Meant: like,
		Fixes: c.instead(item, item.column, like),
	}
}

// unclearColumn says that the name of an item may be that of several columns.
func (c *compiler) unclearColumn(item queryItem, meant []int) Notice {
	var typed []string
	for _, col := range meant {
		typed = append(typed, c.table.typedName(col))
	}
	return Notice{
		Kind:  UnclearColumn,
		Text:  item.column,
		Meant: c.table.labelsAt(meant),
		Fixes: c.instead(item, item.column, typed),
	}
}

// wrongValue says that a column of this kind cannot have the value of an item.
func (c *compiler) wrongValue(item queryItem, kind ColumnKind) *Notice {
	return &Notice{Kind: WrongValue, Text: item.value, Column: kind}
}

// unknownMeaning says that no number of the column has the meaning that an item names.
func (c *compiler) unknownMeaning(item queryItem, column string) *Notice {
	unknown := &Notice{Kind: UnknownMeaning, Text: item.value}
	if like := meaningsLike(column, strings.ToLower(item.value)); len(like) > 0 {
		unknown.Meant, unknown.Fixes = like, c.instead(item, item.value, like)
		return unknown
	}
	unknown.Meant = slices.Sorted(maps.Values(Meanings(column)))
	return unknown
}

// unknownUnit says that the unit of an amount is unknown, and which units are similar.
func (c *compiler) unknownUnit(item queryItem, a amount) *Notice {
	like := unitsLike(a.unit)
	return &Notice{
		Kind:  UnknownUnit,
		Text:  a.unit,
		Meant: like,
		Fixes: c.instead(item, a.unit, like),
	}
}

// unclearNumber says that a number can be read in two ways, as 1.000 can.
func (c *compiler) unclearNumber(item queryItem, a amount) *Notice {
	return c.unclearValue(item, a.written())
}

// unclearDay says that a date can be read in two ways, as 03/04/2025 can.
func (c *compiler) unclearDay(item queryItem, m moment) *Notice {
	first, other := m.first.Format(time.DateOnly), m.other.first.Format(time.DateOnly)
	return c.unclearValue(item, []string{first, other})
}

// unclearValue says that the value of an item may have several meanings.
func (c *compiler) unclearValue(item queryItem, meant []string) *Notice {
	return &Notice{
		Kind:  UnclearValue,
		Text:  item.value,
		Meant: meant,
		Fixes: c.instead(item, item.value, meant),
	}
}
