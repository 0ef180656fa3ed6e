package lists

import (
	"slices"
	"strings"
	"sync"
)

// habits are all habits, in the order in which they are tried.
var habits = sync.OnceValue(func() []habit {
	return slices.Concat(
		habitsOfNumbers(),
		habitsOfNames(),
		habitsOfQueries(),
		habitsOfOwnership(),
		habitsOfBounds(),
		habitsOfRanges(),
		habitsOfOperators(),
		habitsOfPresence(),
		habitsOfCommands(),
		habitsOfPatterns(),
		habitsOfJoining(),
		habitsOfValues(),
	)
})

// Parts of the patterns. None of them has a group of its own.
const (
	reStart  = `(?:^| )`
	reEnd    = `(?: and | or |$)`
	reName   = `[\pL_][\pL\d_.]*`
	reWord   = `[\pL_.]+`
	reAmount = `[\d.,]+ ?\pL*`
	reDate   = `\d[\d.-]+`
	reBound  = `<=?|>=?`
	reDash   = `[-–—]`
)

// habitsOfNumbers write numbers that are still to be worked out.
func habitsOfNumbers() []habit {
	return []habit{
		onText(`\b(\d{1,18})(?:\^|\*\*)(\d{1,2})\b`, power),
		onText(`\b(\d{1,18}) ?[*×] ?(\d{1,18})\b`, product),
		onText(`\b0x([0-9a-f]{1,16})\b`, hexadecimal),
		onText(`([\d.,]+) ?(`+anyOf(manyWords)+`)\b`, numberInWords),
	}
}

// habitsOfNames write the name of a column that is in brackets, is a path, or has a function around it.
func habitsOfNames() []habit {
	const (
		field    = `[$.]?[\pL_][^\s|:=<>]*` // of jq
		tests    = `test|contains|match|startswith|endswith|ltrimstr|inside`
		step     = `\.|/|->|::|\[[^\]\s]*\]` // from a member to the next one
		function = `lower|upper|trim|len|length|count|size|date|year|sum|abs|lcase|ucase`
	)
	return []habit{
		onText("[\\[`]([\\pL_. ]+)[\\]`] ?([:=<>!])", (*rewriter).bracketed),
		onText(`^(?:\.(?:\[\])? ?\| ?)?(?:map\( ?)?select\((.*?)\)+$`, template("$1")),
		onText(`(`+field+`) ?\| ?(?:`+tests+`) ?\( ?"?([^"();]+)"?[^()]*\)?`, (*rewriter).piped),
		onText(`(`+field+`) ?\| ?(?:length|ascii_downcase|tostring|tonumber)\b`, template("$1")),
		onText(
			`(^|[\s(!-])(\$?\.?[\pL_][\pL\d_]*(?:(?:`+step+`)[\pL\d_]*)+|\$?\.[\pL_][\pL\d_]*)`+
				`( ?[:=<>!≥≤≠])`,
			(*rewriter).path,
		),
		onText(`\b(?:`+function+`) ?\(([^()]+)\)`, (*rewriter).argument),
	}
}

// habitsOfQueries write the functions of spreadsheets and the statements of SQL, and notice an order.
func habitsOfQueries() []habit {
	const firstOnes = `largest|biggest|smallest|newest|oldest|latest|recent|top|limit`
	return []habit{
		onText(`=?(not )?(?:isblank|isnull|isempty) ?\(([^()]+)\)`, (*rewriter).isBlank),
		onText(`^=?not ?\(([^()]+)\)$`, (*rewriter).notFunction),
		onText(`^=?(and|or)\((.+)\)$`, (*rewriter).joiningFunction),
		onText(`([<>=:]) ?(?:date|timestamp|datetime) ?\(?['"]([^'"]+)['"]\)?`, template("$1$2")),
		onText(reStart+`date ?(modified|changed|created)\b`, template(" $1")),
		onText(`^(?:select .*?)?where `, template("")),
		onText(
			reStart+`(?:(?:order|sort|sorted) by .*|sort:\S+|limit \d+|desc|asc)$`,
			(*rewriter).order,
		),
		onText(
			`^(?:--?)?(?:`+firstOnes+`)(?: \d+)?(?: \pL+)?(?: by .*)?$`,
			(*rewriter).order,
		),
	}
}

// habitsOfOwnership write what is mine, and leave out words that only say that records are wanted.
func habitsOfOwnership() []habit {
	const records = `shares?|companies|company|folders?|files?|records?|rows?`
	return []habit{
		onText(`^(?:mine|my(?: own)?(?: \pL+)?|(?:owned |created )?by me|@?me)$`, ofMe("")),
		onText(`^not (?:mine|owned by me|my own)$`, ofMe("!")),
		onText(`^(?:only|just|show|find|list) `, template("")),
		onText(`^(?:all |the )?(\S+) (?:`+records+`)$`, template("$1")),
	}
}

// habitsOfBounds write comparisons with the value first, and two bounds of one column.
func habitsOfBounds() []habit {
	const value = `(` + reAmount + `|` + reDate + `)`
	return []habit{
		onText(
			reStart+value+` ?(`+reBound+`) ?(`+reName+`)(?: ?(`+reBound+`) ?`+value+`)?$`,
			(*rewriter).turned,
		),
		onColumn(
			` ?([<>]=?) ?([^\s<>]+) ?(?:and |&+ ?|, ?)?([<>]=?) ?([^\s<>]+)$`,
			(*rewriter).twoBounds,
		),
	}
}

// habitsOfRanges write ranges of sizes and times.
func habitsOfRanges() []habit {
	return []habit{
		onColumn(` (not )?between (.+?) and (.+)$`, (*rewriter).between),
		onColumn(`(?: from|:) ?(\S.*?) to (.+)$`, matching("$2..$3")),
		onColumn(`[:=] ?(`+reAmount+`) ?`+reDash+` ?([\d.,]+ ?\pL+)$`, matching("$2..$3")),
		onColumn(
			`[:=] ?[\[{(]([^\[\]{}()]+?)(?: to |\.\.| - |, ?|; ?)([^\[\]{}()]+)[\]})]$`,
			(*rewriter).rangeOf,
		),
		onColumn(
			`(?: from |[:=]| ) ?(\S.*?)`+
				`(?: ?(?:…|~|/|–|—) ?| (?:to|til|till|bis|until|through|-) )(.+)$`,
			(*rewriter).rangeOf,
		),
		onText(`^(?:between |from )?(.+?) (?:to|and|-|–|—) (.+)$`, (*rewriter).bareRange),
		onText(`^(.+?)`+reDash+`(.+)$`, (*rewriter).bareRange),
	}
}

// habitsOfOperators write operators in words, and whether a column has a value.
func habitsOfOperators() []habit {
	return []habit{
		onColumn(
			` (?:is |are |was |does )?(`+anyOf(wordOperators)+`) (.+?)`+reEnd,
			(*rewriter).wordOperator,
		),
		onText(`^(?:is )?(`+anyOf(bareOperators)+`) (.+)$`, (*rewriter).bareOperator),
		onColumn(
			`(?: (?:is |are )?| ?[:=]+ ?)(not |!)?\(?(`+anyOf(presences)+`)\)?$`,
			(*rewriter).presence,
		),
		onColumn(` ?(?:!=|<>) ?(?:""|''|nil|none)$`, has(true)),
		onText(`^(?:has|with|any|exists) (`+reWord+`)$`, has(true)),
	}
}

// habitsOfPresence write what has a value, what is yes or no, and who a record is shared with.
func habitsOfPresence() []habit {
	return []habit{
		onText(
			reStart+`(?:no|without|missing|(?:-|!|not )(?:has|with|_?exists_?)):(`+reWord+`)`,
			has(false),
		),
		onText(reStart+`(?:has|with|_?exists_?):(`+reWord+`)`, has(true)),
		onColumn(`[:=]\*$`, has(true)),
		onText(`^(?:is:)?empty$`, (*rewriter).empty),
		onText(
			reStart+`(-|!|not )?(?:[\pL_]+[:=])?(not[-_ ]|in|un|non|non-)?(\pL[\pL_-]*)$`,
			(*rewriter).state,
		),
		onText(`^(?:no |without |missing |[!-])(`+reWord+`)$`, has(false)),
		onText(reStart+`(\S+) in:(`+reWord+`)|`+reStart+`in:(`+reWord+`) (\S+)`, (*rewriter).inColumn),
		onText(
			reStart+`(?:shared? ?with|with|to|member|members)(?: |: ?)(\S+@?\S*)$`,
			(*rewriter).sharedWith,
		),
	}
}

// habitsOfCommands write the options of find, grep and shells, and the signs of web searches.
func habitsOfCommands() []habit {
	return []habit{
		onText(reStart+`--(\pL{2,})[ =](['"]?)([^'"]+)['"]?`, (*rewriter).option),
		onText(reStart+`-e (\S+) -e (\S+)`, template(" $1|$2")),
		onText(reStart+`-v (\S+)`, template(" !$1")),
		onText(reStart+`-[iwFgSnElk] (\S)`, template(" $1")),
		onText(`\(\?[a-z]+\)|\\b`, template("")),
		onText(`\\\|`, template("|")),
		onText(reStart+`-(size|mtime|ctime|name|iname|user) ([-+]?)(\S+)`, (*rewriter).found),
		onText(reStart+`\+([\pL"]\S*)`, template(" $1")),
		onText(`^\+(\d\S*)$`, (*rewriter).moreThan),
		onText(reStart+`@([\pL\d]+)`, template(" $1")),
	}
}

// habitsOfPatterns write patterns as the texts in them, and signs that negate.
func habitsOfPatterns() []habit {
	return []habit{
		onColumn(` ?!(?:=?~|:) ?(\S+)`, notMatching("$2")),
		onColumn(` ?(?:=~|~\*?|≈|:~=) ?(\S+)`, (*rewriter).like),
		onText(`^(?:<>|!==?)(\S+)$`, template("!$1")),
		onColumn(`[:=](?:!|-|not )(\pL\S*)`, notMatching("$2")),
		onColumn(`(?:!| not )(\pL\S*)`, notMatching("$2")),
		onText(`\[(\pL)(\pL)\]`, (*rewriter).eitherCase),
		onColumn(`#(\S+)`, matching("$2")),
		onText(reStart+`(\S*[*%^$/]\S*)`, (*rewriter).pattern),
	}
}

// habitsOfJoining write what joins conditions, and what groups values.
func habitsOfJoining() []habit {
	return []habit{
		onText(`(?:("[^"]+"|`+reWord+`)(:| in ?))?\(([^()]+)\)`, (*rewriter).group),
		onText(`^\{([^{}]+)\}$`, (*rewriter).anyOfWords),
		onColumn(`:(\S+) or ([^\s:=<>]+)$`, template("$1:$2|$3")),
		onText(`^(.+) or (.+)$`, template("$1 | $2")),
		onText(` (?:and|&&?|\+) `, template(" ")),
		onText(`^not (\S+)$`, template("!$1")),
		onText(` not (\S+)`, template(" !$1")),
		onText(`([^\s&;,]+)[&;,]+ ?(`+reWord+`[:=<>].*)$`, template("$1 $2")),
		onText(`(\pL[^\s,]*),(\pL[^\s,]*)`, template("$1|$2")),
		onText(`([:=])(\d+),(\d+)$`, template("$1$2|$3")),
	}
}

// habitsOfValues write values that have no operator, or another one than in this language.
func habitsOfValues() []habit {
	return []habit{
		onText(`^=?(.+)$`, (*rewriter).bareValue),
		onColumn(` (.+)$`, (*rewriter).valueBehind),
		onColumn(` ?==? ?(\S+)$`, (*rewriter).partOfText),
		onText(`^==?(\S+)$`, template("$1")),
		onText(`([<>])[<>]+`, template("$1")),
		onText(`([^\s.!,;?])[.!,;?]+$`, template("$1")),
	}
}

// numberInWords writes "2 million", and a comma as the point of a number.
func numberInWords(_ *rewriter, parts []string) (string, bool) {
	return strings.ReplaceAll(parts[1], ",", ".") + manyWords[strings.ToLower(parts[2])], true
}

// bracketed writes [Disk usage]>1 as other languages have names in brackets.
func (w *rewriter) bracketed(parts []string) (string, bool) {
	_, typed, ok := w.column(parts[1])
	return typed + parts[2], ok
}

// argument writes lower(name) as the column.
func (w *rewriter) argument(parts []string) (string, bool) {
	_, typed, ok := w.column(parts[1])
	return typed, ok
}

// isBlank writes isblank(parent) and not isblank(parent).
func (w *rewriter) isBlank(parts []string) (string, bool) {
	isNegated := parts[1] != ""
	return w.has(parts[2], isNegated)
}

// notFunction writes not(...), of one condition.
func (w *rewriter) notFunction(parts []string) (string, bool) {
	return "!" + parts[1], !joins(parts[1])
}

// joiningFunction writes and(a, b) and or(a, b).
func (w *rewriter) joiningFunction(parts []string) (string, bool) {
	separator := " "
	if strings.EqualFold(parts[1], "or") {
		separator = " | "
	}
	return strings.Join(splitNames(parts[2]), separator), true
}

// ofMe writes that records are those of the signed-in user, after a sign that may negate it.
func ofMe(sign string) writing {
	return func(w *rewriter, _ []string) (string, bool) {
		written, ok := w.ofFirst(ownership, ":me")
		return sign + written, ok && w.by.Me != ""
	}
}

// twoBounds writes "disk>1GB and <2GB".
func (w *rewriter) twoBounds(parts []string) (string, bool) {
	low, ok := w.condition(parts[1], false, parts[2], parts[3])
	high, _ := w.condition(parts[1], false, parts[4], parts[5])
	return low + high, ok
}

// between writes "size between 1 and 2 GB" and "size not between 1 and 2 GB".
func (w *rewriter) between(parts []string) (string, bool) {
	isNegated := parts[2] != ""
	return w.condition(parts[1], isNegated, ":", parts[3]+".."+parts[4])
}

// inColumn writes "ada in:owner" and "in:owner ada".
func (w *rewriter) inColumn(parts []string) (string, bool) {
	column, value := parts[2]+parts[3], parts[1]+parts[4]
	return w.condition(column, false, ":", value)
}

// sharedWith writes "shared with ada".
func (w *rewriter) sharedWith(parts []string) (string, bool) {
	return w.condition("relations", false, ":", parts[1])
}

// option writes --owner=ada, if the option has the name of a column or the word of a comparison.
func (w *rewriter) option(parts []string) (string, bool) {
	name, value := parts[1], parts[3]
	_, isComparison := comparingWords[strings.ToLower(name)]
	_, _, isColumn := w.column(name)
	return " " + name + ":" + value, isComparison || isColumn
}

// moreThan writes +1GB.
func (w *rewriter) moreThan(parts []string) (string, bool) {
	return ">" + parts[1], w.isAmount(parts[1])
}

// eitherCase writes [Bb], a letter in upper and lower case, as that letter.
func (w *rewriter) eitherCase(parts []string) (string, bool) {
	return parts[1], strings.EqualFold(parts[1], parts[2])
}

// anyOfWords writes {ada ben}.
func (w *rewriter) anyOfWords(parts []string) (string, bool) {
	return strings.Join(strings.Fields(parts[1]), "|"), true
}
