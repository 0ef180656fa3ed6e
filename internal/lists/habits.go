package lists

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"gatehouse/internal/text/human"
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
	misunderstood, is := query.Misunderstood()
	switch {
	case is && misunderstood.Kind == WrongValue: // size is big
		return misunderstood, true
	case is, query.Empty():
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
		written, ok := h.write(w, parts)
		if !ok {
			continue
		}
		if h.named && strings.ContainsRune("-!", rune(parts[0][0])) {
			written = opposite(written)
		}
		if next := strings.Join(strings.Fields(text[:at[0]]+written+text[at[1]:]), " "); next != text {
			return next
		}
	}
	return text
}

// opposite is a condition that does not hold where the other one does.
func opposite(condition string) string {
	condition = strings.TrimSpace(condition)
	if positive, ok := strings.CutPrefix(condition, "!"); ok {
		return " " + positive
	}
	return " !" + condition
}

// habit is a way of writing that other programs have. Its function gets the parts of the pattern, and
// is false where these are something else.
type habit struct {
	pattern *regexp.Regexp
	write   func(w *rewriter, parts []string) (string, bool)
	named   bool // it begins with the name of a column, and the sign before that negates it
}

// habits are tried in this order.
var habits = sync.OnceValue(func() []habit {
	const (
		column = `(?:^|\s|[-!])("[^"]+"|\[[^\]]+\]|[\pL_][\pL\d_.]*)`
		end    = `(?: and | or |$)`
	)
	var all []habit
	add := func(pattern string, write func(w *rewriter, parts []string) (string, bool)) {
		all = append(all, habit{regexp.MustCompile(`(?i)` + pattern), write, strings.HasPrefix(pattern, column)})
	}

	// Numbers that are still to be worked out.
	add(`\b(\d{1,18})(?:\^|\*\*)(\d{1,2})\b`, power)
	add(`\b(\d{1,18}) ?[*×] ?(\d{1,18})\b`, product)
	add(`\b0x([0-9a-f]{1,16})\b`, hexadecimal)
	add(`([\d.,]+) ?(`+anyOf(manyWords)+`)\b`, func(_ *rewriter, p []string) (string, bool) {
		return strings.ReplaceAll(p[1], ",", ".") + manyWords[strings.ToLower(p[2])], true
	})

	// A name in brackets or of two words, a path, a function, a statement of SQL, and an order.
	add("[\\[`]([\\pL_. ]+)[\\]`] ?([:=<>!])", func(w *rewriter, p []string) (string, bool) {
		_, typed, ok := w.column(p[1])
		return typed + p[2], ok
	})
	add(`^(?:\.(?:\[\])? ?\| ?)?(?:map\( ?)?select\((.*?)\)+$`, func(_ *rewriter, p []string) (string, bool) { return p[1], true })
	add(`([$.]?[\pL_][^\s|:=<>]*) ?\| ?(?:test|contains|match|startswith|endswith|ltrimstr|inside) ?\( ?"?([^"();]+)"?[^()]*\)?`, (*rewriter).piped)
	add(`([$.]?[\pL_][^\s|:=<>]*) ?\| ?(?:length|ascii_downcase|tostring|tonumber)\b`, func(_ *rewriter, p []string) (string, bool) { return p[1], true })
	add(`(^|[\s(!-])(\$?\.?[\pL_][\pL\d_]*(?:(?:\.|/|->|::|\[[^\]\s]*\])[\pL\d_]*)+|\$?\.[\pL_][\pL\d_]*)( ?[:=<>!≥≤≠])`, (*rewriter).path)
	add(`\b(?:lower|upper|trim|len|length|count|size|date|year|sum|abs|lcase|ucase) ?\(([^()]+)\)`, func(w *rewriter, p []string) (string, bool) {
		_, typed, ok := w.column(p[1])
		return typed, ok
	})
	add(`=?(not )?(?:isblank|isnull|isempty) ?\(([^()]+)\)`, func(w *rewriter, p []string) (string, bool) { return w.has(p[2], p[1] != "") })
	add(`^=?not ?\(([^()]+)\)$`, func(_ *rewriter, p []string) (string, bool) { return "!" + p[1], !joins(p[1]) })
	add(`^=?(and|or)\((.+)\)$`, func(_ *rewriter, p []string) (string, bool) {
		between := map[string]string{"and": " ", "or": " | "}[strings.ToLower(p[1])]
		return strings.Join(splitNames(p[2]), between), true
	})
	add(`([<>=:]) ?(?:date|timestamp|datetime) ?\(?['"]([^'"]+)['"]\)?`, func(_ *rewriter, p []string) (string, bool) { return p[1] + p[2], true })
	add(`(?:^| )date ?(modified|changed|created)\b`, func(_ *rewriter, p []string) (string, bool) { return " " + p[1], true })
	add(`^(?:select .*?)?where `, written(""))
	add(`(?:^| )(?:(?:order|sort|sorted) by .*|sort:\S+|limit \d+|desc|asc)$`, (*rewriter).order)
	add(`^(?:--?)?(?:largest|biggest|smallest|newest|oldest|latest|recent|top|limit)(?: \d+)?(?: \pL+)?(?: by .*)?$`, (*rewriter).order)

	// What is mine.
	add(`^(?:mine|my(?: own)?(?: \pL+)?|(?:owned |created )?by me|@?me)$`, func(w *rewriter, _ []string) (string, bool) {
		written, ok := w.ofFirst(ownership, ":me")
		return written, ok && w.by.Me != ""
	})
	add(`^not (?:mine|owned by me|my own)$`, func(w *rewriter, _ []string) (string, bool) {
		written, ok := w.ofFirst(ownership, ":me")
		return "!" + written, ok && w.by.Me != ""
	})
	add(`^(?:only|just|show|find|list) `, written(""))
	add(`^(?:all |the )?(\S+) (?:shares?|companies|company|folders?|files?|records?|rows?)$`, func(_ *rewriter, p []string) (string, bool) { return p[1], true })

	// The number or the time first, two bounds at once.
	add(`(?:^| )([\d.,]+ ?\pL*|\d[\d.-]+) ?(<=?|>=?) ?([\pL_][\pL\d_.]*)(?: ?(<=?|>=?) ?([\d.,]+ ?\pL*|\d[\d.-]+))?$`, (*rewriter).turned)
	add(column+` ?([<>]=?) ?([^\s<>]+) ?(?:and |&+ ?|, ?)?([<>]=?) ?([^\s<>]+)$`, func(w *rewriter, p []string) (string, bool) {
		low, ok := w.condition(p[1], false, p[2], p[3])
		high, _ := w.condition(p[1], false, p[4], p[5])
		return low + high, ok
	})

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
	add(column+`[:=] ?[\[{(]([^\[\]{}()]+?)(?: to |\.\.| - |, ?|; ?)([^\[\]{}()]+)[\]})]$`, (*rewriter).rangeOf)
	add(column+`(?: from |[:=]| ) ?(\S.*?)(?: ?(?:…|~|/|–|—) ?| (?:to|til|till|bis|until|through|-) )(.+)$`, (*rewriter).rangeOf)
	add(`^(?:between |from )?(.+?) (?:to|and|-|–|—) (.+)$`, (*rewriter).bareRange)
	add(`^(.+?)[-–—](.+)$`, (*rewriter).bareRange)

	// Operators in words, behind a column and without one.
	add(column+` (?:is |are |was |does )?(`+anyOf(wordOperators)+`) (.+?)`+end, (*rewriter).wordOperator)
	add(`^(?:is )?(`+anyOf(bareOperators)+`) (.+)$`, (*rewriter).bareOperator)
	add(column+`(?: (?:is |are )?| ?[:=]+ ?)(not |!)?\(?(`+anyOf(presences)+`)\)?$`, (*rewriter).presence)
	add(column+` ?(?:!=|<>) ?(?:""|''|nil|none)$`, has(true))
	add(`^(?:has|with|any|exists) ([\pL_.]+)$`, has(true))

	// What is there, and what is yes.
	add(`(?:^| )(?:no|without|missing|(?:-|!|not )(?:has|with|_?exists_?)):([\pL_.]+)`, has(false))
	add(`(?:^| )(?:has|with|_?exists_?):([\pL_.]+)`, has(true))
	add(column+`[:=]\*$`, has(true))
	add(`^(?:is:)?empty$`, (*rewriter).empty)
	add(`(?:^| )(-|!|not )?(?:[\pL_]+[:=])?(not[-_ ]|in|un|non|non-)?(\pL[\pL_-]*)$`, (*rewriter).state)
	add(`^(?:no |without |missing |[!-])([\pL_.]+)$`, has(false))
	add(`(?:^| )(\S+) in:([\pL_.]+)|(?:^| )in:([\pL_.]+) (\S+)`, func(w *rewriter, p []string) (string, bool) {
		return w.condition(p[2]+p[3], false, ":", p[1]+p[4])
	})

	add(`(?:^| )(?:shared? ?with|with|to|member|members)(?: |: ?)(\S+@?\S*)$`, func(w *rewriter, p []string) (string, bool) {
		return w.condition("relations", false, ":", p[1])
	})

	// As find, web searches, grep and shells have it.
	add(`(?:^| )--(\pL{2,})[ =](['"]?)([^'"]+)['"]?`, func(w *rewriter, p []string) (string, bool) {
		_, isWord := comparingWords[strings.ToLower(p[1])]
		_, _, isColumn := w.column(p[1])
		return " " + p[1] + ":" + p[3], isWord || isColumn
	})
	add(`(?:^| )-e (\S+) -e (\S+)`, func(_ *rewriter, p []string) (string, bool) { return " " + p[1] + "|" + p[2], true })
	add(`(?:^| )-v (\S+)`, func(_ *rewriter, p []string) (string, bool) { return " !" + p[1], true })
	add(`(?:^| )-[iwFgSnElk] (\S)`, func(_ *rewriter, p []string) (string, bool) { return " " + p[1], true })
	add(`\(\?[a-z]+\)|\\b`, written(""))
	add(`\\\|`, written("|"))
	add(`(?:^| )-(size|mtime|ctime|name|iname|user) ([-+]?)(\S+)`, (*rewriter).found)
	add(`(?:^| )\+([\pL"]\S*)`, func(_ *rewriter, p []string) (string, bool) { return " " + p[1], true })
	add(`^\+(\d\S*)$`, func(w *rewriter, p []string) (string, bool) { return ">" + p[1], w.isAmount(p[1]) })
	add(`(?:^| )@([\pL\d]+)`, func(_ *rewriter, p []string) (string, bool) { return " " + p[1], true })

	// Patterns, and what negates.
	add(column+` ?!(?:=?~|:) ?(\S+)`, func(w *rewriter, p []string) (string, bool) { return w.condition(p[1], true, ":", p[2]) })
	add(column+` ?(?:=~|~\*?|≈|:~=) ?(\S+)`, (*rewriter).like)
	add(`^(?:<>|!==?)(\S+)$`, func(_ *rewriter, p []string) (string, bool) { return "!" + p[1], true })
	add(column+`[:=](?:!|-|not )(\pL\S*)`, func(w *rewriter, p []string) (string, bool) { return w.condition(p[1], true, ":", p[2]) })
	add(column+`(?:!| not )(\pL\S*)`, func(w *rewriter, p []string) (string, bool) { return w.condition(p[1], true, ":", p[2]) })
	add(`\[(\pL)(\pL)\]`, func(_ *rewriter, p []string) (string, bool) { return p[1], strings.EqualFold(p[1], p[2]) })
	add(column+`#(\S+)`, func(w *rewriter, p []string) (string, bool) { return w.condition(p[1], false, ":", p[2]) })
	add(`(?:^| )(\S*[*%^$/]\S*)`, (*rewriter).pattern)

	// What joins and groups.
	add(`(?:("[^"]+"|[\pL_.]+)(:| in ?))?\(([^()]+)\)`, (*rewriter).group)
	add(`^\{([^{}]+)\}$`, func(_ *rewriter, p []string) (string, bool) { return strings.Join(strings.Fields(p[1]), "|"), true })
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
	"bigger than": ">", "newer than": ">", "larger": ">", "bigger": ">", "newer": ">", "exceeds": ">", "later than": ">", "higher than": ">",
	"ge": ">=", "gte": ">=", "at least": ">=", "since": ">=", "from": ">=", "min": ">=",
	"smaller": "<", "older": "<", "lt": "<", "under": "<", "below": "<", "before": "<", "less than": "<", "smaller than": "<", "older than": "<",
	"earlier than": "<", "lower than": "<",
	"le": "<=", "lte": "<=", "at most": "<=", "until": "<=", "up to": "<=", "max": "<=",
	"eq": isExactly, "equals": isExactly, "equal to": isExactly, "is": isExactly, "are": isExactly,
	"ne": isNot, "not": isNot, "is not": isNot, "isn't": isNot, "not equal to": isNot,
	"contains": ":", "contain": ":", "has": ":", "like": ":", "ilike": ":", "starts with": ":", "begins with": ":",
	"ends with": ":", "includes": ":", "matches": ":", "regexp": ":", "rlike": ":", "in": ":", "on": ":", "during": ":", "within": ":",
	"not like": hasNot, "not contain": hasNot, "not contains": hasNot, "not in": hasNot, "notin": hasNot,
}

// bareOperators are those that make sense without a column.
var bareOperators = map[string]string{
	"older than": "<", "newer than": ">", "before": "<", "after": ">", "since": ">=", "until": "<=",
	"over": ">", "above": ">", "more than": ">", "larger than": ">", "bigger than": ">", "greater than": ">", "at least": ">=",
	"larger": ">", "bigger": ">", "newer": ">", "smaller": "<", "older": "<",
	"under": "<", "below": "<", "less than": "<", "smaller than": "<", "at most": "<=", "up to": "<=",
	"in": ":", "on": ":", "during": ":", "within": ":", "from": ":",
}

// anyOf is a pattern of the words, the longer ones first.
func anyOf[V any](words map[string]V) string {
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

// presences are words for a column that has a value, or none.
var presences = map[string]bool{
	"set": true, "defined": true, "there": true, "exists": true, "any": true,
	nullWord: false, missingWord: false, "empty": false, "blank": false, "blanks": false, "unset": false, "none": false,
	"nil": false, "undefined": false, "n/a": false, "[]": false, "{}": false, `""`: false, "''": false, "-": false, "–": false, "—": false,
}

// isState reports whether a value is that there is one, or none.
func isState(value string) bool {
	_, ok := presences[strings.TrimPrefix(strings.ToLower(value), "not ")]
	return ok
}

// presence writes "parent is not set". What is null or missing is so to the letter, of a number too.
func (w *rewriter) presence(parts []string) (string, bool) {
	word := strings.ToLower(parts[3])
	some := presences[word] != (parts[2] != "")
	_, isExact := states[word]
	column, typed, ok := w.column(parts[1])
	if isExact && parts[2] == "" && strings.Contains(parts[0], "=") { // which is of this language
		return "", false
	}
	if ok && (isExact || word == "nil") && !column.Kind.isTime() {
		return " " + negation(some) + typed + "=" + noValue, true
	}
	return w.has(parts[1], some)
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

// has writes that a column has a value, or none. Of a number 0 is none, and so is a list without
// elements and a time that is not set.
func (w *rewriter) has(name string, some bool) (string, bool) {
	column, typed, ok := w.column(name)
	if !ok {
		return "", false
	}
	switch column.Kind {
	case NumberColumn, BytesColumn, ListColumn:
		if some {
			return " " + typed + ">0", true
		}
		return " " + typed + "=0", true
	case TimeColumn, TicksColumn:
		return " " + negation(some) + typed + "=" + human.Never + "|" + noValue, true
	}
	return " " + negation(some) + typed + "=" + noValue, true
}

// has writes that the column of the only part has a value, or none.
func has(some bool) func(*rewriter, []string) (string, bool) {
	return func(w *rewriter, parts []string) (string, bool) { return w.has(parts[1], some) }
}

func (w *rewriter) empty([]string) (string, bool) { return w.ofFirst(firstSize, "=0") }

// antonyms are words for no in a column that is called by the other word.
var antonyms = map[string]string{"disabled": "enabled", "closed": "open", "locked": "unlocked", "unread": "read"}

// state writes a word that is a column of yes and no, or what a number of a column means.
func (w *rewriter) state(parts []string) (string, bool) {
	no, prefix, word := parts[1] != "", parts[2], strings.ToLower(parts[3])
	for _, column := range w.table.sample().display {
		if column.Kind != BoolColumn {
			continue
		}
		isColumn := func(word string) bool {
			folded := foldedName(word)
			return folded == foldedName(column.Label) || folded == foldedName(lastMember(column.Name))
		}
		yes := !no && prefix == ""
		switch {
		case isColumn(word):
		case isColumn(antonyms[word]):
			yes = !yes
		default:
			continue
		}
		value := map[bool]string{false: "no", true: "yes"}[yes]
		return " " + w.table.typedName(column.Index) + "=" + value, true
	}
	for _, wanted := range []string{prefix + word, word} {
		for _, column := range w.table.sample().display {
			if meaning, ok := meaningOf(column.Name, wanted); ok {
				negated := no || prefix != "" && wanted == word
				return " " + negation(negated) + w.table.typedName(column.Index) + ":" + meaning, true
			}
		}
	}
	return "", false
}

// meaningOf returns the meaning of a column's numbers that is spelled so, with or without a hyphen.
func meaningOf(column, word string) (meaning string, ok bool) {
	plain := func(text string) string { return strings.NewReplacer("-", "", "_", "").Replace(text) }
	for _, meaning := range Meanings(column) {
		if plain(meaning) == plain(word) {
			return meaning, true
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
		switch {
		case values[i] == "" || strings.ContainsAny(values[i], ":=<>") || parts[1] == "" && strings.Contains(values[i], " "):
			return parts[3], parts[1] == ""
		case !canBeTyped(values[i]):
			values[i] = strconv.Quote(values[i])
		}
	}
	name := ""
	if parts[1] != "" {
		name = parts[1] + ":"
	}
	return name + strings.Join(values, "|"), len(values) > 1 || name != ""
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
	return " " + typed + ":" + value, true
}
