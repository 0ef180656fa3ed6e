package lists

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"gatehouse/internal/text/human"
)

// condition returns what an item asks of the cells of a column, or why it makes no sense there.
func (c *compiler) condition(item queryItem, col int) (condition, *Notice) {
	if address, ok := c.by.person(item.itemValue, c.table.sample().columns[col]); ok {
		asked := item.column + item.operator
		c.notice(Notice{Kind: ReadAs, Text: asked + item.value, Meant: []string{asked + address}})
		item.value = address
	}
	kind := c.table.sample().columns[col].Kind
	isYesOrNo := kind == BoolColumn && !item.quoted // its case does not matter
	if kind.isTime() && item.quoted && item.operator != "==" && c.isWrittenDate(item.value) {
		item.quoted = false
	}
	isEqual := item.operator == ":" || strings.HasPrefix(item.operator, "=")
	if item.quoted && isEqual || item.operator == "==" && !isYesOrNo {
		return c.alike(item, col), nil
	}
	from, to, isRange := cutRange(item.value)
	mayBeRange := compares(kind) || item.operator == ""
	if isRange && mayBeRange && from+to != "" {
		return c.between(item, from, to, col)
	}
	switch item.operator {
	case ":", "=", "==":
		return c.equal(item, col)
	}
	b, unfit := c.comparison(item, col)
	if unfit != nil {
		return condition{}, unfit
	}
	return condition{holds: b.holds}, nil
}

// isWrittenDate reports whether a text is a date as people write it rather than as services send it.
func (c *compiler) isWrittenDate(text string) bool {
	_, sent := parseSpan([]byte(text))
	_, ok := parseMoment(text, c.by.Now)
	return ok && !sent
}

// compares reports whether a column has numbers or times.
func compares(kind ColumnKind) bool {
	return kind == NumberColumn || kind == BytesColumn || kind.isTime()
}

// yearBehind matches the year at the end of a date.
var yearBehind = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(` \d{4}$`)
})

// between returns the condition that a value is in a range, one end of which may be open. The unit
// of the end counts for the beginning as well (1..2GB), and so does its year (oct..dec 2023).
func (c *compiler) between(item queryItem, from, to string, col int) (condition, *Notice) {
	if low, ok := parseAmount(from); ok && low.unit == "" {
		if high, ok := parseAmount(to); ok {
			from += high.unit
		}
	}
	if _, isMonth := monthNamed(strings.ToLower(from)); isMonth {
		from += yearBehind().FindString(to)
	}
	var bounds []*bound
	for _, end := range []struct{ operator, value string }{{">=", from}, {"<=", to}} {
		if end.value == "" {
			continue
		}
		side := item
		side.operator, side.value = end.operator, end.value
		b, unfit := c.comparison(side, col)
		if unfit != nil {
			return condition{}, unfit
		}
		bounds = append(bounds, b)
	}
	return condition{holds: func(cell Cell) bool {
		return !slices.ContainsFunc(bounds, func(b *bound) bool { return !b.holds(cell) })
	}}, nil
}

// equal returns the condition that a value is, or contains, what was typed. An incomplete time
// matches every time in that day, month or year, and a size every size that lists show alike.
func (c *compiler) equal(item queryItem, col int) (condition, *Notice) {
	want := c.alike(item, col)
	_, isState := states[strings.ToLower(item.value)]
	if item.value == "" || item.nearly || isState && item.operator == "=" {
		return want, nil
	}
	switch info := c.table.sample().columns[col]; info.Kind {
	case TimeColumn, TicksColumn:
		return c.equalTime(item, want, info)
	case NumberColumn, BytesColumn:
		return c.equalNumber(item, want, info)
	case ListColumn:
		return c.equalLength(item, want), nil
	case BoolColumn:
		return c.equalBool(item, want, info)
	}
	return want, nil
}

// equalTime is equal for a column of times. want is the condition for the text alone.
func (c *compiler) equalTime(
	item queryItem, want condition, info ColumnInfo,
) (condition, *Notice) {
	m, ok := parseMoment(item.value, c.by.Now)
	switch {
	case strings.ToLower(item.value) == human.Never:
		return condition{holds: c.unset(info.Index)}, nil
	case !m.other.first.IsZero():
		return want, c.unclearDay(item, m)
	case ok && m.first.Year() > 1:
		return condition{holds: c.within(m, info.Index)}, nil
	case !isPartOfTime(item.value, info.Kind):
		return want, c.wrongValue(item, info.Kind)
	}
	return want, nil
}

// equalNumber is equal for a column of numbers or sizes. want is the condition for the text alone.
func (c *compiler) equalNumber(
	item queryItem, want condition, info ColumnInfo,
) (condition, *Notice) {
	a, ok := parseAmount(item.value)
	hasMeanings := Meanings(info.Name) != nil
	switch {
	case hasMeanings && !ok && !c.isMeaning(item, info.Index):
		return want, c.unknownMeaning(item, info.Name)
	case hasMeanings:
		return want, nil
	case ok:
		return c.equalAmount(item, a, want, info)
	case strings.ContainsFunc(item.value, unicode.IsLetter):
		return want, c.wrongValue(item, info.Kind)
	}
	return want, nil
}

// equalLength is equal for a column of lists, which are compared with a number by their length.
func (c *compiler) equalLength(item queryItem, want condition) condition {
	a, ok := parseAmount(item.value)
	if !ok || a.unit != "" || item.operator == ":" {
		return want
	}
	length, _ := a.number(NumberColumn)
	exactly := &bound{included: true}
	return condition{holds: exactly.setNumber(length).isLength}
}

// equalBool is equal for a column of booleans.
func (c *compiler) equalBool(
	item queryItem, want condition, info ColumnInfo,
) (condition, *Notice) {
	yes, ok := yesOrNo[strings.ToLower(item.value)]
	if !ok {
		return want, c.wrongValue(item, info.Kind)
	}
	return condition{mark: item.value, holds: func(cell Cell) bool {
		return cell.Kind() == Bool && (cell.raw[0] == 't') == yes
	}}, nil
}

// timePart matches a part of a time as services send it, but no whole date: 09:30, -03-, T10.
var timePart = sync.OnceValue(func() *regexp.Regexp {
	const clock = `(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?`
	return regexp.MustCompile(`^(?i:(?:[-\d]{0,10}[T ])?` + clock + `(?:Z|[-+]\d\d:?\d\d)?|T[\d:.]*|[-:.]\d{1,9}[-:.Z]?|-\d\d-\d\d|Z|\d{1,4})$`)
})

// isPartOfTime reports whether a text may be part of a time as services send it: 09:30.
func isPartOfTime(text string, kind ColumnKind) bool {
	if kind == TicksColumn {
		return isDigits([]byte(text))
	}
	return timePart().MatchString(text)
}

// yesOrNo are the words for booleans.
var yesOrNo = map[string]bool{
	"yes": true, "y": true, "true": true, "t": true, "on": true, "1": true, "✓": true,
	"ja": true, "oui": true, "wahr": true, "vrai": true, "sand": true,

	"no": false, "n": false, "false": false, "f": false, "off": false, "0": false, "✗": false,
	"nein": false, "nej": false, "non": false, "falsch": false, "faux": false, "falsk": false,
}

// within returns the condition that a time is in a span, or since its beginning if it was given as an
// age.
func (c *compiler) within(m moment, col int) func(cell Cell) bool {
	ticksAreTime := speaksOfTime(c.table.columns.names[col])
	from := &bound{included: true, ticksAreTime: ticksAreTime}
	from.setTime(m.timeSpan)
	to := &bound{below: true, included: true, ticksAreTime: ticksAreTime}
	to.setTime(m.timeSpan)
	return func(cell Cell) bool { return from.holds(cell) && (m.since || to.holds(cell)) }
}

// unset returns the condition that a time is not set, which is shown as never.
func (c *compiler) unset(col int) func(cell Cell) bool {
	kind := c.table.sample().columns[col].Kind
	return func(cell Cell) bool {
		at, ok := cell.Time(kind)
		return ok && at.IsZero()
	}
}

// equalAmount is equal for a number with or without a unit. A size after a colon matches larger ones
// as well, as in the search of a mail program.
func (c *compiler) equalAmount(
	item queryItem, a amount, want condition, info ColumnInfo,
) (condition, *Notice) {
	if _, known := unitOf(a.unit); !known {
		return want, c.unknownUnit(item, a)
	}
	number, unclear := a.number(info.Kind)
	switch {
	case unclear:
		return want, c.unclearNumber(item, a)
	case a.unit != "" && item.operator == ":":
		readAs := item.column + ">=" + item.value
		c.notice(Notice{Kind: ReadAs, Text: item.typed, Meant: []string{readAs}})
		atLeast := (&bound{included: true}).setNumber(number)
		return condition{holds: atLeast.holds}, nil
	case a.unit != "":
		shown := number.shown()
		return condition{holds: func(cell Cell) bool {
			return cell.Kind() == Number && newDecimal(cell.raw).shown() == shown
		}}, nil
	case numberPattern().MatchString(item.value) && !strings.ContainsAny(item.value, "eE"):
		return want, nil
	}
	key := number.appendOrdered(nil)
	return condition{holds: func(cell Cell) bool {
		if cell.Kind() != Number {
			return false
		}
		var memory [shortText]byte
		return bytes.Equal(newDecimal(cell.raw).appendOrdered(memory[:0]), key)
	}}, nil
}

// alike returns the condition that the text of a cell contains the value or is equal to it, whichever
// the operator asks.
func (c *compiler) alike(item queryItem, col int) condition {
	if item.operator == ":" {
		return c.orMeaning(contains(item), item, col)
	}
	folded := appendFolded(nil, []byte(item.value))
	if state, ok := states[string(folded)]; ok && !item.quoted {
		return condition{holds: func(cell Cell) bool { return cell.Kind() == state }}
	}
	want := condition{mark: item.value, holds: func(cell Cell) bool {
		var memory [shortText]byte
		return cell.Kind() > Null && bytes.Equal(cell.appendFolded(memory[:0]), folded)
	}}
	if item.operator == "==" {
		want.holds = func(cell Cell) bool { return cell.Kind() > Null && cell.Text() == item.value }
	}
	mayBeContainer := len(folded) > 0 && (folded[0] == '[' || folded[0] == '{')
	if len(folded) > 0 && !mayBeContainer { // a list or object may be spelled differently in the body
		want.word = folded
	}
	return c.orMeaning(want, item, col)
}

// The words for cells without a value.
const (
	nullWord    = "null"
	missingWord = "missing"
)

// states are the kinds of cells without a value, by these words.
var states = map[string]Kind{nullWord: Null, missingWord: Missing}
