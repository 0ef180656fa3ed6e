package lists

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"gatehouse/internal/text/human"
)

// Query is a question about the records of a table, see [QueryHelp] for its
// language. It does not change, so any number of goroutines may use it.
type Query struct {
	// alternatives are terms of which all have to hold, the cheapest first. One of the
	// alternatives has to; without any, every row is found.
	alternatives [][]term

	notices []Notice
}

// Query reads a query. It never fails: a term that makes no sense is looked for as text, which the
// notices say (see [Query.Misunderstood]), and one without a value waits for more. Times such as 7d
// and yesterday are counted back from when it is asked.
func (t *Table) Query(text string, by Asker) *Query {
	q := t.query(text, by)
	at := slices.IndexFunc(q.notices, Notice.Misunderstood)
	if at < 0 {
		return q
	}
	other, ok := t.Otherwise(text, by)
	switch {
	case ok && other.Kind == SortsInstead:
		q.notices = slices.Delete(q.notices, at, at+1) // which is said where nothing is found
	case ok && other.Fixes != nil:
		q.notices[at].Meant, q.notices[at].Fixes = other.Meant, other.Fixes
	}
	return q
}

// query reads a query as this language has it.
func (t *Table) query(text string, by Asker) *Query {
	c := compiler{table: t, by: by, text: text, names: newNames(t)}
	for item := range t.items(text) {
		if item.or {
			c.endAlternative()
		} else {
			c.add(item)
		}
	}
	c.endAlternative()
	return &c.query
}

// endAlternative adds the terms so far. None are no alternative: what people have still to
// type does not find everything.
func (c *compiler) endAlternative() {
	if len(c.terms) == 0 {
		return
	}
	isSlow := func(t term) bool { return t.word == nil || t.negated }
	quick := slices.DeleteFunc(slices.Clone(c.terms), isSlow)
	slow := slices.DeleteFunc(c.terms, func(t term) bool { return !isSlow(t) })
	c.query.alternatives = append(c.query.alternatives, append(quick, slow...))
	c.terms = nil
}

// Empty reports whether the query asks nothing, so that it finds every row.
func (q *Query) Empty() bool { return len(q.alternatives) == 0 }

// Marks returns the texts, as they were typed, that the query looks for in the cells of a column.
func (q *Query) Marks(col int) []string {
	var marks []string
	for _, named := range slices.Concat(q.alternatives...) {
		if named.negated {
			continue
		}
		for _, term := range append([]term{named}, named.others...) {
			if mark := term.columns[0].mark; mark != "" && term.reads(col) && !slices.Contains(marks, mark) {
				marks = append(marks, mark)
			}
		}
	}
	return marks
}

// Unfinished returns the first condition that has no value yet, such as "disk>". The query does
// without it.
func (q *Query) Unfinished() string {
	at := slices.IndexFunc(q.notices, func(n Notice) bool { return n.Kind == MissingValue })
	if at < 0 {
		return ""
	}
	return q.notices[at].Text
}

// compiler makes the terms of a query.
type compiler struct {
	table  *Table
	by     Asker
	text   string // of the query
	names  *names
	query  Query
	terms  []term    // of the alternative that is being read
	common *[256]int // how often each byte is in the body, once it is known
}

// notice adds one, unless it was said before.
func (c *compiler) notice(n Notice) {
	same := func(said Notice) bool { return said.Kind == n.Kind && said.Text == n.Text }
	if !slices.ContainsFunc(c.query.notices, same) {
		c.query.notices = append(c.query.notices, n)
	}
}

// instead are the queries with other texts in place of a part of an item.
func (c *compiler) instead(item queryItem, part string, others []string) (queries []string) {
	at := strings.LastIndex(item.typed, part)
	if part == item.column {
		at = strings.Index(item.typed, part)
	}
	if at < 0 {
		return nil
	}
	before := c.text[:item.end-len(item.typed)+at]
	behind := c.text[item.end-len(item.typed)+at+len(part):]
	for _, other := range others {
		queries = append(queries, before+other+behind)
	}
	return queries
}

func (c *compiler) matcher(word []byte) *matcher {
	if c.common == nil {
		counts := countBytes(c.table.body)
		c.common = &counts
	}
	return newMatcher(word, *c.common)
}

func (c *compiler) add(item queryItem) {
	if item.open {
		c.notice(Notice{Kind: OpenQuote})
	}
	made, ok := c.term(item)
	if !ok {
		return
	}
	for _, value := range item.others {
		other := item
		other.itemValue = value
		if term, ok := c.term(other); ok {
			made.others = append(made.others, term)
		}
	}
	c.terms = append(c.terms, made)
}

// term returns what an item asks with its first value; false if that is nothing yet.
func (c *compiler) term(item queryItem) (made term, ok bool) {
	var tests []columnTest
	if item.named || isBareRange(item) {
		var wait bool
		if tests, wait = c.tests(item); wait {
			return made, false
		}
		if tests == nil {
			item = queryItem{negated: item.negated, itemValue: itemValue{value: item.typed}}
		}
	}
	if tests == nil {
		if item.value == "" {
			return made, false
		}
		tests = []columnTest{{anywhere, contains(item)}}
	}
	made = term{negated: item.negated != item.unequal, columns: tests}
	wordless := func(t columnTest) bool { return t.word == nil }
	if word := tests[0].word; !slices.ContainsFunc(tests, wordless) { // all have the same one
		made.word, made.enough = c.matcher(word), tests[0].column == anywhere
	}
	return made, true
}

// tests returns what an item asks of columns, nil if it is to be taken as text. It
// is to wait, and asks nothing yet, if it names a column and no more.
func (c *compiler) tests(item queryItem) (tests []columnTest, wait bool) {
	if item.operator == ":" && strings.HasPrefix(item.value, "//") || isDigits([]byte(item.column)) {
		return nil, false // the start of an address, or a time of the day
	}
	if c.table.sample().columns == nil {
		return nil, false // there are no records whose columns could be known
	}
	columns := c.columns(&item)
	switch {
	case columns == nil:
		return nil, false
	case item.value == "" && item.operator != "=" && item.operator != "==":
		c.notice(Notice{Kind: MissingValue, Text: item.column + item.operator})
		return nil, true
	}
	var compared []int
	var unfit *Notice // why the first column has nothing that fits
	for _, col := range columns {
		want, why := c.condition(item, col)
		switch {
		case why == nil:
			tests, compared = append(tests, columnTest{col, want}), append(compared, col)
		case unfit == nil:
			unfit = why
		}
	}
	if tests == nil {
		if unfit.Kind == WrongValue && beginsMoment(item.value) && unfit.Column.isTime() {
			c.notice(Notice{Kind: MissingValue, Text: item.typed})
			return nil, true
		}
		c.notice(*unfit)
		return nil, false
	}
	if labels := c.table.labelsAt(compared); len(labels) > 1 {
		c.notice(Notice{Kind: SeveralColumns, Text: item.column, Meant: labels})
	}
	return tests, false
}

// columns returns the columns that an item is about, nil if it is to be taken as text. A word such as
// "larger" becomes the operator that it stands for.
func (c *compiler) columns(item *queryItem) []int {
	found := c.names.resolve(item.column)
	if foldedName(item.column) == ageName && found.columns == nil {
		item.column, item.operator = "", backwards[item.operator]
		item.value = strings.TrimSuffix(item.value, " old")
	}
	word, isWord := comparingWords[foldedName(item.column)]
	switch {
	case item.column == "" || found.columns == nil && isWord && item.operator == ":":
		kind := BytesColumn
		if isWord {
			kind, item.operator = word.kind, word.operator
		} else if c.bareIsTime(item.value) {
			kind = TicksColumn
		}
		columns := firstTime(c.table)
		if kind == BytesColumn {
			columns = firstSize(c.table)
		}
		if columns == nil {
			c.notice(Notice{Kind: NoSuchColumn, Text: item.typed, Column: kind})
		}
		return columns
	case found.columns != nil:
		return found.columns
	case found.meant != nil:
		c.notice(c.unclearColumn(*item, found.meant))
	default:
		like := c.names.like(item.column)
		c.notice(Notice{Kind: UnknownColumn, Text: item.column, Meant: like, Fixes: c.instead(*item, item.column, like)})
	}
	return nil
}

func (c *compiler) unclearColumn(item queryItem, meant []int) Notice {
	var typed []string
	for _, col := range meant {
		typed = append(typed, c.table.typedName(col))
	}
	return Notice{
		Kind: UnclearColumn, Text: item.column, Meant: c.table.labelsAt(meant),
		Fixes: c.instead(item, item.column, typed),
	}
}

// backwards are the operators of times for those of an age: what is older was earlier.
var backwards = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", ":": ":", "=": "=", "==": "=="}

// comparingWords compare as in mail and web searches: larger:1GB, before:2025, newer_than:7d.
var comparingWords = map[string]struct {
	kind     ColumnKind
	operator string
}{
	"larger": {BytesColumn, ">"}, "bigger": {BytesColumn, ">"}, "smaller": {BytesColumn, "<"},
	"after": {TicksColumn, ">"}, "newer": {TicksColumn, ">"}, "newer_than": {TicksColumn, ">"}, "since": {TicksColumn, ">="},
	"before": {TicksColumn, "<"}, "older": {TicksColumn, "<"}, "older_than": {TicksColumn, "<"}, "until": {TicksColumn, "<="},
}

// bareIsTime reports whether the value of a comparison without a name is a time: a number alone is
// one if it is a year of our time.
func (c *compiler) bareIsTime(value string) bool {
	from, to, _ := cutRange(value)
	value = cmp.Or(from, to)
	m, ok := parseMoment(value, c.by.Now)
	const firstYear, lastYear = 1900, 2200
	return ok && (!isDigits([]byte(value)) || firstYear <= m.first.Year() && m.first.Year() < lastYear)
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

// condition returns what an item asks of the cells of a column, or why it makes no sense there.
func (c *compiler) condition(item queryItem, col int) (condition, *Notice) {
	if address, ok := c.by.person(item.itemValue, c.table.sample().columns[col]); ok {
		asked := item.column + item.operator
		c.notice(Notice{Kind: ReadAs, Text: asked + item.value, Meant: []string{asked + address}})
		item.value = address
	}
	kind := c.table.sample().columns[col].Kind
	isYesOrNo := kind == BoolColumn && !item.quoted // whose case tells nothing
	if kind.isTime() && item.quoted && item.operator != "==" && c.isWrittenDate(item.value) {
		item.quoted = false
	}
	isEqual := item.operator == ":" || strings.HasPrefix(item.operator, "=")
	if item.quoted && isEqual || item.operator == "==" && !isYesOrNo {
		return c.alike(item, col), nil
	}
	if from, to, ok := cutRange(item.value); ok && (compares(kind) || item.operator == "") && from+to != "" {
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

// isWrittenDate reports whether a text is a date as people write it, and not as services send it.
func (c *compiler) isWrittenDate(text string) bool {
	_, sent := parseSpan([]byte(text))
	_, ok := parseMoment(text, c.by.Now)
	return ok && !sent
}

// compares reports whether a column has numbers or times.
func compares(kind ColumnKind) bool {
	return kind == NumberColumn || kind == BytesColumn || kind.isTime()
}

var yearBehind = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` \d{4}$`) })

// between is the condition that a value is in a range of which one end may be open. A unit of the
// end is that of the beginning as well, 1..2GB, and so is its year: oct..dec 2023.
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

// equal is the condition that a value is, or has in it, what was typed. Of a time that says not all it
// is any in its day, month or year; of a size any that lists show as the same.
func (c *compiler) equal(item queryItem, col int) (condition, *Notice) {
	want := c.alike(item, col)
	folded := strings.ToLower(item.value)
	info := c.table.sample().columns[col]
	_, isState := states[folded]
	if item.value == "" || item.nearly || isState && item.operator == "=" {
		return want, nil
	}
	switch info.Kind {
	case TimeColumn, TicksColumn:
		m, ok := parseMoment(item.value, c.by.Now)
		switch {
		case folded == human.Never:
			return condition{holds: c.unset(col)}, nil
		case !m.other.first.IsZero():
			return want, c.unclearDay(item, m)
		case ok && m.first.Year() > 1:
			return condition{holds: c.within(m, col)}, nil
		case !isPartOfTime(item.value, info.Kind):
			return want, c.wrongValue(item, info.Kind)
		}
	case NumberColumn, BytesColumn:
		a, ok := parseAmount(item.value)
		switch {
		case Meanings(info.Name) != nil && !ok && !c.isMeaning(item, col):
			return want, c.unknownMeaning(item, info.Name)
		case Meanings(info.Name) != nil:
		case ok:
			return c.equalAmount(item, a, want, info)
		case strings.ContainsFunc(item.value, unicode.IsLetter):
			return want, c.wrongValue(item, info.Kind)
		}
	case ListColumn:
		if a, ok := parseAmount(item.value); ok && a.unit == "" && item.operator != ":" {
			length, _ := a.number(NumberColumn)
			exactly := &bound{included: true}
			return condition{holds: exactly.setNumber(length).isLength}, nil
		}
	case BoolColumn:
		yes, ok := yesOrNo[folded]
		if !ok {
			return want, c.wrongValue(item, info.Kind)
		}
		return condition{mark: item.value, holds: func(cell Cell) bool {
			return cell.Kind() == Bool && (cell.raw[0] == 't') == yes
		}}, nil
	}
	return want, nil
}

// timePart is a part of a time as services send it, which is no whole date: 09:30, -03-, T10.
var timePart = sync.OnceValue(func() *regexp.Regexp {
	const clock = `(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?`
	return regexp.MustCompile(`^(?i:(?:[-\d]{0,10}[T ])?` + clock + `(?:Z|[-+]\d\d:?\d\d)?|T[\d:.]*|[-:.]\d{1,9}[-:.Z]?|-\d\d-\d\d|Z|\d{1,4})$`)
})

// isPartOfTime reports whether a text that is no time may be in one as services send it: 09:30.
func isPartOfTime(text string, kind ColumnKind) bool {
	if kind == TicksColumn {
		return isDigits([]byte(text))
	}
	return timePart().MatchString(text)
}

var yesOrNo = map[string]bool{
	"yes": true, "y": true, "true": true, "t": true, "on": true, "1": true, "ja": true, "oui": true, "wahr": true, "vrai": true, "sand": true, "✓": true,
	"no": false, "n": false, "false": false, "f": false, "off": false, "0": false, "nein": false, "nej": false, "non": false, "falsch": false,
	"faux": false, "falsk": false, "✗": false,
}

// within is the condition that a time is in a span, or since it if it was told by its age.
func (c *compiler) within(m moment, col int) func(cell Cell) bool {
	ticks := speaksOfTime(c.table.columns.names[col])
	from := (&bound{included: true, ticks: ticks}).setTime(m.timeSpan)
	to := (&bound{below: true, included: true, ticks: ticks}).setTime(m.timeSpan)
	return func(cell Cell) bool { return from.holds(cell) && (m.since || to.holds(cell)) }
}

// unset is the condition that a time is one that is not set, which is shown as never.
func (c *compiler) unset(col int) func(cell Cell) bool {
	kind := c.table.sample().columns[col].Kind
	return func(cell Cell) bool {
		at, ok := cell.Time(kind)
		return ok && at.IsZero()
	}
}

// equalAmount is equal for a number. A size after a colon is one that is reached, as in a mail search.
func (c *compiler) equalAmount(item queryItem, a amount, want condition, info ColumnInfo) (condition, *Notice) {
	if _, known := unitOf(a.unit); !known {
		return want, c.unknownUnit(item, a)
	}
	number, unclear := a.number(info.Kind)
	switch {
	case unclear:
		return want, c.unclearNumber(item, a)
	case a.unit != "" && item.operator == ":":
		c.notice(Notice{Kind: ReadAs, Text: item.typed, Meant: []string{item.column + ">=" + item.value}})
		reached := (&bound{included: true}).setNumber(number)
		return condition{holds: reached.holds}, nil
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
		var memory [shortText]byte
		return cell.Kind() == Number && bytes.Equal(newDecimal(cell.raw).appendOrdered(memory[:0]), key)
	}}, nil
}

// alike is the condition that the text of a cell has the value in it, or is it.
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
	if len(folded) > 0 && folded[0] != '[' && folded[0] != '{' { // which may be the text of a list or object
		want.word = folded
	}
	return c.orMeaning(want, item, col)
}

func (c *compiler) wrongValue(item queryItem, kind ColumnKind) *Notice {
	return &Notice{Kind: WrongValue, Text: item.value, Column: kind}
}

func (c *compiler) unknownMeaning(item queryItem, column string) *Notice {
	like := meaningsLike(column, strings.ToLower(item.value))
	return &Notice{Kind: UnknownMeaning, Text: item.value, Meant: like, Fixes: c.instead(item, item.value, like)}
}

func (c *compiler) unknownUnit(item queryItem, a amount) *Notice {
	like := unitsLike(a.unit)
	return &Notice{Kind: UnknownUnit, Text: a.unit, Meant: like, Fixes: c.instead(item, a.unit, like)}
}

func (c *compiler) unclearNumber(item queryItem, a amount) *Notice {
	return c.unclearValue(item, a.written())
}

func (c *compiler) unclearDay(item queryItem, m moment) *Notice {
	return c.unclearValue(item, []string{m.first.Format(time.DateOnly), m.other.first.Format(time.DateOnly)})
}

func (c *compiler) unclearValue(item queryItem, meant []string) *Notice {
	return &Notice{Kind: UnclearValue, Text: item.value, Meant: meant, Fixes: c.instead(item, item.value, meant)}
}

// The words for cells without a value.
const (
	nullWord    = "null"
	missingWord = "missing"
)

var states = map[string]Kind{nullWord: Null, missingWord: Missing}
