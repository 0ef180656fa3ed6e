package lists

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Otherwise returns the query that a person may have meant who writes as in other programs, in SQL or
// in plain words: "size between 1 and 2 GB" is size:1..2 GB, "*ada*" is ada, "last week" is
// changed:last week. It is false where the text tells nothing of that. Such a text is looked for as
// it is, so this is for those who found nothing.
func (t *Table) Otherwise(text string, by Asker) (Notice, bool) {
	isQuoted := func(item queryItem) bool { return item.operator == "" && strings.HasPrefix(item.typed, `"`) }
	if t.sample().columns == nil || len(text) > maxHabit || slices.ContainsFunc(slices.Collect(t.items(text)), isQuoted) {
		return Notice{}, false
	}
	w := &rewriter{table: t, names: newNames(t), by: by}
	meant := strings.Join(strings.Fields(text), " ")
	for range maxHabits {
		next := w.once(meant)
		if next == meant {
			break
		}
		meant, w.rewritten = next, true
	}
	kind := OtherWriting
	if w.whole || isWord(text) || !t.hasCondition(meant) {
		kind = MayMean
	}
	if w.sorts {
		n := Notice{Kind: SortsInstead, Text: text}
		if meant != "" {
			n.Meant, n.Fixes = []string{meant}, []string{meant}
		}
		return n, true
	}
	if meant == "" || meant == strings.Join(strings.Fields(text), " ") {
		return Notice{}, false
	}
	query := t.query(meant, by)
	if _, misunderstood := query.Misunderstood(); misunderstood || query.Empty() {
		return Notice{}, false
	}
	return Notice{Kind: kind, Text: text, Meant: []string{meant}, Fixes: []string{meant}}, true
}

// hasCondition reports whether a query has a condition, and is not of texts alone.
func (t *Table) hasCondition(text string) bool {
	isCondition := func(item queryItem) bool { return item.operator != "" }
	return slices.ContainsFunc(slices.Collect(t.items(text)), isCondition)
}

const (
	maxHabit  = 200 // bytes of a text
	maxHabits = 8   // of one text
)

// rewriter writes what people write elsewhere as this language has it.
type rewriter struct {
	table     *Table
	names     *names
	by        Asker
	rewritten bool // something was written otherwise
	sorts     bool // the text asks for an order, which is no filter
	whole     bool // the text is a condition of this language, on the whole of a text
}

// isWord reports whether a text is one word, such as people look for.
func isWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// once writes the first thing otherwise that the language does not have.
func (w *rewriter) once(text string) string {
	for _, h := range habits() {
		at := h.pattern.FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		parts := make([]string, len(at)/2)
		for i := range parts {
			if at[2*i] >= 0 {
				parts[i] = text[at[2*i]:at[2*i+1]]
			}
		}
		if written, ok := h.write(w, parts); ok {
			return strings.Join(strings.Fields(text[:at[0]]+written+text[at[1]:]), " ")
		}
	}
	return text
}

// habit is a way of writing that other programs have. Its function gets the parts of the pattern, and
// is false where these are something else.
type habit struct {
	pattern *regexp.Regexp
	write   func(w *rewriter, parts []string) (string, bool)
}

// habits are tried in this order.
var habits = sync.OnceValue(func() []habit {
	const (
		column = `(?:^|\s|[-!])("[^"]+"|\[[^\]]+\]|[\pL_][\pL\d_.]*)`
		end    = `(?: and | or |$)`
	)
	var all []habit
	add := func(pattern string, write func(w *rewriter, parts []string) (string, bool)) {
		all = append(all, habit{regexp.MustCompile(`(?i)` + pattern), write})
	}

	// A name in brackets or of two words, a statement of SQL, and an order.
	add(`\[([\pL_. ]+)\] ?([:=<>!])`, func(w *rewriter, p []string) (string, bool) {
		_, typed, ok := w.column(p[1])
		return typed + p[2], ok
	})
	add(`(?:^| )date ?(modified|changed|created)\b`, func(_ *rewriter, p []string) (string, bool) { return " " + p[1], true })
	add(`^(?:select .*?)?where `, written(""))
	add(`(?:^| )(?:(?:order|sort|sorted) by .*|sort:\S+|limit \d+|desc|asc)$`, (*rewriter).order)
	add(`^(?:largest|biggest|smallest|newest|oldest|latest|recent|top \d+)$`, (*rewriter).order)

	// Ranges.
	add(column+` (not )?between (.+?) and (.+)$`, func(w *rewriter, p []string) (string, bool) {
		return w.condition(p[1], p[2] != "", ":", p[3]+".."+p[4])
	})
	add(column+`(?: from|:) ?(\S.*?) to (.+)$`, func(w *rewriter, p []string) (string, bool) {
		return w.condition(p[1], false, ":", p[2]+".."+p[3])
	})
	add(column+`[:=] ?([\d.,]+ ?\pL*) ?[-–—] ?([\d.,]+ ?\pL+)$`, func(w *rewriter, p []string) (string, bool) {
		return w.condition(p[1], false, ":", p[2]+".."+p[3])
	})
	add(`^(?:between |from )?(.+?) (?:to|and|-|–|—) (.+)$`, (*rewriter).bareRange)
	add(`^(.+?)[-–—](.+)$`, (*rewriter).bareRange)

	// Operators in words, behind a column and without one.
	add(column+` (?:is |are |was |does )?(`+anyOf(wordOperators)+`) (.+?)`+end, (*rewriter).wordOperator)
	add(`^(?:is )?(`+anyOf(bareOperators)+`) (.+)$`, (*rewriter).bareOperator)
	add(column+` (?:is |are )(not )?(?:null|empty|missing|blank|set|unset)`, func(w *rewriter, p []string) (string, bool) {
		return w.has(p[1], p[2] != "")
	})

	// What is there, and what is yes.
	add(`(?:^| )(?:has|with):([\pL_.]+)`, func(w *rewriter, p []string) (string, bool) { return w.has(p[1], true) })
	add(`(?:^| )(?:no|without|-has|!has):([\pL_.]+)`, func(w *rewriter, p []string) (string, bool) { return w.has(p[1], false) })
	add(column+`[:=]\*$`, func(w *rewriter, p []string) (string, bool) { return w.has(p[1], true) })
	add(column+`[:=](?:empty|none|blank|unset)$`, func(w *rewriter, p []string) (string, bool) { return w.has(p[1], false) })
	add(`^(?:is:)?empty$`, (*rewriter).empty)
	add(`(?:^| )(?:is:|not )?(not[-_ ]|in|un|non|non-)?([\pL_]+)$`, (*rewriter).state)
	add(`(?:^| )(\S+) in:([\pL_.]+)|(?:^| )in:([\pL_.]+) (\S+)`, func(w *rewriter, p []string) (string, bool) {
		return w.condition(p[2]+p[3], false, ":", p[1]+p[4])
	})

	// As find, web searches and shells have it.
	add(`(?:^| )-(size|mtime|ctime|name|iname|user) ([-+]?)(\S+)`, (*rewriter).found)
	add(`(?:^| )\+([\pL"]\S*)`, func(_ *rewriter, p []string) (string, bool) { return " " + p[1], true })
	add(`^\+(\d\S*)$`, func(w *rewriter, p []string) (string, bool) { return ">" + p[1], w.isAmount(p[1]) })
	add(`(?:^| )@([\pL\d]+)`, func(_ *rewriter, p []string) (string, bool) { return " " + p[1], true })

	// Patterns, and what negates.
	add(column+` ?!(?:=?~|:) ?(\S+)`, func(w *rewriter, p []string) (string, bool) { return w.condition(p[1], true, ":", p[2]) })
	add(column+` ?(?:=~|~|≈|:~=) ?(\S+)`, (*rewriter).like)
	add(`^(?:<>|!==?)(\S+)$`, func(_ *rewriter, p []string) (string, bool) { return "!" + p[1], true })
	add(column+`[:=](?:!|-|not )(\pL\S*)`, func(w *rewriter, p []string) (string, bool) { return w.condition(p[1], true, ":", p[2]) })
	add(column+`(?:!| not )(\pL\S*)`, func(w *rewriter, p []string) (string, bool) { return w.condition(p[1], true, ":", p[2]) })
	add(`(?:^| )(\S*[*%^$/]\S*)`, (*rewriter).pattern)

	// What joins and groups.
	add(`(?:("[^"]+"|[\pL_.]+)(:| in ?))?\(([^()]+)\)`, (*rewriter).group)
	add(column+`:(\S+) or ([^\s:=<>]+)$`, func(_ *rewriter, p []string) (string, bool) { return p[1] + ":" + p[2] + "|" + p[3], true })
	add(`^(.+) or (.+)$`, func(_ *rewriter, p []string) (string, bool) { return p[1] + " | " + p[2], true })
	add(` (?:and|&&?|\+) `, written(" "))
	add(`^not (\S+)$`, func(_ *rewriter, p []string) (string, bool) { return "!" + p[1], true })
	add(` not (\S+)`, func(_ *rewriter, p []string) (string, bool) { return " !" + p[1], true })
	add(`([^\s&;,]+)[&;,]+ ?([\pL_.]+[:=<>].*)$`, func(_ *rewriter, p []string) (string, bool) { return p[1] + " " + p[2], true })
	add(`(\pL[^\s,]*),(\pL[^\s,]*)`, func(_ *rewriter, p []string) (string, bool) { return p[1] + "|" + p[2], true })
	add(`([:=])(\d+),(\d+)$`, func(_ *rewriter, p []string) (string, bool) { return p[1] + p[2] + "|" + p[3], true })

	// Values alone, or behind a column without an operator.
	add(`^=?(.+)$`, (*rewriter).bareValue)
	add(column+` (.+)$`, (*rewriter).valueBehind)
	add(column+` ?==? ?(\S+)$`, (*rewriter).partOfText)
	add(`^==?(\S+)$`, func(_ *rewriter, p []string) (string, bool) { return p[1], true })
	add(`([<>])[<>]+`, func(_ *rewriter, p []string) (string, bool) { return p[1], true })
	add(`([^\s.!,;?])[.!,;?]+$`, func(_ *rewriter, p []string) (string, bool) { return p[1], true })
	return all
})

// written writes a text.
func written(text string) func(*rewriter, []string) (string, bool) {
	return func(*rewriter, []string) (string, bool) { return text, true }
}

// Operators that depend on the column: of a text it is a part that is meant.
const (
	isExactly = "is"
	isNot     = "is not"
	hasNot    = "has not"
)

// wordOperators are operators in words.
var wordOperators = map[string]string{
	"gt": ">", "over": ">", "above": ">", "after": ">", "greater than": ">", "more than": ">", "larger than": ">",
	"bigger than": ">", "newer than": ">", "later than": ">", "higher than": ">",
	"ge": ">=", "gte": ">=", "at least": ">=", "since": ">=", "from": ">=", "min": ">=",
	"lt": "<", "under": "<", "below": "<", "before": "<", "less than": "<", "smaller than": "<", "older than": "<",
	"earlier than": "<", "lower than": "<",
	"le": "<=", "lte": "<=", "at most": "<=", "until": "<=", "up to": "<=", "max": "<=",
	"eq": isExactly, "equals": isExactly, "equal to": isExactly, "is": isExactly, "are": isExactly,
	"ne": isNot, "not": isNot, "is not": isNot, "isn't": isNot, "not equal to": isNot,
	"contains": ":", "contain": ":", "has": ":", "like": ":", "ilike": ":", "starts with": ":", "begins with": ":",
	"ends with": ":", "includes": ":", "matches": ":", "in": ":", "on": ":", "during": ":", "within": ":",
	"not like": hasNot, "not contain": hasNot, "not contains": hasNot, "not in": hasNot,
}

// bareOperators are those that make sense without a column.
var bareOperators = map[string]string{
	"older than": "<", "newer than": ">", "before": "<", "after": ">", "since": ">=", "until": "<=",
	"over": ">", "above": ">", "more than": ">", "larger than": ">", "bigger than": ">", "greater than": ">", "at least": ">=",
	"under": "<", "below": "<", "less than": "<", "smaller than": "<", "at most": "<=", "up to": "<=",
	"in": ":", "on": ":", "during": ":", "within": ":", "from": ":",
}

// anyOf is a pattern of the words, the longer ones first.
func anyOf(words map[string]string) string {
	sorted := slices.SortedFunc(maps.Keys(words), func(a, b string) int { return len(b) - len(a) })
	for i, word := range sorted {
		sorted[i] = regexp.QuoteMeta(word)
	}
	return strings.Join(sorted, "|")
}

func (w *rewriter) order([]string) (string, bool) {
	w.sorts = true
	return "", true
}

// column returns the column of a name that may be in quotes or brackets.
func (w *rewriter) column(name string) (column ColumnInfo, typed string, ok bool) {
	name = strings.Trim(name, `"[]`)
	found := w.names.resolve(name)
	if found.columns == nil {
		return column, "", false
	}
	column = w.table.sample().columns[found.columns[0]]
	if !canBeTyped(name) {
		name = w.table.typedName(column.Index)
	}
	return column, name, true
}

// condition is a name, an operator and a value.
func (w *rewriter) condition(name string, negated bool, operator, value string) (string, bool) {
	_, typed, ok := w.column(name)
	return " " + negation(negated) + typed + operator + value, ok
}

func negation(negated bool) string {
	if negated {
		return "!"
	}
	return ""
}

// wordOperator writes "owner contains ada" and "size more than 1 GB".
func (w *rewriter) wordOperator(parts []string) (string, bool) {
	name, word, value := parts[1], strings.ToLower(parts[2]), parts[3]
	column, _, ok := w.column(name)
	_, isWord := wordOperators[strings.ToLower(value)] // there is more to come: "is not"
	if !ok || isWord || isState(value) {
		return "", false
	}
	operator := wordOperators[word]
	negated := operator == isNot || operator == hasNot
	switch {
	case (operator == isExactly || operator == isNot) && (column.Kind == NumberColumn || column.Kind == BytesColumn):
		operator = "="
	case operator == isExactly || negated:
		operator = ":"
	}
	written, ok := w.condition(name, negated, operator, value)
	_, behind, _ := strings.Cut(parts[0], parts[2]+" "+value)
	return written + behind, ok
}

// isState reports whether a value is that there is none.
func isState(value string) bool {
	value = strings.ToLower(strings.TrimPrefix(strings.ToLower(value), "not "))
	return slices.Contains([]string{nullWord, missingWord, "empty", "blank", "set", "unset"}, value)
}

// bareOperator writes "older than 1 year" and "over 1 GB".
func (w *rewriter) bareOperator(parts []string) (string, bool) {
	operator, value := bareOperators[strings.ToLower(parts[1])], parts[2]
	switch {
	case operator == ":" && w.isMoment(value):
		return w.ofFirst(firstTime, operator+value)
	case operator != ":" && (w.isAmount(value) || w.isMoment(value)):
		return operator + value, true
	}
	return "", false
}

// bareRange writes "1GB-2GB" and "2025-03 to 2025-05".
func (w *rewriter) bareRange(parts []string) (string, bool) {
	from, to := parts[1], parts[2]
	low, isLow := parseAmount(from)
	sizes := isLow && w.isAmount(to)
	switch {
	case w.isMoment(from + "-" + to): // a date
	case sizes && (low.unit == "" || w.isAmount(from)):
		return w.ofFirst(firstSize, ":"+from+".."+to)
	case w.isMoment(from) && w.isMoment(to):
		return w.ofFirst(firstTime, ":"+from+".."+to)
	}
	return "", false
}

// ofFirst is a condition on the first column of a kind.
func (w *rewriter) ofFirst(first func(*Table) []int, condition string) (string, bool) {
	columns := first(w.table)
	if columns == nil {
		return "", false
	}
	return w.table.typedName(columns[0]) + condition, true
}

// isAmount reports whether a text is a size with its unit.
func (w *rewriter) isAmount(text string) bool {
	a, ok := parseAmount(text)
	_, isSize := unitOf(a.unit)
	return ok && isSize && a.unit != ""
}

func (w *rewriter) isMoment(text string) bool {
	m, ok := parseMoment(text, w.by.Now)
	return ok && m.other.first.IsZero()
}

// noValue is what a cell without a value is equal to.
const noValue = nullWord + "|" + missingWord

// has writes that a column has a value, or none. Of a number 0 is none.
func (w *rewriter) has(name string, some bool) (string, bool) {
	column, typed, ok := w.column(name)
	switch {
	case !ok:
		return "", false
	case (column.Kind == NumberColumn || column.Kind == BytesColumn) && some:
		return " " + typed + ">0", true
	case column.Kind == NumberColumn || column.Kind == BytesColumn:
		return " " + typed + "=0", true
	}
	return " " + negation(some) + typed + "=" + noValue, true
}

func (w *rewriter) empty([]string) (string, bool) { return w.ofFirst(firstSize, "=0") }

// state writes a word that is a column of yes and no, or what a number of a column means.
func (w *rewriter) state(parts []string) (string, bool) {
	word := parts[2]
	no := parts[1] != "" || strings.HasPrefix(strings.ToLower(strings.TrimSpace(parts[0])), "not ")
	for _, column := range w.table.sample().display {
		names := []string{foldedName(column.Label), foldedName(lastMember(column.Name))}
		if column.Kind == BoolColumn && slices.Contains(names, foldedName(word)) {
			value := map[bool]string{false: "yes", true: "no"}[no]
			return " " + w.table.typedName(column.Index) + "=" + value, true
		}
	}
	wanted := strings.ToLower(strings.TrimSpace(parts[1] + word))
	for _, column := range w.table.sample().display {
		for _, meaning := range Meanings(column.Name) {
			if meaning == wanted {
				return " " + w.table.typedName(column.Index) + ":" + wanted, true
			}
		}
	}
	return "", false
}

// like writes "name =~ board" and "size ~ 1GB".
func (w *rewriter) like(parts []string) (string, bool) {
	column, _, ok := w.column(parts[1])
	if ok && compares(column.Kind) {
		return w.condition(parts[1], false, "=", parts[2])
	}
	return w.condition(parts[1], false, ":", parts[2])
}

// found writes a test of find(1).
func (w *rewriter) found(parts []string) (string, bool) {
	test, sign, value := strings.ToLower(parts[1]), parts[2], parts[3]
	operators := map[string]string{"+": ">", "-": "<", "": ":"}
	operator := operators[sign]
	switch test {
	case "mtime", "ctime":
		operator = map[string]string{"+": "<", "-": ">", "": ":"}[sign] // more days ago are earlier
		return w.condition(map[string]string{"mtime": "modified", "ctime": "created"}[test], false, operator, value+"d")
	case "size":
		return w.condition(test, false, operator, value)
	}
	return w.condition(strings.TrimPrefix(test, "i"), false, ":", strings.Trim(value, `*"'`))
}

// pattern writes a word with the signs of a pattern as the texts in it.
func (w *rewriter) pattern(parts []string) (string, bool) {
	word := parts[1]
	start := strings.LastIndexAny(word, ":=<>") + 1
	name := word[:start]
	if strings.Contains(word, "//") || strings.ContainsAny(name, "<>*%^$/") || strings.HasPrefix(word, `"`) {
		return "", false
	}
	isSign := func(r rune) bool { return strings.ContainsRune(`*%^$/`, r) }
	value := word[start:]
	if !strings.ContainsAny(value, "*%") && strings.TrimFunc(value, isSign) == value {
		return "", false // the signs are within, as in a path
	}
	value = strings.NewReplacer(".*", "*", "%", "*", `"`, "", `'`, "").Replace(value)
	texts := strings.FieldsFunc(value, isSign)
	for i, text := range texts {
		texts[i] = strings.TrimRight(name, "=") + text
		if strings.HasSuffix(name, "=") {
			texts[i] = strings.TrimRight(name, "=") + ":" + text
		}
	}
	return " " + strings.Join(texts, " "), texts != nil
}

// betweenValues stands between the values of a group.
var betweenValues = regexp.MustCompile(`(?i) or |[|,]`)

// group writes "(ann or bob)" and "owner in (ann, bob)".
func (w *rewriter) group(parts []string) (string, bool) {
	values := betweenValues.Split(parts[3], -1)
	for i, value := range values {
		values[i] = strings.Trim(strings.TrimSpace(value), `'`)
		if values[i] == "" || strings.ContainsAny(values[i], " :=<>") {
			return parts[3], parts[1] == ""
		}
	}
	name := ""
	if parts[1] != "" {
		name = parts[1] + ":"
	}
	return name + strings.Join(values, "|"), len(values) > 1
}

// bareValue writes a size or a time that has no operator.
func (w *rewriter) bareValue(parts []string) (string, bool) {
	exactly := strings.HasPrefix(parts[0], "=")
	value := strings.TrimSpace(parts[1])
	switch {
	case w.isMoment(value):
		return w.ofFirst(firstTime, ":"+value)
	case w.isAmount(value) && exactly:
		return w.ofFirst(firstSize, "="+value)
	case w.isAmount(value):
		return w.ofFirst(firstSize, ">="+value)
	}
	return "", false
}

// valueBehind writes "owner ada" and "changed last week". The name has to be that of a column, and not
// only its beginning.
func (w *rewriter) valueBehind(parts []string) (string, bool) {
	name, value := parts[1], parts[2]
	column, typed, ok := w.column(name)
	if !ok || strings.ContainsFunc(value, isOperator) || !strings.EqualFold(column.Label, name) && otherNames[foldedName(name)] == nil {
		return "", false
	}
	switch {
	case column.Kind.isTime() && !w.isMoment(value), !column.Kind.isTime() && !w.isAmount(value) && strings.Contains(value, " "):
		return "", false
	case column.Kind == BytesColumn && w.isAmount(value):
		return " " + typed + ">=" + value, true
	}
	return " " + typed + ":" + value, true
}

// partOfText writes owner=ada, which is the whole of no text, as one that is a part of it.
func (w *rewriter) partOfText(parts []string) (string, bool) {
	column, typed, ok := w.column(parts[1])
	if !ok || w.rewritten || compares(column.Kind) || column.Kind == BoolColumn || isState(parts[2]) {
		return "", false
	}
	value := strings.Trim(parts[2], `"'`)
	if value == "" {
		return "", false
	}
	w.whole = true
	before := strings.TrimSuffix(strings.TrimRight(parts[0], "= "), parts[1]+" ")
	negated := strings.HasPrefix(strings.TrimSpace(before), "!")
	return " " + negation(negated) + typed + ":" + value, true
}
