package menu

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

	"gatehouse/styles"
)

// found is an entry that matches what was typed, and the bytes of its texts
// that do.
type found struct {
	entry       int
	rank        int // less is better
	title, note []int
}

// The ranks: names come before descriptions.
const (
	nameBegins = iota
	wordBegins
	nameContains
	nameHasLetters
	wordsContained
	notFound
)

// find returns the entries that match, sorted by the rank of the best of each group and
// then by their own. If nothing is typed, all match.
func find(entries []Entry, typed string) []found {
	typed = strings.ToLower(strings.TrimSpace(typed))
	list, best := []found{}, map[string]int{}
	for n, e := range entries {
		f := e.match(typed)
		if f.rank == notFound {
			continue
		}
		f.entry = n
		list = append(list, f)
		if rank, ok := best[e.Group]; !ok || f.rank < rank {
			best[e.Group] = f.rank
		}
	}
	order := map[string]int{}
	for _, e := range entries {
		if _, ok := order[e.Group]; !ok {
			order[e.Group] = len(order)
		}
	}
	slices.SortStableFunc(list, func(a, b found) int {
		first, second := entries[a.entry].Group, entries[b.entry].Group
		return cmp.Or(cmp.Compare(best[first], best[second]), cmp.Compare(order[first], order[second]),
			cmp.Compare(a.rank, b.rank))
	})
	return list
}

// match says how well an entry matches what was typed, which is in lower case.
func (e Entry) match(typed string) found {
	name, note := lower(e.Title), lower(e.Note)
	at := strings.Index(name, typed)
	word := strings.Index(" "+name, " "+typed)
	switch {
	case typed == "":
		return found{}
	case at == 0:
		return found{rank: nameBegins, title: span(0, len(typed))}
	case word >= 0:
		return found{rank: wordBegins, title: span(word, len(typed))}
	case at > 0:
		return found{rank: nameContains, title: span(at, len(typed))}
	}
	if hits := fuzzy.Find(strings.ReplaceAll(typed, " ", ""), []string{name}); len(hits) > 0 && isSelective(typed) {
		return found{rank: nameHasLetters, title: hits[0].MatchedIndexes}
	}
	f := found{rank: wordsContained}
	for w := range strings.FieldsSeq(typed) {
		inName, inNote := strings.Index(name, w), strings.Index(note, w)
		if inName < 0 && inNote < 0 {
			if strings.Contains(" "+e.Also, " "+w) {
				continue
			}
			return found{rank: notFound}
		}
		if inName >= 0 {
			f.title = append(f.title, span(inName, len(w))...)
		}
		if inNote >= 0 {
			f.note = append(f.note, span(inNote, len(w))...)
		}
	}
	return f
}

// isSelective reports whether letters in order, with others between them, are enough to
// find a name: one or two are in nearly every one.
func isSelective(typed string) bool { return utf8.RuneCountInString(typed) > 2 }

// lower is a text in lower case in which every byte is where it was.
func lower(text string) string {
	if folded := strings.ToLower(text); len(folded) == len(text) {
		return folded
	}
	return text
}

// span lists the bytes of a part of a text.
func span(from, length int) []int {
	list := make([]int, length)
	for i := range list {
		list[i] = from + i
	}
	return list
}

// marked draws a text with the characters at some bytes highlighted.
func marked(text string, hits []int, style, match styles.Style) string {
	var b strings.Builder
	for start := 0; start < len(text); {
		hit := slices.Contains(hits, start)
		end := start + 1
		for end < len(text) && (!utf8.RuneStart(text[end]) || slices.Contains(hits, end) == hit) {
			end++
		}
		if part := text[start:end]; hit {
			b.WriteString(match.Render(part))
		} else {
			b.WriteString(style.Render(part))
		}
		start = end
	}
	return b.String()
}
