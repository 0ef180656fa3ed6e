package lists

import (
	"regexp"
	"strconv"
	"strings"
)

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
	low, isNumber := parseAmount(from)
	isSize := isNumber && (low.unit == "" || w.isAmount(from))
	isDate := w.isMoment(from + "-" + to)
	switch {
	case isDate:
	case isSize && w.isAmount(to):
		return w.ofFirst(firstSize, ":"+from+".."+to)
	case w.isMoment(from) && w.isMoment(to):
		return w.ofFirst(firstTime, ":"+from+".."+to)
	}
	return "", false
}

// ofFirst returns a condition on the first of the columns that a function returns. It returns false if
// there is none.
func (w *rewriter) ofFirst(first func(*Table) []int, condition string) (string, bool) {
	columns := first(w.table)
	if columns == nil {
		return "", false
	}
	return w.table.typedName(columns[0]) + condition, true
}

// isAmount reports whether a text is a size with a unit: "1.5GB".
func (w *rewriter) isAmount(text string) bool {
	a, ok := parseAmount(text)
	_, isSize := unitOf(a.unit)
	return ok && isSize && a.unit != ""
}

// isMoment reports whether a text is a time, and only one: 03/04/2025 may be two.
func (w *rewriter) isMoment(text string) bool {
	m, ok := parseMoment(text, w.by.Now)
	return ok && m.other.first.IsZero()
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
	ofSize := map[string]string{"+": ">", "-": "<", "": ":"}
	ofTime := map[string]string{"+": "<", "-": ">", "": ":"} // more days ago is earlier
	switch test {
	case "mtime":
		return w.condition("modified", false, ofTime[sign], value+"d")
	case "ctime":
		return w.condition("created", false, ofTime[sign], value+"d")
	case "size":
		return w.condition(test, false, ofSize[sign], value)
	}
	name := strings.TrimPrefix(test, "i") // iname ignores case
	return w.condition(name, false, ":", strings.Trim(value, `*"'`))
}

// pattern writes a word with the signs of a pattern as the texts between them.
func (w *rewriter) pattern(parts []string) (string, bool) {
	const signs = `*%^$/`
	word := parts[1]
	start := strings.LastIndexAny(word, ":=<>") + 1
	name, value := word[:start], word[start:] // the name has the operator at its end
	isURL := strings.Contains(word, "//")
	isQuoted := strings.HasPrefix(word, `"`)
	if isURL || isQuoted || strings.ContainsAny(name, signs+"<>") {
		return "", false
	}
	isSign := func(r rune) bool { return strings.ContainsRune(signs, r) }
	hasSignAtEnd := strings.TrimFunc(value, isSign) != value
	if !strings.ContainsAny(value, "*%") && !hasSignAtEnd {
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

// betweenValues matches what separates the values of a group.
var betweenValues = regexp.MustCompile(`(?i) or |[|,]`)

// group writes "(ann or bob)" and "owner in (ann, bob)". A group of conditions loses its parentheses.
func (w *rewriter) group(parts []string) (string, bool) {
	name, content := parts[1], parts[3]
	hasName := name != ""
	values := betweenValues.Split(content, -1)
	for i, value := range values {
		value = strings.Trim(strings.TrimSpace(value), `'`)
		isValue := value != "" && !strings.ContainsAny(value, ":=<>")
		isSentence := !hasName && strings.Contains(value, " ")
		if !isValue || isSentence {
			return content, !hasName
		}
		if !canBeTyped(value) {
			value = strconv.Quote(value)
		}
		values[i] = value
	}
	written := strings.Join(values, "|")
	if hasName {
		return name + ":" + written, true
	}
	return written, len(values) > 1
}

// bareValue writes a size or a time that has no operator.
func (w *rewriter) bareValue(parts []string) (string, bool) {
	isExact := strings.HasPrefix(parts[0], "=")
	value := strings.TrimSpace(parts[1])
	switch {
	case w.isMoment(value):
		return w.ofFirst(firstTime, ":"+value)
	case w.isAmount(value) && isExact:
		return w.ofFirst(firstSize, "="+value)
	case w.isAmount(value):
		return w.ofFirst(firstSize, ">="+value)
	}
	return "", false
}

// valueBehind writes "owner ada" and "changed last week". The name must be that of a column, and not
// only its beginning.
func (w *rewriter) valueBehind(parts []string) (string, bool) {
	name, value := parts[1], parts[2]
	column, typed, ok := w.column(name)
	isWholeName := strings.EqualFold(column.Label, name) || otherNames[foldedName(name)] != nil
	if !ok || !isWholeName || strings.ContainsFunc(value, isOperator) {
		return "", false
	}
	isTime, isAmount := column.Kind.isTime(), w.isAmount(value)
	isSentence := !isAmount && strings.Contains(value, " ")
	switch {
	case isTime && !w.isMoment(value), !isTime && isSentence:
		return "", false
	case column.Kind == BytesColumn && isAmount:
		return " " + typed + ">=" + value, true
	}
	return " " + typed + ":" + value, true
}

// partOfText writes owner=ada, which finds nothing if no owner is just that text, as owner:ada, which
// finds it as a part.
func (w *rewriter) partOfText(parts []string) (string, bool) {
	column, typed, ok := w.column(parts[1])
	isOfText := ok && !compares(column.Kind) && column.Kind != BoolColumn
	if !isOfText || w.rewritten || isState(parts[2]) {
		return "", false
	}
	value := strings.Trim(parts[2], `"'`)
	if value == "" {
		return "", false
	}
	w.whole = true
	return " " + typed + ":" + value, true
}
