package lists

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Otherwise returns the query that a person may have meant with a text that is written as in other
// programs, in SQL or in plain words: "size between 1 and 2 GB" is size:1..2 GB, "*ada*" is ada, "last
// week" is changed:last week. It returns false if the text does not look like that.
//
// The text itself has a meaning as well, so this is for people whose filter has found nothing.
func (t *Table) Otherwise(text string, by Asker) (Notice, bool) {
	hasColumns := t.sample().columns != nil
	if !hasColumns || len(text) > maxHabit || t.hasQuoted(text) {
		return Notice{}, false
	}
	w := &rewriter{table: t, names: newNames(t), by: by}
	plain := strings.Join(strings.Fields(text), " ")
	meant := plain
	for range maxHabits {
		next := w.once(meant)
		if next == meant {
			break
		}
		meant, w.rewritten = next, true
	}
	if w.sorts {
		n := Notice{Kind: SortsInstead, Text: text}
		if meant != "" {
			n.Meant, n.Fixes = []string{meant}, []string{meant}
		}
		return n, true
	}
	if meant == "" || meant == plain {
		return Notice{}, false
	}
	query := t.query(meant, by)
	misunderstood, isMisunderstood := query.Misunderstood()
	switch {
	case isMisunderstood && misunderstood.Kind == WrongValue: // size is big
		return misunderstood, true
	case isMisunderstood, query.Empty():
		return Notice{}, false
	}
	kind := OtherWriting
	if w.whole || isWord(text) || !t.hasCondition(meant) {
		kind = MayMean
	}
	return Notice{Kind: kind, Text: text, Meant: []string{meant}, Fixes: []string{meant}}, true
}

// hasQuoted reports whether a query has a text in quotes, which means just that text.
func (t *Table) hasQuoted(text string) bool {
	isQuoted := func(item queryItem) bool {
		return item.operator == "" && strings.HasPrefix(item.typed, `"`)
	}
	return slices.ContainsFunc(slices.Collect(t.items(text)), isQuoted)
}

// hasCondition reports whether a query has a condition, and not only texts.
func (t *Table) hasCondition(text string) bool {
	isCondition := func(item queryItem) bool { return item.operator != "" }
	return slices.ContainsFunc(slices.Collect(t.items(text)), isCondition)
}

const (
	maxHabit  = 200 // bytes; a longer text is not rewritten
	maxHabits = 8   // how often a text is rewritten
)

// rewriter rewrites a text, as people write it for other programs, in the language of filters.
type rewriter struct {
	table     *Table
	names     *names
	by        Asker
	rewritten bool // a habit was found
	sorts     bool // the text asks for an order, which a filter cannot give
	whole     bool // the text asks, in this language, for the whole text of a cell
}

// isWord reports whether a text is a single word of letters and digits.
func isWord(text string) bool {
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return !strings.ContainsFunc(text, isOther)
}

// once rewrites the first habit that it finds. If there is none, it returns the text.
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
		isNegated := strings.ContainsRune("-!", rune(parts[0][0]))
		if h.isOnColumn && isNegated {
			written = opposite(written)
		}
		next := text[:at[0]] + written + text[at[1]:]
		if next = strings.Join(strings.Fields(next), " "); next != text {
			return next
		}
	}
	return text
}

// opposite returns the condition that holds if the other one does not.
func opposite(condition string) string {
	condition = strings.TrimSpace(condition)
	if positive, ok := strings.CutPrefix(condition, "!"); ok {
		return " " + positive
	}
	return " !" + condition
}

// habit is a way in which people write in other programs.
type habit struct {
	pattern *regexp.Regexp
	write   writing
	// isOnColumn means that the pattern begins with the name of a column. A sign before the name
	// negates what is written.
	isOnColumn bool
}

// writing writes what a habit means in this language. parts are the whole text that the pattern
// found, and then its groups. It returns false if they mean something else.
type writing func(w *rewriter, parts []string) (string, bool)

// onText returns a habit whose pattern ignores case.
func onText(pattern string, write writing) habit {
	return habit{pattern: regexp.MustCompile(`(?i)` + pattern), write: write}
}

// onColumn returns a habit that begins with the name of a column, which is the first part.
func onColumn(pattern string, write writing) habit {
	const column = `(?:^|\s|[-!])("[^"]+"|\[[^\]]+\]|[\pL_][\pL\d_.]*)`
	h := onText(column+pattern, write)
	h.isOnColumn = true
	return h
}

// template returns a writing in which $1 stands for the first part.
func template(text string) writing {
	return func(_ *rewriter, parts []string) (string, bool) { return filled(text, parts), true }
}

// filled returns a template with its parts: $1 is parts[1].
func filled(template string, parts []string) string {
	var pairs []string
	for i, part := range parts {
		pairs = append(pairs, "$"+strconv.Itoa(i), part)
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

// matching returns a writing that the column, the first part, matches a template of a value.
func matching(value string) writing {
	return func(w *rewriter, parts []string) (string, bool) {
		return w.condition(parts[1], false, ":", filled(value, parts))
	}
}

// notMatching returns a writing that the column, the first part, does not match a template of a value.
func notMatching(value string) writing {
	return func(w *rewriter, parts []string) (string, bool) {
		return w.condition(parts[1], true, ":", filled(value, parts))
	}
}
