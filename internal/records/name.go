package records

import (
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/jsonscan"
)

// Words returns the words of a camelCase, snake_case or dotted name in lower
// case: of "HTTPServer.last_seenAt" http, server, last, seen and at.
func Words(name string) (words []string) {
	for _, word := range wordsIn(name) {
		words = append(words, strings.ToLower(name[word.Start:word.End]))
	}
	return words
}

// wordsIn returns where the words of a name stand.
func wordsIn(name string) (words []jsonscan.Span) {
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, jsonscan.Span{Start: start, End: end})
		}
		start = end
	}
	previous := rune(0)
	for i, r := range name {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(name[i:])
		}
		switch {
		case !unicode.IsLetter(r):
			cut(i)
			start = i + size
		case unicode.IsUpper(r) && i > 0:
			next, _ := utf8.DecodeRuneInString(name[i+size:])
			if !unicode.IsUpper(previous) || unicode.IsLower(next) {
				cut(i)
			}
		}
		previous = r
	}
	cut(len(name))
	return words
}

// labels returns what each column is called where its whole name is too much: the
// shortest part of the name that is no other column's. Columns that share
// a name share the label.
func (t *Table) labels() []string {
	if known := t.kinds.labels.Load(); known != nil {
		return *known
	}
	labels := labelsOf(t.columns.columns)
	t.kinds.labels.Store(&labels)
	return labels
}

func labelsOf(columns []Column) []string {
	labels, parts := make([]string, len(columns)), make([]int, len(columns))
	for col, column := range columns {
		labels[col] = labelOf(column.Name, 0)
	}
	for longer := true; longer; {
		longer = false
		for _, alike := range sharedLabels(labels) {
			for _, col := range alike {
				if labels[col] != columns[col].Name {
					parts[col]++
					labels[col] = labelOf(columns[col].Name, parts[col])
					longer = true
				}
			}
		}
	}
	return labels
}

// sharedLabels returns the columns that have their label, but for its case, in common with others.
func sharedLabels(labels []string) map[string][]int {
	called := map[string][]int{}
	for col, label := range labels {
		folded := foldedName(label)
		called[folded] = append(called[folded], col)
	}
	maps.DeleteFunc(called, func(_ string, alike []int) bool { return len(alike) < 2 })
	return called
}

// labelOf returns the last parts of a name, as many as are asked for. For none it
// is what the last part says beside the part before: of "SpaceUsage.DiskUsage", Disk.
func labelOf(name string, parts int) string {
	start := len(name)
	for range max(parts, 1) {
		if start = strings.LastIndexByte(name[:start], '.'); start < 0 {
			break
		}
	}
	label := name[start+1:]
	if parts > 0 || start < 0 {
		return label
	}
	return withoutWordsOf(label, lastMember(name[:start]))
}

// withoutWordsOf cuts off the words of a name that repeat those around it: the first
// or the last word of both.
func withoutWordsOf(name, around string) string {
	words, known := wordsIn(name), wordsIn(around)
	if len(words) < 2 || len(known) == 0 {
		return name
	}
	same := func(a, b jsonscan.Span) bool { return strings.EqualFold(name[a.Start:a.End], around[b.Start:b.End]) }
	switch {
	case same(words[len(words)-1], known[len(known)-1]):
		return strings.TrimRight(name[:words[len(words)-1].Start], "_- ")
	case same(words[0], known[0]):
		return name[words[1].Start:]
	}
	return name
}
